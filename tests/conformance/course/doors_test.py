"""Over the wire the second implementation of the dead says what `arbiter serve` says: the same games, client by client.

More games by night: ARBITER_GAMES, and another luck: ARBITER_SEED.
"""
import json
import os
import random
import unittest

import doors
import dead_luck    # doors has said where it is.

GAMES = int(os.environ.get("ARBITER_GAMES", "0"))
SEED = int(os.environ.get("ARBITER_SEED", "1"))
EDITIONS = ("base", "equipment", "crossroads")
MOST = 80  # Commands of a game; by night it is played to its end.


class Doors(unittest.TestCase):
    def agree(self, words):
        for number in range(GAMES or len(EDITIONS)):
            edition = EDITIONS[number % len(EDITIONS)]
            luck = random.Random(f"doors {SEED} {number}")
            config = dead_luck.setup(luck, edition)
            seed = luck.randrange(-(1 << 63), 1 << 63)
            with self.subTest(number):
                self.assertIsNone(doors.compare(words(edition), config, seed, luck, edition,
                                                     json.dumps(config, indent=1), 2500 if GAMES else MOST))

    def test_the_house_says_what_the_second_implementation_would_say(self):
        self.agree(doors.serve_words)

    def test_the_second_implementation_says_so_over_its_own_door(self):
        self.agree(doors.second_words)


if __name__ == "__main__":
    unittest.main()
