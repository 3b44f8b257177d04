"""A simple bot: it fights, searches, helps against the crisis, and ends its turn when nothing is left to try."""

from __future__ import annotations

import json
import random
from typing import Any

from .client import Client

Command = tuple[str, dict[str, Any]]


class Bot:
    """Knows its survivors, their places and its hand. What it may do, it finds out by trying."""

    def __init__(self, address: str, name: str, luck: random.Random) -> None:
        self.client, self.name, self.luck = Client(address), name, luck
        self.seat = -1
        self.where: dict[int, int] = {}  # My survivors, and where they are.
        self.hand: list[int] = []
        self.plan: list[Command] | None = None

    def play(self, patience_s: float = 60) -> str:
        """Plays to the end, and says the last event."""
        self.client.say("Register", playerName=self.name)
        while True:
            heard = self.client.hear(patience_s)
            if heard is None:
                return "silence"
            event, args = heard
            getattr(self, "on_" + event, lambda _: None)(args)
            is_out = event == "Left" and args["player"] == self.seat
            if event in ("GameEnd", "RegistrationAborted") or is_out:
                self.client.close()
                return event

    # What is heard.

    def on_Config(self, args: dict[str, Any]) -> None:
        self.config = json.loads(args["config"])
        places = [entry.get("colony", entry) for entry in self.config["locations"]]
        self.entrances = {place["identifier"]: place["entrances"] for place in places}
        self.colony = next(entry["colony"]["identifier"] for entry in self.config["locations"] if "colony" in entry)
        self.kinds = {body["identifier"]: kind for card in self.config["cards"] for kind, body in card.items()}

    def on_Player(self, args: dict[str, Any]) -> None:
        if args["playerName"] == self.name:
            self.seat = args["player"]

    def on_Characters(self, args: dict[str, Any]) -> None:
        self.client.say("SelectCharacters", characterId0=args["characterId0"], characterId1=args["characterId1"])

    def on_CharacterSpawned(self, args: dict[str, Any]) -> None:
        if args["player"] == self.seat:
            self.where[args["characterId"]] = self.colony

    def on_CardDrawn(self, args: dict[str, Any]) -> None:
        if args["player"] == self.seat:
            self.hand.append(args["cardId"])

    def on_Moved(self, args: dict[str, Any]) -> None:
        if args["characterId"] in self.where:
            self.where[args["characterId"]] = args["locationId"]

    def on_Bitten(self, args: dict[str, Any]) -> None:
        self.where.pop(args.get("characterId", -1), None)

    on_SurvivorKilled = on_Bitten

    def on_VoteNow(self, args: dict[str, Any]) -> None:
        self.client.say("Vote", answer=self.luck.random() < 0.5)

    def on_ActNow(self, args: dict[str, Any]) -> None:
        """Each attempt is made once in a turn, whether it fails or not."""
        if self.plan is None:
            self.plan = self.attempts()
        if self.plan:
            command, args = self.plan.pop(0)
            self.client.say(command, **args)
        else:
            self.plan = None
            self.client.say("EndTurn")

    # What may be tried in a turn.

    def attempts(self) -> list[Command]:
        tries: list[Command] = [("ContributeCard", {"cardId": card}) for card in self.hand]
        tries += [("UseCard", {"cardId": card}) for card in self.hand if self.kinds[card] == "food"]
        for person, place in self.where.items():
            tries += [("Attack", {"characterId": person, "entrance": entrance})
                      for entrance in range(self.entrances[place])]
            tries += [("Search", {"characterId": person}), ("UseAbility", {"characterId": person}),
                      ("CleanWaste", {"characterId": person}), ("Barricade", {"characterId": person, "entrance": 0})]
        self.luck.shuffle(tries)
        return tries[:12]
