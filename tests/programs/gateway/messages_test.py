"""messages_test.py: whole games over HTTP, against a person and against a bot of the house; every message of them is valid."""
import asyncio
import os
import pathlib
import random
import sqlite3
import sys
import unittest

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path.insert(0, str(SOURCE / "tests" / "lib" / "gateway"))
import exchange  # noqa: E402
import gateway_house  # noqa: E402
import rest_client  # noqa: E402
import schemas  # noqa: E402

SETUP = {"game": "treasure", "limits": {"think_ms": 0}, "rest": {"id_mode": "sequential"}}
PATIENCE_S = 120


class JudgedDoor(rest_client.Door):
    """Remembers what was said at it, and what is wrong with it."""

    def __init__(self, port):
        super().__init__(port)
        self.messages, self.faults = 0, []

    async def post(self, path, text):
        answer = await super().post(path, text)
        for message in (text, answer):
            self.messages += 1
            self.faults += [f"{path}: {fault}: {message}" for fault in schemas.faults(message)]
        return answer


class Messages(unittest.TestCase):
    def play(self, count, words=(), others=()):
        """So many programs to the end: their doors, actions, and why the games ended."""
        async def all_of(players):
            await asyncio.wait_for(asyncio.gather(*(player.play() for player in players)), PATIENCE_S)

        with gateway_house.open_house(BUILD, others=others, settings={"bot": ["--think-ms", "0"]}) as house, \
                gateway_house.open_gateway(house, config=SETUP, words=words) as gateway:
            exchange.wait_until_ready(gateway.port)
            players = [rest_client.Player(gateway.port, random.Random(seed)) for seed in range(count)]
            for player in players:
                player.door = JudgedDoor(gateway.port)
            asyncio.run(all_of(players))
            with sqlite3.connect(f"file:{house.folder}/data/engine/journal.db?mode=ro", uri=True) as tables:
                reasons = [reason for (reason,) in tables.execute("SELECT reason FROM game")]
                self.names = [name for (name,) in tables.execute("SELECT firstname FROM player ORDER BY playerid")]
        return players, reasons

    def judge(self, players, reasons):
        self.assertEqual(len(reasons), 1)
        self.assertIn(reasons[0], ("CASTLE_TAKEN", "ACTION_LIMIT"))
        for player in players:
            self.assertEqual(player.door.faults, [])
            self.assertEqual(player.door.messages, 2 * (2 + player.actions))
            self.assertGreater(player.actions, 0)

    def test_every_message_of_a_game_of_two_programs_is_valid(self):
        players, reasons = self.play(2)
        self.judge(players, reasons)

    def test_who_waits_alone_long_enough_plays_a_bot_of_the_house(self):
        players, reasons = self.play(1, words=["--bot-ms", "50"], others=("bot",))
        self.judge(players, reasons)
        self.assertEqual(self.names[0], "Py")
        self.assertNotEqual(self.names[1], "Py")

    def test_a_message_that_is_not_valid_is_noticed(self):
        for wrong in ("<UpdateResponse/>", "<NewPlayerResponse><ID>x</ID></NewPlayerResponse>", "<a",
                      "<ConnectionProblemResponse><Loss>false</Loss><Win>false</Win></ConnectionProblemResponse>",
                      "<connectionProblemResponse><loss>false</loss></connectionProblemResponse>"):
            self.assertNotEqual(schemas.faults(wrong), [], wrong)


if __name__ == "__main__":
    unittest.main()
