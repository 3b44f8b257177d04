"""causes.py: what goes wrong in a house, how it is brought about, and which alerts must ring of it."""
import contextlib
import signal
import subprocess
import time

import hotseat
from house import fleet
from nemesis import SmallDisk

DISK = "64m"
TWO_OF, TWO_ENGINES = {"watchdog2": "watchdog"}, {"engine2": "engine"}


class Cause:
    """`must` rings within 90 s, and `may` besides; nothing else does. `about`: the services it must name."""

    def __init__(self, name, must, inflict, may=(), about=(), **house):
        self.name, self.must, self.inflict, self.may = name, frozenset(must), inflict, frozenset(may)
        self.about, self.house = set(about), house


@contextlib.contextmanager
def players(watched):
    """Bots play nim without a pause, so that everybody has something to do."""
    with fleet(watched.house, "players", "bot", "nim", "classic", 2, 8, 500, 5000, 7):
        yield


def deed(kind, name):
    """Does this to a service, and that is all."""
    @contextlib.contextmanager
    def inflict(watched):
        getattr(watched, kind)(name)
        yield
    return inflict


@contextlib.contextmanager
def kill_gateway(watched):
    watched.gateways[0].kill()
    yield


@contextlib.contextmanager
def freeze_gateway(watched):
    watched.gateways[0].child.send_signal(signal.SIGSTOP)
    yield


@contextlib.contextmanager
def freeze_watchdog_and_engine(watched):
    watched.freeze("watchdog")
    watched.freeze("engine")
    yield


@contextlib.contextmanager
def kill_often(watched):
    """Five times, so far apart that each start is seen."""
    for _ in range(5):
        watched.house.send("fanout", signal.SIGKILL)
        time.sleep(7)
    yield


@contextlib.contextmanager
def fill_disk(watched):
    disk = SmallDisk(watched.folder / "data/engine", watched.folder / "no-sync")
    with players(watched):
        time.sleep(5)
        disk.fill()
        try:
            yield
        finally:
            disk.free()


def small_disk(watched):
    """Below what the engine keeps; it goes with the mounts of this program."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK},mode=0700", "alerts", watched.folder / "data/engine"], check=True)


def open_tables(count):
    """Somebody opens so many, and is refused those for which there is no room."""
    @contextlib.contextmanager
    def inflict(watched):
        with hotseat.Hotseat(watched.house) as player:
            for _ in range(count):
                with contextlib.suppress(AssertionError):
                    player.answer(player.client.create_table("nim", setup='{"heaps": [3]}', seats=2, seated=False))
            yield
    return inflict


@contextlib.contextmanager
def stop_database(watched):
    """It has no standby, and nobody starts it again."""
    with players(watched):
        time.sleep(5)
        watched.server.stop(signal.SIGQUIT)
        yield


@contextlib.contextmanager
def kill_engines(watched):
    watched.kill("engine")
    watched.kill("engine2")
    yield


GONE = ("is killed", "kill"), ("stands still", "freeze")
CAUSES = [
    *(Cause(f"the one watchdog {said}", {"ArbiterWatchdogMissing"}, deed(kind, "watchdog")) for said, kind in GONE),
    Cause("the one watchdog is ended", {"ArbiterWatchdogMissing"}, deed("end", "watchdog")),
    Cause("the watchdog and the engine stand still", {"ArbiterWatchdogMissing"}, freeze_watchdog_and_engine),
    *(Cause(f"one of two watchdogs {said}", {"ArbiterServiceSuspect"}, deed(kind, "watchdog2"), about={"watchdog2-1"}, more=TWO_OF)
      for said, kind in GONE),
    *(Cause(f"the {role} {said}", {f"Arbiter{role.title()}Missing", "ArbiterServiceSuspect"}, deed(kind, role), about={f"{role}-1"})
      for role in ("lobby", "engine", "fanout") for said, kind in GONE),
    *(Cause(f"the {role} is ended", {f"Arbiter{role.title()}Missing"}, deed("end", role)) for role in ("lobby", "engine", "fanout")),
    *(Cause(f"the one bot service {said}", {"ArbiterBotMissing"}, deed(kind, "bot")) for said, kind in GONE),
    *(Cause(f"the one gateway {said}", {"ArbiterGatewaysSilent"}, inflict)
      for said, inflict in (("is killed", kill_gateway), ("stands still", freeze_gateway))),
    Cause("one of two gateways is killed", {"ArbiterServiceSuspect"}, kill_gateway, about={"gateway-0"}, gateways=2),
    Cause("a fanout dies again and again", {"ArbiterServiceRestartsOften"}, kill_often, about={"fanout-1"}),
    Cause("the engine's disk is full", {"ArbiterStoreFails", "ArbiterCommitsFail"}, fill_disk,
          may={"ArbiterFanoutBehind"}, about={"engine-1"}, begin=small_disk),
    Cause("the database is gone", {"ArbiterStoreFails", "ArbiterCommitsFail"}, stop_database,
          may={"ArbiterLobbyMissing", "ArbiterServiceSuspect", "ArbiterServiceRestartsOften"}, about={"engine-1", "engine2-1"}, is_shared=True, more=TWO_ENGINES),
    Cause("one of two engines is killed, on a database", {"ArbiterServiceSuspect", "ArbiterFailover"}, deed("kill", "engine2"),
          about={"engine2-1"}, is_shared=True, more=TWO_ENGINES),
    Cause("both engines are killed, on a database", {"ArbiterEngineMissing", "ArbiterServiceSuspect", "ArbiterSlotsUnowned"},
          kill_engines, may={"ArbiterFailover"}, about={"engine-1", "engine2-1"}, is_shared=True, more=TWO_ENGINES),
    Cause("four fifths of the tables are open", {"ArbiterLimitNear"}, open_tables(8), about={"lobby-1"},
          settings={"lobby": ["--tables-max", "10"]}),
    Cause("all tables are open, and somebody wants another", {"ArbiterLimitNear", "ArbiterLimitReached"}, open_tables(12),
          about={"lobby-1"}, settings={"lobby": ["--tables-max", "10"]}),
]
