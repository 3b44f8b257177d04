"""frames_test.py: no frame of a hosted game of quests shows a card of another's hand, or a stage before its time
(frames.py); and two engines that show some are found out by the same reading."""
import os
import pathlib
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "common/client/python"))

from frames import Game, Recorder, Secrets, what_shows  # noqa: E402
from house import House  # noqa: E402

BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
GAMES = int(os.environ.get("ARBITER_WIRE_GAMES", "1"))  # Each by other dice; at night more.
MOVES_LEAST, MOVES_MOST = 30, 400
TOLD_ALONE = ("hand", "drew", "stage_card", "stage_built", "attack_card", "attack_set")


def resolved(game):
    return sum(happening.message.HasField("stage_resolved") for act in game.acts[0]
               for happening in act.happenings if not happening.is_house and not happening.is_private)


def is_whole(game, moves):
    """Long enough for everything that is a secret to have been one."""
    return moves >= MOVES_LEAST and resolved(game) >= 2 and all(Secrets(game).kinds[kind] for kind in TOLD_ALONE)


def played(is_enough, fault=None):
    """A game, and every frame of it."""
    programs = {"engine": BUILD / "tests/faulty/faulty-engine"} if fault else None
    with tempfile.TemporaryDirectory(prefix="arbiter-frames-") as folder, Recorder() as recorder:
        with House(BUILD, folder, Game.KEYS, programs=programs, environment={"ARBITER_FAULT": fault or "none"}) as house:
            house.wait_until_started()
            game, moves = Game(house, recorder), 0
            game.begin()
            game.look()
            while not is_enough(game, moves) and moves < MOVES_MOST:
                game.move()
                moves += 1
            # Watchdog and directory speak now and then; a quick game is over before they do.
            game.until(lambda: sum(frame.owner == "watchdog-spy" for frame in recorder.frames) > 1, "the watchdog is silent")
            game.until(lambda: recorder.who_heard("DIRECTORY") >= set(Game.SEATS), "the directory is silent")
            game.end()
        return game, [frame for frame in recorder.frames if frame.owner != "monitor"]


class Frames(unittest.TestCase):
    def test_nobody_reads_what_is_not_for_him(self):
        for number in range(1, GAMES + 1):
            with self.subTest(game=number):
                self.shows_nothing(*played(is_whole))

    def shows_nothing(self, game, frames):
        secrets = Secrets(game)
        found, kinds = what_shows(frames, game, secrets)
        self.assertEqual(found, [])
        for kind in TOLD_ALONE:
            self.assertGreater(secrets.kinds[kind], 0, kind)
        for seat in range(4):
            self.assertGreater(len(secrets.of[seat]), 5)
        for name in Game.SEATS:
            for kind in ("LOBBY_ANSWER", "TABLE_EVENT", "DIRECTORY", "ATTACHED", "LEGAL_ANSWER", "REPLY", "ACT"):
                self.assertGreater(kinds[name, kind], 0, (name, kind, kinds))
        for door in (("eve", "ACT"), ("eve", "ATTACHED"), ("fanout-spy", "ACT"), ("fanout-spy", "HISTORY_ANSWER"),
                     ("watchdog-spy", "other")):
            self.assertGreater(kinds[door], 0, (door, kinds))
        print(f"{len(frames)} frames, and {sum(map(len, secrets.of.values()))} secrets in none of them", flush=True)

    def is_found(self, fault, words):
        game, frames = played(lambda game, moves: moves >= 1, fault)
        found, _ = what_shows(frames, game, Secrets(game))
        self.assertTrue(any(words in line for line in found), found)

    def test_an_engine_that_says_it_to_all_is_found(self):
        self.is_found("public-secret", "says to all")

    def test_an_engine_that_shows_it_to_who_watches_is_found(self):
        self.is_found("others-view", "the view of seat 0")


if __name__ == "__main__":
    unittest.main()
