"""completion_test.py: what bash offers for a command line is what the help lists: every command, option and word."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
ARBITER = str(BUILD / "arbiter")
ASK = """source {script}
while read -r line; do
  COMP_WORDBREAKS=' ='
  COMP_WORDS=($line)
  [[ $line == *' ' ]] || true
  COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
  [[ ${{COMP_WORDS[COMP_CWORD]}} == @ ]] && COMP_WORDS[COMP_CWORD]=
  COMPREPLY=()
  _arbiter
  echo "${{COMPREPLY[@]}}"
done
"""


def arbiter(*words):
    return subprocess.run([ARBITER, *words], capture_output=True, text=True, check=False)


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="completion-")
        cls.folder = pathlib.Path(cls.temporary.name)
        (cls.folder / "script").write_text(arbiter("completion", "bash").stdout)
        (cls.folder / "ask").write_text(ASK.format(script=cls.folder / "script"))
        (cls.folder / "here").mkdir()
        (cls.folder / "here/some.match").touch()
        (cls.folder / "here/sub").mkdir()

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def offered(self, *lines):
        """What is offered for each line; "@" stands for a word that is not begun yet."""
        said = subprocess.run(["bash", "--norc", self.folder / "ask"], input="".join(line + "\n" for line in lines),
                              capture_output=True, text=True, check=True, cwd=self.folder / "here")
        self.assertEqual(said.stderr, "")
        return [line.split() for line in said.stdout.split("\n")[:len(lines)]]

    def commands(self):
        return re.findall(r"(?m)^  ([a-z-]+) +\S", arbiter("--help").stdout.split("Commands:")[1].split("Options:")[0])

    def test_every_command_is_offered(self):
        [offered] = self.offered("arbiter @")
        self.assertEqual(sorted(offered), sorted(self.commands()))
        self.assertGreaterEqual(len(offered), 25)

    def test_every_option_of_every_command_is_offered(self):
        commands = self.commands()
        for command, offered in zip(commands, self.offered(*(f"arbiter {command} --" for command in commands))):
            listed = re.findall(r"(?m)^  (--[a-z-]+)", arbiter(command, "--help").stdout)
            self.assertEqual(sorted(offered), sorted(listed), command)

    def test_what_is_begun_is_ended(self):
        self.assertEqual(self.offered("arbiter tourn", "arbiter backup --ho", "arbiter play de", "arbiter admit --role ga",
                                      "arbiter admit --role = ga", "arbiter match ex", "arbiter help verif"),
                         [["tournament"], ["--home"], ["dead"], ["gateway"], ["gateway"], ["export"], ["verify"]])

    def test_values_are_what_their_names_say(self):
        files, folders, nothing, roles = self.offered("arbiter verify @", "arbiter up --home @", "arbiter top --nonsense @",
                                                      "arbiter admit --role @")
        self.assertEqual(sorted(files), ["some.match", "sub"])
        self.assertEqual(folders, ["sub"])
        self.assertEqual(nothing, [])
        self.assertIn("watchdog", roles)

    def test_a_name_with_a_number_is_left_to_whoever_types(self):
        self.assertEqual(self.offered("arbiter up --port @", "arbiter up --port 1"), [[], []])

    def test_zsh_takes_the_same_script(self):
        script = arbiter("completion", "zsh").stdout
        self.assertTrue(script.startswith("#compdef arbiter\n"))
        self.assertIn(arbiter("completion", "bash").stdout, script)
        if zsh := shutil.which("zsh"):
            subprocess.run([zsh, "-n", "-c", script], check=True)

    def test_another_shell_is_refused(self):
        said = arbiter("completion", "fish")
        self.assertEqual(said.returncode, 2)
        self.assertIn("fish", said.stderr)


if __name__ == "__main__":
    unittest.main()
