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
                self.assertRegex(version.stdout.decode(), r"^arbiter \S+, protocol 2, rules: .*\bdead 1\b.*\bnim 1\b")

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
                self.assertEqual((ended.returncode, ended.stderr), (USAGE, b""))
                fault, = json.loads(ended.stdout)["faults"]
                self.assertEqual((fault["file"], fault["pointer"]), ("options", pointer))
                self.assertIn(sentence, fault["sentence"])
        both = arbiter("check-config", "nim", self.folder / "faulty.json", "--set", "colour=red")
        self.assertEqual(both.returncode, BAD_INPUT)  # The file is at fault, too.
        named = json.loads(arbiter("check-config", "--json", "nim", "clasic").stdout)["faults"]
        self.assertIn("there are classic", named[0]["sentence"])

    def test_what_a_game_brings_is_checked_by_its_name(self):
        quick = ROOT / "common/games/quests/setups/quick.json"
        for words in (["check-config", "quests"], ["simulate", "quests", "--config"]):
            ended = arbiter(*words, quick)
            self.assertEqual(ended.returncode, BAD_INPUT)
            self.assertIn(b'by its name: "arbiter check-config quests quick"', ended.stderr)
        ended = arbiter("check-config", "quests", "quick")
        self.assertEqual((ended.returncode, ended.stdout), (AGREES, b"quick: good, for 4 seats\n"))
        self.assertEqual(arbiter("check-config", "nim", "classic").stdout, b"classic: good, for 2 to 4 seats\n")
        ended = arbiter("simulate", "quests", "--seats", "3")
        self.assertEqual(ended.returncode, USAGE)
        self.assertIn(b"at this set-up sit 4, not 3", ended.stderr)
        self.put("mine.json", quick.read_bytes())
        ended = arbiter("check-config", "--json", "quests", self.folder / "mine.json")
        self.assertIn('only what stands under "config" is a set-up', json.loads(ended.stdout)["faults"][-1]["sentence"])
        self.assertNotIn(b"by its name", arbiter("check-config", "nim", self.folder / "faulty.json").stderr)

    def test_a_dash_is_the_standard_input(self):
        match, config = MATCH.read_bytes(), (self.folder / "good.json").read_bytes()
        scenarios = (ROOT / "common/games/quests/recorded/scenarios.jsonl").read_bytes()
        recorded = scenarios.splitlines(True)[0]
        wrong = recorded.replace(b'"turn": 1', b'"turn": 2').replace(b'"turn":1', b'"turn":2')
        for words, given, code in ((["verify", "-"], match, AGREES), (["replay", "-"], match, AGREES),
                                   (["verify", "-"], match[:-40], DISAGREES), (["verify", "-"], b"", BAD_INPUT),
                                   (["grid", "check", "-"], b"1 2", AGREES), (["grid", "check", "-"], b"1", DISAGREES),
                                   (["check-config", "nim", "-"], config, AGREES),
                                   (["simulate", "nim", "--config", "-"], config, AGREES),
                                   (["conform", "quests", "-"], recorded, AGREES),
                                   (["conform", "quests", "-"], wrong, DISAGREES),
                                   (["conform", "quests", "-"], b"{}", BAD_INPUT),
                                   (["tournament", "nim", "--entrants", "-"], b"[]", BAD_INPUT)):
            with self.subTest(words=words, given=given[:20]):
                ended = arbiter(*words, given=given)
                self.assertEqual(ended.returncode, code, ended)
        for words in (["verify"], ["grid", "check"], ["check-config", "nim"], ["conform", "quests"]):
            ended = arbiter(*words, "-", "-")
            self.assertEqual(ended.returncode, USAGE)
            self.assertIn(b"can be read once, not 2 times", ended.stderr)
            self.assertIn(b'"-" is the standard input', arbiter(words[0], "--help").stdout)
        for command in ("replay", "simulate", "serve", "tournament"):
            self.assertIn(b'"-" is the standard input', arbiter(command, "--help").stdout)
        for words in (["hotseat", "quests"], ["play", "nim"]):  # There one types.
            ended = arbiter(*words, "--config", "-", given=config)
            self.assertEqual(ended.returncode, USAGE)
            self.assertIn(b"cannot come from the standard input", ended.stderr)

    def test_a_line_longer_than_any_recordings_is_not_read_to_its_end(self):
        (self.folder / "long").mkdir()
        with open(self.folder / "long/long.jsonl", "wb") as file:
            file.write(b"{}\n[")
            file.truncate(1 << 30)
        for game in ("dead", "quests", "objectron", "treasure"):
            for given in ("long", "long/long.jsonl"):
                ended = arbiter("conform", game, self.folder / given)
                self.assertEqual(ended.returncode, BAD_INPUT, ended)
                self.assertEqual(ended.stderr.decode(), f"{self.folder}/long/long.jsonl:2: this line has more than "
                                 "4194304 bytes; this is no recording\n")
        self.put("long/long.jsonl", b" " * (4 << 20) + b"\n")
        self.assertNotIn(b"more than", arbiter("conform", "dead", self.folder / "long").stderr)

    def test_a_dash_is_no_file_to_be_written(self):
        for words in (["simulate", "nim", "--trace", "-"], ["tournament", "nim", "--entrants", "x", "--report", "-"],
                      ["tournament", "nim", "--entrants", "x", "--played", "-"]):
            ended = subprocess.run([ARBITER, *words], cwd=self.folder, capture_output=True, timeout=60)
            self.assertEqual((ended.returncode, ended.stdout), (USAGE, b""))
            self.assertIn(words[-2].encode() + b" takes the name of a file", ended.stderr)
            self.assertFalse((self.folder / "-").exists())

    def test_what_can_be_no_match_is_not_read_to_its_end(self):
        for begin in (b"", b"arbiter match 1\n", MATCH.read_bytes()[:-40]):
            for tool in ("verify", "replay"):
                with self.subTest(begin=begin[:16], tool=tool), \
                        subprocess.Popen([ARBITER, tool, "-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                         stderr=subprocess.DEVNULL, bufsize=0) as run:
                    given = 0
                    try:
                        run.stdin.write(begin)
                        while given < 1 << 24:  # It might have a GiB.
                            given += run.stdin.write(bytes(4096))
                        run.stdin.close()
                    except BrokenPipeError:
                        pass
                    self.assertLess(given, 1 << 20)
                    self.assertEqual(run.wait(60), DISAGREES if begin else BAD_INPUT)

    def test_what_is_far_too_long_for_recordings_is_not_kept(self):
        with subprocess.Popen([ARBITER, "conform", "quests", "-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, bufsize=0) as run:
            given = 0
            try:
                while given < 1 << 28:
                    given += run.stdin.write(bytes(1 << 16))
                run.stdin.close()
            except BrokenPipeError:
                pass
            self.assertLess(given, 1 << 27)
            self.assertIn(b"the standard input cannot be read: File too large", run.stderr.read())
            self.assertEqual(run.wait(60), BAD_INPUT)

    def test_nothing_in_a_recording_or_in_its_name_drives_a_terminal(self):
        line = {"name": "\x1b]0;mine\x07\x9b2J", "config": {}, "steps": [],
                "expect": {"events": [{"ev": "\x9b"}], "final": {}}}
        self.put("escape.jsonl", (json.dumps(line, ensure_ascii=False) + "\n").encode())
        self.put("\x1b[31m", b"{}\n")
        for words in (["conform", "quests", "escape.jsonl"], ["conform", "quests", "\x1b[31m"],
                      ["check-config", "nim", "\x1b[31m"], ["grid", "check", "\x1b[31m"]):
            with self.subTest(words=words):
                ended = arbiter(*self.judge(*words))
                self.assertIn(ended.returncode, (DISAGREES, BAD_INPUT))
                shown = (ended.stdout + ended.stderr).decode()
                self.assertNotRegex(shown, "[\x00-\x09\x0b-\x1f\x7f-\x9f]")
                self.assertIn("?", shown)


if __name__ == "__main__":
    unittest.main()
