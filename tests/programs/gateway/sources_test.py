"""sources_test.py: while one address takes all it can, others come in, sit down and play; a class behind one address is no attack."""
import contextlib
import itertools
import os
import pathlib
import re
import resource
import sys
import threading
import time
import unittest
import urllib.error
import urllib.request

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path.insert(0, str(SOURCE / "tests" / "lib" / "gateway"))
import gateway_house  # noqa: E402
import socket_client  # noqa: E402
import socket_play  # noqa: E402

ATTACKER, SCHOOL = "192.0.2.66", "198.51.100.9"
GATEWAY = ("--proxy", "127.0.0.1", "--crowd-networks", "198.51.100.0/24", "--http-connections-max", "4096",
           "--tab-burst", "100000", "--tab-per-10-s", "1000000", "--seats-max", "1024", "--tables-max", "1024")
PUPILS = 200
PERSON = (b"<NewPlayerRequest><FirstName>A</FirstName><SurName>B</SurName><MatriculationNumber>1234567</MatriculationNumber>"
          b"</NewPlayerRequest>")
NAMES, TABLES = 64, 16  # Of one address at once: the lobby's own bounds.
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)


class Attack:
    """One address that opens tabs, says names, opens tables and takes seats, as fast as it is let."""

    def __init__(self, port):
        self.port, self.granted, self.refused, self.is_over = port, {}, 0, threading.Event()
        self.numbers, self.lock = itertools.count(), threading.Lock()
        self.threads = [threading.Thread(target=self.run, daemon=True) for _ in range(4)]
        for thread in self.threads:
            thread.start()

    def count(self, what, answer):
        is_done = "welcome" in answer or answer.get("answer", {}).get("verdict") == "VERDICT_DONE"
        with self.lock:
            self.granted[what] = self.granted.get(what, 0) + is_done
            self.refused += not is_done
        return is_done

    def run(self):
        """A new visitor each time, who stays for as many tables as he is granted."""
        while not self.is_over.is_set():
            with contextlib.suppress(socket_client.Closed, OSError, AssertionError), contextlib.closing(
                    socket_client.Player(self.port, headers=[f"X-Forwarded-For: {ATTACKER}"])) as one:
                if not self.count("names", one.open(name=f"Attacker {next(self.numbers)}")):
                    continue
                while self.count("tables", one.ask(ask={"create_table": {"game": "four", "seated": False}})):
                    pass
                self.count("seats", one.ask(ask={"quick_play": {"game": "four"}}))

    def wait_until_refused(self, times):
        while self.refused < times:
            time.sleep(0.02)

    def close(self):
        self.is_over.set()
        for thread in self.threads:
            thread.join()


class Sources(unittest.TestCase):
    def open(self, lobby, *words):
        """`lobby`: its own settings."""
        house = self.enterContext(gateway_house.open_house(BUILD, 1, settings={"lobby": [str(word) for word in lobby]}))
        return self.enterContext(gateway_house.open_gateway(house, words=(*GATEWAY, *words)))

    def visitor(self, gateway, name, address):
        one = socket_client.Player(gateway.port, headers=[f"X-Forwarded-For: {address}"])
        self.addCleanup(one.close)
        welcome = one.open(name=name)
        self.assertIn("player", welcome.get("welcome", {}), welcome)
        return one

    def test_newcomers_sit_down_and_play_while_one_address_takes_all_it_can(self):
        gateway = self.open(["--players-max", 400, "--tables-max", 100])
        attack = Attack(gateway.port)
        self.addCleanup(attack.close)
        for i in range(5):
            pair = [self.visitor(gateway, f"Newcomer {2 * i + k}", f"203.0.113.{2 * i + k}") for k in range(2)]
            match = socket_play.sit_down(pair, {"game": "nim", "seed": "7"})
            self.assertTrue(socket_play.play_out(pair, match))
        attack.wait_until_refused(1)
        attack.close()
        self.assertGreater(attack.granted["names"], 0)
        self.assertLessEqual(attack.granted["names"], NAMES)
        self.assertLessEqual(attack.granted["tables"], TABLES)

    def test_what_is_full_makes_room_from_whoever_took_most(self):
        gateway = self.open(["--players-max", 120, "--tables-max", 60, "--names-per-address", 0, "--names-per-minute", 0,
                             "--tables-per-address", 0, "--tables-per-minute", 0])
        attack = Attack(gateway.port)
        self.addCleanup(attack.close)
        attack.wait_until_refused(200)  # It has all there is.
        for i in range(5):
            pair = [self.visitor(gateway, f"Newcomer {2 * i + k}", f"203.0.113.{2 * i + k}") for k in range(2)]
            match = socket_play.sit_down(pair, {"game": "nim", "seed": "7"})
            self.assertTrue(socket_play.play_out(pair, match))

    def test_a_class_behind_one_listed_address_plays(self):
        gateway = self.open([])
        pupils, played = [], {}
        for i in range(PUPILS):
            pupils.append(self.visitor(gateway, f"Pupil {i}", SCHOOL))
            if i % 2 == 1:
                played[socket_play.sit_down(pupils[-2:], {"game": "nim", "seed": "7"})] = pupils[-2:]
            if i % 20 == 0:
                self.stay(pupils)
        self.assertEqual(len(played), PUPILS // 2, "all play at once")
        while played:
            played = {match: pair for match, pair in played.items() if not socket_play.play_out(pair, match, 1)}
            self.stay(pupils)

    def stay(self, pupils):
        """Whoever answers no ping for long is taken for gone, and this test is slow on a busy machine."""
        for one in pupils:
            socket_play.drain(one, 0.001)

    def test_who_is_of_no_listed_network_has_an_address_own_bounds(self):
        gateway = self.open([], "--tabs-per-address", "0")
        said = []
        for i in range(NAMES):
            one = socket_client.Player(gateway.port, headers=[f"X-Forwarded-For: {ATTACKER}"])
            self.addCleanup(one.close)
            said.append(one.open(name=f"Many {i}"))
        self.assertIn("welcome", said[0])
        self.assertEqual(said[-1]["answer"]["verdict"], "VERDICT_LOBBY_FULL")
        self.assertIn("from your address", said[-1]["answer"]["sentence"])

    def register(self, gateway, address):
        """The id of a new player at the 2017 door; 0: there is none for this address now."""
        asked = urllib.request.Request(f"http://127.0.0.1:{gateway.port}/NewPlayer", PERSON,
                                       {"Content-Type": "application/xml", "X-Forwarded-For": address})
        try:
            with urllib.request.urlopen(asked, timeout=60) as answer:
                found = re.search(rb"<ID>(\d+)</ID>", answer.read())
        except urllib.error.HTTPError as refused:
            with refused:
                found = None
        return int(found[1]) if found else 0

    def test_at_the_door_of_2017_one_address_has_so_many_players_too(self):
        gateway = self.open([], "--players-per-address", "3")
        while not self.register(gateway, "203.0.113.1"):
            pass  # The house is still getting up.
        ids = [self.register(gateway, ATTACKER) for _ in range(5)]
        self.assertEqual([bool(one) for one in ids], [True, True, True, False, False])
        self.assertTrue(self.register(gateway, "203.0.113.2"))
        self.assertTrue(all(self.register(gateway, SCHOOL) for _ in range(5)))

    def test_nobody_says_himself_where_he_is_from(self):
        gateway = self.open([])
        one = self.visitor(gateway, "Liar", ATTACKER)
        for lie in ({"from": "1"}, {"crowd": True}):
            refused = one.ask(ask={"list_tables": {}, **lie})
            self.assertEqual(refused["refused"]["refusal"], "REFUSAL_NOT_YOURS", lie)


if __name__ == "__main__":
    unittest.main()
