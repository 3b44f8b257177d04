"""attacks_plain.py: the classroom's door, which has no lock: two students who play nim, and everybody else."""
import contextlib
import os
import pathlib
import re
import subprocess
import time

import zmq

import stranger

PATIENCE_MS = 20000
GREETED = stranger.greeting(b"NULL")


def modules():
    """plain.proto's and nim.proto's messages; the client library has seen to it that they are made."""
    import importlib
    return importlib.import_module("plain_pb2"), importlib.import_module("nim_pb2")


class Classroom:
    """`arbiter serve nim`, and a student on each of its seats."""

    def __init__(self, build, source, folder):
        self.plain, self.nim = modules()
        config = pathlib.Path(folder) / "heaps.json"
        config.write_text('{"heaps": [9, 9, 9]}')
        words = [build / "arbiter", "serve", "nim", "--config", config, "--seats", "2", "--port", "0", "--seed", "7",
                 "--timeout", "120"]
        self.child = subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                      cwd=source, env={**os.environ, "TMPDIR": str(folder)})
        line = self.child.stdout.readline()
        self.address = re.search(r" at (tcp://\S+)\.$", line.strip()).group(1)
        self.port = int(self.address.rsplit(":", 1)[1])
        self.context, self.heard, self.heaps = zmq.Context(), [[], []], None
        self.students = [self.line() for _ in range(2)]
        for name, student in zip(("Ada", "Bob"), self.students):
            student.send(self.plain.Up(sit_down=self.plain.SitDown(name=name)).SerializeToString())
        for number in range(2):
            self.until(number, "turn")

    def line(self, **options):
        socket = self.context.socket(zmq.DEALER)
        socket.linger = 0
        for name, value in options.items():
            setattr(socket, name, value)
        socket.connect(self.address)
        return socket

    def next(self, number):
        """The name of what this student hears next."""
        assert self.students[number].poll(PATIENCE_MS), f"student {number} hears nothing; so far: {self.heard[number]}"
        down = self.plain.Down.FromString(self.students[number].recv())
        if down.WhichOneof("kind") != "event":
            self.heard[number].append((down.WhichOneof("kind"), ""))
            return self.heard[number][-1][0]
        event = self.nim.Event.FromString(down.event)
        self.heard[number].append((event.WhichOneof("kind"), down.event))
        if event.HasField("started"):
            self.heaps = list(event.started.heaps)
        return self.heard[number][-1][0]

    def until(self, number, name):
        while self.next(number) != name:
            pass

    def take(self, last=False):
        """Whoever is on turn takes one counter, or all of a heap; true: the match is over."""
        turn = self.nim.Event.FromString([said for name, said in self.heard[0] if name == "turn"][-1]).turn.seat
        heap = next(at for at, left in enumerate(self.heaps) if left)
        count = self.heaps[heap] if last else 1
        self.heaps[heap] -= count
        command = self.nim.Command(take=self.nim.Take(heap=heap, count=count)).SerializeToString()
        self.students[turn].send(self.plain.Up(command=command).SerializeToString())
        is_over = not any(self.heaps)
        for number in range(2):
            self.until(number, "over" if is_over else "turn")
        return is_over

    def processes(self):
        listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.child.pid)], capture_output=True, text=True,
                                check=True)
        return sorted(map(int, listed.stdout.split()))

    def resident(self):
        status = pathlib.Path(f"/proc/{self.child.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) << 10

    def end(self):
        self.context.destroy(linger=0)
        try:
            return self.child.wait(60), self.child.stderr.read()
        except subprocess.TimeoutExpired:
            self.child.kill()
            return self.child.wait(), self.child.stderr.read()


def raw(room, words, source="127.0.0.5"):
    """Says this behind a good handshake; whether that was the end of the connection."""
    with stranger.connect(room.port, source) as line:
        assert stranger.enter(line), "the door has a lock"
        stranger.send(line, words)
        return stranger.is_ended(line, 0.5)


def garbage(room, luck):
    good = room.plain.Up(start=room.plain.Start()).SerializeToString()
    line = room.line()
    for _ in range(200):
        line.send(luck.randbytes(luck.randint(0, 300)))
    line.send(good[:-1] + b"\xff")
    line.send_multipart([b"", good])
    line.send_multipart([good, good])
    for name in ("\x1b[2J", "a\nb", "x" * 60000, "\u202e", ""):
        line.send(room.plain.Up(sit_down=room.plain.SitDown(name=name)).SerializeToString())
    line.close()


def own_identity(room, luck):
    for identity in (b"\x00\x01\x02\x03\x04", b"Ada", b"x" * 255):
        with contextlib.suppress(zmq.ZMQError):
            line = room.line(routing_id=identity) if identity[0] else None
            if line is not None:
                line.send(luck.randbytes(20))
                line.close()


def endless(room, _luck):
    with stranger.connect(room.port, "127.0.0.6") as line:
        assert stranger.enter(line), "the door has a lock"
        for number in range(400):
            if not stranger.send(line, stranger.frame(bytes(60000), flags=1)):
                break
        assert number < 399, "the door takes a message without an end"


def oversize(room, _luck):
    for size in (1 << 32, (1 << 63) - 1, 1 << 63):
        assert raw(room, bytes([2]) + size.to_bytes(8, "big") + b"x" * 100), f"a frame of {size} bytes is awaited"


def junk(room, luck):
    with contextlib.ExitStack() as stack:
        for number in range(60):
            with contextlib.suppress(OSError):
                line = stack.enter_context(stranger.connect(room.port, f"127.0.3.{number + 1}"))
                stranger.send(line, luck.randbytes(200) if number % 2 else GREETED[:number])


def flood(room, _luck):
    for _ in range(2000):
        with contextlib.suppress(OSError):
            line, is_there = stranger.knock(room.port, "127.0.0.9")
            with line:
                line.settimeout(0.2)
                if is_there:
                    stranger.enter(line)


def never_reads(room, _luck):
    line = room.line(rcvhwm=1, rcvbuf=2048)
    ask = room.plain.Up(sit_down=room.plain.SitDown(name="Eve")).SerializeToString()
    end = time.monotonic() + 0.3
    while time.monotonic() < end:
        with contextlib.suppress(zmq.Again):
            line.send(ask, zmq.DONTWAIT)
    line.close()


def others_turn(room, _luck):
    take = room.nim.Command(take=room.nim.Take(heap=0, count=1)).SerializeToString()
    line = room.line()
    for _ in range(50):
        line.send(room.plain.Up(command=take).SerializeToString())
        line.send(room.plain.Up(start=room.plain.Start()).SerializeToString())
    time.sleep(0.1)
    line.close()


ATTACKS = {"frames that are no message, names that drive terminals": garbage, "identities of one's own": own_identity,
           "a message whose frames never end": endless, "lengths without measure": oversize,
           "noise before the handshake, from many addresses": junk, "a flood of connections": flood,
           "somebody who never reads": never_reads, "somebody who plays though he has no seat": others_turn}


def run(build, source, folder, luck):
    """All of them during one match; (how many, sentences for what does not hold)."""
    room, found = Classroom(build, source, folder), []
    processes, before = room.processes(), room.resident()
    for name, attack in ATTACKS.items():
        try:
            attack(room, luck)
            if any(room.heaps[:-1]) and room.take():
                found.append(f"plain door, {name}: the match is over early")
        except AssertionError as fault:
            found.append(f"plain door, {name}: {fault}")
    if room.child.poll() is not None or room.processes() != processes:
        found.append("plain door: processes are others")
    elif room.resident() - before > 16 << 20:
        found.append(f"plain door: it grew by {room.resident() - before >> 10} KiB")
    try:
        while not room.take(last=True):
            pass
    except AssertionError as fault:
        found.append(f"plain door, at the end: {fault}")
    if [said for name, said in room.heard[0] if name != "begins"] != [said for name, said in room.heard[1]
                                                                     if name != "begins"]:
        found.append("plain door: the two heard different matches")
    code, complaints = room.end()
    if code != 0:
        found.append(f"plain door: it ended with {code}: {complaints}")
    if complaints.count("\n") > 20 or re.search(r"[\x00-\x09\x0b-\x1f]", complaints):
        found.append(f"plain door: it complained too much: {complaints[:500]!r}")
    return len(ATTACKS), found
