"""play_where_test.py: whoever plays here is known by his own name, and whoever does not get in is told why."""
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import time
import unittest

BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
ARBITER = str(BUILD / "arbiter")
ENV = dict(os.environ, ARBITER_CONFIGS=str(pathlib.Path(os.environ["ARBITER_SOURCE"]) / "configs"), LANG="C.UTF-8", LC_ALL="")
PATIENCE_S = 120


def arbiter(*words):
    return subprocess.run([ARBITER, *words], env=ENV, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE_S)


class PlayWhere(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="play-where-"))) / "home"
        cls.up = subprocess.Popen([ARBITER, "up", "--home", cls.home, "--http", "0"], stdout=subprocess.PIPE, text=True, env=ENV)
        cls.addClassCleanup(cls.stop)
        while "bot-1" not in (line := cls.up.stdout.readline()):
            assert line, "arbiter up has ended"

    @classmethod
    def stop(cls):
        cls.up.send_signal(signal.SIGTERM)
        cls.up.communicate()

    def sits_down(self, name):
        """Plays a game of nim as somebody to its end; under which keys he was known then."""
        before = self.keys()
        played = arbiter("bot", "nim", "--name", name, "--home", self.home)
        self.assertEqual(played.returncode, 0, f"{name}: {played.stderr}")
        return self.keys() - before

    def keys(self):
        return {path.name for path in (self.home / "keys").glob("player-*")}

    def test_each_name_is_somebody(self):
        self.assertEqual(self.sits_down("ann_b"), {"player-ann_b.key"})
        for name, like in (("李雷", r"______"), ("王芳", r"______"), ("Ann B", r"ann_b"), ("ann.b", r"ann_b")):
            made = self.sits_down(name)
            self.assertEqual(len(made), 1, f"{name} has the key of somebody else")
            self.assertRegex(made.pop(), rf"^player-{like}-[0-9a-f]{{8}}\.key$")
            self.assertEqual(self.sits_down(name), set(), f"{name} has a second key")

    def test_who_is_one_person_to_the_lobby_has_one_key(self):
        self.assertEqual(self.sits_down("Ada-2"), {"player-ada-2.key"})
        self.assertEqual(self.sits_down("ada-2"), set())
        self.assertEqual(len(self.sits_down("Eve Ada")), 1)
        self.assertEqual(self.sits_down("eve ada"), set())

    def test_a_key_that_an_older_build_has_made_is_kept(self):
        keys = self.home / "keys"
        self.assertEqual(arbiter("keygen", str(keys / "player-old_one.key")).returncode, 0)
        self.assertEqual(self.sits_down("Old One"), set())
        self.assertEqual(arbiter("keygen", str(keys / "player-__.key")).returncode, 0)   # Of many that name could be.
        self.assertEqual(len(self.sits_down("ß")), 1)

    def test_a_name_that_cannot_be_one_is_refused_at_once(self):
        key = arbiter("keygen", str(self.home / "guest.key")).stdout.strip()
        long, broken = "一二三四五六七八九十百", b"caf\xe9"
        for words in (["play", "nim", "--bots", "1", "--name"], ["bot", "nim", "--name"], ["admit", key], ["player", "ban"], ["player", "unban"],
                      ["player", "forget"]):
            for name, sentence in ((long, "has 33 bytes, and 32 are the most"), (broken, "is no UTF-8")):
                begun = time.monotonic()
                refused = arbiter(*words, name, "--home", self.home)
                self.assertEqual(refused.returncode, 2, f"{words} {name}: {refused.stderr}")
                self.assertIn(sentence, refused.stderr)
                self.assertLess(time.monotonic() - begun, 10)
        self.assertEqual(len(self.sits_down("一二三四五六七八九十")), 1)

    def test_who_is_banned_is_told_what_may_be_and_does_not_wait_for_ever(self):
        self.sits_down("Banned")
        self.assertEqual(arbiter("player", "ban", "Banned", "--home", self.home).returncode, 0)
        self.addCleanup(arbiter, "player", "unban", "Banned", "--home", self.home)
        out = arbiter("play", "nim", "--bots", "1", "--name", "Banned", "--home", self.home)
        self.assertEqual(out.returncode, 3, out.stderr)
        self.assertIn("this key is not let in, or banned: arbiter admit, arbiter player unban", out.stderr)

    def test_who_waits_for_bots_that_do_not_come_is_told(self):
        self.sits_down("Lonely")    # By then the lobby knows of bots.
        children = pathlib.Path(f"/proc/{self.up.pid}/task/{self.up.pid}/children").read_text().split()
        bot = next(int(pid) for pid in children if b"arbiter-bot" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes())
        os.kill(bot, signal.SIGSTOP)
        self.addCleanup(os.kill, bot, signal.SIGCONT)
        play, unseen = self.begin("play", "--bots", "1", "--name", "Lonely"), self.begin("bot", "--name", "Unseen")
        self.assertIn("/quit", self.hear(play, r"no bot has come.*"))
        self.hear(unseen, r"no other bot has come")
        os.kill(bot, signal.SIGCONT)
        self.hear(play, r"arbiter watch [0-9a-f]{32}")

    def begin(self, command, *words):
        child = subprocess.Popen([ARBITER, command, "nim", *words, "--home", self.home], env=ENV, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True)
        patience = threading.Timer(PATIENCE_S, child.kill)
        patience.start()
        self.addCleanup(patience.cancel)
        self.addCleanup(child.communicate)
        return child

    def hear(self, play, pattern):
        said = ""
        while (found := re.search(pattern, said)) is None:
            line = play.stdout.readline()
            self.assertTrue(line, f"it ended, and never said {pattern}, but: {said}")
            said += line
        return found.group()


if __name__ == "__main__":
    unittest.main()
