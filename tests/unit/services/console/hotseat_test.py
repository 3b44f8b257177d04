"""hotseat_test.py: the hot seat against the recordings of the course's text interface, byte for byte."""
import os
import pathlib
import subprocess
import unittest

BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
ROOT = pathlib.Path(os.environ["ARBITER_SOURCE"])
RECORDED = ROOT / "common/games/quests/recorded/hotseat"


def arbiter(*words, typed=b""):
    """What `arbiter hotseat` says to these lines, and how it ends."""
    run = subprocess.run([BUILD / "arbiter", "hotseat", *words], input=typed, capture_output=True,
                         timeout=60, env={**os.environ, "ARBITER_CONFIGS": str(ROOT / "configs")})
    return run.returncode, run.stdout, run.stderr


class HotSeat(unittest.TestCase):
    def test_every_recorded_evening_is_the_same_byte_for_byte(self):
        evenings = sorted(RECORDED.glob("*.in"))
        self.assertEqual(len(evenings), 60)
        for evening in evenings:
            with self.subTest(evening.stem):
                status, said, _ = arbiter("quests", "--config", evening.with_suffix(".json"),
                                          typed=evening.read_bytes())
                self.assertEqual(said.decode(), evening.with_suffix(".out").read_text())
                self.assertEqual(status, int(evening.with_suffix(".status").read_text()))

    def test_a_seed_on_the_command_line_comes_before_the_set_ups(self):
        evening = RECORDED / "deal_seed_1.json"
        recorded = arbiter("quests", "--config", evening)[1]
        self.assertEqual(arbiter("quests", "--config", evening, "--seed", "1")[1], recorded)
        self.assertNotEqual(arbiter("quests", "--config", evening, "--seed", "-1")[1], recorded)

    def test_without_a_seed_each_evening_is_another(self):
        self.assertNotEqual(arbiter("quests")[1], arbiter("quests")[1])

    def test_what_is_no_seed_and_no_game_for_one_terminal_is_said(self):
        for words, said in ((("quests", "--seed", "1x"), b"--seed"), (("quests", "--seed", ""), b"--seed"),
                            (("nim",), b"one terminal")):
            status, out, complaint = arbiter(*words)
            self.assertEqual((status, out), (2, b""))
            self.assertIn(said, complaint)

    def test_a_line_without_an_end_counts_and_a_nul_is_no_answer(self):
        evening = RECORDED / "text_invalid_words.json"
        _, said, _ = arbiter("quests", "--config", evening, typed=b"n\0\nn")
        self.assertIn(b"Invalid input\n", said)
        self.assertEqual(said.count(b"do you sponsor"), 2)
        self.assertTrue(said.endswith(b"press <return> to leave the hot seat\nEnd of input\n"), said)


if __name__ == "__main__":
    unittest.main()
