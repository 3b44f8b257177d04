#!/usr/bin/python3 -B
"""week.py: a week of a house in ten minutes: 200 matches go on while an operator does what the handbook says. README.md says what is asked.

    week.py [--build DIR] [--before DIR] [--keep DIR] [--seed N]"""
import argparse
import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from handbook import Handbook, task  # noqa: E402
from home import SOURCE, Certificates, Home  # noqa: E402

import before  # noqa: E402
import nemesis  # noqa: E402
import operator_client  # noqa: E402
import oracle  # noqa: E402
import socket_client  # noqa: E402
import watched  # noqa: E402
from chaos import enter_mounts, examples  # noqa: E402
from house import fleet, leave_when_told  # noqa: E402

# The first build whose `arbiter up` takes settings, and reads them again.
COMMIT = "2f7f86f8f9a0fa50ca9defdfd2ec6e5b5d49c90b"
PROGRAMS = ["arbiter", *(f"arbiter-{name}" for name in ("lobby", "engine", "fanout", "watchdog", "gateway", "bot"))]
# name: role, and what it plays: game, set-up, seats, tables, how long it thinks, and has, in ms: 200 tables.
FLEETS = {"nims": ("bot", "nim", "random", 2, 90, 2000, 0), "deads": ("bot", "dead", "standard", 2, 60, 2000, 10000),
          "sleepy": ("bot", "nim", "random", 3, 48, 4000, 2000), "ada": ("client", "nim", "classic", 2, 1, 300, 5000),
          "bob": ("client", "nim", "random", 2, 1, 300, 0)}
MATCHES = 200
MORE = 20           # Commands of each fleet that are acknowledged in each step.
DISK = "512m"
RINGS_S, CALM_S, PATIENCE_S = 90, 90, 120
# In this week a service starts anew with each build, and all weeks take less than the quarter of an hour that this alert looks at.
TOO_SHORT = "ArbiterServiceRestartsOften"


class Alerts:
    """What the real Prometheus says, looked at all the time."""

    def __init__(self, folder, home):
        token, trust = home.folder / "keys/operator.token", home.certificates.folder / "ca.pem"
        self.prometheus = watched.Prometheus(folder, [home.port], f"    scheme: https\n    tls_config: {{ ca_file: {trust} }}\n"
                                                                  f"    authorization: {{ credentials_file: {token} }}\n")
        self.now, self.heard = set(), set()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while self.prometheus.child.poll() is None:
            with contextlib.suppress(OSError):
                self.now = set(self.prometheus.firing())
                self.heard |= self.now
            time.sleep(0.5)

    def sees(self, service):
        """Whether Prometheus has a figure of it that says that it is up."""
        try:
            return any(row["metric"]["service"] == service for row in self.prometheus.query("arbiter_up == 1"))
        except OSError:
            return False


class Week:
    """One house, and what is done to it, day by day."""

    def __init__(self, folder, build, older, seed):
        self.folder, self.build, self.older, self.seed, self.backups = folder, build, older, seed, folder / "backups"
        self.handbook, self.step, self.told = Handbook(), None, []
        self.certificates = Certificates(folder / "certificates")
        self.settings = {"tls_cert": str(self.certificates.cert), "tls_key": str(self.certificates.key)}
        self.home = Home(folder / "home", self.certificates, watched.free_port(), self.settings)
        (self.home.folder / "data/engine").mkdir(parents=True, mode=0o700)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK},mode=0700", "week", self.home.folder / "data/engine"], check=True)
        self.disk = nemesis.SmallDisk(self.home.folder / "data/engine", folder / "no-sync")

    # What an operator does.

    def arbiter(self, *words, ends=(0,), home=None):
        assert f"arbiter {words[0]}" in self.step.typed, f"{self.step.__name__} does not say that it types arbiter {words[0]}"
        return (home or self.home).arbiter(*words, ends=ends)

    def is_well(self):
        said = self.arbiter("doctor", ends=(0, 1))
        lines = [line for line in said.splitlines() if line.startswith(("wrong", "warning versions"))]
        if self.home.build == self.older:   # Its doctor takes players' bots for services of another build.
            lines = [line for line in lines if 'runs "arbiter client"' not in line]
        assert not lines, said

    def backs_up(self, name):
        """What it must hold."""
        before = self.copies()
        self.arbiter("backup", self.backups / name)
        return before

    def changes_to(self, build, name):
        """To another build, newer or older. The older one counts a commit that waited for a backup as one that failed."""
        if self.older in (self.home.build, build):
            self.may |= {"ArbiterCommitsFail"}
        self.arbiter("announce", "We get another build.", "--in", "10")
        self.backs_up(name)
        self.is_well()
        self.home.stop()
        self.home.start(build)
        self.plays_on()
        self.is_well()

    @task("upgrade it", "arbiter announce", "arbiter backup", "arbiter doctor", "arbiter up")
    def monday_it_is_upgraded(self):
        self.changes_to(self.build, "monday")

    @task("go back to the build before", "arbiter announce", "arbiter backup", "arbiter doctor", "arbiter up")
    def tuesday_it_goes_back(self):
        self.changes_to(self.older, "tuesday")

    @task("upgrade it", "arbiter announce", "arbiter backup", "arbiter doctor", "arbiter up")
    def tuesday_it_is_upgraded_again(self):
        self.changes_to(self.build, "tuesday-night")

    @task("carry more people, or fewer", "arbiter top", "arbiter keygen", "arbiter admit")
    def wednesday_it_gets_another_fanout(self):
        self.home.type(self.handbook.block(self.step.task, "cd ~/.local/share/arbiter"), "fanout-2")
        self.home.until("somebody reads at the other fanout", lambda: self.services().get("fanout-2", {}).get("topics"))
        self.home.until("Prometheus sees it", lambda: self.alerts.sees("fanout-2"))
        self.plays_on()

    @task("carry more people, or fewer", "arbiter top")
    def wednesday_it_has_one_fanout_again(self):
        self.home.end("fanout-2")
        self.home.until("the operator sees it no more", lambda: "fanout-2" not in self.services())
        self.plays_on()

    def services(self):
        assert "arbiter top" in self.step.typed
        return self.home.services()

    @task("make room on a full disk", "arbiter doctor", "arbiter retain")
    def thursday_its_disk_is_full(self):
        self.disk.fill()
        self.rings("ArbiterStoreFails", "ArbiterCommitsFail", may={"ArbiterFanoutBehind"})
        assert "wrong   limits    the disk of data/engine has 0 MiB free" in self.arbiter("doctor", ends=(1,))
        self.arbiter("retain", "--older", "30", "--to", self.folder / "archive", "--dry-run")
        self.disk.free()
        self.plays_on()

    @task("give it a new certificate", "arbiter reload")
    def friday_its_certificate_is_new(self):
        tab = socket_client.Player(self.home.port, tls=self.certificates.trust())
        assert "welcome" in tab.open()
        old = self.certificates.serial()
        self.certificates.renew()
        assert self.shown() == old
        self.arbiter("reload")
        self.home.until("the new one is shown", lambda: self.shown() == self.certificates.serial() != old)
        tab.send(ping={})
        assert tab.wait(lambda down: down.get("request") == tab.requests, 30) is not None, tab.heard   # Nobody is cut off.
        tab.close()
        self.plays_on()

    def shown(self):
        """The number of the certificate that the gateway shows."""
        with socket_client.socket.create_connection(("127.0.0.1", self.home.port), 10) as plain:
            with self.certificates.trust().wrap_socket(plain, server_hostname="127.0.0.1") as line:
                return line.getpeercert()["serialNumber"]

    @task("know what to do when an alert rings", "arbiter top")
    def saturday_its_watchdog_is_killed(self):
        """As often as `arbiter up` starts it, until that is noticed."""
        self.killer = threading.Event()
        thread = threading.Thread(target=self.kill_watchdogs, daemon=True)
        thread.start()
        try:
            self.rings("ArbiterWatchdogMissing")
        finally:
            self.killer.set()
            thread.join()
        self.home.until("there is one again", lambda: "watchdog-1" in self.services())
        self.home.until("the alert is silent", lambda: "ArbiterWatchdogMissing" not in self.alerts.now)
        self.plays_on()

    def kill_watchdogs(self):
        while not self.killer.wait(0.02):
            child = self.home.child("watchdog")
            if child is not None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)

    @task("back it up", "arbiter backup")
    def saturday_night_it_is_backed_up(self):
        self.kept = self.backs_up("saturday")
        self.plays_on()

    @task("try a backup beside it", "arbiter restore", "arbiter up", "arbiter doctor")
    def sunday_the_backup_runs_beside_it(self):
        there = Home(self.folder / "again", self.certificates, watched.free_port())
        there.build = self.build
        self.arbiter("restore", self.backups / "saturday", home=there)
        with there:
            there.start(self.build)   # With TLS: its settings came with it.
            said = self.arbiter("doctor", home=there, ends=(0, 1))
            assert "wrong" not in said, said
            there.stop()
        journal = oracle.Journal(there.folder / "data/engine/journal.db")
        assert len(self.kept.accepted()) > MORE * len(FLEETS)
        found = [*oracle.streams_are_whole(journal), *oracle.accepted_is_kept(self.kept, journal)]
        assert not found, list(examples(found))
        self.plays_on()

    # What is looked at meanwhile.

    def rings(self, *names, may=()):
        """All of these, within a minute and a half; and nothing else does but what `may`."""
        self.may |= {*names, *may, TOO_SHORT}
        self.home.until(f"{names} ring", lambda: self.alerts.heard >= set(names), RINGS_S)

    def accepted(self):
        """How many commands of each fleet were acknowledged so far."""
        return {name: self.record(name).read_text().count(" accepted ") for name in FLEETS}

    def record(self, name):
        return self.home.folder / "log" / f"{name}.record"

    def plays_on(self):
        before = self.accepted()
        self.home.until("everybody plays on", lambda: all(count >= before[name] + MORE for name, count in self.accepted().items()), PATIENCE_S)

    def history(self, folder=None):
        history = oracle.History()
        for name in FLEETS:
            history.read(folder / name if folder else self.record(name))
        return history

    def copies(self):
        """What has been acknowledged by now, or a little less."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        for name in FLEETS:
            shutil.copy(self.record(name), folder / name)   # It is being written.
        return self.history(folder)

    def begun(self):
        return {line.split()[2] for name in FLEETS for line in self.record(name).read_text().splitlines() if " begun " in line}

    def over(self):
        return {line.split()[2] for name in FLEETS for line in self.record(name).read_text().splitlines() if " over " in line}

    # The week.

    def run(self, step):
        """As the handbook says it; and no alert rings but those that must."""
        self.step, self.may, began = step, set(self.alerts.now), time.monotonic()
        self.alerts.heard = set()
        step(self)
        rang = self.alerts.heard - self.may
        assert not rang, f"{step.__name__}: {sorted(rang)} rang"
        heard = ", ".join(sorted(self.alerts.heard)) or "-"
        print(f"ok {time.monotonic() - began:5.0f} s  {step.__name__.replace('_', ' ')}  [{step.task}]  {heard}", flush=True)

    def admits(self):
        for name, (role, *_) in FLEETS.items():
            words = [] if role == "client" else ["--role", role]
            subprocess.run([self.older / "arbiter", "keygen", self.home.key(name), *words], check=True, capture_output=True)
            self.home.arbiter("admit", self.home.key(name), name, *words)
            self.record(name).touch()

    def play(self):
        with self.home as home, contextlib.ExitStack() as stack:
            home.start(self.older)
            self.alerts = Alerts(self.folder / "prometheus", home)
            stack.callback(self.alerts.prometheus.stop)
            self.admits()
            fleets = [stack.enter_context(fleet(Fleets(home.folder, self.build), name, *plays, self.seed)) for name, plays in FLEETS.items()]
            home.until(f"{MATCHES} matches go on", lambda: len(self.begun()) >= MATCHES, PATIENCE_S)
            home.until("Prometheus sees the house", lambda: self.alerts.sees("engine-1"))
            for step in steps():
                self.run(step)
            self.finish(fleets)
            home.stop()

    def finish(self, fleets):
        """Players stop, the operator ends what is not over, and everybody hears of it."""
        for child in fleets:
            child.terminate()
        with operator_client.open_operator(self.home) as operator:
            end = time.monotonic() + PATIENCE_S
            while any(child.poll() is None for child in fleets) and time.monotonic() < end:
                operator.abort(self.begun() - self.over())
                time.sleep(0.2)
        assert [child.poll() for child in fleets] == [0] * len(fleets), self.home.said()

    def judge(self):
        history, journal = self.history(), oracle.Journal(self.home.folder / "data/engine/journal.db")
        found = oracle.findings(history, journal)
        print(f"{len(history.accepted())} commands of {len(history.begun)} matches were acknowledged; {len(found)} things do not hold",
              *examples(found), sep="\n", flush=True)
        return not found


class Fleets:
    """What fleet() wants to know of a house."""

    def __init__(self, folder, build):
        self.folder, self.build = folder, build

    def key(self, name):
        return self.folder / "keys" / f"{name}.key"


def steps():
    return [step for step in vars(Week).values() if hasattr(step, "task")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path(os.environ.get("ARBITER_BUILD", SOURCE / ".build/release")))
    parser.add_argument("--before", type=pathlib.Path, help="the build before, if somebody has made it; else it is taken out of git")
    parser.add_argument("--keep", help="keep everything that was written in this folder")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    enter_mounts(sys.argv)
    leave_when_told()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="arbiter-week-", dir=asked.keep))
    is_good = False
    try:
        older = asked.before or before.build_before(folder, PROGRAMS, COMMIT)
        began, week = time.monotonic(), Week(folder, asked.build.resolve(), older.resolve(), asked.seed)
        week.play()
        is_good = week.judge()
        print(f"the week took {time.monotonic() - began:.0f} s", flush=True)
    finally:
        if (folder / "home/data/engine").is_mount():
            subprocess.run(["umount", folder / "home/data/engine"], check=False)
        if not asked.keep:
            shutil.rmtree(folder, ignore_errors=True)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
