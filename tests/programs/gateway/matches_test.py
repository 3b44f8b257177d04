"""matches_test.py: what is read over HTTP: lists of matches, finished ones as files and replays, and the page's files."""
import gzip
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path.insert(0, str(SOURCE / "tests" / "lib" / "gateway"))
import exchange  # noqa: E402
import gateway_house  # noqa: E402
import hotseat  # noqa: E402

PATIENCE_S = 60
INDEX = b"<!doctype html><title>a page</title>" + b"<!-- -->" * 100
SCRIPT = b"export const long = '" + b"la " * 20000 + b"';"
PAGE = {"index.html": INDEX, "index.html.gz": gzip.compress(INDEX), "icon.svg": b"<svg/>",
        "assets/index-3fa9c1.js": SCRIPT, "assets/index-3fa9c1.js.gz": gzip.compress(SCRIPT),
        ".hidden": b"not for anybody"}


def make_page(folder):
    for name, content in PAGE.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    (folder.parent / "secret.txt").write_text("outside")
    (folder / "link.txt").symlink_to(folder.parent / "secret.txt")


class Matches(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stack = contextmanagers = []
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        make_page(cls.folder / "web")
        # Small answers, so that a file comes in many pieces.
        cls.enter(gateway_house.open_house(BUILD, 2, {"engine": ["--history-answer-bytes", "4096"]}))
        cls.house = cls.entered
        cls.enter(gateway_house.open_gateway(cls.house, words=["--web", cls.folder / "web"]))
        cls.gateway = cls.entered
        exchange.wait_until_ready(cls.gateway.port)
        cls.player = hotseat.Hotseat(cls.house)
        contextmanagers.append(cls.player)
        cls.finished = cls.player.play([3, 4])[0].hex()
        cls.long = cls.player.play([260])[0].hex()
        cls.secret, cls.code = cls.player.play([2], private_table=True)
        cls.running = cls.player.begin([9])[0].hex()

    @classmethod
    def enter(cls, manager):
        cls.entered = manager.__enter__()
        cls.stack.append(manager)

    @classmethod
    def tearDownClass(cls):
        for manager in reversed(cls.stack):
            manager.__exit__(None, None, None)
        shutil.rmtree(cls.folder)

    def ask(self, path, method="GET", **headers):
        """(status, headers, body as it came)."""
        connection = http.client.HTTPConnection("127.0.0.1", self.gateway.port, timeout=PATIENCE_S)
        try:
            connection.request(method, path, headers={name.replace("_", "-"): text for name, text in headers.items()})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def raw(self, path, method="GET", port=None):
        """(head, body), and nobody has tidied up anything."""
        with socket.create_connection(("127.0.0.1", port or self.gateway.port), timeout=PATIENCE_S) as peer:
            peer.sendall(f"{method} {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
            with peer.makefile("rb") as file:
                return file.read().split(b"\r\n\r\n", 1)

    def read(self, path, **headers):
        status, _, body = self.ask(path, **headers)
        self.assertEqual(status, 200, body)
        return body

    def arbiter(self, *words):
        return subprocess.run([BUILD / "arbiter", *[str(word) for word in words]], check=True, capture_output=True,
                              timeout=PATIENCE_S).stdout

    def exported(self, match_id):
        file = self.folder / f"{match_id}.match"
        self.arbiter("match", "export", match_id, file, "--home", self.house.folder)
        return file

    def assert_refused(self, path, status, error, **headers):
        came, told, body = self.ask(path, **headers)
        self.assertEqual((came, json.loads(body)["error"]), (status, error))
        self.assertEqual(told["Content-Type"], "application/json")
        self.assertTrue(json.loads(body)["sentence"])

    def test_a_finished_match_is_the_file_that_export_writes_and_verifies(self):
        for match_id in (self.finished, self.long):
            file = self.exported(match_id)
            status, headers, body = self.ask(f"/api/matches/{match_id}/file")
            self.assertEqual((status, body), (200, file.read_bytes()))
            self.assertEqual(headers["Content-Type"], "application/octet-stream")
            self.assertIn(f"{match_id}.match", headers["Content-Disposition"])
            file.write_bytes(body)
            self.assertIn(b"holds", self.arbiter("verify", file))
            self.assertEqual(self.read(f"/api/matches/{match_id}/file"), body)

    def test_a_replay_says_what_the_tool_says_and_what_was_seen(self):
        for match_id in (self.finished, self.long):
            lines = self.arbiter("replay", "--json", self.exported(match_id)).splitlines()
            replay = json.loads(self.read(f"/api/matches/{match_id}/replay"))
            views = [act.pop("view") for act in replay["acts"]]
            self.assertEqual(replay["acts"], [json.loads(line) for line in lines])
            self.assertEqual(replay["header"]["game"], "nim")
            self.assertEqual([seat["name"] for seat in replay["header"]["seat"]], ["Ada", "Ada"])
            left = [sum(view["heaps"]) for view in views]
            self.assertEqual(left, list(range(len(views) - 1, -1, -1)))
            again = json.loads(self.read(f"/api/matches/{match_id}/replay"))
            self.assertEqual([act.get("view") for act in again["acts"]], views)

    def test_a_replay_is_compressed_for_who_wants_that_and_for_nobody_else(self):
        path = f"/api/matches/{self.long}/replay"
        plain = self.read(path)
        for accepted, is_packed in (("gzip", True), ("br, gzip;q=0.5", True), ("br", False), ("gzip;q=0", False)):
            _, headers, body = self.ask(path, Accept_Encoding=accepted)
            self.assertEqual(headers["Content-Encoding"], "gzip" if is_packed else None)
            self.assertEqual(headers["Vary"], "Accept-Encoding")
            self.assertEqual(gzip.decompress(body) if is_packed else body, plain)
            self.assertTrue(not is_packed or len(body) < len(plain) / 3)

    def test_a_seat_is_shown_as_it_saw_and_one_that_was_not_there_is_not(self):
        shown = json.loads(self.read(f"/api/matches/{self.finished}/replay?seat=1"))
        self.assertEqual(shown["acts"][0]["view"]["heaps"], [3, 4])
        self.assert_refused(f"/api/matches/{self.finished}/replay?seat=2", 404, "no_such_seat")

    def test_a_running_match_has_neither(self):
        self.assert_refused(f"/api/matches/{self.running}/file", 425, "not_over")
        self.assert_refused(f"/api/matches/{self.running}/replay", 425, "not_over")

    def test_what_is_no_match_is_not_found(self):
        self.assert_refused(f"/api/matches/{'0' * 32}/file", 404, "no_such_match")
        self.assert_refused("/api/matches/nonsense/file", 404, "no_such_match")
        self.assert_refused(f"/api/matches/{self.finished}/secrets", 404, "no_such_page")
        self.assert_refused("/api/anything", 404, "no_such_page")

    def test_a_private_one_wants_its_code(self):
        path = f"/api/matches/{self.secret.hex()}"
        for what in ("file", "replay"):
            self.assert_refused(f"{path}/{what}", 403, "private")
            self.assert_refused(f"{path}/{what}", 403, "private", Authorization="Code wrong")
            self.read(f"{path}/{what}", Authorization=f"Code {self.code}")
            self.assert_refused(f"{path}/{what}", 403, "private")   # Whatever is kept by now.

    def test_lists_name_public_matches_in_pages(self):
        lists = json.loads(self.read("/api/matches"))
        self.assertEqual([match["id"] for match in lists["running"]["matches"]], [self.running])
        listed = [match["id"] for match in lists["finished"]["matches"]]
        self.assertLessEqual({self.finished, self.long}, set(listed))
        self.assertEqual(list(json.loads(self.read("/api/matches?state=running"))), ["running"])
        first = json.loads(self.read("/api/matches?state=finished&limit=1"))["finished"]
        self.assertEqual(([match["id"] for match in first["matches"]], first["more"]), (listed[:1], True))
        second = json.loads(self.read(f"/api/matches?state=finished&limit=9&after={first['next']}"))["finished"]
        self.assertEqual(([match["id"] for match in second["matches"]], second["more"]), (listed[1:], False))
        self.assertEqual(json.loads(self.read("/api/matches?game=dead"))["finished"]["matches"], [])
        self.assert_refused("/api/matches?state=other", 400, "malformed")
        self.assert_refused("/api/matches?state=finished&after=x", 400, "malformed")
        for game in ("%ff%fe", "%ed%a0%80", "x" * 40):
            self.assert_refused(f"/api/matches?state=running&game={game}", 400, "malformed")

    def test_many_who_want_the_same_get_the_same(self):
        path = f"/api/matches/{self.long}/replay?seat=0"
        sockets = [socket.create_connection(("127.0.0.1", self.gateway.port), timeout=PATIENCE_S) for _ in range(40)]
        for peer in sockets:
            peer.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n".encode())
        bodies = set()
        for peer in sockets:
            with peer, peer.makefile("rb") as file:
                bodies.add(file.read().split(b"\r\n\r\n", 1)[1])
        self.assertEqual(len(bodies), 1)
        self.assertEqual(len(json.loads(gzip.decompress(bodies.pop()))["acts"]), 261)

    def test_the_page_comes_with_what_a_browser_must_know(self):
        for path in ("/", "/index.html", "/table/abc", "/match/1/2", "/replay/77", "/operator"):
            status, headers, body = self.ask(path, Accept_Encoding="gzip, deflate")
            self.assertEqual((status, gzip.decompress(body)), (200, INDEX))
            self.assertEqual(headers["Content-Type"], "text/html; charset=utf-8")
            self.assertEqual(headers["Cache-Control"], "no-cache")
            self.assertEqual(self.read(path), INDEX)
            self.assertRegex(headers["Content-Security-Policy"], "^default-src 'self'; (?!.*unsafe)")
            self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
            self.assertEqual(headers["Referrer-Policy"], "no-referrer")
            again, _, body = self.ask(path, If_None_Match=headers["ETag"])
            self.assertEqual((again, body), (304, b""))
            self.assertEqual(self.ask(path, If_None_Match='"other"')[0], 200)

    def test_named_by_its_hash_a_file_never_changes(self):
        status, headers, body = self.ask("/assets/index-3fa9c1.js", Accept_Encoding="gzip")
        self.assertEqual((status, gzip.decompress(body)), (200, SCRIPT))
        self.assertEqual(headers["Content-Type"], "text/javascript; charset=utf-8")
        self.assertIn("immutable", headers["Cache-Control"])
        self.assertEqual(self.read("/assets/index-3fa9c1.js"), SCRIPT)
        self.assertEqual(self.ask("/icon.svg")[1]["Content-Type"], "image/svg+xml")
        self.assertEqual(self.ask("/icon.svg")[1]["Cache-Control"], "no-cache")

    def test_head_is_get_without_the_body(self):
        for path in ("/", "/assets/index-3fa9c1.js", "/api/matches", f"/api/matches/{self.finished}/file",
                     f"/api/matches/{self.finished}/replay", f"/api/matches/{self.running}/file", "/nothing"):
            got, head, body = self.ask(path), *self.raw(path, "HEAD")
            self.assertEqual(body, b"")
            self.assertIn(f"HTTP/1.1 {got[0]} ".encode(), head)
            if path != "/nothing":   # GET says it in the dialect of 2017.
                self.assertIn(f"\r\nContent-Length: {got[1]['Content-Length']}\r\n".encode(), head)

    def test_no_path_leads_out_of_the_folder(self):
        for path in ("/../secret.txt", "/assets/../../secret.txt", "/assets/..%2f..%2fsecret.txt", "/%2e%2e/secret.txt",
                     "//secret.txt", "/link.txt", "/.hidden", "/assets", "/assets/", "/index.html.gz", "/assets/\\..\\x",
                     "/index.html%00.js", f"/{self.folder}/secret.txt", "/assets/" + "a" * 2000):
            answer = b"".join(self.raw(path))
            self.assertNotIn(b"outside", answer)
            self.assertNotIn(b"not for anybody", answer)
            self.assertNotIn(b"HTTP/1.1 200", answer, path)

    def test_who_takes_his_time_gets_all_of_it_and_stops_nobody(self):
        with socket.socket() as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.settimeout(PATIENCE_S)
            slow.connect(("127.0.0.1", self.gateway.port))
            slow.sendall(f"GET /api/matches/{self.long}/replay HTTP/1.1\r\nHost: a\r\n\r\n".encode() * 2)
            self.read("/assets/index-3fa9c1.js")
            text = b""
            while part := slow.recv(999):
                text += part
        self.assertEqual(text.split(b"\r\n\r\n", 1)[1], self.read(f"/api/matches/{self.long}/replay"))

    def test_metrics_tell_of_every_service(self):
        metrics, told, all_roles = {}, set(), {"lobby", "engine", "fanout", "gateway", "watchdog"}
        end = time.monotonic() + PATIENCE_S
        played = 3 + 4 + 260 + 2   # A beat is a little behind.
        while time.monotonic() < end and (
                told != all_roles or int(metrics.get('arbiter_commands_total{role="engine",service="engine-1"}', 0)) < played or
                metrics.get('arbiter_slots_behind{role="fanout",service="fanout-1"}') != "0"):
            lines = self.read("/metrics").decode().splitlines()
            metrics = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
            told = {re.search(r'role="(\w+)"', name).group(1) for name in metrics if name.startswith("arbiter_turn_seconds_count{")}
            time.sleep(0.1)
        self.assertEqual(told, all_roles)

        def of_engine(name, more=""):
            return float(metrics[f'{name}{{role="engine",service="engine-1"{more}}}'])
        commits = of_engine("arbiter_commit_seconds_count")
        self.assertGreater(commits, 0)
        self.assertEqual(of_engine("arbiter_commit_seconds_bucket", ',le="+Inf"'), commits)
        steps = [float(value) for name, value in metrics.items()
                 if name.startswith("arbiter_commit_seconds_bucket") and 'service="engine-1"' in name]
        self.assertEqual((len(steps), steps), (17, sorted(steps)))
        self.assertGreater(of_engine("arbiter_commit_seconds_sum"), 0)
        for role in all_roles:
            whole = [(name, float(value)) for name, value in metrics.items() if f'{{role="{role}"' in name and "_turn_seconds_" in name]
            turns = {name.split("{")[0]: value for name, value in whole if "_bucket" not in name or "+Inf" in name}
            self.assertGreater(turns["arbiter_turn_seconds_count"], 0)
            self.assertEqual(turns["arbiter_turn_seconds_bucket"], turns["arbiter_turn_seconds_count"])
        self.assertGreaterEqual(of_engine("arbiter_commands_total"), played)
        self.assertGreaterEqual(of_engine("arbiter_acts_total"), played)
        self.assertEqual(of_engine("arbiter_slots"), 256)
        self.assertGreater(of_engine("arbiter_matches"), 0)
        self.assertEqual(metrics['arbiter_slots_behind{role="fanout",service="fanout-1"}'], "0")
        table = (SOURCE / "common/core/figures.h").read_text()
        figures = re.findall(r"FIGURE\((\w+), \"(arbiter_\w+)\"", table)
        self.assertGreaterEqual(len(figures), 16)
        self.assertEqual([name for name, metric in figures if f'{metric}{{role="engine",service="engine-1"}}' not in metrics], [])
        self.assertIn('arbiter_waits{role="watchdog",service="watchdog-1"}', metrics)
        self.assertIn("arbiter_gateway_ready", metrics)

    def test_a_house_without_a_page_says_so(self):
        with gateway_house.open_gateway(self.house, "gateway-1", words=["--web", self.folder / "nowhere"]) as gateway:
            head, body = self.raw("/operator", port=gateway.port)
        self.assertIn(b"HTTP/1.1 200", head)
        self.assertIn(b"its page was not built", body)


if __name__ == "__main__":
    unittest.main()
