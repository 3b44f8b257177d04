"""The table of a game: its state, and how things are said. No rules beyond that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Hashable

from .board import Body, Over, Place, Player, Refused, Survivor, only
from .dice import Dice


@dataclass
class Said:
    """An event, and the clients who hear it."""
    event: str
    args: dict[str, Any]
    to: list[Hashable]
    is_for_all: bool = False


@dataclass
class Heard:
    """A command of a client. `None` in its place: the time ran out."""
    client: Hashable
    command: str
    args: dict[str, Any]


class Table:
    """All that a game knows. The rules are in the classes that inherit from it."""

    def __init__(self, config: Body, edition: str, seed: int) -> None:
        self.config, self.goal = config, config["goal"]
        self.is_base, self.is_equipment = edition == "base", edition == "equipment"
        self.has_fates = edition == "crossroads"
        self.dice = Dice(seed)
        self.said: list[Said] = []
        self.commands = 0                     # That were not refused.
        self.set_places()
        self.set_cards()
        self.players: list[Player] = []       # By number.
        self.turn: Player | None = None       # Whose turn it is.
        self.playing: Player | None = None    # Whose command is being carried out.
        self.children: int = self.goal["childrenInColony"]
        self.morale: int = self.goal["moral"]
        self.food = self.waste = self.tokens = 0
        self.round = 0

    def set_places(self) -> None:
        self.places: dict[int, Place] = {}
        for entry in self.config["locations"]:
            place = Place(entry.get("colony", entry))
            self.places[place.id] = place
            if "colony" in entry:
                self.colony = place
        self.others = [self.places[number] for number in sorted(self.places) if number != self.colony.id]
        self.colony.deal_zombies(self.goal["zombiesColony"])
        for place in self.others:
            place.deal_zombies(self.goal["zombiesLocations"])

    def set_cards(self) -> None:
        self.cards: dict[int, tuple[str, Body]] = {}
        for kind, body in map(only, self.config["cards"]):
            self.cards[body["identifier"]] = kind, body
        self.people = {body["identifier"]: Survivor(body) for body in self.config["characters"]}
        self.pool = list(self.people.values())  # Who may still join.
        self.crises = [only(entry) for entry in self.config["crises"]]
        self.fates = [only(entry) for entry in self.config["crossroads"]] if self.has_fates else []

    def in_game(self) -> list[Player]:
        return [player for player in self.players if not player.has_left]

    def player_of(self, client: Hashable) -> Player | None:
        return next((player for player in self.players if player.client == client), None)

    # How things are said.

    def audience(self, event: str, args: dict[str, Any]) -> list[Player]:
        """Who hears what all may hear."""
        return self.in_game()

    def all(self, event: str, **args: Any) -> None:
        clients = [player.client for player in self.audience(event, args)]
        self.said.append(Said(event, args, clients, is_for_all=True))

    def tell(self, player: Player, event: str, **args: Any) -> None:
        self.said.append(Said(event, args, [player.client]))

    def refuse(self, client: Hashable, why: str) -> None:
        self.said.append(Said("CommandFailed", {"message": why}, [client]))

    # What many rules need.

    def need(self, holds: object, why: str) -> None:
        if not holds:
            raise Refused(why)

    def change_morale(self, by: int, why: str) -> None:
        self.morale += by
        self.all("MoralChanged", amount=by, reason=why)
        if self.morale <= 0:
            self.end(False)

    def end(self, is_won: bool) -> None:
        self.all("GameEnd", win=is_won)
        raise Over

    def join(self, player: Player, survivor: Survivor) -> None:
        survivor.player, survivor.place = player, self.colony
        player.people.append(survivor)
        self.colony.people.append(survivor)
        self.all("CharacterSpawned", player=player.number, characterId=survivor.id)

    def next_from_pool(self, player: Player) -> None:
        self.join(player, self.pool.pop(0))

    def spawn_child(self) -> None:
        self.children += 1
        self.all("ChildSpawned")

    def draw(self, player: Player, deck: list[int]) -> None:
        card = deck.pop(0)
        player.hand.append(card)
        self.all("CardDrawn", player=player.number, cardId=card)

    def roll(self, player: Player) -> int:
        value = self.dice.below(6) + 1
        self.all("DieRolled", player=player.number, value=value)
        return value
