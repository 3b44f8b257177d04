"""flapping_test.py: the one fanout is killed every half second, and nobody loses a turn by it."""
import os
import pathlib
import signal
import tempfile
import time
import unittest

from house import House, fleet
import oracle

TABLES, THINK_MS, TURN_MS, SECONDS = 12, 1000, 3000, 40.0
TIME = 257  # The actor of an act by which somebody's time ran out.


class Flapping(unittest.TestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="arbiter-flapping-"))
        self.house = self.enterContext(House(os.environ["ARBITER_BUILD"], folder, {"players": "bot"}))
        self.house.wait_until_started()

    def test_nobody_loses_a_turn(self):
        with fleet(self.house, "players", "bot", "nim", "classic", 2, TABLES, THINK_MS, TURN_MS, 7) as players:
            end = time.monotonic() + SECONDS
            while time.monotonic() < end:
                self.assertIsNone(players.poll(), self.house.said())
                self.house.send("fanout", signal.SIGKILL)
                time.sleep(0.5)
        journal = oracle.Journal(pathlib.Path(self.house.folder) / "data/engine/journal.db")
        acts = [act for match in journal.acts.values() for act in match.values()]
        late = sum(act.actor == TIME for act in acts)
        print(f"{len(acts)} acts, {self.house.services['fanout'].starts} fanouts, {late} turns lost")
        self.assertGreater(self.house.services["fanout"].starts, SECONDS / 2)
        self.assertGreater(len(acts), TABLES * SECONDS / (TURN_MS / 1000))
        self.assertEqual(late, 0)


if __name__ == "__main__":
    unittest.main()
