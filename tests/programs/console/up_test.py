"""up_test.py: a house answers from any folder, and whoever starts a second one in it harms nothing."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
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

    def test_a_second_one_is_turned_away_and_changes_nothing(self):
        self.up(self.home)
        admitted = self.home / "keys/admitted"
        admitted.write_text(admitted.read_text() + "# as it was\n")
        (self.home / "keys/engine.key").chmod(0o644)
        second = self.arbiter("up", "--home", self.home, "--http", "0")
        self.assertEqual(second.returncode, 3)
        self.assertIn("an Arbiter runs already", second.stderr)
        self.assertIn("# as it was", admitted.read_text())

    def test_of_two_that_make_the_house_at_once_one_is_turned_away(self):
        for _ in range(5):
            ups = [self.start(self.home) for _ in range(3)]
            for up in ups:
                self.addCleanup(self.down, up)
            while sum(up.poll() is None for up in ups) > 1:
                time.sleep(0.05)
            complaints = [up.stderr.read() for up in ups if up.poll() is not None]
            for complaint in complaints:
                self.assertIn("an Arbiter runs already", complaint)
            for up in ups:
                self.down(up)
            shutil.rmtree(self.home)

    def test_a_house_that_loses_its_own_key_says_so(self):
        up, _ = self.up(self.home)
        while not (self.home / "data/lobby/lobby.db").exists():  # It runs before it has a store, and only then is it known by its key.
            time.sleep(0.05)
        self.down(up)
        (self.home / "keys/lobby.key").unlink()
        up, _ = self.up(self.home)
        said = self.down(up)
        self.assertRegex(said, re.escape(f"{self.home}/keys/lobby.key") + r" is gone: .* new one")


if __name__ == "__main__":
    unittest.main()
