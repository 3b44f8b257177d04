"""judged.py: the second server of the dead with a fault at its door, for the tests of `arbiter judge`.

    judged.py FAULT --config FILE --port N --seed N --timeout N --edition NAME

The faults are below, a function each: what is to be said goes in, and what is said comes out. `honest` is none.
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "common/games/dead/course"))

from second import program, wire  # noqa: E402
from second.door import Door  # noqa: E402
from second.table import Said  # noqa: E402


def honest(door, said):
    return said


def whispers(door, said):
    """The crisis is for the first player only."""
    return [Said(one.event, one.args, one.to[:1]) if one.event == "Crisis" else one for one in said]


def hurries(door, said):
    """Who is on turn is asked before the last thing that happened is told."""
    if len(said) > 2 and said[-1].event == "ActNow" and said[-2].event not in ("DieRolled", "CommandFailed"):
        return said[:-2] + [said[-1], said[-2]]
    return said


def cheats(door, said):
    """No die shows a six."""
    return [Said(one.event, {**one.args, "value": min(5, one.args["value"])}, one.to) if one.event == "DieRolled" else one
            for one in said]


def wastes(door, said):
    """Waste is told twice as large."""
    return [Said(one.event, {"amount": 2 * one.args["amount"]}, one.to) if one.event == "WasteChanged" else one
            for one in said]


def is_curt(door, said):
    return [Said(one.event, {"message": ""}, one.to) if one.event == "CommandFailed" else one for one in said]


def chats(door, said):
    """Nobody asked for a second ActNow."""
    return said + said[-1:] if said and said[-1].event == "ActNow" else said


def is_silent(door, said):
    return []


def envelops(door, said):
    """An empty frame in front of each message, as if a REQ had asked."""
    for one in said:
        for client in one.to:
            door.tell(client, one.event, door.whole(client, one), b"")
    return []


def floods(door, said):
    """A thousand frames that nobody needs, before the first that counts."""
    for client in said[0].to if said else []:
        for _ in range(1000):
            door.socket.send_multipart([client, wire.write_begins(0, ["x" * 60000])])
    return said


def bloats(door, said):
    """One frame of 20 MiB."""
    for client in said[0].to if said else []:
        door.socket.send_multipart([client, bytes(20 << 20)])
    return said


def rambles(door, said):
    return [Said(one.event, {**one.args, "playerName": one.args["playerName"] + "x" * 60000}, one.to) if one.event == "Player" else one
            for one in said]


def dies(door, said):
    sys.exit("out of ideas")


FAULTS = {function.__name__: function for function in (
    honest, whispers, hurries, cheats, wastes, is_curt, chats, is_silent, envelops, floods, bloats, rambles, dies)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fault", choices=FAULTS)
    parser.add_argument("--early", action="store_true", help="once the game has begun, time runs out when more than half of it is left")
    parser.add_argument("--code", type=int, default=0, help="the exit code")
    program.add_options(parser)
    asked = parser.parse_args()

    class Faulty(Door):
        def send(self, said):
            super().send(FAULTS[asked.fault](self, said))

        def start_clock(self):
            super().start_clock()
            # As far from what is early as from a judge who is held up between two commands.
            self.deadline -= 0.6 * self.timeout_s if asked.early and self.has_begun else 0

    return program.serve(asked, door_class=Faulty) or asked.code


if __name__ == "__main__":
    sys.exit(main())
