"""tournament_test.py: bots and programs against each other; some die, hang or talk nonsense, and nobody else suffers."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
ARBITER = str(pathlib.Path(os.environ["ARBITER_BUILD"]) / "arbiter")
ENV = dict(os.environ, ARBITER_CONFIGS=os.environ["ARBITER_SOURCE"] + "/configs")

FIRST = """
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if "ask" in said:
        ask = said["ask"]
        print(json.dumps({"command": (ask["legal"] or [ask.get("proposal")])[0]}), flush=True)
"""
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


class Tournament(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="tournament-")
        self.played = self.folder.name + "/played"

    def tearDown(self):
        self.folder.cleanup()

    def words(self, game, entrants, *more):
        path = pathlib.Path(self.folder.name) / "entrants.json"
        path.write_text(json.dumps(entrants))
        return [ARBITER, "tournament", game, "--entrants", str(path), "--played", self.played, *more]

    def run_it(self, game, entrants, *more):
        return subprocess.run(self.words(game, entrants, *more), env=ENV, capture_output=True, text=True)

    def lines(self):
        return [json.loads(line) for line in pathlib.Path(self.played).read_text().splitlines()]

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
        self.assertGreaterEqual(len(pathlib.Path(strays).read_text().split()), 2)
        left = [pid for pid in pathlib.Path(strays).read_text().split() if is_alive(pid)]
        self.assertEqual(left, [])

    def walker(self, how):
        """An entrant who comes by the door of 2017, and where he notes what he is told."""
        notes = pathlib.Path(self.folder.name) / how
        notes.touch()
        return {"name": how, "rest": [sys.executable, str(SOURCE / "tests/gateway/rest_walker.py"), "{port}", how,
                                      str(notes)]}, notes

    def test_programs_of_2017_play_against_bots_and_each_other(self):
        walker, notes = self.walker("well")
        client = {"name": "client", "rest": [sys.executable, str(SOURCE / "tests/gateway/rest_client.py"), "{port}"]}
        bot = {"name": "bot", "bot": "greedy"}
        ran = self.run_it("treasure", [walker, bot, client], "--games", "1", "--limit", "30000", "--start", "30000")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual([line.get("why") for line in self.lines()], [None] * 6)
        self.assertGreater(min(line["acts"] for line in self.lines()), 20)
        lost = sum(line["score"] < 0 for line in self.lines() if line["one"] == "well")
        told = notes.read_text().splitlines()
        self.assertEqual(sum("/NewPlayer 200" in line for line in told), 4)
        self.assertEqual(sum("<Loss>true</Loss></UpdateResponse>" in line for line in told) >= lost, True)
        self.assertEqual(sum("/ConnectionProblem 200" in line for line in told), 4)
        self.assertTrue(all(line.split()[2].isdigit() for line in told))

    def test_mistakes_of_2017_lose_by_the_rules_and_silence_forfeits(self):
        entrants, notes = zip(*[self.walker(how) for how in ("half", "sense", "die", "hang")])
        ran = self.run_it("treasure", [{"name": "bot", "bot": "random"}, *entrants], "--games", "1", "--limit", "1500",
                          "--start", "30000")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        lines = [line for line in self.lines() if line["one"] == "bot"]
        self.assertEqual([(line["other"], line["score"], line.get("why")) for line in lines],
                         [(how, 1, why) for how, why in (("half", None), ("sense", None), ("die", "crashed"),
                                                         ("hang", "hung")) for _ in range(2)])
        self.assertIn("/MapCreation 200 ", notes[0].read_text())
        self.assertNotIn("FullMap", notes[0].read_text())
        self.assertIn("<ConnectionProblemResponse><Loss>true</Loss>", notes[1].read_text())

    def test_the_door_of_2017_leads_to_one_game(self):
        ran = self.run_it("nim", [self.walker("well")[0], {"name": "bot", "bot": "random"}], "--seats", "2")
        self.assertEqual(ran.returncode, 3)
        self.assertIn("/0: \"rest\" is treasure's door", ran.stderr)

    def test_students_of_a_classroom_play_and_are_refused_without_losing(self):
        for proto in ("proto/plain.proto", "common/games/nim/nim.proto"):
            path = SOURCE / proto
            subprocess.run(["protoc", f"--proto_path={path.parent}", f"--python_out={self.folder.name}", str(path)],
                           check=True)
        notes = pathlib.Path(self.folder.name) / "notes"
        student = {"name": "student", "plain": [sys.executable, str(SOURCE / "tests/gateway/plain_student.py"),
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

    def test_it_goes_on_where_it_was_interrupted(self):
        entrants = [{"name": "a", "bot": "random"}, {"name": "b", "bot": "greedy"}]
        running = subprocess.Popen(self.words("treasure", entrants, "--games", "100000"), env=ENV,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not os.path.exists(self.played) or len(pathlib.Path(self.played).read_text()) < 1000:
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        running.communicate()
        self.assertEqual(running.returncode, 130)
        before = self.lines()
        games = len(before) // 2 + 2
        with open(self.played, "a") as half:
            half.write('{"one":"a","oth')
        ran = self.run_it("treasure", entrants, "--games", str(games))
        self.assertEqual(ran.returncode, 0, ran.stderr)
        whole = [line for line in pathlib.Path(self.played).read_text().splitlines() if line.endswith("}")]
        self.assertEqual(len(set((json.loads(line)["seed"], json.loads(line)["swapped"]) for line in whole
                                 if line.startswith('{"one":"a","other"'))), 2 * games)

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

    def test_bad_entrants_are_named(self):
        for entrants in ([], [{"name": "a", "bot": "greedy"}], [{"name": "a", "bot": "clever"}, {"name": "b"}],
                         [{"name": "a", "bot": "random"}, {"name": "a", "bot": "greedy"}]):
            self.assertEqual(self.run_it("nim", entrants).returncode, 3, entrants)


if __name__ == "__main__":
    unittest.main()
