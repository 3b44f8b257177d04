"""ended_test.py: what a visit has started ends with it: told to stop, out of time, and killed with -9."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
BUILD = os.environ["ARBITER_BUILD"]
SERVICES = {"arbiter-lobby", "arbiter-engine", "arbiter-fanout", "arbiter-watchdog"}
PATIENCE_S = 60.0


class Ended(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="arbiter-ended-"))
        self.addCleanup(self.sweep)

    def running(self):
        """Services that have the folder in their words: all that was started there, and nobody else's."""
        found = {}
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            name = os.path.basename(words[0].decode())
            if name in SERVICES and any(self.folder.encode() in word for word in words):
                found[int(process.name)] = name
        return found

    def until(self, is_so, what):
        end = time.monotonic() + PATIENCE_S
        while not is_so():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.02)

    def begin(self, *words):
        """A program that has all four services running."""
        run = subprocess.Popen([sys.executable, "-B", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               env={**os.environ, "TMPDIR": self.folder})
        self.addCleanup(self.end, run)
        self.until(lambda: SERVICES <= set(self.running().values()), "the services do not start")
        return run

    def end(self, run):
        run.kill()
        run.wait()
        run.stdout.close()

    def sweep(self):
        for pid in self.running():
            os.kill(pid, signal.SIGKILL)

    def test_of_a_visit_that_was_killed(self):
        run = self.begin(HERE / "visit.py", BUILD, "none")
        run.kill()
        self.until(lambda: not self.running(), "services live on")

    def stop(self, number):
        run = self.begin(HERE / "faulty.py", "--build", BUILD, "--only", "none", "--only", "none")
        run.send_signal(number)
        said = run.communicate(timeout=PATIENCE_S)[0]
        self.assertEqual(run.returncode, 128 + number, said)
        self.assertEqual((self.running(), os.listdir(self.folder)), ({}, []), said)

    def test_of_visits_that_were_told_to_stop(self):
        self.stop(signal.SIGTERM)

    def test_of_a_visit_that_took_too_long(self):
        run = subprocess.run([sys.executable, "-B", HERE / "faulty.py", "--build", BUILD, "--only", "none", "--longest", "1"],
                             capture_output=True, text=True, check=False, env={**os.environ, "TMPDIR": self.folder})
        self.assertEqual(run.returncode, 1)
        self.assertIn("it took too long", run.stdout)
        self.assertEqual((self.running(), os.listdir(self.folder)), ({}, []), run.stdout)


if __name__ == "__main__":
    unittest.main()
