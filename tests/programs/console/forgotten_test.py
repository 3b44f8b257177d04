"""forgotten_test.py: a player of finished matches is forgotten by a whole house, whose match files still verify."""
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

ARBITER = str(pathlib.Path(os.environ["ARBITER_BUILD"]) / "arbiter")
ENV = dict(os.environ, ARBITER_CONFIGS=str(pathlib.Path(os.environ["ARBITER_SOURCE"]) / "configs"))
SHORT = {"game": "treasure", "limits": {"think_ms": 0, "max_actions": 4}}
NAME = "Zebulon"


def arbiter(*words):
    return subprocess.run([ARBITER, *words], env=ENV, stdin=subprocess.DEVNULL, capture_output=True, text=True)


class Forgotten(unittest.TestCase):
    def up(self):
        up = subprocess.Popen([ARBITER, "up", "--home", self.home, "--http", "0"], stdout=subprocess.PIPE, text=True, env=ENV)
        while "bot-1" not in (line := up.stdout.readline()):
            assert line, "arbiter up has ended"
        return up

    def down(self, up):
        up.send_signal(signal.SIGTERM)
        up.communicate()

    def play(self):
        config = self.home.parent / "short.json"
        config.write_text(json.dumps(SHORT))
        said = arbiter("bot", "treasure", "--config", config, "--show", "--ascii", "--home", self.home, "--name", NAME)
        self.assertEqual(said.returncode, 0, said.stderr)
        return re.search(r"arbiter watch ([0-9a-f]{32})", said.stdout)[1]

    def files_that_say(self, name):
        return [path.name for path in sorted((self.home / "data").rglob("*"))
                if path.is_file() and name.encode() in path.read_bytes()]

    def test_nothing_names_him_and_the_match_verifies(self):
        with tempfile.TemporaryDirectory(prefix="erase-") as folder:
            self.home = pathlib.Path(folder) / "home"
            up = self.up()
            match = self.play()
            self.assertEqual(arbiter("player", "forget", NAME, "--home", self.home).returncode, 0)
            early = arbiter("player", "erase", NAME, "--home", self.home)
            self.assertEqual(early.returncode, 3, "it ran beside the engine")
            self.down(up)
            self.assertTrue(any(file.startswith("journal.db") for file in self.files_that_say(NAME)))
            done = arbiter("player", "erase", NAME, "--home", self.home)
            self.assertEqual((done.returncode, done.stdout),
                             (0, f"1 seats and 1 rows of persons do not name {NAME} any more.\n"))
            up = self.up()
            for _ in range(300):  # The lobby's log is emptied when it begins, which may be a moment later.
                if not self.files_that_say(NAME):
                    break
                time.sleep(0.1)
            self.down(up)
            self.assertEqual(self.files_that_say(NAME), [])
            file = pathlib.Path(folder) / "it.match"
            self.assertEqual(arbiter("match", "export", match, file, "--home", self.home).returncode, 0)
            self.assertNotIn(NAME.encode(), file.read_bytes())
            verified = arbiter("verify", file)
            self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
            self.assertNotIn(NAME, arbiter("leaderboard", "--home", self.home).stdout)


if __name__ == "__main__":
    unittest.main()
