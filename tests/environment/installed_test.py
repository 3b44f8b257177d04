"""installed_test.py: a stranger installs libarbiter-games and builds the program on common/env/README.md."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"]).resolve()
PAGE = (SOURCE / "common/env/README.md").read_text()
STRICT = "-std=c17 -Wall -Wextra -Wpedantic -Werror"
NAMES = r"^[0-9a-f]+ [A-Z] (\w+)$"


class InstalledGames(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="arbiter-games-")))
        for component in ("games", "games-dev"):
            subprocess.run(["cmake", "--install", BUILD, "--component", component, "--prefix", cls.folder / "first"],
                           check=True, stdout=subprocess.DEVNULL)
        (cls.folder / "first").rename(cls.folder / "prefix")    # A prefix may be moved.
        cls.library = next(cls.folder.glob("prefix/lib/**/libarbiter-games.so")).parent
        cls.environment = {**os.environ, "PKG_CONFIG_PATH": str(cls.library / "pkgconfig")}
        (cls.folder / "player.c").write_text(re.search(r"```c\n(.*?)```", PAGE, re.S).group(1))

    def run_line(self, line, **more):
        ran = subprocess.run(line, shell=True, cwd=self.folder, text=True, capture_output=True, check=False,
                             env={**self.environment, **more})
        self.assertEqual((ran.returncode, ran.stderr), (0, ""), line)
        return ran.stdout

    def test_the_program_on_the_page_plays_with_either_library(self):
        lines = re.findall(r"^cc player\.c -o player .*$", PAGE, re.M)
        self.assertEqual(len(lines), 2)
        said = []
        for line, is_shared in zip(lines, (True, False)):
            self.run_line(line.replace("cc ", f"cc {STRICT} ", 1))
            self.assertEqual("[libarbiter-games.so.0]" in self.run_line("readelf -d player"), is_shared)
            said.append(self.run_line("./player", **({"LD_LIBRARY_PATH": str(self.library)} if is_shared else {})))
        self.assertRegex(said[0], r"\nwinners \d\n")
        self.assertEqual(said[0], said[1])

    def test_the_libraries_show_what_the_header_declares_and_nothing_else(self):
        header = (self.folder / "prefix/include/arbiter/arbiter_games.h").read_text()
        declared = set(re.findall(r"\b(arbiter_\w+)\(", re.sub(r"/\*.*?\*/", "", header, flags=re.S)))
        self.assertIn("arbiter_envs_step", declared)
        for line in ("nm -D --defined-only --without-symbol-versions {}/libarbiter-games.so",
                     "nm -g --defined-only {}/libarbiter-games.a"):
            shown = set(re.findall(NAMES, self.run_line(line.format(self.library)), re.M))
            self.assertEqual(shown - {"ARBITER_GAMES_0"}, declared)

    def test_the_library_knows_no_bus(self):
        needed = set(re.findall(r"NEEDED.*\[(\w[\w-]*)\.so", self.run_line(f"readelf -d {self.library}/libarbiter-games.so")))
        self.assertLessEqual(needed, {"libprotobuf-c", "libjansson", "libsodium", "libc"})


if __name__ == "__main__":
    unittest.main()
