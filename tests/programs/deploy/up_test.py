"""up_test.py: what deploy/up is told reaches `arbiter up`, and a mistake is said before anything is built."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])


class Up(unittest.TestCase):
    def setUp(self):
        self.tree = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="arbiter-deploy-")))
        shutil.copytree(SOURCE / "deploy", self.tree / "deploy")
        self.stub(self.tree / "bin" / "cmake", "touch built")
        self.stub(self.tree / ".build" / "release" / "arbiter", 'printf "<%s>" "$@"')

    def stub(self, path, line):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{line}\n")
        path.chmod(0o755)

    def up(self, *words):
        return subprocess.run([self.tree / "deploy" / "up", "--no-install", *words], capture_output=True, text=True,
                              check=False, env={**os.environ, "PATH": f"{self.tree / 'bin'}:{os.environ['PATH']}"})

    def test_every_option_of_arbiter_up_is_handed_on(self):
        listed = subprocess.run([BUILD / "arbiter", "up", "--help"], capture_output=True, text=True, check=True).stdout
        words = ["--data=a folder"]
        for option, value in re.findall(r"^  (--[a-z-]+)( [A-Z]+)?", listed, re.M):
            words += [option, "a value"] if value else [option] if option != "--help" else []
        self.assertGreater(len(words), 8)
        ran = self.up(*words)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("".join(f"<{word}>" for word in ["up", *words]), ran.stdout)

    def test_a_mistake_is_said_before_anything_is_built(self):
        for words in (["--dta", "x"], ["--data"], ["x"]):
            ran = self.up(*words)
            self.assertEqual(ran.returncode, 2, ran.stderr)
            self.assertIn(words[0], ran.stderr)
        self.assertFalse((self.tree / "built").exists())

    def test_a_simulated_match_takes_words_and_options_of_its_own(self):
        ran = self.up("--simulate", "nim", "--seed", "7")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("<simulate><nim><--seed><7>", ran.stdout)


if __name__ == "__main__":
    unittest.main()
