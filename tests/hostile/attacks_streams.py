"""attacks_streams.py: admitted keys at the doors where one subscribes: to everything, to nothing, to millions."""
import contextlib
import time

import zmq
from arbiter import messages, wire

import insider
import stranger
from world import row, said

STREAMS = ("lobby", "engine", "fanout", "watchdog")


def hears_nothing(line, patience_ms=120):
    return not line.socket.poll(patience_ms)


@row("subscriptions to everything, to whole slots, and to topics of every other length")
def wide_topics(world):
    slot = bytes([wire.slot_of(world.pair.match)])
    with contextlib.ExitStack() as stack:
        lines = []
        for service in STREAMS:
            line = stack.enter_context(world.line(service, "stream", kind=zmq.SUB))
            for topic in (b"", slot, *(wire.topic(world.pair.match)[:size] for size in range(2, 17)),
                          wire.topic(world.pair.match) + b"\0", b"x" * 300):
                line.socket.subscribe(topic)
            lines.append((service, line))
        time.sleep(0.15)
        world.move()
        for service, line in lines:
            assert hears_nothing(line), f"{service} told a client of a whole slot"
    return {(service, "refused_topics"): 10 for service in STREAMS}


@row("subscriptions to topics without number")
def topic_flood(world):
    before = world.resident()
    for service in STREAMS:
        key = world.eve()
        with world.line(service, "stream", key=key, kind=zmq.SUB, sndhwm=0) as line:
            for number in range(20000):
                line.socket.subscribe(number.to_bytes(17, "big"))
            assert insider.until(lambda service=service: world.premises.services[service].counters().get("cut_off")), \
                f"{service} goes on with somebody who wants everything"
    highest = {name: now - before[name] for name, now in world.resident().items()}
    assert max(highest.values()) < 16 << 20, f"topics cost {highest}"
    return {(service, "cut_off"): 1 for service in STREAMS}


@row("topics as long as a frame may be")
def long_topics(world):
    for service in STREAMS:
        with world.line(service, "stream", kind=zmq.SUB, sndhwm=0) as line:
            for number in range(60):
                line.socket.subscribe(world.luck.randbytes(300 if number % 2 else 60000))
            time.sleep(0.05)


@row("frames to a door that only gives")
def frames_at_streams(world):
    for service in STREAMS:
        with world.line(service, "stream", kind=zmq.XSUB, sndhwm=0) as line:
            for frame in (b"\2hello", b"x" * 200, insider.head("PING"), b"\xff", b"", b"\1", b"\0", b"\0nobody",
                          b"\0" + wire.topic(world.pair.match)):
                line.push(frame)
            line.push(insider.head("ACT", world.pair.match) + said(messages.stream.Act(number=1)))
            line.push(b"\1" + wire.topic(world.pair.match), b"more")
            time.sleep(0.02)


@row("topics given back that one never had: another's")
def others_topics(world):
    topic = wire.topic(world.pair.match)
    before = world.premises.services["fanout"].counters()["out_65"]
    for service in STREAMS:
        port, public = world.premises.port(service, "stream"), world.premises.keys[service].public
        with stranger.Session(port, public, world.eve(), kind=b"SUB") as session:
            session.send(b"\1" + bytes(17))
            for _ in range(40):
                session.send(b"\0" + topic)
                session.send(b"\x06CANCEL" + topic, is_command=True)
            time.sleep(0.05)
    world.move()    # An act is followed by heads as long as somebody reads.
    assert insider.until(lambda: world.premises.services["fanout"].counters()["out_65"] > before, 3), \
        "the fanout believes that nobody reads the honest match"


@row("readers who never read")
def slow_readers(world):
    with contextlib.ExitStack() as stack:
        for service in STREAMS:
            for _ in range(2):
                line = stack.enter_context(world.line(service, "stream", kind=zmq.SUB, rcvhwm=1, rcvbuf=2048))
                line.socket.subscribe(wire.topic(world.pair.match))
                line.socket.subscribe(bytes(17))
        time.sleep(0.2)
        world.move(20)


@row("subscribing and leaving in a loop")
def restless(world):
    for service in STREAMS:
        with world.line(service, "stream", kind=zmq.SUB, sndhwm=0) as line:
            for _ in range(400):
                line.socket.subscribe(wire.topic(world.pair.match))
                line.socket.unsubscribe(wire.topic(world.pair.match))
