#!/usr/bin/python3 -B
"""chaos.py: real processes under fire: load, faults, then the oracle. README.md says what is asked.

    chaos.py check|nightly [--seed N] [--seconds N] [--build DIR] [--keep DIR] [--only services|disk]

A failure prints what does not hold, the faults in order, the ends of the logs, and the command to paste."""
import argparse
import collections
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]

# Times the engine is killed alone, seconds of all faults, mean rest between two, who plays, and acknowledged moves a second that are too few.
Plan = collections.namedtuple("Plan", "alone seconds rest fleets rate")
# Who plays: name, role of the key, game, set-up, seats, tables, milliseconds of thought before a move (at most)
# and for each wait (0: for ever).
QUICK = [("nims", "bot", "nim", "classic", 2, 22, 60, 0), ("deads", "bot", "dead", "standard", 2, 12, 60, 2000),
         ("sleepy", "bot", "nim", "random", 2, 4, 1200, 500),
         ("ada", "client", "nim", "random", 2, 1, 60, 0), ("bob", "client", "nim", "classic", 2, 1, 60, 2000)]
MANY = [*((f"nims{i}", "bot", "nim", "random", 2, 90, 1500, 0) for i in range(3)),
        *((f"deads{i}", "bot", "dead", "standard", 2, 48, 1500, 5000) for i in range(4)),
        ("sleepy", "bot", "nim", "random", 3, 30, 4000, 2000),
        *((f"person{i}", "client", "nim", "classic", 2, 1, 300, 5000) for i in range(8))]
TIERS = {"check": {"services": Plan(2, 10, 1.0, QUICK, 100), "disk": Plan(0, 5, 0.8, QUICK, 100)},
         "nightly": {"services": Plan(20, 600, 4.0, MANY, 100), "disk": Plan(0, 180, 3.0, MANY, 100)}}
# The longest sleep of a stopped process, in seconds.
PAUSE_MAX_S = {"check": 4.0, "nightly": 20.0}
SMALL_DISK = {"check": 64 << 20, "nightly": 1 << 30}
CALM_S = 2.0          # Before the first fault, and after the last one.
LIVELY_S = 30.0       # After the last fault somebody must have been acknowledged within this.


def now_ms():
    return int(time.monotonic() * 1000)


def enter_mounts(argv):
    """Starts this program again where it may mount a small disk; returns when it may, or exits."""
    if os.environ.get("CHAOS_MAY_MOUNT"):
        return
    for more in ([], ["--user", "--map-root-user"]):
        if subprocess.run(["unshare", "--mount", *more, "mount", "-t", "tmpfs", "none", tempfile.gettempdir()],
                          stderr=subprocess.DEVNULL, check=False).returncode == 0:
            os.environ["CHAOS_MAY_MOUNT"] = "1"
            os.execvp("unshare", ["unshare", "--mount", *more, sys.executable, "-B", *argv])
    sys.exit("chaos: a full disk needs a small file system, and this user may not mount one, not even in a "
             "user namespace of his own: run it as root, or --only services")


def acknowledged(records):
    """Times of acknowledged commands so far, of all fleets."""
    times = []
    for record in records:
        if record.exists():
            times += [int(line.split(" ", 1)[0]) for line in record.read_text().splitlines()
                      if " accepted " in line]
    return sorted(times)


def examples(findings):
    """Three of each sort: what differs in numbers and ids alone is one sort."""
    sorts = collections.defaultdict(list)
    for finding in findings:
        sorts[re.sub(r"\b[0-9a-f]{32}\b|\d+", "", finding)].append(finding)
    for alike in sorts.values():
        yield from alike[:3]
        if len(alike) > 3:
            yield f"... and {len(alike) - 3} more like these"


class Run:
    """One house, one plan, one seed."""

    def __init__(self, build, folder, kind, tier, seed, seconds):
        from house import House
        from nemesis import Nemesis, SmallDisk
        self.plan, self.kind, self.seed, self.folder = TIERS[tier][kind], kind, seed, folder
        self.found, disk, environment = [], None, {}
        self.seconds = seconds or self.plan.seconds
        if kind == "disk":
            (folder / "data").mkdir(mode=0o700)
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SMALL_DISK[tier]},mode=0700", "chaos",
                            folder / "data"], check=True)
            flag = folder / "sync-fails"
            disk = SmallDisk(folder / "data", flag)
            environment = {"LD_PRELOAD": str(build / "tests/process/libfailing_sync.so"),
                           "ARBITER_SYNC_FAILS": str(flag)}
        self.house = House(build, folder, {name: role for name, role, *_ in self.plan.fleets},
                           environment=environment)
        self.nemesis = Nemesis(self.house, seed, disk, PAUSE_MAX_S[tier])

    def play(self):
        from house import fleet
        with self.house, contextlib.ExitStack() as stack:
            self.house.wait_until_started()
            fleets = [stack.enter_context(fleet(self.house, *who, self.seed + i))
                      for i, who in enumerate(self.plan.fleets)]
            self.records = [child.record for child in fleets]
            self.warm_up()
            self.began_ms = now_ms()
            self.harm()
            self.nemesis.heal()
            self.healed_ms = now_ms()
            self.calm()
            self.finish(fleets)
            self.found += [f"{name} did not end well" for name in self.house.close()]
        self.found += [f"{name} ended by itself: {ends}; it said {self.house.complaints(name)}"
                       for name, ends in self.house.bad_ends().items()]

    def harm(self):
        self.nemesis.kill_engine_alone(self.plan.alone, 2.5)
        self.nemesis.run(self.seconds, self.plan.rest)

    def journal(self):
        import oracle
        return oracle.Journal(self.folder / "data/engine/journal.db")

    def where(self):
        """Words that tell `arbiter match export` where the journal is."""
        return ["--home", self.folder]

    def warm_up(self):
        """Until every table plays, and then a while: a run with little load proves little."""
        tables = sum(who[5] for who in self.plan.fleets)
        end = time.monotonic() + 60
        while len(self.begun()) < tables and time.monotonic() < end:
            time.sleep(0.2)
        if len(self.begun()) < tables:
            self.found.append(f"only {len(self.begun())} of {tables} matches began")
        time.sleep(CALM_S)
        times = acknowledged(self.records)
        self.rate = sum(time > now_ms() - 1000 * CALM_S for time in times) / CALM_S
        if self.rate < self.plan.rate:
            self.found.append(f"only {self.rate:.0f} moves a second before the first fault: the run is void")

    def calm(self):
        """Liveness: everything runs, so moves must be acknowledged again."""
        end = time.monotonic() + LIVELY_S
        while not any(time > self.healed_ms for time in acknowledged(self.records)[-50:]):
            if time.monotonic() > end:
                self.found.append(f"nobody was acknowledged within {LIVELY_S:.0f} s after the last fault")
                return
            time.sleep(0.1)
        time.sleep(CALM_S)

    def begun(self):
        return self.lines(" begun ")

    def lines(self, word):
        found = set()
        for record in self.records:
            if record.exists():
                found |= {line.split()[2] for line in record.read_text().splitlines() if word in line}
        return found

    def finish(self, fleets):
        """Players stop, the operator ends what is not over, and everybody hears of it."""
        import operator_client
        for child in fleets:
            child.terminate()
        with operator_client.open_operator(self.house) as operator:
            end = time.monotonic() + 70
            while any(child.poll() is None for child in fleets) and time.monotonic() < end:
                operator.abort(self.begun() - self.lines(" over "))
                time.sleep(0.2)

    def judge(self):
        import histories
        import oracle
        history = oracle.History()
        for record in filter(pathlib.Path.exists, self.records):
            history.read(record)
        if history.ends != len(self.records):
            self.found.append(f"{len(self.records) - history.ends} fleets did not come to an end")
        (self.folder / "log/faults").write_text("".join(f"{at} {what}\n" for at, what in self.nemesis.done))
        journal = self.journal()
        self.found += oracle.findings(history, journal)
        self.found += histories.findings(self.records, journal, self.seed, self.folder / "log/history.jsonl")
        self.found += oracle.early_answers(history, self.nemesis.unsynced_ms)
        self.verify(journal)
        self.report(history, journal)

    def verify(self, journal):
        """Each match as a file that stands for itself."""
        files, arbiter = self.folder / "files", self.house.build / "arbiter"
        files.mkdir()
        for match in journal.results:
            said = subprocess.run([arbiter, "match", "export", match, *self.where(), files / match],
                                  capture_output=True, text=True, check=False)
            if said.returncode != 0:
                self.found.append(f"arbiter match export of {match}: {said.stderr}".strip())
        said = subprocess.run([arbiter, "verify", *files.iterdir()], capture_output=True, text=True, check=False)
        holds = [line for line in said.stdout.splitlines() if ": holds: " in line]
        # Behind a file that holds, indented, whose bytes its dice were made of.
        self.found += [line for line in said.stdout.splitlines() if line not in holds and not line.startswith("  seat ")]
        self.verified = len(holds)
        if self.verified != len(journal.results):
            self.found.append(f"{self.verified} of {len(journal.results)} match files verify: {said.stderr}")

    def report(self, history, journal):
        import oracle
        accepted = history.accepted()
        waits = sorted(outcome.time - history.plays[key].time for key, outcome in accepted.items())
        unsure = sum(outcome.word == "unsure" for outcome in history.outcomes.values())
        print(f"{self.kind}, seed {self.seed}: {len(history.begun)} matches, {self.verified} files verified, "
              f"{sum(map(len, journal.acts.values()))} acts, "
              f"{sum(act.actor == 257 for acts in journal.acts.values() for act in acts.values())} of them expiries")
        print(f"  moves: {len(accepted)} acknowledged ({self.rate:.0f}/s before the first fault), "
              f"{len(history.outcomes) - len(accepted) - unsure} refused, {unsure} unsure; "
              f"answered after {oracle.share(waits, 0.5)} ms p50, {oracle.share(waits, 0.99)} ms p99")
        print(f"  faults: {len(self.nemesis.done)}; starts: " +
              ", ".join(f"{name} {service.starts}" for name, service in self.house.services.items()))
        kills, alone = self.nemesis.engine_kills_ms, set(self.nemesis.alone_ms)
        for what, counted in (("alone", alone), ("among other faults", set(kills) - alone)):
            if not counted:
                continue
            waits, cut = oracle.recoveries(history, journal, kills, counted)
            print(f"  engine killed {what} {len(counted)} times: {len(waits)} matches moved again after "
                  f"{oracle.share(waits, 0.5)} ms p50, {oracle.share(waits, 0.99)} ms p99, "
                  f"{waits[-1] if waits else None} ms at worst; {cut} were hit again meanwhile", flush=True)

    def complain(self, command):
        print(f"{len(self.found)} things do not hold:")
        for finding in examples(self.found):
            print("  " + finding)
        print("faults (ms after the first, what):")
        for at, what in self.nemesis.done:
            print(f"  {at - self.nemesis.done[0][0]:7} {what}")
        print(self.house.said())
        print(f"again: {command}", flush=True)


def run(build, kind, arguments):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="arbiter-chaos-", dir=arguments.keep))
    try:
        one = Run(build, folder, kind, arguments.tier, arguments.seed, arguments.seconds)
        one.play()
        one.judge()
        if one.found:
            one.complain(f"tests/process/chaos.py {arguments.tier} --only {kind} --seed {arguments.seed}")
        return not one.found
    finally:
        if kind == "disk" and (folder / "data").is_mount():
            subprocess.run(["umount", folder / "data"], check=False)
        if not arguments.keep:
            shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tier", choices=sorted(TIERS))
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--seconds", type=float, help="seconds in which harm is done; default: what the tier says")
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / ".build/release")
    parser.add_argument("--keep", help="keep everything that was written in this folder")
    parser.add_argument("--only", choices=("services", "disk"))
    arguments = parser.parse_args()
    if arguments.only != "services":
        enter_mounts(sys.argv)
    os.environ["ARBITER_BUILD"] = str(arguments.build.resolve())
    from house import leave_when_told
    leave_when_told()
    kinds = [arguments.only] if arguments.only else ["services", "disk"]
    is_good = [run(arguments.build.resolve(), kind, arguments) for kind in kinds]
    return 0 if all(is_good) else 1


if __name__ == "__main__":
    sys.path[:0] = [str(HERE), str(SOURCE / "tests/lib/history")]
    sys.exit(main())
