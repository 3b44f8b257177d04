"""watched_test.py: games of 2017 are listed and watched while they are played, as far as both players know them; or not at all."""
import asyncio
import base64
import json
import os
import pathlib
import random
import subprocess
import sys
import unittest
import urllib.request

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path.insert(0, str(SOURCE / "tests" / "lib" / "gateway"))
import exchange  # noqa: E402
import gateway_house  # noqa: E402
import rest_client  # noqa: E402
import socket_client  # noqa: E402

PATIENCE_S = 60
SETUP = {"game": "treasure", "limits": {"think_ms": 0}, "visibility": {"mask_actions": 2}}


class Watched(unittest.IsolatedAsyncioTestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = cls.enterClassContext(gateway_house.open_house(BUILD))

    def open(self, config=SETUP, words=()):
        self.port = self.enterContext(gateway_house.open_gateway(self.house, config=config, words=words)).port
        exchange.wait_until_ready(self.port)

    def get(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=PATIENCE_S) as answer:
            return answer.read()

    def listed(self, state="running"):
        return json.loads(self.get(f"/api/matches?state={state}&game=treasure"))[state]["matches"]

    def tables(self):
        tab = self.tab()
        return tab.ask(ask={"list_tables": {}})["answer"].get("tables", {}).get("tables", [])

    def tab(self, **hello):
        tab = socket_client.Player(self.port)
        tab.open(**hello)
        self.addCleanup(tab.close)
        return tab

    def arbiter(self, *words):
        return subprocess.run([BUILD / "arbiter", *words, "--home", self.house.folder], capture_output=True, text=True,
                              timeout=PATIENCE_S)

    async def two(self):
        """Both have their maps. Nothing was listed while the first one waited."""
        players = [rest_client.Player(self.port, random.Random(seed)) for seed in (1, 2)]
        first = asyncio.ensure_future(players[0].enter())
        while not hasattr(players[0], "id"):
            await asyncio.sleep(0.005)
        self.assertEqual((self.listed(), self.tables()), ([], []))
        await asyncio.gather(first, players[1].enter())
        return players

    async def announce(self, player):
        """One action: a step up or down that is wanted, counted down from its first number."""
        x, y = player.place
        field = (x, y + 1 if (x, y + 1) in player.terrain else y - 1)
        cost = rest_client.LEAVE[player.terrain[player.place]] + rest_client.ENTER.get(player.terrain[field], 1)
        return await player.door.post("/Updates", f"<UpdateRequest><ID>{player.id}</ID><PlayerPositionX>{x + 1}</PlayerPositionX>"
                                      f"<PlayerPositionY>{y + 1}</PlayerPositionY><WantedPositionX>{field[0] + 1}</WantedPositionX>"
                                      f"<WantedPositionY>{field[1] + 1}</WantedPositionY>"
                                      f"<TurnsUntilMovement>{cost}</TurnsUntilMovement></UpdateRequest>")

    def look(self, tab, match):
        return tab.ask(look={"match_id": match})["shown"]["view"]["spectator"]

    def seats(self, view):
        """What is told of each, beside who he is and where his half lies."""
        return [sorted(set(seat) - {"seat", "half"}) for seat in view["seats"]]

    async def test_who_watches_knows_what_both_players_know(self):
        self.open()
        players = await self.two()
        (running,) = self.listed()
        self.assertTrue(running["spectators"])
        match = base64.b64encode(bytes.fromhex(running["id"])).decode()
        self.assertEqual([table["match_id"] for table in self.tables()], [match])
        tab = self.tab()
        tab.send(watch={"match_id": match})
        view = tab.wait(lambda down: "shown" in down)["shown"]["view"]["spectator"]
        self.assertEqual([sum(map(row.count, "GMW")) for row in view["terrain"]], [8] * 8)
        self.assertEqual(self.seats(view), [[], []])    # No figure, no castle, no treasure, no countdown.
        said = self.arbiter("watch")
        self.assertRegex(said.stdout, rf"^{running['id']}  treasure: guest \w+, guest \w+\n$")
        said = self.arbiter("watch", running["id"], "--once")
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertEqual(set("".join(said.stdout.split("\n", 1)[1].split())), set(".^~"))
        begun = len(tab.heard)
        await self.announce(players[0])
        await self.announce(players[1])
        self.assertEqual(self.seats(self.look(tab, match)), [["pos"], ["pos"]])  # Nothing masks them any more.
        self.assertIn("<Loss>true</Loss>", await self.announce(players[0]))     # It was to count down.
        tab.wait(lambda down: "over" in down)
        events = [event["event"] for down in tab.heard[begun:] for event in down.get("happened", {}).get("events", []) if "event" in event]
        self.assertEqual([sorted(event) for event in events],
                         [["action_done"], ["action_done"], ["action_done"], ["game_end"], ["reveal"]])
        self.assertEqual([event["action_done"] for event in events[:3]],
                         [{"action_id": 1, "seat": 0}, {"action_id": 2, "seat": 1}, {"action_id": 3, "seat": 0}])
        await self.finished(running["id"])

    async def finished(self, match):
        """Anybody may replay it. By now it tells who the players are, but never their numbers."""
        while [game["id"] for game in self.listed("finished")] != [match]:
            await asyncio.sleep(0.02)
        for form in ("file", "replay"):
            told = self.get(f"/api/matches/{match}/{form}")
            self.assertIn(b"Py Thon", told)
            self.assertNotIn(b"guest ", told)
            self.assertNotIn(b"01234567", told)

    async def test_games_that_are_hidden_are_in_no_list_and_not_watched(self):
        self.open(words=["--hide-games"])
        await self.two()
        self.assertEqual((self.listed(), self.tables()), ([], []))
        self.assertEqual(self.arbiter("watch").stdout, "No match that all may watch goes on.\n")

    async def test_what_would_show_all_is_not_shown(self):
        self.open({**SETUP, "visibility": {"spectators": "all"}})
        await self.two()
        self.assertEqual((self.listed(), self.tables()), ([], []))


if __name__ == "__main__":
    unittest.main()
