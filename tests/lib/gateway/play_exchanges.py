"""play_exchanges.py: plays files of recorded exchanges against gateways that it starts, and says what disagrees.

    python3 tests/lib/gateway/play_exchanges.py .build/release FILE...

Each exchange has a gateway of its own before one house, which goes on counting: ids are not the recorded ones. Those with moments of their own are played again
when they disagree and this machine was late. Lines of other types are passed over. Ends with 0 if every exchange agrees, with 1 if one does not, with 3 if there is none."""
import concurrent.futures
import pathlib
import queue
import sys

import exchange
import gateway_house

AT_ONCE = 8
# So often one is played with moments of its own that this machine was too slow for.
TRIES = 5


def play_once(house, name, scenario):
    words = ["--treasure-seed", str(scenario["seed"])] if "seed" in scenario else []
    with gateway_house.open_gateway(house, name, exchange.setup_of(scenario), words) as gateway:
        try:
            return exchange.play(scenario, gateway.port)
        except exchange.Late as late:
            print(f"says nothing, played again: {late}", file=sys.stderr)
            return late


def play(house, names, scenario):
    name = names.get()
    try:
        for _ in range(TRIES):
            found = play_once(house, name, scenario)
            if not isinstance(found, exchange.Late):
                return scenario["id"], found
        return scenario["id"], [f"this machine was too slow each of {TRIES} times: {found}"]
    finally:
        names.put(name)


def play_all(build, scenarios):
    """A list of (id, disagreements). Those that last longest begin first."""
    scenarios = sorted(scenarios, key=lambda one: -one["exchange"][-1].get("at", 0))
    names = queue.Queue()
    for i in range(AT_ONCE):
        names.put(f"gateway-{i}")
    with gateway_house.open_house(build, AT_ONCE) as house, \
            concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        with gateway_house.open_gateway(house) as gateway:
            exchange.wait_until_whole(gateway.port)
        return list(pool.map(lambda scenario: play(house, names, scenario), scenarios))


def main(build, paths):
    wanted = [scenario for path in paths for scenario in exchange.scenarios(path)]
    if not wanted:
        print("there is no exchange to play", file=sys.stderr)
        return 3
    played = play_all(pathlib.Path(build).resolve(), wanted)
    wrong = [f"{name}: {sentence}" for name, found in played for sentence in found]
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    bad = sum(bool(found) for _, found in played)
    print(f"{len(played) - bad} agreed, {bad} disagreed")
    return 1 if bad else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: play_exchanges.py BUILD FILE...")
    sys.exit(main(sys.argv[1], sys.argv[2:]))
