"""secrets_test.py: what one seat alone may know, in no frame of any other connection: every game with secrets, as text and bytes."""
import base64
import json
import os
import pathlib
import sys
import unittest

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path.insert(0, str(SOURCE / "tests" / "lib" / "gateway"))
import gateway_house  # noqa: E402
import socket_client  # noqa: E402
import socket_play  # noqa: E402

GENEROUS = ["--tab-burst", "100000", "--tab-per-10-s", "1000000", "--tabs-per-address", "0"]
LONG = 12  # Bytes of an event that hardly stand in another one by chance.
GAMES = {"dead": {"setup_name": "intro"}, "quests": {}, "treasure": {"setup_name": "unhurried"}, "objectron": {}}
SEATS = {"dead": 3, "quests": 4, "treasure": 2, "objectron": 2}
ROUNDS = 12
WATCH, PING, HAPPENED = 6, 9, 9  # Fields of Up, and of Down.


class Secrets(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = cls.enterClassContext(gateway_house.open_house(BUILD, 1))
        cls.gateway = cls.enterClassContext(gateway_house.open_gateway(cls.house, words=GENEROUS))

    def tab(self, **hello):
        player = socket_client.Player(self.gateway.port)
        player.open(**hello)
        self.addCleanup(player.close)
        return player

    def bytes_tab(self, session=None):
        tab = socket_play.Bytes(self.gateway.port, session)
        self.addCleanup(tab.socket.plain.close)
        return tab

    def play(self, game):
        """Tabs of a match that has gone on for a while: text and bytes for each seat, then who watches, then who does not."""
        players = [self.tab(name=f"{game} {seat}") for seat in range(SEATS[game])]
        match = socket_play.sit_down(players, {"game": game, "seed": "7", **GAMES[game]})
        raw = [self.bytes_tab(player.session) for player in players] + [self.bytes_tab(), self.bytes_tab()]
        raw[-2].send(WATCH, socket_play.field(1, base64.b64decode(match)))
        watcher, stranger = self.tab(), self.tab()
        watcher.send(watch={"match_id": match})
        watcher.wait(lambda down: "shown" in down)
        socket_play.play_out(players, match, ROUNDS)
        for tab in (*players, watcher, stranger):  # Behind its answer nothing is on its way.
            tab.ask(ping={})
        for tab in raw:
            tab.ask(PING, b"")
        return [*players, watcher, stranger], raw

    def test_what_was_said_to_one_seat_is_in_no_frame_of_another(self):
        for game in GAMES:
            with self.subTest(game):
                told, raw = self.play(game)
                self.assertEqual([down for down in told[-1].heard if "welcome" not in down and "pong" not in down], [])
                self.assertEqual(len(raw[-1].heard), 2)
                self.judge_texts(game, told)
                self.judge_seats(told)
                self.judge_bytes(raw)

    def judge_texts(self, game, told):
        acts = [text_acts(tab) for tab in told]
        private = [{number: {text for text, is_private in events if is_private} for number, events in heard.items()} for heard in acts]
        self.assertEqual([any(heard.values()) for heard in private[-2:]], [False, False])
        if game != "objectron":  # There the grid is all there is to know.
            self.assertTrue(any(any(heard.values()) for heard in private))
        for mine, other in pairs(len(told)):
            for number, own in private[mine].items():
                self.assertEqual(own & {text for text, _ in acts[other].get(number, [])}, set(), (number, mine, other))

    def judge_seats(self, told):
        """Nobody is told a thing as another seat."""
        for seat, tab in enumerate(told[:-2]):
            as_whom = {down[kind].get("seat") for down in tab.heard for kind in ("shown", "happened", "played") if kind in down}
            self.assertEqual(as_whom, {seat})
        self.assertEqual({down[kind].get("seat") for down in told[-2].heard for kind in ("shown", "happened") if kind in down}, {None})

    def judge_bytes(self, raw):
        """An event of an act stands in no frame about this act, and in none that is about no act at all."""
        for mine, other in pairs(len(raw)):
            frames = [(socket_play.one(frame, HAPPENED, 3), frame) for frame in raw[other].heard]
            for frame in raw[mine].heard:
                number = socket_play.one(frame, HAPPENED, 3)
                for event in socket_play.privates([frame]):
                    if event is None or len(event) < LONG:
                        continue
                    self.assertFalse([found for of, found in frames if of in (None, number) and event in found], (number, mine, other))


def text_acts(tab):
    """Number: the act's events as text, and whether they were private."""
    return {down["happened"]["number"]: [(json.dumps(event["event"], sort_keys=True), event.get("private", False))
                                         for event in down["happened"].get("events", []) if "event" in event]
            for down in tab.heard if "happened" in down}


def pairs(count):
    return [(mine, other) for mine in range(count) for other in range(count) if mine != other]


if __name__ == "__main__":
    unittest.main()
