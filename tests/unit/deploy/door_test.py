"""door_test.py: the door before the gateways: who comes through it is counted there and not at a gateway, and is written down."""
import os
import pathlib
import re
import unittest

import yaml

DEPLOY = pathlib.Path(os.environ["ARBITER_SOURCE"]) / "deploy"


class Door(unittest.TestCase):
    def test_a_gateway_behind_it_does_not_take_all_visitors_for_one(self):
        for name in ("docker-compose.yml", "stack.yml"):
            with self.subTest(name):
                words = yaml.safe_load((DEPLOY / name).read_text())["services"]["gateway"]["command"].split()
                for bound in ("--http-per-address", "--tabs-per-address"):
                    self.assertIn(bound, words, "all of them have the door's address")
                    self.assertEqual(words[words.index(bound) + 1], "0")

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
