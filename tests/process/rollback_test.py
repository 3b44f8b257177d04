"""rollback_test.py: a house is upgraded, goes back to the build before, and is upgraded again, with matches under way: nothing that was
acknowledged is lost, and what only the newer build knows is still there in the end. Players stay as they are.

Where there is no repository the test is skipped; in one whose history does not reach back to the build before it fails.
"""
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

import before
import operator_client
import oracle
from house import House, fleet

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
PATIENCE_S = 300
# name: role, and what the fleet plays: game, set-up, seats, tables, how long it thinks, and has, in ms.
FLEETS = {"nims": ("bot", "nim", "classic", 2, 12, 100, 0), "deads": ("bot", "dead", "standard", 2, 8, 100, 2000),
          "gus": ("client", "nim", "classic", 2, 1, 100, 2000)}
MORE = 40  # Commands of each fleet that every build has to answer.


@unittest.skipUnless((SOURCE / ".git").exists(), "this tree is no git repository: there is no build before to take out")
class Rollback(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="arbiter-rollback-")))
        self.home = self.folder / "home"
        self.home.mkdir()

    def accepted(self):
        """How many commands of each fleet were acknowledged so far."""
        counts = {}
        for name in FLEETS:
            counts[name] = (self.home / "log" / f"{name}.record").read_text().count(" accepted ")
        return counts

    def plays_on(self, house):
        """Until each fleet was told so often that a command of its was done, by the services that run now."""
        before, end = self.accepted(), time.monotonic() + PATIENCE_S
        while any(self.accepted()[name] < count + MORE for name, count in before.items()):
            self.assertLess(time.monotonic(), end, (before, self.accepted(), house.said(6)))
            time.sleep(0.2)

    @contextlib.contextmanager
    def house(self, build):
        house = House(build, self.home, {name: plays[0] for name, plays in FLEETS.items()})
        with house:
            house.wait_until_started()
            yield house
            self.assertEqual(house.bad_ends(), {})

    def arbiter(self, *words):
        said = subprocess.run([BUILD / "arbiter", *words, "--home", self.home], capture_output=True, text=True, check=False)
        self.assertEqual(said.returncode, 0, said.stderr)
        return said.stdout

    def make_helper(self):
        self.eve = subprocess.run([BUILD / "arbiter", "keygen", self.folder / "eve"], capture_output=True, text=True,
                                  check=True).stdout.strip()
        self.arbiter("admit", self.eve, "eve", "--role", "helper")

    def deeds(self, *words):
        return [(one["deed"], one.get("admitted_name")) for one in json.loads(self.arbiter("audit", "--json", *words))]

    def test_matches_go_on_through_an_upgrade_and_back_and_again(self):
        older = before.build_before(self.folder, [*(f"arbiter-{name}" for name in ("lobby", "engine", "fanout", "watchdog")), "fleet"])
        (self.home / "log").mkdir()
        for name in FLEETS:
            (self.home / "log" / f"{name}.record").touch()
        with contextlib.ExitStack() as fleets:
            with self.house(older) as house:
                children = [fleets.enter_context(fleet(house, name, *plays, 1)) for name, plays in FLEETS.items()]
                self.plays_on(house)
            with self.house(BUILD) as house:  # Upgraded ...
                self.plays_on(house)
                self.make_helper()
                self.assertEqual(self.deeds(), [("admit", "eve")])
            with self.house(older) as house:  # ... gone back ...
                self.plays_on(house)
            with self.house(BUILD) as house:  # ... and upgraded again.
                self.plays_on(house)
                self.assertEqual(self.deeds("--key", self.folder / "eve"), [("admit", "eve")])
                self.finish(house, children)
        self.judge()

    def words_of(self, word):
        """The matches of which the fleets wrote this down."""
        lines = [line for name in FLEETS for line in (self.home / "log" / f"{name}.record").read_text().splitlines()]
        return {line.split()[2] for line in lines if word in line}

    def finish(self, house, children):
        """Players stop, the operator ends what is not over, and everybody hears of it."""
        for child in children:
            child.send_signal(signal.SIGTERM)
        with operator_client.open_operator(house) as operator:
            end = time.monotonic() + PATIENCE_S
            while any(child.poll() is None for child in children) and time.monotonic() < end:
                operator.abort(self.words_of(" begun ") - self.words_of(" over "))
                time.sleep(0.2)
        self.assertEqual([child.poll() for child in children], [0] * len(children), house.said(6))

    def judge(self):
        history = oracle.History()
        for name in FLEETS:
            history.read(self.home / "log" / f"{name}.record")
        journal = oracle.Journal(self.home / "data/engine/journal.db")
        self.assertGreater(len(history.begun), len(FLEETS))
        self.assertEqual(oracle.findings(history, journal), [])


if __name__ == "__main__":
    unittest.main()
