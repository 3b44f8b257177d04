"""The rules in C agree with the second implementation in Python, and both with what was recorded.

The second one (common/games/dead/course/second) replays recordings of the original server. Then people who know the
rules by half play against it, at recorded set-ups and at set-ups by luck, and `arbiter conform dead` must agree.
More games by night: ARBITER_GAMES, and another luck: ARBITER_SEED.
"""
import glob
import json
import os
import random
import subprocess
import tempfile
import unittest

import dead_games
import dead_luck
from dead_games import Game, Server, heard_of, lines_of

ARBITER = os.path.join(os.environ["ARBITER_BUILD"], "arbiter")
DEAD = os.path.join(os.environ["ARBITER_SOURCE"], "common", "games", "dead")
GAMES = int(os.environ.get("ARBITER_GAMES", "0"))
SEED = int(os.environ.get("ARBITER_SEED", "1"))
EDITIONS = ("base", "equipment", "crossroads")


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def replay(lines, config):
    """The recording again, with the second implementation's events in place of its own; what CommandFailed says is free."""
    header, sent = lines[0], [line for line in lines[1:] if "ev" not in line]
    server = Server(Game(config, header["edition"], header["seed"], "@file"))
    told = []
    for line in sent:
        told.append(line)
        if not server.is_over:
            told += lines_of(server.happens(heard_of(line)))
    return told


def without_words(line):
    return {"to": line["to"], "ev": line["ev"]} if line.get("ev") == "CommandFailed" else line


def write(folder, number, config, edition, seed, luck):
    """Plays a game and keeps it as a recording."""
    people = dead_games.People(luck, config, edition, seed)
    lines = people.play()
    players = [{"comm": player.client, "name": player.name} for player in people.game.players]
    header = {"edition": edition, "config": f"{number}.json", "seed": seed, "players": players}
    with open(os.path.join(folder, "configs", f"{number}.json"), "w", encoding="utf-8") as file:
        json.dump(config, file)
    with open(os.path.join(folder, "recorded", edition, f"{number}.jsonl"), "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in [header] + lines)


class Model(unittest.TestCase):
    def test_the_model_says_what_was_recorded(self):
        paths = sorted(glob.glob(os.path.join(DEAD, "recorded", "*", "*.jsonl")))
        self.assertGreaterEqual(len(paths), 500)
        for path in paths:
            with self.subTest(path), open(path, encoding="utf-8") as file:
                lines = [json.loads(line) for line in file]
                config = read(os.path.join(DEAD, "configs", lines[0]["config"]))
                self.assertEqual([without_words(line) for line in replay(lines, config)],
                                 [without_words(line) for line in lines[1:]])

    def agree(self, config_of, games):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("configs", *(os.path.join("recorded", edition) for edition in EDITIONS)):
                os.makedirs(os.path.join(folder, name))
            for number in range(games):
                luck = random.Random(f"{SEED} {number}")
                config, edition = config_of(luck, number)
                write(folder, number, config, edition, luck.randrange(-(1 << 63), 1 << 63), luck)
            run = subprocess.run([ARBITER, "conform", "dead", os.path.join(folder, "recorded")],
                                 capture_output=True, text=True, check=False)
        said = (run.stdout + run.stderr)[-3000:]
        self.assertIn(f"{games} agreed, 0 disagreed\n", run.stdout, said)
        self.assertEqual(run.returncode, 0, said)

    def test_games_at_recorded_set_ups_agree(self):
        paths = sorted(glob.glob(os.path.join(DEAD, "configs", "*.json")))

        def config_of(_, number):
            path = paths[number % len(paths)]
            return read(path), os.path.basename(path)[: -len(".json")].rsplit("-", 1)[1]

        self.agree(config_of, GAMES or 40)

    def test_games_at_set_ups_by_luck_agree(self):
        def config_of(luck, number):
            edition = EDITIONS[number % len(EDITIONS)]
            return dead_luck.setup(luck, edition), edition

        self.agree(config_of, GAMES or 60)


if __name__ == "__main__":
    unittest.main()
