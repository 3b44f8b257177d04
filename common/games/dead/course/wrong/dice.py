"""Wrong dice: they are rolled at the wrong time, too seldom or too often, or the wrong one is spent."""

from second.board import Place, Player, Survivor
from second.game import Game

from .planting import late, wrong


@wrong("deck-shrinks")
class DeckShrinks(Game):
    """Meeting somebody is one in as many as the deck has now, not one in as many as it had at first."""

    @late
    def meets_somebody(self, place: Place) -> bool:
        return bool(self.pool) and self.dice.below(len(place.deck)) == 0


@wrong("biggest-die")
class BiggestDie(Game):
    """The biggest die is spent, not the smallest that is enough."""

    @late
    def die_for(self, player: Player, least: int) -> int:
        super().die_for(player, least)
        return max(player.dice)


@wrong("rolls-in-a-car")
class RollsInACar(Game):
    """A way by fuel rolls an infection die, too; what it shows does no harm."""

    @late
    def move_in_base(self, player: Player, survivor: Survivor, place: Place, by_fuel: bool) -> None:
        super().move_in_base(player, survivor, place, by_fuel)
        if by_fuel:
            self.infection()

    @late
    def use_fuel(self, player: Player, card: int, survivor: Survivor, target: int) -> None:
        super().use_fuel(player, card, survivor, target)
        self.infection()


@wrong("three-sided-children")
class ThreeSidedChildren(Game):
    """Whoever is met brings up to two children, not up to three."""

    def children_met(self) -> int:
        return self.dice.below(3)


@wrong("pool-as-it-was")
class PoolAsItWas(Game):
    """The characters are not shuffled once more after the last player has chosen."""

    def shuffle_rest(self) -> None:
        pass


@wrong("three-dice")
class ThreeDice(Game):
    """Nobody rolls more than three dice at the start of a round."""

    @late
    def dice_count(self, player: Player) -> int:
        return min(super().dice_count(player), 3)
