"""bots_test.py: a bot service is killed in the middle of a game, and again together
with the lobby; the game goes on each time, in the seat it had."""
import os
import pathlib
import random
import signal
import sys
import tempfile
import time
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "common/client/python"))

import arbiter  # noqa: E402
from arbiter import messages  # noqa: E402
from arbiter.client import commands  # noqa: E402

from house import House  # noqa: E402

nim = messages.game("nim")
PATIENCE_S = 30.0


class Bots(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="arbiter-bots-")
        self.addCleanup(self.folder.cleanup)
        self.house = House(os.environ["ARBITER_BUILD"], self.folder.name, {"ada": "client"},
                           settings={"bot": ["--think-ms", "50"]}, others=("bot",))
        self.house.__enter__()
        self.addCleanup(self.house.close)
        self.house.wait_until_started()
        doors = (self.house.folder / "run" / "doors").read_text().split()
        self.ada = arbiter.Client(*doors, key_file=self.house.key("ada"))
        self.addCleanup(self.ada.close)
        self.acts, self.match_id = [], b""
        self.begin()

    def next(self, kind):
        """Everything that is told, up to the next event of this kind."""
        end = time.monotonic() + PATIENCE_S
        for event in self.ada.events(timeout_ms=1000 * PATIENCE_S):
            self.assertNotIn(event.kind, ("fault", "lost"))
            if event.kind == "act":
                self.acts.append(event)
            if event.kind == kind:
                return event
            if time.monotonic() > end:
                break
        self.fail(f"no {kind}:\n{self.house.said(6)}")

    def ask(self, **kind):
        number = self.ada.ask(**kind)
        while True:
            answer = self.next("answer")
            if answer.request == number:
                return answer.message

    def begin(self):
        lobby = messages.lobby
        self.ask(bind_name=lobby.BindName(name="Ada"))
        table = self.ask(create_table=lobby.CreateTable(game="nim", setup_name="largest", seed=3)).table.table
        end = time.monotonic() + PATIENCE_S
        answer = None
        while answer is None or answer.verdict == lobby.VERDICT_NO_BOTS:  # The service has still to say hello.
            self.assertLess(time.monotonic(), end, self.house.said(6))
            answer = self.ask(fill_with_bots=lobby.FillWithBots(table=table, policy="random"))
        self.assertEqual(answer.verdict, lobby.VERDICT_DONE, answer.sentence)
        self.match_id = self.next("attached").match_id

    def move(self):
        """One counter from a heap drawn at random."""
        self.ada.legal(self.match_id, 0)
        while True:
            listed = list(commands(self.next("legal").message))
            if listed:
                break
            self.next("act")
            self.ada.legal(self.match_id, 0)
        heap = random.choice([heap for _, (heaps, _) in listed for heap in heaps])
        number = self.ada.play(self.match_id, 0, nim.Command(take=nim.Take(heap=heap, count=1)))
        while self.next("reply").request != number:
            pass

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


if __name__ == "__main__":
    unittest.main()
