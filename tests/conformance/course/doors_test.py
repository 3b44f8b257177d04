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
SEED = int(os.environ.get("ARBITER_SEED", "4"))  # Four players in most of its first games, and long ones.
EDITIONS = ("base", "equipment", "crossroads")
MOST = 80  # Commands of a game; by night it is played to its end.


class Doors(unittest.TestCase):
    def compare(self, words, number):
        edition = EDITIONS[number % len(EDITIONS)]
        luck = random.Random(f"doors {SEED} {number}")
        config = dead_luck.setup(luck, edition)
        seed = luck.randrange(-(1 << 63), 1 << 63)
        return doors.compare(words(edition), config, seed, luck, edition, json.dumps(config, indent=1),
                             2500 if GAMES else MOST)

    def agree(self, words):
        for number in range(GAMES or len(EDITIONS)):
            with self.subTest(number):
                self.assertIsNone(self.compare(words, number))

    def test_a_wrong_server_does_not_agree(self):
        for name in ("offer-for-all", "pool-as-it-was"):
            found = [self.compare(lambda edition, name=name: doors.wrong_words(name, edition), number)
                     for number in range(len(EDITIONS))]
            self.assertTrue(any(found), name)

    def test_the_house_says_what_the_second_implementation_would_say(self):
        self.agree(doors.serve_words)

    def test_the_second_implementation_says_so_over_its_own_door(self):
        self.agree(doors.second_words)


if __name__ == "__main__":
    unittest.main()
