"""rest_rows_test.py: an id of 2017 outlives the gateway: killed in the middle of games, it knows everybody when it is back."""
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

SETUP = {"game": "treasure", "limits": {"think_ms": 0}, "rest": {"id_mode": "sequential"}}
PAIRS, KILLS = 3, 3
PATIENCE_S = 60


class PatientDoor(rest_client.Door):
    """Says again what was not answered, wherever the gateway is by then."""

    def __init__(self, place):
        super().__init__(place.port)
        self.place, self.again = place, 0

    async def post(self, path, text):
        while True:
            self.port = self.place.port
            try:
                return await super().post(path, text)
            except (OSError, EOFError):
                self.again += 1
                await self.close()
                await asyncio.sleep(0.02)


class Place:
    """Where the gateway is now."""

    def __init__(self, house):
        self.house, self.gateway = house, None
        self.data = house.folder / "data" / "gateway"
        self.data.mkdir()

    @property
    def port(self):
        return self.gateway.port

    def open(self):
        words = [*gateway_house.SMALL, "--data", self.data, "--treasure", self.house.folder / "setup.json"]
        self.gateway = gateway_house.Gateway(self.house, "gateway-0", words)
        exchange.wait_until_ready(self.port, ("ready", "open"))

    def kill(self):
        self.gateway.kill()
        self.open()


def new_player(place, seed):
    player = rest_client.Player(place.port, random.Random(seed))
    player.door = PatientDoor(place)
    return player


class Restart(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.opened = gateway_house.open_house(BUILD)
        house = self.opened.__enter__()
        (house.folder / "setup.json").write_text(gateway_house.json.dumps(SETUP))
        self.place = Place(house)
        self.place.open()

    async def asyncTearDown(self):
        is_well = self.place.gateway.stop()
        self.opened.__exit__(None, None, None)
        self.assertTrue(is_well)

    async def ask(self, path, text):
        return await rest_client.Door(self.place.port).post(path, text)

    def reasons(self):
        """Why the games ended, as the house has it."""
        with sqlite3.connect(f"file:{self.place.house.folder}/data/engine/journal.db?mode=ro", uri=True) as tables:
            return [reason for (reason,) in tables.execute("SELECT reason FROM game")]

    async def lost(self, player):
        answer = await self.ask("/ConnectionProblem", "<ConnectionProblemRequest>"
                                f"<ID>{player.id}</ID></ConnectionProblemRequest>")
        return rest_client.value(answer, "Loss")

    async def test_games_go_on_over_deaths_of_the_gateway_and_nobody_loses_by_them(self):
        players = [new_player(self.place, seed) for seed in range(2 * PAIRS)]
        games = asyncio.gather(*(player.play() for player in players))
        for kill in range(KILLS):
            # Whoever is ahead says when: by the time all have come so far, most games are over.
            while not any(player.actions >= 3 * (kill + 1) and player.result is None for player in players):
                self.assertFalse(games.done() and games.result(), "the games were over before the gateway died")
                await asyncio.sleep(0.002)
            await asyncio.to_thread(self.place.kill)
        results = await asyncio.wait_for(games, PATIENCE_S)
        self.assertEqual(len(results), 2 * PAIRS)
        self.assertEqual(len(self.reasons()), PAIRS)
        self.assertLessEqual(set(self.reasons()), {"CASTLE_TAKEN", "ACTION_LIMIT"})
        self.assertEqual(len({player.id for player in players}), 2 * PAIRS)
        self.assertGreater(sum(player.door.again for player in players), 0)
        await asyncio.to_thread(self.place.kill)
        for player, result in zip(players, results):
            self.assertEqual(await self.lost(player), "true" if result == "loss" else "false")
        answer = await self.ask("/NewPlayer", exchange_person())
        self.assertGreater(int(rest_client.value(answer, "ID")), max(int(player.id) for player in players))

    async def test_whoever_was_told_an_id_while_the_gateway_died_is_known_by_it(self):
        players = [new_player(self.place, seed) for seed in range(2 * PAIRS)]
        entering = [asyncio.ensure_future(player.enter()) for player in players]
        for known in (1, 3, 5):
            while sum(hasattr(player, "id") for player in players) < known:
                await asyncio.sleep(0.001)
            await asyncio.to_thread(self.place.kill)
        while not all(hasattr(player, "id") for player in players):
            await asyncio.sleep(0.01)
        self.assertEqual(len({player.id for player in players}), 2 * PAIRS)
        for player in players:     # Of somebody unknown it would be true.
            self.assertEqual(await self.lost(player), "false")
        for one in entering:
            one.cancel()
        await asyncio.gather(*entering, return_exceptions=True)

    async def test_who_waits_alone_is_paired_after_a_death(self):
        first, second = new_player(self.place, 1), new_player(self.place, 2)
        entering = asyncio.ensure_future(first.enter())
        while not hasattr(first, "id") or exchange.metric(self.place.port, "arbiter_gateway_waiting") == 0:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(self.place.kill)
        await second.enter()
        await asyncio.wait_for(entering, PATIENCE_S)
        self.assertEqual((first.id, second.id), ("1", "2"))
        self.assertNotEqual(first.place[1] < rest_client.HEIGHT, second.place[1] < rest_client.HEIGHT)


def exchange_person():
    return ("<NewPlayerRequest><FirstName>A</FirstName><SurName>B</SurName>"
            "<MatriculationNumber>01234567</MatriculationNumber></NewPlayerRequest>")


if __name__ == "__main__":
    unittest.main()
