"""Wrong order: the right things happen, but not one after the other as they should."""

from second.board import Place, Player, Survivor
from second.game import Game

from .planting import late, wrong


@wrong("waste-before-card")
class WasteBeforeCard(Game):
    """WasteChanged comes before the CardUsed that it follows from."""

    @late
    def tell_card(self, card: int, **on: int) -> None:
        super().tell_card(card, **on)
        if self.said[-1].event == "WasteChanged":
            self.said[-2:] = reversed(self.said[-2:])


@wrong("spawned-as-chosen")
class SpawnedAsChosen(Game):
    """The two chosen characters come in the order in which they were named, not by their numbers."""

    def order_of_spawning(self, chosen: list[int]) -> list[int]:
        return chosen


@wrong("weakest-leaves-first", "equipment", "crossroads")
class WeakestLeavesFirst(Game):
    """The survivors of a player who leaves die in the wrong order, by ascending status."""

    def order_of_leaving(self, player: Player) -> list[Survivor]:
        return list(reversed(super().order_of_leaving(player)))


@wrong("colony-last")
class ColonyLast(Game):
    """In the colony phase zombies come to the colony last, not first."""

    @late
    def order_of_zombies(self) -> list[Place]:
        return self.others + [self.colony]


@wrong("children-last")
class ChildrenLast(Game):
    """Children are bitten and killed only when no survivor is left in the colony."""

    @late
    def child_is_next(self, place: Place) -> bool:
        return super().child_is_next(place) and not place.people


@wrong("crisis-before-meal")
class CrisisBeforeMeal(Game):
    """In the colony phase the crisis is judged before the colony eats."""

    @late
    def eat(self) -> None:
        super().judge_crisis()
        super().eat()

    @late
    def judge_crisis(self) -> None:
        pass


@wrong("asked-once")
class AskedOnce(Game):
    """After a command that failed ActNow does not come again."""

    @late
    def tell(self, player: Player, event: str, **args: object) -> None:
        has_failed = self.said and self.said[-1].event == "CommandFailed" and self.said[-1].to == [player.client]
        if event != "ActNow" or not has_failed:
            super().tell(player, event, **args)
