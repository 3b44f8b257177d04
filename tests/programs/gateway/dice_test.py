"""dice_test.py: bytes for hosted dice that a program at the WebSocket door makes itself: the gateway passes them on."""
import base64
import hashlib
import os
import pathlib
import sys
import time
import unittest
import urllib.request

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path.insert(0, str(SOURCE / "tests" / "lib" / "gateway"))
sys.path.insert(0, str(SOURCE / "common" / "client" / "python"))
import gateway_house  # noqa: E402
import socket_client  # noqa: E402
import socket_play  # noqa: E402
from arbiter import messages  # noqa: E402, F401
import envelope_pb2  # noqa: E402
import match_pb2  # noqa: E402  Behind `messages`, which makes it.
import stream_pb2  # noqa: E402

GENEROUS = ["--tab-burst", "100000", "--tab-per-10-s", "1000000"]
DICE_MS = 4000


def base64_of(some):
    return base64.b64encode(some).decode()


def seen(dice):
    """The hashes of a Dice, by seat."""
    return {one["seat"]: base64.b64decode(one["hash"]) for one in dice.get("hashes", [])}


class Dice(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = cls.enterClassContext(gateway_house.open_house(
            BUILD, 2, settings={"engine": ["--dice-ms", str(DICE_MS)]}))
        cls.gateways = [cls.enterClassContext(gateway_house.open_gateway(cls.house, f"gateway-{i}", words=GENEROUS))
                        for i in range(2)]
        cls.names = 0

    def player(self, **hello):
        Dice.names += 1
        player = socket_client.Player(self.gateways[0].port)
        self.addCleanup(player.close)
        player.open(name=f"Player {Dice.names}", **hello)
        return player

    def wanted(self, player, wanted):
        return player.wait(lambda down: down.get("dice", {}).get("wanted") == wanted)["dice"]

    def give(self, player, dice, **given):
        """Says a hash or bytes; what is answered."""
        return player.ask(contribute={"match_id": dice["match_id"], "seat": dice["seat"],
                                      **{name: base64_of(some) for name, some in given.items()}})

    def file_of(self, match):
        """The records of the finished match."""
        address = f"http://127.0.0.1:{self.gateways[1].port}/api/matches/{base64.b64decode(match).hex()}/file"
        data = urllib.request.urlopen(address, timeout=30).read()
        at, records = data.index(b"\n") + 1, []
        while at < len(data):
            end = at + 12 + int.from_bytes(data[at:at + 4], "big")
            records.append(match_pb2.Record.FromString(data[at + 12:end]))
            at = end
        return records

    def given(self, match):
        """What the file says of the dice: the bytes of each seat that revealed, and what the acts said, in order."""
        records = self.file_of(match)
        told = [getattr(event.house, event.house.WhichOneof("kind")) for record in records if record.HasField("act")
                for event in stream_pb2.ActBody.FromString(record.act.body).events if event.HasField("house")]
        revealed = {record.contribution.seat: record.contribution.revealed for record in records
                    if record.HasField("contribution") and record.contribution.HasField("revealed")}
        return revealed, told

    def play_to_the_end(self, players, match):
        self.assertTrue(socket_play.play_out(players, match))
        for player in players:
            socket_play.hear_out(player)
        return [next(down["over"] for down in player.heard if "over" in down) for player in players]

    def test_a_program_brings_its_own_bytes_and_finds_them_in_the_file(self):
        ada, bob = self.player(own_bytes=True), self.player()
        match = socket_play.sit_down([ada, bob], {"game": "nim"})
        mine = os.urandom(16)
        dice = self.wanted(ada, "WANTED_HASH")
        self.assertEqual((dice["match_id"], dice["seats"]), (match, [0, 1]))
        self.assertIn("refused", self.give(ada, dice, reveal=mine))  # No hash stands there yet.
        self.assertEqual(self.give(ada, dice, hash=hashlib.sha256(mine).digest())["dice"]["wanted"],
                         "WANTED_UNSPECIFIED")
        dice = self.wanted(ada, "WANTED_REVEAL")
        self.assertEqual(sorted(seen(dice)), [0, 1])
        self.assertEqual(seen(dice)[0], hashlib.sha256(mine).digest())
        self.assertIn("refused", self.give(ada, dice, reveal=os.urandom(16)))  # They do not fit.
        self.assertIn("dice", self.give(ada, dice, reveal=mine))
        overs = self.play_to_the_end([ada, bob], match)
        self.assertEqual([over["own_bytes"] for over in overs], [True, True])
        revealed, told = self.given(match)
        self.assertEqual(revealed[0], mine)
        self.assertEqual(hashlib.sha256(revealed[1]).digest(), seen(dice)[1])
        self.assertEqual(told[0].commitment, base64.b64decode(dice["commitment"]))
        origins = [(one.seat, one.origin) for one in self.file_of(match)[0].header.contributors]
        self.assertEqual(origins, [(0, envelope_pb2.ORIGIN_OWN), (1, envelope_pb2.ORIGIN_GATEWAY)])
        self.assertFalse([down for down in bob.heard if "dice" in down])  # Who asked for nothing hears nothing new.

    def test_for_a_program_that_keeps_silent_nobody_contributes(self):
        ada, bob = self.player(own_bytes=True), self.player()
        match = socket_play.sit_down([ada, bob], {"game": "nim"})
        dice = self.wanted(ada, "WANTED_HASH")
        ada.wait(lambda down: "shown" in down and "view" in down["shown"] or "happened" in down
                 and any("event" in event for event in down["happened"].get("events", [])))
        self.assertIn("refused", self.give(ada, dice, hash=bytes(32)))  # Too late.
        overs = self.play_to_the_end([ada, bob], match)
        self.assertEqual([over["own_bytes"] for over in overs], [False, True])
        revealed, told = self.given(match)
        self.assertEqual(sorted(revealed), [1])
        self.assertEqual([one.seat for one in told if isinstance(one, stream_pb2.SeatSilent)], [0])

    def test_a_lobby_that_was_started_anew_hears_again_who_makes_the_bytes(self):
        ada, bob = self.player(own_bytes=True), self.player()
        table = ada.ask(ask={"create_table": {"game": "nim", "seats": 2}})["answer"]["table"]["table"]
        self.house.without(["lobby"], lambda: None)
        self.house.wait_until_started()
        for _ in range(8):  # The gateway has its lobby back, and looks at its sessions four times a second.
            bob.wait(lambda down, request=bob.send(ask={"list_tables": {}}): down.get("request") == request)
            time.sleep(0.25)
        self.assertEqual(bob.ask(ask={"join_table": {"table": table}})["answer"]["verdict"], "VERDICT_DONE")
        shown = ada.wait(lambda down: "shown" in down)["shown"]
        origins = [one["origin"] for one in shown["match"]["contributors"]]
        self.assertEqual(origins, ["ORIGIN_OWN", "ORIGIN_GATEWAY"])

    def test_who_comes_back_at_another_gateway_reveals_there_and_of_several_tabs_one_answers(self):
        ada, bob = self.player(own_bytes=True), self.player(own_bytes=True)
        match = socket_play.sit_down([ada, bob], {"game": "nim"})
        mine, bobs = os.urandom(16), os.urandom(16)
        self.give(ada, self.wanted(ada, "WANTED_HASH"), hash=hashlib.sha256(mine).digest())
        ada.socket.cut()
        tabs = []
        for _ in range(2):
            tab = socket_client.Player(self.gateways[1].port)
            self.addCleanup(tab.close)
            tab.session = ada.session
            self.assertIn("welcome", tab.open(own_bytes=True))
            tabs.append(tab)
        self.give(bob, self.wanted(bob, "WANTED_HASH"), hash=hashlib.sha256(bobs).digest())
        dice = [self.wanted(tab, "WANTED_REVEAL") for tab in tabs]
        self.assertEqual(seen(dice[0])[1], hashlib.sha256(bobs).digest())
        self.assertIn("dice", self.give(tabs[1], dice[1], reveal=mine))
        self.assertIn("refused", self.give(tabs[0], dice[0], reveal=mine))
        self.give(bob, self.wanted(bob, "WANTED_REVEAL"), reveal=bobs)
        overs = self.play_to_the_end([tabs[0], bob], match)
        self.assertEqual([over["own_bytes"] for over in overs], [True, True])
        self.assertEqual(self.given(match)[0], {0: mine, 1: bobs})


if __name__ == "__main__":
    unittest.main()
