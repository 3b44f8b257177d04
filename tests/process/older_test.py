"""older_test.py: programs of version 1 of the protocol, which read strictly, play whole matches at this house."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

from google.protobuf.descriptor import FieldDescriptor

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "common/client/python"))

import arbiter  # noqa: E402
from arbiter import matchfile, messages, wire  # noqa: E402

from house import House  # noqa: E402

PATIENCE_S = 120
GAMES = {"nim": 2, "dead": 2, "four": 2, "treasure": 2, "quests": 4, "objectron": 2}  # How many play.
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
                assert {f"{field.enum_type.values_by_number[one].name}={one}" for one in many} <= names, field.full_name
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
        self.plays = True

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
        self.facts, self.match_id = event.message.match, event.match_id
        self.game = messages.game(self.facts.game)
        if event.message.view and self.version == 1:
            self.strict.judge(self.game.View.FromString(event.message.view))
        self.look(event)

    def on_act(self, event):
        for happened in event.happenings:
            if self.version == 1:
                self.strict.judge(happened.message)
        self.look(event)

    def look(self, event):
        if event.seat != wire.NO_SEAT and self.plays:
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
        keys = {name: "client" for name in ("ada", "bob", "cid", "dan", "eve", "fay", "gil")}
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
            self.assertLess(time.monotonic(), end, f"{what}: {[(one.name, one.events[-9:]) for one in players]}")
            for one in players:
                one.turn()

    def begin(self, players, game, **wishes):
        host, *guests = players
        table = host.ask(create_table=lobby.CreateTable(game=game, seats=len(players), **wishes))
        self.assertEqual(table.verdict, lobby.VERDICT_DONE, table.sentence)
        for guest in guests:
            joined = guest.ask(join_table=lobby.JoinTable(table=table.table.table))
            self.assertEqual(joined.verdict, lobby.VERDICT_DONE, joined.sentence)
        return table.table.table

    def attached(self, players, game, **wishes):
        """Their match has begun, and each has seen it."""
        for one in players:
            one.is_over = one.facts = one.lost = None
        table = self.begin(players, game, **wishes)
        self.until(players, lambda: all(one.facts for one in players), f"{game} does not begin")
        self.assertEqual(len({one.facts.protocol for one in players}), 1)
        return table

    def play(self, players, game, disowned=()):
        """A whole match; its version. The header says of the `disowned` that another made their bytes, so their clients give none."""
        table = self.attached(players, game)
        self.until(players, lambda: all(one.is_over for one in players), f"{game} does not end")
        for one in players:
            one.ask(leave_table=lobby.LeaveTable(table=table))
            self.assertIsNone(one.lost)
            self.assertEqual(one.is_over.proof, {"seals", "dice"} | (set() if one in disowned else {"own_bytes"}), game)
        return players[0].facts.protocol or 1

    def judged(self, player):
        """What `arbiter verify` and the verifier in Python say of the match that was played last."""
        match_id = player.is_over.match_id.hex()
        path = self.house.folder / f"{match_id}.match"
        subprocess.run([self.house.build / "arbiter", "match", "export", match_id, path, "--home",
                        self.house.folder], check=True, capture_output=True)
        said = subprocess.run([self.house.build / "arbiter", "verify", path], capture_output=True, text=True)
        self.assertEqual(said.returncode, 0, said.stdout)
        file, told, chain = matchfile.judge(path.read_bytes())
        self.assertIn(chain.hex(), said.stdout)
        whose = [matchfile.bytes_of(file, told, seat) for seat in range(file.header.seats)]
        for seat, words in enumerate(whose):
            self.assertIn(f"  seat {seat}: {words}\n", said.stdout)
        return file.header.protocol, whose

    def test_version_1_plays_every_game_to_its_end(self):
        players = [self.player(name, 1) for name in ("ada", "bob", "cid", "dan")]
        for game, count in GAMES.items():
            with self.subTest(game=game):
                self.assertEqual(self.play(players[:count], game), 1)
                self.assertEqual(self.judged(players[0]), (1, ["the house's bytes"] * count))
        for one in players:
            self.assertEqual(set(one.versions), {1})

    def test_whoever_speaks_2_plays_with_version_1_in_its_words(self):
        players = [self.player("ada", 2), self.player("bob", 1)]
        for game in ("nim", "dead"):
            self.assertEqual(self.play(players, game), 1)
        self.assertEqual(set(players[1].versions), {1})
        self.assertEqual(set(players[0].versions), {1, 2})  # It is answered in 2 all the same.

    def test_a_match_of_2_says_whose_bytes_its_dice_are_made_of(self):
        players = [self.player("ada", 2), self.player("bob", 2)]
        for game in ("nim", "dead"):
            self.assertEqual(self.play(players, game), 2)
            self.assertEqual([(one.seat, one.origin) for one in players[0].facts.contributors],
                             [(0, messages.envelope.ORIGIN_OWN), (1, messages.envelope.ORIGIN_OWN)])
            self.assertEqual(self.judged(players[0]), (2, ["its own bytes"] * 2))

    def test_who_says_that_another_made_its_bytes_is_shown_so(self):
        players = [self.player("ada", 2), self.player("bob", 2)]
        number = players[0].client.ask(list_tables=lobby.ListTables(), bytes=messages.envelope.ORIGIN_HOUSE)
        self.until(players, lambda: number in players[0].answers, "no answer")
        self.assertEqual(self.play(players, "nim", disowned=players[:1]), 2)
        self.assertEqual(self.judged(players[0]), (2, ["the house's bytes, never announced", "its own bytes"]))
        players[0].ask(list_tables=lobby.ListTables(), bytes=messages.envelope.ORIGIN_UNSPECIFIED)
        self.assertEqual(self.play(players, "nim"), 2)
        self.assertEqual(self.judged(players[0]), (2, ["its own bytes"] * 2))

    def test_version_1_neither_watches_a_match_of_2_nor_takes_a_seat_there(self):
        players, older = [self.player("eve", 2), self.player("fay", 2)], self.player("gil", 1)
        players[0].plays = False  # Or it would be over too soon.
        table = self.attached(players, "nim")
        self.assertEqual(players[0].facts.protocol, 2)
        older.client.attach(players[0].match_id)
        self.until([older, *players], lambda: older.lost, "the spectator is not refused")
        self.assertEqual(older.lost.refusal, "VERSION")
        self.assertIn("version 2", older.lost.message.sentence)
        players[1].ask(leave_table=lobby.LeaveTable(table=table))
        players[0].ask(vote=lobby.Vote(table=table, seat=1, choice=lobby.Vote.CHOICE_FRIEND, friend_name="Gil"))
        joined = older.ask(join_table=lobby.JoinTable(table=table))
        self.assertEqual(joined.verdict, lobby.VERDICT_BEGUN)
        self.assertIn("version 2", joined.sentence)
        self.assertIsNone(older.facts)
        self.assertNotIn("act", older.events)  # Those that it heard by their topic need version 2.


if __name__ == "__main__":
    unittest.main()
