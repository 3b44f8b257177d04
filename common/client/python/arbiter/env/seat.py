"""seat.py: one seat of a match as Gymnasium has an environment: all others are played.

It inherits from gymnasium.Env where that can be imported, and is the same without.
"""
import numpy

from .library import library
from .match import Match
from .spaces import Discrete, observation_space

try:
    from gymnasium import Env
except ImportError:
    class Env:
        """As much of gymnasium.Env as SeatEnv needs."""

        np_random_seed = None

        def reset(self, *, seed=None, options=None):
            if seed is not None or not hasattr(self, "np_random"):
                self.np_random = numpy.random.default_rng(seed)

        @property
        def unwrapped(self):
            return self

SEEDS = 1 << 62
PASSED_OVER = 1000    # So many matches in a row: then the seat is never asked.


class SeatEnv(Env):
    """One seat against chosen players.

        env = SeatEnv("objectron", seat=0, players="greedy")
        observation, info = env.reset(seed=1)
        while not over:
            observation, reward, terminated, truncated, info = env.step(numpy.random.randint(info["legal"]))

    players    who plays the others: "random", "greedy", "search:200", "level:2"; or {seat: name}
    info       "legal": how many actions are offered; "action_mask": which, for who wants a mask

    Gymnasium knows no masks, and tries any action. So an action counts around: legal + 1 is 1. The reward comes at the
    end: 1 won, -1 lost. A match that ends before the seat is asked once is passed over.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(self, game, seat=0, players="greedy", render_mode=None, **settings):
        self.match = Match(game, **settings)
        self.rules, self.seat, self.render_mode = self.match.rules, seat, render_mode
        if not 0 <= seat < self.rules.seats:
            raise ValueError(f"there are {self.rules.seats} seats, from 0, and {seat} is none of them")
        for other in range(self.rules.seats):
            if other != seat:
                self.match.player(other, players if isinstance(players, str) else players[other])
        self.observation_space = observation_space(self.rules)
        self.action_space = Discrete(self.rules.actions)

    def action_masks(self):
        """Which actions are offered."""
        return self.match.mask().astype(bool)

    def _look(self):
        observation, mask = self.match.observe(self.seat), self.match.mask()
        return observation, {"action_mask": mask, "legal": int(mask.sum())}

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed, options=options)
        self.match.reset(int(self.np_random.integers(SEEDS)) if seed is None else seed)
        for _ in range(PASSED_OVER):
            if self.match.seat is not None:
                return self._look()
            self.match.reset(int(self.np_random.integers(SEEDS)))
        raise RuntimeError(f"seat {self.seat} is never asked: {PASSED_OVER} matches in a row were over before")

    def step(self, action):
        mask = self.match.mask()
        legal = int(mask.sum())
        if legal == 0:
            raise RuntimeError("the match is over: reset begins the next one")
        library.env_step(self.match.pointer, int(action) % legal)
        is_over, is_cut = self.match.seat is None, self.match.is_cut
        observation, info = self._look()
        reward = self.match.returns()[self.seat] if is_over else 0.0
        return observation, reward, is_over and not is_cut, is_cut, info

    def render(self):
        return self.match.text(self.seat) if self.render_mode == "ansi" else None

    def close(self):
        pass
