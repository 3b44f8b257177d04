"""Fate cards of the edition crossroads: when one comes true, the vote, and what it does."""

from __future__ import annotations

from typing import Any, Generator

from .board import Body, Player, only
from .colony import Colony
from .table import Heard

Waiting = Generator[None, Heard | None, Any]  # Waits for commands at each `yield`.


class Fate(Colony):
    """A player on turn holds a card. A deed of that turn may make it come true, once."""

    fate: tuple[str, Body] | None = None
    fate_owner: Player

    def draw_fate(self, player: Player) -> None:
        self.fate = self.fates.pop(0) if self.has_fates else None
        self.fate_owner, self.waste_before = player, self.waste

    def deed(self, kind: str, place: int | None = None) -> None:
        """Something has been done that may be what the card waits for."""
        self.deeds.append((kind, place))

    def comes_true(self) -> bool:
        if self.fate is None:
            return False
        kind, body = self.fate
        return any(kind == done and self.is_enough(kind, body, place) for done, place in self.deeds)

    def is_enough(self, kind: str, body: Body, place: int | None) -> bool:
        if kind != "wasteChanged":
            return body.get("locationId", place) == place
        threshold = self.waste_before + body["amount"]
        if body["amount"] == 0:
            return True
        return self.waste >= threshold if body["amount"] > 0 else self.waste <= threshold

    def handle_fate(self) -> Waiting:
        if not self.comes_true() or not self.in_game():
            return
        body, self.fate = self.fate[1], None
        self.all("Crossroad", crossroadId=body["identifier"])
        kind, what = only(body["consequence"])
        if kind == "choice":
            answer = yield from self.vote()
            self.all("VoteResult", answer=answer)
            kind, what = only(what["consequence1" if answer else "consequence2"])
        {"changeFood": self.fate_food, "changeMoral": self.fate_morale,
         "spawnSurvivors": self.fate_survivors, "spawnZombies": self.fate_zombies}[kind](what)

    def fate_food(self, what: Body) -> None:
        if self.food + what["amount"] < 0:
            self.hunger()
        else:
            self.food += what["amount"]
            self.all("FoodChanged", amount=what["amount"], reason="CROSSROAD")

    def fate_morale(self, what: Body) -> None:
        self.change_morale(what["amount"], "CROSSROAD")

    def fate_survivors(self, what: Body) -> None:
        player = self.turn if self.fate_owner.has_left else self.fate_owner
        if player is None:
            return
        come, self.pool = self.pool[:what["amount"]], self.pool[what["amount"]:]
        for survivor in sorted(come, key=lambda one: one.id):
            self.join(player, survivor)
        if what.get("children"):
            for _ in come:
                self.spawn_child()

    def fate_zombies(self, what: Body) -> None:
        where = [self.places[what["locationId"]]] if "locationId" in what else [self.colony] + self.others
        for place in where:
            self.zombies_come(place, what["amount"])

    def vote(self) -> Waiting:
        """Each is asked, one after the other. Yes wins a tie."""
        votes = []
        for player in self.in_game():
            answer = yield from self.ask_vote(player)
            votes.append(answer)
        return votes.count(True) >= votes.count(False)

    def ask_for_vote(self, player: Player) -> None:
        self.tell(player, "VoteNow")

    def ask_vote(self, player: Player) -> Waiting:
        silences = 0
        while True:
            self.ask_for_vote(player)
            heard = yield from self.listen(player)
            if heard is None:
                silences += 1
                if self.loses_patience(silences):
                    return True
                self.refuse(player.client, "Your time ran out: vote, yes or no.")
            elif heard.command == "Vote" and isinstance(heard.args.get("answer"), bool):
                self.commands += 1
                return heard.args["answer"]
            else:
                self.refuse(player.client, "The players vote first.")
