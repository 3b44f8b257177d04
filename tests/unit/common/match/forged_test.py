"""forged_test.py: the verifiers in C and in Python refuse every forged history of dice, and take the genuine match."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import forged_dice  # noqa: E402
from arbiter import matchfile  # noqa: E402

ARBITER = pathlib.Path(os.environ["ARBITER_BUILD"]) / "arbiter"
# What is found before anybody looks at dice: then the forger was clumsy.
CLUMSY = ("damaged", "is cut", "ends in the middle", "no record", "cannot be read", "wrong order")


def verify(path):
    said = subprocess.run([ARBITER, "verify", path], capture_output=True, text=True)
    return said.returncode, said.stdout


class Forged(unittest.TestCase):
    def test_the_files_are_what_the_forger_makes(self):
        made = {f"{name}.match": data for name, data in forged_dice.forged()}
        self.assertEqual(sorted(made), sorted(path.name for path in forged_dice.FOLDER.iterdir()))
        self.assertGreaterEqual(len(made), 20)
        for name, data in made.items():
            self.assertEqual((forged_dice.FOLDER / name).read_bytes(), data, name)

    def test_the_genuine_match_holds_and_says_whose_bytes_were_in(self):
        file, told, _ = matchfile.judge(forged_dice.GENUINE.read_bytes())
        whose = [matchfile.bytes_of(file, told, seat) for seat in range(3)]
        self.assertEqual(whose, ["its own bytes", "a gateway's bytes, withheld", "gives no bytes"])
        code, said = verify(forged_dice.GENUINE)
        self.assertEqual(code, 0, said)
        for seat, words in enumerate(whose):
            self.assertIn(f"  seat {seat}: {words}\n", said)

    def test_nothing_but_the_change_is_wrong_with_a_forged_file(self):
        forgery = forged_dice.Forgery()
        forgery.mend()
        self.assertEqual(forgery.write(), forged_dice.GENUINE.read_bytes())

    def test_python_refuses_each(self):
        for path in sorted(forged_dice.FOLDER.iterdir()):
            with self.subTest(path=path.name), self.assertRaises(matchfile.Forged) as found:
                matchfile.judge(path.read_bytes())
            self.assertFalse(any(words in str(found.exception) for words in CLUMSY), found.exception)

    def test_c_refuses_each(self):
        for path in sorted(forged_dice.FOLDER.iterdir()):
            with self.subTest(path=path.name):
                code, said = verify(path)
                self.assertEqual(code, 1, said)
                self.assertFalse(any(words in said for words in CLUMSY), said)

    def test_matches_of_before_hold_as_before(self):
        for name, whose in (("nim-house", ["the house's bytes", "the house's bytes, withheld", "gives no bytes"]),
                            ("nim-hosted", ["gives no bytes"] * 3), ("nim-open", None)):
            path = forged_dice.HERE / f"{name}.match"
            file, told, _ = matchfile.judge(path.read_bytes())
            code, said = verify(path)
            self.assertEqual(code, 0, said)
            for seat, words in enumerate(whose or []):
                self.assertEqual(matchfile.bytes_of(file, told, seat), words)
                self.assertIn(f"  seat {seat}: {words}\n", said)

    def test_a_file_that_is_none_is_refused_in_words(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"arbiter match 1\n\x00\x00\x00\x02nonsense\xff\xff")
            file.flush()
            self.assertEqual(matchfile.main([file.name]), 1)


if __name__ == "__main__":
    unittest.main()
