"""printed_bots_test.py: the bot of common/client/python/README.md, as it stands there, plays a whole game of the dead
against two of the house's."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from house import House

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"]).resolve()
CLIENT = SOURCE / "common" / "client"
PATIENCE_S = 300


def printed(page, language):
    """The first block in it of this language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.M | re.S)[0]


class PrintedBots(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="arbiter-printed-")))
        self.house = self.enterContext(House(BUILD, self.folder, {"mybot": "client"},
                                             settings={"bot": ["--think-ms", "20"]}, others=("bot",)))
        self.house.wait_until_started()
        self.work = self.folder / "work"
        self.work.mkdir()
        shutil.copy(self.house.key("mybot"), self.work / "bot.key")
        for name in ("common", "proto"):
            (self.work / name).symlink_to(SOURCE / name)

    def play(self, *words):
        """Stopped once, in the middle; then to the end. Lines of what it printed, the first word of each the number of an act."""
        words = [*words, str(self.house.folder)]
        with subprocess.Popen(words, cwd=self.work, text=True, stdout=subprocess.PIPE) as first:
            self.assertRegex(first.stdout.readline(), r"^\d+\b")
            first.kill()
        bot = subprocess.run(words, cwd=self.work, text=True, capture_output=True, timeout=PATIENCE_S, check=False)
        self.assertEqual(bot.returncode, 0, bot.stdout[-2000:] + bot.stderr + self.house.said(6))
        acts = [line.split() for line in bot.stdout.splitlines()]
        self.assertEqual([int(act[0]) for act in acts], list(range(int(acts[0][0]), int(acts[-1][0]) + 1)))
        self.assertGreater(len(acts), 20)
        return acts

    def test_the_bot_in_python(self):
        (self.work / "bot.py").write_text(printed(CLIENT / "python" / "README.md", "python"))
        self.assertIn("game_end", self.play(sys.executable, "-B", "bot.py")[-1])


if __name__ == "__main__":
    unittest.main()
