"""python_bot_test.py: the bot of common/client/python/README.md, as it stands there, plays a whole game of the dead
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
README = SOURCE / "common" / "client" / "python" / "README.md"
PATIENCE_S = 300


class PrintedBot(unittest.TestCase):
    def test_the_bot_of_the_readme_plays_to_the_end(self):
        with tempfile.TemporaryDirectory(prefix="arbiter-printed-") as folder, \
                House(os.environ["ARBITER_BUILD"], folder, {"mybot": "client"},
                      settings={"bot": ["--think-ms", "20"]}, others=("bot",)) as house:
            house.wait_until_started()
            work = pathlib.Path(folder) / "work"
            work.mkdir()
            shutil.copy(house.key("mybot"), work / "bot.key")
            for name in ("common", "proto"):
                (work / name).symlink_to(SOURCE / name)
            (work / "bot.py").write_text(re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.M | re.S)[0])
            # Bots say hello a little later than the others; then there are none to be called yet.
            for _ in range(20):
                bot = subprocess.run([sys.executable, "-B", "bot.py", str(house.folder)], cwd=work, text=True,
                                     capture_output=True, timeout=PATIENCE_S, check=False)
                if "bot service" not in bot.stderr:
                    break
            self.assertEqual(bot.returncode, 0, bot.stdout[-2000:] + bot.stderr + house.said(6))
            acts = [line.split() for line in bot.stdout.splitlines()]
            self.assertEqual([int(act[0]) for act in acts], list(range(int(acts[0][0]), int(acts[-1][0]) + 1)))
            self.assertIn("game_end", acts[-1])


if __name__ == "__main__":
    unittest.main()
