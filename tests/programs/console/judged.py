"""judged.py: a server of the dead on the model in Python, for the tests of `arbiter judge`; on demand a wrong one.

    judged.py FAULT --config FILE --port N --seed N --timeout N --edition NAME

The faults are below, a function each. `honest` has none.
"""
import argparse
import importlib
import json
import os
import pathlib
import sys
import tempfile
import time

import zmq

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE / "tests/conformance"))

from dead_model import TIMEOUT, Server  # noqa: E402


def messages(folder):
    """The classes that protoc made for all servers of a test, in this folder."""
    sys.path.insert(0, folder)
    return importlib.import_module("plain_pb2"), importlib.import_module("dead_pb2")


plain, dead = messages(os.environ["JUDGED_MESSAGES"])


def camel(name):
    head, *tail = name.split("_")
    return head + "".join(word.title() for word in tail)


def snake(name):
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("_")


def read(frame):
    """(command, args) of a frame; what is none reads as a command that no phase of the game allows."""
    try:
        command = dead.Command.FromString(plain.Up.FromString(frame).command)
    except Exception:   # Whatever protobuf thinks of it.
        return "Register", {"playerName": ""}
    kind = command.WhichOneof("kind")
    if kind is None:
        return "Register", {"playerName": ""}
    name = camel(kind)
    fields = {camel(field.name): value for field, value in getattr(command, kind).ListFields()}
    return name[0].upper() + name[1:], fields


def write(name, args):
    event = dead.Event()
    body = getattr(event, snake(name))
    body.SetInParent()
    for key, value in args.items():
        key = snake(key)
        field = body.DESCRIPTOR.fields_by_name[key]
        setattr(body, key, field.enum_type.values_by_name[value].number if field.enum_type else value)
    return plain.Down(event=event.SerializeToString()).SerializeToString()


# Faults: each is given the server, and what goes to one client: [name, args]. It returns what goes instead.

def honest(door, client, told):
    return told


def whispers(door, client, told):
    """The crisis is for the first player only."""
    return [one for one in told if one[0] != "Crisis" or client == door.players[0]]


def hurries(door, client, told):
    """Who is on turn is asked before the last thing that happened is told."""
    if len(told) > 2 and told[-1][0] == "ActNow" and told[-2][0] not in ("DieRolled", "CommandFailed"):
        told[-2:] = [told[-1], told[-2]]
    return told


def cheats(door, client, told):
    """No die shows a six."""
    return [[name, {**args, "value": 5}] if name == "DieRolled" and args["value"] == 6 else [name, args] for name, args in told]


def wastes(door, client, told):
    """Waste is told twice as large when a card was played."""
    return [[name, {"amount": 2 * args["amount"]}] if name == "WasteChanged" and args["amount"] > 0 else [name, args]
            for name, args in told]


def is_curt(door, client, told):
    return [[name, {"message": ""} if name == "CommandFailed" else args] for name, args in told]


def chats(door, client, told):
    """Nobody asked for a second ActNow."""
    return told + [["ActNow", {}]] if told and told[-1][0] == "ActNow" and len(door.said) > 60 else told


def is_silent(door, client, told):
    return []


FAULTS = {name: function for name, function in globals().items() if callable(function)}


class Door:
    def __init__(self, asked):
        self.asked, self.players, self.routes, self.said = asked, [], [], []
        self.text = pathlib.Path(asked.config).read_text()
        self.server = Server(json.loads(self.text), asked.edition, asked.seed)
        self.socket = zmq.Context.instance().socket(zmq.ROUTER)
        self.socket.bind(f"tcp://127.0.0.1:{asked.port}")
        self.heard_s = time.monotonic()

    def client_of(self, route):
        if route not in self.routes:
            self.routes.append(route)
        return self.routes.index(route)

    def tell(self, events):
        """All of one command, to each client what is for it."""
        told, left = {}, set()
        self.players = [player.comm for player in self.server.game.players]
        for event in events:
            to, name, args = event["to"], event["ev"], dict(event["args"])
            if name == "Config":
                args["config"] = self.text
            for client in [to] if to != "all" else [c for c in self.players if c not in self.gone]:
                told.setdefault(client, []).append([name, args])
            if name == "Left":
                self.gone.add(self.players[args["player"]])
        for client, what in told.items():
            self.said += what
            for name, args in FAULTS[self.asked.fault](self, client, what):
                self.socket.send_multipart([self.routes[client], write(name, args)])
        return left

    def wait(self):
        """The next command, or TIMEOUT."""
        limit = self.asked.timeout * (0.5 if self.asked.early else 1)
        left = self.heard_s + limit - time.monotonic()
        if not self.socket.poll(max(0, int(left * 1000))):
            self.heard_s = time.monotonic()
            return TIMEOUT
        route, frame = self.socket.recv_multipart()
        self.heard_s = time.monotonic()
        return (self.client_of(route), *read(frame))

    def run(self):
        self.gone = set()
        while not self.server.is_over:
            self.tell(self.server.send(self.wait()))
        self.socket.close(linger=500)
        zmq.Context.instance().term()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fault")
    for name, kind in (("config", str), ("port", int), ("seed", int), ("timeout", int), ("edition", str)):
        parser.add_argument(f"--{name}", type=kind, required=True)
    parser.add_argument("--early", action="store_true", help="time runs out after half of it")
    parser.add_argument("--code", type=int, default=0, help="the exit code")
    Door(parser.parse_args()).run()
    return parser.parse_args().code


if __name__ == "__main__":
    sys.exit(main())
