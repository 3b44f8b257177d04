"""Wrong audience: somebody hears what others should hear, or does not hear what all should."""

from typing import Any, Hashable

from second.board import Player
from second.game import Game
from second.table import Heard, Said

from .planting import late, wrong


@wrong("offer-for-all")
class OfferForAll(Game):
    """Everybody hears which characters are offered to a player."""

    def offer(self, player: Player, characters: dict[str, int]) -> None:
        self.all("Characters", **characters)


@wrong("ghosts-hear")
class GhostsHear(Game):
    """Whoever has left still hears what happens."""

    @late
    def audience(self, event: str, args: dict[str, Any]) -> list[Player]:
        return self.players


@wrong("leaves-unheard")
class LeavesUnheard(Game):
    """Whoever leaves does not hear the own Left, which should be the last event."""

    @late
    def audience(self, event: str, args: dict[str, Any]) -> list[Player]:
        leaver = args["player"] if event == "Left" else None
        return [player for player in super().audience(event, args) if player.number != leaver]


@wrong("vote-for-all", "crossroads")
class VoteForAll(Game):
    """Everybody hears each VoteNow, not only the player who is asked."""

    @late
    def ask_for_vote(self, player: Player) -> None:
        self.all("VoteNow")


@wrong("failure-for-all")
class FailureForAll(Game):
    """Everybody hears CommandFailed, not only whose command it was."""

    @late
    def refuse(self, client: Hashable, why: str) -> None:
        self.said.append(Said("CommandFailed", {"message": why}, [player.client for player in self.in_game()]))


@wrong("strangers-answered")
class StrangersAnswered(Game):
    """After the registration a client without a place still gets an answer."""

    def ignore(self, heard: Heard) -> None:
        self.refuse(heard.client, "You have no place in this game.")
