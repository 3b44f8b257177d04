"""sockets_test.py: the WebSocket door, played through by programs: whole matches, broken lines, killed gateways."""
import base64
import contextlib
import json
import os
import pathlib
import re
import sys
import time
import unittest
import urllib.request

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path.insert(0, str(SOURCE / "tests" / "lib" / "gateway"))
import gateway_house  # noqa: E402
import socket_client  # noqa: E402
import socket_play  # noqa: E402

GENEROUS = ["--tab-burst", "100000", "--tab-per-10-s", "1000000", "--tab-stall-ms", "150", "--origin",
            "https://play.example", "--tabs-per-address", "40"]
COMMITTED = {"seed": "7"}  # Open dice: a match begins at once.


class Lost(Exception):
    """A list that should have come unasked did not."""


class Sockets(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = cls.enterClassContext(gateway_house.open_house(BUILD, 3))
        cls.gateway = cls.enterClassContext(gateway_house.open_gateway(cls.house, "gateway-0", words=GENEROUS))
        cls.names = 0

    def player(self, gateway=None, follow=None, **how):
        Sockets.names += 1
        player = socket_client.Player((gateway or self.gateway).port, **how)
        wish = {} if follow is None else {"follow": follow}
        welcome = player.open(name=f"Player {Sockets.names}", **wish)
        self.assertIn("player", welcome["welcome"])
        self.addCleanup(player.close)
        return player

    def watcher(self):
        player = socket_client.Player(self.gateway.port)
        self.addCleanup(player.close)
        self.assertNotIn("player", player.open()["welcome"])
        return player

    def test_a_match_is_played_by_several_tabs_and_watched_and_a_cut_line_loses_nothing(self):
        ada, bob, watcher = self.player(), self.player(), self.watcher()
        match = socket_play.sit_down([ada, bob], {"game": "nim", **COMMITTED})
        second = socket_client.Player(self.gateway.port)
        second.session = ada.session
        second.open()
        watcher.send(watch={"match_id": match})
        watcher.wait(lambda down: "shown" in down)
        socket_play.play_out([ada, bob], match, 1)
        before = len(ada.heard)
        ada.socket.cut()
        self.assertTrue(socket_play.move(bob, match, 1))       # Not his turn: nothing happens,
        self.assertTrue(socket_play.move(second, match, 0, 3))  # and the other tab plays on.
        welcome = ada.open()["welcome"]
        self.assertFalse(welcome["fresh"])
        self.assertTrue(socket_play.play_out([ada, bob], match))
        for tab in (ada, bob, second, watcher):
            socket_play.hear_out(tab)
        self.assertGreater(len(ada.heard), before)
        numbers = socket_play.acts(bob, match, 1)
        self.assertEqual(numbers, list(range(numbers[0], numbers[-1] + 1)))
        self.assertEqual(numbers[0], int([down["shown"]["number"] for down in bob.heard if "shown" in down][0]) + 1)
        self.assertEqual(socket_play.acts(ada, match, 0), numbers)
        watched = socket_play.acts(watcher, match)
        self.assertEqual(watched, numbers[-len(watched):])
        self.assertEqual([len([1 for down in tab.heard if "over" in down]) for tab in (ada, bob, second, watcher)],
                         [1, 1, 1, 1])

    def looks(self):
        """Views and lists that the gateway has asked engines for."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.gateway.port}/metrics", timeout=30) as answer:
            return int(re.search(r"^arbiter_gateway_looks_total (\d+)$", answer.read().decode(), re.M).group(1))

    def test_a_move_is_one_message_up_and_the_board_and_the_list_come_unasked(self):
        """What comes unasked may be lost, if seldom: then another match is played."""
        for tries in range(3):
            with contextlib.suppress(Lost):
                return self.play_unasked()
        self.fail(f"in each of {tries + 1} matches a list was lost")

    def play_unasked(self):
        ada, bob = self.player(follow={}), self.player(follow={"best": True})
        match = socket_play.sit_down([ada, bob], {"game": "nim", **COMMITTED})
        players, lists = [ada, bob], ada.wait(lambda down: "legal" in down)["legal"]
        before, first, moves = self.looks(), [len(ada.heard), len(bob.heard)], 0
        at = [ada.requests, bob.requests]
        while not any("over" in down for down in ada.heard):
            seat = moves % 2
            played = players[seat].ask(play={"match_id": match, "seat": seat,
                                             "command": lists.get("best") or lists["patterns"][0]["example"]})["played"]
            self.assertTrue(played["accepted"])
            moves += 1
            try:
                other = players[1 - seat].wait(lambda down: "legal" in down or "over" in down, 20)
            except AssertionError:
                raise Lost from None
            lists = other.get("legal")
            if lists is None:
                socket_play.hear_out(ada)
            else:
                self.assertEqual((lists["number"], lists["to_act"]), (played["number"], True))
        self.assertGreaterEqual(moves, 2)
        self.assertEqual(self.looks(), before)  # Of each act no view and no list was asked for by anybody.
        self.assertEqual(ada.requests + bob.requests - sum(at), moves)
        for seat, player in enumerate(players):  # Down, for each act: it, the view, and to who is awaited the list.
            socket_play.hear_out(player)
            kinds = [next(key for key in ("happened", "shown", "legal", "played", "over", "table", "none")
                          if key in {**down, "none": 0}) for down in player.heard[first[seat]:]]
            acts = [down for down in player.heard[first[seat]:] if "happened" in down]
            views = [down["shown"] for down in player.heard if "shown" in down]
            self.assertEqual(len(acts), moves)
            self.assertLessEqual(kinds.count("shown"), moves)  # Two acts at once bring one.
            # The end of a match takes the seat with it, and the last view may come too late for that.
            self.assertIn((int(acts[-1]["happened"]["number"]) - int(views[-1]["number"]), bool(views[-1].get("over"))), ((0, True), (1, False)))
            self.assertEqual(kinds.count("played"), (moves + 1 - seat) // 2)
            kinds = [kind for kind in kinds if kind != "played"]
            self.assertEqual({kinds[number - 1] for number, kind in enumerate(kinds) if kind == "shown"}, {"happened"})

    def test_who_watches_goes_on_behind_the_act_he_has(self):
        ada, bob, watcher, late = self.player(), self.player(), self.watcher(), self.watcher()
        match = socket_play.sit_down([ada, bob], {"game": "nim", **COMMITTED})
        watcher.send(watch={"match_id": match})
        watcher.wait(lambda down: "shown" in down)
        socket_play.play_out([ada, bob], match, 2)
        socket_play.drain(watcher)
        seen = socket_play.acts(watcher, match)
        late.send(watch={"match_id": match, "after": str(seen[0])})
        socket_play.drain(late)
        self.assertEqual(socket_play.acts(late, match), seen[1:])
        self.assertFalse([down for down in late.heard if "shown" in down])
        begins = self.watcher()
        begins.send(watch={"match_id": match})
        shown = begins.wait(lambda down: "shown" in down)["shown"]
        self.assertEqual(int(shown["number"]), seen[-1])
        self.assertEqual(len([down for down in watcher.heard if "shown" in down]), 1)
        crowd = watcher.wait(lambda down: down.get("crowd", {}).get("watching") == 3)
        self.assertEqual(crowd["crowd"]["match_id"], match)

    def hears_all(self, tab, match, seat, last):
        """Every act since the match began, once and in order, the last ones perhaps as news."""
        while len(socket_play.acts(tab, match, seat)) < last:
            self.assertIsNotNone(tab.next())
        socket_play.drain(tab)
        self.assertEqual(socket_play.acts(tab, match, seat), list(range(1, last + 1)))

    def test_who_comes_into_a_running_match_is_told_it_from_its_first_act(self):
        with gateway_house.open_gateway(self.house, "gateway-1", words=GENEROUS) as first:
            ada, bob = self.player(first), self.player(first)
            match = socket_play.sit_down([ada, bob], {"game": "nim", **COMMITTED})
            for seat, heap in ((0, 0), (1, 1), (0, 0), (1, 1)):
                one = [ada, bob][seat].ask(play={"match_id": match, "seat": seat, "command": {"take": {"heap": heap, "count": 1}}})
                self.assertTrue(one["played"]["accepted"], one)
            last = int(one["played"]["number"])
            first.kill()
        watch = {"match_id": match, "past": 600}
        early, late, short, plain = (self.watcher() for _ in range(4))
        early.send(watch=watch)
        self.hears_all(early, match, None, last)
        late.send(watch=watch)
        self.hears_all(late, match, None, last)
        short.send(watch={**watch, "past": 2})
        plain.send(watch={"match_id": match})
        for tab in (late, short, plain):
            while not any("shown" in down for down in tab.heard):
                self.assertIsNotNone(tab.next())
            socket_play.drain(tab)
            self.assertEqual([int(down["shown"]["number"]) for down in tab.heard if "shown" in down], [last])
        self.assertEqual((socket_play.acts(short, match), socket_play.acts(plain, match)), ([last - 1, last], []))
        self.comes_back_and_is_told_it(ada, match, 0, last)

    def comes_back_and_is_told_it(self, ada, match, seat, last):
        """At a gateway that never saw it begin; and on another device, when it has gone on."""
        ada.heard.clear()
        self.come_back(ada, self.gateway, match)
        socket_play.drain(ada)
        self.assertEqual(socket_play.acts(ada, match, seat), [])  # Who does not ask is told what is new.
        ada.send(look={"match_id": match, "seat": seat, "past": 600})
        self.hears_all(ada, match, seat, last)
        self.assertTrue(socket_play.move(ada, match, seat))
        second = socket_client.Player(self.gateway.port)
        self.addCleanup(second.close)
        second.session = ada.session
        second.open()
        second.wait(lambda down: "shown" in down)
        second.send(look={"match_id": match, "seat": seat, "past": 600})
        self.hears_all(second, match, seat, last + 1)
        self.assertTrue(all("number" not in down for down in second.heard if "happened" in down))

    def test_a_private_match_is_watched_with_its_code_only(self):
        ada, bob, watcher, friend = self.player(), self.player(), self.watcher(), self.watcher()
        table = ada.ask(ask={"create_table": {"game": "nim", "seats": 2, "private_table": True, **COMMITTED}})["answer"]
        code = table["table"]["code"]
        bob.ask(ask={"join_table": {"table": table["table"]["table"], "code": code}})
        match = ada.wait(lambda down: "shown" in down)["shown"]["match_id"]
        for wrong in ({}, {"code": "WRONG"}):
            self.assertIn("refused", watcher.ask(watch={"match_id": match, **wrong}))
        friend.send(watch={"match_id": match, "code": code})
        friend.wait(lambda down: "shown" in down)
        self.assertIn("refused", watcher.ask(watch={"match_id": match}))  # Though it is open for a friend.

    def test_the_gateway_is_killed_in_the_middle_of_a_match_and_everybody_plays_on(self):
        with gateway_house.open_gateway(self.house, "gateway-1", words=GENEROUS) as first:
            ada, bob = self.player(first), self.player(first)
            match = socket_play.sit_down([ada, bob], {"game": "nim", **COMMITTED})
            socket_play.play_out([ada, bob], match, 1)
            waits = self.player(first)
            table = waits.ask(ask={"create_table": {"game": "nim"}})["answer"]["table"]["table"]
            first.kill()
        for name in ("gateway-2", "gateway-1"):  # Another one, and the same again.
            with gateway_house.open_gateway(self.house, name, words=GENEROUS) as other:
                for player in (ada, bob):
                    self.come_back(player, other, match)
                if name == "gateway-2":
                    self.come_back_to_wait(waits, other, table)
                    self.assertFalse(socket_play.play_out([ada, bob], match, 1))
                    other.kill()
                    continue
                self.assertTrue(socket_play.play_out([ada, bob], match))
                self.assertTrue([down for down in ada.heard if "over" in down] or ada.wait(lambda down: "over" in down))

    def test_a_move_that_comes_before_the_gateway_knows_the_match_is_wanted_again_and_anothers_is_not(self):
        with gateway_house.open_gateway(self.house, "gateway-1", words=GENEROUS) as first:
            ada, bob = self.player(first), self.player(first)
            match = socket_play.sit_down([ada, bob], {"game": "nim", **COMMITTED})
            first.kill()
        take = {"match_id": match, "seat": 0, "command": {"take": {"heap": 0, "count": 1}}}
        stranger = self.player()
        stranger.ask(ask={"rejoin": {}})  # Of him it is known where he sits: nowhere.
        for tab in (stranger, self.watcher()):
            self.assertEqual(tab.ask(play=take)["refused"]["refusal"], "REFUSAL_NOT_YOURS")
        ada.port = self.gateway.port
        ada.open()
        played = ada.ask(play=take)
        while "refused" in played:
            self.assertEqual(played["refused"]["refusal"], "REFUSAL_AGAIN", played)
            time.sleep(int(played["refused"]["after_ms"]) / 1000)
            played = ada.ask(play=take)
        self.assertTrue(played["played"]["accepted"], played)

    def come_back_to_wait(self, waits, gateway, table):
        waits.port = gateway.port
        waits.open()
        self.assertEqual(waits.wait(lambda down: "table_now" in down)["table_now"]["phase"], "PHASE_OPEN")
        self.player(gateway).ask(ask={"join_table": {"table": table}})
        self.assertEqual(waits.wait(lambda down: "table" in down)["table"]["seated"]["seat"], 1)

    def come_back(self, player, gateway, match):
        stream, player.port = player.stream, gateway.port
        welcome = player.open()["welcome"]
        self.assertTrue(welcome["fresh"])
        self.assertNotEqual(welcome["stream"], stream)
        self.assertEqual(player.wait(lambda down: "table_now" in down)["table_now"]["match_id"], match)
        player.wait(lambda down: "shown" in down)

    def test_quests_is_played_to_its_end_and_no_secret_reaches_another_seat(self):
        players = [self.player() for _ in range(4)]
        watcher = self.watcher()
        match = socket_play.sit_down(players, {"game": "quests", "setup": json.dumps({"winning_shields": 2}),
                                               **COMMITTED})
        raw = [socket_play.Bytes(self.gateway.port, player.session) for player in players[:2]]
        raw.append(socket_play.Bytes(self.gateway.port))
        raw[2].send(5 + 1, socket_play.field(1, base64.b64decode(match)))
        watcher.send(watch={"match_id": match})
        watcher.wait(lambda down: "shown" in down)
        self.assertTrue(socket_play.play_out(players, match))
        for tab in [*players, watcher, *raw]:
            socket_play.hear_out(tab)
        self.assert_no_bytes_of_another(raw)
        drawn = [{text for text in socket_play.text_privates(player) if '"drew"' in text} for player in players]
        self.assertGreater(sum(len(own) for own in drawn), 3)
        for seat, own in enumerate(drawn):
            for other in [*players[:seat], *players[seat + 1:], watcher]:
                self.assertEqual(own & socket_play.text_events(other), set())
        self.assertEqual(socket_play.text_privates(watcher), [])

    def assert_no_bytes_of_another(self, raw):
        """The first two have seats, the third watches."""
        secrets = [[event for event in socket_play.privates(tab.heard) if len(event) > 8] for tab in raw]
        self.assertGreater(len(secrets[0]), 2)
        self.assertGreater(len(secrets[1]), 2)
        self.assertEqual(socket_play.privates(raw[2].heard), [])
        for mine, event in [(i, event) for i in (0, 1) for event in secrets[i] if one_drawn(event)]:
            for other in [tab for i, tab in enumerate(raw) if i != mine]:
                self.assertFalse([frame for frame in other.heard if event in frame], event)

    def test_a_match_is_played_in_bytes(self):
        tabs = [socket_play.Bytes(self.gateway.port, name=f"Bytes {seat}") for seat in range(2)]
        create = socket_play.field(3, socket_play.field(1, b"nim") + socket_play.field(6, 2) + socket_play.field(9, 14))
        table = socket_play.one(tabs[0].ask(3, create), 4, 6, 1)
        tabs[1].ask(3, socket_play.field(4, socket_play.field(1, table)))
        match = [socket_play.one(tab.wait(8), 1) for tab in tabs][0]
        heaps, seat = [3, 4, 5], 0  # "classic"
        while any(heaps):
            heap = next(i for i, left in enumerate(heaps) if left)
            take = socket_play.field(1, socket_play.field(1, heap) + socket_play.field(2, heaps[heap]))
            played = tabs[seat].ask(4, socket_play.field(1, match) + socket_play.field(2, seat)
                                    + socket_play.field(3, take))
            self.assertEqual(socket_play.one(played, 10, 3), 1, played)
            heaps[heap], seat = 0, 1 - seat
        for tab in tabs:
            tab.wait(12)

    def test_a_reader_who_stands_still_is_closed_with_a_reason_and_resumes_while_others_hear_everything(self):
        ada, bob, watcher = self.player(), self.player(), self.watcher()
        setup = json.dumps({"winning_shields": 2})
        others = [self.player(), self.player()]
        match = socket_play.sit_down([ada, bob, *others], {"game": "quests", "setup": setup, **COMMITTED})
        watcher.send(watch={"match_id": match})
        watcher.wait(lambda down: "shown" in down)
        slow = socket_client.Player(self.gateway.port, receive_bytes=4096)
        slow.session = ada.session
        slow.open()
        socket_play.drain(slow, 0.2)
        for _ in range(600):  # So many views, and it reads none of them.
            slow.send(look={"match_id": match, "seat": 0})
        self.assertTrue(socket_play.play_out([ada, bob, *others], match))
        self.wait_for_slow()
        closed = None
        try:
            slow.wait(lambda down: "closing" in down, 20)
            slow.next()
        except socket_client.Closed as why:
            closed = why
        self.assertIsNotNone(closed)
        self.assertIn("Too slow", [down["closing"]["sentence"] for down in slow.heard if "closing" in down][0])
        slow.open()
        for tab in (slow, ada, bob, watcher):
            socket_play.hear_out(tab)
        numbers = socket_play.acts(ada, match, 0)
        self.assertEqual(numbers, list(range(numbers[0], numbers[-1] + 1)))
        self.assertEqual(socket_play.acts(slow, match, 0), numbers[-len(socket_play.acts(slow, match, 0)):])
        self.assertEqual(socket_play.acts(bob, match, 1), numbers)
        watched = socket_play.acts(watcher, match)
        self.assertEqual(watched, numbers[-len(watched):])

    def wait_for_slow(self):
        page = f"http://127.0.0.1:{self.gateway.port}/metrics"
        end = time.monotonic() + socket_client.PATIENCE_S
        while not re.search(r"^arbiter_gateway_tabs_slow_total [1-9]", urllib.request.urlopen(page).read().decode(), re.M):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)


def one_drawn(event):
    """Quests: it names the player who drew, and the cards."""
    return socket_play.one(event, 9) is not None


if __name__ == "__main__":
    unittest.main()
