"""socket_play.py: whole matches over the WebSocket door: who sits down, whose turn it is, what they heard."""
import json

import socket_client


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(number, value):
    """A field of a message: a number, or bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def fields(message):
    """A message as a list of (number, value)."""
    out, at = [], 0

    def take():
        nonlocal at
        number, shift = 0, 0
        while True:
            byte = message[at]
            at += 1
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number
    while at < len(message):
        tag = take()
        if tag & 7 == 0:
            out.append((tag >> 3, take()))
        else:
            assert tag & 7 in (1, 2), tag
            size = 8 if tag & 7 == 1 else take()
            out.append((tag >> 3, message[at:at + size]))
            at += size
    return out


def one(message, *path):
    """The value at a path of field numbers; None: it is not there."""
    for number in path:
        found = [value for key, value in fields(message) if key == number]
        if not found:
            return None
        message = found[-1]
    return message


class Bytes:
    """A tab that speaks bytes. Every frame it heard stands in `heard`."""

    def __init__(self, port, session=None, name=None):
        self.socket = socket_client.Socket(port, "arbiter.v1")
        self.heard, self.requests = [], 0
        hello = (field(1, session.encode()) if session else b"") + (field(4, name.encode()) if name else b"")
        self.welcome = self.ask(2, hello)

    def send(self, kind, inside):
        self.requests += 1
        self.socket.send(field(1, self.requests) + field(kind, inside))
        return self.requests

    def next(self, timeout=socket_client.PATIENCE_S):
        frame = self.socket.receive(timeout)
        if frame is not None:
            self.heard.append(frame)
        return frame

    def ask(self, kind, inside):
        request = self.send(kind, inside)
        while True:
            frame = self.next()
            assert frame is not None, "no answer"
            if one(frame, 2) == request:
                return frame

    def wait(self, kind):
        while True:
            frame = self.next()
            assert frame is not None, f"no {kind}"
            if one(frame, kind) is not None:
                return one(frame, kind)


def sit_down(players, create):
    """A table of the first one's; the match's id when all have been shown it."""
    table = players[0].ask(ask={"create_table": {"seats": len(players), **create}})["answer"]["table"]["table"]
    for player in players[1:]:
        joined = player.ask(ask={"join_table": {"table": table}})
        assert joined["answer"]["verdict"] == "VERDICT_DONE", joined
    shown = [player.wait(lambda down: "shown" in down)["shown"] for player in players]
    assert [one_of["seat"] for one_of in shown] == list(range(len(players)))
    return shown[0]["match_id"]


def may_do(player, match, seat, luck=0):
    """The list of what the seat may do; None: it sits there no more."""
    request = player.send(look={"match_id": match, "seat": seat, "legal": True, "best": True, "luck": str(luck)})

    def is_list(down):
        return down.get("request") == request and ("legal" in down or "refused" in down)
    down = player.wait(is_list)
    return down.get("legal")


def move(player, match, seat, luck=0):
    """Plays once, if it is the seat's turn. False: the match is over for it."""
    legal = may_do(player, match, seat, luck)
    if legal is None:
        return False
    if legal.get("to_act"):
        command = legal.get("best") or legal.get("proposal") or legal["patterns"][0]["example"]
        played = player.ask(play={"match_id": match, "seat": seat, "command": command})
        assert "played" in played and played["played"].get("accepted"), played
    return True


def play_out(players, match, moves=None):
    """To the end, or so many rounds."""
    rounds = 0
    while moves is None or rounds < moves:
        for seat, player in enumerate(players):
            if not move(player, match, seat, rounds):
                return True
        rounds += 1
        assert rounds < 400, "it never ends"
    return False


def acts(player, match, seat=None):
    """The numbers of the acts a tab heard of a match, as a seat or as one who watches."""
    return [int(down["happened"]["number"]) for down in player.heard if "happened" in down
            and down["happened"]["match_id"] == match and down["happened"].get("seat") == seat]


def drain(player, timeout=0.3):
    """Hears what is on its way still."""
    while player.next(timeout) is not None:
        pass


def hear_out(tab):
    """All that there will be of its match."""
    if isinstance(tab, Bytes):
        while all(one(frame, 12) is None for frame in tab.heard):
            assert tab.next() is not None
    elif not any("over" in down for down in tab.heard):
        tab.wait(lambda down: "over" in down)


def privates(frames):
    """The bytes of the events that nobody else was told, in binary frames."""
    found = []
    for frame in frames:
        for number, event in fields(one(frame, 9) or b""):
            if number == 5 and one(event, 3) == 1:
                found.append(one(event, 1))
    return found


def text_privates(player):
    return [json.dumps(event["event"], sort_keys=True) for down in player.heard if "happened" in down
            for event in down["happened"].get("events", []) if event.get("private")]


def text_events(player):
    return {json.dumps(event["event"], sort_keys=True) for down in player.heard if "happened" in down
            for event in down["happened"].get("events", []) if "event" in event}
