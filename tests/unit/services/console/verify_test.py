"""verify_test.py: how the tools end that are given files: one table for all of them."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ARBITER = pathlib.Path(os.environ["ARBITER_BUILD"]) / "arbiter"
ROOT = pathlib.Path(os.environ["ARBITER_SOURCE"])
MATCH = ROOT / "tests/unit/common/match/nim-open.match"
DEAD = ROOT / "common/games/dead"

AGREES, DISAGREES, USAGE, BAD_INPUT = 0, 1, 2, 3


def arbiter(*words, given=b""):
    return subprocess.run([ARBITER, *words], input=given, capture_output=True, timeout=60)


class Ends(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="arbiter-ends-")
        self.folder = pathlib.Path(self.scratch.name)
        self.addCleanup(self.scratch.cleanup)
        (self.folder / "folder").mkdir()
        self.put("empty", b"")
        self.put("text", b"Somebody wrote a letter.\n")
        self.put("object", b'{"a": 1}\n')
        match = bytearray(MATCH.read_bytes())
        self.put("good.match", match)
        self.put("cut.match", match[:-40])
        match[600] ^= 1
        self.put("forged.match", match)
        self.put("other.match", b"arbiter match 2\n" + match[16:])
        self.put("good.json", b'{"heaps": [1, 2]}')
        self.put("faulty.json", b'{"heaps": [1, -2]}')
        recorded = next((DEAD / "recorded/base").glob("solo*.jsonl")).read_text()
        (self.folder / "configs").symlink_to(DEAD / "configs")
        self.put("good.jsonl", recorded.encode())
        self.put("blank.jsonl", recorded.encode() + b"\n\n")
        self.put("hole.jsonl", recorded.replace("\n", "\n\n", 1).encode())
        self.put("wrong.jsonl", recorded.replace('"seed": ', '"seed": 1', 1).encode())

    def put(self, name, content):
        (self.folder / name).write_bytes(content)

    def judge(self, *words):
        return [*words[:-1], words[-1] if words[-1] == "-" else self.folder / words[-1]]

    def test_what_is_no_input_is_never_a_disagreement(self):
        tools = (["verify"], ["verify", "--json"], ["replay"], ["replay", "--json"],
                 ["conform", "dead"], ["conform", "quests"], ["conform", "objectron"], ["conform", "treasure"],
                 ["check-config", "nim"], ["check-config", "--json", "nim"], ["simulate", "nim", "--config"])
        for tool in tools:
            for name in ("absent.x", "folder", "empty", "text", "object"):
                with self.subTest(tool=tool, given=name):
                    ended = arbiter(*self.judge(*tool, name))
                    self.assertEqual(ended.returncode, BAD_INPUT, ended)
                    self.assertTrue(ended.stdout or ended.stderr)

    def test_a_match_file_holds_or_does_not_or_is_none(self):
        for name, code in (("good.match", AGREES), ("cut.match", DISAGREES), ("forged.match", DISAGREES),
                           ("other.match", BAD_INPUT)):
            for tool in (["verify"], ["verify", "--json"], ["replay"], ["replay", "--json"]):
                with self.subTest(tool=tool, given=name):
                    self.assertEqual(arbiter(*self.judge(*tool, name)).returncode, code)
        several = [self.folder / name for name in ("good.match", "text", "forged.match")]
        self.assertEqual(arbiter("verify", *several).returncode, BAD_INPUT)

    def test_a_recording_agrees_or_does_not_or_is_none(self):
        for name, code in (("good.jsonl", AGREES), ("blank.jsonl", AGREES), ("hole.jsonl", DISAGREES),
                           ("wrong.jsonl", DISAGREES)):
            with self.subTest(given=name):
                self.assertEqual(arbiter(*self.judge("conform", "dead", name)).returncode, code)

    def test_a_set_up_is_good_or_is_none(self):
        for tool in (["check-config", "nim"], ["check-config", "--json", "nim"], ["simulate", "nim", "--config"]):
            self.assertEqual(arbiter(*self.judge(*tool, "good.json")).returncode, AGREES)
            self.assertEqual(arbiter(*self.judge(*tool, "faulty.json")).returncode, BAD_INPUT)

    def test_what_makes_no_sense_is_said_before_any_file_is_read(self):
        for words in (["verify"], ["replay"], ["replay", "a", "b"], ["conform"], ["conform", "nmi", "a"],
                      ["conform", "nim", "a"], ["simulate"], ["simulate", "nmi"], ["check-config", "nim"],
                      ["check-config", "nmi", "a"], ["verify", "--jsn", "a"], ["replay", "--to", "x", "a"]):
            with self.subTest(words=words):
                self.assertEqual(arbiter(*words).returncode, USAGE)

    def test_every_command_tells_its_exit_codes_and_versions(self):
        listed = arbiter("--help").stdout.decode().split("Commands:\n")[1].split("\n\n")[0]
        commands = [line.split()[0] for line in listed.splitlines()]
        self.assertGreater(len(commands), 20)
        for command in commands:
            with self.subTest(command=command):
                shown = arbiter(command, "--help")
                self.assertEqual(shown.returncode, AGREES)
                self.assertTrue(shown.stdout.decode().startswith(f"usage: arbiter {command}"))
                self.assertIn(b"3 a file cannot be read or written, or is not what it should be", shown.stdout)
                version = arbiter(command, "--version")
                self.assertEqual(version.returncode, AGREES)
                self.assertRegex(version.stdout.decode(), r"^arbiter \S+, protocol 1, rules: .*\bdead 1\b.*\bnim 1\b")

    def test_faults_of_set_ups_are_a_list_for_machines(self):
        self.put("many.json", b'{"heaps": [1, -2, "x"], "a/b~": 1}')
        paths = [str(self.folder / name) for name in ("many.json", "good.json", "absent.json")]
        ended = arbiter("check-config", "--json", "nim", *paths)
        self.assertEqual((ended.returncode, ended.stderr), (BAD_INPUT, b""))
        many, good, absent = map(json.loads, ended.stdout.splitlines())
        self.assertEqual([many["file"], good["file"], absent["file"]], paths)
        self.assertEqual([many["good"], good["good"], absent["good"]], [False, True, False])
        self.assertEqual(good, {"file": paths[1], "good": True, "seats": [2, 4], "faults": []})
        self.assertEqual(sorted((fault["file"], fault["pointer"], fault["sentence"]) for fault in many["faults"]), [
            (paths[0], "/a~1b~0", "is not a key here; allowed are heaps, misere"),
            (paths[0], "/heaps/1", "is -2, must be at least 1"),
            (paths[0], "/heaps/2", "is a string, must be a whole number")])
        self.assertEqual(absent["faults"], [{"file": paths[2], "pointer": "",
                                             "sentence": "cannot be read: No such file or directory"}])
        said = arbiter("check-config", "nim", *paths).stderr.decode().splitlines()
        self.assertEqual(len(said), 4)  # People are told the same.
        for fault in many["faults"]:
            self.assertIn(f"{fault['file']}:{fault['pointer']}: {fault['sentence']}", said)

    def test_faults_of_options_are_in_the_list_too(self):
        for words, pointer, sentence in ((("--set", "edition=bas"), "/edition", 'is "bas"'),
                                         (("--set", "edition"), "", "--set takes KEY=VALUE"),
                                         (("--options", "{"), "", "line 1, column 1"),
                                         (("--options", "7", "--set", "a=1"), "", "--options is no JSON object")):
            with self.subTest(words=words):
                ended = arbiter("check-config", "--json", "dead", ROOT / "configs/dead/intro.json", *words)
                self.assertEqual((ended.returncode, ended.stderr), (BAD_INPUT, b""))
                fault, = json.loads(ended.stdout)["faults"]
                self.assertEqual((fault["file"], fault["pointer"]), ("options", pointer))
                self.assertIn(sentence, fault["sentence"])
        named = json.loads(arbiter("check-config", "--json", "nim", "clasic").stdout)["faults"]
        self.assertIn("there are classic", named[0]["sentence"])


if __name__ == "__main__":
    unittest.main()
