"""installed_bot_test.py: a stranger installs the client library, builds common/client/example/bot.c as its README says, and plays."""
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
STRICT = "-std=c17 -Wall -Wextra -Wpedantic -Werror"
PATIENCE_S = 120


class InstalledBot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="arbiter-installed-")))
        for component in ("client", "client-dev"):
            subprocess.run(["cmake", "--install", BUILD, "--component", component, "--prefix", cls.folder / "first"],
                           check=True, stdout=subprocess.DEVNULL)
        (cls.folder / "first").rename(cls.folder / "prefix")    # A prefix may be moved.
        cls.prefix = cls.folder / "prefix"
        cls.library = next(cls.prefix.glob("lib/**/libarbiter-client.so")).parent
        cls.work = cls.folder / "work"
        cls.work.mkdir()
        shutil.copy(CLIENT / "example" / "bot.c", cls.work)
        cls.environment = {**os.environ, "PKG_CONFIG_PATH": str(cls.library / "pkgconfig")}

    def run_line(self, line):
        ran = subprocess.run(line, shell=True, cwd=self.work, text=True, capture_output=True, check=False, env=self.environment)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""), line)
        return ran.stdout

    def built(self, number):
        """The bot, built by a line of the page, and what it needs besides."""
        lines = re.findall(r"^cc bot\.c -o bot .*$", (CLIENT / "README.md").read_text(), re.M)
        self.assertEqual(len(lines), 2)
        self.run_line(lines[number].replace("cc ", f"cc {STRICT} ", 1))
        return self.run_line("readelf -d bot")

    def play(self, house, environment, is_stopped):
        """To the end, once stopped on the way. The numbers of the acts that it told since."""
        words = [self.work / "bot", house.folder]
        keep = {"cwd": self.work, "text": True, "env": {**os.environ, **environment}}
        if is_stopped:
            with subprocess.Popen(words, stdout=subprocess.PIPE, **keep) as first:
                self.assertRegex(first.stdout.readline(), r"^\d+$")
                first.kill()
        bot = subprocess.run(words, capture_output=True, timeout=PATIENCE_S, check=False, **keep)
        self.assertEqual(bot.returncode, 0, bot.stdout[-2000:] + bot.stderr + house.said(6))
        acts = [int(line) for line in bot.stdout.splitlines()]
        self.assertEqual(acts, list(range(acts[0], acts[-1] + 1)))
        self.assertGreater(len(acts), 20)

    def test_the_bot_plays_with_either_library(self):
        with House(BUILD, self.folder, {"mybot": "client"}, settings={"bot": ["--think-ms", "0"]}, others=("bot",)) as house:
            house.wait_until_started()
            shutil.copy(house.key("mybot"), self.work / "bot.key")
            self.assertIn("[libarbiter-client.so.0]", self.built(0))
            self.play(house, {"LD_LIBRARY_PATH": str(self.library)}, is_stopped=True)
            self.assertNotIn("libarbiter-client", self.built(1))
            self.play(house, {}, is_stopped=False)

    def headers(self):
        return sorted(path for path in (self.prefix / "include/arbiter").rglob("*.h"))

    def test_every_header_stands_alone(self):
        self.assertGreater(len(self.headers()), 15)
        for header in self.headers():
            line = f"echo '#include <{header.relative_to(self.prefix / 'include/arbiter')}>' | cc {STRICT} -fsyntax-only -x c -"
            self.run_line(f"{line} $(pkg-config --cflags arbiter-client)")

    def test_the_libraries_show_what_the_headers_declare_and_nothing_else(self):
        declared = set()
        for header in self.headers():
            text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
            if header.parent.name != "contract":
                declared.update(re.findall(r"^(?!static)\w[\w ]*[ *](\w+)\((?=[^;{]*\);)", text, re.M | re.S))
        self.assertIn("client_open", declared)
        for line in ("nm -D --defined-only --without-symbol-versions {}/libarbiter-client.so",
                     "nm -g --defined-only {}/libarbiter-client.a"):
            shown = set(re.findall(r"^[0-9a-f]+ [A-Z] (\w+)$", self.run_line(line.format(self.library)), re.M))
            self.assertEqual({name for name in shown if not name.startswith("arbiter__")} - {"ARBITER_CLIENT_0"}, declared)
            self.assertIn("arbiter__lobby__ask__descriptor", shown)

    def test_messages_are_installed_for_other_languages(self):
        folder = self.prefix / "share/arbiter/proto"
        self.run_line(f"protoc -I {folder} --descriptor_set_out=all.bin {folder}/*.proto")


if __name__ == "__main__":
    unittest.main()
