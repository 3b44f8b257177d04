"""hotseat.py: one player with both seats of a match of nim, for tests that need finished matches and running ones."""
import os
import sys

sys.path.insert(0, os.path.join(os.environ["ARBITER_SOURCE"], "common/client/python"))

import arbiter  # noqa: E402
from arbiter import messages  # noqa: E402

nim = messages.game("nim")
PATIENCE_MS = 60000


class Hotseat:
    """A client of the house, who plays with himself. Use it in a `with`."""

    def __init__(self, house, key="player", name="Ada"):
        doors = house.address("lobby", "requests"), house.address("lobby", "stream"), house.publics["lobby"]
        self.client = arbiter.Client(*doors, key_file=str(house.key(key)))
        self.attached = []
        self.answer(self.client.bind_name(name))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.close()

    def wait(self, is_it):
        for event in self.client.events(timeout_ms=PATIENCE_MS):
            if event.kind in ("fault", "lost"):
                raise AssertionError(event)
            if event.kind == "attached":
                self.attached.append(event)
            if is_it(event):
                return event
        raise AssertionError("the house does not answer")

    def answer(self, request):
        message = self.wait(lambda event: event.kind == "answer" and event.request == request).message
        if message.verdict != messages.lobby.VERDICT_DONE:
            raise AssertionError(message)
        return message

    def begin(self, heaps, **wishes):
        """Sits down at both seats, and it begins. Returns (match id, code)."""
        setup = '{"heaps": %s}' % heaps
        table = self.answer(self.client.create_table("nim", setup=setup, seats=2, hotseat=True, seed=7,
                                                     **wishes)).table
        self.answer(self.client.join_table(table=table.table, code=table.code or None, seat=1))
        while len(self.attached) < 2:
            self.wait(lambda event: event.kind == "attached")
        match_id, self.table = self.attached[0].match_id, table.table
        self.attached = []
        return match_id, table.code

    def take(self, match_id, seat, heap, count):
        request = self.client.play(match_id, seat, nim.Command(take=nim.Take(heap=heap, count=count)))
        reply = self.wait(lambda event: event.kind == "reply" and event.request == request)
        assert reply.outcome == "accepted", reply

    def play(self, heaps, **wishes):
        """A whole match, whose counters are taken one at a time. Returns (match id, code)."""
        match_id, code = self.begin(heaps, **wishes)
        turn = 0
        for heap, size in enumerate(heaps):
            for _ in range(size):
                self.take(match_id, turn % 2, heap, 1)
                turn += 1
        self.wait(lambda event: event.kind == "table" and event.message.HasField("match_ended"))
        self.answer(self.client.leave_table(self.table))
        return match_id, code
