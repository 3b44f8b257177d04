"""hangups_test.py: who closes his connection while he waits: what he asked for is played once, and whoever asks again is answered."""
import asyncio
import concurrent.futures
import os
import pathlib
import random
import re
import signal
import socket
import sqlite3
import struct
import sys
import time
import unittest

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path.insert(0, str(SOURCE / "tests" / "lib" / "gateway"))
import exchange  # noqa: E402
import gateway_house  # noqa: E402
import rest_client  # noqa: E402

SETUP = {"game": "treasure", "limits": {"think_ms": 0}}
PATIENCE_S = 60
PERSON = ("<NewPlayerRequest><FirstName>A</FirstName><SurName>B</SurName>"
          "<MatriculationNumber>01234567</MatriculationNumber></NewPlayerRequest>")
HALVES = ("0101010101010101010002020103030101010102010303010101010101010101",
          "0101010101010101010303010202010101030301020101010101010101010001")
STEPS = ((2, 2, 2, 1), (7, 8, 7, 7))   # From the castle to the grass above it.


class Request:
    """One request on a connection of its own, which the test may close when it likes."""

    def __init__(self, port, path, text):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        body = text.encode()
        self.socket.sendall(f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/xml\r\n"
                            f"Content-Length: {len(body)}\r\n\r\n".encode() + body)

    def close(self):
        self.socket.close()

    def says_no_more(self):
        """Its own side is closed; it listens."""
        self.socket.shutdown(socket.SHUT_WR)
        return self

    def answer(self):
        with self.socket, self.socket.makefile("rb") as file:
            return file.read().decode().split("\r\n\r\n", 1)[1]


class CutDoor:
    """A program's way to the gateway, on which every second request is cut off somehow, and said again until it is answered."""

    HOWS = ("closed", "closed later", "reset", "half closed")

    def __init__(self, port, luck):
        self.port, self.luck, self.cuts = port, luck, 0

    async def post(self, path, text):
        return await asyncio.to_thread(self.say, path, text)

    def say(self, path, text):
        while True:
            request = Request(self.port, path, text)
            how = self.luck.choice(self.HOWS) if path != "/NewPlayer" and self.luck.random() < 0.5 else None
            self.cuts += how is not None
            if how == "half closed":
                request.says_no_more()
            elif how is not None:
                self.cut(request, how)
                continue
            answer = request.answer()
            if how is None or "<ConnectionProblemResponse><Loss>false" not in answer:
                return answer

    def cut(self, request, how):
        if how == "closed later":
            time.sleep(self.luck.random() / 100)
        if how == "reset":
            request.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        request.close()

    async def close(self):
        pass


class HangUps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = cls.enterClassContext(gateway_house.open_house(BUILD, 2))

    def setUp(self):
        self.port = self.enterContext(gateway_house.open_gateway(self.house, config=SETUP)).port
        exchange.wait_until_ready(self.port)

    def wait_until(self, is_so):
        end = time.monotonic() + PATIENCE_S
        while not is_so():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.005)

    def wait_for_metric(self, name, value):
        self.wait_until(lambda: exchange.metric(self.port, f"arbiter_gateway_{name}") == value)

    def rows(self, sql):
        with sqlite3.connect(f"file:{self.house.folder}/data/engine/journal.db?mode=ro", uri=True) as tables:
            return tables.execute(sql).fetchall()

    def stop(self, service):
        self.house.send(service, signal.SIGSTOP)
        self.addCleanup(self.house.send, service, signal.SIGCONT)

    def go_on(self, service):
        self.house.send(service, signal.SIGCONT)

    def register(self):
        return Request(self.port, "/NewPlayer", PERSON)

    def id_in(self, answer):
        found = re.search(r"<ID>(\d+)</ID>", answer)
        self.assertIsNotNone(found, answer)
        return int(found[1])

    def send_half(self, seat):
        return Request(self.port, "/MapCreation", f"<CreateNewMapRequest><ID>{self.ids[seat]}</ID>"
                       f"<MapHalf>{HALVES[seat]}</MapHalf></CreateNewMapRequest>")

    def begin(self):
        """Two players, their halves joined: the first one is to act."""
        self.ids = [self.id_in(self.register().answer()) for _ in range(2)]
        requests = [self.send_half(seat) for seat in range(2)]
        for request in requests:
            self.assertIn("<FullMap>", request.answer())

    def update(self, seat, turns):
        x, y, to_x, to_y = STEPS[seat]
        return Request(self.port, "/Updates", f"<UpdateRequest><ID>{self.ids[seat]}</ID><PlayerPositionX>{x}</PlayerPositionX>"
                       f"<PlayerPositionY>{y}</PlayerPositionY><WantedPositionX>{to_x}</WantedPositionX>"
                       f"<WantedPositionY>{to_y}</WantedPositionY><TurnsUntilMovement>{turns}</TurnsUntilMovement></UpdateRequest>")

    def assert_played(self, answer):
        self.assertIn("<UpdateResponse>", answer)
        self.assertIn("<Loss>false</Loss>", answer)

    def assert_actions(self, turns):
        """All actions so far, by their countdowns; none was against the rules."""
        self.assertEqual(self.rows("SELECT turnsleft, violation FROM actionlist NATURAL JOIN play "
                                   f"WHERE playerid1 = {self.ids[0]} ORDER BY actionid"), [(left, None) for left in turns])

    def assert_pair(self):
        """The two were put into one game, and nobody else with either of them."""
        those = f"IN ({self.ids[0]}, {self.ids[1]})"
        sql = f"SELECT playerid1, playerid2 FROM play WHERE playerid1 {those} OR playerid2 {those}"
        self.wait_until(lambda: self.rows(sql) != [])
        self.assertEqual(self.rows(sql), [tuple(self.ids)])

    def test_an_action_whose_sender_has_gone_before_its_answer_is_answered_when_he_says_it_again(self):
        self.begin()
        self.stop("engine")
        self.update(0, 2).close()
        again = self.update(0, 2)
        self.go_on("engine")
        self.assert_played(self.update(1, 2).answer())
        self.assert_played(again.answer())
        self.assert_played(self.update(0, 1).answer())
        self.assert_actions([2, 2, 1])

    def test_the_same_when_he_says_it_again_after_the_other_has_acted(self):
        self.begin()
        self.stop("engine")
        self.update(0, 2).close()
        self.go_on("engine")
        self.assert_played(self.update(1, 2).answer())
        self.assert_played(self.update(0, 2).answer())
        self.assert_played(self.update(0, 1).answer())
        self.assert_actions([2, 2, 1])

    def test_the_same_when_he_has_gone_without_having_read_it(self):
        self.begin()
        unread = self.update(0, 2)
        unread.socket.recv(1, socket.MSG_PEEK)
        unread.close()
        again = self.update(0, 2)
        self.assert_played(self.update(1, 2).answer())
        self.assert_played(again.answer())
        self.assert_played(self.update(0, 1).answer())
        self.assert_actions([2, 2, 1])

    def test_who_has_read_half_of_his_id_is_no_stranger(self):
        ids = []
        for _ in range(2):
            request = self.register()
            told = b""
            while b"</ID>" not in told:
                told += request.socket.recv(1)
            request.close()     # That resets the connection.
            ids.append(self.id_in(told.decode()))
        self.ids = ids
        self.assert_pair()

    def test_who_goes_while_he_waits_for_his_turn_is_not_played_for(self):
        self.begin()
        waiting = self.update(1, 2)
        self.wait_for_metric("waiting", 1)
        waiting.close()
        self.assert_played(self.update(0, 2).answer())
        self.assert_actions([2])
        self.assert_played(self.update(1, 2).answer())
        self.assert_played(self.update(0, 1).answer())
        self.assert_actions([2, 2, 1])

    def test_nobody_loses_by_lines_that_are_cut(self):
        config = {"game": "treasure", "limits": {"think_ms": 0, "max_actions": 40}}
        with gateway_house.open_gateway(self.house, "gateway-1", config) as gateway:
            exchange.wait_until_ready(gateway.port)
            players = [rest_client.Player(gateway.port, random.Random(seed)) for seed in range(6)]
            for seed, player in enumerate(players):
                player.door = CutDoor(gateway.port, random.Random(seed))
            asyncio.run(self.play(players))
        ids = ",".join(player.id for player in players)
        reasons = [reason for (reason,) in self.rows(f"SELECT reason FROM game NATURAL JOIN play WHERE playerid1 IN ({ids})")]
        self.assertEqual(len(reasons), len(players) // 2)
        self.assertLessEqual(set(reasons), {"CASTLE_TAKEN", "ACTION_LIMIT"})
        self.assertGreater(sum(player.door.cuts for player in players), 30)

    async def play(self, players):
        asyncio.get_running_loop().set_default_executor(concurrent.futures.ThreadPoolExecutor(len(players)))
        await asyncio.wait_for(asyncio.gather(*(player.play() for player in players)), PATIENCE_S)

    def test_who_only_closes_his_side_is_answered(self):
        self.ids = [self.id_in(self.register().says_no_more().answer()) for _ in range(2)]
        requests = [self.send_half(seat).says_no_more() for seat in range(2)]
        for request in requests:
            self.assertIn("<FullMap>", request.answer())
        self.assert_played(self.update(0, 2).says_no_more().answer())
        self.assert_played(self.update(1, 2).answer())
        early = self.update(1, 1).says_no_more().answer()   # Whether he is there still nobody can know.
        self.assertIn("<ConnectionProblemResponse><Loss>false</Loss>", early)
        self.assert_played(self.update(0, 1).says_no_more().answer())
        self.assert_actions([2, 2, 1])

    def test_who_goes_before_he_is_told_his_id_is_paired_with_nobody(self):
        kept = []

        def deed():
            first = self.register()
            self.wait_for_metric("players", 1)
            kept.append(self.register())
            self.wait_for_metric("players", 2)
            third = self.register()
            self.wait_for_metric("players", 3)
            kept.append(self.register())
            self.wait_for_metric("players", 4)
            first.close()
            third.close()
            self.wait_for_metric("players", 3)      # Out of the queue; the first is being registered.
        self.house.without(["lobby"], deed)
        self.ids = [self.id_in(request.answer()) for request in kept]
        self.assert_pair()

    def test_who_had_gone_when_his_id_was_sent_is_paired_with_nobody(self):
        self.stop("lobby")
        gone = self.register()
        self.wait_for_metric("players", 1)
        gone.close()
        self.go_on("lobby")
        self.wait_for_metric("players", 0)
        self.ids = [self.id_in(self.register().answer()) for _ in range(2)]
        self.assert_pair()


if __name__ == "__main__":
    unittest.main()
