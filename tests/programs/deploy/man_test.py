"""man_test.py: every program and every command has a manual page with all that its --help says, and man finds no fault in it."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
PROGRAMS = sorted(path for path in BUILD.glob("arbiter*") if path.is_file() and os.access(path, os.X_OK))


def said(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def bare(text):
    """Its words, without what a terminal does with them."""
    return " ".join(re.sub(r".\x08", "", text).split())


class Manual(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="arbiter-man-")))
        said("python3", "-B", SOURCE / "deploy/lib/man.py", "1.2.3", cls.folder, *PROGRAMS)
        cls.commands = re.findall(r"^  ([a-z][a-z-]+)  ", said(BUILD / "arbiter", "--help"), re.M)

    def rendered(self, page):
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "4000", "MAN_KEEP_FORMATTING": "1"}  # So wide that no word is cut at a hyphen.
        ran = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", page], capture_output=True, text=True, check=True,
                             env=environment)
        self.assertEqual(ran.stderr, "", page.name)
        return bare(ran.stdout)

    def test_there_is_a_page_for_each(self):
        pages = {path.name for path in self.folder.rglob("*.[18]")}
        services = {f"{program.name}.8" for program in PROGRAMS if program.name != "arbiter"}
        self.assertGreater(len(self.commands), 20)
        self.assertGreater(len(services), 5)
        self.assertEqual(pages, {"arbiter.1", *(f"arbiter-{name}.1" for name in self.commands), *services})

    def test_a_page_says_all_that_help_says(self):
        for page in sorted(self.folder.rglob("*.[18]")):
            text = self.rendered(page)
            name, chapter = page.stem, page.suffix
            command = [name.removeprefix("arbiter-")] if chapter == ".1" and name != "arbiter" else []
            program = BUILD / ("arbiter" if chapter == ".1" else name)
            told = re.sub(r" Now: .*", "", said(program, *command, "--help"))
            for line in told.splitlines():
                line = re.sub(r"^(usage|Options|Commands|Exit code):|^arbiter-\w+:", "", line)
                for words in re.split(r"   +", line.strip()):
                    self.assertIn(bare(words).rstrip("."), text, page.name)

    def test_a_page_tells_its_name_and_the_version(self):
        page = self.folder / "man8" / "arbiter-lobby.8"
        self.assertIn('.TH ARBITER-LOBBY 8 "" "Arbiter 1.2.3"', page.read_text())
        self.assertRegex(page.read_text(), r"\.SH NAME\narbiter\\-lobby \\- [a-z]")
        self.assertIn("arbiter-engine(8)", self.rendered(page))


if __name__ == "__main__":
    unittest.main()
