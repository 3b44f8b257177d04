"""bots_readme_test.py: the two bots of services/gateway/README.md, as they stand there, play each other."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path.insert(0, str(SOURCE / "tests" / "lib" / "gateway"))
import gateway_house  # noqa: E402

README = SOURCE / "services" / "gateway" / "README.md"
PATIENCE_S = 60
LINES_MAX = 30


def printed(language):
    """The program of the README in this language that opens the door."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", README.read_text(), re.M | re.S)
    return next(block for block in blocks if "arbiter.v1+json" in block)


class Bots(unittest.TestCase):
    def test_the_bots_of_the_readme_play_each_other_to_the_end(self):
        with tempfile.TemporaryDirectory() as folder, gateway_house.open_house(BUILD) as house, \
                gateway_house.open_gateway(house) as gateway:
            script, python = pathlib.Path(folder) / "bot.mjs", pathlib.Path(folder) / "bot.py"
            script.write_text(printed("js"))
            python.write_text(printed("python"))
            for language in ("js", "python"):
                self.assertLessEqual(printed(language).count("\n"), LINES_MAX, language)
            commands = [
                ["node", "-r", SOURCE / "tests" / "lib" / "gateway" / "websocket.cjs", script, f"127.0.0.1:{gateway.port}", "Jo"],
                [sys.executable, "-B", python, f"127.0.0.1:{gateway.port}", "Py"]]
            bots = [subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                     text=True) for command in commands]
            try:
                said = [bot.communicate(timeout=PATIENCE_S)[0] for bot in bots]
            finally:
                for bot in bots:
                    bot.kill()
            self.assertEqual([(bot.returncode, words.lower().strip()) for bot, words in zip(bots, said)],
                             [(0, "over true true")] * 2)


if __name__ == "__main__":
    unittest.main()
