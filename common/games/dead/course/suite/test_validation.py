"""Validation: commands that must fail, and change nothing."""

from table import Table
from world import COLONY, SCHOOL, world

BUILDER = {"barricade": {"numBarricades": 1, "maxActivations": 1}}


class Validation(Table):
    def test_entrances_are_counted_from_0(self) -> None:
        seat, = self.play(world())
        for entrance in (-1, 20):
            seat.fail("Barricade", characterId=seat.people[0], entrance=entrance)

    def test_who_has_moved_stays(self) -> None:
        seat, = self.play_late(world(hand=("fuel",) * 5))
        seat.do("Move", characterId=seat.people[0], locationId=SCHOOL)
        seat.fail("Move", characterId=seat.people[0], locationId=COLONY)
        seat.fail("UseCard", cardId=seat.hand[0], characterId=seat.people[0], target=COLONY)

    def test_nothing_is_handed_to_somebody_elsewhere(self) -> None:
        seat, = self.play_late(world(hand=("snow_boots",) * 5))
        one, other = seat.people
        seat.do("Move", characterId=one, locationId=SCHOOL)
        seat.fail("UseCard", cardId=seat.hand[0], characterId=other, target=one)

    def test_a_full_location_takes_nobody(self) -> None:
        seat, = self.play_late(world(spaces=1))
        one, other = seat.people
        seat.do("Move", characterId=one, locationId=SCHOOL)
        seat.fail("Move", characterId=other, locationId=SCHOOL)

    def test_an_ability_is_used_up(self) -> None:
        seat, = self.play_late(world(ability=BUILDER))
        seat.do("UseAbility", characterId=seat.people[0], target=5)
        seat.fail("UseAbility", characterId=seat.people[0], target=5)

    def test_waste_is_cleaned_once_in_base(self) -> None:
        seat, = self.play_late(world(), edition="base")
        for card in seat.hand[:4]:
            seat.do("UseCard", cardId=card)
        seat.do("CleanWaste", characterId=seat.people[0])
        seat.fail("CleanWaste", characterId=seat.people[1])

    def test_a_crisis_takes_what_it_asks_for(self) -> None:
        seat, = self.play_late(world(hand=("food", "lock") * 3))
        kinds = {100 + number: kind for number, kind in enumerate(("food", "lock") * 3)}
        food = next(card for card in seat.hand if kinds[card] == "food")
        lock = next(card for card in seat.hand if kinds[card] == "lock")
        seat.fail("ContributeCard", cardId=lock)
        seat.do("ContributeCard", cardId=food)
        seat.fail("ContributeCard", cardId=lock)
