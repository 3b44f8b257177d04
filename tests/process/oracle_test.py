"""oracle_test.py: the oracle finds each broken promise, and nothing where all were kept."""
import contextlib
import hashlib
import pathlib
import sqlite3
import tempfile
import unittest
import unittest.mock

import oracle

MATCH = bytes(range(16))
NAME = MATCH.hex()
# number, actor, session, request, command, body: the start, and a move of each seat.
ACTS = [(1, 256, 0, 0, b"", b"start"), (2, 0, 1, 1, b"\x01", b"one"), (3, 1, 1, 1, b"\x02", b"two")]


def chain(number):
    return hashlib.sha256(bytes([number])).digest()


class Scene:
    """A match of three acts as journal and record, both right; tests spoil one of them."""

    def __init__(self, folder):
        self.journal_path, self.record_path = folder / "journal.db", folder / "a.record"
        base = sqlite3.connect(self.journal_path)
        base.execute("CREATE TABLE acts (match_id, number, epoch, actor, session, request, chain_before, "
                     "chain, command, body)")
        base.execute("CREATE TABLE results (match_id, acts)")
        base.execute("CREATE TABLE matches (match_id)")
        base.execute("INSERT INTO matches VALUES (?)", (MATCH,))
        base.execute("INSERT INTO results VALUES (?, 3)", (MATCH,))
        for number, actor, session, request, command, body in ACTS:
            base.execute("INSERT INTO acts VALUES (?,?,1,?,?,?,?,?,?,?)",
                         (MATCH, number, actor, session, request, chain(number - 1), chain(number), command, body))
        base.commit()
        base.close()
        self.lines = [f"10 begun {NAME} 0 2 {NAME}", f"20 play {NAME} 0 1 01", f"30 accepted {NAME} 0 1 2",
                      f"40 play {NAME} 1 1 02", f"50 accepted {NAME} 1 1 3"]
        for seat in (0, 1):
            self.lines += [f"60 act {NAME} {seat} {number} {actor} {hashlib.sha256(body).hexdigest()}"
                           for number, actor, *_, body in ACTS]
            self.lines.append(f"70 over {NAME} {seat} 3 0")
        self.lines.append("80 done")

    def sql(self, statement, *values):
        base = sqlite3.connect(self.journal_path)
        base.execute(statement, values)
        base.commit()
        base.close()

    def drop(self, beginning):
        self.lines = [line for line in self.lines if beginning not in line]

    def findings(self):
        self.record_path.write_text("\n".join(self.lines) + "\n")
        history = oracle.History()
        history.read(self.record_path)
        return oracle.findings(history, oracle.Journal(self.journal_path))


class Findings(unittest.TestCase):
    def setUp(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.scene = Scene(pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory())))

    def expect(self, words):
        found = self.scene.findings()
        self.assertTrue(any(words in finding for finding in found), found)

    def test_nothing_is_found_where_all_is_kept(self):
        self.assertEqual(self.scene.findings(), [])

    def test_an_acknowledged_command_that_is_lost(self):
        self.scene.sql("DELETE FROM acts WHERE number = 3")
        self.expect("acknowledged as act 3, which the journal has not")

    def test_an_acknowledged_command_that_became_another(self):
        self.scene.sql("UPDATE acts SET command = x'07' WHERE number = 3")
        self.expect("acknowledged as act 3, which is another one")

    def test_two_commands_that_share_an_act(self):
        self.scene.lines += [f"55 play {NAME} 1 2 02", f"56 accepted {NAME} 1 2 3"]
        self.expect("was the answer to two commands")

    def test_a_command_that_is_played_twice(self):
        self.scene.sql("INSERT INTO acts VALUES (?,4,1,1,1,1,?,?,x'02',x'')", MATCH, chain(3), chain(4))
        self.expect("was played 2 times")
        self.expect("act 4 of " + NAME + " is nobody's command")

    def test_a_refused_command_that_is_played(self):
        self.scene.drop("accepted " + NAME + " 1")
        self.scene.lines.append(f"50 refused {NAME} 1 1 0")
        self.expect("act 3 of " + NAME + " is nobody's command")

    def test_who_is_unsure_may_have_been_played(self):
        self.scene.drop("accepted " + NAME + " 1")
        self.scene.lines.append(f"50 unsure {NAME} 1 1 0")
        self.assertEqual(self.scene.findings(), [])

    def test_a_gap_in_the_journal(self):
        self.scene.sql("UPDATE acts SET number = 4 WHERE number = 3")
        self.expect("have a gap")

    def test_a_chain_that_does_not_hold(self):
        self.scene.sql("UPDATE acts SET chain_before = x'00' WHERE number = 3")
        self.expect("act 3 of " + NAME + " is not chained")

    def test_a_seat_that_was_not_told_an_act(self):
        self.scene.drop(f"act {NAME} 1 2")
        self.expect("seat 1 of " + NAME + " was not told acts in order")

    def test_a_seat_that_was_not_told_the_last_act(self):
        self.scene.drop(f"act {NAME} 1 3")
        self.expect("seat 1 of " + NAME + " was told 2 of 3 acts")

    def test_a_seat_that_was_told_an_act_twice(self):
        self.scene.lines.append(self.scene.lines[5])
        self.expect("seat 0 of " + NAME + " was not told acts in order")

    def test_a_seat_that_was_told_something_else(self):
        self.scene.sql("UPDATE acts SET body = x'00' WHERE number = 2")
        self.expect("was told another act 2 than was kept")

    def test_a_command_that_was_never_answered(self):
        self.scene.drop("accepted " + NAME + " 1")
        self.expect("was never answered")

    def test_an_end_that_was_never_heard(self):
        self.scene.drop("over " + NAME + " 1")
        self.expect("seat 1 of " + NAME + " never heard its end")

    def test_a_result_of_another_act(self):
        self.scene.sql("UPDATE results SET acts = 2")
        self.expect("the result of " + NAME)

    def test_a_match_whose_players_do_not_know(self):
        self.scene.sql("INSERT INTO matches VALUES (x'ff')")
        self.expect("none of its players knows")

    def test_what_a_client_found_itself(self):
        self.scene.lines.append(f"57 fault {NAME} 0 2 1")
        self.expect("fault: " + NAME)

    def test_a_fleet_that_came_to_no_end(self):
        self.scene.lines[-1] = "80 not-done"
        self.expect("came to no end")


class EarlyAnswers(unittest.TestCase):
    def test_who_is_answered_while_no_sync_succeeds_is_told_a_lie(self):
        history = oracle.History()
        history.plays[NAME, 0, 1] = oracle.Play(1100, "01")
        history.outcomes[NAME, 0, 1] = oracle.Outcome(1200, "accepted", 2)
        self.assertEqual(len(oracle.early_answers(history, [(1000, 1500)])), 1)
        self.assertEqual(oracle.early_answers(history, [(1150, 1500)]), [])   # It was sent before.
        self.assertEqual(oracle.early_answers(history, [(1000, 1200)]), [])   # It was answered behind it.
        history.outcomes[NAME, 0, 1] = oracle.Outcome(1200, "refused", 0)
        self.assertEqual(oracle.early_answers(history, [(1000, 1500)]), [])


class Recoveries(unittest.TestCase):
    def setUp(self):
        self.journal = unittest.mock.Mock(acts={NAME: {1: unittest.mock.Mock(epoch=1),
                                                       2: unittest.mock.Mock(epoch=2)}})
        self.history = oracle.History()

    def accept(self, time, act):
        self.history.outcomes[NAME, 0, act] = oracle.Outcome(time, "accepted", act)

    def test_it_lasts_until_a_move_of_a_later_epoch(self):
        self.accept(900, 1)
        self.accept(2500, 2)
        self.assertEqual(oracle.recoveries(self.history, self.journal, [1000], {1000}), ([1500], 0))

    def test_who_was_hit_again_meanwhile_is_counted_apart(self):
        self.accept(900, 1)
        self.accept(2500, 2)
        self.assertEqual(oracle.recoveries(self.history, self.journal, [1000, 2000], {1000, 2000}), ([], 1))

    def test_only_what_is_to_be_counted_is(self):
        self.accept(900, 1)
        self.accept(2500, 2)
        self.assertEqual(oracle.recoveries(self.history, self.journal, [1000], set()), ([], 0))

    def test_who_did_not_move_before_does_not_count(self):
        self.accept(2500, 2)
        self.assertEqual(oracle.recoveries(self.history, self.journal, [1000], {1000}), ([], 0))


class Pauses(unittest.TestCase):
    def setUp(self):
        self.journal = unittest.mock.Mock(acts={NAME: {act: unittest.mock.Mock(epoch=act) for act in (1, 2, 3)}})
        self.history = oracle.History()

    def pauses(self, moves, *harms):
        """`moves`: (time, epoch)."""
        for number, (time, epoch) in enumerate(moves):
            self.history.outcomes[NAME, 0, number] = oracle.Outcome(time, "accepted", epoch)
        return oracle.pauses(self.history, self.journal, harms)

    def test_an_engines_death_lasts_until_a_later_epoch(self):
        self.assertEqual(self.pauses([(900, 1), (1050, 1), (2500, 2), (2600, 2)], (1000, 1000, True)), [[1500]])

    def test_whose_engine_lives_is_not_hit_though_his_slot_is_handed_over_later(self):
        self.assertEqual(self.pauses([(900, 1), (1500, 1), (9000, 2)], (1000, 1000, True)), [[]])

    def test_a_primarys_death_hits_all_from_when_it_is_dead(self):
        self.assertEqual(self.pauses([(900, 1), (1010, 1), (4000, 1)], (1000, 1020, False)), [[3000]])

    def test_who_is_hit_again_meanwhile_is_counted_from_there(self):
        self.assertEqual(self.pauses([(900, 1), (4500, 2)], (1000, 1000, True), (3500, 3500, False)), [[], [1000]])

    def test_who_did_not_move_before_does_not_count(self):
        self.assertEqual(self.pauses([(2500, 2)], (1000, 1000, True)), [[]])


if __name__ == "__main__":
    unittest.main()
