"""doors_test.py: who may come in at all: TLS, the operator's token, so many connections, and what the log says of strangers."""
import os
import pathlib
import re
import select
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path.insert(0, str(SOURCE / "tests" / "lib" / "gateway"))
import gateway_house  # noqa: E402
import socket_client  # noqa: E402

PATIENCE_S = 60
TOKEN = "the-operator's-own-token"


def make_certificate(folder):
    """A certificate of one's own and its key."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-keyout", key, "-out", cert, "-days", "2", "-subj", "/CN=arbiter.test",
                    "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
    return cert, key


def get(url, headers=None, context=None):
    """Status, headers and body."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers or {}), timeout=PATIENCE_S,
                                    context=context) as page:
            return page.status, page.headers, page.read().decode()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.headers, refused.read().decode()


class Doors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = cls.enterClassContext(gateway_house.open_house(BUILD, 2))
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.cert, cls.key = make_certificate(cls.folder)

    def open(self, *words):
        return self.enterContext(gateway_house.open_gateway(self.house, words=words))

    def refuses(self, sentence, *words):
        with self.assertRaises(AssertionError) as why:
            with gateway_house.open_gateway(self.house, "gateway-1", words=words):
                pass
        self.assertIn(sentence, str(why.exception))

    def check(self, *words):
        done = subprocess.run([BUILD / "arbiter-gateway", "--check", *words], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def test_a_check_judges_the_files_that_are_named_and_says_all_that_is_wrong(self):
        setup, token = self.folder / "setup.json", self.folder / "short.token"
        setup.write_text('{"game": "treasure", "limits": {"think_ms": -1, "thinks": 2}}')
        token.write_text("short\n")
        code, said, faults = self.check("--treasure", setup, "--treasure-seed", "x", "--listen-http", "nowhere",
                                        "--tls-cert", self.cert, "--operator-token", token)
        self.assertEqual((code, said), (1, ""))
        for sentence in (f"{setup}:/limits/think_ms: ", f"{setup}:/limits/thinks: ", '--treasure-seed takes a whole number of 64 bits, not "x"',
                         '--listen-http takes ADDRESS:PORT, not "nowhere"', "--tls-cert is of no use without --tls-key",
                         f"the first line of {token} is no token"):
            self.assertIn(sentence, faults)
        self.assertEqual(faults.count("\n"), 6, faults)
        setup.write_text('{"game": "treasure"}')
        token.write_text(TOKEN)
        code, said, faults = self.check("--treasure", setup, "--tls-cert", self.cert, "--tls-key", self.key, "--operator-token", token)
        self.assertEqual((code, said, faults), (0, "arbiter-gateway: the settings are good\n", ""))

    def test_under_tls_all_is_served_and_cookies_are_for_tls_only(self):
        gateway = self.open("--tls-cert", self.cert, "--tls-key", self.key)
        trusts = ssl.create_default_context(cafile=self.cert)
        self.assertEqual(get(f"https://127.0.0.1:{gateway.port}/healthz", context=trusts)[2], "ok\n")
        trusts.set_alpn_protocols(["h2", "http/1.1"])  # As browsers do; we speak no HTTP/2 and say so.
        with trusts.wrap_socket(socket.create_connection(("127.0.0.1", gateway.port)), server_hostname="127.0.0.1") as peer:
            self.assertEqual(peer.selected_alpn_protocol(), "http/1.1")
            peer.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            self.assertTrue(peer.recv(64).startswith(b"HTTP/1.1 200"))
        page = socket_client.Player(gateway.port, origin=f"https://127.0.0.1:{gateway.port}", tls=trusts)
        self.addCleanup(page.close)
        player = page.open(name="Secure")["welcome"]["player"]
        for word in ("Secure", "HttpOnly", "SameSite=Strict"):
            self.assertIn(word, page.socket.cookie.split("; "))
        again = socket_client.Player(gateway.port, origin=f"https://127.0.0.1:{gateway.port}", tls=trusts,
                                     cookie=page.socket.cookie.split(";")[0])
        self.addCleanup(again.close)
        self.assertEqual(again.open()["welcome"]["player"], player)

    def test_who_speaks_no_tls_or_an_old_one_hears_nothing(self):
        gateway = self.open("--tls-cert", self.cert, "--tls-key", self.key, "--read-ms", "1000")
        for said in (b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", b"\x16\x03\x01", b""):  # The last two wait in the handshake.
            with socket.create_connection(("127.0.0.1", gateway.port), timeout=PATIENCE_S) as peer:
                peer.sendall(said)
                try:
                    self.assertNotIn(b"HTTP", peer.recv(1000))
                except ConnectionError:
                    pass
        old = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{gateway.port}", "-tls1_1", "-cipher",
                              "ALL:@SECLEVEL=0"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.assertNotEqual(old.returncode, 0)
        trusts = ssl.create_default_context(cafile=self.cert)
        self.assertEqual(get(f"https://127.0.0.1:{gateway.port}/healthz", context=trusts)[0], 200)

    def test_a_certificate_that_is_of_no_use_is_named(self):
        self.refuses("--tls-cert is of no use without --tls-key", "--tls-cert", self.cert)
        self.refuses("--tls-key is of no use without --tls-cert", "--tls-key", self.key)
        self.refuses("the certificate cannot be read: /nowhere", "--tls-cert", "/nowhere", "--tls-key", self.key)
        self.refuses("the certificate and the key do not fit", "--tls-cert", self.cert, "--tls-key", self.cert)

    def test_behind_a_proxy_that_speaks_tls_cookies_are_for_tls_too(self):
        gateway = self.open("--behind-tls")
        page = socket_client.Socket(gateway.port, origin=f"https://127.0.0.1:{gateway.port}")
        self.assertIn("Secure", page.cookie.split("; "))
        page.cut()

    def refused_origin(self, gateway, origin, **how):
        with self.assertRaises(socket_client.Closed) as why:
            socket_client.Socket(gateway.port, origin=origin, **how)
        self.assertEqual(why.exception.code, 403, origin)

    def test_a_page_of_our_own_host_that_came_without_tls_is_not_ours_where_tls_is_spoken(self):
        trusts = ssl.create_default_context(cafile=self.cert)
        under_tls = self.open("--tls-cert", self.cert, "--tls-key", self.key)
        self.refused_origin(under_tls, f"http://127.0.0.1:{under_tls.port}", tls=trusts)
        before = self.open("--behind-tls")
        for scheme in ("http", "HTTP", "ftp", "https+http", ""):
            self.refused_origin(before, f"{scheme}://127.0.0.1:{before.port}")
        socket_client.Socket(before.port, origin=f"HTTPS://127.0.0.1:{before.port}").cut()
        plain = self.open()
        self.refused_origin(plain, f"https://127.0.0.1:{plain.port}")
        socket_client.Socket(plain.port, origin=f"http://127.0.0.1:{plain.port}").cut()

    def test_where_tls_is_spoken_browsers_are_told_to_speak_nothing_else(self):
        trusts = ssl.create_default_context(cafile=self.cert)
        under_tls = self.open("--tls-cert", self.cert, "--tls-key", self.key)
        before, plain = self.open("--behind-tls"), self.open()
        for url, how, wanted in ((f"https://127.0.0.1:{under_tls.port}", {"context": trusts}, "max-age=31536000"),
                                 (f"http://127.0.0.1:{before.port}", {}, "max-age=31536000"),
                                 (f"http://127.0.0.1:{plain.port}", {}, None)):
            for page in ("/healthz", "/nothing", "/api/matches", "/"):
                self.assertEqual(get(url + page, **how)[1]["Strict-Transport-Security"], wanted, url + page)

    def test_figures_are_for_this_machine_alone_where_there_is_no_token(self):
        plain, proxied, shown = self.open(), self.open("--behind-tls"), self.open("--behind-tls", "--open-metrics")
        for gateway in (plain, shown):
            self.assertIn("\narbiter_gateway_tabs ", get(f"http://127.0.0.1:{gateway.port}/metrics")[2])
        status, headers, body = get(f"http://127.0.0.1:{proxied.port}/metrics")  # Whoever asks comes from the proxy's address.
        self.assertEqual((status, headers["WWW-Authenticate"]), (403, None))
        self.assertIn("--operator-token", body)
        self.assertNotIn("arbiter_", body)
        for free in ("/healthz", "/readyz"):
            self.assertNotEqual(get(f"http://127.0.0.1:{proxied.port}{free}")[0], 403)

    def test_who_set_a_token_wants_it_of_everybody(self):
        file = self.folder / "everybody.token"
        file.write_text(TOKEN + "\n")
        gateway = self.open("--operator-token", file, "--open-metrics")
        self.assertEqual(get(f"http://127.0.0.1:{gateway.port}/metrics")[0], 401)

    def test_where_the_operator_set_a_token_his_figures_are_for_who_brings_it(self):
        file = self.folder / "token"
        file.write_text(TOKEN + "\n")
        gateway = self.open("--operator-token", file)
        url = f"http://127.0.0.1:{gateway.port}"
        for wrong in ({}, {"Authorization": "Bearer"}, {"Authorization": "Bearer " + TOKEN[:-1]},
                      {"Authorization": f"Bearer {TOKEN}x"}, {"Authorization": f"Basic {TOKEN}"},
                      {"Authorization": "Bearer " + "x" * 1000}, {"Authorization": "Bearer " + "x" * len(TOKEN)}):
            status, headers, body = get(f"{url}/metrics", wrong)
            self.assertEqual((status, headers["WWW-Authenticate"]), (401, 'Bearer realm="operator"'), wrong)
            self.assertNotIn("arbiter_", body)
        for scheme in ("Bearer", "bearer"):
            status, _, body = get(f"{url}/metrics", {"Authorization": f"{scheme} {TOKEN}"})
            self.assertEqual(status, 200)
            self.assertIn("\narbiter_gateway_unproved_total 7\n", body)
        for free in ("/healthz", "/readyz", "/api/matches"):
            self.assertNotEqual(get(url + free)[0], 401)

    def test_a_token_that_is_none_is_refused_at_the_start(self):
        file = self.folder / "short"
        for text in ("", "short\n", "with blanks in all of it\n", "x" * 129 + "\n"):
            file.write_text(text)
            self.refuses("token", "--operator-token", file)
        self.refuses("the operator's token cannot be read from /nowhere", "--operator-token", "/nowhere")

    def test_its_figures_name_its_build(self):
        gateway = self.open()
        said = re.search(r'^arbiter_build_info\{version="(\S+)",commit="([0-9a-f]{40})?",role="gateway",service="(\S+)"\} 1$',
                         get(f"http://127.0.0.1:{gateway.port}/metrics")[2], re.M)
        version = subprocess.run([BUILD / "arbiter-gateway", "--version"], capture_output=True, text=True).stdout
        described = re.search(r", build (\S+)\n$", version)
        self.assertEqual(said[1], version.split()[1].strip(",") + (f"+{described[1]}" if described else ""))
        self.assertEqual((said[3], bool(said[2])), ("gateway-0", bool(described)))

    def hung_up_on(self, peers, wanted):
        """How many of them are, when it is so many at least."""
        ended = []
        while len(ended) < wanted:
            ended = select.select(peers, [], [], PATIENCE_S)[0]
            self.assertTrue(ended)
        return len(ended)

    def test_who_is_connected_counts_before_he_says_a_word(self):
        for words, most in ((["--http-connections-max", "16"], 16), (["--http-per-address", "5"], 5)):
            with self.subTest(words), gateway_house.open_gateway(self.house, words=words) as gateway:
                peers = [socket.create_connection(("127.0.0.1", gateway.port)) for _ in range(most + 4)]
                self.assertEqual(self.hung_up_on(peers, 4), 4)
                for peer in peers:
                    peer.close()
                figures, in_vain = self.come_in_again(gateway)
                self.assertIn(f"\narbiter_gateway_turned_away_total {4 + in_vain}\n", figures)
                self.assertIn("connections turned away", gateway.said())
                gateway.wait_for(rf"({words[0].lstrip('-').replace('-', '_')} is reached: \d+ refused)")

    def test_who_is_one_tab_too_many_is_refused_and_logged(self):
        with gateway_house.open_gateway(self.house, words=["--tabs-max", "16", "--tabs-per-address", "0", "--tab-hello-ms", "60000"]) as gateway:
            for _ in range(16):
                tab = socket_client.Socket(gateway.port)
                self.addCleanup(tab.plain.close)
            with self.assertRaises(socket_client.Closed) as why:
                socket_client.Socket(gateway.port)
            self.assertEqual(why.exception.code, 503)
            gateway.wait_for("(tabs_max is reached: 1 refused)")

    def test_a_full_gateway_still_says_how_it_does_and_nothing_else(self):
        for words, most in ((["--http-connections-max", "16"], 16), (["--http-per-address", "2"], 2)):
            with self.subTest(words), gateway_house.open_gateway(self.house, words=words) as gateway:
                url = f"http://127.0.0.1:{gateway.port}"
                self.wait_until_ready(url)
                peers = [socket.create_connection(("127.0.0.1", gateway.port)) for _ in range(most)]
                for _ in range(20):  # More than there are places for such questions, one behind the other.
                    self.assertEqual([get(url + page)[0] for page in ("/readyz", "/healthz")], [200, 200])
                for page in ("/metrics", "/", "/api/matches"):
                    with self.assertRaises(OSError):
                        get(url + page)
                with self.assertRaises((OSError, socket_client.Closed)):
                    socket_client.Socket(gateway.port, origin=url)
                for peer in peers:
                    peer.close()
                figures, in_vain = self.come_in_again(gateway)
                self.assertIn(f"\narbiter_gateway_turned_away_total {4 + in_vain}\n", figures)

    def wait_until_ready(self, url):
        end = time.monotonic() + PATIENCE_S
        while get(f"{url}/readyz")[0] != 200:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    def come_in_again(self, gateway):
        """Whoever has gone has made room. What /metrics says, and how often it was tried in vain."""
        in_vain = 0
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                return get(f"http://127.0.0.1:{gateway.port}/metrics")[2], in_vain
            except OSError:
                in_vain += 1
                self.assertLess(time.monotonic(), end)
                time.sleep(0.05)

    def test_a_flood_of_strangers_is_one_line_in_the_log(self):
        gateway = self.open()
        for _ in range(30):
            get(f"http://127.0.0.1:{gateway.port}/nothing", {"Content-Type": "text/plain"})
            with self.assertRaises(socket_client.Closed):
                socket_client.Socket(gateway.port, origin="https://evil.example")
        self.assertEqual(len(re.findall("strangers, since the start", gateway.said())), 1)


if __name__ == "__main__":
    unittest.main()
