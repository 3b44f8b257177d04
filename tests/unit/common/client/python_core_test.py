"""python_core_test.py: the Python core keeps the same promises: once, in order, no gap, played at most once."""
import unittest

from python_stage import (ENGINE, FANOUT, FANOUT_2, LOBBY, MATCH, REQUESTS, SEAT, SECRET, STREAM, Stage, engine, lobby,
                          messages, stream, wire)


class PythonCore(Stage):
    def test_acts_are_told_once_in_order(self):
        self.grow(6)
        self.attach(2)
        for number in (1, 3, 3, 4, 3):
            self.publish(number)
        self.assertEqual([event.number for event in self.told("act", "act")], [3, 4])
        self.told_nothing()

    def test_a_hole_is_asked_for_and_filled(self):
        self.grow(6)
        self.attach(2)
        self.publish(5)
        [(place, _, ask)] = self.sent("HISTORY_ASK")
        self.assertEqual(getattr(ask, "from"), 3)
        self.history(3, 4, 6, place)
        self.history(5, 6, 6, place)
        self.assertEqual([event.number for event in self.told("act", "act", "act", "act")],
                         [3, 4, 5, 6])
        self.told_nothing()

    def test_a_second_look_is_told_behind_the_acts_it_shows(self):
        self.grow(4)
        self.attach(2)
        number = self.core.find(MATCH, SEAT).ask_look(self.now)
        self.core.pump(self.now)
        [(_, _, ask)] = self.sent("ATTACH")
        self.assertTrue(ask.view and ask.session == 9)
        self.attached(3, view=b"")      # Its act has not been told.
        self.told_nothing()
        self.publish(3)
        self.told("act")
        self.wait(100)
        self.assertEqual(len(self.sent("ATTACH")), 1)
        self.attached(2, view=b"")      # Late, and no news.
        self.told_nothing()
        self.wait(100)
        self.assertEqual(len(self.sent("ATTACH")), 1)
        self.attached(3, view=b"")
        seen = self.told("view")
        self.assertEqual((seen.number, seen.request), (3, number))
        self.wait(60000)
        self.assertEqual(self.sent("ATTACH"), [])

    def test_a_seat_lost_behind_the_end_of_its_match_is_over(self):
        self.grow(1)
        self.attach(1)
        number = self.core.find(MATCH, SEAT).play(b"", self.now)
        self.core.pump(self.now)
        [(_, header, _)] = self.sent("COMMAND")
        self.hear(ENGINE, REQUESTS, "REFUSED", messages.envelope.Refused(refusal=messages.envelope.REFUSAL_ATTACH_AGAIN),
                  match_id=MATCH, seat=SEAT, session=header.session, request=header.request)
        self.grow(1, actor=SEAT)
        self.publish(2)
        self.told("act")
        self.hear(FANOUT, STREAM, "HEAD", stream.Head(number=2, chain=self.chain[2], over=True), match_id=MATCH,
                  number=2, epoch=1)
        for _ in range(8):
            [(_, header, _)] = self.sent("ATTACH")
            self.told_nothing()
            self.hear(ENGINE, REQUESTS, "REFUSED",
                      messages.envelope.Refused(refusal=messages.envelope.REFUSAL_NO_SUCH_MATCH),
                      match_id=MATCH, seat=SEAT, request=header.request)
            self.wait(8000)
        reply, _ = self.told("reply", "over")
        self.assertEqual((reply.outcome, reply.request, reply.number), ("unsure", number, 2))

    def test_a_match_that_never_comes_is_given_up_in_time(self):
        self.core.attach(MATCH, SEAT, "", self.now)
        for _ in range(60):
            self.wait(1000)
        self.sent("ATTACH")
        asked, since = 0, 0
        for _ in range(600):
            self.wait(50)
            for _, header, _ in self.sent("ATTACH"):
                asked, since = asked + 1, since or self.now
                self.refuse(header, "NO_SUCH_MATCH")
            if self.core.find(MATCH, SEAT) is None:
                break
        self.assertEqual(self.told("lost").refusal, "NO_SUCH_MATCH")
        self.assertTrue(15000 <= self.now - since <= 18000 and 8 <= asked <= 10)

    def test_a_match_that_begins_is_asked_for_at_once_and_is_over_if_it_is_not_there_then(self):
        self.grow(1)
        self.core.attach(MATCH, SEAT, "", self.now)
        self.core.pump(self.now)
        [(_, late, _)] = self.sent("ATTACH")
        self.refuse(late, "NO_SUCH_MATCH")
        self.assertEqual(self.sent("ATTACH"), [])
        self.publish(1)
        self.core.pump(self.now)
        [(_, header, _)] = self.sent("ATTACH")
        self.refuse(late, "NO_SUCH_MATCH")  # The same twice: he did not know it when he was asked.
        self.told_nothing()
        self.refuse(header, "NO_SUCH_MATCH")
        self.assertEqual(self.told("lost").refusal, "NO_SUCH_MATCH")

    def ask_about(self, table):
        """The lobby shows a table, and then an event too many: what is between is asked for."""
        self.core.tables.look(lobby.Table(table=table, last_event=4), True, self.now)
        self.hear(LOBBY, REQUESTS, "TABLE_EVENT", lobby.TableEvent(table=table, number=9))
        [(_, header, ask)] = self.sent("TABLE_ASK")
        self.assertEqual(ask.table, table)
        return header

    def test_an_answer_about_a_table_that_was_left_is_not_for_the_next(self):
        first, second = bytes([1]) * 16, bytes([2]) * 16
        old = self.ask_about(first)
        self.hear(LOBBY, REQUESTS, "TABLE_EVENT",
                  lobby.TableEvent(table=first, number=5, table_closed=lobby.TableClosed()))
        self.told("table")
        new = self.ask_about(second)
        refused = messages.envelope.Refused(refusal=messages.envelope.REFUSAL_NOT_YOURS)
        self.hear(LOBBY, REQUESTS, "REFUSED", refused, request=old.request)
        self.told_nothing()
        self.assertNotEqual(new.request, old.request)
        self.hear(LOBBY, REQUESTS, "REFUSED", refused, request=new.request)
        self.told("table_lost")

    def test_the_last_act_is_found_by_its_head(self):
        self.grow(3)
        self.attach(2)
        self.hear(FANOUT, STREAM, "HEAD", stream.Head(number=3, chain=self.chain[3], over=True),
                  match_id=MATCH, epoch=1)
        self.assertEqual(self.sent("HISTORY_ASK"), [])
        self.wait(100)
        self.assertEqual(len(self.sent("HISTORY_ASK")), 1)
        self.history(3, 3, 3)
        self.told("act", "over")

    def test_who_keeps_silent_is_left_for_another_then_for_the_engine(self):
        self.grow(4)
        self.attach(2)
        self.publish(4)
        asked = [self.sent("HISTORY_ASK")[0][0]]
        for wait in (600, 1100):
            self.wait(wait)
            asked.append(self.sent("HISTORY_ASK")[0][0])
        self.assertEqual({asked[0], asked[1]}, {FANOUT, FANOUT_2})
        self.assertEqual(asked[2], ENGINE)

    def test_another_past_is_a_fork(self):
        self.grow(3)
        self.attach(2)
        true = stream.Act.FromString(self.acts[3].SerializeToString())
        self.acts[3].chain_before = bytes(32)
        self.publish(3)
        self.assertEqual(self.told("fault").fault, "fork")
        self.publish(3)
        self.told_nothing()
        self.acts[3] = true
        self.publish(3)
        self.told("act")

    def test_an_act_that_leads_elsewhere_than_was_told_before_is_a_fork(self):
        self.grow(3)
        self.attach(2)
        self.hear(FANOUT, STREAM, "HEAD", stream.Head(number=3, chain=bytes(32)), match_id=MATCH, epoch=1)
        self.told_nothing()
        self.publish(3)
        self.assertEqual(self.told("fault", "act")[0].fault, "fork")

    def test_older_epochs_are_not_heard(self):
        self.grow(3)
        self.attach(2)
        self.hear(FANOUT, STREAM, "HEAD", stream.Head(number=2, chain=self.chain[2]), match_id=MATCH,
                  epoch=7)
        self.publish(3, epoch=1)
        self.told_nothing()

    def test_our_box_is_opened_and_a_moved_one_is_not(self):
        self.grow(2)
        self.attach(2)
        self.grow(1, secret=b"a knife")
        self.acts[3].epoch = 2
        self.publish(3)
        self.assertEqual(self.told("fault").fault, "box")
        self.acts[3].epoch = 1
        self.publish(3)
        act = self.told("act")
        self.assertEqual([(what.bytes, what.is_private) for what in act.happenings],
                         [(b"a knife", True), (b"\x03", False)])

    def test_acts_of_a_new_generation_wait_for_its_key(self):
        self.grow(2)
        self.attach(2)
        self.grow(1, house=stream.HouseEvent(
            seat_changed=stream.SeatChanged(seat=SEAT, generation=2)), secret=b"old")
        self.grow(1, secret=b"new", generation=2)
        self.publish(3)
        self.publish(4)
        self.told("act")
        self.told_nothing()
        self.assertEqual(len(self.sent("ATTACH")), 1)
        self.attached(4, session=11, generation=2)
        self.publish(4)
        self.assertEqual(self.told("act").happenings[0].bytes, b"new")

    def play(self):
        number = self.core.find(MATCH, SEAT).play(b"move", self.now)
        self.core.pump(self.now)
        return number

    def command(self, session, request):
        [(_, header, message)] = self.sent("COMMAND")
        self.assertEqual((header.session, header.request, message.play), (session, request, b"move"))
        return header

    def test_a_command_is_said_again_and_told_behind_its_act(self):
        self.grow(2)
        self.attach(2)
        number = self.play()
        self.command(9, 1)
        self.wait(500)
        header = self.command(9, 1)
        self.grow(1, actor=SEAT)
        self.reply(header, True, 3)
        self.told_nothing()
        self.publish(3)
        self.assertEqual(self.told("act", "reply")[1].request, number)
        self.assertNotEqual(self.play(), 0)
        self.command(9, 2)

    def test_a_command_has_one_name_however_often_it_is_said_and_none_for_an_engine_of_version_1(self):
        self.grow(2)
        self.attach(2)
        self.play()
        [(_, _, message)] = self.sent("COMMAND")
        self.assertFalse(message.HasField("id"))
        for peer in self.core.peers.list.values():
            peer.protocol = 2
        names = []
        for wait_ms in (500, 1000):
            self.wait(wait_ms)
            [(_, header, message)] = self.sent("COMMAND")
            names.append(message.id)
        self.reply(header, False, 2)
        self.told("reply")
        self.play()
        [(_, _, message)] = self.sent("COMMAND")
        self.assertEqual((len(names[0]), names[0] == names[1], names[0] == message.id), (16, True, False))

    def test_a_command_that_was_not_played_is_said_in_the_new_session(self):
        self.grow(2)
        self.attach(2)
        self.play()
        header = self.command(9, 1)
        self.grow(1, actor=0)
        self.refuse(header, "ATTACH_AGAIN")
        self.attached(3, session=12)
        self.assertEqual(self.sent("COMMAND"), [])
        self.publish(3)
        self.told("act")
        self.command(12, 1)

    def test_a_command_that_may_have_been_played_is_not(self):
        self.grow(2)
        self.attach(2)
        self.play()
        header = self.command(9, 1)
        self.grow(1, actor=SEAT)
        self.refuse(header, "ATTACH_AGAIN")
        self.attached(3, session=12)
        self.publish(3)
        self.assertEqual(self.told("act", "reply")[1].outcome, "unsure")
        self.wait(60000)
        self.assertEqual(self.sent("COMMAND"), [])

    def test_a_refusal_of_the_house_is_no_answer(self):
        self.grow(2)
        self.attach(2)
        self.play()
        self.refuse(self.command(9, 1), "AGAIN")
        self.told_nothing()
        self.wait(1000)
        self.command(9, 1)

    def test_secrets_that_are_others_are_found_out(self):
        for sealing, dice, proof in ((bytes(32), b"dice", {"dice"}), (SECRET, b"other", {"seals"})):
            self.setUp()
            self.grow(1)
            self.attach(1)
            self.grow(1, house=stream.HouseEvent(secrets_shown=stream.SecretsShown(
                sealing_secret=sealing, dice_secret=dice)))
            self.publish(2)
            events = self.told("act", "fault", "over")
            self.assertEqual((events[1].fault, events[2].proof), ("secrets", proof))

    def test_asks_are_numbered_behind_the_last_and_one_is_under_way(self):
        first = self.core.tables.add(lobby.Ask(rejoin=lobby.Rejoin()), self.now)
        self.core.tables.add(lobby.Ask(rejoin=lobby.Rejoin()), self.now)
        [(_, header, _)] = self.sent("LOBBY_ASK")
        self.assertEqual(header.request, 41)
        self.hear(LOBBY, REQUESTS, "LOBBY_ANSWER", lobby.Answer(request=41), request=41)
        self.assertEqual(self.told("answer").request, first)
        [(_, header, _)] = self.sent("LOBBY_ASK")
        self.assertEqual(header.request, 42)

    def test_tables_are_followed_and_their_match_attached(self):
        table = bytes([0x7a]) * 16
        us = lobby.Player(player=bytes([0xaa]) * 16)
        self.core.tables.add(lobby.Ask(quick_play=lobby.QuickPlay(game="nim")), self.now)
        self.hear(LOBBY, REQUESTS, "LOBBY_ANSWER", lobby.Answer(
            table=lobby.Table(table=table, last_event=5)), request=41)
        self.told("answer")
        for number in (6, 6, 8):
            self.hear(LOBBY, REQUESTS, "TABLE_EVENT", lobby.TableEvent(table=table, number=number))
        self.told("table")
        self.told_nothing()
        [(_, header, ask)] = self.sent("TABLE_ASK")
        self.assertEqual(getattr(ask, "from"), 7)
        begins = lobby.MatchBegins(match_id=MATCH, seats=[lobby.TableSeat(seat=SEAT, player=us)])
        self.hear(LOBBY, REQUESTS, "TABLE_ANSWER", lobby.TableAnswer(events=[
            lobby.TableEvent(table=table, number=7),
            lobby.TableEvent(table=table, number=8, match_begins=begins)], last=8),
            request=header.request)
        self.told("table", "table")
        [(_, header, _)] = self.sent("ATTACH")
        self.assertEqual((header.match_id, header.seat), (MATCH, SEAT))

    def test_a_match_that_was_told_to_its_end_does_not_begin_again(self):
        us = lobby.Player(player=bytes([0xaa]) * 16)
        seats = [lobby.TableSeat(seat=SEAT, player=us)]
        shown = lobby.Table(table=bytes([0x7a]) * 16, last_event=5, phase=lobby.Table.PHASE_PLAYING,
                            match_id=MATCH, seats=seats)
        self.core.tables.look(shown, True, self.now)
        self.core.pump(self.now)
        self.assertEqual(len(self.sent("ATTACH")), 1)
        self.grow(1)
        self.attached(1, over=True)
        self.told("attached", "over")
        self.core.tables.look(shown, True, self.now)
        self.core.pump(self.now)
        self.assertEqual(self.sent("ATTACH"), [])

    def test_a_full_queue_loses_nothing(self):
        self.grow(2)
        self.attach(2)
        self.grow(1010)
        for number in range(3, 1011):
            self.publish(number)
        told = [self.core.told.popleft().number for _ in range(len(self.core.told))]
        self.assertEqual(told, list(range(3, 1003)))  # A thousand, and not one more.
        self.told_nothing()
        self.sent("HISTORY_ASK")
        self.wait(0)
        [(place, _, ask)] = self.sent("HISTORY_ASK")
        self.assertEqual(getattr(ask, "from"), 1003)
        self.history(1003, 1010, 1010, place)
        self.assertEqual(len(self.core.told), 8)

    def test_a_crowd_is_spread_over_fanouts_and_only_those_move_who_must(self):
        peers, chosen = self.core.peers, {}
        peers.list[FANOUT].hello_ms = peers.list[FANOUT_2].hello_ms = 1
        salts = [number.to_bytes(8, "big") for number in range(600)]
        for salt in salts:
            peers.salt = salt
            chosen[salt] = min(peers.fanouts(), key=lambda place: peers.rank(place, 7))
        self.assertTrue(240 < list(chosen.values()).count(FANOUT) < 360)
        self.hear(LOBBY, STREAM, "DIRECTORY", messages.directory.Directory(number=2, services=[
            self.service("ENGINE", "engine", slots=True), self.service("FANOUT", "fanout-1"),
            self.service("FANOUT", "fanout-2"), self.service("FANOUT", "fanout-3")]))
        third = max(peers.list)
        moved = 0
        for salt in salts:
            peers.salt = salt
            better = peers.better(chosen[salt], 7, since_ms=2)
            self.assertIn(better, (None, third))
            best = min(peers.fanouts(), key=lambda place: peers.rank(place, 7))
            self.assertEqual(best, chosen[salt] if better is None else third)
            moved += better is not None
        self.assertTrue(150 < moved < 250, moved)


if __name__ == "__main__":
    unittest.main()
