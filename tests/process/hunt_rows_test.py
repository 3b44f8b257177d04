"""hunt_rows_test.py: hunts over HTTP leave the same rows in PostgreSQL as in SQLite, and `arbiter results` reads both alike."""
import asyncio
import json
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path[:0] = [str(HERE), str(HERE.parent / "lib" / "gateway")]
import exchange  # noqa: E402
import gateway_house  # noqa: E402
import rest_client  # noqa: E402
from database import Server  # noqa: E402
from house import House  # noqa: E402

PATIENCE_S = 120
SETUP = {"game": "treasure", "limits": {"think_ms": 0}, "rest": {"id_mode": "sequential"}}
# What does not depend on when it was played; of the rest, that it is there. Engines that share a database number games each
# in their own way, so a game is known by who had its first seat.
QUESTIONS = {
    "player": "SELECT playerid, surname, firstname, matriculationnumber, startingcoordinates FROM {0}player ORDER BY playerid",
    "play": "SELECT playerid1, playerid2, startingcoordinates1, startingcoordinates2 FROM {0}play ORDER BY playerid1",
    "game": "SELECT playerid1, roundnumber, map, mapwidth, mapheight, layout, firsthalf, dicekind, dicesecret, countdown, "
            "maxactions, result, reason, configjson, CASE WHEN ending >= beginning THEN 1 ELSE 0 END "
            "FROM {0}game NATURAL JOIN {0}play ORDER BY playerid1",
    "actionlist": "SELECT playerid1, actionid, action, targetx, targety, turnsleft, violation, "
                  "CASE WHEN thinkms >= 0 THEN 1 ELSE 0 END FROM {0}actionlist NATURAL JOIN {0}play ORDER BY playerid1, actionid",
}


async def play_both(port):
    """A whole hunt, always the same one: who comes first has the first seat, and the seed of the dice is known."""
    players = [rest_client.Player(port, random.Random(seed)) for seed in (1, 2)]
    first = asyncio.ensure_future(players[0].play())
    while not hasattr(players[0], "id"):
        await asyncio.sleep(0.005)
    return await asyncio.wait_for(asyncio.gather(first, players[1].play()), PATIENCE_S)


async def lose_by_a_half(port):
    """Two come, and the second one's half is none: a game without actions."""
    post = rest_client.Door(port).post
    ids = []
    for name in ("Zoë", "O'Hara"):
        answer = await post("/NewPlayer", f"<NewPlayerRequest><FirstName>{name}</FirstName><SurName>x</SurName>"
                            "<MatriculationNumber>a7654321</MatriculationNumber></NewPlayerRequest>")
        ids.append(rest_client.value(answer, "ID"))
    answer = await post("/MapCreation", f"<CreateNewMapRequest><ID>{ids[1]}</ID><MapHalf>01</MapHalf></CreateNewMapRequest>")
    return rest_client.value(answer, "Loss")


class Rows(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.folder.chmod(0o755)   # PostgreSQL is another user.

    def play(self, name, store=None):
        """Two games and a player who waits alone; the gateway has gone, the house is there still."""
        folder = self.folder / name
        folder.mkdir(mode=0o700)
        house = self.enterContext(House(BUILD, folder, {"gateway-0": "gateway"}, store=store))
        house.wait_until_started()
        with gateway_house.open_gateway(house, config=SETUP, words=["--treasure-seed", "7"]) as gateway:
            exchange.wait_until_ready(gateway.port)
            results = asyncio.run(play_both(gateway.port))
            self.assertEqual(asyncio.run(lose_by_a_half(gateway.port)), "true")
            asyncio.run(rest_client.Door(gateway.port).post(
                "/NewPlayer", "<NewPlayerRequest><FirstName>A</FirstName><SurName>B</SurName>"
                "<MatriculationNumber>01234567</MatriculationNumber></NewPlayerRequest>"))
        return folder, results

    def rows(self, ask, schema=""):
        """All tables, once the last row is there."""
        end = time.monotonic() + PATIENCE_S
        while len(ask(QUESTIONS["player"].format(schema))) < 5 and time.monotonic() < end:
            time.sleep(0.02)
        return {table: ask(question.format(schema)) for table, question in QUESTIONS.items()}

    def results(self, *words):
        said = subprocess.run([BUILD / "arbiter", "results", "--json", *words], capture_output=True, text=True, check=True)
        games = [{key: value for key, value in game.items() if not any(part in key for part in ("gameid", "match", "begin", "end", "duration"))}
                 for game in json.loads(said.stdout)]
        return sorted(games, key=lambda game: game["playerid1"])

    def test_a_whole_hunt_is_kept_in_postgresql_as_it_is_in_sqlite(self):
        server = Server(self.folder / "database")
        server.start()
        self.addCleanup(server.stop, signal.SIGINT)
        place = f"postgresql:///postgres?host={server.folder}&user=arbiter"
        light, results = self.play("sqlite")
        heavy, others = self.play("postgres", place)
        self.assertEqual(results, others)

        def ask_file(sql):
            with sqlite3.connect(f"file:{light}/data/engine/journal.db?mode=ro", uri=True) as tables:
                return [["" if cell is None else str(cell) for cell in row] for row in tables.execute(sql)]

        kept = self.rows(ask_file)
        self.maxDiff = None
        self.assertEqual(self.rows(server.ask, "journal."), kept)
        self.assertEqual([len(kept[table]) for table in ("player", "play", "game")], [5, 2, 2])
        self.assertEqual([game[12] for game in kept["game"]][1:], ["BAD_MAP"])
        self.assertEqual(len(kept["actionlist"]), int(kept["game"][0][1]))
        self.assertGreater(len(kept["actionlist"]), 10)
        self.assertFalse((heavy / "data" / "engine").exists())
        self.assertEqual(self.results("--store", place), self.results("--home", light))


if __name__ == "__main__":
    unittest.main()
