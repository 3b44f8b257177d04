"""up_test.py: `arbiter up` starts again whatever dies, alone and together, and the match that is played goes on;
Ctrl-C stops everything with 0, and the match leaves the house as a file that verifies."""
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import time
import unittest

from nim_table import PATIENCE_S, NimTable

PROGRAM = os.path.join(os.environ["ARBITER_BUILD"], "arbiter")
EVERYBODY = ("lobby", "engine", "fanout", "watchdog", "gateway", "bot")


class Up:
    """A running `arbiter up`, and what it has said."""

    def __init__(self, home):
        self.home, self.lines = home, []
        self.process = subprocess.Popen([PROGRAM, "up", "--home", home, "--http", "0"], stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True)
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line)

    def said(self):
        return "".join(self.lines)

    def runs(self, name):
        """How often it has said that it runs."""
        return len(re.findall(rf"^{name}(?:-1)? +runs", self.said(), re.MULTILINE))

    def child(self, name):
        """The process of a service; None: it has none at this moment."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        for child in children:
            try:
                words = pathlib.Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if os.path.basename(words[0]).decode() == f"arbiter-{name}":
                return int(child)
        return None

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        code = self.process.wait(PATIENCE_S)
        self.reader.join()
        self.process.stdout.close()
        return code


class Restarts(NimTable, unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="arbiter-up-")
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        self.up = Up(folder.name)
        self.addCleanup(self.up.stop)
        self.until(lambda: all(self.up.runs(name) for name in EVERYBODY))
        key = self.home / "ada.key"
        public = self.arbiter("keygen", str(key)).split()[-1]
        self.arbiter("admit", public, "ada", "--home", folder.name)
        self.sit_down(self.home / "run" / "doors", key)

    def said(self):
        return self.up.said()

    def until(self, holds):
        end = time.monotonic() + PATIENCE_S
        while not holds():
            self.assertLess(time.monotonic(), end, self.said())
            time.sleep(0.02)

    def arbiter(self, *words):
        run = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return run.stdout

    def kill(self, names):
        before = {name: self.up.runs(name) for name in names}
        for name in names:
            self.until(lambda name=name: self.up.child(name) is not None)
            os.kill(self.up.child(name), signal.SIGKILL)
        return before

    def test_whatever_dies_is_started_again_and_the_match_goes_on(self):
        self.move()
        for names in [(name,) for name in EVERYBODY] + [("engine", "lobby"), EVERYBODY]:
            before = self.kill(names)
            self.move()
            self.until(lambda before=before: all(self.up.runs(name) > count for name, count in before.items()))
        self.assertEqual([act.number for act in self.acts], list(range(2, 2 + len(self.acts))))
        self.arbiter("match", "abort", self.match_id.hex(), "--home", str(self.home))
        self.next("over")
        self.assertEqual(self.up.stop(), 0, self.said())
        file = self.home / "nim.match"
        self.arbiter("match", "export", self.match_id.hex(), str(file), "--home", str(self.home))
        self.assertIn(f"{len(self.acts) + 1} acts", self.arbiter("verify", str(file)))


if __name__ == "__main__":
    unittest.main()
