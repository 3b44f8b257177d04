"""Order: what comes before what."""

from table import Table, names, only
from world import COLONY, SCHOOL, world


class Order(Table):
    def test_a_played_card_is_told_before_the_waste_and_the_food(self) -> None:
        seat, = self.play_late(world())
        events = seat.do("UseCard", cardId=seat.hand[0])
        self.assertEqual(names(events), ["CardUsed", "WasteChanged", "FoodChanged", "ActNow"])

    def test_chosen_characters_come_by_their_numbers(self) -> None:
        seat, = self.play(world())
        self.assertEqual(seat.people, sorted(seat.people))

    def test_who_leaves_loses_the_strongest_first(self) -> None:
        first, second = self.play(world(players=2))
        first.say("Leave")
        killed = [args["characterId"] for args in only(second.until("ActNow"), "SurvivorKilled")]
        self.assertEqual(killed, sorted(first.people, reverse=True))

    def test_zombies_come_to_the_colony_first(self) -> None:
        seat, = self.play_late(world())
        seat.do("Move", characterId=seat.people[0], locationId=SCHOOL)
        came = [args["locationId"] for args in only(seat.do("EndTurn"), "ZombieSpawned")]
        self.assertEqual(came, [COLONY, SCHOOL])

    def test_children_are_the_weakest(self) -> None:
        seat, = self.play(world(entrances=1, zombies=3, children=1))
        for card in seat.hand:
            seat.do("UseCard", cardId=card)
        for _ in range(2):
            seat.do("CleanWaste", characterId=seat.people[0])
        deaths = [name for name in names(seat.do("EndTurn")) if name in ("ChildKilled", "SurvivorKilled")]
        self.assertEqual(deaths, ["ChildKilled", "SurvivorKilled"])

    def test_the_colony_eats_before_the_crisis_is_judged(self) -> None:
        seat, = self.play_late(world())
        reasons = [args["reason"] for args in only(seat.do("EndTurn"), "MoralChanged")]
        self.assertEqual(reasons, ["STARVATION_TOKEN", "CRISIS"])

    def test_a_question_is_asked_again_after_each_failure(self) -> None:
        seat, = self.play_late(world())
        for _ in range(3):
            seat.fail("Search", characterId=seat.people[0])
