"""public_test.py: a house for strangers, behind the door that docker-compose.public.yml ships: TLS, bounds, and nothing of the operator's."""
import contextlib
import http.client
import json
import os
import pathlib
import queue
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import yaml

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path.insert(0, str(SOURCE / "tests" / "lib" / "gateway"))
import gateway_house  # noqa: E402
import haproxy_door  # noqa: E402
import socket_client  # noqa: E402

PATIENCE_S = 60
NAME = "play.example"
TOKEN = "the-operator's-own-token"
HSTS = "max-age=31536000"
# As many ways to spell what is the operator's as a gateway, or the door, might read as one.
HIDDEN = ("/metrics", "/metrics?a=b", "/metrics#a", "/METRICS", "//metrics", "/./metrics", "/a/../metrics", "/%6detrics", "/%6Detrics",
          "/metric%73", "/metrics%3f", "/.//metrics", "/%2e/metrics", "/assets/../metrics", "/metrics/", "/%2fmetrics", "/;/metrics",
          "/metrics;a", "/\\metrics", "/operator", "/operator/", "/%6fperator", "//operator", "/api/operator/ban",
          "/api/house", "/api//house", "/api/./house", "/api/x/../house", "/api/hous%65", "/%61pi/house/", "/API/HOUSE", "/api/house?a=b")


def make_certificate(folder, name=NAME):
    """As an operator puts it there: certificate and key in one file. What a visitor trusts."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-keyout", folder / "key", "-out", folder / "site.crt", "-subj", f"/CN={name}",
                    "-addext", f"subjectAltName=DNS:{name},IP:127.0.0.1"], check=True, capture_output=True)
    new = folder / "site.new"
    new.write_bytes((folder / "site.crt").read_bytes() + (folder / "key").read_bytes())
    os.makedirs(folder / "certificates", exist_ok=True)
    os.replace(new, folder / "certificates" / "site.pem")
    return ssl.create_default_context(cafile=folder / "site.crt")


def gateway_words(name, token):
    """What the gateway of this file is started with. This machine stands for the door."""
    command = yaml.safe_load((SOURCE / "deploy" / name).read_text())["services"]["gateway"]["command"]
    words = [word for word in command[command.index("--listen-http"):].split()[2:] if not word.startswith("${")]
    words[words.index("--proxy") + 1] += ",127.0.0.1"
    return [str(token) if word == "/keys/gateway/operator.token" else word for word in words]


class Public(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if haproxy_door.haproxy() is None:
            raise AssertionError("there is no haproxy: deploy/check installs it")
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.token = cls.folder / "operator.token"
        cls.token.write_text(TOKEN + "\n")
        cls.trusts = make_certificate(cls.folder)
        cls.house = cls.enterClassContext(gateway_house.open_house(BUILD, 2))
        cls.gateway = cls.enterClassContext(gateway_house.open_gateway(
            cls.house, "gateway-1", words=gateway_words("docker-compose.public.yml", cls.token)))
        cls.door = cls.open_door(cls.enterClassContext)
        # Another one with little patience, for those who take too much.
        cls.strict = cls.open_door(cls.enterClassContext, changes=[("timeout client 75s", "timeout client 2s"), (
            "timeout http-request 10s", "timeout http-request 2s")], ARBITER_PER_ADDRESS="3", ARBITER_RATE="20",
            ARBITER_BODY_MAX="1000", ARBITER_PROXIES="127.3.0.0/16")

    @classmethod
    def open_door(cls, enter, certificates="its own", changes=(), **environment):
        folder = pathlib.Path(enter(tempfile.TemporaryDirectory()))
        certificates = cls.folder / "certificates" if certificates == "its own" else certificates
        return enter(haproxy_door.open_door(folder, cls.gateway.port, certificates, changes, ARBITER_NAME=NAME, **environment))

    def own_door(self, **how):
        return self.open_door(self.enterContext, **how)

    def connect(self, port, tls=True, source="127.0.0.1"):
        line = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S, source_address=(source, 0))
        line = self.trusts.wrap_socket(line, server_hostname=NAME) if tls else line
        self.addCleanup(line.close)
        return line

    def ask(self, port, path="/", tls=True, source="127.0.0.1", method="GET", body=b"", length=None, **headers):
        """Status, headers and body. `length`: of a body that is promised, and not sent."""
        line = self.connect(port, tls, source)
        more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in {"Host": NAME, **headers}.items())
        length = f"Content-Length: {length or len(body)}\r\n" if body or length else ""
        line.sendall(f"{method} {path} HTTP/1.1\r\n{more}{length}Connection: close\r\n\r\n".encode() + body)
        answer = http.client.HTTPResponse(line)
        answer.begin()
        said = answer.read().decode(errors="replace")
        line.close()
        return answer.status, answer.headers, said

    def tab(self, door, **how):
        tab = socket_client.Socket(door.public, tls=self.trusts, **how)
        self.addCleanup(tab.cut)
        return tab

    def status(self, door, **how):
        try:
            self.tab(door, **how)
        except socket_client.Closed as why:
            return why.code
        return 101

    # TLS, and nothing without it.

    def test_who_comes_without_tls_is_sent_to_it_at_our_own_name(self):
        for path, method, host in (("/", "GET", NAME), ("/match/x?seat=2", "GET", NAME), ("/NewPlayer", "POST", NAME),
                                   ("/", "GET", "evil.example"), ("//evil.example/", "GET", NAME)):
            status, headers, _ = self.ask(self.door.plain, path, tls=False, method=method, Host=host)
            self.assertEqual((status, headers["Location"]), (308, f"https://{NAME}{path}"))
        for path in ("/metrics", "/ws", "/healthz"):
            self.assertEqual(self.ask(self.door.plain, path, tls=False)[0], 308, path)

    def test_every_answer_tells_browsers_to_speak_tls_alone(self):
        for path, how, wanted in (("/", {}, 200), ("/healthz", {}, 200), ("/api/matches", {}, 200), ("/metrics", {}, 404),
                                  ("/NewPlayer", {"method": "POST", "length": 70000}, 413)):
            status, headers, _ = self.ask(self.door.public, path, **how)
            self.assertEqual((status, headers.get_all("Strict-Transport-Security")), (wanted, [HSTS]), path)

    def test_old_tls_is_not_spoken(self):
        old = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{self.door.public}", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0"],
                             stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.assertNotEqual(old.returncode, 0)

    def test_a_page_by_tls_is_ours_and_plays_and_its_cookie_is_for_tls(self):
        own = f"127.0.0.1:{self.door.public}"
        page = socket_client.Player(self.door.public, origin=f"https://{own}", tls=self.trusts)
        self.addCleanup(page.close)
        self.assertIn("player", page.open(name="Stranger")["welcome"])
        self.assertIn("Secure", page.socket.cookie.split("; "))
        self.assertEqual(self.status(self.door, origin=f"http://{own}"), 403)
        self.assertEqual(self.status(self.door, origin=f"http://{own}", headers=["X-Forwarded-Proto: http"]), 403, "whatever he says")

    def test_a_new_certificate_is_taken_without_a_cut(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        trusts = make_certificate(folder)
        door = self.own_door(certificates=folder / "certificates")
        stays = socket_client.Socket(door.public, tls=trusts)
        self.addCleanup(stays.cut)
        stays.send(json.dumps({"request": 1, "hello": {}}))
        self.assertIn("welcome", json.loads(stays.receive()))
        make_certificate(folder)
        door.child.send_signal(signal.SIGHUP)
        end = time.monotonic() + PATIENCE_S
        while self.shown(door) != ssl.PEM_cert_to_DER_cert((folder / "site.crt").read_text()):
            self.assertLess(time.monotonic(), end, door.said())
            time.sleep(0.05)
        stays.send(json.dumps({"request": 2, "ping": {}}))
        self.assertEqual(json.loads(stays.receive())["request"], 2)

    def shown(self, door):
        with socket.create_connection(("127.0.0.1", door.public), timeout=PATIENCE_S) as line:
            blind = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            blind.check_hostname, blind.verify_mode = False, ssl.CERT_NONE
            with blind.wrap_socket(line) as peer:
                return peer.getpeercert(binary_form=True)

    # What is the operator's.

    def test_the_operators_pages_are_not_for_strangers_however_they_are_spelled_and_whatever_they_bring(self):
        for path in HIDDEN:
            for headers in ({}, {"Authorization": f"Bearer {TOKEN}"}):
                for how in ({}, {"method": "POST", "body": b'{"list_tables":{}}', "Content_Type": "application/json"}):
                    status, _, body = self.ask(self.door.public, path, **headers, **how)
                    self.assertIn(status, (400, 404), path)
                    self.assertNotIn("arbiter_", body)
                    self.assertNotIn("verdict", body)

    def test_they_are_at_a_port_of_their_own_for_who_brings_the_token(self):
        self.assertEqual(self.ask(self.door.port, "/metrics", tls=False)[0], 401)
        status, _, body = self.ask(self.door.port, "/metrics", tls=False, Authorization=f"Bearer {TOKEN}")
        self.assertEqual((status, "\narbiter_gateway_tabs " in body), (200, True))
        self.assertEqual(self.ask(self.door.port, "/operator", tls=False)[0], 200)

    # Bounds.

    def test_one_visitor_may_have_so_many_connections_and_is_told_and_the_log_says_it(self):
        door = self.strict
        for source in ("127.1.0.1", "127.1.0.2"):
            said = [self.status(door, source=source, headers=[f"X-Forwarded-For: 198.51.100.{i}"]) for i in range(5)]
            self.assertEqual(said, [101, 101, 101, 429, 429], source)
        self.assertEqual(self.ask(door.public, source="127.1.0.3")[0], 200)
        door.wait_for(r'^127\.1\.0\.1:.* 429 .*"GET [^"]*/ws HTTP/1\.1" 127\.1\.0\.1$')

    def test_one_visitor_may_ask_so_often(self):
        door = self.strict
        said = [self.ask(door.public, "/healthz", source="127.2.0.1") for _ in range(30)]
        self.assertEqual([one[0] for one in said], [200] * 20 + [429] * 10)
        self.assertEqual((said[-1][1]["Retry-After"], said[-1][1]["Strict-Transport-Security"]), ("10", HSTS))
        self.assertEqual(self.ask(door.public, "/healthz", source="127.2.0.2")[0], 200)
        self.assertEqual(self.status(door, source="127.2.0.1"), 429)

    def test_connections_that_say_nothing_are_bounded_and_end(self):
        door = self.strict
        lines = []
        for _ in range(20):
            with contextlib.suppress(ConnectionError):  # It may be over before we have looked.
                lines.append(self.connect(door.public, tls=False, source="127.2.1.1"))
        self.assertLessEqual(sum(not self.has_ended(line) for line in lines), 8)
        self.assertEqual(self.ask(door.public, source="127.2.1.2")[0], 200)
        for line in lines:
            self.assertEqual(self.read(line), b"")

    def test_strangers_together_take_as_many_connections_as_the_settings_say_and_the_operator_has_his_own(self):
        door, answers = self.own_door(ARBITER_CONNECTIONS="100", ARBITER_STRANGERS="4"), queue.SimpleQueue()
        tabs = [self.tab(door, source=f"127.2.2.{number + 1}") for number in range(4)]
        for tab in tabs:  # Who says nothing is shown out after five seconds.
            tab.send(json.dumps({"request": 1, "hello": {}}))
        threading.Thread(target=lambda: answers.put(self.ask(door.public, "/healthz", source="127.2.2.9")[0]), daemon=True).start()
        with self.assertRaises(queue.Empty):
            answers.get(timeout=0.5)
        self.assertEqual(self.ask(door.port, "/healthz", tls=False)[0], 200)
        tabs[0].plain.shutdown(socket.SHUT_RDWR)
        self.assertEqual(answers.get(timeout=PATIENCE_S), 200)

    def has_ended(self, line):
        line.settimeout(0.05)
        try:
            return line.recv(1) == b""
        except TimeoutError:
            return False
        except ConnectionError:
            return True

    def read(self, line):
        line.settimeout(PATIENCE_S)
        said = b""
        try:
            while part := line.recv(4096):
                said += part
        except ConnectionError:
            pass
        return said

    def test_who_sends_a_request_slowly_is_shown_out(self):
        door = self.strict
        line = self.connect(door.public, source="127.2.1.3")
        line.sendall(b"GET / HTTP/1.1\r\n")
        try:
            for _ in range(100):
                line.sendall(b"X: y\r\n")
                time.sleep(0.05)
        except OSError:
            pass
        self.assertRegex(self.read(line), rb"^HTTP/1.1 408 |^$")
        door.wait_for(r"^127\.2\.1\.3:.* 408 .* cR")

    def test_a_body_has_so_many_bytes_and_no_more(self):
        end = time.monotonic() + PATIENCE_S
        while self.ask(self.door.public, "/NewPlayer", method="POST", Content_Type="application/xml")[0] == 503:
            self.assertLess(time.monotonic(), end)  # The door looks for the gateway of 2017 by itself.
            time.sleep(0.1)
        for how, wanted in (({"body": b"x" * 65536}, 200), ({"length": 65537}, 413), ({"length": 1 << 40}, 413)):
            status, _, said = self.ask(self.door.public, "/NewPlayer", method="POST", Content_Type="application/xml", **how)
            self.assertEqual(status, wanted, said)
        said = [self.ask(self.strict.public, "/NewPlayer", source="127.2.3.1", method="POST", length=length)[0] for length in (1001, 2000)]
        self.assertEqual(said, [413, 413])
        self.assertEqual([self.chunked(size) for size in (65536, 65537)], [200, 413], "a length that is not said is bounded by the gateway")

    def chunked(self, size):
        """The status for a body that comes in chunks."""
        line = self.connect(self.door.public)
        line.sendall(f"POST /NewPlayer HTTP/1.1\r\nHost: {NAME}\r\nContent-Type: application/xml\r\nTransfer-Encoding: chunked\r\n"
                     "Connection: close\r\n\r\n".encode())
        for at in range(0, size, 8192):
            part = min(8192, size - at)
            line.sendall(f"{part:x}\r\n{'x' * part}\r\n".encode())
        line.sendall(b"0\r\n\r\n")
        answer = http.client.HTTPResponse(line)
        answer.begin()
        return answer.status

    def test_each_request_is_written_down_and_no_secret_with_it(self):
        self.ask(self.door.public, "/api/matches?limit=7", source="127.2.2.2", Authorization="Bearer my-secret", Cookie="arbiter_session=my-secret")
        self.door.wait_for(r'^127\.2\.2\.2:\d+ \[.*\] public~ gateways/gateway1 .* 200 .* "GET \S*/api/matches\?limit=7 HTTP/1\.1" 127\.2\.2\.2$')
        self.assertNotIn("my-secret", self.door.said())

    # Behind a proxy of somebody else's, which speaks TLS.

    def test_behind_a_listed_proxy_each_visitor_has_bounds_of_his_own(self):
        door = self.strict
        for visitor in ("198.51.100.1", "198.51.100.2", "2001:db8:1:1::1"):
            said = [self.by_proxy(door, visitor) for _ in range(4)]
            self.assertEqual(said, [101, 101, 101, 429], visitor)
        self.assertEqual(self.by_proxy(door, "2001:db8:1:1:9::2"), 429, "one customer's network is one visitor")
        door.wait_for(r'^127\.3\.0\.1:.* 429 .* 198\.51\.100\.1$')
        self.assertEqual(self.ask(door.port, "/metrics", tls=False, source="127.3.0.1", X_Forwarded_For="198.51.100.9")[0], 401)

    def by_proxy(self, door, visitor):
        origin = f"https://127.0.0.1:{door.port}"
        try:
            tab = socket_client.Socket(door.port, source="127.3.0.1", origin=origin,
                                       headers=[f"X-Forwarded-For: {visitor}", "X-Forwarded-Proto: https"])
        except socket_client.Closed as why:
            return why.code
        self.addCleanup(tab.cut)
        self.assertIn("Secure", tab.cookie.split("; "))
        return 101

    def test_behind_one_that_is_not_listed_the_logs_say_what_to_set(self):
        with tempfile.TemporaryDirectory() as folder, gateway_house.open_gateway(
                self.house, "gateway-0", words=gateway_words("docker-compose.yml", self.token)) as gateway, \
                haproxy_door.open_door(pathlib.Path(folder), gateway.port, ARBITER_PER_ADDRESS="3") as door:
            said = []
            for i in range(5):
                try:
                    tab = socket_client.Socket(door.port, source="127.4.0.1", headers=[f"X-Forwarded-For: 198.51.100.{i}"])
                    self.addCleanup(tab.cut)
                    said.append(101)
                except socket_client.Closed as why:
                    said.append(why.code)
            self.assertEqual(said, [101, 101, 101, 429, 429])
            door.wait_for(r"^127\.4\.0\.1:.* 429 ", 2)
            gateway.wait_for(r"(127\.4\.0\.1 sends X-Forwarded-For and is no listed proxy)")
            with self.assertRaises(socket_client.Closed) as why:
                socket_client.Socket(door.port, source="127.4.0.2", origin=f"https://127.0.0.1:{door.port}")
            self.assertEqual(why.exception.code, 403)
            with self.assertRaises(socket_client.Closed) as why:  # Whoever he is, he is not believed.
                socket_client.Socket(door.port, source="127.4.0.2", origin=f"https://127.0.0.1:{door.port}", headers=["X-Forwarded-Proto: https"])
            self.assertEqual(why.exception.code, 403)
            gateway.wait_for("(no TLS is known of here; if a proxy before this door speaks it, say --behind-tls)")


if __name__ == "__main__":
    unittest.main()
