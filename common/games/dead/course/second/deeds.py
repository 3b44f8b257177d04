"""What survivors do for dice: moving, barricades, fights, searches, waste; and how turns end.

Each command is a method `do_NAME`. It doubts first and acts then, so a refused command leaves no trace.
"""

from __future__ import annotations

from typing import Any

from .board import Over, Place, Player, Survivor
from .fate import Fate

Args = dict[str, Any]


class Deeds(Fate):
    """The commands that need no card in the hand."""

    # Doubts that several commands share.

    def number(self, args: Args, name: str) -> int:
        self.need(isinstance(args.get(name), int), f"{name} is missing.")
        return args[name]

    def own(self, player: Player, args: Args) -> Survivor:
        survivor = self.people.get(self.number(args, "characterId"))
        self.need(survivor and survivor.player is player, "That is none of your living survivors.")
        return survivor

    def die_for(self, player: Player, least: int) -> int:
        fit = [value for value in player.dice if value >= least]
        self.need(fit, "You have no die left that shows enough.")
        return min(fit)

    def need_entrance(self, place: Place, entrance: int) -> None:
        self.need(place.has(entrance), "There is no such entrance here; they are counted from 0.")

    def need_room(self, place: Place, entrance: int) -> None:
        self.need_entrance(place, entrance)
        self.need(place.room(entrance) > 0, "Zombies and barricades leave no room at this entrance.")

    def need_zombie(self, place: Place, entrance: int) -> None:
        self.need_entrance(place, entrance)
        self.need(place.zombies[entrance] > 0, "There is no zombie at this entrance.")

    # The end of a turn.

    def do_EndTurn(self, player: Player, args: Args) -> None:
        self.end_turn(player)

    def do_Leave(self, player: Player, args: Args) -> None:
        self.all("Left", player=player.number)
        player.has_left = True
        player.hand = []
        if not self.in_game():
            raise Over
        for survivor in self.order_of_leaving(player):
            self.bury(survivor)
            if not self.is_base:
                self.all("SurvivorKilled", characterId=survivor.id)
            self.change_morale(-1, "CHARACTER_DIED")
        self.pass_on(player)

    def order_of_leaving(self, player: Player) -> list[Survivor]:
        return sorted(player.people, key=lambda survivor: -survivor.status)

    # Moving.

    def way(self, survivor: Survivor, number: int) -> Place:
        place = self.places.get(number)
        self.need(not survivor.has_moved, "This survivor has moved in this turn.")
        self.need(place, "There is no such location.")
        self.need(place is not survivor.place, "The survivor is there already.")
        self.need(self.takes(place), "There is no room for another survivor.")
        return place

    def takes(self, place: Place) -> bool:
        return place.spaces is None or len(place.people) < place.spaces

    def go(self, survivor: Survivor, place: Place) -> None:
        survivor.place.people.remove(survivor)
        place.people.append(survivor)
        survivor.place, survivor.has_moved = place, True
        self.deed("moved", place.id)

    def do_Move(self, player: Player, args: Args) -> None:
        survivor = self.own(player, args)
        place = self.way(survivor, self.number(args, "locationId"))
        self.need(isinstance(args.get("fuel"), bool) == self.is_base, "Edition base, and no other, needs fuel.")
        if self.is_base:
            self.move_in_base(player, survivor, place, args["fuel"])
        else:
            self.go(survivor, place)
            self.all("Moved", characterId=survivor.id, locationId=place.id)
            self.infect_on_the_way(survivor)

    def move_in_base(self, player: Player, survivor: Survivor, place: Place, by_fuel: bool) -> None:
        fuel = [card for card in player.hand if self.cards[card][0] == "fuel"]
        self.need(fuel or not by_fuel, "You have no fuel card to drive with.")
        self.go(survivor, place)
        self.all("Moved", characterId=survivor.id, locationId=place.id, fuel=by_fuel)
        if by_fuel:
            player.hand.remove(min(fuel))
            self.change_waste(1)
        else:
            self.infect_on_the_way(survivor)

    # Barricades and fights.

    def do_Barricade(self, player: Player, args: Args) -> None:
        survivor, entrance = self.own(player, args), self.number(args, "entrance")
        place = survivor.place
        self.need_room(place, entrance)
        hammer = None if self.is_base else survivor.tool("hammer")
        die = self.die_for(player, 1) if hammer is None else None
        place.barricades[entrance] += 1
        self.all("Barricaded", characterId=survivor.id, locationId=place.id, entrance=entrance)
        if hammer is None:
            player.dice.remove(die)
        else:
            hammer.is_used = True
        self.deed("barricaded", place.id)

    def do_Attack(self, player: Player, args: Args) -> None:
        survivor, entrance = self.own(player, args), self.number(args, "entrance")
        self.need_zombie(survivor.place, entrance)
        player.dice.remove(self.die_for(player, survivor.attack))
        self.kill_zombie(survivor, entrance)
        colt = None if self.is_base else survivor.tool("colt")
        if colt:
            colt.is_used = True
        elif survivor.ability != "no_infection":
            self.infect(survivor)

    def kill_zombie(self, survivor: Survivor, entrance: int) -> None:
        survivor.place.zombies[entrance] -= 1
        self.all("ZombieKilled", characterId=survivor.id, locationId=survivor.place.id, entrance=entrance)

    # Searching.

    def do_Search(self, player: Player, args: Args) -> None:
        survivor = self.own(player, args)
        place = survivor.place
        self.need(place is not self.colony and place.deck, "There is nothing left to find here.")
        player.dice.remove(self.die_for(player, survivor.search))
        if self.meets_somebody(place):
            self.all("Searched", characterId=survivor.id, locationId=place.id)
            self.next_from_pool(player)
            for _ in range(self.children_met()):
                self.spawn_child()
            return
        count = self.cards_to_find(survivor, place)
        self.all("Searched", characterId=survivor.id, locationId=place.id)
        for _ in range(min(count, len(place.deck))):
            self.draw(player, place.deck)
        self.deed("searched", place.id)

    def children_met(self) -> int:
        return self.dice.below(4)

    def meets_somebody(self, place: Place) -> bool:
        """One in as many as the deck had cards at first."""
        return bool(self.pool) and self.dice.below(place.size) == 0

    def cards_to_find(self, survivor: Survivor, place: Place) -> int:
        """One, and one bonus at most: a plan goes before the ability."""
        if self.uses_plan(survivor, place):
            return 2
        return 1 + self.bonus_of_ability(survivor, place)

    def uses_plan(self, survivor: Survivor, place: Place) -> bool:
        if self.is_base:
            return False
        for tool in reversed(survivor.tools):
            is_plan = tool.kind == "blueprint" and self.cards[tool.card][1]["location"] == place.id
            if is_plan and not tool.is_used:
                tool.is_used = True
                return True
        return False

    def bonus_of_ability(self, survivor: Survivor, place: Place) -> int:
        power = survivor.power
        if survivor.ability != "search" or power["location"] != place.id or not self.can_activate(survivor):
            return 0
        survivor.activations += 1
        return power["numCards"]

    def can_activate(self, survivor: Survivor) -> bool:
        return survivor.activations < survivor.power["maxActivations"]

    # Waste.

    def do_CleanWaste(self, player: Player, args: Args) -> None:
        survivor = self.own(player, args)
        die = self.die_for(player, 1)
        self.need(survivor.place is self.colony, "Waste lies in the colony only.")
        self.need(self.waste > 0, "There is no waste.")
        if self.is_base:
            self.clean_once(player, survivor)
        swab = None if self.is_base else survivor.tool("swab")
        count = 3
        if swab:
            swab.is_used, count = True, 5
        elif survivor.ability == "trash":
            count = survivor.power["numCards"]
        if self.is_base or not (swab or survivor.ability == "trash"):
            player.dice.remove(die)
        self.change_waste(-min(count, self.waste))

    def clean_once(self, player: Player, survivor: Survivor) -> None:
        """In base: once in the ordinary way, and once more with each survivor who is good at it."""
        cleaner = survivor if survivor.ability == "trash" else player
        self.need(not cleaner.has_cleaned, "Waste has been cleaned in this way in this round.")
        cleaner.has_cleaned = True

    def change_waste(self, by: int) -> None:
        """Base tells how much there is, the others by how much it changed."""
        self.waste += by
        self.all("WasteChanged", amount=self.waste if self.is_base else by)
        self.deed("wasteChanged")
