"""Dice: who knows the seed knows what is rolled."""

from table import Table, names, only
from world import SAFE, SCHOOL, JavaRandom, world

MEETS = {"moved": {"consequence": {"spawnSurvivors": {"amount": 2}}}}


class Dice(Table):
    def test_the_first_dice_are_those_of_the_seed(self) -> None:
        for seed in (1, -7):
            config, java = world(), JavaRandom(seed)
            seat, = self.play(config, seed=seed)
            java.begin(config)
            self.assertEqual(seat.dice, java.dice(3))
            self.again()

    def test_a_way_by_fuel_rolls_nothing(self) -> None:
        config, java = world(hand=("fuel",) * 5), JavaRandom(5)
        seat, = self.play_late(config, seed=5)
        java.begin(config)
        java.dice(9)  # Of three rounds.
        seat.do("UseCard", cardId=seat.hand[0], characterId=seat.people[0], target=SCHOOL)
        seat.do("EndTurn")
        self.assertEqual(seat.dice, java.dice(3))

    def test_a_search_meets_somebody_as_the_dice_say(self) -> None:
        """One in five, since the deck had five cards at first; and up to three children."""
        for seed in range(1, 9):
            config, java = world(people=10), JavaRandom(seed)
            seat, = self.play_late(config, seed=seed)
            java.begin(config)
            java.dice(9)
            one = seat.people[0]
            seat.do("Move", characterId=one, locationId=SCHOOL)
            java.next_int(12)
            for _ in range(3):
                events = seat.do("Search", characterId=one)
                is_met = java.next_int(5) == 0
                self.assertEqual("CharacterSpawned" in names(events), is_met)
                self.assertEqual(names(events).count("ChildSpawned"), java.next_int(4) if is_met else 0)
            self.again()

    def test_the_smallest_die_is_spent(self) -> None:
        for seed in range(1, 60):
            seat, = self.play_late(world(attack=6, ability=SAFE), seed=seed)
            if seat.dice.count(6) == 1:
                break
            self.again()
        seat.do("Barricade", characterId=seat.people[0], entrance=3)
        seat.do("Attack", characterId=seat.people[0], entrance=0)  # The six is still there.

    def test_each_survivor_brings_a_die_and_there_is_one_more(self) -> None:
        seat, = self.play_late(world(fate=MEETS), edition="crossroads")
        events = seat.do("Move", characterId=seat.people[0], locationId=SCHOOL)
        self.assertEqual(names(events).count("CharacterSpawned"), 2)
        self.assertEqual(len(only(seat.do("EndTurn"), "DieRolled")), 5)
