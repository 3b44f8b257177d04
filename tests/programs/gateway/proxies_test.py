"""proxies_test.py: behind a listed proxy visitors are counted, each for himself; a stranger's word about himself is not heard."""
import http.client
import os
import pathlib
import sys
import unittest

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path.insert(0, str(SOURCE / "tests" / "lib" / "gateway"))
import gateway_house  # noqa: E402
import socket_client  # noqa: E402

PROXIES = ("--proxy", "127.0.0.1,10.0.0.0/8")
GONE = (http.client.HTTPException, OSError)


def get(port, path="/api/matches", hops=(), source="127.0.0.1"):
    """The status; each of `hops` is a header line of its own."""
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=(source, 0))
    try:
        asked.putrequest("GET", path)
        for hop in hops:
            asked.putheader("X-Forwarded-For", hop)
        asked.endheaders()
        return asked.getresponse().status
    finally:
        asked.close()


class Proxies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = cls.enterClassContext(gateway_house.open_house(BUILD, 1))

    def open(self, *words):
        return self.enterContext(gateway_house.open_gateway(self.house, words=words))

    def tab(self, gateway, *hops, source="127.0.0.1", scheme=None, origin=None):
        """A WebSocket of that visitor; the status that refused it."""
        headers = [f"X-Forwarded-For: {hop}" for hop in hops] + ([f"X-Forwarded-Proto: {scheme}"] if scheme else [])
        try:
            tab = socket_client.Socket(gateway.port, headers=headers, source=source, origin=origin)
        except socket_client.Closed as why:
            return why.code
        self.addCleanup(tab.plain.close)
        return 101

    def test_visitors_have_so_many_tabs_each(self):
        gateway = self.open(*PROXIES, "--tabs-per-address", "2")
        for visitor in ("192.0.2.1", "192.0.2.2", "2001:db8:1:1::1", "2001:db8:1:2::1"):
            self.assertEqual([self.tab(gateway, visitor) for _ in range(3)], [101, 101, 503], visitor)
        self.assertEqual(self.tab(gateway, "2001:db8:1:1:ffff::2"), 503, "one customer's network is one visitor")
        self.assertEqual(self.tab(gateway, "192.0.2.1:4711"), 503)
        self.assertEqual(self.tab(gateway, "192.0.2.3, 10.0.0.7"), 101, "a proxy before the proxy")

    def test_a_visitor_who_names_himself_another_is_not_believed(self):
        gateway = self.open(*PROXIES, "--tabs-per-address", "1")
        self.assertEqual(self.tab(gateway, "192.0.2.1"), 101)
        for forged in (("198.51.100.1, 192.0.2.1",), ("198.51.100.2", "192.0.2.1"), ("10.0.0.9, 192.0.2.1",),
                       ("198.51.100.3, 192.0.2.1, 10.0.0.7",)):
            self.assertEqual(self.tab(gateway, *forged), 503, forged)
        self.assertEqual(self.tab(gateway, "198.51.100.4", source="127.0.0.2"), 101, "no proxy: counted as what it is")
        self.assertEqual(self.tab(gateway, "198.51.100.5", source="127.0.0.2"), 503, "and not as what it says")

    def test_who_lists_no_proxy_believes_nobody(self):
        gateway = self.open("--tabs-per-address", "1")
        self.assertEqual([self.tab(gateway, f"192.0.2.{i}") for i in range(2)], [101, 503])

    def test_a_proxy_that_names_nobody_is_a_visitor_itself(self):
        gateway = self.open(*PROXIES, "--tabs-per-address", "1")
        self.assertEqual([self.tab(gateway), self.tab(gateway), self.tab(gateway, "unknown")], [101, 503, 503])

    def test_requests_at_once_are_counted_for_visitors_and_health_checks_for_nobody(self):
        gateway = self.open(*PROXIES, "--http-per-address", "3", "--tabs-per-address", "0")
        for visitor in ("192.0.2.1", "192.0.2.2"):
            self.assertEqual([self.tab(gateway, visitor) for _ in range(4)], [101, 101, 101, 503], visitor)
            self.assertEqual(get(gateway.port, hops=[visitor]), 503)
        self.assertEqual([self.tab(gateway) for _ in range(4)], [101, 101, 101, 503])
        for hops in ([], ["192.0.2.1"], ["192.0.2.2"]):
            self.assertEqual(get(gateway.port, "/healthz", hops), 200)
        self.assertEqual(get(gateway.port, hops=["192.0.2.3"]), 200)

    def test_whoever_has_gone_has_made_room(self):
        gateway = self.open(*PROXIES, "--http-per-address", "1")
        for _ in range(5):
            self.assertEqual(get(gateway.port, hops=["192.0.2.1"]), 200)

    def test_figures_for_this_machine_are_not_for_who_comes_by_a_proxy(self):
        gateway = self.open(*PROXIES)
        for hops in ([], ["127.0.0.1"], ["192.0.2.1"]):
            self.assertEqual(get(gateway.port, "/metrics", hops), 403, hops)
        self.assertEqual(get(gateway.port, "/metrics", source="127.0.0.2"), 200)

    def test_a_listed_proxy_says_by_which_scheme_each_visitor_came(self):
        for words, unsaid in ((PROXIES, "http"), ((*PROXIES, "--behind-tls"), "https")):
            gateway = self.open(*words)
            for said, scheme in (("https", "https"), ("wss", "https"), ("http", "http"), ("https, http", "https"), ("HTTPS ,http,http,http", "https"),
                                 ("http,https", "http"), ("gopher", unsaid), ("httpsx,https", unsaid), (",https", unsaid), (None, unsaid)):
                other = {"http": "https", "https": "http"}[scheme]
                self.assertEqual(self.tab(gateway, scheme=said, origin=f"{scheme}://127.0.0.1:{gateway.port}"), 101, (words, said))
                self.assertEqual(self.tab(gateway, scheme=said, origin=f"{other}://127.0.0.1:{gateway.port}"), 403, (words, said))
                self.assertEqual(self.is_for_tls_only(gateway, said), scheme == "https", (words, said))
            self.assertEqual(self.tab(gateway, scheme="https", source="127.0.0.2", origin=f"{unsaid}://127.0.0.1:{gateway.port}"),
                             101, "who is no listed proxy is not believed")

    def is_for_tls_only(self, gateway, scheme):
        """Whether a page says so to the browser."""
        asked = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=60)
        asked.request("GET", "/", headers={"X-Forwarded-Proto": scheme} if scheme else {})
        said = asked.getresponse().headers["Strict-Transport-Security"]
        asked.close()
        return said is not None

    def test_the_log_names_a_proxy_that_nobody_listed_once_a_minute(self):
        gateway = self.open("--proxy", "127.0.0.1")
        for source, hop in (("127.0.0.9", "192.0.2.1"), ("127.0.0.1", "unknown, 203.0.113.7"), ("127.0.0.9", "192.0.2.2")):
            get(gateway.port, hops=[hop], source=source)
        get(gateway.port, hops=["192.0.2.1"])
        gateway.wait_for(r"(127\.0\.0\.9 sends X-Forwarded-For and is no listed proxy \(1 requests so far\))")
        self.assertEqual(gateway.said().count("and is no listed proxy"), 1, gateway.said())
        behind = self.open("--proxy", "127.0.0.1")
        get(behind.port, hops=["192.0.2.1"])
        self.assertNotIn("listed proxy", behind.said())
        get(behind.port, hops=["unknown, 203.0.113.7"])  # As our own door says it of whom it does not know.
        behind.wait_for(r"(203\.0\.113\.7 sends X-Forwarded-For and is no listed proxy)")

    def test_the_log_says_why_pages_by_tls_are_refused(self):
        gateway = self.open()
        self.assertEqual(self.tab(gateway, origin="https://evil.example"), 403)
        self.assertNotIn("no TLS is known of here", gateway.said())
        for _ in range(3):
            self.assertEqual(self.tab(gateway, origin=f"https://127.0.0.1:{gateway.port}"), 403)
        gateway.wait_for(rf"(pages of https://127\.0\.0\.1:{gateway.port} were refused \(1 so far\): no TLS is known of here)")
        self.assertEqual(gateway.said().count("no TLS is known of here"), 1)
        secure = self.open("--behind-tls")
        self.assertEqual(self.tab(secure, origin=f"http://127.0.0.1:{secure.port}"), 403)
        secure.wait_for("(TLS is spoken here, and they came without it)")

    def test_what_is_no_network_is_said_at_the_start(self):
        with self.assertRaises(AssertionError) as why, gateway_house.open_gateway(self.house, words=("--proxy", "door")):
            pass
        self.assertIn("this is no network like 10.0.0.0/8 or fd00::/8: door", str(why.exception))


if __name__ == "__main__":
    unittest.main()
