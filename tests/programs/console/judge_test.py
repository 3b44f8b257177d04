"""judge_test.py: `arbiter judge` against a server that is right, and against others that are wrong on purpose.

Those for whom it waits longest are for the night: `nightly` behind the name of this file.
"""
import concurrent.futures
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
import xml.etree.ElementTree

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
ARBITER = pathlib.Path(os.environ["ARBITER_BUILD"]) / "arbiter"
PROGRAM = f"{sys.executable} -B {SOURCE}/tests/programs/console/judged.py"
OPTIONS = "--config {config} --port {port} --seed {seed} --timeout {timeout} --edition {edition}"
GAMES = ("--topics", "rules,order,dice,audience,clock")
PATIENCE = float(os.environ.get("CLASSROOM_PATIENCE", 60))
IS_NIGHT = sys.argv[1:] == ["nightly"]


def setUpModule():
    global folder, environment
    folder = tempfile.TemporaryDirectory()
    (pathlib.Path(folder.name) / "tmp").mkdir()
    environment = {**os.environ, "TMPDIR": f"{folder.name}/tmp"}


def tearDownModule():
    folder.cleanup()


def judge(*words):
    return subprocess.run([ARBITER, "judge", *map(str, words)], capture_output=True, text=True, env=environment,
                          timeout=10 * PATIENCE)


def judge_fault(fault, *words):
    return judge("dead", *GAMES, "--stop-after", 1, "--start", f"{PROGRAM} {fault} {OPTIONS}", *words)


class RightTest(unittest.TestCase):
    def test_a_right_server_gets_all_points(self):
        done = judge("dead", "--games", 6, "--topics", "rules,order,dice,audience,clock,start", "--json", "--start",
                     f"{PROGRAM} honest {OPTIONS}")
        found = json.loads(done.stdout)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual((found["points"], found["of"], found["differences"]), (90, 90, 0), found["checks"])
        self.assertEqual(found["topics"]["clock"]["right"], 1)
        self.assertEqual(found["topics"]["start"]["right"], 9 + 6)
        self.assertEqual(os.listdir(environment["TMPDIR"]), [])

    def test_the_same_seed_makes_the_same_games(self):
        one, other = (json.loads(judge("dead", *GAMES, "--games", 2, "--seed", seed, "--json", "--start",
                                       f"{PROGRAM} honest {OPTIONS}").stdout)["checks"] for seed in (3, 3))
        self.assertEqual([check["about"] for check in one], [check["about"] for check in other])


class AskedTest(unittest.TestCase):
    ASKED = {}  # fault: games, and more words.

    @classmethod
    def setUpClass(cls):
        def asked(fault):   # What is said last counts: a busy machine has time, unless the fault is to be silent.
            return judge_fault(fault, "--patience", 30, "--games", *cls.ASKED[fault])

        with concurrent.futures.ThreadPoolExecutor(4) as pool:  # Judges mostly wait, so some are asked at once.
            cls.judged = dict(zip(cls.ASKED, pool.map(asked, cls.ASKED)))


class WrongTest(AskedTest):
    ASKED = {"whispers": (3,), "hurries": (3,), "cheats": (3,), "wastes": (3,), "is_curt": (3,), "chats": (3,),
             "honest --early": (25, "--only", 25),  # No pause comes before the silence of this game.
             "honest --code 4": (1,), "honest --frobnicate": (1,), "dies": (1,), "floods": (1,), "rambles": (1,)}

    def assert_found(self, fault, topic, *lines):
        done = self.judged[fault]
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(f"  topic:     {topic}\n", done.stdout)
        for line in lines:
            self.assertRegex(done.stdout, line)

    def test_an_event_for_all_that_one_alone_hears(self):
        self.assert_found("whispers", "Who hears what", r"expected:  Crisis\(crisisId=\d+\) for all, so also for client",
                          r"paragraph: 7\. ")

    def test_events_in_another_order(self):
        self.assert_found("hurries", "Order of the events", r"came:      ActNow\(\)")

    def test_a_die_that_shows_something_else(self):
        self.assert_found("cheats", "Dice and shuffled decks", r"expected:  DieRolled\(player=\d, value=6\)",
                          r"came:      DieRolled\(player=\d, value=5\)")

    def test_an_amount_that_is_wrong(self):
        self.assert_found("wastes", "Rules of the game", r"step \d+: +client \d \(player \d\) says UseCard\(",
                          r"expected:  WasteChanged\(amount=1\)", r"came:      WasteChanged\(amount=2\)", r"paragraph: 1\. ")

    def test_a_refusal_without_a_word(self):
        self.assert_found("is_curt", "What must be refused", r"came:      CommandFailed\(message=\)")

    def test_an_event_too_many_is_seen_where_it_comes(self):
        self.assert_found("chats", "Rules of the game", r"expected:  nothing more for client", r"came:      ActNow\(\)")

    def test_time_that_runs_out_too_early(self):
        self.assert_found("honest --early", "Time running out", r", 1 s after the last command", r", 0\.\d\d s after it")

    def test_another_exit_code(self):
        self.assert_found("honest --code 4", "Start and exit codes", r"expected:  the program ends with exit code 0",
                          r"came:      exit code 4")

    def test_a_server_that_does_not_start_says_why(self):
        done = self.judged["honest --frobnicate"]
        self.assertEqual(done.returncode, 3)
        self.assertIn("came:      it ends with exit code 2\n", done.stdout)
        self.assertIn("unrecognized arguments: --frobnicate", done.stdout)

    def test_a_server_that_ends_in_the_middle_says_why(self):
        done = self.judged["dies"]
        self.assertIn("came:      nothing: the program has ended with 1\n", done.stdout)
        self.assertIn("topic:     Start and exit codes\n", done.stdout)
        self.assertIn("printed:   out of ideas\n", done.stdout)


    def test_frames_without_end_are_not_heard_to_the_end(self):
        self.assert_found("floods", "Rules of the game", r"came:      frames without end, more than 32 MB\n")

    def test_a_long_text_is_shown_in_part(self):
        self.assert_found("rambles", "Rules of the game", r"came:      Player\(.*xxx\.\.\.")
        self.assertLess(len(self.judged["rambles"].stdout), 5000)


class DumbTest(AskedTest):
    ASKED = {"is_silent": (1, "--patience", 1), "envelops": (1, "--patience", 1), "bloats": (1, "--patience", 5)}

    def by_night_a_server_that_never_answers(self):
        done = self.judged["is_silent"]
        self.assertEqual((done.returncode, done.stderr), (3, "arbiter: the server never answered.\n"))

    def by_night_frames_that_no_dealer_expects_are_told(self):
        done = self.judged["envelops"]
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stdout, r"came:      messages of several frames, or too long \(\d+\); each is one frame, a Down\n")


    def by_night_a_frame_that_is_too_long_is_told(self):
        done = self.judged["bloats"]
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"came:      nothing: the connection was cut, as by a frame of more than 64 KiB")


class ReportTest(unittest.TestCase):
    def test_page_and_junit_tell_of_the_difference(self):
        page, junit = (pathlib.Path(folder.name) / name for name in ("report.html", "report.xml"))
        judge_fault("cheats", "--games", 1, "--html", page, "--junit", junit)
        self.assertIn("DieRolled(player=", page.read_text())
        self.assertIn("--only 1", page.read_text())
        suites = xml.etree.ElementTree.parse(junit).getroot()
        self.assertEqual((suites.get("tests"), suites.get("failures")), ("1", "1"))
        failure, = suites.iter("failure")
        self.assertRegex(failure.get("message"), r"^expected DieRolled\(player=\d, value=6\) for all, .* came DieRolled")


class RunningTest(unittest.TestCase):
    def test_one_game_with_a_server_that_runs_already(self):
        config = SOURCE / "common/games/dead/configs/nokids-equipment.json"
        words = f"{PROGRAM} honest --config {config} --port 0 --seed 9 --timeout 60 --edition equipment".split()
        with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) as server:
            port = re.search(r":(\d+)\.$", server.stdout.readline())[1]
            done = judge("dead", "--at", f"localhost:{port}", "--config", config, "--seed", 9, "--edition", "equipment")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(server.wait(PATIENCE), 0)

    def test_ctrl_c_ends_the_server_and_leaves_nothing_behind(self):
        with subprocess.Popen([ARBITER, "judge", "dead", *GAMES, "--start", f"{PROGRAM} is_silent {OPTIONS}", "--patience", "60"],
                              env=environment, stdout=subprocess.PIPE, text=True) as child:
            server, begun = "", time.monotonic()
            while not server and time.monotonic() - begun < PATIENCE:
                listed = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(child.pid)], capture_output=True, text=True)
                server = re.search(r"(\d+) .*judged.py", listed.stdout)
                time.sleep(0.05)
            child.send_signal(signal.SIGINT)
            self.assertEqual(child.wait(PATIENCE), 130)
            self.assertFalse(pathlib.Path(f"/proc/{server.group(1)}").exists())
        self.assertEqual(os.listdir(environment["TMPDIR"]), [])


class UsageTest(unittest.TestCase):
    def assert_usage(self, sentence, *words):
        done = judge(*words)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertIn(sentence, done.stderr)

    def test_what_makes_no_sense_is_said(self):
        whole = f"./server {OPTIONS}"
        self.assert_usage("servers of nim cannot be judged", "nim", "--start", whole)
        self.assert_usage("--start is missing", "dead")
        self.assert_usage("COMMAND has no {seed}", "dead", "--start", whole.replace("--seed {seed}", ""))
        self.assert_usage("\"|\" has no meaning", "dead", "--start", whole + " | tee log")
        self.assert_usage("there is no topic \"luck\"", "dead", "--start", whole, "--topics", "rules,luck")
        self.assert_usage("--at nowhere is not HOST:PORT", "dead", "--start", whole, "--at", "nowhere")
        self.assert_usage("must name 127.0.0.1", "dead", "--start", whole, "--at", "example.org:7000")
        self.assert_usage("only where COMMAND has {edition}", "dead", "--start", whole.replace("{edition}", "x"),
                          "--edition", "all")

    def test_a_program_that_is_not_there(self):
        done = judge("dead", "--start", f"/nonexistent/server {OPTIONS}", "--games", 1)
        self.assertEqual(done.returncode, 3)
        self.assertIn("/nonexistent/server: No such file or directory", done.stderr)


def load_tests(loader, tests, _pattern):
    if not IS_NIGHT:
        return tests
    loader.testMethodPrefix = "by_night_"
    return loader.loadTestsFromTestCase(DumbTest)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] if IS_NIGHT else sys.argv)
