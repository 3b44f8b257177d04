"""classrooms.py: a running `arbiter serve` and the clients of a classroom, for the tests of both.

The clients are a student's: python3-zmq, messages made by protoc, and nothing of the house's own libraries.
"""
import importlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import zmq

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
ARBITER = pathlib.Path(os.environ["ARBITER_BUILD"]) / "arbiter"
PATIENCE = float(os.environ.get("CLASSROOM_PATIENCE", 60))
CONFIG = SOURCE / "configs/dead/intro.json"
FOLDER = tempfile.TemporaryDirectory()


def messages(proto):
    """The classes protoc makes of a file, as the README tells students to make them."""
    subprocess.run(["protoc", f"--proto_path={proto.parent}", f"--python_out={FOLDER.name}", str(proto)], check=True)
    if FOLDER.name not in sys.path:
        sys.path.insert(0, FOLDER.name)
    return importlib.import_module(f"{proto.stem}_pb2")


plain = messages(SOURCE / "proto/plain.proto")
dead = messages(SOURCE / "proto/dead.proto")
nim = messages(SOURCE / "common/games/nim/nim.proto")


NOT_BEGUN = "arbiter: no match began: nobody started it in time.\n"
BROKEN_OFF = "arbiter: no match began: a command broke the registration off.\n"


# What one client hears and others do not.
FOR_ONE = ("config", "characters", "begins", "refused", "command_failed", "act_now", "vote_now")


def failed(message, player=None):
    """The event that tells of a command in vain."""
    return dead.Event.CommandFailed(message=message, player=player)


class Server:
    """A running `arbiter serve`, in a folder where it may leave nothing behind."""

    def __init__(self, *words):
        self.folder = tempfile.TemporaryDirectory()
        self.child = subprocess.Popen([ARBITER, "serve", *map(str, words)], stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, text=True, cwd=SOURCE,
                                      env={**os.environ, "TMPDIR": self.folder.name})
        line = self.child.stdout.readline()
        found = re.search(r" at (tcp://\S+)\.$", line.strip())
        if not found:
            raise AssertionError(line + self.child.communicate(timeout=PATIENCE)[1])
        self.address = found.group(1)

    def end(self):
        """(exit code, complaints) once it has ended, and nothing of it is left."""
        complaints = self.child.communicate(timeout=PATIENCE)[1]
        left = list(pathlib.Path(self.folder.name).iterdir())
        assert left == [], left
        self.folder.cleanup()
        self.child.stdout.close()
        self.child.stderr.close()
        return self.child.returncode, complaints

    def families(self):
        """The processes it started."""
        listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.child.pid)], capture_output=True, text=True)
        return [int(pid) for pid in listed.stdout.split()]


class Client:
    """One DEALER: a connection is a player."""
    context = zmq.Context.instance()

    def __init__(self, server, game):
        self.game, self.heard, self.seat = game, [], None
        self.socket = self.context.socket(zmq.DEALER)
        self.socket.linger = 0
        self.socket.connect(server.address)

    def up(self, **what):
        self.socket.send(plain.Up(**what).SerializeToString())

    def say(self, **command):
        self.up(command=self.game.Command(**command).SerializeToString())

    def next(self, wait=PATIENCE):
        """What comes next: ("event name", event), ("refused", it) or ("begins", it); None: nothing."""
        if not self.socket.poll(int(wait * 1000)):
            return None
        down = plain.Down.FromString(self.socket.recv())
        kind = down.WhichOneof("kind")
        told = (kind, getattr(down, kind))
        if kind == "event":
            event = self.game.Event.FromString(down.event)
            told = (event.WhichOneof("kind"), getattr(event, event.WhichOneof("kind")))
        if kind == "begins":
            self.seat = down.begins.seat
        self.heard.append(told)
        return told

    def until(self, name):
        while True:
            told = self.next()
            assert told is not None, (name, self.heard)
            if told[0] == name:
                return told[1]

    def names(self):
        return [name for name, _ in self.heard]

    def close(self):
        self.socket.close()


class Classroom(unittest.TestCase):
    """A server, its clients, and what they do in more than one test."""

    def setUp(self):
        self.clients = []

    def tearDown(self):
        for client in self.clients:
            client.close()

    def client(self, server, game):
        self.clients.append(Client(server, game))
        return self.clients[-1]

    def serve(self, game, config, *words, timeout=30):
        server = Server(game, "--config", config, "--port", 0, "--seed", -42, "--timeout", timeout, *words)
        self.addCleanup(lambda: server.child.poll() is None and (server.child.kill(), server.child.wait()))
        return server

    def play_nim(self, players):
        """Everybody takes all of the first heap that has any."""
        for player in players:
            self.assertEqual(list(player.until("begins").names), ["Ada", "Bob"])
        self.play_nim_on(players)

    def play_nim_on(self, players):
        heaps = []
        for player in players:
            heaps = list(player.until("started").heaps)
        while any(heaps):
            turns = {player.until("turn").seat for player in players}
            self.assertEqual(len(turns), 1)
            heap = next(i for i, count in enumerate(heaps) if count)
            on_turn = players[turns.pop()]
            on_turn.say(take=nim.Take(heap=heap, count=heaps[heap]))
            for player in players:
                self.assertEqual(player.until("taken").heap, heap)
            heaps[heap] = 0
        for player in players:
            player.until("over")

    def register(self, server, *names):
        """One client for each name, registered in this order."""
        clients = [self.client(server, dead) for _ in names]
        for client, name in zip(clients, names):
            client.say(register=dead.Command.Register(player_name=name))
            self.assertEqual(client.until("config").config, CONFIG.read_text())
        return clients

    def prepare(self, clients):
        """Everybody keeps the first two characters."""
        for client in clients:
            offer = client.until("characters")
            client.say(select_characters=dead.Command.SelectCharacters(
                character_id0=offer.character_id0, character_id1=offer.character_id1))

    def end_turns(self, clients):
        """Nobody does anything, until the end."""
        turns = 0
        while True:
            for client in clients:      # Each is asked alone; who is asked no more waits for the others.
                told = client.next(0.05)
                while told is not None and told[0] not in ("act_now", "game_end"):
                    told = client.next()
                if told is not None and told[0] == "game_end":
                    return turns
                if told is not None:
                    client.say(end_turn=dead.Command.EndTurn())
                    turns += 1
