#!/usr/bin/env python3
"""class_bench.py: 60 matches of `arbiter serve --matches` at once, with three scripted clients each.

Every client does one harmless thing after the other when it is asked, and then ends its turn. It does not pause. The
clock runs from a client's send to the first frame that comes back. The end of a turn is no event for who ends it: there
the clock runs to the first frame for anybody of the match. Goals: 50 ms at p99, and at most 20 MB more for each match.
"""
import os
import pathlib
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time

import zmq

SOURCE = pathlib.Path(__file__).resolve().parents[2]
ARBITER = pathlib.Path(os.environ.get("ARBITER_BUILD", SOURCE / ".build/release")) / "arbiter"
CONFIG = SOURCE / "configs/dead/standard.json"
SECONDS = float(os.environ.get("SECONDS", 20))
P99_MS, MORE_MB = 50, 20


def messages(folder):
    for proto in ("plain", "dead"):
        subprocess.run(["protoc", f"--proto_path={SOURCE}/proto", f"--python_out={folder}", f"{SOURCE}/proto/{proto}.proto"],
                       check=True)
    sys.path.insert(0, folder)
    import dead_pb2
    import plain_pb2
    return plain_pb2, dead_pb2


def family(pid):
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout.split()
    return [pid, *(below for child in listed for below in family(int(child)))]


def memory(pid):
    """What all its processes take, shared pages shared out, in MB."""
    total = 0
    for one in family(pid):
        try:
            total += int(re.search(r"Pss:\s+(\d+)", pathlib.Path(f"/proc/{one}/smaps_rollup").read_text())[1])
        except (OSError, TypeError):
            continue
    return total / 1024


class Server:
    def __init__(self, folder, matches):
        self.child = subprocess.Popen([ARBITER, "serve", "dead", "--config", CONFIG, "--port", "0", "--seed", "1",
                                       "--timeout", "600", "--matches", str(matches)], stdout=subprocess.PIPE, text=True,
                                      env={**os.environ, "TMPDIR": folder})
        self.doors = sorted(re.search(r" at (tcp://\S+)\.$", self.child.stdout.readline().strip())[1]
                            for _ in range(matches))

    def end(self):
        self.child.send_signal(signal.SIGINT)
        self.child.wait(60)


class Client:
    def __init__(self, context, address, number, plain, dead):
        self.plain, self.dead, self.turns, self.is_over = plain, dead, 0, False
        self.kind, self.sent, self.team = None, None, [self]
        self.socket = context.socket(zmq.DEALER)
        self.socket.linger = 0
        self.socket.connect(address)
        self.say(register=dead.Command.Register(player_name=f"Player {number}"))

    def say(self, **command):
        self.kind, self.sent = next(iter(command)), time.monotonic()
        self.socket.send(self.plain.Up(command=self.dead.Command(**command).SerializeToString()).SerializeToString())

    def hear(self, waits):
        """Takes all that is there."""
        while self.socket.poll(0):
            down = self.plain.Down.FromString(self.socket.recv())
            for one in self.team:
                if one.sent is not None and (one is self or one.kind == "end_turn"):
                    waits.setdefault(one.kind, []).append(1000 * (time.monotonic() - one.sent))
                    one.sent = None
            if down.WhichOneof("kind") == "event":
                self.answer(self.dead.Event.FromString(down.event))

    def answer(self, event):
        kind = event.WhichOneof("kind")
        if kind == "characters":
            self.say(select_characters=self.dead.Command.SelectCharacters(
                character_id0=event.characters.character_id0, character_id1=event.characters.character_id1))
        elif kind == "act_now":
            self.turns += 1
            if self.turns % 25 == 0:
                self.say(end_turn=self.dead.Command.EndTurn())
            else:                                           # Refused, and asked again.
                self.say(search=self.dead.Command.Search(character_id=99999))
        self.is_over = self.is_over or kind in ("game_end", "left")


def play(server, plain, dead, seconds):
    context, waits = zmq.Context(), {}
    teams = [[Client(context, door, number, plain, dead) for number in range(3)] for door in server.doors]
    clients = [client for team in teams for client in team]
    for client, team in ((client, team) for team in teams for client in team):
        client.team = team
    poller, begun = zmq.Poller(), False
    by_socket = {client.socket: client for client in clients}
    for client in clients:
        poller.register(client.socket, zmq.POLLIN)
    end = None
    while end is None or time.monotonic() < end:
        for socket, _ in poller.poll(100):
            by_socket[socket].hear(waits)
        if not begun and all(client.sent is None for client in clients):
            begun = True
            for team in teams:
                team[0].say(start_game=dead.Command.StartGame())
            waits.clear()
            end = time.monotonic() + seconds
        if begun and all(client.is_over for client in clients):
            break
    context.destroy(linger=0)
    return {kind: sorted(some) for kind, some in waits.items()}


def percentile(waits, percent):
    return waits[len(waits) * percent // 100]


def main():
    matches = int(os.environ.get("MATCHES", 60))
    with tempfile.TemporaryDirectory() as folder:
        plain, dead = messages(folder)
        alone = Server(folder, 2)
        few = (play(alone, plain, dead, 2), memory(alone.child.pid))[1]
        alone.end()
        server = Server(folder, matches)
        kinds = play(server, plain, dead, SECONDS)
        more = (memory(server.child.pid) - few) / (matches - 2)
        server.end()
    waits = sorted(wait for some in kinds.values() for wait in some)
    p99 = percentile(waits, 99)
    print(f"{platform.platform()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}: {matches} matches")
    for kind, some in [*sorted(kinds.items()), ("all", waits)]:
        print(f"{kind:18} {len(some):6} answers, p50 {percentile(some, 50):.1f} ms, p99 {percentile(some, 99):.1f} ms")
    print(f"{'holds' if p99 < P99_MS else 'MISSED'}  p99 {p99:.1f} ms, at most {P99_MS}")
    print(f"{'holds' if more < MORE_MB else 'MISSED'}  {more:.1f} MB more for each match, at most {MORE_MB}")
    return 0 if p99 < P99_MS and more < MORE_MB else 1


if __name__ == "__main__":
    sys.exit(main())
