#!/usr/bin/python3
"""env_bench.py: decisions a second that a program in Python gets out of arbiter.env, on one core.

    tests/bench/env_bench.py [SECONDS]         the release build; ARBITER_BUILD names another

A decision is: an action is drawn evenly among those offered, by numpy; the rules play it; the next seat's actions are
listed, and its mask and its observation stand in arrays. Matches that end are followed by new ones, and these starts
count. `vector` plays many matches with a call a step, `aec` one match, decision by decision, as PettingZoo has it.
Seconds are those this process had a core. Behind each row stands the digest of a match that was played so, and
`same` if `arbiter simulate` writes the same digest for its seed and its commands.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
os.environ.setdefault("ARBITER_BUILD", str(ROOT / ".build/release"))
sys.path.insert(0, str(ROOT / "common/client/python"))
from arbiter import env, matchfile, messages  # noqa: E402

MATCHES = 96
TABLES = [("dead", "standard"), ("quests", "standard"), ("objectron", "race"), ("treasure", "standard"),
          ("four", "standard"), ("nim", "classic")]


def core_seconds():
    return time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID)


def rate(step, decisions, seconds):
    """Decisions a second, after a tenth of the time to warm up."""
    for most in (seconds / 10, seconds):
        begun, done = core_seconds(), 0
        while (taken := core_seconds() - begun) < most:
            step()
            done += decisions
    return done / taken


def vector(game, setup, seconds):
    many, luck = env.Vector(game, MATCHES, setup=setup), numpy.random.default_rng(1)

    def step():
        for _ in range(20):
            many.step((luck.random(MATCHES) * many.legal).astype(numpy.int64))

    return rate(step, 20 * MATCHES, seconds), many.rules


def aec(game, setup, seconds):
    """By PettingZoo's loop. The mask is a row of ones and then zeros, so an even choice is one product."""
    table, luck = env.AEC(game, setup=setup), iter(())
    table.reset(seed=1)
    draws = numpy.random.default_rng(1)

    def step():
        nonlocal luck
        for _ in range(500):
            observation, _, termination, truncation, _ = table.last()
            if termination or truncation:
                table.reset()
                continue
            draw = next(luck, None)
            if draw is None:
                luck = iter(draws.random(10000).tolist())
                draw = next(luck)
            table.step(int(draw * numpy.count_nonzero(observation["action_mask"])))

    return rate(step, 500, seconds)


def digest(game, setup):
    """Of a match that `arbiter simulate` plays, and whether the same commands give it here."""
    with tempfile.TemporaryDirectory(prefix="arbiter-bench-") as folder:
        path = pathlib.Path(folder) / "a.match"
        subprocess.run([pathlib.Path(os.environ["ARBITER_BUILD"]) / "arbiter", "simulate", game, "--config", setup,
                        "--policy", "greedy", "--trace", path], check=True, stdout=subprocess.DEVNULL)
        file, _, _ = matchfile.judge(path.read_bytes())
    header = file.header
    match = env.Match(game, setup=header.setup, options=header.options or None, seats=header.seats, most=10 ** 6,
                      seed=header.seed)
    for act in file.acts:
        if act.actor < 16:
            match.command(act.actor, env.Command.of(messages.game(game).Command.FromString(act.command)))
    return match.digest().hex()[:12], match.digest() == file.end.digest


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    print(f"load {os.getloadavg()[0]:.0f}, {seconds:g} s each, {MATCHES} matches at once, one core")
    print("| game | seats | actions | cells | vector | aec | digest |")
    print("|---|---:|---:|---:|---:|---:|---|")
    for game, setup in TABLES:
        fast, rules = vector(game, setup, seconds)
        slow = aec(game, setup, seconds)
        told, is_same = digest(game, setup)
        print(f"| {game}, `{setup}` | {rules.seats} | {rules.actions} | {rules.cells} | {fast:,.0f} | {slow:,.0f} | "
              f"{told}, {'same' if is_same else 'NOT THE SAME'} |", flush=True)


if __name__ == "__main__":
    main()
