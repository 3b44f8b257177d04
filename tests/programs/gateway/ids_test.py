"""ids_test.py: the id that a program of 2017 is told is its player's in the tables, one row from its registration on, for good."""
import asyncio
import concurrent.futures
import json
import os
import pathlib
import re
import socket
import sqlite3
import subprocess
import sys
import time
import unittest
import urllib.request

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path.insert(0, str(SOURCE / "tests" / "lib" / "gateway"))
import exchange  # noqa: E402
import gateway_house  # noqa: E402
import rest_client  # noqa: E402

SETUP = {"game": "treasure", "limits": {"think_ms": 0}}
PATIENCE_S = 60


def post(port, path, body):
    ask = urllib.request.Request(f"http://127.0.0.1:{port}{path}", body.encode(), {"Content-Type": "application/xml"})
    with urllib.request.urlopen(ask, timeout=PATIENCE_S) as answer:
        return answer.read().decode()


def register(port, name="Anna", number="01234567"):
    """Says it again to a house that is not back yet."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        answer = post(port, "/NewPlayer", f"<NewPlayerRequest><FirstName>{name}</FirstName><SurName>Muster</SurName>"
                      f"<MatriculationNumber>{number}</MatriculationNumber></NewPlayerRequest>")
        found = re.search(r"<ID>(\d+)</ID>", answer)
        if found:
            return int(found[1])
        time.sleep(0.05)
    raise AssertionError(answer)


class Ids(unittest.TestCase):
    def setUp(self):
        opened = gateway_house.open_house(BUILD, 2)
        self.house = opened.__enter__()
        self.addCleanup(opened.__exit__, None, None, None)
        self.gateways = {}

    def gateway(self, name, **rest):
        """Opens it, or opens it again behind one that was killed."""
        data = self.house.folder / "data" / name
        data.mkdir(exist_ok=True)
        setup = self.house.folder / f"{name}.json"
        setup.write_text(json.dumps({**SETUP, "rest": {"id_mode": "sequential", **rest}}))
        words = [*gateway_house.SMALL, "--data", data, "--treasure", setup]
        self.gateways[name] = gateway = gateway_house.Gateway(self.house, name, words)
        self.addCleanup(lambda: self.assertTrue(gateway.stop(), gateway.said()))
        exchange.wait_until_ready(gateway.port)
        return gateway.port

    def rows(self, table):
        with sqlite3.connect(f"file:{self.house.folder}/data/engine/journal.db?mode=ro", uri=True) as tables:
            return tables.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()

    def wait_for_players(self, ids):
        """The rows of all of them, as soon as they are there; and no others."""
        end = time.monotonic() + PATIENCE_S
        while {row[0] for row in self.rows("player")} < set(ids) and time.monotonic() < end:
            time.sleep(0.02)
        rows = self.rows("player")
        self.assertEqual([row[0] for row in rows], sorted(ids))
        return rows

    def has_lost(self, port, player):
        return "true" in post(port, "/ConnectionProblem",
                              f"<ConnectionProblemRequest><ID>{player}</ID></ConnectionProblemRequest>")

    def test_a_registration_is_one_row_under_its_id_before_there_is_any_game(self):
        port = self.gateway("gateway-0")
        self.assertEqual(register(port), 1)
        self.assertEqual(self.wait_for_players([1]), [(1, "Muster", "Anna", "01234567", None)])
        self.assertEqual(self.rows("game") + self.rows("play"), [])
        refused = post(port, "/NewPlayer", "<NewPlayerRequest><FirstName>A</FirstName><SurName>B</SurName>"
                       "<MatriculationNumber>12</MatriculationNumber></NewPlayerRequest>")
        self.assertIn("<Loss>true</Loss>", refused)
        self.assertEqual(register(port, "Bert"), 2)     # The same number of a university's: somebody else all the same.
        self.assertEqual([row[2:4] for row in self.wait_for_players([1, 2])], [("Anna", "01234567"), ("Bert", "01234567")])

    def test_who_registers_while_no_engine_is_there_has_his_row_when_it_is(self):
        port, told = self.gateway("gateway-0"), []
        self.house.without(["engine"], lambda: told.append(register(port)))
        self.assertEqual(self.wait_for_players(told), [(1, "Muster", "Anna", "01234567", None)])

    def test_two_gateways_never_give_the_same_id(self):
        ports = [self.gateway("gateway-0"), self.gateway("gateway-1")]
        with concurrent.futures.ThreadPoolExecutor(12) as pool:
            told = list(pool.map(lambda i: register(ports[i % 2]), range(12)))
        self.assertEqual(sorted(told), list(range(1, 13)))
        self.wait_for_players(told)

    def test_ids_are_the_same_after_everything_was_killed_and_none_is_given_twice(self):
        port = self.gateway("gateway-0")
        told = [register(port) for _ in range(3)]       # Two in a game, one who waits.
        self.wait_for_players(told)
        self.gateways["gateway-0"].kill()
        self.house.without(["lobby", "engine", "fanout", "watchdog"], lambda: None)
        port = self.gateway("gateway-0")
        for player in told:
            self.assertFalse(self.has_lost(port, player))
        self.assertTrue(self.has_lost(port, 4))
        told.append(register(port))
        self.assertEqual(told, [1, 2, 3, 4])
        self.wait_for_players(told)
        end = time.monotonic() + PATIENCE_S
        while len(self.rows("play")) < 2 and time.monotonic() < end:
            time.sleep(0.02)
        self.assertEqual([row[1:3] for row in self.rows("play")], [(1, 2), (3, 4)])

    def test_results_and_the_leaderboard_speak_of_these_ids(self):
        port = self.gateway("gateway-0")
        lone = register(self.gateway("gateway-1"))      # So that ids are no numbers made of the game's.
        players = self.play(port)
        told = [int(player.id) for player in sorted(players, key=lambda player: int(player.id))]
        self.assertEqual(told, [2, 3])
        self.wait_for_players([lone, *told])
        said = self.arbiter("results")
        self.assertEqual([(game["playerid1"], game["playerid2"]) for game in said], [tuple(told)])
        self.assertEqual(sorted(player for line in self.arbiter("leaderboard") for player in line["playerids"]), told)
        self.assertRegex(self.arbiter("results", is_json=False), r" \(2\) - .* \(3\)\n")

    def play(self, port):
        async def both():
            players = [rest_client.Player(port, rest_client.random.Random(seed)) for seed in (1, 2)]
            await asyncio.gather(*(player.play() for player in players))
            return players
        return asyncio.run(both())

    def arbiter(self, what, is_json=True):
        words = [BUILD / "arbiter", what, "--home", self.house.folder, *(["--json"] if is_json else [])]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        return json.loads(done.stdout) if is_json else done.stdout

    def test_a_stranger_who_counts_ids_loses_nobodys_game(self):
        """By a set-up that says nothing of ids."""
        with gateway_house.open_gateway(self.house, "gateway-0", SETUP) as gateway:
            exchange.wait_until_ready(gateway.port)
            told = [register(gateway.port) for _ in range(2)]
            self.assertTrue(all(2**30 <= player < 2**31 for player in told), told)
            for guess in range(1, 40):
                post(gateway.port, "/MapCreation", f"<CreateNewMapRequest><ID>{guess}</ID><map>no map</map></CreateNewMapRequest>")
            for player in told:
                self.assertFalse(self.has_lost(gateway.port, player))

    def test_a_request_that_ends_too_early_is_nobodys_loss(self):
        port = self.gateway("gateway-0", id_mode="random31")
        told = [register(port) for _ in range(2)]
        update = (f"<UpdateRequest><ID>{told[0]}</ID><PlayerPosX>1</PlayerPosX><PlayerPosY>1</PlayerPosY>"
                  "<DesiredPlayerPosX>1</DesiredPlayerPosX></UpdateRequest>")
        declared = '<?xml version="1.0" encoding="UTF-8"?>'
        for path, whole in (("/Updates", update), ("/Updates", declared + update), ("/ConnectionProblem", update), ("/NewPlayer", update)):
            for size in range(0, len(whole), 7):
                self.assertIn("<Loss>false</Loss>", post(port, path, whole[:size]), whole[:size])
        for player in told:
            self.assertFalse(self.has_lost(port, player))
        for wrong in ("no XML at all", "<a></b>", "<a><b></a>", update.replace("/ID", "/Id")):
            self.assertIn("<Loss>true</Loss>", post(port, "/Updates", wrong), wrong)
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as peer:  # The body itself is cut.
            peer.sendall(f"POST /Updates HTTP/1.1\r\nHost: a\r\nContent-Type: application/xml\r\nContent-Length: {len(update)}\r\n\r\n"
                         f"{update[:40]}".encode())
            peer.shutdown(socket.SHUT_WR)
            self.assertNotIn(b"true", peer.recv(4096))
        self.assertFalse(self.has_lost(port, told[0]))

    def test_ids_that_cannot_be_guessed_are_those_of_the_rows_too(self):
        port = self.gateway("gateway-0", id_mode="random31")
        told = [register(port) for _ in range(4)]
        self.assertEqual(len(set(told)), 4)
        self.assertTrue(all(2**30 <= player < 2**31 for player in told), told)
        self.assertFalse(any(player + 1 in told for player in told), told)
        self.wait_for_players(told)
        self.assertEqual(register(self.gateway("gateway-1")), 5)


if __name__ == "__main__":
    unittest.main()
