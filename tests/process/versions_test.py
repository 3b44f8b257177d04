"""versions_test.py: a client of another version of the protocol is refused at every door, in words, and does no harm."""
import os
import pathlib
import sys
import tempfile
import unittest

import zmq
from zmq import auth

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "common/client/python"))

from arbiter import messages, wire  # noqa: E402

from house import DOORS, House  # noqa: E402

PATIENCE_MS = 10000
OTHERS = (0, wire.NEWEST + 1, 255)
KINDS = ("HELLO", "PING", "ATTACH", "COMMAND", "LOBBY_ASK", "HISTORY_ASK")
ASKED = [(service, door) for service, doors in DOORS.items() for door in doors if door != "stream"]


def number_of(kind):
    return messages.envelope.Kind.Value(f"KIND_{kind}")


def head(kind, version):
    return wire.LAYOUT.pack(0, wire.NO_MATCH, version, number_of(kind), 0, 0, wire.NO_SEAT, 0, 7)


class Versions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory(prefix="arbiter-versions-"))
        cls.house = cls.enterClassContext(House(os.environ["ARBITER_BUILD"], cls.folder, {"ada": "client"}))
        cls.house.wait_until_started()
        cls.context = zmq.Context()
        cls.addClassCleanup(cls.context.destroy, linger=0)

    def line(self, service, door):
        """A connection as Ada's, once the door has heard of her."""
        for _ in range(100):
            socket = self.context.socket(zmq.DEALER)
            socket.linger = 0
            socket.curve_publickey, socket.curve_secretkey = auth.load_certificate(self.house.key("ada"))
            socket.curve_serverkey = self.house.publics[service].encode()
            socket.connect(self.house.address(service, door))
            socket.send(head("PING", wire.FIRST))
            if socket.poll(500) and self.kind(socket.recv()) == number_of("PONG"):
                return socket
            socket.close()
        self.fail(f"{service} lets nobody in:\n{self.house.said(6)}")

    @staticmethod
    def kind(frame):
        return wire.LAYOUT.unpack(frame[:wire.LAYOUT.size])[3]

    def refusal(self, socket, frame):
        socket.send(frame)
        self.assertTrue(socket.poll(PATIENCE_MS), "no answer at all")
        said = socket.recv()
        self.assertEqual(self.kind(said), number_of("REFUSED"))
        self.assertEqual(wire.LAYOUT.unpack(said[:wire.LAYOUT.size])[2],
                         min(max(wire.LAYOUT.unpack_from(frame)[2], wire.FIRST), wire.NEWEST))
        self.assertEqual(wire.LAYOUT.unpack(said[:wire.LAYOUT.size])[-1], 7)  # The request it answers.
        return messages.envelope.Refused.FromString(said[wire.LAYOUT.size:])

    def test_every_door_says_which_version_it_speaks(self):
        self.assertEqual(len(ASKED), 5)
        for service, door in ASKED:
            with self.subTest(service=service, door=door), self.line(service, door) as socket:
                for version in OTHERS:
                    for kind in KINDS:
                        refused = self.refusal(socket, head(kind, version) + b"\x08\x01whatever it means")
                        self.assertEqual(refused.refusal, messages.envelope.REFUSAL_VERSION)
                        self.assertIn("versions 1 and 2 of the protocol are spoken here", refused.sentence)
                for version in range(wire.FIRST, wire.NEWEST + 1):  # The door stands as it stood.
                    socket.send(head("PING", version))
                    self.assertTrue(socket.poll(PATIENCE_MS))
                    self.assertEqual(wire.LAYOUT.unpack_from(socket.recv())[2:4], (version, number_of("PONG")))
        self.assertEqual(self.house.bad_ends(), {})

    def test_a_hello_of_an_older_protocol_is_refused(self):
        hello = messages.directory.Hello(role=messages.directory.ROLE_CLIENT, name="ada", software="old", protocol=0)
        with self.line("lobby", "requests") as socket:
            refused = self.refusal(socket, head("HELLO", wire.FIRST) + hello.SerializeToString())
        self.assertEqual(refused.refusal, messages.envelope.REFUSAL_VERSION)
        self.assertIn("Versions 1 and 2", refused.sentence)


if __name__ == "__main__":
    unittest.main()
