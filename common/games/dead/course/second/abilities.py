"""What survivors are good at, as far as it needs a command: UseAbility."""

from __future__ import annotations

from .board import Player, Survivor
from .cards import Cards
from .deeds import Args

USED_UP = "The ability cannot be used again in this turn."


class Abilities(Cards):
    """Feeding needs no target, healing a survivor, barricades and killing an entrance."""

    def do_UseAbility(self, player: Player, args: Args) -> None:
        survivor = self.own(player, args)
        has_target = "target" in args
        use = getattr(self, "ability_" + survivor.ability, None)
        self.need(use, "This survivor's ability works by itself.")
        self.need(has_target == (survivor.ability != "feed"), "Feeding needs no target, all else does.")
        use(player, survivor, *([args["target"]] if has_target else []))

    def ability_feed(self, player: Player, survivor: Survivor) -> None:
        self.need(survivor.activations == 0, USED_UP)
        amount = survivor.power["numFood"]
        survivor.activations = 1
        self.food += amount
        self.all("AbilityUsed", characterId=survivor.id)
        if self.is_base:
            self.all("FoodChanged", amount=amount, reason="FOOD_ADDED")

    def ability_heal(self, player: Player, survivor: Survivor, target: int) -> None:
        self.need(survivor.activations == 0, USED_UP)
        self.need(not self.is_base or target != survivor.id, "Survivors heal others, not themselves.")
        patient = self.patient(survivor, target)
        survivor.activations = 1
        self.all("AbilityUsed", characterId=survivor.id, target=target)
        self.heal(patient)

    def ability_barricade(self, player: Player, survivor: Survivor, target: int) -> None:
        place = survivor.place
        self.need(self.can_activate(survivor), USED_UP)
        self.need_room(place, target)
        survivor.activations += 1
        place.barricades[target] += min(place.room(target), survivor.power["numBarricades"])
        self.all("AbilityUsed", characterId=survivor.id, target=target)
        self.deed("barricaded", place.id)

    def ability_kill(self, player: Player, survivor: Survivor, target: int) -> None:
        place, power = survivor.place, survivor.power
        self.need(self.can_activate(survivor), USED_UP)
        self.need(place.id == power["locationId"], "The ability works at another location.")
        self.need(self.children > 0 or not power.get("children"), "The ability needs a child in the colony.")
        self.need_zombie(place, target)
        if power["dieValue"] > 0:
            player.dice.remove(self.die_for(player, power["dieValue"]))
        survivor.activations += 1
        self.all("AbilityUsed", characterId=survivor.id, target=target)
        for _ in range(min(place.zombies[target], power["numZombies"])):
            self.kill_zombie(survivor, target)
        if power.get("infectionDie"):
            self.infect(survivor)
