"""house.py: the services of one machine as processes, started again when they die, and who plays there."""
import contextlib
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

from zmq import auth

# A service that died runs again after so long, as with the first death under `arbiter up`.
AGAIN_S = 0.25
NO_START, NOBODY_KNOWS = 1, 75  # Exit statuses of services.
# What is started with these words ends with the thread that started it, even if that is killed with -9.
ENDS_WITH_US = ("setpriv", "--pdeathsig", "KILL", "--")
DOORS = {"lobby": ("requests", "stream"), "engine": ("requests", "stream", "history"),
         "fanout": ("stream", "history"), "watchdog": ("requests", "stream")}
KEEPS = ("lobby", "engine", "watchdog")
STARTED = "at ipc"


def leave_when_told():
    """Whoever ends this program with SIGTERM, or closes its terminal, ends it as Ctrl-C would: out of every `with`, so that
    no service is left running and no small disk mounted. Being told again does not keep it from that."""
    def leave(number, _):
        for one in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(one, signal.SIG_IGN)
        print(f"{signal.Signals(number).name}: ending what runs", file=sys.stderr, flush=True)
        sys.exit(128 + number)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, leave)


class Service:
    """One process and all that became of it."""

    def __init__(self, name, words, log, environment):
        self.name, self.words, self.log, self.environment = name, words, log, environment
        self.child = None
        self.starts = 0
        self.due = 0.0
        self.ours = False       # Its next death is our doing.
        self.away = False       # It is not started again for now.
        self.is_stopped = False
        self.bad_ends = []

    def start(self):
        with open(self.log, "ab") as log:
            self.child = subprocess.Popen([*ENDS_WITH_US, *self.words], stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                          start_new_session=True, env={**os.environ, **self.environment})
        self.starts += 1
        self.is_stopped = False

    def tend(self, now, is_starved=False):
        """Looks whether it lives; starts it again when that is due. Without a good disk it may refuse to start,
        and ends where nobody knows what became of a batch."""
        if self.child is not None and self.child.poll() is not None:
            if not self.ours and not (is_starved and self.child.returncode in (NO_START, NOBODY_KNOWS)):
                self.bad_ends.append(self.child.returncode)
            self.ours = False
            self.child = None
            self.due = now + AGAIN_S
        if self.child is None and now >= self.due and not self.away:
            self.start()

    def send(self, number):
        if self.child is None or self.child.poll() is not None:
            return False
        self.ours = self.ours or number == signal.SIGKILL
        self.child.send_signal(number)
        return True

    def end(self, patience=15.0):
        """Asks it to stop; true: it did so by itself, with 0."""
        if self.child is None:
            return True
        self.child.send_signal(signal.SIGCONT)
        self.child.terminate()
        try:
            return self.child.wait(patience) == 0
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
            return False


class House:
    """Four services, and others that have no doors, in a folder of their own. Use it in a `with`: nothing is
    left running."""

    def __init__(self, build, folder, players, settings=None, programs=None, others=(),
                 environment=None, more=None, store=None):
        """`settings`: words for a service; `programs`: another program in the place of a service's own;
        `environment`: what all of them find in theirs; `more`: name -> service, several of one kind; `store`: a
        database for what they keep."""
        self.roles = {**{name: name for name in (*DOORS, *others, "console")}, **(more or {})}
        self.store = store
        self.build, self.folder, self.programs = pathlib.Path(build), pathlib.Path(folder), programs or {}
        self.lock = threading.Lock()
        self.starved_until = 0.0
        self.thread = threading.Thread(target=self.tend, daemon=True)
        self.is_over, self.is_tended, self.is_empty = threading.Event(), threading.Event(), threading.Event()
        for below in ("keys", "run", "data", "log"):
            (self.folder / below).mkdir(exist_ok=True, mode=0o700)
        self.publics = self.make_keys({**self.roles, **players})
        self.services = {name: Service(name, self.words(name, (settings or {}).get(name, [])),
                                       self.folder / "log" / f"{name}.log", environment or {})
                         for name in self.roles if name != "console"}
        (self.folder / "run" / "doors").write_text(
            f"{self.address('lobby', 'requests')}\n{self.address('lobby', 'stream')}\n{self.publics['lobby']}\n")

    def key(self, name):
        return self.folder / "keys" / f"{name}.key"

    def make_keys(self, roles):
        """A pair for each, and the lobby's list of them. `roles`: name -> role."""
        publics, lines = {}, []
        for name, role in roles.items():
            subprocess.run([self.build / "arbiter-lobby", "--make-key", "--check", "--key", self.key(name)],
                           check=True, stdout=subprocess.DEVNULL)
            text = re.sub(r'^    role = "\S+"$', f'    role = "{role}"', self.key(name).read_text(), flags=re.M)
            self.key(name).write_text(text)
            publics[name] = auth.load_certificate(self.key(name))[0].decode()
            lines.append(f"{publics[name]} {role} {name}\n")
        (self.folder / "keys" / "admitted").write_text("".join(lines))
        return publics

    def address(self, service, door):
        return f"ipc://{self.folder}/run/{service}.{door}"

    def words(self, name, more):
        role = self.roles[name]
        program = self.programs.get(name, self.build / f"arbiter-{role}")
        words = [program, "--name", f"{name}-1", "--key", self.key(name)]
        for door in DOORS.get(role, ()):
            words += [f"--listen-{door}", self.address(name, door)]
        if role in KEEPS and self.store:
            words += ["--store", self.store]
        elif role in KEEPS:
            (self.folder / "data" / name).mkdir(exist_ok=True, mode=0o700)
            words += ["--data", self.folder / "data" / name]
        if name == "lobby":
            words += ["--admitted", self.folder / "keys" / "admitted"]
        else:
            words += ["--lobby", self.address("lobby", "requests"), "--lobby-stream",
                      self.address("lobby", "stream"), "--lobby-key", self.publics["lobby"]]
        return [str(word) for word in [*words, *more]]

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.close()

    def tend(self):
        """A thread, which lives as long as any of the services: they end with it."""
        while not self.is_over.wait(0.02):
            with self.lock:
                for service in self.services.values():
                    service.tend(time.monotonic(), time.monotonic() < self.starved_until)
        self.is_tended.set()
        self.is_empty.wait()

    def send(self, name, number):
        """True: it was there to be hit."""
        with self.lock:
            return self.services[name].send(number)

    def without(self, names, deed):
        """Kills these, and does something while none of them is there."""
        with self.lock:
            for service in (self.services[name] for name in names):
                if service.send(signal.SIGKILL):
                    service.child.wait()
            deed()

    def has_started(self, name):
        """Whether it has said, in this life, that its doors are open."""
        service = self.services[name]
        text = service.log.read_text(errors="replace") if service.log.exists() else ""
        return text.count("public key") >= service.starts > 0 and service.child is not None

    def wait_until_started(self, patience=30.0):
        end = time.monotonic() + patience
        while not all(self.has_started(name) for name in self.services):
            if time.monotonic() > end:
                raise AssertionError("the services do not start:\n" + self.said())
            time.sleep(0.02)

    def said(self, lines=12):
        """The ends of the logs, for who must find out what happened."""
        tails = []
        for name, service in self.services.items():
            text = service.log.read_text(errors="replace") if service.log.exists() else ""
            tails += [f"--- {name}"] + text.splitlines()[-lines:]
        return "\n".join(tails)

    def close(self):
        """Stops all, the last one first. Returns who did not end well."""
        self.is_over.set()
        if self.thread.is_alive():
            self.is_tended.wait()
        ended = {name: service.end() for name, service in reversed(self.services.items())}
        for service in self.services.values():
            service.child = None
        self.is_empty.set()
        return [name for name, is_well in ended.items() if not is_well]

    def complaints(self, name):
        """What a service said went wrong, the last three times."""
        log = self.services[name].log
        lines = log.read_text(errors="replace").splitlines() if log.exists() else []
        return [line for line in lines if "level=error" in line][-3:]

    def bad_ends(self):
        """Deaths that were not our doing."""
        return {name: service.bad_ends for name, service in self.services.items() if service.bad_ends}


@contextlib.contextmanager
def fleet(house, name, role, game, setup, seats, tables, think_ms, turn_ms, seed):
    """One process of players; see fleet.c."""
    record = house.folder / "log" / f"{name}.record"
    with open(house.folder / "log" / f"{name}.log", "ab") as log:
        child = subprocess.Popen(
            [*ENDS_WITH_US, house.build / "tests/process/fleet", house.folder / "run" / "doors", house.key(name), record, name,
             "bots" if role == "bot" else "person", game, setup, str(seats), str(tables), str(think_ms),
             str(turn_ms), str(seed)], stdout=log, stderr=log)
    child.record = record
    child.fleet_name = name
    try:
        yield child
    finally:
        if child.poll() is None:
            os.kill(child.pid, signal.SIGKILL)
        child.wait()
