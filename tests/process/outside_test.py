"""outside_test.py: behind ports that are somebody else's, clients find every door by --advertise, and none without."""
import os
import pathlib
import selectors
import socket
import sys
import tempfile
import threading
import time
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "common/client/python"))

import arbiter  # noqa: E402
from arbiter import messages  # noqa: E402

from house import DOORS, House  # noqa: E402

PATIENCE_S = 30.0
nim = messages.game("nim")
HOST = "127.0.0.1"


class Forwarder:
    """As a container's published port: what comes to ours goes to a door, and back. Counts who came."""

    def __init__(self, door):
        self.door, self.came = door, 0
        self.listener = socket.create_server((HOST, 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        try:
            while True:
                caller = self.listener.accept()[0]
                self.came += 1
                threading.Thread(target=self.carry, args=(caller,), daemon=True).start()
        except OSError:
            return  # It was closed.

    def carry(self, caller):
        with caller, socket.socket(socket.AF_UNIX) as inside, selectors.DefaultSelector() as ready:
            try:
                inside.connect(self.door)
                ready.register(caller, selectors.EVENT_READ, inside)
                ready.register(inside, selectors.EVENT_READ, caller)
                while True:
                    for key, _ in ready.select():
                        got = key.fileobj.recv(1 << 16)
                        if not got:
                            return
                        key.data.sendall(got)
            except OSError:
                return

    def close(self):
        self.listener.close()


class Outside(unittest.TestCase):
    """Doors are sockets in a folder, which nobody outside can open: who plays came by the forwarders."""

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="arbiter-outside-"))
        self.ways = {(name, door): Forwarder(f"{self.folder}/run/{name}.{door}")
                     for name, doors in DOORS.items() for door in doors}
        for way in self.ways.values():
            self.addCleanup(way.close)

    def open(self, advertising):
        settings = {name: ["--advertise", f"{HOST}:" + ",".join(str(self.ways[name, door].port) for door in doors)]
                    if name in advertising else ["--advertise", ":7000"]   # Without a host: nowhere.
                    for name, doors in DOORS.items()}
        self.house = self.enterContext(House(os.environ["ARBITER_BUILD"], self.folder, {"ada": "client", "bob": "client"}, settings))
        self.house.wait_until_started()
        requests, stream = (f"tcp://{HOST}:{self.ways['lobby', door].port}" for door in ("requests", "stream"))
        self.ada = arbiter.Client(requests, stream, self.house.publics["lobby"], self.house.key("ada"))
        self.addCleanup(self.ada.close)
        self.match = b""

    def note(self, event):
        """Seats are attached when that suits them."""
        if event is not None:
            self.assertNotIn(event.kind, ("fault", "lost"))
            self.match = event.match_id if event.kind == "attached" else self.match
        return event

    def next(self, kind):
        for event in self.ada.events(timeout_ms=1000 * PATIENCE_S):
            if self.note(event).kind == kind:
                return event
        self.fail(f"no {kind}:\n{self.house.said()}")

    def ask(self, **kind):
        number = self.ada.ask(**kind)
        while True:
            answer = self.next("answer")
            if answer.request == number:
                self.assertEqual(answer.message.verdict, messages.lobby.VERDICT_DONE, answer.message.sentence)
                return answer.message

    def play(self):
        """Both seats of a game of nim are hers; the first move is made, and told."""
        lobby = messages.lobby
        self.ask(bind_name=lobby.BindName(name="Ada"))
        table = self.ask(create_table=lobby.CreateTable(game="nim", setup_name="classic", seats=2, hotseat=True)).table.table
        self.ask(join_table=lobby.JoinTable(table=table))
        end, number = time.monotonic() + PATIENCE_S, 0
        while number == 0 and time.monotonic() < end:
            self.note(self.ada.next(timeout_ms=100))
            number = self.ada.play(self.match, 0, nim.Command(take=nim.Take(heap=0, count=1)))
        while self.next("act").seat != 0:
            pass

    def test_who_comes_by_another_address_is_led_to_doors_by_their_advertised_ones(self):
        self.open(DOORS)
        self.play()
        for way in (("lobby", "requests"), ("lobby", "stream"), ("engine", "requests"), ("fanout", "stream")):
            self.assertGreater(self.ways[way].came, 0, way)

    def test_without_the_words_nobody_is_led_anywhere(self):
        """Ada runs on the same machine and may open the folder: so the doors' own addresses lead her in, and no forwarder."""
        self.open(())
        self.play()
        self.assertEqual(sum(way.came for (name, _), way in self.ways.items() if name != "lobby"), 0)

    def test_a_service_that_is_not_advertised_is_not_there_for_those_outside(self):
        self.open(("lobby", "engine"))
        bob = arbiter.Client(*(self.house.folder / "run/doors").read_text().split(), self.house.key("bob"))
        self.addCleanup(bob.close)
        self.see(bob, {"lobby", "engine-1", "fanout-1"})
        self.see(self.ada, {"lobby", "engine-1"})
        seen, end = bob.core.peers.directory, time.monotonic() + PATIENCE_S
        while self.ada.core.peers.directory < seen and time.monotonic() < end:
            self.ada.next(timeout_ms=100)
        self.see(self.ada, {"lobby", "engine-1"})

    def see(self, client, names):
        """Sooner or later these are there for him, and no others."""
        end = time.monotonic() + PATIENCE_S
        while {peer.name for peer in client.core.peers.list.values()} != names and time.monotonic() < end:
            client.next(timeout_ms=100)
        self.assertEqual({peer.name for peer in client.core.peers.list.values()}, names)


if __name__ == "__main__":
    unittest.main()
