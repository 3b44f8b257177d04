"""silent_test.py: `arbiter conform --live` gives a house up whose engine stands still, at the first line that costs it its
patience, and says so once."""
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

from house import House

SOURCE = pathlib.Path(__file__).resolve().parents[2]
RECORDED = sorted((SOURCE / "common/games/dead/recorded/base").glob("*.jsonl"))[:4]
SAYS = "the house has kept silent for 3 s: nothing more is asked of it"


class Silent(unittest.TestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="arbiter-silent-"))
        self.house = self.enterContext(House(os.environ["ARBITER_BUILD"], folder, {}, {"lobby": ["--allow-rigged"]}))
        self.house.wait_until_started()

    def conform(self, *more):
        return subprocess.Popen([self.house.build / "arbiter", "conform", "dead", *RECORDED, "--live", "--home",
                                 self.house.folder, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def test_a_house_that_stands_still_costs_one_patience(self):
        self.assertEqual(len(RECORDED), 4)
        run = self.conform("--patience", "3")
        acts = self.house.folder / "data/engine/journal.db-wal"
        before = acts.stat().st_size if acts.exists() else 0
        while run.poll() is None and acts.stat().st_size <= before + 65536:
            pass  # Until the first recording is played.
        self.assertTrue(self.house.send("engine", signal.SIGSTOP))
        said, complaints = run.communicate(timeout=60)
        self.house.send("engine", signal.SIGCONT)
        self.assertEqual(run.returncode, 1, complaints)
        self.assertEqual(complaints.count(SAYS), 1, complaints)
        self.assertEqual(complaints.count(".jsonl:"), 1, complaints)  # The line at which it stopped, and no other.
        self.assertEqual(said, "0 agreed, 1 disagreed, 3 not played\n")


if __name__ == "__main__":
    unittest.main()
