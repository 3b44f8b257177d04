"""Wrong rules: what happens is not what should happen."""

from second.board import INJURIES, Player, Survivor
from second.deeds import Args
from second.game import Game

from .planting import late, wrong


@wrong("frost-heals")
class FrostHeals(Game):
    """A frostbite wounds once, and is healed then."""

    @late
    def freeze(self, player: Player) -> None:
        super().freeze(player)
        for survivor in player.people:
            survivor.frostbites = 0


@wrong("fourth-injury")
class FourthInjury(Game):
    """The third injury does not kill; the fourth does."""

    @late
    def judge_injuries(self, survivor: Survivor) -> None:
        if survivor.injuries() > INJURIES:
            super().judge_injuries(survivor)


@wrong("tools-for-ever", "equipment", "crossroads")
class ToolsForEver(Game):
    """Hammers, colts, swabs and blueprints help as often as one likes, not once in a turn."""

    def carry_out(self, player: Player, command: str, args: Args) -> None:
        super().carry_out(player, command, args)
        for tool in [tool for survivor in player.people for tool in survivor.tools]:
            tool.is_used = False


@wrong("hunger-forgotten")
class HungerForgotten(Game):
    """Hunger of earlier rounds costs no morale when there is enough to eat."""

    @late
    def eat(self) -> None:
        if self.mouths() > self.food:
            super().eat()
            return
        tokens, self.tokens = self.tokens, 0
        super().eat()
        self.tokens = tokens


@wrong("crisis-generous")
class CrisisGenerous(Game):
    """One card more than the crisis asks for raises the morale, not two."""

    @late
    def judge_crisis(self) -> None:
        spare = self.given == self.crisis[1]["requiredCards"] + 1
        self.given += spare
        super().judge_crisis()


@wrong("hand-kept")
class HandKept(Game):
    """Whoever begins anew after the last survivor's death keeps the cards."""

    @late
    def lose_hand(self, player: Player) -> None:
        pass


@wrong("waste-smells-early")
class WasteSmellsEarly(Game):
    """What waste costs is rounded up: even a single card costs morale."""

    @late
    def smell(self) -> None:
        if self.waste > 0:
            self.change_morale(-((self.waste + 9) // 10), "WASTE")
