"""`arbiter judge` gives full marks to right servers of the dead, and finds the wrong ones.

By day it judges a few. By night (ARBITER_GAMES is set) it plays so many games with each of both right servers, and at
most 200 with each wrong one.
"""
import json
import os
import shlex
import subprocess
import unittest

import doors
from wrong import PLANTED
from wrong.points import start_of

GAMES = int(os.environ.get("ARBITER_GAMES", 0))
GAMES_MOST = 200
DEADLINE_S = 4 * 3600


def judge(start, *words):
    return subprocess.run([doors.ARBITER, "judge", "dead", "--start", shlex.join(start), *map(str, words)],
                          capture_output=True, text=True, timeout=DEADLINE_S, check=False)


class Judge(unittest.TestCase):
    def assert_full_marks(self, start, *words):
        ended = judge(start, "--json", *words)
        found = json.loads(ended.stdout)
        differing = [check for check in found["checks"] if check["state"] != "passed"]
        self.assertEqual((ended.returncode, found["points"]), (0, found["of"]), differing)
        return found

    def points(self, *more):
        """What the wrong servers' own counting says of the judge, which is a suite of tests, too."""
        suite = shlex.join([doors.ARBITER, "judge", "dead", "--games", str(GAMES_MOST), "--stop-after", "1", "--start"])
        words = [doors.PYTHON, "-B", os.path.join(doors.COURSE, "arbiter-wrong"), "--json", "--limit", str(DEADLINE_S),
                 "--points", suite + " {start}", *more]
        ended = subprocess.run(words, capture_output=True, text=True, timeout=DEADLINE_S, check=False)
        return json.loads(ended.stdout)

    def test_the_second_implementation_gets_full_marks(self):
        found = self.assert_full_marks(start_of("right"), "--games", 3, "--topics", "rules,order,dice,audience")
        self.assertEqual(found["of"], 70)

    def test_it_finds_a_wrong_server_and_says_of_which_topic(self):
        ended = judge(start_of("pool-as-it-was"), "--games", 5, "--stop-after", 1, "--topics", "rules,order,dice,audience")
        self.assertEqual(ended.returncode, 1, ended.stdout + ended.stderr)
        self.assertIn("topic:     Dice and shuffled decks\n", ended.stdout)

    def by_night_both_right_servers_get_full_marks(self):
        for start in (start_of("right"), doors.HOUSE):
            found = self.assert_full_marks(start, "--games", GAMES, "--patience", 30)
            self.assertEqual(found["of"], 100)

    def by_night_it_finds_every_wrong_server(self):
        result = self.points()
        self.assertEqual(result["right"], 0, result)
        self.assertEqual({name for name, is_found in result["found"].items() if not is_found}, set(), result)
        self.assertEqual(result["found"].keys(), PLANTED.keys())


def load_tests(loader, _tests, _pattern):
    suites = [loader.loadTestsFromTestCase(Judge)]
    if GAMES:
        loader.testMethodPrefix = "by_night_"
        suites.append(loader.loadTestsFromTestCase(Judge))
    return unittest.TestSuite(suites)


if __name__ == "__main__":
    unittest.main()
