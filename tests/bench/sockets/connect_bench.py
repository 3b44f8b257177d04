"""connect_bench.py: what it takes to let a spectator in, when 2,000 and when 16,000 others are there.

    cmake --build --preset release --target socket_bench
    ARBITER_BUILD=.build/release /usr/bin/python3 -B tests/bench/sockets/connect_bench.py

All come from one address, and each address is counted. The goal is a line, `holds` or `MISSED`, and a missed one makes the
exit code 1. Needs 20,000 open files a process.
"""
import argparse
import os
import pathlib
import re
import resource
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from socket_bench import BUILD, PATIENCE_S, Program, gateway_house, judge, process_house  # noqa: E402

PLAYERS = ["one", "two"]
FILES = 20000
EVENTS = 2  # Nobody waits for them.
MOST = "20000"  # More than come, so that all are let in and all are counted.
WORDS = ["--tabs-per-address", MOST, "--http-per-address", MOST, "--tabs-max", MOST, "--http-connections-max", MOST,
         "--tab-hello-ms", "60000", "--sessions-max", MOST]
TIMES = 1.2


def tabs(port):
    page = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE_S).read().decode()
    return int(re.search(r"^arbiter_gateway_tabs (\d+)", page, re.M).group(1))


def core_s(pid):
    """What of a core the process has had."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def let_in(gateway, match, count):
    """Seconds until the last of so many watches, and seconds of a core that the gateway took."""
    before, begin = core_s(gateway.child.pid), time.monotonic()
    with Program(BUILD / "bench" / "socket_crowd", "arbiter", gateway.port, count, 0, match) as crowd:
        crowd.hear("ready")
        took, core = time.monotonic() - begin, core_s(gateway.child.pid) - before
    while tabs(gateway.port) > 0:
        time.sleep(0.1)
    return took, core


def measure(gateway, match, counts, turns):
    """Of each count the best turn: microseconds, and microseconds of the gateway's core, for each who comes."""
    best = {count: (float("inf"), float("inf")) for count in counts}
    for _ in range(turns):
        for count in counts:
            took, core = (1e6 * seconds / count for seconds in let_in(gateway, match, count))
            best[count] = min(best[count][0], took), min(best[count][1], core)
            print(f"{count:7,} spectators: {took:7.0f} us each; of the gateway's core {core:5.0f} us", flush=True)
    return best


def main():
    words = argparse.ArgumentParser(description="The time to let a spectator in, beside the number of those who are there.")
    words.add_argument("--counts", type=int, nargs="+", default=[2000, 4000, 8000, 16000])
    words.add_argument("--turns", type=int, default=3)
    ask = words.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(FILES, hard), hard))
    with tempfile.TemporaryDirectory() as folder:
        with process_house.House(BUILD, folder, {"gateway-0": "gateway", **{name: "client" for name in PLAYERS}}) as house:
            house.wait_until_started()
            with gateway_house.open_gateway(house, words=WORDS) as gateway, \
                    Program(BUILD / "bench" / "socket_feed", house.folder / "run" / "doors", *map(house.key, PLAYERS), EVENTS) as feed:
                best = measure(gateway, feed.hear("match").split()[1], ask.counts, ask.turns)
    ratio = best[ask.counts[-1]][1] / best[ask.counts[0]][1]
    goal = (f"one of {ask.counts[-1]:,} costs the gateway {ratio:.2f} times what one of {ask.counts[0]:,} does; "
            f"at most {TIMES} (load {os.getloadavg()[0]:.0f})")
    sys.exit(not judge(goal, ratio <= TIMES))


if __name__ == "__main__":
    main()
