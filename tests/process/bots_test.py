"""bots_test.py: a bot service is killed in the middle of a game, and again together
with the lobby; the game goes on each time, in the seat it had. Of two one stays away: the
other one plays on for it."""
import os
import signal
import tempfile
import unittest

from house import House
from nim_table import NimTable


class Bots(NimTable, unittest.TestCase):
    more, lobby = None, []

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="arbiter-bots-")
        self.addCleanup(self.folder.cleanup)
        self.house = House(os.environ["ARBITER_BUILD"], self.folder.name, {"ada": "client"},
                           settings={"bot": ["--think-ms", "50"], "lobby": self.lobby}, others=("bot",), more=self.more)
        self.house.__enter__()
        self.addCleanup(self.house.close)
        self.house.wait_until_started()
        self.sit_down(self.house.folder / "run" / "doors", self.house.key("ada"))

    def said(self):
        return self.house.said(6)

    def bots_acts(self):
        return sum(act.actor == 1 for act in self.acts)

    def await_bot(self, count):
        while self.bots_acts() <= count:
            self.next("act")

    def kill(self, *names):
        for name in names:
            self.assertTrue(self.house.send(name, signal.SIGKILL))

    def test_the_game_goes_on(self):
        self.move()
        self.await_bot(0)
        for killed in (("bot",), ("bot", "lobby"), ("lobby", "bot")):
            before = self.bots_acts()
            self.kill(*killed)
            self.move()
            self.await_bot(before)
        self.assertGreaterEqual(self.bots_acts(), 4)
        self.assertEqual([act.number for act in self.acts], list(range(2, 2 + len(self.acts))))
        self.assertEqual(self.house.bad_ends(), {})


class TwoServices(Bots):
    more, lobby = {"second": "bot"}, ["--service-silent-ms", "2000", "--bot-gone-ms", "3000"]

    def test_the_game_goes_on(self):
        """Whichever of both plays: each is stopped while the other is there."""
        self.move()
        self.await_bot(0)
        for stopped in ("bot", "second"):
            before = self.bots_acts()
            self.house.send(stopped, signal.SIGSTOP)
            self.move()
            self.await_bot(before)
            self.house.send(stopped, signal.SIGCONT)
        self.assertTrue(any(act.actor not in (0, 1) for act in self.acts), "the seat never changed hands")
        self.assertEqual([act.number for act in self.acts], list(range(2, 2 + len(self.acts))))
        self.assertEqual(self.house.bad_ends(), {})


if __name__ == "__main__":
    unittest.main()
