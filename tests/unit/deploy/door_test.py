"""door_test.py: the door before the gateways: who comes through it is counted there and not at a gateway, and is written down."""
import ipaddress
import os
import pathlib
import re
import unittest

import yaml

DEPLOY = pathlib.Path(os.environ["ARBITER_SOURCE"]) / "deploy"


class Door(unittest.TestCase):
    def test_a_gateway_behind_it_counts_visitors_and_takes_their_addresses_from_the_door_alone(self):
        for name in ("docker-compose.yml", "stack.yml"):
            with self.subTest(name):
                words = yaml.safe_load((DEPLOY / name).read_text())["services"]["gateway"]["command"].split()
                for bound in ("--http-per-address", "--tabs-per-address"):
                    self.assertNotIn(bound, words, "the gateway's own bounds hold for each of them")
                networks = [ipaddress.ip_network(one) for one in words[words.index("--proxy") + 1].split(",")]
                self.assertTrue(all(one.is_private for one in networks), "the networks that Docker makes")
        said = (DEPLOY / "haproxy.cfg").read_text()
        self.assertRegex(said, r"(?m)^ +http-request set-header X-Forwarded-For %\[src\] unless of_a_proxy ")

    def test_it_counts_them_itself(self):
        said = (DEPLOY / "haproxy.cfg").read_text()
        self.assertIn('tcp-request connection reject if { sc0_conn_cur gt "${ARBITER_PER_ADDRESS}" }', said)

    def test_it_writes_down_each_request(self):
        said = (DEPLOY / "haproxy.cfg").read_text()
        level = re.search(r"^ +log stdout format raw local0 (\w+)$", said, re.M)[1]
        self.assertEqual(level, "info", "requests are told at this level and none above")
        self.assertRegex(said, r"(?m)^ +option httplog$")


if __name__ == "__main__":
    unittest.main()
