"""attacks_strangers.py: those without keys, at every door that has a lock."""
import contextlib
import socket
import threading
import time

import zmq

import insider
import stranger
from premises import Key
from world import row

# Another machine's address, as far as a service can see.
ELSEWHERE = "127.0.0.9"


def lines(world, count, source):
    """So many connections from one source to each door, spread over the doors."""
    doors = [world.premises.port(*door) for door in world.premises.doors()]
    for number in range(count):
        with contextlib.suppress(OSError):
            yield number, stranger.connect(doors[number % len(doors)], source)


@row("no key at all: the NULL mechanism, at every door")
def without_mechanism(world):
    for service, door in world.premises.doors():
        for kind in (zmq.DEALER, zmq.SUB):
            with insider.Line(world.premises, service, door, None, kind=kind) as line:
                if kind == zmq.SUB:
                    line.socket.subscribe(b"")
                else:
                    line.push(insider.head("PING"))
                assert line.hear(60) is None, f"{service} {door} spoke to somebody without a key"
        with stranger.connect(world.premises.port(service, door), "127.0.0.2") as raw:
            stranger.greet(raw, b"NULL")
            stranger.send(raw, stranger.ready())
            assert stranger.is_ended(raw), f"{service} {door} goes on with somebody without a key"


def stays_outside(world, make):
    """A Ping over a line to every door, and no answer."""
    with contextlib.ExitStack() as stack:
        lines = [(door, stack.enter_context(make(*door))) for door in world.premises.doors()]
        for _, line in lines:
            line.push(insider.head("PING"))
        time.sleep(0.3)
        for door, line in lines:
            assert line.hear(0) is None, f"{door} let in somebody it must not"


@row("a key that nobody admitted, at every door")
def unknown_key(world):
    key = Key(world.premises.folder / "keys", "nobody", "client")
    stays_outside(world, lambda service, door: insider.Line(world.premises, service, door, key))
    return {("lobby", "keys_refused"): 1, ("engine", "keys_refused"): 1, ("fanout", "keys_refused"): 1,
            ("watchdog", "keys_refused"): 1}


@row("an admitted key that takes the server for somebody else")
def wrong_server_key(world):
    stays_outside(world, lambda service, door: world.line(service, door,
                                                          server_key=world.premises.keys["console"].public))


class Recorder:
    """A wire-tap before a door: passes everything on and keeps what the caller said."""

    def __init__(self, port):
        self.port, self.said = port, b""
        self.door = socket.create_server(("127.0.0.1", 0))
        self.address = f"tcp://127.0.0.1:{self.door.getsockname()[1]}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        line, _ = self.door.accept()
        with line, stranger.connect(self.port) as behind:
            back = threading.Thread(target=self.pump, args=(behind, line, False), daemon=True)
            back.start()
            self.pump(line, behind, True)
            back.join(1)

    def pump(self, source, target, is_kept):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                self.said += data if is_kept else b""
                target.sendall(data)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)


@row("a whole conversation of an admitted key, replayed")
def replayed_handshake(world):
    for service in ("lobby", "engine"):
        tap = Recorder(world.premises.port(service, "requests"))
        key = world.eve()
        with zmq.Context() as context, context.socket(zmq.DEALER) as true:
            true.linger = 0
            true.curve_publickey, true.curve_secretkey = key.public.encode(), key.secret.encode()
            true.curve_serverkey = world.premises.keys[service].public.encode()
            true.connect(tap.address)
            true.send(insider.head("PING"))
            assert true.poll(5000), "the true one is not answered"
        tap.door.close()
        before = world.premises.services[service].counters().get("in_5", 0)
        for _ in range(5):
            with stranger.connect(world.premises.port(service, "requests"), "127.0.0.3") as line:
                stranger.greet(line, words=tap.said[:stranger.GREETING_SIZE])
                stranger.send(line, tap.said[stranger.GREETING_SIZE:])
                assert stranger.is_ended(line), f"{service} goes on with a replayed handshake"
        assert world.premises.services[service].counters().get("in_5", 0) == before, "a replayed Ping was heard"


@row("handshakes that are garbled, out of order, or too long")
def garbled_handshake(world):
    port, key = world.premises.port("engine", "requests"), world.premises.keys["engine"].public
    hello = stranger.hello(key)
    spoiled = [hello[:20] + bytes([hello[20] ^ 1]) + hello[21:], hello[:-1] + bytes([hello[-1] ^ 1]),
               hello + hello, stranger.frame(b"\x08INITIATE" + stranger.noise(300)), stranger.ready(),
               stranger.frame(b"\x05ERROR\x03why"), stranger.frame(stranger.noise(200)), stranger.frame(b""),
               stranger.frame(b"\x05HELLO" + stranger.noise(60000)), stranger.frame(b"x" * 200, flags=0),
               b"\x06" + b"\x7f" + b"\xff" * 7, b"\x06" + (1 << 32).to_bytes(8, "big") + b"x" * 1000,
               stranger.noise(5000)]
    openings = [stranger.noise(64), bytes(64), stranger.greeting(b"PLAIN"), stranger.greeting(b"GSSAPI"),
                stranger.greeting(version=(9, 9)), stranger.greeting(as_server=1), b"\xff" * 200,
                b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
                b"SSH-2.0-x\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(100)]
    with contextlib.ExitStack() as stack:
        begun = [(words, stack.enter_context(stranger.connect(port, f"127.0.1.{1 + number}")))
                 for number, words in enumerate(spoiled + openings)]
        for number, (words, line) in enumerate(begun):
            if number < len(spoiled):
                assert stranger.greet(line)
            stranger.send(line, words)
        for number, (words, line) in enumerate(begun):
            assert stranger.is_ended(line), f"the engine goes on with garbled handshake {number}: {words[:80]!r}"


@row("half-open connections: silent ones, and ones that say a byte now and then")
def half_open(world):
    with contextlib.ExitStack() as stack:
        silent = [stack.enter_context(line) for _, line in lines(world, 56, "127.0.0.4")]
        slow = [stack.enter_context(line) for _, line in lines(world, 28, "127.0.0.5")]
        words = stranger.greeting() + stranger.hello(world.premises.keys["lobby"].public)
        began = time.monotonic()
        for at in range(0, 240, 10):
            for line in slow:
                stranger.send(line, words[at:at + 1])
            time.sleep(0.1)
        ended = sum(stranger.is_ended(line, 3) for line in silent + slow)
        assert ended == len(silent) + len(slow), f"{ended} of {len(silent) + len(slow)} were cut"
        assert time.monotonic() - began < 12, "they were cut late"


@row("a flood of connections that all begin a handshake")
def connection_flood(world):
    before = world.premises.services["engine"].counters()
    port, hello = world.premises.port("engine", "requests"), stranger.hello(world.premises.keys["engine"].public)
    for _ in range(6000):
        with contextlib.suppress(OSError):
            line, is_there = stranger.knock(port, ELSEWHERE)
            with line:
                line.settimeout(0.2)    # Who stands at the blind door hears nothing.
                if is_there and stranger.greet(line):
                    stranger.send(line, hello)
    with world.line("engine") as line:      # From another address.
        assert line.is_let_in(3000), "an admitted key does not get in during the flood"
    with world.line("engine", source=ELSEWHERE) as line:
        assert line.is_let_in(10000), "an admitted key of the same address does not get in when the flood is over"
    after = world.premises.services["engine"].counters()
    let_in = after["let_in"] - before["let_in"]
    assert let_in < 400, f"{let_in} connections were let in"
    return {("engine", "not_let_in"): 64, ("engine", "barred"): 1, ("engine", "dropped_knocks"): 1000}


@row("an impostor who chooses his routing id")
def chosen_route(world):
    for service in ("lobby", "engine", "watchdog"):
        with world.line(service, routing_id=b"\x00\x01\x02\x03\x04\x05") as line:
            line.push(insider.head("PING"))
            assert line.hear(150) is None, f"{service} answered a route that its peer chose"
    return {("lobby", "foreign_routes"): 1, ("engine", "foreign_routes"): 1, ("watchdog", "foreign_routes"): 1}
