"""exposure_test.py: each unit of systemd is shut in, and says nothing that systemd does not know.

systemd itself judges, from the files alone: it need not run. The nightly suite `units` starts them.
"""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

FOLDER = pathlib.Path(os.environ["ARBITER_SOURCE"]) / "deploy/systemd"
UNITS = sorted(FOLDER.glob("*.service"))
MOST = 2.0   # Of 10, by systemd-analyze.


def analyzed(*words):
    return subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, timeout=300)


def exposure(unit):
    """How exposed a service would be."""
    said = analyzed("--no-pager", "security", "--offline=yes", unit)
    return float(re.search(r"Overall exposure level.*: ([\d.]+) ", said.stdout).group(1))


def unknown(units):
    """What systemd does not understand. Programs are not installed here, so it says of each that it is not there, too."""
    said = analyzed("verify", "--man=no", "--recursive-errors=no", *units).stderr
    return [line for line in said.splitlines() if not re.search(r"Command \S+ is not executable", line)]


class Exposure(unittest.TestCase):
    def planted(self, line, other):
        """The engine's unit, with one line of it changed."""
        text = (FOLDER / "arbiter-engine.service").read_text()
        self.assertIn(line, text)
        unit = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="units-"))) / "arbiter-engine.service"
        unit.write_text(text.replace(line, other))
        return unit

    def test_each_is_exposed_at_most_so_much(self):
        self.assertEqual(len(UNITS), 7)
        for unit in UNITS:
            with self.subTest(unit.name):
                self.assertLessEqual(exposure(unit), MOST)

    def test_one_that_is_open_is_found(self):
        self.assertGreater(exposure(self.planted("CapabilityBoundingSet=\n", "")), MOST)

    def test_systemd_knows_every_word(self):
        self.assertEqual(unknown(UNITS), [])

    def test_a_word_that_it_does_not_know_is_found(self):
        self.assertEqual(len(unknown([self.planted("Restart=always", "Restarts=always")])), 1)


if __name__ == "__main__":
    unittest.main()
