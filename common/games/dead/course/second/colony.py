"""The colony phase: it eats, smells its waste, looks at the crisis; zombies come; the goal is looked at."""

from __future__ import annotations

from .board import Place
from .harm import Harm


class Colony(Harm):
    """What happens at the end of each round."""

    def colony_phase(self) -> None:
        self.all("ColonyPhaseStarted")
        self.eat()
        self.smell()
        self.judge_crisis()
        for place in self.order_of_zombies():
            self.zombies_come(place, self.mouths() if place is self.colony else len(place.people))
        self.judge_goal()

    def order_of_zombies(self) -> list[Place]:
        return [self.colony] + self.others

    def mouths(self) -> int:
        """One for two of them, and one for the last."""
        return (len(self.colony.people) + self.children + 1) // 2

    def eat(self) -> None:
        need = self.mouths()
        if need > self.food:
            self.hunger()
        elif need > 0:
            self.food -= need
            self.all("FoodChanged", amount=-need, reason="FOOD_CONSUMED")
        if self.tokens > 0:
            self.change_morale(-self.tokens, "STARVATION_TOKEN")

    def hunger(self) -> None:
        self.tokens += 1
        self.all("StarvationTokenAdded")

    def smell(self) -> None:
        if self.waste >= 10:
            self.change_morale(-(self.waste // 10), "WASTE")

    def judge_crisis(self) -> None:
        body = self.crisis[1]
        if self.given < body["requiredCards"]:
            self.change_morale(-body["moralChange"], "CRISIS")
        elif self.given >= body["requiredCards"] + 2:
            self.change_morale(1, "CRISIS")

    def zombies_come(self, place: Place, count: int) -> None:
        for number in range(count):
            self.zombie_comes(place, number % place.entrances)

    def zombie_comes(self, place: Place, entrance: int) -> None:
        if place.room(entrance) > 0:
            place.zombies[entrance] += 1
            self.all("ZombieSpawned", locationId=place.id, entrance=entrance)
        elif place.barricades[entrance] > 0:
            place.barricades[entrance] -= 1
            self.all("BarricadeDestroyed", locationId=place.id, entrance=entrance)
        elif self.child_is_next(place):
            self.lose_child("ChildKilled")
        elif place.people:
            victim = self.weakest(place)
            self.all("SurvivorKilled", characterId=victim.id)
            self.die(victim)

    def judge_goal(self) -> None:
        is_last = self.round == self.goal["rounds"]
        is_won = self.is_reached(is_last)
        if is_won or is_last:
            self.end(is_won)

    def is_reached(self, is_last: bool) -> bool:
        if "survive" in self.goal:
            return is_last
        if "barricades" in self.goal:
            return sum(sum(place.barricades) for place in self.places.values()) >= self.goal["barricades"]
        return sum(any(place.zombies) for place in self.places.values()) <= self.goal["locationWithZombies"]
