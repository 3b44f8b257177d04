"""Rules: injuries, hunger, crisis, waste, and what equipment does."""

from table import Table, names, only
from world import COLONY, SAFE, SCHOOL, world


class Rules(Table):
    def test_frost_wounds_each_round_and_the_third_injury_kills(self) -> None:
        for seed in range(1, 60):
            seat, = self.play_late(world(), seed=seed)
            one = seat.people[0]
            if "Frostbitten" in names(seat.do("Move", characterId=one, locationId=SCHOOL)):
                break
            self.again()
        self.assertIn({"characterId": one}, only(seat.do("EndTurn"), "Wounded"))
        events = seat.do("EndTurn")
        self.assertIn({"characterId": one}, only(events, "Wounded"))
        self.assertIn({"characterId": one}, only(events, "SurvivorKilled"))

    def test_hunger_of_earlier_rounds_costs_morale_also_when_there_is_food(self) -> None:
        seat, = self.play_late(world())
        seat.do("UseCard", cardId=seat.hand[0])
        events = seat.do("EndTurn")
        self.assertIn({"amount": -1, "reason": "FOOD_CONSUMED"}, only(events, "FoodChanged"))
        self.assertIn({"amount": -2, "reason": "STARVATION_TOKEN"}, only(events, "MoralChanged"))

    def test_one_card_more_than_needed_changes_nothing(self) -> None:
        seat, = self.play_late(world())
        for card in seat.hand[:2]:
            seat.do("ContributeCard", cardId=card)
        self.assertNotIn("CRISIS", [args["reason"] for args in only(seat.do("EndTurn"), "MoralChanged")])

    def test_two_cards_more_than_needed_raise_morale(self) -> None:
        seat, = self.play(world())
        for card in seat.hand[:3]:
            seat.do("ContributeCard", cardId=card)
        self.assertIn({"amount": 1, "reason": "CRISIS"}, only(seat.do("EndTurn"), "MoralChanged"))

    def test_little_waste_costs_nothing(self) -> None:
        seat, = self.play_late(world())
        seat.do("UseCard", cardId=seat.hand[0])
        self.assertNotIn("WASTE", [args["reason"] for args in only(seat.do("EndTurn"), "MoralChanged")])

    def test_who_begins_anew_has_no_cards(self) -> None:
        """Three zombies wait at the only entrance: each one more kills somebody."""
        seat, = self.play(world(entrances=1, zombies=3, ability=SAFE))
        for card in seat.hand[:4]:
            seat.do("UseCard", cardId=card)
        for _ in range(2):
            seat.do("CleanWaste", characterId=seat.people[0])
        killed = only(seat.do("EndTurn"), "SurvivorKilled")
        self.assertEqual(killed, [{"characterId": min(seat.people)}])
        seat.do("Attack", characterId=max(seat.people), entrance=0)
        seat.do("EndTurn")
        self.assertIn("CharacterSpawned", names(seat.do("EndTurn")))
        seat.fail("UseCard", cardId=seat.hand[4])

    def test_a_hammer_builds_once_in_a_turn(self) -> None:
        seat, = self.play(world(hand=("hammer",) * 5))
        one = seat.people[0]
        seat.do("UseCard", cardId=seat.hand[0], characterId=one, target=one)
        for entrance in range(4):  # The hammer, and three dice.
            self.assertIn({"characterId": one, "locationId": COLONY, "entrance": entrance},
                          only(seat.do("Barricade", characterId=one, entrance=entrance), "Barricaded"))
        seat.fail("Barricade", characterId=one, entrance=5)
