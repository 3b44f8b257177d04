#!/usr/bin/python3
"""Runs the suite at a server: run.py HOST:PORT START [TOPIC...]. START is the command that starts it.

In START are {port}, {config}, {seed}, {timeout} and {edition}. The first test that fails ends the run. It ends with 0
if all pass.
"""
import os
import sys
import unittest

import table

TOPICS = ("rules", "order", "dice", "audience", "validation", "clock")


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__)
        return 2
    table.AT, table.START = sys.argv[1:3]
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    tests = unittest.defaultTestLoader.loadTestsFromNames([f"test_{topic}" for topic in sys.argv[3:] or TOPICS])
    return 0 if unittest.TextTestRunner(failfast=True, verbosity=2).run(tests).wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
