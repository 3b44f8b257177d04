"""Audience: who hears what."""

from table import Seat, Table, names
from world import SCHOOL, world

CHOICE = {"moved": {"consequence": {"choice": {"consequence1": {"changeFood": {"amount": 1}},
                                               "consequence2": {"changeFood": {"amount": 2}}}}}}


class Audience(Table):
    def test_an_offer_is_for_one_player(self) -> None:
        first, second = self.start(world(players=2))
        first.choose()
        self.assertNotIn("Characters", names(second.until("CharacterSpawned")))

    def test_who_leaves_hears_this_last(self) -> None:
        first, second = self.play_late(world(players=2))
        first.say("Leave")
        self.assertEqual(names(first.until("Left")), ["Left"])
        second.until("ActNow")
        second.do("EndTurn")
        first.quiet()

    def test_a_failure_is_for_who_caused_it(self) -> None:
        first, second = self.play_late(world(players=2))
        first.fail("Search", characterId=first.people[0])
        second.say("EndTurn")  # It is not the second one's turn: this failure is the only one it hears.
        second.until("CommandFailed")
        first.say("EndTurn")
        self.assertNotIn("CommandFailed", names(second.until("ActNow")))

    def test_strangers_are_not_answered(self) -> None:
        seat, = self.play(world())
        stranger = Seat(self, 7)
        for command in ("Register", "StartGame", "EndTurn"):
            stranger.say(command)
        stranger.quiet()
        seat.do("EndTurn")
        stranger.quiet()

    def test_each_vote_is_asked_of_one_player(self) -> None:
        first, second = self.play_late(world(players=2, fate=CHOICE), edition="crossroads")
        first.say("Move", characterId=first.people[0], locationId=SCHOOL)
        self.assertEqual(first.until("VoteNow")[-1][0], "VoteNow")
        second.until("Crossroad")
        second.quiet()
        first.say("Vote", answer=True)
        second.until("VoteNow")
        second.say("Vote", answer=False)
        self.assertNotIn("VoteNow", names(first.until("VoteResult")))
