"""run.py: the browser tests of these files in one process, with one house and one browser: run.py nim quests."""
import argparse
import fcntl
import importlib
import pathlib
import sys
import time
import unittest

import harness

sys.path.insert(0, str(harness.SOURCE / "deploy" / "lib"))
import junit  # noqa: E402

# How it ends when tests failed, and nothing worse happened.
TESTS_FAILED = 4
KNOWN = sorted(path.stem.removesuffix("_browser") for path in pathlib.Path(__file__).parent.glob("*_browser.py"))


def read_options():
    parser = argparse.ArgumentParser(description="Runs browser tests in one process, with one house and one browser. ARBITER_BUILD names the build folder "
                                     "with the programs (.build/release); pictures lie in its browser/.")
    parser.add_argument("name", nargs="*", help=f"Files to run: {', '.join(KNOWN)}; or one test: watch_browser.Watch.test_NAME.", metavar="NAME")
    parser.add_argument("-k", action="append", metavar="WORDS", help="Only tests whose name has these words.")
    parser.add_argument("--results", metavar="FILE", help="Add a case for each test to this file of JUnit.")
    said = parser.parse_args()
    unknown = [name for name in said.name if name.split(".")[0].removesuffix("_browser") not in KNOWN]
    if unknown or not said.name:
        parser.error(f"there is no '{unknown[0]}'" if unknown else "no NAME is given; run.py --help lists them")
    return said


class Result(unittest.TextTestResult):
    """Remembers how long each test took, and which of them failed."""

    def __init__(self, *words):
        super().__init__(*words)
        self.took, self.began = {}, {}

    def startTest(self, test):
        self.began[test.id()] = time.monotonic()
        super().startTest(test)

    def stopTest(self, test):
        self.took[test.id()] = round(time.monotonic() - self.began[test.id()])
        super().stopTest(test)

    def failed(self):
        """By name; a part of a test counts as the whole, and what failed before the first test under a name of its own."""
        return {getattr(test, "test_case", test).id(): said for test, said in self.failures + self.errors}

    def write(self, file):
        """Other runs may write to the same file."""
        failed = self.failed()
        with open(f"{file}.lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            for name in {**self.took, **failed}:
                junit.case(file, name, int(name in failed), self.took.get(name, 0), failed.get(name, ""))


def main():
    said = read_options()
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{words}*" for words in said.k] if said.k else None
    tests = unittest.TestSuite(loader.loadTestsFromName(name) if "." in name else
                               loader.loadTestsFromModule(importlib.import_module(f"{name}_browser")) for name in said.name)
    try:
        result = unittest.TextTestRunner(verbosity=2, resultclass=Result).run(tests)
    finally:
        harness.SHARED.close()
    if said.results:
        result.write(said.results)
    if not result.wasSuccessful():
        return TESTS_FAILED
    return 0 if result.testsRun > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
