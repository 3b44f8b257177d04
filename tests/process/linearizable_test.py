"""linearizable_test.py: the checker of histories finds each lie, and nothing where a match alone could have answered so."""
import contextlib
import hashlib
import io
import itertools
import pathlib
import random
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib/history"))

import histories  # noqa: E402
import linearizable  # noqa: E402
import planted  # noqa: E402
from linearizable import NEVER, Operation  # noqa: E402

START = 256
ACTS = [[START, "", "s"], [0, "aa", "x"], [1, "bb", "y"]]


def operation(kind, call, end, result, seat=0, argument=None, process=None):
    return Operation(process or f"{kind} of {seat}", "m", kind, seat, argument, call, end, result)


def play(call, end, result, seat=0, command="aa"):
    return operation("play", call, end, result, seat, command)


def told(seat, times, acts=ACTS):
    """`times`: when each act was heard, from the first on."""
    return [operation("told", since, at, [number, act[0], act[2]], seat)
            for number, (since, at, act) in enumerate(zip([0, *times], times, acts), 1)]


def length(call, end, number, seat=0):
    return operation("length", call, end, number, seat)


def acts(*acts):
    return operation("acts", 1000, 1000, list(acts))


# A start, a move of each seat; each seat hears all three.
TRUE = [play(10, 20, 2), play(30, 40, 3, 1, "bb"), *told(0, [5, 25, 45]), *told(1, [6, 19, 39]), length(21, 29, 2, 1), acts(*ACTS)]


class OneMatch(unittest.TestCase):
    def holds(self, *history):
        self.assertIsNone(linearizable.judge(list(history)))

    def fails(self, *history):
        self.assertIsNotNone(linearizable.judge(list(history)))

    def test_a_true_history_is_linearizable(self):
        self.holds(*TRUE)
        self.holds()

    def test_each_planted_lie_is_found(self):
        for lie in planted.LIES:
            with self.subTest(lie.__name__):
                false = lie(TRUE)
                self.assertIsNotNone(false)
                self.fails(*false)

    def test_what_may_be_true_is_no_lie(self):
        # The same command was given before, and nobody knows what became of it: it may be the act.
        history = [play(7, NEVER, None, 1, "bb"), *TRUE]
        self.holds(*history)
        for lie in planted.LIES:
            with self.subTest(lie.__name__):
                false = lie(history)
                if false is not None:
                    self.fails(*false)
        self.assertEqual([lie.__name__ for lie in planted.LIES if lie(history) is None], ["doubled", "refused"])

    def test_an_accepted_command_is_lost(self):
        self.fails(play(10, 20, 2), acts(ACTS[0]))
        self.fails(play(10, 20, 2), length(21, 22, 1))
        self.fails(play(10, 20, 2), play(21, 30, 2, 1, "bb"))

    def test_an_accepted_command_is_two_acts(self):
        self.fails(play(10, 20, 2), acts(ACTS[0], ACTS[1], ACTS[1]))
        self.fails(play(10, 20, 2), play(10, 20, 2))

    def test_an_accepted_command_is_another_act(self):
        self.fails(play(10, 20, 2, command="cc"), acts(*ACTS[:2]))
        self.fails(play(10, 20, 2, seat=1), *told(0, [5, 25]))

    def test_an_act_is_there_before_its_call(self):
        self.fails(play(10, 20, 2), *told(0, [5, 9]))
        self.holds(play(10, 20, 2), *told(0, [5, 10]))
        self.fails(play(10, 20, 2), length(5, 9, 2))

    def test_an_act_comes_after_its_answer(self):
        self.fails(play(10, 20, 3), play(21, 30, 2, 1, "bb"))
        self.holds(play(10, 21, 3), play(21, 30, 2, 1, "bb"))

    def test_a_refused_command_is_played(self):
        self.fails(play(10, 20, "refused"), acts(*ACTS[:2]))
        self.fails(play(10, 20, "refused"), *told(1, [5, 30]))
        self.holds(play(10, 20, "refused"), acts(ACTS[0]))

    def test_of_whom_nobody_knows_may_have_been_played_once(self):
        unknown = play(10, NEVER, None)
        self.holds(unknown, acts(ACTS[0]))
        self.holds(unknown, acts(*ACTS[:2]))
        self.fails(unknown, acts(ACTS[0], ACTS[1], ACTS[1]))
        self.fails(unknown, length(5, 9, 2), acts(*ACTS[:2]))
        self.fails(unknown, length(20, 21, 2), length(22, 23, 1), acts(*ACTS[:2]))

    def test_it_may_have_been_played_long_after_it_was_given_up(self):
        self.holds(play(10, NEVER, None), length(900, 901, 1), acts(*ACTS[:2]))

    def test_which_of_two_unknown_ones_it_was_is_tried(self):
        self.holds(play(10, NEVER, None), play(50, NEVER, None), play(60, 70, 3, 1, "bb"), acts(*ACTS))
        self.fails(play(50, NEVER, None), play(10, 20, 3, 1, "bb"), acts(*ACTS))

    def test_a_read_goes_back(self):
        self.fails(length(1, 2, 1), play(10, 20, 2), length(21, 22, 2), length(23, 24, 1))
        self.fails(play(10, NEVER, None), length(21, 22, 2, 0), length(23, 24, 1, 1))
        self.holds(play(10, NEVER, None), length(21, 30, 2, 0), length(23, 24, 1, 1))

    def test_two_readers_see_two_orders(self):
        first, second = play(10, 20, None), play(10, 20, None, 1, "bb")
        swapped = [ACTS[0], ACTS[2], ACTS[1]]
        self.holds(first._replace(end=NEVER), second._replace(end=NEVER), *told(0, [5, 25, 35]), *told(1, [5, 25, 35]))
        self.fails(first._replace(end=NEVER), second._replace(end=NEVER), *told(0, [5, 25, 35]), *told(1, [5, 25, 35], swapped))

    def test_a_reader_hears_an_act_twice_or_not_at_all(self):
        self.fails(*TRUE, operation("told", 45, 50, [3, 1, "y"]))
        self.fails(*(one for one in TRUE if one.operation != "told" or one.seat or one.result[0] != 2))

    def test_the_bodies_of_an_act_differ(self):
        self.fails(*TRUE[:-1], acts(ACTS[0], ACTS[1], [1, "bb", "z"]))

    def test_acts_of_the_house_are_nobodys_command(self):
        self.holds(play(10, 20, 3), acts(ACTS[0], [257, "", "e"], ACTS[1]))
        self.fails(play(10, 20, 3), acts(ACTS[0], ACTS[2], ACTS[1]))

    def test_who_keeps_no_record_may_play_at_any_time_but_for_himself_only(self):
        stranger = operation("stranger", 0, 0, None, 1)
        self.holds(play(10, 20, 2), stranger, acts(*ACTS))
        self.fails(play(10, 20, 2), acts(*ACTS))
        self.fails(play(10, 20, 2), stranger, acts(*ACTS, ACTS[1]))

    def test_a_seen_act_may_come_in_any_order(self):
        seen = [operation("seen", 30, 31, [number, None, None]) for number in (2, 1)]
        self.holds(play(10, 20, 2), *seen)
        self.fails(play(40, 50, 2), *seen)


class ManyOperations(unittest.TestCase):
    """Against brute force, and whether it comes to an end."""

    @staticmethod
    def by_the_definition(history):
        """All orders of all choices: what Herlihy and Wing wrote down, and nothing clever."""
        match = linearizable.Match(history)
        history = [*(one for one in history if one.result != "refused"), *linearizable.of_the_house(match, history)]
        answered = [one for one in history if one.end != NEVER]
        open_ones = [one for one in history if one.end == NEVER]
        for count in range(len(open_ones) + 1):
            for chosen in itertools.combinations(open_ones, count):
                for order in itertools.permutations([*answered, *chosen]):
                    state = match.start
                    for place, one in enumerate(order):
                        if any(later.end < one.call for later in order[place + 1:]):
                            break
                        state = match.step(state, one)
                        if state is None:
                            break
                    else:
                        return True
        return False

    @staticmethod
    def any_history(luck):
        history = []
        for number in range(luck.randrange(1, 4)):
            call = luck.randrange(8)
            end = luck.choice([NEVER, call + luck.randrange(6), call + luck.randrange(6)])
            result = None if end == NEVER else luck.choice([1, 2, 3])
            history.append(play(call, end, result, luck.randrange(2), luck.choice(["aa", "bb"])))
        for number in range(luck.randrange(3)):
            call = luck.randrange(10)
            history.append(luck.choice([length(call, call + luck.randrange(4), luck.randrange(4), number),
                                        operation("told", call, call + 3, [luck.randrange(1, 3), luck.randrange(2), "x"])]))
        return history

    def test_it_judges_as_the_definition_does(self):
        luck, verdicts = random.Random(5), []
        for _ in range(1500):
            history = self.any_history(luck)
            verdict = self.by_the_definition(history)
            self.assertEqual(linearizable.judge(history) is None, verdict, history)
            verdicts.append(verdict)
        self.assertGreater(min(sum(verdicts), verdicts.count(False)), 150)

    def test_many_unknown_commands_do_not_make_it_slow(self):
        """Which of nine made which of nine acts: 9! orders, and 2^9 sets, which are remembered."""
        unknown = [play(10, NEVER, None) for _ in range(9)]
        with unittest.mock.patch.object(linearizable.Match, "step", autospec=True, side_effect=linearizable.Match.step) as step:
            self.assertIsNotNone(linearizable.judge([*unknown, acts(ACTS[0], *[ACTS[1]] * 10)]))
        self.assertLess(step.call_count, 20_000)



class Records(unittest.TestCase):
    def test_a_fleets_record_and_the_journal_are_a_history(self):
        name = "ab" * 16
        bodies = [b"start", b"one"]
        lines = [f"5 begun {name} 0 2 {name}", f"10 play {name} 0 1 01", f"12 look {name} 0 1 -", f"14 seen {name} 0 1 1", f"20 accepted {name} 0 1 2",
                 f"30 play {name} 1 1 02", f"31 refused {name} 1 1 0", f"32 play {name} 1 2 03", f"40 unsure {name} 1 2 0", f"41 look {name} 1 7 -"]
        lines += [f"{50 + number} act {name} 0 {number} {actor} {hashlib.sha256(body).hexdigest()}"
                  for number, (actor, body) in enumerate(zip((256, 0), bodies), 1)]
        journal = unittest.mock.Mock(acts={name: {number: unittest.mock.Mock(actor=actor, command=command, body=body) for number, (actor, command, body) in
                                                  enumerate(zip((256, 0), (b"", b"\x01"), bodies), 1)}})
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as said:
            record, history = pathlib.Path(folder) / "nims.record", pathlib.Path(folder) / "history.jsonl"
            record.write_text("\n".join(lines) + "\n60 play half")
            self.assertEqual(histories.findings([record, record.with_name("none")], journal, 1, history), [])
            operations = list(linearizable.read(history.read_text().splitlines()))
        self.assertEqual(len(operations), 7)
        self.assertIn("3 commands, 1 of them refused and 1 unknown; 2 acts told, 1 lengths and 1 whole matches", said.getvalue())
        self.assertRegex(said.getvalue(), r"([5-9]) of \1 planted lies found")
        del journal.acts[name][2]
        operations = [one for one in operations if one.operation != "acts"] + list(histories.of_journal(journal, [name]))
        self.assertEqual(len(linearizable.findings(operations)), 1)


if __name__ == "__main__":
    unittest.main()
