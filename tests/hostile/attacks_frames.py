"""attacks_frames.py: admitted keys that send what is no message: frames, headers, bodies, kinds."""
import time

from arbiter import messages, wire

import garble
import insider
import stranger
from world import kinds, row

# What a client may say, and where it is heard.
CLIENTS = {"LOBBY_ASK": "lobby", "TABLE_ASK": "lobby", "HELLO": "lobby", "ATTACH": "engine", "COMMAND": "engine",
           "LEGAL_ASK": "engine", "PING": "watchdog", "HISTORY_ASK": "engine",
           "FILE_ASK": "engine"}
# Asks of one key before it is told to wait; a little less, for Pings and what the clock gives back.
PATIENCE = 180
SERVICES = ("lobby", "engine", "watchdog")


def refused(counters):
    return sum(number for name, number in counters.items() if name.startswith("refused_"))


@row("messages of several frames")
def several_frames(world):
    ping = insider.head("PING")
    for service in SERVICES:
        with world.line(service) as line:
            for frames in ((ping, b""), (b"", ping), (ping, ping), (ping,) * 100, (b"", b"", b"")):
                assert line.send(*frames)
            assert line.ask(ping) is not None, f"{service} does not answer one frame behind several"
            for _ in range(100):
                line.push(ping, ping)
            assert insider.until(lambda: world.premises.services[service].counters().get("hung_up"))
    return {(service, counter): least for service in SERVICES for counter, least in
            (("more_frames", 60), ("hung_up", 1))}


@row("a message whose frames never end")
def endless_frames(world):
    for service in SERVICES:
        before, highest = world.premises.services[service].resident(), 0
        port, public = world.premises.port(service, "requests"), world.premises.keys[service].public
        with stranger.Session(port, public, world.eve()) as session:
            for number in range(700):
                if not session.send(bytes(60000), is_more=True):
                    break
                if number % 20 == 0:
                    highest = max(highest, world.premises.services[service].resident())
            assert number < 699, f"{service} took {number} frames of one message"
        assert highest - before < 16 << 20, f"{service} held {highest - before >> 20} MiB of one message"
    return {(service, "drowned"): 1 for service in SERVICES}


@row("frames that are too long")
def long_frames(world):
    for service in SERVICES:
        with world.line(service) as line:
            for size in ((64 << 10) + 1, 70000, 1 << 20):
                line.push(insider.head("PING") + bytes(size))
            assert line.hear(60) is None, f"{service} answers a frame that is too long"


@row("headers that are none")
def bad_heads(world):
    wanted = {}
    for service in SERVICES:
        before = refused(world.premises.services[service].counters())
        bad = list(garble.heads(insider.head("PING"), world.luck))
        with world.line(service) as line:
            for _, frame in bad:
                assert line.send(frame)
            assert insider.until(lambda: refused(world.premises.services[service].counters()) - before
                                 >= len(bad) - 1), f"{service} refused too few headers"
        wanted |= {(service, "refused_short"): 4, (service, "refused_version"): 3, (service, "refused_header"): 4}
    return wanted


def send_all(world, service, frames):
    """From as many keys as it needs to stay below what one may ask; how many were sent."""
    count = 0
    for at in range(0, len(frames), PATIENCE):
        with world.line(service) as line:
            for frame in frames[at:at + PATIENCE]:
                assert line.send(frame), f"{service} takes nothing any more"
                count += 1
            assert insider.until(lambda line=line: answers_ping(line)), f"{service} does not answer any more"
    return count


def answers_ping(line):
    line.push(insider.head("PING"))
    while (heard := line.hear(200)) is not None:
        if heard[0] == "PONG":
            return True
    return False


@row("every body that is no message of its kind, made from the descriptors")
def bad_bodies(world):
    wanted = {}
    for service in SERVICES:
        frames = []
        for kind, descriptor in kinds().items():
            if CLIENTS.get(kind) != service:
                continue
            for what, frame in garble.frames(insider.head(kind, match=world.pair.match), descriptor, world.luck):
                if len(frame) <= 8 << 10 or "thirty" in what and len(frames) % 7 == 0:
                    frames.append(frame)
        sent = send_all(world, service, frames)
        wanted[service, "refused_body"] = sent * 6 // 10
    return wanted


@row("kinds that are another role's, with bodies that are good")
def others_kinds(world):
    sent = 0
    for service in SERVICES:
        frames = [insider.head(kind, match=match) + garble.filled(descriptor)
                  for kind, descriptor in kinds().items() if kind not in CLIENTS and kind != "REFUSED"
                  for match in (wire.NO_MATCH, world.pair.match)]
        sent = send_all(world, service, frames)
    return {(service, "refused_rights"): sent for service in SERVICES}


@row("bodies that want more memory than they have bytes")
def bombs(world):
    lobby = messages.lobby
    deep = lobby.Ask(list_tables=lobby.ListTables(game="x" * 60000)).SerializeToString()
    many = (garble.tag(3, 2) + b"\0") * 20000
    for service, kind, body in (("lobby", "LOBBY_ASK", deep), ("lobby", "LOBBY_ASK", many),
                                ("engine", "ATTACH", many), ("engine", "COMMAND", many)):
        with world.line(service) as line:
            for _ in range(20):
                assert line.send(insider.head(kind, match=world.pair.match) + body)
            assert insider.until(lambda line=line: answers_ping(line)), f"{service} is gone"


@row("noise, many frames of it")
def noise(world):
    for service in SERVICES:
        send_all(world, service, [stranger.noise(world.luck.randint(0, 3000)) for _ in range(200)])
