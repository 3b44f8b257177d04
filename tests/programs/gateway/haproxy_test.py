"""haproxy_test.py: so many visitors come through the door that compose and stack ship, and nobody is put out of it."""
import contextlib
import http.client
import json
import os
import pathlib
import re
import resource
import sys
import tempfile
import time
import unittest

import yaml

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path.insert(0, str(SOURCE / "tests" / "lib" / "gateway"))
import gateway_house  # noqa: E402
import haproxy_door  # noqa: E402
import socket_client  # noqa: E402

VISITORS = int(os.environ.get("ARBITER_VISITORS", "1200"))  # By night 4,000: deploy/lib/run-suite.
# More checks of haproxy's than it takes to believe a gateway dead.
CHECKS_S = 4
# Files of the machine that haproxy and the gateway have, two a visitor.
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)


def gateway_words(name):
    """What the gateway of this file is started with: its bounds, and whom it believes. This machine stands for the door."""
    command = yaml.safe_load((SOURCE / "deploy" / name).read_text())["services"]["gateway"]["command"]
    words = command[command.index("--listen-http"):].split()[2:]
    words = [word for word in words if not word.startswith("${")]
    words[words.index("--proxy") + 1] += ",127.0.0.1"
    return words


def visitor(i):
    """An address of this machine for each; 127.0.0.1 is haproxy's."""
    return f"127.{1 + i // 62500}.{i // 250 % 250}.{1 + i % 250}"


class Haproxy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if haproxy_door.haproxy() is None:
            raise AssertionError("there is no haproxy: deploy/check installs it")
        cls.house = cls.enterClassContext(gateway_house.open_house(BUILD, 1))

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def door(self, name, *words, **environment):
        gateway = self.enterContext(gateway_house.open_gateway(
            self.house, words=("--http-connections-max", "8192", *gateway_words(name), *words)))
        return gateway, self.enterContext(haproxy_door.open_door(self.folder, gateway.port, **environment))

    def tab(self, door, source, **how):
        tab = socket_client.Socket(door.port, source=source, **how)
        self.addCleanup(tab.plain.close)
        tab.send(json.dumps({"request": 1, "hello": {}}))
        return tab

    def test_many_visitors_come_through_the_door_and_stay(self):
        gateway, door = self.door("docker-compose.yml")
        begun = time.monotonic()
        tabs = [self.tab(door, visitor(i)) for i in range(VISITORS)]
        time.sleep(max(0.0, begun + CHECKS_S - time.monotonic()))
        for tab in tabs:
            self.assertIn("welcome", json.loads(tab.receive()))
        self.assertEqual(door.downs(), 0, door.said()[-2000:])
        figures = self.figures(gateway)
        self.assertEqual(figures["arbiter_gateway_tabs"], VISITORS)
        self.assertEqual(figures["arbiter_gateway_turned_away_total"], 0)

    def figures(self, gateway):
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", gateway.port, source_address=("127.0.0.2", 0))) as asked:
            asked.request("GET", "/metrics")
            text = asked.getresponse().read().decode()
        return {name: int(value) for name, value in re.findall(r"^(arbiter_gateway_\w+) (\d+)$", text, re.M)}

    def status(self, door, source, **how):
        try:
            self.tab(door, source, **how)
        except socket_client.Closed as why:
            return why.code
        return 101

    def test_behind_it_each_visitor_has_so_many_tabs_whatever_he_calls_himself(self):
        _, door = self.door("stack.yml", "--tabs-per-address", "3")
        for source in ("127.1.0.1", "127.1.0.2"):
            said = [self.status(door, source, headers=[f"X-Forwarded-For: 198.51.100.{i}"]) for i in range(4)]
            self.assertEqual(said, [101, 101, 101, 503], source)

    def test_a_proxy_before_the_door_that_the_operator_lists_names_its_visitors(self):
        _, door = self.door("docker-compose.yml", "--tabs-per-address", "1", ARBITER_PROXIES="127.3.0.0/16 127.4.0.1")
        for i in range(3):
            self.assertEqual(self.status(door, "127.3.0.1", headers=[f"X-Forwarded-For: 198.51.100.{i}"]), 101)
        self.assertEqual(self.status(door, "127.4.0.1", headers=["X-Forwarded-For: 198.51.100.2"]), 503)
        said = [self.status(door, "127.5.0.1", headers=[f"X-Forwarded-For: 198.51.100.1{i}"]) for i in range(2)]
        self.assertEqual(said, [101, 503], "whom he does not list")


if __name__ == "__main__":
    unittest.main()
