"""run.py: the browser tests of these files in one process, with one house and one browser: run.py nim quests."""
import importlib
import sys
import unittest

import harness


def main(names):
    tests = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(f"{name}_browser")) for name in names)
    try:
        result = unittest.TextTestRunner(verbosity=2).run(tests)
    finally:
        harness.SHARED.close()
    return 0 if result.testsRun > 0 and result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
