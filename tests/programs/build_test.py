"""build_test.py: a build knows of which state of the sources it was made: asked of git each time, written only when it is another one."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE, BUILD = (pathlib.Path(os.environ[name]) for name in ("ARBITER_SOURCE", "ARBITER_BUILD"))
SCRIPT = SOURCE / "deploy/cmake/Build.cmake"
PROGRAMS = ["arbiter", *sorted(f"arbiter-{main.parent.name}" for main in SOURCE.glob("services/*/main.c") if main.parent.name != "console")]
SHELL = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b", "GIT_CONFIG_GLOBAL": "/dev/null"}


def version(program):
    return subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout


class Builds(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="build-")))
        self.tree, self.facts = self.folder / "tree", self.folder / "facts.c"
        self.tree.mkdir()
        (self.tree / "file").write_text("first\n")

    def git(self, *words, at=None):
        return subprocess.run(["git", "-C", at or self.tree, *words], env=dict(os.environ, **SHELL), capture_output=True, text=True, check=True).stdout.strip()

    def commit(self, at=None):
        self.git("init", "-q", at=at)
        self.git("add", "-A", at=at)
        self.git("commit", "-qm", "one", at=at)

    def ask(self, **environment):
        """What would be compiled."""
        clean = {name: value for name, value in os.environ.items() if name not in ("ARBITER_COMMIT",)}
        clean["ARBITER_BUILD"] = ""
        subprocess.run(["cmake", f"-DSOURCE={self.tree}", "-DVERSION=1.2.3", f"-DINTO={self.facts}", "-P", SCRIPT],
                       env=dict(clean, **environment), check=True, capture_output=True)
        return dict(re.findall(r'\.(\w+) = "([^"]*)"', self.facts.read_text()))

    def test_it_is_what_git_says(self):
        self.commit()
        short, whole = self.git("rev-parse", "--short", "HEAD"), self.git("rev-parse", "HEAD")
        self.git("tag", "-a", "v9", "-m", "v9")  # A tag is no state: it moves, or is not fetched.
        self.assertEqual(self.ask(), {"version": "1.2.3", "name": f"1.2.3+{short}", "described": short, "commit": whole})
        (self.tree / "file").write_text("second\n")
        self.assertEqual(self.ask(), {"version": "1.2.3", "name": f"1.2.3+{short}-dirty", "described": f"{short}-dirty", "commit": whole})

    def test_nothing_is_compiled_anew_while_nothing_has_changed(self):
        self.commit()
        self.ask()
        os.utime(self.facts, (1, 1))
        self.ask()
        self.assertEqual(self.facts.stat().st_mtime, 1)
        self.git("commit", "-q", "--allow-empty", "-m", "two")
        self.assertEqual(self.ask()["commit"], self.git("rev-parse", "HEAD"))
        self.assertGreater(self.facts.stat().st_mtime, 1)

    def test_an_unpacked_archive_knows_its_version_even_in_the_tree_of_another(self):
        nothing = {"version": "1.2.3", "name": "1.2.3", "described": "", "commit": ""}
        self.assertEqual(self.ask(), nothing)
        self.commit(at=self.folder)
        self.assertEqual(self.ask(), nothing)

    def test_an_image_is_told(self):
        told = {"version": "1.2.3", "name": "1.2.3+abc", "described": "abc", "commit": "f" * 40}
        self.assertEqual(self.ask(ARBITER_BUILD="abc", ARBITER_COMMIT="f" * 40), told)

    def test_every_program_says_it(self):
        self.assertEqual(len(PROGRAMS), 7)
        for program in PROGRAMS:
            said = re.search(r", build ([0-9a-f]{7,}(-dirty)?)\n$", version(BUILD / program))
            self.assertEqual(said is not None, (SOURCE / ".git").exists(), program)

    def test_the_doctor_finds_programs_of_another_build_beside_his_own(self):
        for program in PROGRAMS:
            shutil.copy(BUILD / program, self.tree)
        home = self.folder / "home"
        home.mkdir(mode=0o700)
        arbiter = self.tree / "arbiter"
        for other in ("0.0.9, protocol 1", f"{version(arbiter).split()[1].strip(',')}, protocol 1, build 0000000"):
            lobby = self.tree / "arbiter-lobby"
            lobby.write_text(f"#!/bin/sh\necho 'arbiter-lobby {other}'\n")
            said = subprocess.run([arbiter, "doctor", "--home", home], capture_output=True, text=True).stdout
            name = other.replace(", protocol 1", "").replace(", build ", "+")
            self.assertRegex(said, rf"{lobby} is {re.escape(name)}, this is ")


if __name__ == "__main__":
    unittest.main()
