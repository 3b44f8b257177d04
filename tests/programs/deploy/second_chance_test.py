"""second_chance_test.py: what failed among other tests and passes alone is no failure, and is named; what fails again stays one."""
import contextlib
import io
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(os.environ["ARBITER_SOURCE"]) / "deploy" / "lib"))
import junit  # noqa: E402


class SecondChance(unittest.TestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="arbiter-junit-"))
        self.first, self.alone = (pathlib.Path(folder) / f"{name}.xml" for name in ("suite", "suite.alone"))
        for name, status in (("sound", 0), ("shaky", 1), ("broken", 1)):
            self.say("case", self.first, name, status, 2)

    def say(self, *words):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            status = junit.main([str(word) for word in words])
        return status, out.getvalue().split("\n")[:-1]

    def test_only_what_fails_again_stays_a_failure(self):
        self.assertEqual(self.say("failed", self.first), (0, ["shaky", "broken"]))
        self.say("case", self.alone, "shaky", 0, 1)
        self.say("case", self.alone, "broken", 1, 1)
        self.assertEqual(self.say("again", self.first, self.alone), (1, []))
        self.assertEqual(self.say("failed", self.first), (0, ["broken"]))
        self.assertEqual(self.say("unsteady", self.first), (0, ["shaky"]))
        self.assertEqual(self.say("close", self.first, "suite", 1, 9), (0, ["2 1", "broken"]))

    def test_what_was_not_run_again_stays_a_failure(self):
        self.say("case", self.alone, "shaky", 0, 1)
        self.assertEqual(self.say("again", self.first, self.alone), (1, []))
        self.assertEqual(self.say("failed", self.first), (0, ["broken"]))

    def test_without_results_nothing_is_forgiven(self):
        self.assertEqual(self.say("again", self.first, self.alone), (1, []))
        self.assertEqual(self.say("failed", self.first), (0, ["shaky", "broken"]))

    def test_all_that_pass_alone_are_named(self):
        for name in ("shaky", "broken"):
            self.say("case", self.alone, name, 0, 1)
        self.assertEqual(self.say("again", self.first, self.alone), (0, []))
        self.assertEqual(self.say("unsteady", self.first), (0, ["shaky", "broken"]))
        self.assertEqual(self.say("close", self.first, "suite", 0, 9), (0, ["3 0", ""]))


if __name__ == "__main__":
    unittest.main()
