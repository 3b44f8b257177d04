"""tournament_test.py: bots and programs against each other; some die, hang or talk nonsense, and nobody else suffers."""
import json
import pathlib
import re
import subprocess
import sys
import unittest

from tournaments import SOURCE, Runs

FIRST = """
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if "ask" in said:
        ask = said["ask"]
        print(json.dumps({"command": (ask["legal"] or [ask.get("proposal")])[0]}), flush=True)
"""
# Says much more on its standard error than a pipe holds, and plays on.
LOUD = FIRST.replace("import json, sys\n", "import json, sys\nsys.stderr.write('x' * 3000000)\n", 1)
DIES = "import sys\nsys.stderr.write('It has\\n  no \\x1b[31mheap \\n\\n')\nsys.exit(1)"
NONSENSE = ["sh", "-c", "while read -r line; do echo '[1, 2'; done"]
# One stays in its group, one leaves it and its session; who started them hangs.
STRAY = "sleep 1000 & echo $! >>$0; setsid sh -c 'echo $$ >>$0; sleep 1000' $0 >/dev/null 2>&1 & sleep 1000"


def program(text):
    return [sys.executable, "-c", text]


def is_alive(pid):
    """Whether it runs still; who was killed and not yet waited for does not."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


class Tournament(Runs):
    def test_two_bots_play_every_seed_in_both_seatings(self):
        ran = self.run_it("treasure", [{"name": "a", "bot": "greedy"}, {"name": "b", "bot": "random"}], "--games", "2")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual([(line["seed"], line["swapped"]) for line in self.lines()],
                         [(1, False), (1, True), (2, False), (2, True)])
        self.assertGreater(sum(line["score"] for line in self.lines()), 0)
        self.assertLess(ran.stdout.index(" a\n"), ran.stdout.index(" b\n"))

    def test_a_program_plays_to_the_end_and_its_answers_are_timed(self):
        entrants = [{"name": "bot", "bot": "random"}, {"name": "first", "program": program(FIRST)}]
        for game in ("nim", "treasure"):
            pathlib.Path(self.played).unlink(missing_ok=True)
            more = ["--seats", "2"] if game == "nim" else []
            ran = self.run_it(game, entrants, "--games", "1", "--limit", "30000", "--start", "30000", *more)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertEqual([line.get("why") for line in self.lines()], [None, None])
            self.assertGreater(self.lines()[0]["acts"], 2)

    def test_who_dies_hangs_or_babbles_forfeits_and_leaves_nobody_behind(self):
        strays = self.folder.name + "/strays"
        entrants = [{"name": "bot", "bot": "random"}, {"name": "dies", "program": ["false"]},
                    {"name": "babbles", "program": NONSENSE}, {"name": "hangs", "program": ["sh", "-c", STRAY, strays]}]
        ran = self.run_it("nim", entrants, "--games", "1", "--limit", "100", "--start", "700", "--seats", "2")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        why = {line["other"]: line["why"] for line in self.lines() if line["one"] == "bot" and line["swapped"]}
        self.assertEqual(why, {"dies": "crashed", "babbles": "nonsense", "hangs": "hung"})
        slowest = {line["slowest_ms_other"] for line in self.lines() if line["other"] == "hangs" and "why" in line
                   and line["failed"] == 1}
        self.assertEqual(slowest, {800})  # All the time that it was given for a first answer.
        self.assertRegex(ran.stdout, r"\nhangs forfeited [1-9]\d* games?: hung \(the first with seed 1(, seats swapped)?\)\n")
        self.assertGreaterEqual(len(pathlib.Path(strays).read_text().split()), 2)
        left = [pid for pid in pathlib.Path(strays).read_text().split() if is_alive(pid)]
        self.assertEqual(left, [])

    def test_who_breaks_at_once_does_not_score_off_another_who_does(self):
        entrants = [{"name": "bot", "bot": "random"}, {"name": "dies", "program": ["false"]},
                    {"name": "dies too", "program": ["true"]}, {"name": "hangs", "program": ["sleep", "1000"]}]
        ran = self.run_it("nim", entrants, "--games", "1", "--limit", "100", "--start", "300", "--seats", "2")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        table = {line.split("ms  ")[1]: line.split()[:2] for line in ran.stdout.splitlines() if "ms  " in line}
        self.assertEqual(table, {"bot": ["1", "6.0"], "dies": ["2", "0.0"], "dies too": ["2", "0.0"], "hangs": ["2", "0.0"]})
        self.assertIn("both lost 6\n", ran.stdout)

    def test_both_lose_is_no_half_point(self):
        lame = json.dumps({"game": "treasure", "limits": {"think_ms": 0, "max_actions": 4}})
        config = pathlib.Path(self.folder.name) / "lame.json"
        config.write_text(lame)
        ran = self.run_it("treasure", [{"name": "a", "bot": "random"}, {"name": "b", "bot": "random"}], "--games", "2",
                          "--config", str(config))
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual([(line["score"], line["both_lost"]) for line in self.lines()], [(0, True)] * 4)
        self.assertRegex(ran.stdout, r"(?m)^ +1 +0\.0 .* a\n +1 +0\.0 .* b$")

    def test_what_programs_print_on_their_standard_error_goes_to_no_terminal(self):
        report, errors = self.folder.name + "/report.html", self.folder.name + "/errors"
        entrants = [{"name": "bot", "bot": "random"}, {"name": "dies", "program": program(DIES)},
                    {"name": "loud", "program": program(LOUD)}]
        more = ("--games", "1", "--seats", "2", "--limit", "30000", "--start", "30000", "--report", report)
        ran = self.run_it("nim", entrants, *more, "--errors", errors)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertIn("\ndies forfeited 4 games: crashed (the first with seed 1): no ?[31mheap\n", ran.stdout)
        self.assertEqual([line.get("said") for line in self.lines() if "dies" in (line["one"], line["other"])],
                         ["no ?[31mheap"] * 4)
        self.assertIn('<td class="name">no ?[31mheap</td>', pathlib.Path(report).read_text())
        self.assertNotIn("loud forfeited", ran.stdout)
        said = pathlib.Path(errors).read_text()
        self.assertEqual((said.count("-- dies, seed 1, seat "), said.count("-- loud, seed 1, seat ")), (4, 4))
        self.assertEqual(said.count("\n  no \x1b[31mheap \n\n"), 4)
        self.assertGreaterEqual(said.count("x"), 3 * 3000000)  # Of one game the other's death is the end before.

    def walker(self, how):
        """An entrant who comes by the door of 2017, and where he notes what he is told."""
        notes = pathlib.Path(self.folder.name) / how
        notes.touch()
        return {"name": how, "rest": [sys.executable, str(SOURCE / "tests/lib/gateway/rest_walker.py"), "{port}", how,
                                      str(notes)]}, notes

    def test_programs_of_2017_play_against_bots_and_each_other(self):
        walker, notes = self.walker("well")
        client = {"name": "client", "rest": [sys.executable, str(SOURCE / "tests/lib/gateway/rest_client.py"), "{port}"]}
        bot = {"name": "bot", "bot": "greedy"}
        ran = self.run_it("treasure", [walker, bot, client], "--games", "1", "--limit", "30000", "--start", "30000")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual([line.get("why") for line in self.lines()], [None] * 6)
        self.assertGreater(min(line["acts"] for line in self.lines()), 6)  # Both have drawn and merged a map, and have moved.
        lost = sum(line["score"] < 0 for line in self.lines() if line["one"] == "well")
        told = notes.read_text().splitlines()
        self.assertEqual(sum("/NewPlayer 200" in line for line in told), 4)
        self.assertEqual(sum("<Loss>true</Loss></UpdateResponse>" in line for line in told) >= lost, True)
        self.assertEqual(sum("/ConnectionProblem 200" in line for line in told), 4)
        self.assertTrue(all(line.split()[2].isdigit() for line in told))

    def test_a_program_of_2017_is_told_which_methods_there_are(self):
        notes = pathlib.Path(self.folder.name) / "notes"
        ask = ("import sys, urllib.request as r, urllib.error as e\n"
               "try: r.urlopen('http://127.0.0.1:' + sys.argv[1] + '/NewPlayer')\n"
               "except e.HTTPError as told: open(sys.argv[2], 'a').write(f\"{told.code} {told.headers['Allow']}\\n\")\n")
        curious = {"name": "curious", "rest": [sys.executable, "-c", ask, "{port}", str(notes)]}
        ran = self.run_it("treasure", [{"name": "bot", "bot": "random"}, curious], "--games", "1", "--start", "30000")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(notes.read_text(), "405 POST, PUT\n" * 2)

    def test_mistakes_of_2017_lose_by_the_rules_and_silence_forfeits(self):
        entrants, notes = zip(*[self.walker(how) for how in ("half", "sense", "die", "hang")])
        ran = self.run_it("treasure", [{"name": "bot", "bot": "random"}, *entrants], "--games", "1", "--limit", "1500",
                          "--start", "30000")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        lines = [line for line in self.lines() if line["one"] == "bot"]
        self.assertEqual([(line["other"], line["score"], line.get("why")) for line in lines],
                         [(how, 1, why) for how, why in (("half", None), ("sense", None), ("die", "crashed"),
                                                         ("hang", "hung")) for _ in range(2)])
        self.assertGreaterEqual(min(line["slowest_ms_other"] for line in lines if line["other"] == "hang"), 1500)
        self.assertIn("/MapCreation 200 ", notes[0].read_text())
        self.assertNotIn("FullMap", notes[0].read_text())
        self.assertIn("<ConnectionProblemResponse><Loss>true</Loss>", notes[1].read_text())

    def test_students_of_a_classroom_play_and_are_refused_without_losing(self):
        for proto in ("proto/plain.proto", "common/games/nim/nim.proto"):
            path = SOURCE / proto
            subprocess.run(["protoc", f"--proto_path={path.parent}", f"--python_out={self.folder.name}", str(path)],
                           check=True)
        notes = pathlib.Path(self.folder.name) / "notes"
        student = {"name": "student", "plain": [sys.executable, str(SOURCE / "tests/lib/gateway/plain_student.py"),
                                                "{address}", self.folder.name, str(notes)]}
        ran = self.run_it("nim", [{"name": "bot", "bot": "random"}, student], "--games", "1", "--seats", "2",
                          "--limit", "30000", "--start", "30000")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual([line.get("why") for line in self.lines()], [None, None])
        told = notes.read_text().splitlines()
        self.assertEqual([line for line in told if line.startswith("begins")],
                         ["begins 1 bot student", "begins 0 student bot"])
        self.assertGreaterEqual(sum(line.startswith("refused ") for line in told), 2)
        self.assertEqual(told.count("over timed"), 2)

    def test_a_client_of_the_dead_plays_here_as_at_a_served_match(self):
        bot = {"name": "pupil", "plain": [str(SOURCE / "common/games/dead/course/dead-bot"), "{address}", "Ada", "7"]}
        notes = self.folder.name + "/notes"
        ran = self.run_it("dead", [{"name": "house", "bot": "random"}, bot], "--games", "1", "--config", "intro",
                          "--limit", "30000", "--start", "30000", "--errors", notes)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual([(line.get("why"), line["acts"] > 8) for line in self.lines()], [(None, True)] * 2)
        self.assertNotIn("Traceback", pathlib.Path(notes).read_text())

    def test_the_report_is_one_page_with_nothing_outside_of_it(self):
        report = self.folder.name + "/report.html"
        ran = self.run_it("nim", [{"name": "<a>", "bot": "greedy"}, {"name": "b", "bot": "random"}], "--games", "3",
                          "--seats", "2", "--report", report)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        page = pathlib.Path(report).read_text()
        self.assertIn("&lt;a&gt;", page)
        self.assertEqual(page.count('<div class="of"><b>'), 2)  # An interval for each entrant.
        self.assertEqual(self.bars_of(page), 6)
        self.assertNotIn("Forfeits", page)
        self.assertNotIn("http", page)
        self.assertNotIn("<a>", page)

    def bars_of(self, page):
        """How many games stand in the plot of lengths."""
        return sum(int(count) for count in re.findall(r" acts: (\d+)", page))

    def test_the_report_says_who_forfeited_why_and_leaves_those_games_out_of_the_lengths(self):
        report = self.folder.name + "/report.html"
        ran = self.run_it("nim", [{"name": "a", "bot": "greedy"}, {"name": "b", "bot": "random"},
                                  {"name": "late & dead", "program": ["false"]}], "--games", "2", "--seats", "2",
                          "--report", report)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        page = pathlib.Path(report).read_text()
        self.assertIn('<td class="name">late &amp; dead</td><td class="name">crashed</td><td>8</td><td>1</td>', page)
        self.assertEqual(self.bars_of(page), 4)


if __name__ == "__main__":
    unittest.main()
