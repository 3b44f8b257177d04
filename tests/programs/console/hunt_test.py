"""hunt_test.py: bots hunt in a house; what was kept of it is asked for afterwards, and who watched saw no secret."""
import contextlib
import json
import os
import pathlib
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

ARBITER = str(pathlib.Path(os.environ["ARBITER_BUILD"]) / "arbiter")
ROOT = pathlib.Path(os.environ["ARBITER_SOURCE"])
sys.path.insert(0, str(ROOT / "tests/process"))

from database import Server  # noqa: E402

SQL = ROOT / "common/games/treasure/recorded/sql"
JOURNAL = ROOT / "common/games/treasure/journal.sql"
ENV = dict(os.environ, ARBITER_CONFIGS=str(ROOT / "configs"))
# Four steps are eight actions, and with them nobody is at his treasure yet: so nobody wins by luck.
SHORT = {"game": "treasure", "limits": {"think_ms": 0, "max_actions": 16}, "visibility": {"mask_actions": 4}, "map": {"treasure_min_distance": 4}}


def arbiter(*words):
    return subprocess.run([ARBITER, *words], env=ENV, stdin=subprocess.DEVNULL, capture_output=True, text=True)


def queries():
    parts = re.split(r"^-- (Q\d)[^\n]*\n", (SQL / "queries.sql").read_text(), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


class Hunt(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="hunt-")
        cls.home = cls.folder.name + "/home"
        config = pathlib.Path(cls.folder.name) / "short.json"
        config.write_text(json.dumps(SHORT))
        cls.up = subprocess.Popen([ARBITER, "up", "--home", cls.home, "--http", "0", "--treasure", str(config),
                                   "--bot-ms", "1", "--think-ms", "7"], stdout=subprocess.PIPE, text=True, env=ENV)
        said = ""
        while "bot-1" not in said:
            line = cls.up.stdout.readline()
            assert line, "arbiter up has ended"
            said += line
        cls.port = re.search(r"In a browser: http://127\.0\.0\.1:(\d+)/", said)[1]
        cls.config = str(config)
        bot = [ARBITER, "bot", "treasure", "--config", str(config), "--home", cls.home, "--name", "Ada"]
        cls.quiet = subprocess.run(bot, env=ENV, capture_output=True, text=True)
        shown = subprocess.Popen(bot + ["--show", "--ascii"], env=ENV, stdout=subprocess.PIPE, text=True)
        cls.shown, cls.watched, watch = "", "", None
        for line in shown.stdout:
            cls.shown += line
            match = re.search(r"arbiter watch ([0-9a-f]{32})", line)
            if match is not None:
                watch = subprocess.Popen([ARBITER, "watch", match[1], "--ascii", "--home", cls.home, "--name", "Eve"],
                                         env=ENV, stdout=subprocess.PIPE, text=True)
                told = subprocess.Popen([ARBITER, "watch", match[1], "--json", "--home", cls.home, "--name", "Fay"],
                                        env=ENV, stdout=subprocess.PIPE, text=True)
        shown.communicate()
        cls.watched, cls.told = watch.communicate()[0], told.communicate()[0]

    @classmethod
    def tearDownClass(cls):
        cls.up.send_signal(signal.SIGTERM)
        cls.up.communicate()
        cls.folder.cleanup()

    def ask(self, *words):
        answer = arbiter(*words, "--home", self.home)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return answer.stdout

    def test_a_bot_says_how_it_ended(self):
        self.assertEqual(self.quiet.returncode, 0, self.quiet.stderr)
        self.assertIn("Both lose: no actions are left after 16 actions", self.quiet.stdout)
        self.assertNotIn("Go", self.quiet.stdout)

    def test_a_bot_finds_the_usual_set_up(self):
        said = arbiter("bot", "treasure", "--home", self.home, "--name", "Bob", "--private")
        self.assertEqual(said.returncode, 0, said.stderr)

    def test_a_bot_that_shows_draws_the_map_after_each_change(self):
        self.assertGreaterEqual(self.shown.count("Actions so far:"), 8)
        self.assertRegex(self.shown, r"(?m)^([.,^~@CTXEe] ){7}[.,^~@CTXEe]$")
        self.assertRegex(self.shown, r"\d+\.\d s")

    def test_spectators_see_no_castle_and_no_treasure_before_the_end(self):
        boards = re.findall(r"(?m)^Treasure Hunt   (.*)\n((?:(?:[.^~0-9A-Za-z] ){7}[.^~0-9A-Za-z]\n){8})", self.watched)
        going = "".join(board for head, board in boards if "Next: " in head)
        over = "".join(board for head, board in boards if "Next: " not in head)   # On a busy machine it is drawn twice.
        self.assertEqual(set(going) - set(".^~12 \n"), set())
        self.assertTrue(set("ABab") & set(over), boards)
        self.assertIn("Both lose", self.watched)

    def test_programs_watch_line_by_line(self):
        lines = [json.loads(line) for line in self.told.splitlines()]
        self.assertIn("view", lines[0])
        acts = [line["act"] for line in lines if "events" in line]
        self.assertEqual(acts, list(range(acts[0], acts[0] + len(acts))))
        self.assertGreater(acts[-1], 16)  # To the last act; who watches may have come late.
        self.assertEqual(lines[-1], {"over": True})

    def test_results_are_listed_newest_first(self):
        games = json.loads(self.ask("results", "--json"))
        self.assertEqual([game["gameid"] for game in games], list(range(len(games), 0, -1)))
        self.assertEqual({(game["result"], game["reason"], game["roundnumber"]) for game in games[-2:]},
                         {("BOTH_LOSE", "ACTION_LIMIT", 16)})
        self.assertRegex(self.ask("results"), r"Ada \(1\) - bot-1 \(2\)\n")

    def test_all_moves_of_a_game_are_told_with_both_figures(self):
        game = json.loads(self.ask("results", "--game", "1", "--json"))
        rows = self.query("Q6", 1)
        self.assertEqual([(move["actionid"], move["x1"], move["y1"], move["x2"], move["y2"]) for move in game["moves"]],
                         [(row[0], *row[8:]) for row in rows])
        self.assertEqual(len(rows), 16)
        self.assertEqual(len(self.ask("results", "--game", "1").splitlines()), 1 + 8 + 16)
        self.assertEqual(arbiter("results", "--game", "99", "--home", self.home).returncode, 1)

    def test_the_leaderboard_is_what_the_query_says(self):
        said = [(line["matriculationnumber"], line["firstname"], line["games"], line["wins"], line["losses"])
                for line in json.loads(self.ask("leaderboard", "--json"))]
        self.assertEqual(said, [(row[0], row[1], row[3], row[4], row[5]) for row in self.query("Q2")])
        self.assertIn("Ada", self.ask("leaderboard"))

    def test_a_database_says_what_the_home_says(self):
        copy, there = self.folder.name + "/copy", self.folder.name + "/again"
        os.chmod(self.folder.name, 0o711)   # PostgreSQL runs as another user below it.
        with contextlib.ExitStack() as stack:
            server = Server(pathlib.Path(self.folder.name) / "db")
            stack.callback(server.stop, signal.SIGINT)
            server.start()
            place = f"postgresql:///postgres?host={server.folder}&user=arbiter"
            self.ask("backup", copy)
            for words in (("restore", copy, "--home", there), ("store", "copy", place, "--home", there)):
                done = arbiter(*words)
                self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
            for words in (("results",), ("results", "--game", "1"), ("leaderboard",)):
                said = arbiter(*words, "--json", "--store", place)
                self.assertEqual(said.returncode, 0, said.stderr)
                self.assertEqual(said.stdout, arbiter(*words, "--json", "--home", there).stdout)
                self.assertIn("Ada", said.stdout)
            self.answers_all_queries("psql", "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", "-v", "game=1", "-h", server.folder, "-U", "arbiter",
                                     "-d", "postgres", "-c", "SET search_path TO journal", "-f", JOURNAL, "-f", SQL / "queries.sql")

    def answers_all_queries(self, *words):
        """As the README says it is done: Ada is in results, leaderboard and head to head, and no game has a gap."""
        said = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
        self.assertEqual((said.returncode, said.stderr), (0, ""), said.stdout)
        self.assertGreaterEqual(said.stdout.count("Ada"), 2)
        self.assertRegex(said.stdout, r"(?m)^ACTION_LIMIT\|\d+\|16")
        self.assertEqual(len(re.findall(r"(?m)^\d+\|[12]\|(?:UP|DOWN|LEFT|RIGHT|STAY)\|", said.stdout)), 16)

    def test_all_queries_run_on_the_journal_itself(self):
        journal = f"file:{self.home}/data/engine/journal.db?mode=ro"
        self.answers_all_queries("sqlite3", "-bail", journal, f".read {JOURNAL}", ".parameter set :game 1", f".read {SQL / 'queries.sql'}")

    def test_nothing_is_missing_in_the_tables(self):
        self.assertEqual(self.query("Q8"), [])

    def test_what_the_tables_lack_is_a_dash_and_a_game_that_goes_on_has_its_actions_so_far(self):
        copy, there = self.folder.name + "/lacks", self.folder.name + "/lacking"
        self.ask("backup", copy)
        self.assertEqual(arbiter("restore", copy, "--home", there).returncode, 0)
        with contextlib.closing(sqlite3.connect(there + "/data/engine/journal.db")) as database, database:
            database.execute("UPDATE actionlist SET targetx = NULL WHERE gameid = 1 AND actionid = 1")
            database.execute("UPDATE actionlist SET targety = NULL, turnsleft = NULL WHERE gameid = 1 AND actionid = 2")
            database.execute("UPDATE actionlist SET targetx = NULL, targety = NULL, turnsleft = NULL"
                             " WHERE gameid = 1 AND actionid = 3")
            database.execute("UPDATE game SET result = NULL, reason = NULL, ending = NULL, roundnumber = NULL"
                             " WHERE gameid = 1")
        head, *_, = rows = arbiter("results", "--game", "1", "--home", there).stdout.splitlines()
        self.assertRegex(head, r"^ +1  .* goes on +16 ")
        self.assertRegex(rows[-16], r"  to -/\d+, \d+ left ")
        self.assertRegex(rows[-15], r"  to \d+/-, - left ")
        self.assertNotIn(" to ", rows[-14])
        self.assertIn(head, arbiter("results", "--home", there).stdout.splitlines())
        game = json.loads(arbiter("results", "--game", "1", "--json", "--home", there).stdout)
        self.assertEqual((game["roundnumber"], game["actions"]), (None, 16))

    def test_a_result_leads_to_its_match(self):
        game = json.loads(self.ask("results", "--json"))[-1]
        self.assertRegex(game["match"], "^[0-9a-f]{32}$")
        self.assertIn(game["match"], self.ask("results"))
        self.assertIn(game["match"], self.ask("results", "--game", "1"))
        self.assertRegex(self.ask("verify", game["match"]), f"^{game['match']}: holds: treasure, ")
        acts = self.ask("replay", game["match"], "--json").splitlines()
        self.assertGreater(len(acts), 16)
        listed = [match for match in json.loads(self.ask("match", "list", "--json")) if match["match"] == game["match"]]
        self.assertEqual([(match["game"], match["end"], match["acts"]) for match in listed],
                         [("treasure", "finished", len(acts))])
        self.assertRegex(self.ask("match", "list"), f"(?m)^{game['match']}  .*  finished  treasure  Ada, bot-1$")
        self.assertEqual(self.ask("watch", "--json", "--name", "Eve"), "")      # None goes on.
        none = arbiter("verify", "ab" * 16, "--home", self.home)
        self.assertEqual((none.returncode, none.stderr), (3, "arbiter: the journal has no such match.\n"))

    def first_result(self, reason):
        """Of a game that is over: its row comes a moment later."""
        for _ in range(300):
            for game in json.loads(self.ask("results", "--json")):
                if game["reason"] == reason:
                    return game
            time.sleep(0.1)
        raise AssertionError(f"no game ended by {reason}")

    def test_a_refused_half_is_told_with_what_was_wrong(self):
        walker = [sys.executable, str(ROOT / "tests/lib/gateway/rest_walker.py"), self.port, "half", self.folder.name + "/n"]
        walked = subprocess.run(walker, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual((walked.returncode, walked.stderr), (0, ""))
        game = self.first_result("BAD_MAP")
        self.assertTrue(game["refused"])
        self.assertTrue(all(re.fullmatch("[A-Z_]+", code) for code in game["refused"]), game)
        self.assertIn(f"BAD_MAP {game['refused'][0]}", self.ask("results"))
        listed, = [match for match in json.loads(self.ask("match", "list", "--json")) if match["match"] == game["match"]]
        self.assertEqual(sorted(listed["names"]), ["W W", "bot-1"])     # It is over: no guest any more.
        subprocess.run([ARBITER, "match", "export", game["match"], "--home", self.home], env=ENV, cwd=self.folder.name,
                       check=True, capture_output=True)
        file = (pathlib.Path(self.folder.name) / f"{game['match']}.match").read_bytes()
        self.assertEqual((b"W W" in file, b"guest " in file, b"1234567" in file), (True, False, False))

    def test_two_people_under_one_number_keep_their_names(self):
        copy, there = self.folder.name + "/names", self.folder.name + "/named"
        self.ask("backup", copy)
        self.assertEqual(arbiter("restore", copy, "--home", there).returncode, 0)
        with contextlib.closing(sqlite3.connect(there + "/data/engine/journal.db")) as database, database:
            database.execute("UPDATE player SET matriculationnumber = '7654321' WHERE playerid IN (1, 2)")
            database.execute("UPDATE player SET firstname = 'Ann', surname = 'Zorn' WHERE playerid = 1")
            database.execute("UPDATE player SET firstname = 'Zoe', surname = 'Abel' WHERE playerid = 2")
        line, = [line for line in json.loads(arbiter("leaderboard", "--json", "--home", there).stdout)
                 if line["matriculationnumber"] == "7654321"]
        self.assertEqual((line["firstname"], line["surname"]), ("Ann", "Zorn"))
        self.assertEqual(sorted(line["names"]), ["Ann Zorn", "Zoe Abel"])
        said = arbiter("leaderboard", "--home", there).stdout
        self.assertIn("Ann Zorn, and 1 more name under this number\n", said)

    def test_a_home_without_a_journal_is_named_with_what_to_do(self):
        none = self.folder.name + "/none"
        for words in (("results",), ("leaderboard",), ("match", "export", "ab" * 16),
                      ("retain", "--older", "1", "--delete")):
            said = arbiter(*words, "--home", none)
            self.assertEqual(said.returncode, 3)
            self.assertEqual(said.stderr, f"arbiter: there is no journal of matches in {none}: name the folder of an "
                             "Arbiter with --home, or a database with --store.\n")
        self.assertFalse(os.path.exists(none))

    def test_a_match_that_is_none_is_told_as_that(self):
        said = arbiter("watch", "0" * 32, "--home", self.home, "--name", "Eve")
        self.assertEqual(said.returncode, 1)
        self.assertIn(f"there is no match {'0' * 32}", said.stderr)
        self.assertIn('"arbiter watch" lists', said.stderr)
        # An engine that does not know one is asked for most of a minute, and whoever waits is told so before.
        asking = subprocess.Popen([ARBITER, "watch", "ab" * 16, "--home", self.home, "--name", "Eve"], env=ENV,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.assertIn(f"no engine knows the match {'ab' * 16} yet; still asking", asking.stderr.readline())
        asking.send_signal(signal.SIGINT)
        asking.communicate()
        self.assertEqual(asking.returncode, 130)

    def test_a_clock_that_would_mean_nothing_is_refused(self):
        for words, why in ((("bot", "treasure"), "the set-up of treasure says itself how long"),
                           (("play", "treasure"), "the set-up of treasure says itself how long"),
                           (("bot", "treasure", "--config", self.config), "the set-up of treasure says itself"),
                           (("bot", "--join", "x"), "works only when you open a table"),
                           (("play", "--rejoin"), "works only when you open a table")):
            said = arbiter(*words, "--turn", "60", "--home", self.home, "--name", "Dan")
            self.assertEqual(said.returncode, 2, words)
            self.assertIn(why, said.stderr)
        said = arbiter("bot", "nim", "--bots", "1", "--turn", "60", "--home", self.home, "--name", "Dan")
        self.assertEqual(said.returncode, 0, said.stderr)

    def test_a_bot_that_gives_up_says_how_it_goes_on(self):
        who = ["--home", self.home, "--name", "Cat"]
        person = subprocess.Popen([ARBITER, "play", "treasure", "--create", "--config", self.config, "--ascii",
                                   "--home", self.home, "--name", "Pat"], env=ENV, stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True)
        self.addCleanup(person.kill)
        code = self.find(person, r"arbiter play --join (\S+)")
        bot = subprocess.Popen([ARBITER, "bot", "--join", code, "--show", *who], env=ENV, stdout=subprocess.PIPE,
                               text=True)
        self.find(bot, r"arbiter watch ([0-9a-f]{32})")
        bot.send_signal(signal.SIGINT)
        said = bot.communicate()[0]
        self.assertEqual(bot.returncode, 130)
        back = f"{ARBITER} bot --rejoin --home {self.home} --name Cat"
        self.assertIn("The bot has given up.", said)
        self.assertIn("It goes on with:  " + back + "\n", said)
        again = arbiter("bot", "treasure", *who)
        self.assertEqual(again.returncode, 1)
        self.assertIn("this leads back to it: " + back + ";", again.stderr)
        bot = subprocess.Popen([ARBITER, "bot", "--rejoin", *who], env=ENV, stdout=subprocess.PIPE, text=True)
        person.communicate("/best\n" * 100)
        self.assertIn("Both lose: no actions are left after 16 actions", bot.communicate()[0])
        self.assertEqual((bot.returncode, person.returncode), (0, 0))

    def find(self, process, pattern):
        """What stands in its next line that has it."""
        while (match := re.search(pattern, process.stdout.readline())) is None:
            self.assertIsNone(process.poll())
        return match[1]

    def test_a_house_hands_on_what_is_said_of_hunts_and_bots(self):
        before = len(json.loads(self.ask("results", "--json")))
        alone = subprocess.run([sys.executable, str(ROOT / "tests/lib/gateway/rest_client.py"), self.port],
                               capture_output=True, text=True, timeout=120)   # Without a bot he would wait for ever.
        self.assertEqual(alone.returncode, 0, alone.stderr)
        newest, *_ = games = json.loads(self.ask("results", "--json"))
        self.assertEqual(len(games), before + 1)
        self.assertEqual((newest["reason"], newest["maxactions"]), ("ACTION_LIMIT", 16))
        words = [pathlib.Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0") for child in
                 pathlib.Path(f"/proc/{self.up.pid}/task/{self.up.pid}/children").read_text().split()]
        self.assertEqual([line[line.index(b"--think-ms") + 1] for line in words if b"--think-ms" in line], [b"7"])

    def test_a_house_takes_no_hunt_that_its_gateway_would_not(self):
        home, bad = self.folder.name + "/unbegun", self.folder.name + "/bad.json"
        pathlib.Path(bad).write_text('{"game": "treasure", "limits": {"max_actions": 3}}')
        for hunt, why in ((bad, bad + ":/limits/max_actions: "), (bad + "x", "cannot be read"), ("-", "takes a file"),
                          ("classic", 'copy what stands under "config"'), ("nohunt", 'no set-up named "nohunt"')):
            said = arbiter("up", "--home", home, "--treasure", hunt)
            self.assertEqual((said.returncode, said.stdout), (3, ""))
            self.assertIn(why, said.stderr)
        self.assertFalse(os.path.exists(home))

    def query(self, name, game=None):
        database = sqlite3.connect(f"file:{self.home}/data/engine/journal.db?mode=ro", uri=True)
        view = (SQL / "schema.sql").read_text().split("CREATE VIEW", 1)[1]
        database.execute("CREATE TEMP VIEW" + view.rstrip().rstrip(";"))
        rows = database.execute(queries()[name], {"game": game}).fetchall()
        database.close()
        return rows


if __name__ == "__main__":
    unittest.main()
