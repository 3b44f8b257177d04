"""places_test.py: more seats are played over WebSockets than a gateway has places for."""
import os
import pathlib
import sys
import time
import unittest

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path.insert(0, str(SOURCE / "tests" / "lib" / "gateway"))
import exchange  # noqa: E402
import gateway_house  # noqa: E402
import socket_client  # noqa: E402

WORDS = ["--seats-max", "8", "--tab-burst", "1000", "--tab-per-10-s", "10000"]  # Four places.


class Places(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = cls.enterClassContext(gateway_house.open_house(BUILD, 1))

    def setUp(self):
        self.gateway = self.enterContext(gateway_house.open_gateway(self.house, words=WORDS))

    def hot_seat(self, name):
        """Somebody who begins a match in which both seats are his, and its id."""
        player = socket_client.Player(self.gateway.port)
        self.addCleanup(player.close)
        player.open(name=f"{name} {self.id()[-20:]}"[:32])
        made = player.ask(ask={"create_table": {"game": "nim", "hotseat": True, "seats": 2, "seed": "7"}})
        table = made["answer"]["table"]["table"]
        joined = player.ask(ask={"join_table": {"table": table, "seat": 1}})
        return player, joined["answer"]["table"]["match_id"]

    def is_shown(self, player, match):
        seen = set()
        while len(seen) < 2:
            down = player.next()
            self.assertIsNotNone(down, player.heard[-5:])
            if down.get("shown", {}).get("match_id") == match:
                seen.add(down["shown"].get("seat"))

    def play_out(self, player, match):
        heaps, seat = [3, 4, 5], 0
        while any(heaps):
            heap = next(i for i, left in enumerate(heaps) if left)
            played = player.ask(play={"match_id": match, "seat": seat, "command": {"take": {"heap": heap, "count": heaps[heap]}}})
            self.assertTrue(played["played"]["accepted"], played)
            heaps[heap], seat = 0, 1 - seat

    def test_who_begins_matches_and_goes_keeps_nobody_from_playing(self):
        gone = [self.hot_seat(f"Gone {i}") for i in range(3)]
        for player, match in gone[:2]:
            self.is_shown(player, match)
            player.close()
        time.sleep(0.5)  # The door hears of it.
        for n in range(4):
            player, match = self.hot_seat(f"Here {n}")
            self.is_shown(player, match)
            player.close()
        back, match = gone[0]  # He was driven out, and is let in again where he sat.
        self.assertTrue(back.open()["welcome"]["fresh"])
        self.is_shown(back, match)

    def test_who_finds_no_place_hears_so_and_plays_as_soon_as_there_is_one(self):
        here = [self.hot_seat(f"Here {i}") for i in range(2)]
        for player, match in here:
            self.is_shown(player, match)
        late, match = self.hot_seat("Late")
        gone = late.wait(lambda down: "gone" in down)["gone"]
        self.assertEqual(gone["match_id"], match)
        self.assertIn("as soon as there is a place", gone["sentence"])
        again = late.ask(play={"match_id": match, "seat": 0, "command": {"take": {"heap": 0, "count": 3}}})
        self.assertEqual(again["refused"]["refusal"], "REFUSAL_AGAIN", again)
        self.assertGreater(exchange.metric(self.gateway.port, "arbiter_gateway_seats_full_total"), 0)
        self.assertEqual(exchange.metric(self.gateway.port, "arbiter_gateway_seats"), 4)
        self.play_out(*here[0])
        self.is_shown(late, match)
        self.play_out(late, match)


if __name__ == "__main__":
    unittest.main()
