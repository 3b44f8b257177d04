"""python_stage.py: for tests of the Python core: one core, and a world that says to it what the test likes."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["ARBITER_SOURCE"], "common/client/python"))

from arbiter import messages, wire  # noqa: E402
from arbiter.core import Core  # noqa: E402
from arbiter.peers import HISTORY, LOBBY, REQUESTS, STREAM  # noqa: E402

MATCH = bytes([0x3d]) * 16
SECRET = bytes([0x77]) * 32
ENGINE, FANOUT, FANOUT_2 = 1, 2, 3
SEAT = 1
stream, engine, lobby = messages.stream, messages.engine, messages.lobby


def make(number, before, actor=0, house=None, secret=None, generation=1, epoch=1):
    """An act of a true history, with a box for our seat if it has a secret."""
    act = stream.Act(number=number, epoch=epoch, chain_before=before, actor=actor,
                     command_hash=bytes([number % 256]) * 32)
    body = stream.ActBody(events=[stream.PublicEvent(event=bytes([number % 256]))])
    if house is not None:
        body.events.append(stream.PublicEvent(house=house))
    if secret is not None:
        text = stream.BoxText(events=[stream.PrivateEvent(place=0, event=secret)]).SerializeToString()
        text = (len(text).to_bytes(4, "big") + text).ljust(128, b"\0")
        key = wire.seat_key(SECRET, SEAT, generation)
        box = wire.box_seal(text, key, MATCH, act, SEAT, generation)
        body.boxes.extend([bytes(len(box)), box])
    act.body = body.SerializeToString()
    return act


class Stage(unittest.TestCase):
    def setUp(self):
        self.now = 1000000
        self.core = Core(7, "test", "inproc://l", "inproc://l", bytes(32), bytes([0x5e]) * 32)
        self.core.start(self.now)
        services = [self.service("ENGINE", "engine", slots=True), self.service("FANOUT", "fanout-1"),
                    self.service("FANOUT", "fanout-2")]
        directory = messages.directory.Directory(number=1, services=services)
        self.hear(LOBBY, REQUESTS, "WELCOME", messages.directory.Welcome(
            directory=directory, player=bytes([0xaa]) * 16, request=40))
        self.told("connected")
        self.acts = {0: None}
        self.chain = {0: bytes(32)}
        self.house = b"dice"  # The dice's secret.
        self.facts = {}  # More of the match's.
        self.core.out.clear()

    def service(self, role, name, slots=False):
        doors = [messages.directory.Door(kind=kind, address="inproc://x") for kind in (1, 2, 3)]
        runs = [messages.directory.Slots(first=0, last=255, epoch=1)] if slots else []
        return messages.directory.Service(role=f"ROLE_{role}", name=name, key=bytes(32), doors=doors,
                                          slots=runs)

    def grow(self, count, **how):
        for _ in range(count):
            number = max(self.acts) + 1
            self.acts[number] = make(number, self.chain[number - 1], **how)
            self.chain[number] = wire.chain_next(self.chain[number - 1], self.acts[number])

    def hear(self, place, door, kind, message, **header):
        frame = wire.Header(kind, **header).pack() + message.SerializeToString()
        self.core.hear((place, door), frame, self.now)

    def wait(self, ms):
        self.now += ms
        self.core.tick(self.now)

    def told(self, *kinds):
        events = []
        for kind in kinds:
            event = self.core.take(self.now)
            self.assertIsNotNone(event, f"{kind} was not told")
            self.assertEqual(event.kind, kind)
            events.append(event)
        return events[0] if len(events) == 1 else events

    def told_nothing(self):
        self.assertIsNone(self.core.take(self.now))

    def sent(self, kind):
        """Frames of this kind since the last look: [(place, header, message)]."""
        found, rest = [], []
        for effect in self.core.out:
            unpacked = wire.unpack(effect[2]) if effect[0] == "send" else None
            if unpacked is not None and unpacked[0].kind == kind:
                found.append((effect[1][0], *unpacked))
            else:
                rest.append(effect)
        self.core.out[:] = rest
        return found

    def attached(self, number, session=9, request=0, generation=1, **more):
        self.hear(ENGINE, REQUESTS, "ATTACHED", engine.Attached(
            number=number, chain=self.chain[number], session=session, request=request,
            key=wire.seat_key(SECRET, SEAT, generation), generation=generation,
            match=engine.MatchFacts(commitment=wire.sha256(self.house), **self.facts), **more),
            match_id=MATCH, seat=SEAT, session=session, epoch=1)

    def attach(self, number, **more):
        self.core.attach(MATCH, SEAT, "", self.now)
        self.core.pump(self.now)
        self.assertEqual(len(self.sent("ATTACH")), 1)
        self.attached(number, **more)
        self.told("attached")

    def publish(self, number, place=FANOUT, epoch=1):
        self.hear(place, STREAM, "ACT", self.acts[number], match_id=MATCH, number=number, epoch=epoch)

    def history(self, first, last, there, place=FANOUT):
        acts = [self.acts[number] for number in range(first, last + 1)]
        self.hear(place, HISTORY, "HISTORY_ANSWER", stream.HistoryAnswer(acts=acts, last=there),
                  match_id=MATCH, epoch=1)

    def reply(self, header, accepted, number):
        header.kind = "REPLY"
        self.hear(ENGINE, REQUESTS, "REPLY", engine.Reply(
            request=header.request, accepted=accepted, number=number, chain=self.chain[number]),
            match_id=MATCH, seat=SEAT, session=header.session, request=header.request)

    def refuse(self, header, refusal, after_ms=0):
        self.hear(ENGINE, REQUESTS, "REFUSED", messages.envelope.Refused(
            refusal=f"REFUSAL_{refusal}", after_ms=after_ms), match_id=MATCH, seat=SEAT, session=header.session,
            request=header.request)
