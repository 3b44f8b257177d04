"""played_test.py: the file in which a tournament keeps what was played says whose it is, and is nobody else's; who may
play is judged before the first game."""
import itertools
import json
import os
import pathlib
import signal
import stat
import subprocess
import sys
import time
import unittest

from tournaments import ARBITER, ENV, TWO, Runs

NIM = ("--games", "1", "--seats", "2")


class Played(Runs):
    def play(self, *more, entrants=TWO, game="nim"):
        """A run that goes well; the games that stand there then."""
        ran = self.run_it(game, entrants, *more)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return self.lines()

    def refuse(self, *more, entrants=TWO, game="nim", says=""):
        """A run that is refused and writes nothing."""
        before = pathlib.Path(self.played).read_bytes()
        ran = self.run_it(game, entrants, *more)
        self.assertEqual((ran.returncode, ran.stdout), (3, ""), ran.stderr)
        self.assertIn(self.played, ran.stderr)
        self.assertIn(says, ran.stderr)
        self.assertIn("--played", ran.stderr)
        self.assertEqual(pathlib.Path(self.played).read_bytes(), before)

    def test_its_first_line_says_what_it_belongs_to(self):
        self.play(*NIM, "--limit", "500")
        head = self.head()
        self.assertEqual((head["tournament"], head["seats"], head["limit_ms"], head["start_ms"], head["most"]),
                         ("nim", 2, 500, 5000, 10000))
        self.assertEqual(head["entrants"], {"a": {"bot": "greedy"}, "b": {"bot": "random"}})
        self.assertRegex(head["setup"], "^[0-9a-f]{64}$")

    def test_more_games_go_on_from_it(self):
        self.assertEqual(len(self.play(*NIM)), 2)
        ran = self.run_it("nim", TWO, "--games", "3", "--seats", "2")
        self.assertIn("nim: 6 games", ran.stdout)
        self.assertEqual([(line["seed"], line["swapped"]) for line in self.lines()],
                         list(itertools.product((1, 2, 3), (False, True))))

    def test_the_order_of_entrants_plays_nothing_again(self):
        three = [*TWO, {"name": "c", "bot": "random"}]
        before = self.play(*NIM, entrants=three)
        self.assertEqual(len(before), 6)
        for order in itertools.permutations(three):
            self.assertEqual(self.play(*NIM, entrants=order), before)

    def test_another_tournaments_file_is_refused_with_what_differs(self):
        self.play(*NIM)
        other = pathlib.Path(self.folder.name) / "other.json"
        other.write_text('{"heaps": [1, 2]}')
        program = [TWO[0], {"name": "b", "program": ["true"]}]
        for more, entrants, game, says in (
                (("--games", "1"), TWO, "treasure", "it is one of nim, not treasure"),
                (("--games", "1", "--seats", "3"), TWO, "nim", "its --seats is 2, not 3"),
                ((*NIM, "--limit", "7"), TWO, "nim", "its --limit is 1000, not 7"),
                ((*NIM, "--start", "7"), TWO, "nim", "its --start is 5000, not 7"),
                ((*NIM, "--most", "7"), TWO, "nim", "its --most is 10000, not 7"),
                ((*NIM, "--config", str(other)), TWO, "nim", "its set-up is another one"),
                (NIM, program, "nim", 'its "b" is {"bot":"random"}, not {"program":["true"]}'),
                (NIM, [*TWO, {"name": "c", "bot": "random"}], "nim", '"c" is not among its entrants'),
                (NIM, [TWO[0], {"name": "c", "bot": "random"}], "nim", 'its entrant "b" is missing')):
            with self.subTest(says=says):
                self.refuse(*more, entrants=entrants, game=game, says=says)

    def test_the_same_set_up_laid_out_otherwise_goes_on(self):
        configs = [pathlib.Path(self.folder.name) / name for name in ("one.json", "other.json")]
        configs[0].write_text('{"heaps":[3,4,5],"misere":true}')
        configs[1].write_text('{ "misere": true,\n  "heaps": [3, 4, 5] }\n')
        before = self.play(*NIM, "--config", str(configs[0]))
        self.assertEqual(self.play(*NIM, "--config", str(configs[1])), before)

    def test_a_file_of_another_kind_is_refused_and_stays_as_it_is(self):
        game = '{"one":"a","other":"b","seed":1,"swapped":false,"score":1,"acts":3,"slowest_ms_one":0,' \
               '"slowest_ms_other":0}\n'
        for text in ("diary\n", "diary", "{}\n", game, "\n", "\0\0\0", '{"tournament"', '{"tournament":"x"}\n',
                     "x" * (3 << 20)):
            with self.subTest(text=text[:20]):
                pathlib.Path(self.played).write_text(text)
                self.refuse(*NIM, says="no file of a tournament")

    def test_a_line_that_is_no_game_is_named(self):
        self.play(*NIM)
        whole = pathlib.Path(self.played).read_text()
        good = self.lines()[0]
        for wrong in ("diary", "", "[]", json.dumps(dict(good, one="x")), json.dumps(dict(good, other="a")),
                      json.dumps(dict(good, score=2)), json.dumps(dict(good, acts=-1)),
                      json.dumps(dict(good, acts="3")), json.dumps(dict(good, swapped=1)),
                      json.dumps(dict(good, seed=None)), json.dumps(dict(good, failed=0)),
                      json.dumps(dict(good, failed=2, why="hung"))):
            with self.subTest(wrong=wrong):
                pathlib.Path(self.played).write_text(whole + wrong + "\n")
                self.refuse(*NIM, says=self.played + ":4: this is no game of the tournament")
        pathlib.Path(self.played).write_text(whole + "x" * (2 << 20))
        self.refuse(*NIM, says=self.played + ":4: ")

    def test_a_game_that_stands_there_twice_counts_once(self):
        games = self.play(*NIM)
        turned = dict(games[0], one="b", other="a", swapped=True, score=-games[0]["score"])
        with open(self.played, "a") as file:
            file.write(json.dumps(games[0]) + "\n" + json.dumps(turned) + "\n")
        self.assertIn("nim: 2 games", self.run_it("nim", TWO, *NIM).stdout)

    def test_a_torn_end_is_taken_away_and_played_again(self):
        before = self.play("--games", "2", "--seats", "2")
        whole = pathlib.Path(self.played).read_bytes()
        start = len(whole.splitlines(True)[0])
        ends = {len(whole) - cut for cut in (1, 2, 40)} | {start, start + 1, start - 1, 14, len(whole)}
        for end in sorted(ends):
            for junk in (b"", b"\0\0\0"):
                if end < start and junk:
                    continue  # A head is whole on the disk before a game is played.
                with self.subTest(end=end, junk=junk):
                    pathlib.Path(self.played).write_bytes(whole[:end] + junk)
                    self.assertEqual(self.play("--games", "2", "--seats", "2"), before)
                    self.assertEqual(pathlib.Path(self.played).read_bytes(), whole)

    def test_it_goes_on_where_it_was_interrupted(self):
        entrants = [{"name": "a", "bot": "random"}, {"name": "b", "bot": "greedy"}]
        running = subprocess.Popen(self.words("treasure", entrants, "--games", "100000"), env=ENV,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not os.path.exists(self.played) or len(pathlib.Path(self.played).read_text()) < 1000:
            time.sleep(0.01)
        beside = self.run_it("treasure", entrants, "--games", "100000")
        self.assertEqual((beside.returncode, beside.stdout), (3, ""))
        self.assertIn("is being played just now", beside.stderr)
        running.send_signal(signal.SIGINT)
        said = running.communicate()[1]
        self.assertEqual(running.returncode, 130)
        self.assertIn("the same command goes on from " + self.played, said)
        before = self.lines()
        games = len(before) // 2 + 2
        with open(self.played, "a") as half:
            half.write('{"one":"a","oth')
        after = self.play("--games", str(games), entrants=entrants, game="treasure")
        self.assertEqual(after[:len(before)], before)
        self.assertEqual(len({(line["seed"], line["swapped"]) for line in after}), 2 * games)
        self.assertEqual(len(after), 2 * games)

    def test_what_cannot_be_written_is_told_before_the_first_game(self):
        folder = self.folder.name
        pathlib.Path(folder + "/shut").write_text("")
        for played, report, code, says in (
                (folder, None, 3, "cannot be written"), (folder + "/none/played", None, 3, "cannot be written"),
                ("/dev/null", None, 3, "is not a file"), ("-", None, 2, "--played takes the name of a file"),
                (self.played, "-", 2, "--report takes the name of a file"),
                (self.played, folder + "/none/report", 3, "cannot be written"),
                (self.played, "/dev/null", 3, "is no file"),
                (self.played, folder + "/./played", 3, "is the file of what was played; name another one"),
                (self.played, folder + "/./entrants.json", 3, "is the file of who plays; name another one")):
            with self.subTest(played=played, report=report):
                self.played = played
                ran = self.run_it("nim", TWO, *NIM, *(("--report", report) if report else ()))
                self.assertEqual((ran.returncode, ran.stdout), (code, ""), ran.stderr)
                self.assertIn(says, ran.stderr)
                self.played = folder + "/played"
        self.assertEqual(self.lines(), [])
        self.assertEqual(len(json.loads(pathlib.Path(self.entrants).read_text())), 2)

    def test_the_report_and_the_errors_have_a_file_each(self):
        report = self.folder.name + "/report"
        ran = self.run_it("nim", TWO, *NIM, "--report", report, "--errors", self.folder.name + "/./report")
        self.assertEqual((ran.returncode, ran.stdout), (3, ""), ran.stderr)
        self.assertIn(f"--report {report} is the file of what goes wrong; name another one.", ran.stderr)
        self.assertEqual(self.lines(), [])


class Entrants(Runs):
    def refuse(self, entrants, *faults, game="nim"):
        ran = self.run_it(game, entrants, *NIM)
        self.assertEqual((ran.returncode, ran.stdout), (3, ""), ran.stderr)
        self.assertEqual(ran.stderr.splitlines(), [self.entrants + ":" + fault for fault in faults])
        self.assertFalse(os.path.exists(self.played))

    def test_what_is_wrong_is_named_with_its_place(self):
        good = {"name": "a", "bot": "greedy"}
        one_of = "of the keys bot, program, rest and plain, must have 1"
        for entrants, faults in (
                ("{}", (" is an object, must be a list of entrants",)),
                ([good], (" has 1 entrants, must have 2 to 64",)),
                ([good, 7], ("/1: is a whole number, must be an object",)),
                ([good, {"name": "b"}], (f"/1: has 0 {one_of}",)),
                ([good, {"name": "b", "bot": "random", "program": ["true"]}], (f"/1: has 2 {one_of}",)),
                ([good, {"name": "b", "bot": "clever"}],
                 ('/1/bot: is "clever", must be one of random, greedy, search, search:NODES, level:N',)),
                ([good, {"name": "a", "bot": "greedy"}],
                 ("/1/name: is the name of entrant 0 already, must be a name of its own",)),
                ([good, {"name": "", "bot": "random"}], ("/1/name: has 0 bytes, must have 1 to 39",)),
                ([good, {"name": "b" * 40, "bot": "random"}], ("/1/name: has 40 bytes, must have 1 to 39",)),
                ([good, {"name": "b", "program": []}], ("/1/program: has 0 words, must have 1 to 32",)),
                ([good, {"name": "b", "program": ["true", 7]}], ("/1/program/1: is a whole number, must be a string",)),
                ([good, {"name": "b", "rest": ["true"]}],
                 ('/1/rest: is the door of treasure alone; this game is played by "program" or "plain"',)),
                ([{"bot": "x"}, good], ("/0/name: is missing, must be a string",
                                        '/0/bot: is "x", must be one of random, greedy, search, search:NODES, level:N'))):
            with self.subTest(entrants=entrants):
                self.refuse(entrants, *faults)
        for entrants, begins in (([good, {"name": "b", "bot": "random", "colour": "red"}], ":/1/colour: is not a key"),
                                 ("[", ": line 1, column 1: "), ("[" + json.dumps(good) + ",]", ": line 1, column ")):
            ran = self.run_it("nim", entrants, *NIM)
            self.assertEqual(ran.returncode, 3)
            self.assertTrue(ran.stderr.startswith(self.entrants + begins), ran.stderr)

    def test_a_file_that_is_not_there_is_told_as_that(self):
        words = [ARBITER, "tournament", "nim", "--entrants", self.folder.name + "/none", *NIM]
        ran = subprocess.run(words, env=ENV, capture_output=True, text=True)
        self.assertEqual((ran.returncode, ran.stderr),
                         (3, f"{self.folder.name}/none: cannot be read: No such file or directory\n"))

    def test_a_program_that_is_not_there_is_told_before_the_first_game(self):
        shut = pathlib.Path(self.folder.name) / "shut"
        shut.write_text("#!/bin/sh\n")
        for word, why in (("no-such-program", "no folder of PATH has a program of this name"), ("", "it has no name"),
                          ("/no/such/program", "No such file or directory"), ("/", "it is no file"),
                          (str(shut), 'it is not executable; "chmod +x" makes it so')):
            with self.subTest(word=word):
                self.refuse([TWO[0], {"name": "b", "program": [word]}],
                            "/1/program/0: cannot be started: " + why)
        self.refuse([TWO[0], {"name": "b", "plain": ["no-such-program"]}],
                    "/1/plain/0: cannot be started: no folder of PATH has a program of this name")

    def test_a_program_that_does_not_start_ends_the_tournament_and_costs_nobody_a_game(self):
        script = pathlib.Path(self.folder.name) / "script"
        script.write_text("#!/no/such/interpreter\n")
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        entrants = [*TWO, {"name": "c", "program": [str(script)]}]
        ran = self.run_it("nim", entrants, *NIM)
        self.assertEqual(ran.returncode, 3)
        self.assertIn('"c" cannot be started: No such file or directory', ran.stderr)
        self.assertIn("the same command goes on", ran.stderr)
        self.assertEqual([(line["one"], line["other"], line.get("why")) for line in self.lines()],
                         [("a", "b", None)] * 2)
        script.write_text(f"#!{sys.executable}\n")
        self.assertEqual(self.run_it("nim", entrants, *NIM).returncode, 0)
        self.assertEqual(len(self.lines()), 6)


if __name__ == "__main__":
    unittest.main()
