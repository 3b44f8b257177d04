"""state.py: games and states as OpenSpiel has them. Dice fall inside a step, so there are no chance nodes."""
from .library import SPECTATOR
from .match import Match
from .rules import Rules

TERMINAL = -4   # As pyspiel.PlayerId.TERMINAL.


class Game:
    """A game with a set-up; new_initial_state begins a match."""

    def __init__(self, game, **settings):
        self.rules = Rules.of(game, **settings)

    def new_initial_state(self, seed=1):
        return State(self, Match(self.rules, seed=seed))

    def num_players(self):
        return self.rules.seats

    def num_distinct_actions(self):
        return self.rules.actions

    def observation_tensor_shape(self):
        return [self.rules.cells]

    def observation_tensor_size(self):
        return self.rules.cells

    def max_game_length(self):
        return self.rules.most

    def min_utility(self):
        return -1.0

    def max_utility(self):
        return 1.0

    def deserialize_state(self, saved):
        state = self.new_initial_state()
        state.match.load(saved)
        return state

    def __str__(self):
        return self.rules.game


class State:
    """How a match stands."""

    def __init__(self, game, match, history=()):
        self.game, self.match, self._history = game, match, list(history)

    def get_game(self):
        return self.game

    def current_player(self):
        seat = self.match.seat
        return TERMINAL if seat is None else seat

    def is_terminal(self):
        return self.match.seat is None

    def is_chance_node(self):
        return False

    def is_simultaneous_node(self):
        return False    # Of several who are asked, the lowest goes first and sees no more than the others.

    def legal_actions(self, player=None):
        """Those that the mask offers."""
        return list(range(int(self.match.mask().sum()))) if player in (None, self.match.seat) else []

    def legal_actions_mask(self, player=None):
        return self.match.mask().tolist() if player in (None, self.match.seat) else [0] * self.game.rules.actions

    def apply_action(self, action):
        player = self.match.seat
        self.match.step(action)
        self._history.append((player, action))

    def action_to_string(self, player, action=None):
        return self.match.action_text(player if action is None else action)

    def _viewer(self, player):
        seat = self.match.seat if player is None else player
        return SPECTATOR if seat is None else seat

    def observation_tensor(self, player=None):
        return self.match.observe(self._viewer(player))

    def observation_string(self, player=None):
        return self.match.text(self._viewer(player))

    def returns(self):
        return self.match.returns()

    def rewards(self):
        return self.match.returns()

    def player_return(self, player):
        return self.match.returns()[player]

    def history(self):
        return [action for _, action in self._history]

    def full_history(self):
        return list(self._history)

    def num_players(self):
        return self.game.rules.seats

    def clone(self):
        return State(self.game, self.match.copy(), self._history)

    def serialize(self):
        return self.match.save()

    def __str__(self):
        return self.match.text(SPECTATOR)
