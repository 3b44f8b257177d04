"""python_dice_test.py: the Python core gives its bytes to hosted dice when all hashes are acts, and finds out lies."""
import unittest

from python_stage import MATCH, SEAT, SECRET, Stage, engine, messages, stream, wire


class PythonDice(Stage):
    def commit(self, secret=None):
        self.grow(1, actor=260, house=stream.HouseEvent(dice_committed=stream.DiceCommitted(
            commitment=wire.sha256(secret or self.house), seats=[0, SEAT])))

    def post(self, seat, posted):
        self.grow(1, actor=260, house=stream.HouseEvent(hash_posted=stream.HashPosted(seat=seat, hash=posted)))

    def test_a_second_hash_of_a_seat_gets_no_bytes(self):
        header, posted = self.begin()
        for first in (3, 4):
            self.post(0, bytes([first]) * 32)
            self.publish(first - 1)
        self.assertEqual(self.told("act", "act", "fault")[-1].fault, "dice")
        self.post(SEAT, posted.hash)
        self.publish(4)
        self.reply(header, True, 4)
        self.wait(30000)
        self.assertEqual(self.sent("COMMAND"), [])

    def test_a_house_that_opens_the_round_unbound_gets_nothing(self):
        self.grow(1, actor=260, house=stream.HouseEvent(dice_committed=stream.DiceCommitted(seats=[0, SEAT])))
        self.attach(1, dice=engine.DiceRound(step=1, awaited=[0, SEAT]))
        self.history(1, 1, 1)
        self.assertEqual(self.told("fault").fault, "dice")
        self.wait(30000)
        self.assertEqual(self.sent("COMMAND"), [])

    def test_a_hash_that_is_none_gets_no_bytes(self):
        header, posted = self.begin()
        self.post(SEAT, posted.hash)
        self.publish(2)
        self.reply(header, True, 2)
        self.post(0, b"short")
        self.publish(3)
        self.assertEqual(self.told("act", "act", "fault")[-1].fault, "dice")
        self.wait(30000)
        self.assertEqual(self.sent("COMMAND"), [])

    def test_the_bytes_for_another_commitment_are_others(self):
        first = self.begin()[1].hash
        self.setUp()  # An aborted match's id, used again.
        self.house = b"another"
        self.assertNotEqual(self.begin()[1].hash, first)

    def test_a_round_that_a_build_of_before_began_is_played_to_its_end(self):
        ours = wire.keyed(self.core.secret, 16, b"arbiter contribution", MATCH, wire.number(SEAT, 4))
        self.commit()
        self.post(SEAT, wire.sha256(ours))
        self.post(0, bytes(32))
        self.attach(3, dice=engine.DiceRound(step=2, awaited=[0, SEAT]))
        self.history(1, 3, 3)
        [(_, _, revealed)] = self.sent("COMMAND")
        self.assertEqual(revealed.reveal, ours)
        self.told_nothing()

    def begin(self):
        """Attaches while the hashes of both seats are awaited, and hears that as an act; the hash it posts."""
        self.commit()
        self.attach(1, dice=engine.DiceRound(step=1, awaited=[0, SEAT]))
        self.assertEqual(self.sent("COMMAND"), [])  # Nothing was seen yet.
        self.history(1, 1, 1)
        [(_, header, posted)] = self.sent("COMMAND")
        return header, posted

    def test_who_makes_the_bytes_itself_reveals_those(self):
        def mine(match_id, seat, commitment):
            return wire.sha256(match_id + bytes([seat]) + commitment)[:16]
        self.core.own_bytes = mine
        header, posted = self.begin()
        ours = mine(MATCH, SEAT, wire.sha256(self.house))
        self.assertEqual(posted.hash, wire.sha256(ours))
        self.post(SEAT, posted.hash)
        self.publish(2)
        self.reply(header, True, 2)
        self.post(0, bytes(32))
        self.publish(3)
        [(_, _, revealed)] = self.sent("COMMAND")
        self.assertEqual(revealed.reveal, ours)

    def test_bytes_of_another_size_are_refused_before_they_are_promised(self):
        self.core.own_bytes = lambda *_: b"short"
        with self.assertRaisesRegex(ValueError, "own_bytes must return 16 bytes, and returned 5"):
            self.begin()

    def name(self, **origins):
        """The header names these seats, and whose bytes they are."""
        self.facts = {"protocol": 2, "contributors": [
            messages.envelope.Contributor(seat=int(seat[-1]), origin=f"ORIGIN_{origin}") for seat, origin in origins.items()]}

    def test_a_header_that_says_the_truth_of_us_is_no_fault(self):
        self.name(seat_0="GATEWAY", seat_1="OWN")
        self.begin()
        self.told_nothing()

    def begin_and_find_a_lie(self):
        self.commit()
        self.attach(1, dice=engine.DiceRound(step=1, awaited=[0, SEAT]))
        self.history(1, 1, 1)
        self.assertEqual(self.told("fault").fault, "dice")
        self.assertEqual(self.sent("COMMAND"), [])

    def test_a_header_that_says_our_bytes_are_another_ones_is_false(self):
        self.name(seat_0="OWN", seat_1="GATEWAY")
        self.begin_and_find_a_lie()

    def test_a_header_that_leaves_us_out_is_false(self):
        self.name(seat_0="OWN")
        self.begin_and_find_a_lie()

    def test_a_round_of_others_than_the_header_names_is_found_out(self):
        self.name(seat_1="OWN")
        self.begin_and_find_a_lie()

    def test_who_took_a_seat_over_is_not_meant_by_the_header(self):
        self.name(seat_0="OWN", seat_1="GATEWAY")
        self.commit()
        self.attach(1, generation=2, dice=engine.DiceRound(step=1, awaited=[0, SEAT]))
        self.told_nothing()

    def post_and_start_again(self):
        posted = self.begin()[1].hash
        self.setUp()
        self.commit()
        self.post(SEAT, posted)
        return posted

    def test_an_engine_that_wants_bytes_before_any_hash_gets_a_hash(self):
        self.commit()
        self.attach(1, dice=engine.DiceRound(step=2, awaited=[0, SEAT]))
        self.wait(30000)
        self.assertEqual(self.sent("COMMAND"), [])
        self.history(1, 1, 1)
        [(_, header, posted)] = self.sent("COMMAND")
        self.assertTrue(posted.hash)
        self.post(SEAT, posted.hash)
        self.publish(2)
        self.reply(header, True, 2)
        self.wait(30000)
        self.assertEqual(self.sent("COMMAND"), [])  # The other seat's hash is no act.

    def test_who_comes_back_reveals_only_when_the_acts_have_every_hash(self):
        posted = self.post_and_start_again()
        self.attach(2, dice=engine.DiceRound(step=2, awaited=[0, SEAT]))
        self.history(1, 2, 2)
        self.wait(30000)
        self.assertEqual(self.sent("COMMAND"), [])  # The engine says that all are there. It lies.
        self.told_nothing()
        self.post(0, bytes(32))
        self.publish(3)
        [(_, _, revealed)] = self.sent("COMMAND")
        self.assertEqual(wire.sha256(revealed.reveal), posted)

    def test_who_comes_back_fetches_the_hashes_and_reveals(self):
        posted = self.post_and_start_again()
        self.post(0, bytes(32))
        self.attach(3, dice=engine.DiceRound(step=2, awaited=[0, SEAT]))
        [(_, _, ask)] = self.sent("HISTORY_ASK")
        self.assertEqual(getattr(ask, "from"), 1)
        self.history(1, 2, 3)
        self.assertEqual(self.sent("COMMAND"), [])
        self.history(3, 3, 3)
        [(_, _, revealed)] = self.sent("COMMAND")
        self.assertEqual(wire.sha256(revealed.reveal), posted)
        self.told_nothing()  # Acts of before its time are not told.

    def test_acts_that_do_not_lead_to_the_engines_chain_bring_no_bytes(self):
        self.post_and_start_again()
        self.post(0, bytes(32))
        self.attach(3, dice=engine.DiceRound(step=2, awaited=[0, SEAT]))
        del self.acts[3]
        self.post(0, bytes([4]) * 32)  # A fanout's own.
        self.history(1, 3, 3)
        self.assertEqual(self.told("fault").fault, "fork")
        self.wait(30000)
        self.assertEqual(self.sent("COMMAND"), [])

    def test_a_house_that_binds_itself_twice_gets_no_bytes(self):
        header, posted = self.begin()
        self.post(SEAT, posted.hash)
        self.publish(2)
        self.reply(header, True, 2)
        self.commit(b"another")
        self.publish(3)
        self.assertEqual(self.told("act", "act", "fault")[-1].fault, "dice")
        self.post(0, bytes(32))
        self.publish(4)
        self.wait(30000)
        self.assertEqual(self.sent("COMMAND"), [])

    def test_dice_hash_then_bytes_then_proof(self):
        header, posted = self.begin()
        self.grow(1, house=stream.HouseEvent(hash_posted=stream.HashPosted(seat=SEAT,
                                                                           hash=posted.hash)))
        self.publish(2)
        self.reply(header, True, 2)
        self.wait(1000)
        self.assertEqual(self.sent("COMMAND"), [])
        self.grow(1, house=stream.HouseEvent(hash_posted=stream.HashPosted(seat=0, hash=bytes(32))))
        self.publish(3)
        [(_, header, revealed)] = self.sent("COMMAND")
        self.assertEqual(wire.sha256(revealed.reveal), posted.hash)
        self.grow(1, house=stream.HouseEvent(bytes_revealed=stream.BytesRevealed(
            seat=SEAT, revealed=revealed.reveal)))
        self.publish(4)
        self.reply(header, True, 4)
        self.grow(1, house=stream.HouseEvent(secrets_shown=stream.SecretsShown(
            sealing_secret=SECRET, dice_secret=b"dice")))
        self.publish(5)
        events = self.told("act", "act", "act", "dice", "act", "over")
        self.assertEqual(events[-1].proof, {"seals", "dice", "own_bytes"})


if __name__ == "__main__":
    unittest.main()
