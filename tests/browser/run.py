"""run.py: the browser tests of these files in one process, with one house and one browser: run.py nim quests."""
import argparse
import importlib
import pathlib
import sys
import unittest

import harness


def main():
    known = sorted(path.stem.removesuffix("_browser") for path in pathlib.Path(__file__).parent.glob("*_browser.py"))
    parser = argparse.ArgumentParser(description="Runs browser tests in one process, with one house and one browser. ARBITER_BUILD names the build folder "
                                     "with the programs (.build/release); pictures lie in its browser/.")
    parser.add_argument("name", nargs="+", choices=known, help=f"Files to run: {', '.join(known)}.", metavar="NAME")
    parser.add_argument("-k", action="append", metavar="WORDS", help="Only tests whose name has these words.")
    said = parser.parse_args()
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{words}*" for words in said.k] if said.k else None
    tests = unittest.TestSuite(loader.loadTestsFromModule(importlib.import_module(f"{name}_browser")) for name in said.name)
    try:
        result = unittest.TextTestRunner(verbosity=2).run(tests)
    finally:
        harness.SHARED.close()
    return 0 if result.testsRun > 0 and result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
