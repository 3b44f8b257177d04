"""exchanges_test.py: every recorded exchange of the 2017 protocol, and more, played against running gateways."""
import os
import pathlib
import sys
import unittest

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path.insert(0, str(SOURCE / "tests" / "lib" / "gateway"))
import exchange  # noqa: E402
import play_exchanges  # noqa: E402

RECORDED = SOURCE / "common" / "games" / "treasure" / "recorded" / "scenarios.jsonl"
# What the recorded ones leave out, written from the specification: X and a number.
OTHERS = SOURCE / "tests" / "lib" / "gateway" / "exchanges.jsonl"


class Exchanges(unittest.TestCase):
    def test_every_exchange_agrees(self):
        scenarios = [*exchange.scenarios(RECORDED), *exchange.scenarios(OTHERS)]
        self.assertEqual(len(scenarios), 43 + 54)
        played = play_exchanges.play_all(BUILD, scenarios)
        wrong = [f"{name}: {sentence}" for name, found in played for sentence in found]
        self.assertEqual(wrong, [], "\n".join(["", *wrong]))
        self.assertEqual(len(played), len(scenarios))


if __name__ == "__main__":
    unittest.main()
