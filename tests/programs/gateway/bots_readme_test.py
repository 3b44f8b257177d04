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


def with_own_bytes():
    """The Python bot, with what the README adds for its own bytes."""
    lines = next(block for block in re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.M | re.S)
                 if "def answer" in block)
    bot = printed("python")
    for old, new in (("say(hello={\"name\": name, ", "say(hello={\"name\": name, \"own_bytes\": True, "),
                     ("while \"over\" not in down:", f"{lines}while \"over\" not in down:"),
                     ("    if \"welcome\" in down:\n", "    if \"dice\" in down:\n        answer(down[\"dice\"])\n"
                      "    if \"welcome\" in down:\n"),
                     ("down[\"over\"][\"dice\"])", "down[\"over\"][\"dice\"], down[\"over\"][\"own_bytes\"])")):
        assert bot.count(old) == 1, old
        bot = bot.replace(old, new)
    return bot


class Bots(unittest.TestCase):
    def play(self, programs):
        """What each of these programs printed: (its words, its text), played at one table."""
        with tempfile.TemporaryDirectory() as folder, gateway_house.open_house(BUILD) as house, \
                gateway_house.open_gateway(house) as gateway:
            bots = []
            try:
                for number, (words, text) in enumerate(programs):
                    script = pathlib.Path(folder) / f"bot{number}{'.py' if sys.executable in words else '.mjs'}"
                    script.write_text(text)
                    command = [*words, script, f"127.0.0.1:{gateway.port}", f"Bot {number}"]
                    bots.append(subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE,
                                                 stderr=subprocess.STDOUT, text=True))
                said = [bot.communicate(timeout=PATIENCE_S)[0] for bot in bots]
            finally:
                for bot in bots:
                    bot.kill()
            return [(bot.returncode, words.lower().strip()) for bot, words in zip(bots, said)]

    def test_the_bot_that_makes_its_own_bytes_finds_them_in_the_dice(self):
        said = self.play([([sys.executable, "-B"], with_own_bytes()), ([sys.executable, "-B"], printed("python"))])
        self.assertEqual(said, [(0, "over true true true"), (0, "over true true")])

    def test_the_bots_of_the_readme_play_each_other_to_the_end(self):
        for language in ("js", "python"):
            self.assertLessEqual(printed(language).count("\n"), LINES_MAX, language)
        node = ["node", "-r", SOURCE / "tests" / "lib" / "gateway" / "websocket.cjs"]
        said = self.play([(node, printed("js")), ([sys.executable, "-B"], printed("python"))])
        self.assertEqual(said, [(0, "over true true")] * 2)


if __name__ == "__main__":
    unittest.main()
