#!/usr/bin/python3
"""agent.py: a player of one's own against the house's, without a server. `agent.py quests greedy 20` plays 20 matches.

It plays by luck. What it could do better, it would decide in `choose`, which sees what its seat may know.
"""
import sys

import numpy
from arbiter import env

game, opponents, matches = (sys.argv[1:] + ["quests", "greedy", "20"][len(sys.argv) - 1:])[:3]
luck = numpy.random.default_rng(1)


def choose(observation, info):
    """The number of an action, 0 to info["legal"] - 1; `python3 -m arbiter.env describe GAME` says what is observed."""
    return luck.integers(info["legal"])


table = env.SeatEnv(game, players=opponents, render_mode="ansi")
returns = []
for seed in range(int(matches)):
    observation, info = table.reset(seed=seed)
    is_over = False
    while not is_over:
        observation, reward, terminated, truncated, info = table.step(choose(observation, info))
        is_over = terminated or truncated
    returns.append(reward)
print(table.render())
print(f"{game} against {opponents}: won {returns.count(1)}, lost {returns.count(-1)}, "
      f"neither {returns.count(0)} of {len(returns)} matches")
