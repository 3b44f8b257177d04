"""Wrong clocks: time runs out too early or never, or silence does not do what it should."""

from __future__ import annotations

from second.board import Player
from second.door import Door
from second.game import Game
from second.table import Heard

from .planting import late, wrong

DAY_S = 86400


@wrong("silence-ends-turn")
class SilenceEndsTurn(Game):
    """Who says nothing in the own turn does not leave; only the turn ends."""

    @late
    def obeys(self, player: Player, heard: Heard | None) -> bool:
        return super().obeys(player, heard or Heard(player.client, "EndTurn", {}))


@wrong("silence-votes-yes", "crossroads")
class SilenceVotesYes(Game):
    """Who says nothing in a vote is not asked again; the first silence is a yes."""

    @late
    def loses_patience(self, silences: int) -> bool:
        return self.phase == "game" or super().loses_patience(silences)


@wrong("silence-chooses")
class SilenceChooses(Game):
    """Who says nothing in the preparation gets the first two characters at once."""

    def loses_patience(self, silences: int) -> bool:
        return self.phase == "preparation" or super().loses_patience(silences)


@wrong("failures-cost-time")
class FailuresCostTime(Door):
    """A command that fails does not start the time anew."""

    @late
    def hear(self, client: bytes, *frames: bytes) -> None:
        before, deadline = self.commands, self.deadline
        super().hear(client, *frames)
        if self.commands == before:
            self.deadline = deadline


@wrong("clock-stops")
class ClockStops(Door):
    """Nobody's time runs out any more."""

    @late
    def start_clock(self) -> None:
        super().start_clock()
        self.deadline += DAY_S


@wrong("half-the-time")
class HalfTheTime(Door):
    """Time runs out when half of it is over."""

    @late
    def start_clock(self) -> None:
        super().start_clock()
        self.deadline -= self.timeout_s / 2
