"""python_cut_test.py: a fanout that goes away, or comes and goes, costs the Python core nothing; who is refused for good stops."""
import unittest

from python_stage import ENGINE, FANOUT, FANOUT_2, HISTORY, MATCH, REQUESTS, SEAT, STREAM, Stage, engine, messages, stream


class PythonCut(Stage):
    def sit(self, fanouts=2):
        self.grow(30)
        if fanouts == 1:
            self.core.peers.close(FANOUT_2)
        self.attach(2)
        seat = self.core.find(MATCH, SEAT)
        self.core.pump(self.now)
        self.core.out.clear()
        return seat

    def cut(self, place):
        self.core.cut((place, STREAM), self.now)

    def asked(self):
        return [place for place, _, _ in self.sent("HISTORY_ASK")]

    def test_a_cut_stream_is_made_up_for_at_another_fanout_at_once(self):
        seat = self.sit()
        before = seat.fanout
        self.core.cut((before, HISTORY), self.now)  # Not the stream.
        self.assertEqual(self.asked(), [])
        self.cut(before)
        self.assertEqual({before, seat.fanout}, {FANOUT, FANOUT_2})
        self.assertEqual(self.asked(), [seat.fanout])
        self.wait(500)
        self.assertEqual(self.asked(), [ENGINE])  # It may be gone, too.
        self.history(3, 4, 4, ENGINE)
        self.told("act", "act")

    def test_without_another_fanout_the_engine_is_asked_however_often_it_comes_and_goes(self):
        seat = self.sit(fanouts=1)
        for number in range(3, 20):
            self.cut(FANOUT)
            self.assertEqual(self.asked(), [ENGINE])
            self.history(number, number, number, ENGINE)
            self.told("act")
            self.wait(500)
            self.sent("HISTORY_ASK")
        self.hear(FANOUT, STREAM, "HEAD", stream.Head(number=19, chain=self.chain[19]), match_id=MATCH, epoch=1)
        self.assertFalse(seat.is_cut)

    def test_while_no_fanout_speaks_it_and_the_engine_are_asked_in_turn(self):
        self.sit(fanouts=1)
        counts = {ENGINE: 0, FANOUT: 0}
        self.cut(FANOUT)
        for _ in range(200):
            for place in self.asked():
                counts[place] += 1
                if place == ENGINE:
                    self.history(3, 2, 2, ENGINE)
            self.wait(100)
        self.assertTrue(6 <= counts[ENGINE] <= 12 and 5 <= counts[FANOUT] <= 12, counts)

    def test_who_was_behind_is_asked_at_once_when_something_newer_is_heard(self):
        self.sit()
        newer = {"match_id": MATCH, "epoch": 7}
        self.hear(FANOUT, STREAM, "HEAD", stream.Head(number=4, chain=self.chain[4]), **newer)
        for tries in range(6):
            self.wait(500 << tries)
            self.hear(FANOUT, HISTORY, "HISTORY_ANSWER", stream.HistoryAnswer(last=4, acts=[self.acts[3]]), match_id=MATCH, epoch=6)
        self.asked()
        self.wait(3000)
        self.assertEqual(self.asked(), [])
        self.hear(FANOUT, STREAM, "HEAD", stream.Head(number=5, chain=self.chain[5]), **newer)
        self.wait(250)
        self.assertEqual(len(self.asked()), 1)

    def test_a_fanout_that_says_when_to_come_back_is_not_left(self):
        seat = self.sit()
        before = seat.fanout
        self.publish(4, before)
        self.assertEqual(self.asked(), [before])
        self.hear(before, HISTORY, "REFUSED",
                  messages.envelope.Refused(refusal=messages.envelope.REFUSAL_TOO_MUCH, after_ms=40),
                  match_id=MATCH, request=0x10000000)
        self.wait(39)
        self.assertEqual(self.asked(), [])
        self.wait(1)
        self.assertEqual((self.asked(), seat.fanout), ([before], before))

    def refuse_for_good(self, header):
        self.refuse(header, "TOO_MUCH")

    def test_a_view_that_is_too_large_is_not_asked_for_again(self):
        seat = self.sit()
        number = seat.ask_look(self.now)
        self.core.pump(self.now)
        [(_, header, _)] = self.sent("ATTACH")
        self.refuse_for_good(header)
        refused = self.told("refused")
        self.assertEqual((refused.request, refused.refusal), (number, "TOO_MUCH"))
        number = seat.ask_legal(engine.LegalAsk(luck=5), self.now)
        self.core.pump(self.now)
        [(_, header, _)] = self.sent("LEGAL_ASK")
        self.refuse_for_good(header)
        self.assertEqual(self.told("refused").request, number)
        self.wait(60000)
        self.assertEqual((self.sent("ATTACH"), self.sent("LEGAL_ASK")), ([], []))

    def test_a_first_view_that_is_too_large_is_the_end_of_the_seat(self):
        self.core.attach(MATCH, SEAT, "", self.now)
        self.core.pump(self.now)
        [(_, header, _)] = self.sent("ATTACH")
        self.hear(ENGINE, REQUESTS, "REFUSED",
                  messages.envelope.Refused(refusal=messages.envelope.REFUSAL_TOO_MUCH, after_ms=50),
                  match_id=MATCH, seat=SEAT, request=header.request)
        self.told_nothing()
        self.wait(50)
        [(_, header, _)] = self.sent("ATTACH")
        self.refuse_for_good(header)
        self.assertEqual(self.told("lost").refusal, "TOO_MUCH")


if __name__ == "__main__":
    unittest.main()
