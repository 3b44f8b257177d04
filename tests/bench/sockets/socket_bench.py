"""socket_bench.py: 2,000 spectators of one match over WebSockets, 200 of whom stand still; and Colyseus' broadcast to as many.

    cmake --build --preset release --target socket_bench && (cd tests/bench/sockets/colyseus && npm install --no-save --ignore-scripts)
    ARBITER_BUILD=.build/release /usr/bin/python3 -B tests/bench/sockets/socket_bench.py

Both take turns; each goal is a line, `holds` or `MISSED`, and a missed one makes the exit code 1.
"""
import argparse
import contextlib
import json
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"]).resolve()
sys.path[:0] = [str(HERE.parents[1] / "lib" / "gateway"), str(HERE.parents[1] / "process")]
import gateway_house  # noqa: E402
import house as process_house  # noqa: E402

FEWER_LIMITS = ["--tabs-per-address", "0", "--http-per-address", "0", "--tabs-max", "4096", "--tab-hello-ms", "60000"]
PATIENCE_S = 60
MORE_MIB = 16     # Views, and what libwebsockets keeps of the last frame of each who stands still.
TIMES = 3.0       # So many times Colyseus' deliveries.


def memory_mib(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) / 1024


class Program:
    """A child that is told lines and says some."""

    def __init__(self, *words, **how):
        self.child = subprocess.Popen([str(word) for word in words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      text=True, **how)

    def tell(self, line):
        self.child.stdin.write(line + "\n")
        self.child.stdin.flush()

    def hear(self, word=""):
        line = self.child.stdout.readline().strip()
        if not line.startswith(word) or not line:
            raise SystemExit(f"{self.child.args[0]} says '{line}' instead of '{word}'")
        return line

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.child.stdin.close()
        self.child.terminate()
        self.child.wait(PATIENCE_S)


def watch(crowd, server, first, last, begin, closed):
    """The crowd's report, and how much the server's memory grew: `begin` sets it off, `closed` waits for who is closed."""
    crowd.hear("ready")
    before = memory_mib(server)
    crowd.tell(f"{first} {last}")
    begin()
    crowd.hear("heard")
    after = memory_mib(server)
    closed()
    crowd.tell("go on")
    report = json.loads(crowd.hear("{"))
    rate = report["heard"] / max(report["seconds"], 0.001)
    return {**report, "grown_mib": after - before, "rate": rate}


def slow_ones(port):
    page = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE_S).read().decode()
    return int(re.search(r"^arbiter_gateway_tabs_slow_total (\d+)", page, re.M).group(1))


def players(turn):
    """Who play in this turn: those of the one before still sit at theirs."""
    return [f"{name}-{turn}" for name in ("one", "two")]


def our_turn(ask, house, gateway, turn):
    slow_before = slow_ones(gateway.port)

    def closed():
        end = time.monotonic() + PATIENCE_S
        while slow_ones(gateway.port) < slow_before + ask.stalled and time.monotonic() < end:
            time.sleep(0.1)
    with Program(BUILD / "bench" / "socket_feed", house.folder / "run" / "doors", *map(house.key, players(turn)),
                 ask.events) as feed:
        _, match, number = feed.hear("match").split()
        first = int(number) + 1
        with Program(BUILD / "bench" / "socket_crowd", "arbiter", gateway.port, ask.spectators, ask.stalled, match) as crowd:
            return watch(crowd, gateway.child.pid, first, first + ask.events - 1, lambda: feed.tell("go"), closed)


def colyseus_turn(ask):
    environment = {**os.environ, "NODE_ENV": "production"}
    with Program("node", HERE / "colyseus" / "server.mjs", ask.spectators, env=environment) as server:
        port = server.hear("port").split()[1]
        paths = [server.hear("/") for _ in range(ask.spectators)]
        with Program(BUILD / "bench" / "socket_crowd", "colyseus", port, ask.spectators, ask.stalled, "-") as crowd:
            for path in paths:
                crowd.tell(path)
            return watch(crowd, server.child.pid, 1, ask.events, lambda: server.tell(str(ask.events)), lambda: None)


@contextlib.contextmanager
def open_house(turns):
    """The services, a gateway, and keys for two who play in each turn."""
    with tempfile.TemporaryDirectory() as folder:
        names = {"gateway-0": "gateway", **{name: "client" for turn in range(turns) for name in players(turn)}}
        with process_house.House(BUILD, folder, names) as house:
            house.wait_until_started()
            with gateway_house.open_gateway(house, words=["--http-connections-max", "8192", *FEWER_LIMITS]) as gateway:
                yield house, gateway


def judge(goal, is_held):
    print(f"    {'holds ' if is_held else 'MISSED'}  {goal}")
    return is_held


def say(who, turn):
    print(f"{who:9} {turn['rate']:10,.0f} deliveries/s in {turn['seconds']:.1f} s; "
          f"{turn['heard']:,} heard, {turn['faults']} out of order, {turn['lost']} cut off, {turn['told']} told why they are closed, "
          f"{turn['grown_mib']:+.1f} MiB", flush=True)


def main():
    words = argparse.ArgumentParser(description="Deliveries to WebSocket spectators, beside Colyseus'.")
    words.add_argument("--spectators", type=int, default=2000)
    words.add_argument("--stalled", type=int, default=200)
    words.add_argument("--events", type=int, default=2000)
    words.add_argument("--turns", type=int, default=3)
    words.add_argument("--alone", action="store_true", help="without Colyseus")
    ask = words.parse_args()
    if not ask.alone and not (HERE / "colyseus" / "node_modules").is_dir():
        raise SystemExit(f"Colyseus is not there: npm install --no-save --ignore-scripts in {HERE / 'colyseus'}, or say --alone")
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    ours, theirs = [], []
    with open_house(ask.turns) as (house, gateway):
        for turn in range(ask.turns):
            ours.append(our_turn(ask, house, gateway, turn))
            say("arbiter", ours[-1])
            if not ask.alone:
                theirs.append(colyseus_turn(ask))
                say("colyseus", theirs[-1])
    wanted = (ask.spectators - ask.stalled) * ask.events
    load = os.getloadavg()[0]
    results = [judge(f"every event in order to each who reads: {wanted:,} a turn",
                     all((turn["heard"], turn["faults"], turn["lost"]) == (wanted, 0, 0) for turn in ours)),
               judge(f"each of {ask.stalled} who stand still is closed with a reason", all(turn["told"] == ask.stalled for turn in ours)),
               judge(f"memory grows by less than {MORE_MIB} MiB a turn", all(turn["grown_mib"] < MORE_MIB for turn in ours[1:] or ours))]
    if theirs:
        times = statistics.median(turn["rate"] for turn in ours) / statistics.median(turn["rate"] for turn in theirs)
        results.append(judge(f"{times:.1f} times the deliveries of Colyseus; at least {TIMES} (load {load:.0f})", times >= TIMES))
    sys.exit(not all(results))


if __name__ == "__main__":
    main()
