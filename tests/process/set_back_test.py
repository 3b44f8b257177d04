"""set_back_test.py: the engine's real journal is set back, or damaged in the middle, while a house plays: what was lost is
held and said, and goes on only when the operator says so."""
import contextlib
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
import unittest

import oracle
from house import House, fleet

PLAYERS = [("nims", "bot", "nim", "random", 2, 12, 20, 0)]
ENOUGH = 150  # Acknowledged commands before something is done.
PATIENCE_S = 60.0
# So long it takes at most until the engine has heard what others know; and so often the store is set back.
HELD_S, TRIES = 10, 5
HELD = re.compile(r"match ([0-9a-f]{32}) is held at act (\d+): a relay was told act (\d+)")


class SetBack(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="arbiter-set-back-")
        self.addCleanup(folder.cleanup)
        self.folder, self.build = pathlib.Path(folder.name), pathlib.Path(os.environ["ARBITER_BUILD"])
        self.home = self.folder / "home"
        self.home.mkdir()
        self.data = self.home / "data/engine"

    def arbiter(self, *words):
        return subprocess.run([self.build / "arbiter", *map(str, words)], capture_output=True, text=True, check=False)

    @contextlib.contextmanager
    def busy_house(self):
        with contextlib.ExitStack() as stack:
            self.house = stack.enter_context(House(self.build, self.home, {who[0]: who[1] for who in PLAYERS}))
            self.house.wait_until_started()
            self.fleets = [stack.enter_context(fleet(self.house, *who, 7)) for who in PLAYERS]
            self.play(ENOUGH)
            yield

    def accepted(self):
        history = oracle.History()
        for child in self.fleets:
            if child.record.exists():
                shutil.copy(child.record, self.folder / "record")  # It is being written.
                history.read(self.folder / "record")
        return len(history.accepted())

    def play(self, more):
        wanted = self.accepted() + more
        self.wait_for(lambda: self.accepted() >= wanted)

    def wait_for(self, what):
        end = time.monotonic() + PATIENCE_S
        while not (found := what()):
            self.assertLess(time.monotonic(), end, self.house.said())
            time.sleep(0.05)
        return found

    def log(self):
        return (self.home / "log/engine.log").read_text(errors="replace")

    def acts(self, match):
        with contextlib.closing(sqlite3.connect(f"file:{self.data}/journal.db?mode=ro", uri=True)) as journal:
            return journal.execute("SELECT max(number) FROM acts WHERE match_id = ?", [bytes.fromhex(match)]).fetchone()[0]

    def copy(self):
        shutil.copytree(self.data, self.folder / "older")

    def put_back(self):
        shutil.rmtree(self.data)
        shutil.copytree(self.folder / "older", self.data)

    def is_held_soon(self):
        end = time.monotonic() + HELD_S
        while not (found := HELD.search(self.log())) and time.monotonic() < end:
            time.sleep(0.05)
        return found is not None

    def set_back(self):
        """Whether a match is held. On a busy machine all that were under way may be over when the older store is put back."""
        shutil.rmtree(self.folder / "older", ignore_errors=True)
        self.house.without(["engine"], self.copy)
        self.play(ENOUGH // 5)
        self.house.without(["engine"], self.put_back)
        return self.is_held_soon()

    def test_what_was_lost_is_held_until_the_operator_gives_it_up(self):
        with self.busy_house():
            self.assertTrue(any(self.set_back() for _ in range(TRIES)), self.house.said())
            time.sleep(2.0)
            held = {match: (int(here), int(told)) for match, here, told in HELD.findall(self.log())}
            for match, (here, told) in held.items():
                self.assertLess(here, told)
                self.assertEqual(self.acts(match), here)  # Nothing came behind it.
            said = self.arbiter("doctor", "--home", self.home)
            self.assertIn("matches for inspection", said.stdout)
            match = sorted(held)[0]
            said = self.arbiter("match", "accept", match, "--home", self.home)
            self.assertEqual(said.returncode, 0, said.stderr)
            self.wait_for(lambda: f"match {match} is released at act {held[match][0]}" in self.log())

    def damage(self):
        log = self.data / "journal.db-wal"
        whole = log.read_bytes()
        middle = len(whole) // 2
        log.write_bytes(whole[:middle] + bytes(byte ^ 0x55 for byte in whole[middle:middle + 64]) + whole[middle + 64:])

    def test_a_log_damaged_in_the_middle_is_not_opened_before_it_is_cut(self):
        with self.busy_house():
            self.house.without(["engine"], self.damage)
            self.wait_for(lambda: "journal.db-wal is damaged at byte" in self.log())
            self.assertIn("whole frames stand behind it", self.log())
            said = self.arbiter("doctor", "--home", self.home)
            self.assertIn("journal.db-wal is damaged at byte", said.stdout)
            said = self.arbiter("backup", self.folder / "copy", "--home", self.home)
            self.assertIn("is damaged at byte", said.stderr)
            self.assertFalse(self.house.has_started("engine"))
            said = self.arbiter("store", "cut", self.data / "journal.db-wal")
            self.assertEqual(said.returncode, 0, said.stderr)
            self.assertIn("whole frames were given up", said.stdout)
            self.assertTrue((self.data / "journal.db-wal.damaged").exists())
            self.wait_for(lambda: HELD.search(self.log()))  # Relays remember what was cut off.


if __name__ == "__main__":
    unittest.main()
