"""exchanges_test.py: every recorded exchange of the 2017 protocol, played against running gateways."""
import concurrent.futures
import os
import pathlib
import queue
import sys
import unittest

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path.insert(0, str(SOURCE / "tests" / "gateway"))
import exchange  # noqa: E402
import gateway_house  # noqa: E402

RECORDED = SOURCE / "common" / "games" / "treasure" / "recorded" / "scenarios.jsonl"
AT_ONCE = 8


def play(house, names, scenario):
    """Each scenario has a gateway of its own, since ids begin with 1."""
    name = names.get()
    try:
        words = ["--treasure-seed", str(scenario["seed"])] if "seed" in scenario else []
        with gateway_house.open_gateway(house, name, exchange.setup_of(scenario), words) as gateway:
            return scenario["id"], exchange.play(scenario, gateway.port)
    finally:
        names.put(name)


class Exchanges(unittest.TestCase):
    def test_every_recorded_exchange_agrees(self):
        scenarios = sorted(exchange.scenarios(RECORDED), key=lambda one: -len(str(one["exchange"][-1].get("at", ""))))
        self.assertEqual(len(scenarios), 43)
        names = queue.Queue()
        for i in range(AT_ONCE):
            names.put(f"gateway-{i}")
        with gateway_house.open_house(BUILD, AT_ONCE) as house, \
                concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            played = list(pool.map(lambda scenario: play(house, names, scenario), scenarios))
        wrong = [f"{name}: {sentence}" for name, found in played for sentence in found]
        self.assertEqual(wrong, [], "\n".join(["", *wrong]))
        self.assertEqual(len(played), len(scenarios))


if __name__ == "__main__":
    unittest.main()
