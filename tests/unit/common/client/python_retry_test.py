"""python_retry_test.py: what the Python core says again, when, and what it does not say again."""
import unittest

from python_stage import ENGINE, LOBBY, MATCH, REQUESTS, SEAT, Stage, engine, lobby, messages


class PythonRetry(Stage):
    def look(self):
        self.core.find(MATCH, SEAT).ask_look(self.now)
        self.core.pump(self.now)
        [(_, header, _)] = self.sent("ATTACH")
        return header

    def test_a_look_that_is_put_off_comes_back_when_it_was_told(self):
        self.grow(2)
        self.attach(2)
        header = self.look()
        for refusal in ("TOO_MUCH", "AGAIN", "TOO_MUCH", "AGAIN"):
            self.refuse(header, refusal, after_ms=40)
            self.wait(39)
            self.assertEqual(self.sent("ATTACH"), [])
            self.wait(1)
            self.assertEqual(len(self.sent("ATTACH")), 1)
        self.attached(2, view=b"")
        self.told("view")

    def test_a_look_that_is_refused_for_good_is_the_end_of_the_seat(self):
        self.grow(2)
        self.attach(2)
        self.refuse(self.look(), "NOT_YOURS")
        self.told_nothing()
        self.wait(0)
        [(_, header, _)] = self.sent("ATTACH")
        self.refuse(header, "NOT_YOURS")
        self.assertEqual(self.told("lost").refusal, "NOT_YOURS")

    def ask_legal(self):
        number = self.core.find(MATCH, SEAT).ask_legal(engine.LegalAsk(luck=5), self.now)
        self.core.pump(self.now)
        [(_, header, _)] = self.sent("LEGAL_ASK")
        return number, header

    def legal(self, header, number):
        self.hear(ENGINE, REQUESTS, "LEGAL_ANSWER", engine.LegalAnswer(number=number), match_id=MATCH, seat=SEAT,
                  session=header.session, request=header.request)

    def test_what_a_seat_may_do_is_told_behind_the_act_it_holds_at(self):
        self.grow(3)
        self.attach(2)
        number, header = self.ask_legal()
        self.legal(header, 3)
        self.told_nothing()
        self.publish(3)
        self.told("act")
        self.wait(100)  # The act was on its way, that is all: no reason to wait for long.
        self.assertEqual(len(self.sent("LEGAL_ASK")), 1)
        self.legal(header, 3)
        self.assertEqual(self.told("legal").request, number)

    def test_who_may_not_ask_is_told_so(self):
        self.grow(2)
        self.attach(2)
        number, header = self.ask_legal()
        self.refuse(header, "NOT_YOURS")
        refused = self.told("refused")
        self.assertEqual((refused.request, refused.refusal), (number, "NOT_YOURS"))
        self.wait(60000)
        self.assertEqual(self.sent("LEGAL_ASK"), [])

    def refuse_ask(self, refusal, **more):
        self.hear(LOBBY, REQUESTS, "REFUSED", messages.envelope.Refused(refusal=f"REFUSAL_{refusal}", **more), request=41)

    def test_what_was_put_off_goes_on_behind_the_last(self):
        self.core.tables.add(lobby.Ask(rejoin=lobby.Rejoin()), self.now)
        self.sent("LOBBY_ASK")
        self.refuse_ask("TOO_MUCH", after_ms=200)
        self.wait(200)
        self.assertEqual(len(self.sent("LOBBY_ASK")), 1)
        self.refuse_ask("GAP", request=50)
        self.wait(0)
        [(_, header, _)] = self.sent("LOBBY_ASK")
        self.assertEqual(header.request, 51)

    def test_what_lost_its_number_to_another_ask_goes_on_behind_it(self):
        self.core.tables.add(lobby.Ask(rejoin=lobby.Rejoin()), self.now)
        self.wait(500)
        self.assertGreater(len(self.sent("LOBBY_ASK")), 1)
        self.refuse_ask("GAP", request=41)
        self.wait(0)
        [(_, header, _)] = self.sent("LOBBY_ASK")
        self.assertEqual(header.request, 42)

    def test_a_welcome_does_not_undo_what_may_have_been_done(self):
        self.core.tables.add(lobby.Ask(rejoin=lobby.Rejoin()), self.now)
        self.hear(LOBBY, REQUESTS, "WELCOME", messages.directory.Welcome())
        self.told("connected")
        self.assertEqual(len(self.sent("LOBBY_ASK")), 2)
        self.refuse_ask("GAP", request=50)
        self.assertEqual(self.told("refused").refusal, "GAP")
        self.wait(60000)
        self.assertEqual(self.sent("LOBBY_ASK"), [])


if __name__ == "__main__":
    unittest.main()
