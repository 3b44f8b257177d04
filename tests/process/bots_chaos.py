"""bots_chaos.py: people at a gateway play against the house's bots while services, two of bots among them, are killed: `bots_chaos.py SECONDS [SEED]`.

A minute of kills, then a pause, in which everybody must get on with his match; again and again. Who does not, sits beside a seat that
nobody plays any more.
"""
import os
import pathlib
import random
import shutil
import signal
import sys
import time

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "lib" / "gateway"), str(TESTS / "lib" / "deployment")]

import exchange  # noqa: E402
import gateway_house  # noqa: E402
import house as process_house  # noqa: E402
import judge  # noqa: E402
import linearizable  # noqa: E402  (judge leads to it)
import people  # noqa: E402

KILLS_S, PATIENCE_S = 60, 60
KILLED = ("lobby", "engine", "fanout", "watchdog", "bot", "bot-2")
OF_EACH = 3   # So many people at each game.
# All come from one address here, and say more than people do.
DOOR = "--tab-burst 100 --tab-per-10-s 200 --tabs-per-address 2000".split()


def wait_until_all(gamers, is_so, patience_s):
    """Who is not so by then."""
    end = time.monotonic() + patience_s
    while True:
        late = [gamer for gamer in gamers if not gamer.fault and not is_so(gamer)]
        if not late or time.monotonic() > end:
            return late
        time.sleep(0.5)


def who_does_not_get_on(gamers):
    before = {gamer: judge.accepted_by(gamer) for gamer in gamers}
    return wait_until_all(gamers, lambda gamer: judge.accepted_by(gamer) > before[gamer], PATIENCE_S)


def kill_for(house, luck, seconds):
    end, kills = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        time.sleep(luck.uniform(0.5, 4))
        kills += house.send(luck.choice(KILLED), signal.SIGKILL)
    return kills


def harm(house, gamers, luck, seconds):
    """How many were killed, and who got stuck."""
    began, kills = time.monotonic(), 0
    stuck = wait_until_all(gamers, lambda gamer: gamer.accepted, PATIENCE_S)
    while not stuck and time.monotonic() < began + seconds:
        kills += kill_for(house, luck, min(KILLS_S, seconds))
        stuck = who_does_not_get_on(gamers)
        print(f"    {time.monotonic() - began:5.0f} s: {kills} killed, {sum(map(judge.accepted_by, gamers)):,} commands accepted", flush=True)
    return kills, stuck


def keep(house):
    """Logs and stores, for who must find out why."""
    kept = pathlib.Path(os.environ["ARBITER_BUILD"]).parent / "log/bots_chaos"
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(parents=True)
    for part in ("log", "data"):
        shutil.copytree(house.folder / part, kept / part)
    return kept


def main(seconds, seed):
    build, luck = pathlib.Path(os.environ["ARBITER_BUILD"]), random.Random(seed)
    settings = {name: judge.KNOCKS.split() for name in ("lobby", "engine", "fanout")}
    with gateway_house.open_house(build, settings=settings, others=("bot",), more={"bot-2": "bot"}) as house, \
            gateway_house.open_gateway(house, words=DOOR) as gateway:
        exchange.wait_until_ready(gateway.port)
        gamers = [people.Gamer(gateway.port, f"Brave {game} {number}", game, setup, seats, matches=1 << 30)
                  for number in range(OF_EACH) for game, setup, seats in judge.GAMES]
        kills, stuck = harm(house, gamers, luck, seconds)
        for gamer in gamers:
            gamer.is_told_to_stop.set()
        faults = [f"{gamer.name} in {gamer.match}: {gamer.fault or 'does not get on'}" for gamer in gamers if gamer.fault or gamer in stuck]
        history = people.history_of(gamers)
        faults += linearizable.findings(history)
        print(f"    linearizable: {linearizable.figures(history)}")
        if faults:
            sys.exit("\n".join([*faults, f"MISSED after {kills} kills; logs and stores: {keep(house)}; again: bots_chaos.py {seconds} {seed}"]))
        print(f"    {kills} killed in {seconds} s from seed {seed}; all {len(gamers)} people got on")


if __name__ == "__main__":
    process_house.leave_when_told()
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1 << 32))
