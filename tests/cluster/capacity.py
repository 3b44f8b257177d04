#!/usr/bin/env python3
"""capacity.py: from what was measured here to a million matches: a plan for each factor of ten, and a simulation of it.

    tests/cluster/capacity.py [--seconds 2] [--seed 1]      the tables that deploy/CAPACITY.md quotes

The plan is arithmetic over MEASURED and LOAD. The simulation then plays the way of one act through one engine, its
store, one fanout and one gateway of that plan: commands come at random times, an engine judges all that has arrived,
keeps it in one synced batch, and only then answers and publishes; each later stage is a queue that serves one act
after the other. Virtual time, one stream of luck for each stage: the same seed prints the same lines everywhere."""
import argparse
import collections
import heapq
import math
import random

# Measured on this machine; where, is said in deploy/CAPACITY.md. Seconds of a core, bytes.
MEASURED = {
    "command_s": 34e-6,       # An engine's core for a durable command, all threads, in batches of 100 clients.
    "batch_s": 166e-6,        # What a batch of one row costs beyond its row.
    "sync_p50_s": 0.3e-3,     # The engine's own fdatasync, ...
    "sync_p99_s": 3.0e-3,     # ... and a slow one.
    "match_bytes": 4638,      # Memory of a live match: 442 MiB for 100,000.
    "recover_s": 44e-6,       # A core's time to take one match over, in mid-game.
    "suspect_s": 1.1,         # From a death to the first match that moves again.
    "rows_s": 16900,          # PostgreSQL: rows a second over one connection, 100 a batch, on a busy machine.
    "copy_s": 1 / 835e3,      # A fanout's core, with CURVE: one frame to one subscriber, four fanouts being read.
    "tab_s": 1 / 627e3,       # A gateway's core for one message to one browser.
    "hash_s": 1.1e-6,         # A fanout checks the chain of each act.
    "frame_bytes": 400,       # An act on the bus, header and boxes included.
    "event_bytes": 60,        # An act at a browser.
    "row_bytes": 600,         # An act in the journal, its index included.
}
# What people do, and how full anything may be planned.
LOAD = {"think_s": 10.0, "players": 3, "spectators": 10, "full": 0.5, "tabs": 4096, "recover_max_s": 5.0, "rows": 1.13,
        "link_bits": 1e9}
SIZES = (1_000, 10_000, 100_000, 1_000_000)

Plan = collections.namedtuple("Plan", "matches commands engines takeover stores journal gateways copies fanouts "
                                      "fanout_in fanout_out engine_out gateway_in gateway_out")


def gateways_reached(watchers, gateways):
    """How many gateways have one of so many watchers, who sit down anywhere."""
    return gateways * (1 - (1 - 1 / gateways) ** watchers)


def plan(matches):
    """How many of everything so many matches need, and what each link carries."""
    m, load = MEASURED, LOAD
    commands = matches / load["think_s"]
    by_work = commands * m["command_s"] / load["full"]
    engines = max(1, math.ceil(by_work))
    # Whoever is left must have read a dead one's matches in time; who is alone reads all of his own.
    while m["suspect_s"] + matches / engines / max(1, engines - 1) * m["recover_s"] > load["recover_max_s"]:
        engines += 1
    takeover = m["suspect_s"] + matches / engines / max(1, engines - 1) * m["recover_s"]
    stores = max(1, math.ceil(commands * load["rows"] / (m["rows_s"] * load["full"])))
    watchers = load["players"] + load["spectators"]
    gateways = max(1, math.ceil(matches * watchers / load["tabs"]))
    copies = gateways_reached(watchers, gateways)
    act_in = commands * (m["copy_s"] + m["hash_s"])            # Every fanout takes and checks every act.
    room = load["full"] * 1.5 - act_in
    fanouts = max(1, math.ceil(commands * copies * m["copy_s"] / room)) if room > 0 else 0
    fanouts = max(fanouts, math.ceil(commands * copies * m["frame_bytes"] * 8 / (load["link_bits"] * load["full"])))
    return Plan(matches, commands, engines, takeover, stores, commands * m["row_bytes"], gateways, copies, fanouts,
                commands * m["frame_bytes"], commands * copies * m["frame_bytes"] / max(1, fanouts),
                commands / engines * max(1, fanouts) * m["frame_bytes"],
                commands * copies / gateways * m["frame_bytes"],
                commands * watchers / gateways * m["event_bytes"])


def arrivals(luck, rate, seconds):
    now = 0.0
    while (now := now + luck.expovariate(rate)) < seconds:
        yield now


def sync_time(luck):
    """Lognormal by its median and its 99th percentile."""
    sigma = math.log(MEASURED["sync_p99_s"] / MEASURED["sync_p50_s"]) / 2.326
    return MEASURED["sync_p50_s"] * math.exp(luck.gauss(0, 1) * sigma)


def engine(luck, times):
    """(came, published) of each command: all that has arrived goes into one batch, and waits for its sync."""
    done, free, at = [], 0.0, 0
    while at < len(times):
        begin = max(free, times[at])
        end = at
        while end < len(times) and times[end] <= begin and end - at < 512:
            end += 1
        free = begin + MEASURED["batch_s"] + (end - at) * MEASURED["command_s"] + sync_time(luck)
        done += [(came, free) for came in times[at:end]]
        at = end
    return done


def queue(items, service):
    """One server, first come first served: (came, ready) -> (came, done)."""
    free, done = 0.0, []
    for came, ready in items:
        free = max(free, ready) + service
        done.append((came, free))
    return done


def merge(luck, items, rate, seconds):
    """The acts we follow, among all others of the same stage, which come at this rate."""
    others = ((None, time) for time in arrivals(luck, rate, seconds))
    return heapq.merge(items, others, key=lambda item: item[1])


def share(numbers, part):
    return numbers[min(len(numbers) - 1, int(part * len(numbers)))] * 1e3 if numbers else float("nan")


def simulate(one, seconds, seed):
    """Milliseconds: a command to its answer, to a fanout's last copy, to the last browser; and how busy the stages were."""
    m = MEASURED
    each = one.commands / one.engines
    times = list(arrivals(random.Random(seed), each, seconds))
    kept = engine(random.Random(seed + 1), times)
    copies = one.copies / one.fanouts
    relay_s = m["copy_s"] + m["hash_s"] + copies * m["copy_s"]
    relayed = queue(merge(random.Random(seed + 2), kept, max(1e-9, one.commands - each), seconds), relay_s)
    relayed = [item for item in relayed if item[0] is not None]
    # At one gateway arrives what its tabs watch; an act goes to as many of them as watch it there.
    tabs = (LOAD["players"] + LOAD["spectators"]) / one.copies
    rate = one.commands * one.copies / one.gateways
    shown_s = m["copy_s"] + tabs * m["tab_s"]
    luck = random.Random(seed + 3)
    ours = [item for item in relayed if luck.random() < min(1.0, one.copies / one.gateways)]
    shown = queue(merge(luck, ours, max(1e-9, rate - len(ours) / seconds), seconds), shown_s)
    shown = [item for item in shown if item[0] is not None]
    busy = (each * m["command_s"], one.commands * relay_s, rate * shown_s)
    waits = [sorted(done - came for came, done in items) for items in (kept, relayed, shown)]
    return waits, busy


def mbit(bytes_s):
    return f"{bytes_s * 8 / 1e6:,.1f}"


def first_to_break(one):
    """What is fullest, at ten times as much, if nothing is added."""
    m, ten = MEASURED, one.commands * 10
    full = {"an engine's core": ten / one.engines * m["command_s"],
            "the store's rows": ten * LOAD["rows"] / one.stores / m["rows_s"],
            "taking over": (m["suspect_s"] + one.matches * 10 / one.engines / max(1, one.engines - 1) * m["recover_s"])
            / LOAD["recover_max_s"],
            "a fanout's core": ten * (m["copy_s"] + m["hash_s"] + one.copies / one.fanouts * m["copy_s"]),
            "connections at gateways": 10 * one.matches * (LOAD["players"] + LOAD["spectators"]) / LOAD["tabs"] / one.gateways,
            "a link into a fanout": one.fanout_in * 10 * 8 / LOAD["link_bits"],
            "a link out of a fanout": one.fanout_out * 10 * 8 / LOAD["link_bits"]}
    return sorted(full.items(), key=lambda item: -item[1])[:2]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds of virtual time for each size")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    plans = [plan(size) for size in SIZES]
    print("matches    watchers    commands/s  engines  stores  gateways  copies  fanouts  takeover s  journal MB/s  GB/day")
    for one in plans:
        watchers = one.matches * (LOAD["players"] + LOAD["spectators"])
        print(f"{one.matches:<9,}  {watchers:<10,}  {one.commands:<10,.0f}  {one.engines:<7}  {one.stores:<6}  "
              f"{one.gateways:<8,}  {one.copies:<6.1f}  {one.fanouts:<7}  {one.takeover:<10.2f}  {one.journal / 1e6:<12.2f}  "
              f"{one.journal * 86400 / 1e9:,.0f}")
    print("\nMbit/s of one    engine out  fanout in  fanout out  gateway in  gateway out  store in")
    for one in plans:
        print(f"{one.matches:<15,}  {mbit(one.engine_out):<10}  {mbit(one.fanout_in):<9}  {mbit(one.fanout_out):<10}  "
              f"{mbit(one.gateway_in):<10}  {mbit(one.gateway_out):<11}  {mbit(one.journal / one.stores)}")
    print("\nsimulated, ms    answered p50, p99  relayed p50, p99  shown p50, p99    busy: engine, fanout, gateway")
    for one in plans:
        waits, busy = simulate(one, asked.seconds, asked.seed)
        cells = "  ".join(f"{share(wait, .5):7.2f}, {share(wait, .99):7.2f}" for wait in waits)
        print(f"{one.matches:<15,}  {cells}    {busy[0]:.2f}, {busy[1]:.2f}, {busy[2]:.2f}")
    print("\nat ten times as much, nothing added (1: full)")
    for one in plans:
        print(f"{one.matches:<9,}  " + ", ".join(f"{what} {full:.1f}" for what, full in first_to_break(one)))


if __name__ == "__main__":
    main()
