"""backup_test.py: a house is backed up under load; restored elsewhere nothing is missing that was acknowledged
before, every match is whole, and every match file verifies."""
import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

import oracle
from house import House, fleet

PLAYERS = [("nims", "bot", "nim", "random", 2, 12, 20, 0), ("deads", "bot", "dead", "standard", 2, 4, 20, 0)]
ENOUGH = 150          # Acknowledged commands before the backup begins.
PATIENCE_S = 60.0


class Backup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="arbiter-backup-")
        self.addCleanup(folder.cleanup)
        self.folder, self.build = pathlib.Path(folder.name), pathlib.Path(os.environ["ARBITER_BUILD"])
        (self.folder / "home").mkdir()

    def arbiter(self, *words):
        said = subprocess.run([self.build / "arbiter", *map(str, words)], capture_output=True, text=True, check=False)
        self.assertEqual(said.returncode, 0, said.stderr + said.stdout)
        return said.stdout

    def read(self, records):
        history = oracle.History()
        for record in records:
            if record.exists():
                shutil.copy(record, self.folder / "record")  # It is being written.
                history.read(self.folder / "record")
        return history

    def copy_of_a_busy_house(self):
        """What had been acknowledged when the backup began, and how much came later."""
        with contextlib.ExitStack() as stack:
            house = stack.enter_context(House(self.build, self.folder / "home", {who[0]: who[1] for who in PLAYERS}))
            house.wait_until_started()
            fleets = [stack.enter_context(fleet(house, *who, 7 + i)) for i, who in enumerate(PLAYERS)]
            records = [child.record for child in fleets]
            end = time.monotonic() + PATIENCE_S
            while len((before := self.read(records)).accepted()) < ENOUGH:
                self.assertLess(time.monotonic(), end, house.said())
                time.sleep(0.05)
            self.arbiter("backup", self.folder / "copy", "--home", self.folder / "home")
            while len(self.read(records).accepted()) == len(before.accepted()):
                self.assertLess(time.monotonic(), end, house.said())
                time.sleep(0.05)
            self.assertEqual(house.bad_ends(), {})
        return before

    def test_nothing_acknowledged_before_is_missing(self):
        before = self.copy_of_a_busy_house()
        self.arbiter("restore", self.folder / "copy", "--home", self.folder / "there")
        journal = oracle.Journal(self.folder / "there/data/engine/journal.db")
        self.assertGreaterEqual(len(before.accepted()), ENOUGH)
        self.assertEqual(list(oracle.streams_are_whole(journal)), [])
        self.assertEqual(list(oracle.accepted_is_kept(before, journal)), [])
        self.end_and_verify()

    def end_and_verify(self):
        """The restored house runs, its operator ends what goes on, and each match is a file that verifies."""
        import operator_client
        there = self.folder / "there"
        with House(self.build, self.folder / "there", {who[0]: who[1] for who in PLAYERS}) as house:
            house.wait_until_started()
            with operator_client.open_operator(house) as operator:
                end = time.monotonic() + PATIENCE_S
                while missing := self.not_over():
                    self.assertLess(time.monotonic(), end, house.said())
                    operator.abort(missing)
                    time.sleep(0.1)
            self.assertEqual(house.bad_ends(), {})
        journal = oracle.Journal(there / "data/engine/journal.db")
        for match in journal.ids:
            self.arbiter("match", "export", match, self.folder / match, "--home", there)
        said = self.arbiter("verify", *(self.folder / match for match in journal.ids))
        self.assertEqual(said.count(": holds: "), len(journal.ids))
        self.assertGreaterEqual(len(journal.ids), 16)

    def not_over(self):
        journal = oracle.Journal(self.folder / "there/data/engine/journal.db")
        return set(journal.ids) - set(journal.results)


if __name__ == "__main__":
    unittest.main()
