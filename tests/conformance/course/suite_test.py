"""The students' suite of the dead finds nothing wrong with right servers, and finds the wrong ones.

By day it plays one topic. By night (ARBITER_GAMES is set) it plays all of them, at our server too, and at each wrong
one.
"""
import json
import os
import shlex
import subprocess
import unittest

import doors
from wrong import PLANTED
from wrong.points import free_port, start_of

IS_NIGHT = "ARBITER_GAMES" in os.environ
RUN = [doors.PYTHON, "-B", os.path.join(doors.COURSE, "suite", "run.py")]
DEADLINE_S = 1800
CLOCKS_SHARE = 4 / 5  # Of the wrong clocks; a busy machine may hide one. The suite must find all others.


def suite(start, *topics):
    """(exit code, what it said)"""
    ended = subprocess.run([*RUN, f"127.0.0.1:{free_port()}", shlex.join(start), *topics], capture_output=True,
                           text=True, timeout=DEADLINE_S, check=False)
    return ended.returncode, ended.stdout + ended.stderr


class Suite(unittest.TestCase):
    def passes(self, start, *topics):
        code, said = suite(start, *topics)
        self.assertEqual(code, 0, said)

    def test_the_second_implementation_passes(self):
        self.passes(start_of("right"), *([] if IS_NIGHT else ["validation"]))

    def test_it_names_what_is_wrong(self):
        code, said = suite(start_of("one-too-many"), "validation")
        self.assertEqual(code, 1, said)
        self.assertIn("FAIL: test_a_full_location", said)

    def by_night_our_server_passes(self):
        self.passes(doors.HOUSE)

    def by_night_it_finds_the_wrong_servers(self):
        words = [doors.PYTHON, "-B", os.path.join(doors.COURSE, "arbiter-wrong"), "--json", "--points",
                 shlex.join(RUN) + " {at} {start}"]
        result = json.loads(subprocess.run(words, capture_output=True, text=True, timeout=2 * DEADLINE_S,
                                           check=False).stdout)
        self.assertEqual((result["right"], result["found"].keys()), (0, PLANTED.keys()), result)
        clocks = {name for name, one in PLANTED.items() if one.topic == "clock"}
        missed = {name for name, is_found in result["found"].items() if not is_found}
        self.assertEqual(missed - clocks, set(), result)
        self.assertGreaterEqual(len(clocks - missed), CLOCKS_SHARE * len(clocks), result)
        print(json.dumps(result))


def load_tests(loader, _tests, _pattern):
    suites = [loader.loadTestsFromTestCase(Suite)]
    if IS_NIGHT:
        loader.testMethodPrefix = "by_night_"
        suites.append(loader.loadTestsFromTestCase(Suite))
    return unittest.TestSuite(suites)


if __name__ == "__main__":
    unittest.main()
