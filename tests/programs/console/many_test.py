"""many_test.py: a tournament of many: several games at once, entrants that hang, come and change, and every match file."""
import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
import unittest

from tournaments import ARBITER, ENV, TWO, Runs

NIM = ("--games", "2", "--seats", "2")
SLOW = """
import json, sys, time
for line in sys.stdin:
    said = json.loads(line)
    if "ask" in said:
        time.sleep(0.02)
        print(json.dumps({"command": said["ask"]["legal"][0]}), flush=True)
"""


SPY = """
import json, os, socket, sys
def tried(what, does):
    try:
        does()
        print(what, file=sys.stderr)
    except (OSError, MemoryError):
        pass
tried("network", lambda: socket.create_connection(("127.0.0.1", int(sys.argv[2])), 1))
tried("secret", lambda: open(sys.argv[1] + "/secret").read())
tried("written", lambda: open(sys.argv[1] + "/mine/new", "w"))
tried("memory", lambda: bytearray(400 << 20))
print("done", file=sys.stderr, flush=True)
for line in sys.stdin:
    said = json.loads(line)
    if "ask" in said:
        print(json.dumps({"command": said["ask"]["legal"][0]}), flush=True)
"""


class Many(Runs):
    def key(self, line):
        return (line["one"], line["other"], line["seed"], line["swapped"])

    def test_several_games_at_once_are_the_same_games(self):
        three = [*TWO, {"name": "c", "bot": "random"}]
        self.assertEqual(self.run_it("nim", three, *NIM).returncode, 0)
        alone = sorted(self.lines(), key=self.key)
        pathlib.Path(self.played).unlink()
        ran = self.run_it("nim", three, *NIM, "--jobs", "3")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertEqual(sorted(self.lines(), key=self.key), alone)

    def test_a_program_forfeits_in_a_job_as_anywhere(self):
        entrants = [TWO[1], {"name": "dies", "program": ["false"]}]
        ran = self.run_it("nim", entrants, *NIM, "--jobs", "2", "--start", "30000")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual([line["why"] for line in self.lines()], ["crashed"] * 4)

    def test_interrupted_and_killed_it_goes_on_and_nothing_is_played_twice(self):
        entrants = [TWO[1], {"name": "slow", "program": [sys.executable, "-c", SLOW]}]
        words = self.words("nim", entrants, "--games", "6", "--seats", "2", "--jobs", "2", "--start", "30000")
        for number, code in ((signal.SIGINT, 130), (signal.SIGKILL, -9)):
            before = len(self.lines()) if pathlib.Path(self.played).exists() else 0
            run = subprocess.Popen(words, env=ENV, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while not pathlib.Path(self.played).exists() or len(self.played_so_far()) < before + 2:
                self.assertIsNone(run.poll())
                time.sleep(0.01)
            run.send_signal(number)
            self.assertEqual(run.wait(60), code)
        last = subprocess.run(words, env=ENV, capture_output=True, text=True, check=False)
        self.assertEqual((last.returncode, last.stderr), (0, ""))
        games = [self.key(line) for line in self.lines()]
        self.assertEqual((len(games), len(set(games))), (12, 12))

    def test_games_that_outlive_a_killed_run_do_not_hold_up_the_next(self):
        entrants = [TWO[1], {"name": "slow", "program": [sys.executable, "-c", SLOW]}]
        words = self.words("nim", entrants, "--games", "4", "--seats", "2", "--jobs", "2", "--start", "30000")
        run = subprocess.Popen(words, env=ENV, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        children = pathlib.Path(f"/proc/{run.pid}/task/{run.pid}/children")
        while not pathlib.Path(self.played).exists() or not self.played_so_far() or not (left := children.read_text().split()):
            self.assertIsNone(run.poll())
            time.sleep(0.01)
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGSTOP)
        run.kill()
        run.wait(60)
        last = subprocess.run(words, env=ENV, capture_output=True, text=True, check=False)
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
        self.assertEqual((last.returncode, last.stderr), (0, ""))

    def played_so_far(self):
        return pathlib.Path(self.played).read_text().splitlines()[1:]

    def test_who_hangs_in_a_row_is_taken_out_and_that_is_said(self):
        entrants = [TWO[1], {"name": "c", "bot": "random"}, {"name": "hangs", "program": ["sleep", "1000"]}]
        ran = self.run_it("nim", entrants, "--games", "3", "--seats", "2", "--limit", "50", "--start", "50", "--out-after", "3")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        whys = [line["why"] for line in self.lines() if "hangs" in (line["one"], line["other"]) and "why" in line]
        self.assertEqual(whys[-1], "taken out")
        self.assertEqual(whys.count("hung"), 3)
        self.assertRegex(ran.stdout, r"\nhangs forfeited \d+ games: taken out ")
        again = self.run_it("nim", entrants, "--games", "4", "--seats", "2", "--limit", "50", "--start", "50", "--out-after", "3")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual([line.get("why") for line in self.lines() if "hangs" in (line["one"], line["other"])].count("hung"), 3)

    def test_entrants_come_and_change_and_nothing_else_is_played_again(self):
        three = [*TWO, {"name": "c", "bot": "random"}]
        self.assertEqual(self.run_it("nim", three, *NIM).returncode, 0)
        before = {self.key(line): line for line in self.lines()}
        changed = [*TWO, {"name": "c", "bot": "greedy"}, {"name": "d", "bot": "random"}]
        self.assertEqual(self.run_it("nim", changed, *NIM).returncode, 3)
        ran = self.run_it("nim", changed, *NIM, "--change")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("nim: 24 games", ran.stdout)
        kept = [line for line in self.lines() if "c" not in (line["one"], line["other"]) and "d" not in (line["one"], line["other"])]
        self.assertEqual(self.lines()[:len(kept)], kept)
        self.assertEqual(kept, [line for line in before.values() if "c" not in (line["one"], line["other"])])
        self.assertEqual(self.head()["entrants"]["c"], {"bot": "greedy"})
        self.assertEqual(self.run_it("nim", changed, *NIM).stdout, ran.stdout)
        self.assertEqual(self.run_it("nim", changed, *NIM, "--change", "--limit", "7").returncode, 3)

    def test_every_game_leaves_a_match_file_that_verifies_and_the_report_leads_to_it(self):
        folder, report = self.folder.name + "/kept", self.folder.name + "/report.html"
        entrants = [{"name": "a/b", "bot": "greedy"}, {"name": "c", "bot": "random"}]
        ran = self.run_it("treasure", entrants, "--games", "2", "--matches", folder, "--report", report, "--jobs", "2")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        names = [line["match"] for line in self.lines()]
        self.assertEqual(sorted(path.name for path in pathlib.Path(folder).iterdir()), sorted(names))
        self.assertEqual(len(set(names)), 4)
        done = subprocess.run([ARBITER, "verify", *(f"{folder}/{name}" for name in names)], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, done.stdout.count(": holds: ")), (0, 4))
        shown = subprocess.run([ARBITER, "replay", f"{folder}/{names[0]}", "--to", "1"], capture_output=True, text=True,
                               check=True)
        self.assertIn("a/b", shown.stdout + pathlib.Path(f"{folder}/{names[0]}").read_bytes().decode("latin-1"))
        page = pathlib.Path(report).read_text()
        for name in names:
            self.assertIn(f'<a href="kept/{name}">', page)

    def test_a_program_in_a_sandbox_sees_no_network_and_no_files_and_has_little_memory(self):
        folder = pathlib.Path(self.folder.name)
        (folder / "mine").mkdir()
        (folder / "secret").write_text("others' work")
        program, notes = folder / "mine/spy.py", folder / "errors"
        program.write_text(SPY)
        with socket.create_server(("127.0.0.1", 0)) as door:
            words = ["/usr/bin/python3", str(program), str(folder), str(door.getsockname()[1])]
            entrants = [TWO[1], {"name": "spy", "program": words}]
            more = ("--games", "1", "--seats", "2", "--start", "30000", "--memory", "200", "--errors", str(notes))
            free = self.run_it("nim", entrants, *more)
            self.assertEqual(free.returncode, 0, free.stderr)
            self.assertLess({"network", "secret", "written", "memory"}, set(notes.read_text().split("\n")))
            pathlib.Path(self.played).unlink()
            notes.unlink()
            ran = self.run_it("nim", entrants, *more, "--sandbox")
        if "bubblewrap" in ran.stderr:      # It is not there, or not allowed: then nothing is played at all.
            self.assertEqual((ran.returncode, ran.stdout), (3, ""))
            return
        self.assertEqual((ran.returncode, [line.get("why") for line in self.lines()]), (0, [None, None]), ran.stderr)
        self.assertEqual(set(notes.read_text().split("\n")) & {"network", "secret", "written", "memory"}, set())
        self.assertEqual(notes.read_text().count("done\n"), 2)

    def test_standings_for_programs(self):
        ran = self.run_it("nim", TWO, *NIM, "--json")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        told = json.loads(ran.stdout)
        self.assertEqual((told["game"], told["games"], len(told["played"])), ("nim", 4, 4))
        self.assertEqual(sum(entrant["points"] for entrant in told["entrants"]), 4)
        self.assertEqual([entrant["rank"] for entrant in told["entrants"]][0], 1)


if __name__ == "__main__":
    unittest.main()
