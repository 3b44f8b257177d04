"""older_test.py: programs of version 1 of the protocol, which read strictly, play whole matches at this house."""
import os
import pathlib
import sys
import tempfile
import time
import unittest

from google.protobuf.descriptor import FieldDescriptor

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "common/client/python"))

import arbiter  # noqa: E402
from arbiter import messages, wire  # noqa: E402

from house import House  # noqa: E402

PATIENCE_S = 120
GAMES = ("nim", "dead", "four", "treasure", "quests", "objectron")
lobby = messages.lobby


class Strict:
    """What a program of version 1 takes for a fault: a field, or a value of an enum, that version 1 has not."""

    def __init__(self):
        self.known = {}
        for line in (HERE / "version_1.txt").read_text(encoding="utf8").splitlines():
            name, *fields = line.split()
            self.known[name] = set(fields)

    def judge(self, message):
        bare = type(message)()
        bare.CopyFrom(message)
        bare.DiscardUnknownFields()
        assert bare.ByteSize() == message.ByteSize(), f"{message.DESCRIPTOR.full_name} has what nobody knows"
        known = self.known[message.DESCRIPTOR.full_name]
        for field, value in message.ListFields():
            assert f"{field.name}={field.number}" in known, f"{field.full_name} is not of version 1"
            many = value if field.label == FieldDescriptor.LABEL_REPEATED else [value]
            if field.enum_type is not None:
                names = self.known[field.enum_type.full_name]
                assert all(f"{field.enum_type.values_by_number[one].name}={one}" in names for one in many), field.full_name
            if field.message_type is not None:
                for one in many:
                    self.judge(one)


class Player:
    """Holds a seat and does what a greedy player would; of version 1 reads strictly."""

    def __init__(self, house, name, version):
        doors = (house.folder / "run" / "doors").read_text().split()
        self.name, self.version, self.strict = name, version, Strict()
        self.client = arbiter.Client(*doors, key_file=house.key(name), name=name, protocol=version)
        self.hear, self.client.core.hear = self.client.core.hear, self.overhear
        self.versions, self.answers, self.events = {}, {}, []
        self.facts = self.lost = self.is_over = None

    def overhear(self, connection, frame, now_ms):
        version = wire.LAYOUT.unpack_from(frame)[2]
        self.versions[version] = self.versions.get(version, 0) + 1
        unpacked = wire.unpack(frame, self.version)
        if self.version == 1 and unpacked is not None:
            self.strict.judge(unpacked[1])
            if unpacked[0].kind == "ACT":
                self.strict.judge(messages.stream.ActBody.FromString(unpacked[1].body))
        self.hear(connection, frame, now_ms)

    def turn(self):
        """Hears what there is; answers what it is asked."""
        event = self.client.next(timeout_ms=5)
        while event is not None:
            self.events.append(event.kind)
            getattr(self, f"on_{event.kind}", lambda _: None)(event)
            event = self.client.next(timeout_ms=0)

    def ask(self, **kind):
        number, end = self.client.ask(**kind), time.monotonic() + PATIENCE_S
        while number not in self.answers and time.monotonic() < end:
            self.turn()
        return self.answers.pop(number)

    def on_answer(self, event):
        self.answers[event.request] = event.message

    def on_attached(self, event):
        self.facts, self.game = event.message.match, messages.game(event.message.match.game)
        if event.message.view and self.version == 1:
            self.strict.judge(self.game.View.FromString(event.message.view))
        self.look(event)

    def on_act(self, event):
        for happened in event.happenings:
            if self.version == 1:
                self.strict.judge(happened.message)
        self.look(event)

    def look(self, event):
        if event.seat != wire.NO_SEAT:
            self.client.legal(event.match_id, event.seat, luck=event.number + 1, best=True)

    on_reply = look

    def on_legal(self, event):
        said = event.message
        if said.patterns and said.HasField("wait"):
            self.client.play(event.match_id, event.seat, said.best or said.proposal)

    def on_lost(self, event):
        self.lost = event

    def on_over(self, event):
        self.is_over = event


class Older(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory(prefix="arbiter-older-"))
        keys = {name: "client" for name in ("ada", "bob", "cid", "dan")}
        cls.house = cls.enterClassContext(House(os.environ["ARBITER_BUILD"], cls.folder, keys))
        cls.house.wait_until_started()

    def player(self, name, version):
        found = Player(self.house, name, version)
        self.addCleanup(found.client.close)
        found.ask(bind_name=lobby.BindName(name=name.title()))
        return found

    def until(self, players, is_so, what):
        end = time.monotonic() + PATIENCE_S
        while not is_so():
            self.assertLess(time.monotonic(), end, f"{what}: {[(one.name, one.events[-9:], one.lost) for one in players]}")
            for one in players:
                one.turn()

    def begin(self, host, guest, game, **wishes):
        table = host.ask(create_table=lobby.CreateTable(game=game, seats=2, **wishes))
        self.assertEqual(table.verdict, lobby.VERDICT_DONE, table.sentence)
        joined = guest.ask(join_table=lobby.JoinTable(table=table.table.table))
        self.assertEqual(joined.verdict, lobby.VERDICT_DONE, joined.sentence)
        return table.table.table

    def play(self, players, game):
        for one in players:
            one.is_over = one.facts = None
        table = self.begin(*players, game)
        self.until(players, lambda: all(one.is_over for one in players), f"{game} does not end")
        players[0].ask(leave_table=lobby.LeaveTable(table=table))
        players[1].ask(leave_table=lobby.LeaveTable(table=table))
        for one in players:
            self.assertIsNone(one.lost)
            self.assertEqual(one.is_over.proof, {"seals", "dice", "own_bytes"}, game)
        return {one.facts.protocol or 1 for one in players}

    def test_two_of_version_1_play_every_game_to_its_end(self):
        players = [self.player("ada", 1), self.player("bob", 1)]
        for game in GAMES:
            with self.subTest(game=game):
                began = time.monotonic()
                self.assertEqual(self.play(players, game), {1})
                print(game, time.monotonic() - began)
        for one in players:
            self.assertEqual(set(one.versions), {1})


if __name__ == "__main__":
    unittest.main()
