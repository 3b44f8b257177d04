"""Wrong validation: a command that should fail is carried out."""

from __future__ import annotations

from second.board import Place, Player, Survivor
from second.game import Game

from .planting import late, wrong


@wrong("entrance-below-0")
class EntranceBelow0(Game):
    """Entrances are counted from the end, too: -1 is the last one."""

    def need_entrance(self, place: Place, entrance: int) -> None:
        super().need_entrance(place, entrance % place.entrances if -place.entrances <= entrance < 0 else entrance)


@wrong("drives-twice", "equipment", "crossroads")
class DrivesTwice(Game):
    """Who has moved in this turn may go on by fuel."""

    @late
    def use_fuel(self, player: Player, card: int, survivor: Survivor, target: int) -> None:
        had_moved, survivor.has_moved = survivor.has_moved, False
        try:
            super().use_fuel(player, card, survivor, target)
        finally:
            survivor.has_moved = had_moved or survivor.has_moved


@wrong("medicine-by-post")
class MedicineByPost(Game):
    """Medicine, healing and equipment reach survivors at other places, too."""

    @late
    def neighbour(self, survivor: Survivor, target: int) -> Survivor:
        other = self.people.get(target)
        return super().neighbour(other if other and other.place else survivor, target)


@wrong("one-too-many")
class OneTooMany(Game):
    """A full location takes one survivor more."""

    @late
    def takes(self, place: Place) -> bool:
        return place.spaces is None or len(place.people) <= place.spaces


@wrong("once-more")
class OnceMore(Game):
    """An ability can be used once more than its maxActivations."""

    @late
    def can_activate(self, survivor: Survivor) -> bool:
        return survivor.activations <= survivor.power["maxActivations"]


@wrong("cleans-again", "base")
class CleansAgain(Game):
    """In base waste is cleaned as often as dice last, not once in a round."""

    @late
    def clean_once(self, player: Player, survivor: Survivor) -> None:
        pass


@wrong("any-card-helps")
class AnyCardHelps(Game):
    """Once enough cards were given against the crisis, cards of every kind may follow."""

    @late
    def helps(self, kind: str) -> bool:
        return super().helps(kind) or self.given >= self.crisis[1]["requiredCards"]
