"""nim_table.py: for tests with real processes: a person at a table of nim against a bot, through the Python client."""
import pathlib
import random
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "common/client/python"))

import arbiter  # noqa: E402
from arbiter import messages  # noqa: E402
from arbiter.client import commands  # noqa: E402

nim = messages.game("nim")
PATIENCE_S = 30.0


class NimTable:
    """What a test case of these is besides: `sit_down` first. What the house says is `self.said()`, the test's own."""

    def sit_down(self, doors, key):
        self.ada = arbiter.Client(*doors.read_text().split(), key_file=key)
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
        self.fail(f"no {kind}:\n{self.said()}")

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
            self.assertLess(time.monotonic(), end, self.said())
            answer = self.ask(fill_with_bots=lobby.FillWithBots(table=table, policy="random"))
        self.assertEqual(answer.verdict, lobby.VERDICT_DONE, answer.sentence)
        self.match_id = self.next("attached").match_id

    def move(self):
        """One counter from a heap drawn at random."""
        while True:
            told = len(self.acts)
            self.ada.legal(self.match_id, 0)
            listed = list(commands(self.next("legal").message))
            if listed:
                break
            if len(self.acts) == told:  # An act may overtake a list that was made before it.
                self.next("act")
        heap = random.choice([heap for _, (heaps, _) in listed for heap in heaps])
        number = self.ada.play(self.match_id, 0, nim.Command(take=nim.Take(heap=heap, count=1)))
        while self.next("reply").request != number:
            pass
