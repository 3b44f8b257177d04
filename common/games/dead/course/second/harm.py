"""Injuries, bites and deaths: what an infection die does, and what follows."""

from __future__ import annotations

from .board import INJURIES, Over, Place, Player, Survivor
from .table import Table


class Harm(Table):
    """Harm comes on the way, in a fight, by frost, by zombies, and from one survivor to the next."""

    # The infection die.

    def infection(self) -> str | None:
        value = self.dice.below(12)
        return None if value < 6 else "wound" if value < 9 else "frostBite" if value < 11 else "bite"

    def infect_on_the_way(self, survivor: Survivor) -> None:
        """Boots come before the ability, and each looks at what the die showed."""
        result = self.infection()
        has_boots = not self.is_base and any(tool.kind == "snow_boots" for tool in survivor.tools)
        if result == "frostBite" and has_boots:
            result = "wound"
        elif survivor.ability == "wound" and result == survivor.power["before"]:
            result = survivor.power["after"]
        self.suffer(survivor, result)

    def infect(self, survivor: Survivor) -> None:
        self.suffer(survivor, self.infection())

    def suffer(self, survivor: Survivor, result: str | None) -> None:
        if result == "wound":
            self.wound(survivor)
        elif result == "frostBite":
            survivor.frostbites += 1
            self.all("Frostbitten", characterId=survivor.id)
            self.judge_injuries(survivor)
        elif result == "bite":
            place = survivor.place
            self.all("Bitten", characterId=survivor.id)
            self.die(survivor)
            self.spread(place)

    def wound(self, survivor: Survivor) -> None:
        survivor.wounds += 1
        self.all("Wounded", characterId=survivor.id)
        self.judge_injuries(survivor)

    def judge_injuries(self, survivor: Survivor) -> None:
        if survivor.injuries() < INJURIES:
            return
        if not self.is_base:
            self.all("SurvivorKilled", characterId=survivor.id)
        self.die(survivor)

    def freeze(self, player: Player) -> None:
        """Before a turn each frostbite wounds once more."""
        for survivor in list(player.people):
            for _ in range(survivor.frostbites):
                if survivor.player is player:  # Still alive.
                    self.wound(survivor)

    # Deaths.

    def bury(self, survivor: Survivor) -> None:
        survivor.place.people.remove(survivor)
        survivor.place = survivor.player = None

    def die(self, survivor: Survivor) -> None:
        """Somebody has said how."""
        player = survivor.player
        player.people.remove(survivor)
        self.bury(survivor)
        self.change_morale(-1, "CHARACTER_DIED")
        if not player.people:
            self.begin_anew(player)

    def begin_anew(self, player: Player) -> None:
        """The last survivor is dead: the next from the pool comes, or the player is out."""
        self.lose_hand(player)
        loses_turn = self.turn is player and not self.keeps_turn(player)
        if self.pool:
            self.next_from_pool(player)
        if loses_turn:
            self.end_turn(player)
        if not player.people:
            self.drop(player)
        elif self.is_base and self.turn is not None and not player.had_turn and not loses_turn:
            player.sits_out = True

    def lose_hand(self, player: Player) -> None:
        player.hand = []

    def keeps_turn(self, player: Player) -> bool:
        """In equipment: the command of somebody else ended that one's turn, and this one's is still to come."""
        return self.is_equipment and bool(self.pool) and player is not self.playing

    def drop(self, player: Player) -> None:
        self.all("Left", player=player.number)
        player.has_left = True
        if not self.in_game():
            raise Over

    def weakest(self, place: Place) -> Survivor:
        return min(place.people, key=lambda survivor: survivor.status)

    def lose_child(self, event: str) -> None:
        self.children -= 1
        self.all(event)
        self.change_morale(-1, "CHARACTER_DIED")

    def child_is_next(self, place: Place) -> bool:
        return place is self.colony and self.children > 0

    def spread(self, place: Place) -> None:
        """A bite is passed on at its place, until a die shows nothing or nobody is left."""
        while self.child_is_next(place) or place.people:
            if self.infection() is None:
                return
            if self.child_is_next(place):
                self.lose_child("Bitten")
            else:
                victim = self.weakest(place)
                self.all("Bitten", characterId=victim.id)
                self.die(victim)

    # Turns, as far as a death ends them.

    def end_turn(self, player: Player) -> None:
        player.dice, player.has_cleaned, player.had_turn = [], False, True
        for survivor in player.people:
            survivor.refresh()
        self.pass_on(player)

    def pass_on(self, behind: Player | None) -> None:
        """Looks for the next who has a turn in this round."""
        first = 0 if behind is None else behind.number + 1
        self.turn = next((player for player in self.players[first:]
                          if not player.has_left and not player.sits_out), None)
