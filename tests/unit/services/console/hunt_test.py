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
import unittest

ARBITER = str(pathlib.Path(os.environ["ARBITER_BUILD"]) / "arbiter")
ROOT = pathlib.Path(os.environ["ARBITER_SOURCE"])
sys.path.insert(0, str(ROOT / "tests/process"))

from database import Server  # noqa: E402

SQL = ROOT / "common/games/treasure/recorded/sql"
ENV = dict(os.environ, ARBITER_CONFIGS=str(ROOT / "configs"))
SHORT = {"game": "treasure", "limits": {"think_ms": 0, "max_actions": 16}, "visibility": {"mask_actions": 4}}


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
        cls.up = subprocess.Popen([ARBITER, "up", "--home", cls.home], stdout=subprocess.PIPE, text=True, env=ENV)
        while "bot-1" not in cls.up.stdout.readline():
            pass
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
        shown.communicate()
        cls.watched = watch.communicate()[0]

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
        rows = re.findall(r"(?m)^(?:[.^~0-9A-Za-z] ){7}[.^~0-9A-Za-z]$", self.watched)
        self.assertGreaterEqual(len(rows), 8)
        self.assertEqual(set("".join(rows[:-8])) - set(".^~12 "), set())
        self.assertTrue(set("ABab") & set("".join(rows[-8:])))
        self.assertIn("Both lose", self.watched)

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

    def test_nothing_is_missing_in_the_tables(self):
        self.assertEqual(self.query("Q8"), [])

    def query(self, name, game=None):
        database = sqlite3.connect(f"file:{self.home}/data/engine/journal.db?mode=ro", uri=True)
        view = (SQL / "schema.sql").read_text().split("CREATE VIEW", 1)[1]
        database.execute("CREATE TEMP VIEW" + view.rstrip().rstrip(";"))
        rows = database.execute(queries()[name], {"game": game}).fetchall()
        database.close()
        return rows


if __name__ == "__main__":
    unittest.main()
