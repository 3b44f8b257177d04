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
        self.assertRegex(said, r"(?m)^ +http-request set-header X-Forwarded-For \"unknown, %\[src\]\" if names_others !of_a_proxy$")
        self.assertRegex(said, r"(?m)^ +http-request set-header X-Forwarded-For %\[src\] unless names_others$")

    def test_it_counts_them_itself_at_every_door(self):
        said = (DEPLOY / "haproxy.cfg").read_text()
        self.assertIn('acl takes_too_much sc1_conn_cur gt "${ARBITER_PER_ADDRESS}"', said)
        both = said + (DEPLOY / "haproxy.public.cfg").read_text()
        frontends = re.findall(r"^frontend \w+ from visitors\n(?:    .*\n)+", both, re.M)
        self.assertEqual((len(frontends), len(re.findall("^frontend", both, re.M))), (3, 3))
        for frontend in frontends:
            self.assertIn('    tcp-request connection reject if { sc0_conn_cur,div(2) gt "${ARBITER_PER_ADDRESS}" } !of_a_proxy\n', frontend)

    def test_it_writes_down_each_request(self):
        said = (DEPLOY / "haproxy.cfg").read_text()
        level = re.search(r"^ +log stdout format raw local0 (\w+)$", said, re.M)[1]
        self.assertEqual(level, "info", "requests are told at this level and none above")
        self.assertRegex(said, r'(?m)^ +log-format "%ci:%cp .* %\{\+Q\}r %\[var\(txn\.visitor\)\]"$')

    def test_every_setting_that_it_reads_is_told_to_it(self):
        for name, files in (("docker-compose.yml", ["haproxy.cfg"]), ("stack.yml", ["haproxy.cfg"]),
                            ("docker-compose.public.yml", ["haproxy.cfg", "haproxy.public.cfg"])):
            told = set()
            for part in {"docker-compose.yml", name} if "compose" in name else {name}:
                told |= set(yaml.safe_load((DEPLOY / part).read_text())["services"]["door"]["environment"])
            read = {word for file in files for word in re.findall(r"\$\{(\w+)", (DEPLOY / file).read_text())}
            self.assertEqual(read, told, name)

    def test_the_house_for_strangers_is_the_other_one_with_a_token_and_tls(self):
        ours, theirs = (yaml.safe_load((DEPLOY / name).read_text())["services"] for name in ("docker-compose.yml", "docker-compose.public.yml"))
        token = "--operator-token /keys/gateway/operator.token "
        self.assertEqual(theirs["gateway"]["command"], ours["gateway"]["command"].replace("${ARBITER_GATEWAY", token + "${ARBITER_GATEWAY"))
        self.assertEqual(theirs["door"]["command"], [*ours["door"]["command"], "-f", "/etc/arbiter/haproxy.public.cfg"])
        self.assertEqual(ours["door"]["ports"], ["${ARBITER_PUBLISH:-127.0.0.1:8080}:8080"], "that is the operator's, then")
        inside = set(re.findall(r"^    bind :(\d+)", (DEPLOY / "haproxy.public.cfg").read_text(), re.M))
        self.assertEqual({port.rsplit(":", 1)[1] for port in theirs["door"]["ports"]}, inside)
        self.assertIn("COPY deploy/haproxy.cfg deploy/haproxy.public.cfg /root-of-image/etc/arbiter/", (DEPLOY / "Dockerfile").read_text())


if __name__ == "__main__":
    unittest.main()
