"""play_nim.py: plays both seats of the match that client_test.c serves, in Python; says what went wrong."""
import os
import sys

sys.path.insert(0, os.path.join(os.environ["ARBITER_SOURCE"], "common/client/python"))

import arbiter  # noqa: E402
from arbiter import messages  # noqa: E402
from arbiter.client import commands  # noqa: E402

nim = messages.game("nim")
MATCH = bytes([1, 2, 3]) + bytes(13)


def play(client, told):
    """Takes heap after heap; returns all that was told."""
    client.bind_name("Ada")
    client.attach(MATCH, 0)
    client.attach(MATCH, 1)
    turn = 0
    for event in client.events(timeout_ms=15000):
        told.append(event)
        if event.kind == "attached" and sum(one.kind == "attached" for one in told) == 2:
            client.legal(MATCH, 0)
        elif event.kind == "legal":
            kind, (heaps, counts) = list(commands(event.message))[0]
            assert kind == 1 and turn in heaps
            client.play(MATCH, event.seat, nim.Command(take=nim.Take(heap=turn, count=counts[-1])))
        elif event.kind == "reply":
            assert event.outcome == "accepted", event
            turn += 1
            if turn == 3:
                return
            client.legal(MATCH, turn % 2)


def main():
    told = []
    with arbiter.Client(*sys.argv[1:4], key_file=sys.argv[4]) as client:
        play(client, told)
    answers = [event for event in told if event.kind == "answer"]
    assert len(answers) == 1 and answers[0].message.verdict == messages.lobby.VERDICT_DONE, told
    acts = [event for event in told if event.kind == "act" and event.seat == 0]
    assert [event.number for event in acts] == [2, 3, 4][:len(acts)], acts
    assert not [event for event in told if event.kind in ("fault", "lost", "refused")], told
    taken = [event.happenings[0].message.taken for event in acts]
    assert [(move.seat, move.heap) for move in taken] == [(0, 0), (1, 1), (0, 2)][:len(taken)], taken
    views = [event.view for event in told if event.kind == "attached"]
    assert len(views) == 2 and list(views[0].heaps) == [3, 4, 5], views


if __name__ == "__main__":
    main()
