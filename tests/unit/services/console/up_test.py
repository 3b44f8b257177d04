"""up_test.py: a house answers from any folder."""
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

ARBITER = str(pathlib.Path(os.environ["ARBITER_BUILD"]) / "arbiter")
ENV = dict(os.environ, ARBITER_CONFIGS=str(pathlib.Path(os.environ["ARBITER_SOURCE"]) / "configs"))
PATIENCE_S = 120


class Up(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="up-")))
        self.home = self.folder / "home"

    def arbiter(self, *words, cwd=None):
        return subprocess.run([ARBITER, *words], env=ENV, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=cwd, timeout=PATIENCE_S)

    def start(self, home, cwd=None):
        return subprocess.Popen([ARBITER, "up", "--home", home, "--http", "0"], env=ENV, cwd=cwd, text=True, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def up(self, home, cwd=None):
        up = self.start(home, cwd)
        said = ""
        while "bot-1" not in said:
            line = up.stdout.readline()
            self.assertTrue(line, f"arbiter up has ended: {said}")
            said += line
        self.addCleanup(self.down, up)
        return up, said

    def down(self, up):
        if up.poll() is None:
            up.send_signal(signal.SIGTERM)
        return up.communicate()[1]

    def test_a_home_that_was_named_from_here_answers_from_everywhere(self):
        _, said = self.up("home/", cwd=self.folder)
        self.assertIn(f"Arbiter in {self.home};", said)
        self.assertIn(f"--home {self.home}  #", said)
        doors = (self.home / "run/doors").read_text().split()
        self.assertEqual(doors[0], f"ipc://{self.home}/run/lobby.requests")
        played = self.arbiter("bot", "nim", "--home", self.home, "--name", "Ada", cwd="/")
        self.assertEqual(played.returncode, 0, played.stderr)

    def test_the_true_length_of_a_sockets_path_counts(self):
        deep = self.folder / ("d" * 90)
        deep.mkdir()
        refused = self.arbiter("up", "--home", "home", "--http", "0", cwd=deep)
        self.assertEqual(refused.returncode, 3)
        self.assertIn("the path is too long for a socket", refused.stderr)


if __name__ == "__main__":
    unittest.main()
