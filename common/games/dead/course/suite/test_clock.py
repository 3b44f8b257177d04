"""The clock: what silence does, and when."""

from table import Table, names
from test_audience import CHOICE
from world import SCHOOL, world


class Clock(Table):
    def test_silence_in_the_own_turn_is_leaving_when_the_time_is_over(self) -> None:
        seat, = self.play_late(world(), timeout=6)
        seat.quiet(4)
        seat.fail("Search", characterId=seat.people[0])  # Starts the time anew, like all that is said.
        seat.quiet(4)
        self.assertEqual(names(seat.until("Left", "NextRound")), ["Left"])

    def test_silence_in_the_choice_is_a_failure(self) -> None:
        seat, = self.start(world(), timeout=1)
        seat.until("Characters")
        self.assertEqual(names(seat.until("CommandFailed", "CharacterSpawned")), ["CommandFailed"])
        seat.quiet()

    def test_silence_in_a_vote_is_asked_again(self) -> None:
        seat, = self.play_late(world(fate=CHOICE), timeout=1, edition="crossroads")
        seat.do("Move", characterId=seat.people[0], locationId=SCHOOL)
        self.assertEqual(names(seat.until("VoteNow", "VoteResult")), ["CommandFailed", "VoteNow"])
