"""told_test.py: a run of chaos.py that is told to stop ends everything it has started, and leaves nothing behind."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

CHAOS = pathlib.Path(__file__).resolve().parent / "chaos.py"
PATIENCE_S = 60.0
EVERYBODY = ("arbiter-lobby", "arbiter-engine", "arbiter-fanout", "arbiter-watchdog", "fleet")


class Told(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="arbiter-told-"))

    def running(self):
        """Programs that have the folder in their words: all that the run has started, and nobody else's."""
        found = {}
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if any(self.folder.encode() in word for word in words) and b"chaos.py" not in b" ".join(words):
                found[int(process.name)] = os.path.basename(words[0].decode())
        return found

    def stop_with(self, number, kind):
        run = subprocess.Popen([sys.executable, "-B", CHAOS, "check", "--only", kind, "--build", os.environ["ARBITER_BUILD"]],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               env={**os.environ, "TMPDIR": self.folder})
        try:
            end = time.monotonic() + PATIENCE_S
            while not set(EVERYBODY) <= set(self.running().values()):
                self.assertIsNone(run.poll(), "it has ended already")
                self.assertLess(time.monotonic(), end, f"nobody but {self.running()}")
                time.sleep(0.05)
            run.send_signal(number)
            said = run.communicate(timeout=PATIENCE_S)[0]
            self.assertEqual(run.returncode, 128 + number, said)
            self.assertEqual(self.running(), {}, said)
            self.assertEqual(os.listdir(self.folder), [], said)
        finally:
            run.kill()
            run.wait()
            for pid in self.running():
                os.kill(pid, signal.SIGKILL)

    def test_told_to_stop(self):
        self.stop_with(signal.SIGTERM, "services")

    def test_ctrl_c(self):
        self.stop_with(signal.SIGINT, "services")

    @unittest.skipUnless(os.geteuid() == 0, "a small disk is mounted by root, or in a name space of one's own")
    def test_its_small_disk_goes_too(self):
        self.stop_with(signal.SIGTERM, "disk")


if __name__ == "__main__":
    unittest.main()
