"""thinking_test.py: players that think ahead, in simulations and in tournaments."""
import json
import subprocess
import unittest

from tournaments import ARBITER, ENV, Runs


def simulate(*words):
    return subprocess.run([ARBITER, "simulate", *words], env=ENV, capture_output=True, text=True, timeout=120)


class Simulations(unittest.TestCase):
    def test_a_simulation_of_quests_comes_to_an_end(self):
        ran = json.loads(simulate("quests", "--games", "3", "--json").stdout)
        self.assertEqual((ran["games"], ran["cut"]), (3, 0), ran)

    def test_who_thinks_ahead_is_chosen_by_name(self):
        for policy in ("search:5", "level:1", "level:2,greedy", "search,random"):
            with self.subTest(policy):
                self.assertEqual(simulate("nim", "--seats", "2", "--policy", policy).returncode, 0)
        for policy in ("clever", "level:3", "level:0", "search:0", "search:1000001", "search:x"):
            with self.subTest(policy):
                ran = simulate("nim", "--seats", "2", "--policy", policy)
                self.assertEqual(ran.returncode, 2)
                self.assertIn("takes random, greedy, search, search:NODES or level:N", ran.stderr)

    def test_the_same_seed_gives_the_same_thoughts(self):
        words = ("four", "--policy", "search:50,level:1", "--games", "4", "--json")
        first, again = (json.loads(simulate(*words).stdout)["digest"] for _ in range(2))
        self.assertEqual(first, again)
        other = json.loads(simulate(*words, "--seed", "9").stdout)["digest"]
        self.assertNotEqual(first, other)

    def test_it_pays_to_think(self):
        won = json.loads(simulate("four", "--policy", "search:400,greedy", "--games", "20", "--json").stdout)
        self.assertGreater(won["per_seat"][0]["won"], 15)


class Tournaments(Runs):
    def test_an_entrant_may_think_ahead(self):
        ran = self.run_it("four", [{"name": "a", "bot": "search:100"}, {"name": "b", "bot": "level:1"}], "--games", "4")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(self.head()["entrants"], {"a": {"bot": "search:100"}, "b": {"bot": "level:1"}})
        self.assertEqual(len(self.lines()), 8)

    def test_it_must_have_a_number_where_one_stands(self):
        ran = self.run_it("four", [{"name": "a", "bot": "search:NODES"}, {"name": "b", "bot": "level:1"}])
        self.assertEqual(ran.returncode, 3)
        self.assertIn("/0/bot: must have a number of the game's behind the colon", ran.stderr)


if __name__ == "__main__":
    unittest.main()
