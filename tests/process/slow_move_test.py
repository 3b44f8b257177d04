"""slow_move_test.py: a slow move is explained, by the log of engine and gateway, by `arbiter top --slow`, `arbiter trace`, and
to a collector of traces, wherever it was slow."""
import base64
import concurrent.futures
import http.server
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path.insert(0, str(SOURCE / "tests/lib/gateway"))

import gateway_house  # noqa: E402
import house as process_house  # noqa: E402
import socket_client  # noqa: E402
import socket_play  # noqa: E402

STOPPED_S = 0.4      # Longer than the bound, which is 100 ms.
TRIES = 5            # On a busy machine the move may come only after that, but not each time.
TRY_S = 3.0
PATIENCE_S = 30.0
LINE = re.compile(r"slow command ([0-9a-f]{32}): match ([0-9a-f]{32}), seat (\d+), act (\d+): [0-9.]+ ms: ([^\"]*)")
ENGINES = {"queue", "rules", "commit", "publish"}
# Of OpenTelemetry's ExportTraceServiceRequest (trace.proto, 1.x) what may stand in a span, as its JSON encoding has it.
SPAN = {"traceId": r"[0-9a-f]{32}", "spanId": r"[0-9a-f]{16}", "parentSpanId": r"[0-9a-f]{16}", "name": r".+",
        "startTimeUnixNano": r"\d+", "endTimeUnixNano": r"\d+"}
VALUE = {"stringValue", "intValue"}


class Collector(http.server.BaseHTTPRequestHandler):
    """Takes what is posted, as one for OpenTelemetry does at /v1/traces."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.heard.append((self.path, self.headers["Content-Type"], body))
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


def parts(text):
    """Of a line: part -> milliseconds."""
    return {name: float(ms) for name, ms in re.findall(r"(\w+) ([0-9.]+) ms", text)}


def mostly(found):
    return max(found, key=found.get)


class SlowMoves(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.collector = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
        cls.collector.heard = []
        threading.Thread(target=cls.collector.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.collector.server_close)
        cls.addClassCleanup(cls.collector.shutdown)
        folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="arbiter-slow-")))
        cls.drags = folder / "drags"
        url = f"http://127.0.0.1:{cls.collector.server_port}/v1/traces"
        cls.house = cls.enterClassContext(process_house.House(
            BUILD, folder, {"gateway-0": "gateway"}, {"watchdog": ["--otlp-url", url]},
            environment={"LD_PRELOAD": f"{BUILD}/tests/process/libfailing_sync.so", "ARBITER_SYNC_DRAGS": str(cls.drags),
                         "ASAN_OPTIONS": "verify_asan_link_order=0:" + os.environ.get("ASAN_OPTIONS", "")}))
        cls.house.wait_until_started()
        cls.gateway = cls.enterClassContext(gateway_house.open_gateway(cls.house))
        cls.names = 0

    def sit_down(self):
        """A nim whose first seat is to move; both players."""
        players = []
        for _ in range(2):
            SlowMoves.names += 1
            players.append(socket_client.Player(self.gateway.port))
            players[-1].open(name=f"Player {SlowMoves.names}")
            self.addCleanup(players[-1].close)
        return players, socket_play.sit_down(players, {"game": "nim", "seed": "7"})

    def take(self, player, match, **more):
        """Takes a counter; the number of the act."""
        while True:
            told = player.ask(play={"match_id": match, "seat": 0, "command": {"take": {"heap": 0, "count": 1}}, **more})
            if "refused" not in told:
                self.assertTrue(told["played"]["accepted"], told)
                return int(told["played"]["number"])
            time.sleep(0.1)

    def lines(self, process, match, act, patience_s=PATIENCE_S):
        """What this process says of the act, when it has said it."""
        log = self.house.folder / "log" / f"{process}.log"
        end = time.monotonic() + patience_s
        while True:
            found = [said for said in LINE.findall(log.read_text(errors="replace")) if said[1] == match and int(said[3]) == act]
            if found or time.monotonic() > end:
                return found
            time.sleep(0.05)

    def hex_of(self, match):
        return base64.b64decode(match).hex()

    def console(self, *words):
        return subprocess.run([BUILD / "arbiter", *words, "--home", self.house.folder], capture_output=True, text=True, timeout=60)

    def traces(self, trace_id):
        """Spans of this trace that the collector has, by the process that says so."""
        found = {}
        for path, kind, body in self.collector.heard:
            self.assertEqual((path, kind), ("/v1/traces", "application/json"))
            for resource in json.loads(body)["resourceSpans"]:
                about = {one["key"]: one["value"] for one in resource["resource"]["attributes"]}
                for span in resource["scopeSpans"][0]["spans"]:
                    self.judge(span)
                    if span["traceId"] == trace_id:
                        found.setdefault(about["service.instance.id"]["stringValue"], []).append(span)
        return found

    def judge(self, span):
        for key, value in span.items():
            if key in SPAN:
                self.assertRegex(value, f"^{SPAN[key]}$")
            elif key == "attributes":
                self.assertTrue(all(set(one) == {"key", "value"} and len(one["value"]) == 1 and set(one["value"]) <= VALUE
                                    for one in value), span)
            else:
                self.assertEqual((key, value), ("kind", 1))
        self.assertLessEqual(int(span["startTimeUnixNano"]), int(span["endTimeUnixNano"]))

    def test_a_slow_disk_is_named_by_engine_gateway_console_and_collector(self):
        (ada, _), match = self.sit_down()
        self.drags.touch()
        try:
            act = self.take(ada, match, id="AAECAwQFBgcICQoLDA0ODw==")
        finally:
            self.drags.unlink()
        name, hexed = bytes(range(16)).hex(), self.hex_of(match)
        for process in ("engine", "gateway-0"):
            said = self.lines(process, hexed, act)
            self.assertEqual([one[0] for one in said], [name], process)  # One line each, with the player's own id.
            self.assertEqual(mostly(parts(said[0][4])), "commit", said)
        self.assertLessEqual(set(parts(self.lines("engine", hexed, act)[0][4])), ENGINES | {"door"})
        self.is_told_by_the_console(hexed, act, name)
        end = time.monotonic() + PATIENCE_S
        while set(self.traces(name)) != {"engine-1", "gateway-0"} and time.monotonic() < end:
            time.sleep(0.05)
        for process, spans in self.traces(name).items():
            whole = [span for span in spans if "parentSpanId" not in span]
            self.assertEqual([span["name"] for span in whole], ["command"], process)
            below = [span for span in spans if span.get("parentSpanId") == whole[0]["spanId"]]
            self.assertEqual(len(below), len(spans) - 1)
            length = {span["name"]: int(span["endTimeUnixNano"]) - int(span["startTimeUnixNano"]) for span in below}
            self.assertEqual(mostly(length), "commit")
            self.assertEqual(sum(length.values()), int(whole[0]["endTimeUnixNano"]) - int(whole[0]["startTimeUnixNano"]))

    def is_told_by_the_console(self, match, act, name):
        end = time.monotonic() + PATIENCE_S
        while True:  # A beat takes it to the watchdog.
            traced = self.console("trace", match, str(act), "--json")
            rows = [json.loads(line) for line in traced.stdout.splitlines()]
            if len(rows) == 2 or time.monotonic() > end:
                break
            time.sleep(0.2)
        self.assertEqual({(row["service"], row["id"], row["act"]) for row in rows},
                         {("engine-1", name, act), ("gateway-0", name, act)}, traced.stderr)
        for row in rows:
            found = {key.removesuffix("_ms"): value for key, value in row.items() if key.endswith("_ms") and key not in ("at_ms", "total_ms")}
            self.assertEqual(mostly(found), "commit")
            self.assertAlmostEqual(sum(found.values()), row["total_ms"], places=1)
        wanted = (("top", "--slow", "--once"), ("trace", match, str(act)), ("trace", match, str(act + 1)))
        with concurrent.futures.ThreadPoolExecutor() as pool:
            top, shown, none = pool.map(lambda words: self.console(*words), wanted)
        self.assertRegex(top.stdout, rf"gateway-0 +{match} +{act} +[0-9.]+ commit\n")
        self.assertEqual(shown.stdout.count(f"command {name} of seat 0"), 2, shown)
        self.assertEqual((none.returncode, none.stdout), (1, ""))
        self.assertIn("was slow", none.stderr)

    def stand_still(self, service):
        self.assertTrue(self.house.send(service, signal.SIGSTOP))
        timer = threading.Timer(STOPPED_S, self.house.send, (service, signal.SIGCONT))
        timer.start()
        return timer

    def expect_named(self, service, *names):
        """The gateway says one line of a move while this service stands still, and one of these parts took longest."""
        for _ in range(TRIES):
            (ada, _), match = self.sit_down()
            timer = self.stand_still(service)
            try:
                act = self.take(ada, match)
            finally:
                timer.join()
            said = self.lines("gateway-0", self.hex_of(match), act, TRY_S)
            found = [mostly(parts(one[4])) for one in said]
            if len(found) == 1 and found[0] in names:
                return
        self.fail(f"{service} stood still, and the gateway said {said}")

    def test_a_fanout_that_stands_still_is_named_as_the_delivery(self):
        self.expect_named("fanout", "delivery")

    def test_an_engine_that_stands_still_is_named_as_the_way(self):
        self.expect_named("engine", "way", "queue")  # It knows not when it came, if it was stopped before.


if __name__ == "__main__":
    unittest.main()
