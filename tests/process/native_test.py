"""native_test.py: a program written with CZMQ from proto/ alone (native/) plays a whole match, and we read the same acts."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "common/client/python"))

import arbiter  # noqa: E402

from house import House  # noqa: E402

PATIENCE_S = 60.0


class Native(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="arbiter-native-")))
        self.build = pathlib.Path(os.environ["ARBITER_BUILD"])
        self.house = self.enterContext(House(self.build, self.folder, {"nora": "client", "eve": "client"},
                                             settings={"bot": ["--think-ms", "20"]}, others=("bot",)))
        self.house.wait_until_started()
        self.doors = (self.folder / "run/doors").read_text().split()

    def play(self, key, status=0):
        lobby, _, lobby_key = self.doors
        played = subprocess.run([self.build / "tests/process/native_peer", lobby, lobby_key, self.house.key(key), "nora"],
                                capture_output=True, text=True, check=False, timeout=PATIENCE_S)
        self.assertEqual(played.returncode, status, played.stdout + played.stderr + self.house.said(4))
        return played

    def test_a_match_is_played_by_who_has_nothing_but_the_protocol(self):
        told = re.fullmatch(r"match ([0-9a-f]{32}): (\d+) acts, (\d+) live, (\d+) fetched, (won|lost), chain ([0-9a-f]{64})\n",
                            self.play("nora").stdout)
        self.assertIsNotNone(told)
        match_id, chain = bytes.fromhex(told[1]), bytes.fromhex(told[6])
        acts, live, fetched = (int(told[i]) for i in (2, 3, 4))
        self.assertEqual(acts, live + fetched)
        self.assertGreater(live, 0)
        # Its dice (commitment, hash, bytes), the start, and at least three moves.
        self.assertGreaterEqual(acts, 7)
        with arbiter.Client(*self.doors, key_file=self.house.key("eve"), name="eve") as eve:
            eve.attach(match_id)
            attached = next(event for event in eve.events(timeout_ms=1000 * PATIENCE_S) if event.kind == "attached")
        self.assertEqual((attached.number, attached.message.chain, attached.message.over), (acts, chain, True))
        self.assertEqual(attached.view.winners, [0] if told[5] == "won" else [1])
        self.assertEqual(self.house.bad_ends(), {})


if __name__ == "__main__":
    unittest.main()
