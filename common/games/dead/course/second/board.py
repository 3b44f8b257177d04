"""What lies and stands on the board: places, survivors, what they wear, players. No rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Hashable

Body = dict[str, Any]  # An object of the set-up.

ROOM = 3       # Zombies and barricades find room at an entrance.
INJURIES = 3   # Wounds and frostbites kill.
EQUIPMENT = {"hammer", "snow_boots", "colt", "swab", "blueprint"}


class Over(Exception):
    """The game is over: nothing more is said."""


class Refused(Exception):
    """A command fails. Nothing has happened. The text says why."""


def only(entry: Body) -> tuple[str, Any]:
    """The key and the value of an object that has one key."""
    (kind, body), = entry.items()
    return kind, body


class Place:
    """The colony, or a location to search."""

    def __init__(self, body: Body) -> None:
        self.id: int = body["identifier"]
        self.entrances: int = body["entrances"]
        self.spaces: int | None = body.get("survivorSpaces")  # None: the colony takes everybody.
        self.deck: list[int] = list(body.get("startCards", body.get("cards")))
        self.size = len(self.deck)  # As the game began.
        self.zombies = [0] * self.entrances
        self.barricades = [0] * self.entrances
        self.people: list[Survivor] = []

    def deal_zombies(self, count: int) -> None:
        for number in range(count):
            self.zombies[number % self.entrances] += 1

    def has(self, entrance: int) -> bool:
        return 0 <= entrance < self.entrances

    def room(self, entrance: int) -> int:
        return ROOM - self.zombies[entrance] - self.barricades[entrance]


@dataclass
class Tool:
    """A piece of equipment that somebody wears."""
    card: int
    kind: str
    is_used: bool = False


class Survivor:
    """A character, in play or not yet."""

    def __init__(self, body: Body) -> None:
        self.id: int = body["identifier"]
        self.status: int = body["status"]
        self.attack: int = body["attack"]
        self.search: int = body["search"]
        self.ability, self.power = only(body["ability"])  # Its kind, and its numbers.
        self.player: Player | None = None                 # None: not in play.
        self.place: Place | None = None
        self.wounds = self.frostbites = 0
        self.tools: list[Tool] = []                       # The newest last.
        self.refresh()

    def refresh(self) -> None:
        """At the end of the turn all may be done again."""
        self.has_moved = self.has_cleaned = False
        self.activations = 0
        for tool in self.tools:
            tool.is_used = False

    def injuries(self) -> int:
        return self.wounds + self.frostbites

    def tool(self, kind: str) -> Tool | None:
        """The newest piece of a kind that is not used in this turn."""
        return next((tool for tool in reversed(self.tools) if tool.kind == kind and not tool.is_used), None)


class Player:
    """Somebody who has registered."""

    def __init__(self, number: int, client: Hashable, name: str) -> None:
        self.number, self.client, self.name = number, client, name
        self.people: list[Survivor] = []  # In the order in which they joined.
        self.hand: list[int] = []
        self.dice: list[int] = []
        self.has_left = False
        self.had_turn = False             # In this round.
        self.sits_out = False             # The rest of this round.
        self.has_cleaned = False          # In this turn.
