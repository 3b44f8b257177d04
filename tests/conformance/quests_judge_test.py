"""The greedy player of quests is a competent one: against three at random he wins at least 60 % of the games that are decided."""
import json
import os
import subprocess
import unittest

ARBITER = os.path.join(os.environ["ARBITER_BUILD"], "arbiter")
CONFIGS = os.path.join(os.environ["ARBITER_SOURCE"], "configs")
# Random sponsors build for ages what nobody can finish. A short game whose clock runs out now and then is decided soon; the
# whole one, from as many seeds as somebody asks for, is for the night.
GAMES = int(os.environ.get("ARBITER_GAMES", "0"))
QUICK = ["--config", "short", "--games", "25", "--late-one-in", "20", "--most", "20000"]


def play(policy, options):
    run = subprocess.run([ARBITER, "simulate", "quests", "--policy", policy, "--seed", "1", "--json", *options],
                         env={**os.environ, "ARBITER_CONFIGS": CONFIGS}, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


class Judge(unittest.TestCase):
    def held(self, seat, options):
        policy = ",".join("greedy" if seat == other else "random" for other in range(4))
        report = play(policy, options)
        decided, won = report["games"] - report["cut"], report["per_seat"][seat]["won"]
        print(f"{policy}: {won} of {decided} decided of {report['games']} games, {report['commands']} commands")
        self.assertGreaterEqual(decided * 10, report["games"] * 9)
        self.assertGreaterEqual(won * 100, decided * 60)

    def test_he_wins_most_games_wherever_he_sits(self):
        for seat in (0, 2):
            with self.subTest(seat):
                self.held(seat, QUICK)

    if GAMES:
        def test_he_wins_most_whole_games(self):
            self.held(0, ["--games", str(GAMES), "--most", "1000000"])


if __name__ == "__main__":
    unittest.main()
