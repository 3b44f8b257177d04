"""aec.py: a match as PettingZoo's AEC has it: agents decide one after the other.

It inherits from pettingzoo.AECEnv where that can be imported, and is the same without.
"""
import numpy

from .library import library
from .match import Match
from .spaces import Discrete, masked_space

try:
    from pettingzoo import AECEnv
except ImportError:
    AECEnv = object

SEEDS = 1 << 62


class AEC(AECEnv):
    """One match; "seat_0", "seat_1", ... are its agents.

        table = AEC("dead")
        table.reset(seed=1)
        for agent in table.agent_iter():
            observation, reward, termination, truncation, info = table.last()
            over = termination or truncation
            table.step(None if over else table.action_space(agent).sample(observation["action_mask"]))

    Who has won gets 1 at the end, who has lost -1. `players` of {seat: name} play by themselves; their seats are
    agents all the same, and are not asked.
    """

    metadata = {"render_modes": ["ansi", "human"], "name": "arbiter_v0", "is_parallelizable": False}

    def __init__(self, game, players=None, render_mode=None, **settings):
        self.match = Match(game, players=players, **settings)
        self.rules, self.render_mode = self.match.rules, render_mode
        self.possible_agents = list(self.rules.agents)
        self.agents = []
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        space = masked_space(self.rules)
        self.observation_spaces = {agent: space for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(self.rules.actions) for agent in self.possible_agents}
        self._luck = numpy.random.default_rng()
        self._cells = numpy.empty(self.rules.cells, numpy.int32)
        self._mask = numpy.empty(self.rules.actions, numpy.int8)
        self._cells_at, self._mask_at = self._cells.ctypes.data, self._mask.ctypes.data
        self._pointer = self.match.pointer

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def reset(self, seed=None, options=None):
        """Begins a match; without a seed, another one each time."""
        if seed is not None:
            self._luck = numpy.random.default_rng(seed)
        self.match.reset(int(self._luck.integers(SEEDS)) if seed is None else seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._go_on()

    def _go_on(self):
        seat = library.env_seat(self._pointer)
        if seat >= 0:
            self.agent_selection = self.possible_agents[seat]
            return
        is_cut = self.match.is_cut
        for agent, reward in zip(self.possible_agents, self.match.returns()):
            self.rewards[agent] = reward
            self._cumulative_rewards[agent] += reward
            self.terminations[agent], self.truncations[agent] = not is_cut, is_cut
        self.agent_selection = self.agents[0]

    def observe(self, agent):
        """What the agent may know, and what it may do, which is nothing if it is not its turn."""
        library.env_observe(self._pointer, self._seat[agent], self._cells_at)
        if agent == self.agent_selection:
            library.env_mask(self._pointer, self._mask_at)
        else:
            self._mask.fill(0)
        return {"observation": self._cells.copy(), "action_mask": self._mask.copy()}

    def last(self, observe=True):
        agent = self.agent_selection
        return (self.observe(agent) if observe else None, self._cumulative_rewards[agent], self.terminations[agent],
                self.truncations[agent], self.infos[agent])

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._leave(agent, action)
            return
        self._cumulative_rewards[agent] = 0.0
        if action is None or action < 0 or not library.env_step(self._pointer, int(action)):
            raise ValueError(f"{agent} may choose from {self.match.legal} actions, and {action} is none of them")
        self._go_on()

    def _leave(self, agent, action):
        """Whose match is over says None, and goes."""
        if action is not None:
            raise ValueError("when an agent is over, the only valid action is None")
        self.agents.remove(agent)
        for told in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            del told[agent]
        if self.agents:
            self.agent_selection = self.agents[0]
        self.rewards = dict.fromkeys(self.agents, 0.0)

    def agent_iter(self, max_iter=1 << 63):
        """The agents, as they are asked, until none is left."""
        while self.agents and max_iter > 0:
            yield self.agent_selection
            max_iter -= 1

    def state(self):
        """What a spectator may know."""
        return self.match.observe()

    def render(self):
        text = self.match.text(self._seat[self.agent_selection] if self.agents else 0xff)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self):
        pass

    @property
    def num_agents(self):
        return len(self.agents)

    @property
    def max_num_agents(self):
        return len(self.possible_agents)

    @property
    def unwrapped(self):
        return self

    def __str__(self):
        return f"arbiter {self.rules.game}"
