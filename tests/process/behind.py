#!/usr/bin/python3 -B
"""behind.py: a standby is promoted that lacks the primary's last commits: what went back is held, said, and served to nobody.

    behind.py [--seed N] [--build DIR] [--keep DIR]

Two engines share an asynchronous primary. Its standby is away while people play on; then the primary dies, and the standby takes its
place. Of each match that was told further than the standby knows, nobody may hear another act, until the operator gives the lost
ones up; matches that lost nothing go on."""
import argparse
import collections
import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
sys.path.insert(0, str(HERE))

import chaos  # noqa: E402
import oracle  # noqa: E402
from database import SETTINGS, Pair  # noqa: E402
from house import House, fleet, leave_when_told  # noqa: E402

ENGINES = ("engine", "engine2")
# Those who are quick lose acts, those who think long may lose none.
PLAYERS = [("nims", "bot", "nim", "random", 2, 10, 400, 0), ("deads", "bot", "dead", "standard", 2, 8, 400, 0),
           ("sleepy", "bot", "nim", "random", 3, 12, 60000, 0)]
ENOUGH, LOST = 150, 60    # Acknowledged commands before, and while the standby is away.
PATIENCE_S = 60.0
HELD = re.compile(r"match ([0-9a-f]{32}) is held at act (\d+): a (?:relay|bot|gateway) was told act (\d+)")
GONE = re.compile(r"match ([0-9a-f]{32}) .*acts of it, and it is not there")


def slot_of(match):
    """As proto/README.md says."""
    number = 2166136261
    for byte in bytes.fromhex(match):
        number = (number ^ byte) * 16777619 & 0xffffffff
    number ^= number >> 16
    return (number ^ number >> 8) & 255


class Behind:
    """A house whose store goes back. Use it in a `with`."""

    def __init__(self, build, folder, seed):
        self.build, self.folder, self.seed = build, folder, seed
        self.pair = Pair(folder / "db", is_synchronous=False)
        self.house = House(build, folder, {name: role for name, role, *_ in PLAYERS}, store=self.pair.place,
                           more={name: "engine" for name in ENGINES})

    def history(self):
        """What players know by now; a record that is being written is read as far as it goes."""
        history = oracle.History()
        for child in self.fleets:
            if child.record.exists():
                history.read(child.record)
        return history

    def wait_for(self, what, asked, patience=PATIENCE_S):
        end = time.monotonic() + patience
        while not (found := asked()):
            if time.monotonic() > end:
                raise AssertionError(f"within {patience:.0f} s {what} did not come to be; not held (known, told): {self.unsaid()}, slots {self.slots()}\n{self.house.said()}")
            time.sleep(0.1)
        return found

    def play(self, more):
        wanted = len(self.history().accepted()) + more
        self.wait_for(f"{more} more moves", lambda: len(self.history().accepted()) >= wanted)

    def log(self):
        return "".join((self.folder / "log" / f"{name}.log").read_text(errors="replace") for name in ENGINES)

    @staticmethod
    def told(history):
        """Match -> the last act that anybody was told or given for an answer."""
        last = collections.Counter()
        for (match, _), acts in history.told.items():
            last[match] = max([last[match], *(act.number for act in acts)])
        for (match, _, _), outcome in history.accepted().items():
            last[match] = max(last[match], outcome.act)
        return last

    def fall_behind(self):
        """The standby is away, everybody plays on, and then it is all there is."""
        self.pair.second.stop(signal.SIGINT)
        self.play(LOST)
        self.house.starved_until = float("inf")
        self.pair.first.stop(signal.SIGKILL)
        time.sleep(0.5)   # What was told is with the players and relays.
        self.before = self.history()
        self.pair.second.start(*SETTINGS)
        self.known = {row[0]: int(row[1]) for row in self.pair.second.ask(
            "SELECT encode(match_id, 'hex'), max(number) FROM journal.acts GROUP BY match_id")}
        self.pair.second.promote()
        self.pair.newest = self.pair.second
        self.house.starved_until = 0.0
        told = self.told(self.before)
        over = {match for match, _ in self.before.over}
        self.lost = {match: number for match, number in told.items() if number > self.known.get(match, 0)}
        self.whole = set(told) - set(self.lost) - over
        return f"{len(self.lost)} of {len(told)} matches went back, {sum(match not in self.known for match in self.lost)} of them vanished"

    def held(self):
        log = self.log()
        return {match: (int(here), int(there)) for match, here, there in HELD.findall(log)}

    def findings(self):
        """What was told of one number is one act, and of what went back there is no more."""
        history, acts = self.history(), {}
        for (match, seat), told in history.told.items():
            for act in told:
                if acts.setdefault((match, act.number), (act.actor, act.hash)) != (act.actor, act.hash):
                    yield f"seat {seat} of {match} was told another act {act.number} than others were"
        for match in self.lost:
            now = self.told(history)[match]
            if now > self.lost[match] and match not in self.accepted:
                yield f"{match} went back and was told on, up to act {now}: it had been told {self.lost[match]}"
        for match, count, last in self.pair.newest.ask("SELECT encode(match_id, 'hex'), count(*), max(number) FROM journal.acts "
                                                       "GROUP BY match_id HAVING count(*) <> max(number)"):
            yield f"the journal has {count} acts of {match}, and the last is {last}"

    def arbiter(self, *words):
        said = subprocess.run([self.build / "arbiter", *map(str, words), "--home", self.folder], capture_output=True, text=True, check=False)
        if said.returncode != 0:
            raise AssertionError(f"arbiter {' '.join(words)}: {said.stdout}{said.stderr}")
        return said.stdout

    def all_are_said(self):
        """Of each match that went back the operator reads where it stands, or that it is gone."""
        return not self.unsaid()

    def slots(self):
        return {match[:8]: (slot_of(match), self.pair.newest.ask(f"SELECT epoch, engine FROM leases.leases WHERE slot = {slot_of(match)}"),
                            self.pair.newest.ask(f"SELECT epoch FROM journal.slots WHERE slot = {slot_of(match)}")) for match in self.unsaid()}

    def unsaid(self):
        return {match: (self.known.get(match), number) for match, number in self.lost.items()
                if match not in self.held() and match not in GONE.findall(self.log())}

    def others_go_on(self):
        return any(outcome.time > self.promoted_ms and match in self.whole
                   for (match, _, _), outcome in self.history().accepted().items())

    def operate(self):
        """As deploy/README.md says: one is accepted, one ends, and one that is gone leaves its table."""
        held = sorted(match for match in self.lost if match in self.held())
        gone = sorted(set(self.lost) & set(GONE.findall(self.log())))
        accepted, aborted = held[:2]
        self.accepted.add(accepted)
        self.arbiter("match", "accept", accepted)
        self.wait_for("that it is released", lambda: f"match {accepted} is released at act {self.held()[accepted][0]}" in self.log())
        self.arbiter("match", "abort", aborted)
        self.wait_for("its result", lambda: self.pair.newest.ask(f"SELECT count(*) FROM journal.results WHERE match_id = '\\x{aborted}'") == [["1"]])
        if gone:
            self.arbiter("match", "abort", gone[0])
        return f"accepted 1, ended 1, and {min(1, len(gone))} of those that are gone"

    def run(self):
        with self.pair, self.house, contextlib.ExitStack() as stack:
            self.house.wait_until_started()
            self.fleets = [stack.enter_context(fleet(self.house, *who, self.seed + i)) for i, who in enumerate(PLAYERS)]
            self.accepted = set()
            self.play(ENOUGH)
            print(f"  {self.fall_behind()}", flush=True)
            self.promoted_ms = chaos.now_ms()
            self.wait_for("that others go on", self.others_go_on)
            self.wait_for("that all are held, or said to be gone", self.all_are_said)
            print(f"  {len(set(self.lost) & set(self.held()))} are held and {len(set(self.lost) & set(GONE.findall(self.log())))} are said to be gone", flush=True)
            print(f"  the operator {self.operate()}", flush=True)
            return list(self.findings())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / ".build/release")
    parser.add_argument("--keep", help="keep everything that was written in this folder")
    arguments = parser.parse_args()
    leave_when_told()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="arbiter-behind-", dir=arguments.keep))
    os.chmod(folder, 0o711)   # PostgreSQL runs as another user below it.
    print(f"behind.py --seed {arguments.seed}", flush=True)
    try:
        found = Behind(arguments.build.resolve(), folder, arguments.seed).run()
    except AssertionError as fault:
        found = [str(fault)]
    finally:
        if not arguments.keep:
            shutil.rmtree(folder)
    print("\n".join([*chaos.examples(found), f"{len(found)} things do not hold; again: tests/process/behind.py --seed {arguments.seed}" if found else
                     "what went back was held and said, and nothing else"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
