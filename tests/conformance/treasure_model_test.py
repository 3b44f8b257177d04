"""treasure_model_test.py: rules and model agree on random games of treasure: every verdict, draw, row and view."""
import json
import os
import subprocess
import tempfile
import unittest

import treasure_model

ARBITER = os.path.join(os.environ["ARBITER_BUILD"], "arbiter")
COUNT = int(os.environ.get("ARBITER_GAMES", "400"))


def conform(scenarios):
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        for scenario in scenarios:
            file.write(json.dumps(scenario) + "\n")
        file.flush()
        return subprocess.run([ARBITER, "conform", "treasure", file.name], capture_output=True, text=True)


class Model(unittest.TestCase):
    def test_rules_and_model_agree(self):
        ran = conform(treasure_model.scenarios(17, COUNT))
        self.assertEqual((ran.stdout, ran.returncode), (f"{COUNT} agreed, 0 disagreed\n", 0), ran.stderr)

    def test_random_games_end_in_most_ways(self):
        games = [one for one in treasure_model.scenarios(17, 400) if one["type"] == "game"]
        self.assertGreaterEqual({one["final"]["reason"] for one in games}, {
            "CASTLE_TAKEN", "WATER", "BAD_POSITION", "ILLEGAL_STEP", "BAD_COUNTDOWN", "NOT_YOUR_TURN", "BAD_MESSAGE",
            "ACTION_LIMIT"})

    def test_a_row_that_differs_is_noticed(self):
        game = next(one for one in treasure_model.scenarios(17, 400) if one["type"] == "game" and one["stored"])
        game["stored"][0][4] = 77
        self.assertEqual(conform([game]).returncode, 1)


if __name__ == "__main__":
    unittest.main()
