"""arbiter.env: Arbiter's games inside Python, for who trains a player: no server, no socket.

    from arbiter import env
    many = env.Vector("quests", 128, seed=1)           # 128 matches with one call a step
    rng = numpy.random.default_rng(1)
    while training:
        many.step(rng.integers(many.legal))            # many.observation, many.mask, many.reward, many.over

    for agent in (table := env.AEC("dead")).agent_iter():        # PettingZoo's way, one decision after the other
    env.SeatEnv("objectron", players="search:200")               # Gymnasium's way: one seat against chosen players
    env.Game("nim").new_initial_state()                          # OpenSpiel's way: states

All of them stand on libarbiter-games (common/env), and on numpy. gymnasium and pettingzoo are used if they are there.
"""
from .aec import AEC
from .library import ABSENT, SPECTATOR
from .match import Command, Match
from .rules import Field, Rules, games, setups
from .seat import SeatEnv
from .state import Game, State
from .vector import Vector

__all__ = ["ABSENT", "AEC", "Command", "Field", "Game", "Match", "Rules", "SPECTATOR", "SeatEnv", "State", "Vector",
           "games", "setups"]
