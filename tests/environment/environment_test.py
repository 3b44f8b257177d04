"""environment_test.py: arbiter.env, held to what PettingZoo, Gymnasium and OpenSpiel document, and to match files.

The library must be built: -DARBITER_CLIENT_LIBRARY=ON, as in the release. Where pettingzoo and gymnasium can be
imported, their own checkers judge, too.
"""
import copy
import functools
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"]).resolve()
CLIENT = SOURCE / "common/client"
sys.path.insert(0, str(CLIENT / "python"))
from arbiter import env  # noqa: E402
from arbiter.env import library, spaces  # noqa: E402

FEW = {"most": 300}    # Nobody waits for knights who play by luck.


def chosen(luck, mask):
    return int(luck.integers(int(mask.sum())))


def each_game(test):
    """The test is asked of every game."""
    @functools.wraps(test)
    def asked(self):
        games = env.games()
        self.assertGreaterEqual(len(games), 6)
        for game in games:
            with self.subTest(game=game):
                test(self, game)
    return asked


class Interfaces(unittest.TestCase):
    # PettingZoo: AEC.

    @each_game
    def test_agents_are_asked_one_after_the_other_until_none_is_left(self, game):
        luck = numpy.random.default_rng(1)
        table = env.AEC(game, **FEW)
        table.reset(seed=1)
        self.assertEqual((table.agents, table.num_agents), (table.possible_agents, table.max_num_agents))
        told = {agent: [] for agent in table.agents}
        for agent in table.agent_iter():
            self.assertEqual(agent, table.agent_selection)
            observation, reward, termination, truncation, info = table.last()
            self.assertIn(observation, table.observation_space(agent))
            self.assertIsInstance(info, dict)
            told[agent].append((reward, termination or truncation))
            self.assertEqual(observation["action_mask"].any(), not (termination or truncation))
            table.step(None if termination or truncation else chosen(luck, observation["action_mask"]))
        self.assertEqual(table.agents, [])
        for turns in told.values():    # Once over, and rewarded then and never before.
            self.assertEqual([is_over for _, is_over in turns].count(True), 1)
            self.assertEqual([reward for reward, is_over in turns if not is_over and reward], [])
            self.assertIn(turns[-1][0], (-1, 0, 1))

    def test_rewards_are_the_outcome(self):
        table = env.AEC("nim", setup={"heaps": [1, 1]}, seats=2)
        table.reset(seed=1)
        for _ in range(2):
            table.step(0)
        for agent, wanted in (("seat_0", -1.0), ("seat_1", 1.0)):
            self.assertEqual((table.agent_selection, table.last(observe=False)[1]), (agent, wanted))
            table.step(None)

    def test_who_is_not_asked_has_nothing_to_choose(self):
        table = env.AEC("four")
        table.reset(seed=1)
        self.assertEqual(table.observe("seat_1")["action_mask"].sum(), 0)
        self.assertEqual(table.observe("seat_0")["action_mask"].sum(), 7)

    def test_what_is_no_action_is_refused(self):
        table = env.AEC("nim")
        table.reset(seed=1)
        before = table.match.core()
        for action in (-1, 12, None):
            with self.assertRaises(ValueError):
                table.step(action)
        self.assertEqual(table.match.core(), before)

    def test_a_seed_gives_the_same_match_and_none_another(self):
        table = env.AEC("dead")
        cores = []
        for seed in (5, None, 5, None):
            table.reset(seed=seed)
            cores.append(table.match.core())
        self.assertEqual(cores[0], cores[2])
        self.assertEqual(cores[1], cores[3])
        self.assertNotEqual(cores[0], cores[1])

    # Gymnasium: one seat.

    @each_game
    def test_a_seat_plays_against_chosen_players(self, game):
        luck = numpy.random.default_rng(2)
        table = env.SeatEnv(game, seat=1, players="greedy", render_mode="ansi", **FEW)
        observation, info = table.reset(seed=3)
        is_over = False
        while not is_over:
            self.assertIn(observation, table.observation_space)
            self.assertEqual(info["legal"], table.action_masks().sum())
            observation, reward, terminated, truncated, info = table.step(chosen(luck, info["action_mask"]))
            is_over = terminated or truncated
            self.assertTrue(is_over or reward == 0)
        self.assertIn(reward, (-1, 0, 1))
        self.assertFalse(terminated and truncated)
        self.assertGreater(len(table.render()), 10)
        with self.assertRaises(RuntimeError):
            table.step(0)

    def test_any_number_is_an_action(self):
        one, other = (env.SeatEnv("four", players="greedy") for _ in range(2))
        for table, action in ((one, 2), (other, 2 + 7)):
            table.reset(seed=1)
            table.step(action)
        self.assertEqual(one.match.core(), other.match.core())

    def test_a_seat_that_is_never_asked_is_told_of(self):
        table = env.SeatEnv("nim", seat=1, setup={"heaps": [1]}, seats=2)
        with self.assertRaises(RuntimeError):
            table.reset(seed=1)

    def test_players_may_be_chosen_seat_by_seat(self):
        table = env.SeatEnv("nim", players={1: "random", 2: "greedy", 3: "search:50"})
        table.reset(seed=1)
        with self.assertRaises(ValueError):
            env.SeatEnv("nim", players="clever")
        with self.assertRaises(ValueError):
            env.SeatEnv("nim", seat=4)

    # OpenSpiel: states.

    @each_game
    def test_a_state_is_played_cloned_and_kept(self, game):
        luck = numpy.random.default_rng(4)
        played = env.Game(game, **FEW)
        state = played.new_initial_state(seed=6)
        for _ in range(12):
            actions = state.legal_actions()
            self.assertEqual(len(actions), sum(state.legal_actions_mask()))
            self.assertEqual(state.legal_actions((state.current_player() + 1) % played.num_players()), [])
            self.assertTrue(state.action_to_string(actions[-1]))
            state.apply_action(chosen(luck, numpy.array(state.legal_actions_mask())))
            if state.is_terminal():
                break
        clone, kept = state.clone(), played.deserialize_state(state.serialize())
        self.assertEqual(clone.history(), state.history())
        for other in (clone, kept):
            self.assertEqual(other.match.core(), state.match.core())
            self.assertEqual(list(other.observation_tensor()), list(state.observation_tensor()))
        self.assertEqual(len(state.observation_tensor()), played.observation_tensor_size())
        if not state.is_terminal():
            clone.apply_action(0)
            self.assertNotEqual(clone.match.core(), state.match.core())
        self.assertEqual(len(state.returns()), played.num_players())

    # Numpy: many at once.

    def test_arrays_are_the_library_s_memory(self):
        many = env.Vector("quests", 3, seed=9)
        for name in ("seat", "legal", "mask", "observation", "reward", "over", "seed", "length"):
            held = getattr(many, name)
            self.assertFalse(held.flags.owndata)
            self.assertEqual(len(held), 3)
        observation, before = many.observation, many.observation.copy()
        many.step([0, 0, 0])
        self.assertIs(observation, many.observation)
        self.assertFalse((before == observation).all())
        del many
        self.assertEqual(int(observation[0, 0]), int(observation[0, 0]))    # It outlives the vector.

    @each_game
    def test_a_match_among_many_is_the_match_alone(self, game):
        luck = numpy.random.default_rng(5)
        many, alone = env.Vector(game, 4, threads=2, seed=20, **FEW), env.Match(game, seed=22, **FEW)
        for _ in range(60):
            self.assertEqual(many.seat[2], alone.seat)
            self.assertTrue((many.observation[2] == alone.observe(alone.seat)).all())
            self.assertTrue((many.mask[2] == alone.mask()).all())
            actions = (luck.random(4) * many.legal).astype(numpy.int64)
            many.step(actions)
            alone.step(int(actions[2]))
            if alone.seat is None:
                self.assertTrue(many.over[2] and list(many.reward[2]) == alone.returns())
                alone.reset(int(many.seed[2]))

    def test_memory_is_neither_overrun_nor_given_back_twice(self):
        match = env.Match("nim", seed=1)
        for wrong in (numpy.empty(1, numpy.int32), numpy.empty(match.rules.cells, numpy.int64),
                      numpy.empty(2 * match.rules.cells, numpy.int32)[::2]):
            with self.assertRaises(ValueError):
                match.observe(0, into=wrong)
        right = numpy.empty(match.rules.cells, numpy.int32)
        self.assertIs(match.observe(0, into=right), right)
        for held in (match, env.Vector("nim", 2), env.AEC("nim")):
            with self.assertRaises(TypeError):
                copy.deepcopy(held)

    def test_what_is_no_action_among_many_is_said(self):
        many = env.Vector("nim", 2)
        with self.assertRaises(IndexError):
            many.step([0, 99])
        with self.assertRaises(ValueError):
            many.step([0])

    # What is told of observations.

    def test_fields_say_where_everything_is(self):
        rules = env.Rules("nim", setup={"heaps": [3, 4, 5]}, seats=2)
        told = {field.path: field for field in rules.fields()}
        cells = env.Match(rules, seed=1).observe(0)
        heaps = told["heaps[]"]
        self.assertEqual(list(cells[heaps.at:heaps.at + heaps.cells]), [3, 3, 4, 5])
        self.assertEqual(cells[told["turn"].at], 0)
        self.assertEqual(sum(field.cells for field in told.values()), rules.cells)

    @each_game
    def test_every_field_is_described(self, game):
        rules = env.Rules(game)
        lines = rules.describe().splitlines()
        self.assertEqual(len(lines), 2 + len(rules.fields()))
        roots = [field for field in rules.fields() if "." not in field.path]
        self.assertEqual(sum(field.cells for field in roots), rules.cells)
        self.assertIn("1 PREPARATION", env.Rules("dead").describe())

    def test_a_command_is_named_and_refused_by_name(self):
        match = env.Match("nim", seed=1)
        self.assertEqual(match.action(0), env.Command(1, (0, 1), b""))
        self.assertEqual(match.find(env.Command(1, (0, 1))), 0)
        self.assertIsNone(match.find(env.Command(1, (0, 9))))
        self.assertEqual(match.command(1, env.Command(1, (0, 1))), "NOT_YOUR_TURN")
        self.assertIsNone(match.command(0, env.Command(1, (0, 1))))
        with self.assertRaises(ValueError):
            env.Rules("nim", setup={"heaps": []})


class OneTruth(unittest.TestCase):
    """The same bytes here, in C, and in what `arbiter simulate` writes."""

    def test_a_match_file_is_played_again_to_the_last_byte(self):
        from arbiter import matchfile, messages
        with tempfile.TemporaryDirectory(prefix="arbiter-env-") as folder:
            for game in env.games():
                path = pathlib.Path(folder) / "a.match"
                subprocess.run([BUILD / "arbiter", "simulate", game, "--seed", "11", "--policy", "greedy", "--trace", path],
                               check=True, stdout=subprocess.DEVNULL)
                file, _, _ = matchfile.judge(path.read_bytes())
                match = env.Match(game, setup=file.header.setup, options=file.header.options or None,
                                  seats=file.header.seats, most=10 ** 6, seed=file.header.seed)
                for act in file.acts:
                    if act.actor < 16:
                        said = messages.game(game).Command.FromString(act.command)
                        self.assertIsNone(match.command(act.actor, env.Command.of(said)))
                self.assertEqual(match.digest(), file.end.digest, game)
                self.assertEqual(match.outcome()[0], list(file.end.outcome))


class Example(unittest.TestCase):
    def test_the_agent_on_one_screen_plays(self):
        for game, opponents in (("quests", "greedy"), ("four", "search:20")):
            ran = subprocess.run([sys.executable, "-B", CLIENT / "examples/agent.py", game, opponents, "2"], text=True,
                                 capture_output=True, check=False,
                                 env={**os.environ, "PYTHONPATH": str(CLIENT / "python")})
            self.assertEqual((ran.returncode, ran.stderr), (0, ""))
            self.assertRegex(ran.stdout.splitlines()[-1], rf"^{game} against {opponents}: won \d, lost \d, neither \d of 2")

    def test_the_library_is_the_one_that_was_built(self):
        self.assertEqual(pathlib.Path(library.library.path).parent, BUILD)


class Checkers(unittest.TestCase):
    """Those that PettingZoo and Gymnasium publish."""

    def test_they_find_nothing(self):
        if spaces.Box.__module__.startswith("arbiter"):
            self.skipTest("gymnasium and pettingzoo are not here")
        from gymnasium.utils.env_checker import check_env
        from pettingzoo.test import api_test, seed_test
        for game in env.games():
            api_test(env.AEC(game, **FEW), num_cycles=100)
            seed_test(lambda game=game: env.AEC(game, **FEW), num_cycles=50)
            check_env(env.SeatEnv(game, players="greedy", render_mode="ansi", **FEW))


if __name__ == "__main__":
    unittest.main()
