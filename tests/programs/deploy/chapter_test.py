"""chapter_test.py: what the operator's pages tell to type is there: files, commands of ours and their options, variables."""
import os
import pathlib
import re
import subprocess
import unittest

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
ARBITER = pathlib.Path(os.environ["ARBITER_BUILD"]) / "arbiter"
DEPLOY = SOURCE / "deploy"
PAGES = ("deploy/README.md", "deploy/SWARM.md", "common/store/README.md")


def typed(page):
    """Lines of code, and code between backticks; a remark behind a line is none."""
    text = (SOURCE / page).read_text()
    lines = [line.split("  #")[0].split(" # ")[0].strip() for line in text.splitlines() if line.startswith("    ")]
    return lines + re.findall(r"`([^`\n]+)`", re.sub(r"^    .*$", "", text, flags=re.M))


def asked(line):
    """Subcommand and options of each `arbiter COMMAND ...` in a line."""
    for words in re.findall(r"(?:^|[\s;])arbiter ((?:[a-z]+)(?: [^;|&]*)?)", line):
        name, *rest = words.split()
        yield name, [word.split("=")[0] for word in rest if word.startswith("--")]


class Chapter(unittest.TestCase):
    def test_commands_of_ours_and_their_options(self):
        known = set(re.findall(r"^  ([a-z][a-z-]*)  ", subprocess.run([ARBITER, "help"], capture_output=True, text=True, check=True).stdout, re.M))
        self.assertIn("doctor", known)
        seen = 0
        for page in PAGES:
            for line in typed(page):
                for name, options in asked(line):
                    if name not in known:   # A user, an image, a word of a sentence.
                        continue
                    told = subprocess.run([ARBITER, "help", name], capture_output=True, text=True, check=True).stdout
                    for option in options:
                        self.assertRegex(told, re.escape(option) + r"\b", f"{page}: {line}")
                    seen += 1
        self.assertGreater(seen, 15)

    def test_files(self):
        for page in PAGES:
            for line in typed(page):
                for path in set(re.findall(r"(?<![\w/.])deploy/[\w./*-]+", line)) - {"deploy/.env"}:   # The operator's own.
                    self.assertTrue(list(SOURCE.glob(path.rstrip("."))), f"{page}: {line}")

    def test_options_of_our_scripts(self):
        for script in ("check", "up"):
            told = subprocess.run([DEPLOY / script, "--help"], capture_output=True, text=True, check=True).stdout
            told += subprocess.run([DEPLOY / "lib/compose", "--help"], capture_output=True, text=True, check=True).stdout
            for line in typed("deploy/README.md"):
                for words in re.findall(rf"deploy/{script}( [^;|&]*)", line):
                    for option in re.findall(r"(?<!\S)--[a-z-]+", words):
                        self.assertIn(option, told, line)

    def test_variables(self):
        files = "".join(path.read_text() for path in DEPLOY.glob("*.yml"))
        known = set(re.findall(r"ARBITER_\w+", files))
        for page in PAGES[:2]:
            for name in re.findall(r"ARBITER_[A-Z_]+", (SOURCE / page).read_text()):
                self.assertIn(name, known, page)


if __name__ == "__main__":
    unittest.main()
