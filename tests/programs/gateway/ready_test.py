"""ready_test.py: what a gateway says of a house whose lobby, engine or watchdogs stand still, or that is full: nothing old is told
as new, and the limit that is in the way by its name."""
import itertools
import os
import pathlib
import re
import signal
import socket
import sys
import time
import unittest
import urllib.error
import urllib.request

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path.insert(0, str(SOURCE / "tests" / "lib" / "gateway"))
import gateway_house  # noqa: E402
import hotseat  # noqa: E402
import socket_client  # noqa: E402

PATIENCE_S = 30
WATCHDOGS = ("watchdog", "watchdog2")
STRANGER = "192.0.2.66"
PERSON = (b"<NewPlayerRequest><FirstName>A</FirstName><SurName>B</SurName><MatriculationNumber>1234567</MatriculationNumber>"
          b"</NewPlayerRequest>")


def up(name):
    return f'arbiter_up{{role="{name.rstrip("2")}",service="{name}-1"}}'


class Ready(unittest.TestCase):
    maxDiff, others = None, itertools.count(1)

    def begin(self, words=(), **house):
        self.house = self.enterContext(gateway_house.open_house(BUILD, 1, **house))
        self.gateway = self.enterContext(gateway_house.open_gateway(self.house, words=words))
        self.addCleanup(self.send, signal.SIGCONT, *self.house.services)
        self.until(lambda: self.ready()[0] == 200)

    def send(self, number, *names):
        for name in names:
            self.house.send(name, number)

    def get(self, page):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.gateway.port}{page}", timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, refused.read().decode()

    def ready(self):
        return self.get("/readyz")

    def shown(self):
        """Series -> value."""
        lines = [line.rsplit(" ", 1) for line in self.get("/metrics")[1].splitlines() if line[:1] not in "#"]
        self.assertEqual(len(lines), len(dict(lines)), "a series is there twice")
        return {series: float(value) for series, value in lines}

    def until(self, holds):
        end = time.monotonic() + PATIENCE_S
        while not holds():
            self.assertLess(time.monotonic(), end, f"{self.ready()}\n{self.get('/metrics')[1][-3000:]}\n{self.house.said(4)}")
            time.sleep(0.1)

    def test_what_stands_still_is_missed_and_its_last_figures_are_not_shown(self):
        self.begin(more={"watchdog2": "watchdog"})
        self.until(lambda: all(self.shown().get(up(name)) == 1 for name in ("lobby", "engine", "fanout", *WATCHDOGS)))
        own = ("arbiter_gateway_ready", "arbiter_gateway_lobby", "arbiter_gateway_watchdogs")
        self.until(lambda: [self.shown()[name] for name in own] == [1, 1, 2])
        before = self.shown()
        for name in WATCHDOGS:  # Each under its own name: to be added up.
            self.assertIn(f'arbiter_expiries_total{{role="watchdog",service="{name}-1"}}', before)
            self.assertLess(before[f'arbiter_watchdog_age_seconds{{role="watchdog",service="{name}-1"}}'], 5)
        self.until(lambda: self.ready() == (200, "ready gateway-0\n"))

        self.send(signal.SIGSTOP, "lobby", "engine", "watchdog2")
        self.until(lambda: all(word in self.ready()[1] for word in ("lobby: silent for ", "store: no engine lives\n")))
        status, body = self.ready()
        self.assertEqual((status, body.splitlines()[0]), (503, "open gateway-0"))
        self.assertNotIn("watchdog:", body)
        self.until(lambda: 'arbiter_lag_seconds{role="engine",service="engine-1"}' not in self.shown())
        # On a machine that is busy anybody may be suspect for a moment; those who stand still are so for good.
        names = ("lobby", "engine", "fanout", "watchdog2", "watchdog")
        self.until(lambda: [self.shown().get(up(name)) for name in names] == [0, 0, 1, 0, 1])
        after = self.shown()
        self.assertGreater(after['arbiter_beat_age_seconds{role="engine",service="engine-1"}'], 5)
        self.assertEqual([line for line in after if 'service="engine-1"' in line and re.match(r"arbiter_(turn|commit|acts)", line)], [])
        self.assertEqual((after["arbiter_gateway_lobby"], after["arbiter_gateway_ready"]), (0, 0))
        self.assertGreater(after["arbiter_gateway_lobby_age_seconds"], 5)

        self.send(signal.SIGCONT, "lobby", "engine")
        self.send(signal.SIGSTOP, *WATCHDOGS)
        self.until(lambda: "watchdog: no word for " in self.ready()[1] and "lobby" not in self.ready()[1])
        status, body = self.ready()
        self.assertEqual((status, body.splitlines()[0]), (503, "open gateway-0"))
        alone = self.shown()
        self.assertEqual([line for line in alone if line.startswith(("arbiter_up", "arbiter_lag", "arbiter_waits"))], [])
        self.assertEqual(alone["arbiter_gateway_watchdogs"], 0)
        self.assertGreater(alone['arbiter_watchdog_age_seconds{role="watchdog",service="watchdog-1"}'], 5)

        self.send(signal.SIGCONT, *WATCHDOGS)
        self.until(lambda: self.ready()[0] == 200)

    def test_every_limit_is_shown_and_the_one_in_the_way_is_named(self):
        page = (SOURCE / "deploy/monitoring/README.md").read_text()
        rows = [(service, setting, int(default.replace(",", ""))) for service, setting, default in
                re.findall(r"^\| (\w+) \| `(\w+)` \| ([\d,]+) \|", page, re.M)]
        wanted = {(service, setting): default for service, setting, default in rows if service != "gateway"}
        wanted[("lobby", "tables_max")] = 3
        self.begin(settings={"lobby": ["--tables-max", "3"]})
        def bounded():
            return {found[1] for line in self.shown() if (found := re.match(r'arbiter_limit\{.*role="(\w+)"', line))}
        self.until(lambda: bounded() >= {service for service, _, _ in rows})
        shown = {re.search(r'role="(\w+)".*setting="(\w+)"', line).groups(): value for line, value in self.shown().items()
                 if line.startswith("arbiter_limit{")}
        replicas = {("lobby", f"replicas_{role}"): 1 for role in ("fanout", "gateway")}
        self.assertEqual({row: value for row, value in shown.items() if row[0] != "gateway"}, {**wanted, **replicas})
        self.assertEqual({row for row in shown if row[0] == "gateway"}, {(service, setting) for service, setting, _ in rows if service == "gateway"})

        with hotseat.Hotseat(self.house) as player:
            def open_table():
                player.answer(player.client.create_table("nim", setup='{"heaps": [3]}', seats=2, seated=False))
            for _ in range(3):
                open_table()
            with self.assertRaisesRegex(AssertionError, "LOBBY_FULL"):
                open_table()
        of_tables = 'arbiter_{}{{role="lobby",service="lobby-1",setting="tables_max"}}'
        self.until(lambda: [self.shown().get(of_tables.format(what)) for what in ("limit_refused_total", "used")] == [1, 3])
        log = self.house.services["lobby"].log.read_text()
        self.assertEqual(log.count("tables_max is reached: 1 refused"), 1, log[-2000:])

    def test_what_one_address_takes_is_shown_and_logged_where_it_is_refused(self):
        self.begin(["--proxy", "127.0.0.1", "--open-metrics", "--tabs-per-address", "4", "--players-per-address", "2"],
                   settings={"lobby": ["--names-per-minute", "3"]})
        said = [self.comes(f"Many {i}") for i in range(5)]
        self.assertEqual(said, ["welcome", "welcome", "welcome", "answer", 503])
        self.until(lambda: self.registers(f"203.0.113.{next(self.others)}"))  # The house is getting up.
        self.assertEqual([self.registers("192.0.2.67") for _ in range(3)], [True, True, False])
        for role, setting, used, limit in (("gateway", "tabs_per_address", 4, 4), ("gateway", "players_per_address", 2, 2),
                                           ("lobby", "names_per_minute", None, None)):
            self.until(lambda: self.number("limit_refused_total", role, setting) == 1)
            self.until(lambda: (self.number("used", role, setting), self.number("limit", role, setting)) == (used, limit))
            log = self.gateway.said() if role == "gateway" else self.house.services["lobby"].log.read_text()
            self.assertEqual(log.count(f"{setting} is reached: 1 refused"), 1, log[-2000:])
        self.until(lambda: (self.number("used", "lobby", "names_per_address") or 0) >= 3)

    def number(self, what, role, setting):
        """None where it is not shown: on a busy machine the figures of another service may be too old for a moment."""
        name = "gateway-0" if role == "gateway" else f"{role}-1"
        return self.shown().get(f'arbiter_{what}{{role="{role}",service="{name}",setting="{setting}"}}')

    def comes(self, name):
        """How a tab of that address is answered, which then stays."""
        tab = socket_client.Player(self.gateway.port, headers=[f"X-Forwarded-For: {STRANGER}"])
        self.addCleanup(tab.close)
        try:
            return next(iter(set(tab.open(name=name)) & {"welcome", "answer"}))
        except socket_client.Closed as why:
            return why.code

    def registers(self, address):
        asked = urllib.request.Request(f"http://127.0.0.1:{self.gateway.port}/NewPlayer", PERSON,
                                       {"Content-Type": "application/xml", "X-Forwarded-For": address})
        try:
            with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answer:
                return b"<ID>" in answer.read()
        except urllib.error.HTTPError as refused:
            refused.close()
            return False

    def test_open_files_are_counted_and_whoever_is_one_too_many_is_logged(self):
        self.begin(settings={"fanout": ["--connections-max", "100", "--knocks-burst", "4096"]})
        self.until(lambda: 0 < (self.number("used", "fanout", "connections_max") or 0) < 80)
        self.until(lambda: self.number("limit", "fanout", "connections_max") == 100)
        place, lines = self.house.address("fanout", "stream").split("://")[1], []
        self.addCleanup(lambda: [line.close() for line in lines])

        def are_many():
            """Who says nothing is shown out after two seconds, which may be over before they are counted: then others come."""
            for gone in [line for line in lines if self.has_ended(line)]:
                lines.remove(gone)
                gone.close()
            while len(lines) < 120:
                lines.append(socket.socket(socket.AF_UNIX))
                lines[-1].connect(place)
            return (self.number("used", "fanout", "connections_max") or 0) >= 80
        self.until(are_many)
        self.until(lambda: (self.number("limit_refused_total", "fanout", "connections_max") or 0) > 0)
        self.assertRegex(self.house.services["fanout"].log.read_text(), r"connections_max is reached: \d+ refused")

    @staticmethod
    def has_ended(line):
        try:
            while line.recv(4096, socket.MSG_DONTWAIT):
                pass
        except BlockingIOError:
            return False
        except OSError:
            pass
        return True


if __name__ == "__main__":
    unittest.main()
