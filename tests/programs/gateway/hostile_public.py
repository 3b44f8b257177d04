"""hostile_public.py: the attacks of hostile_test.py once more, through TLS and the door that docker-compose.public.yml ships.

It opens that door on this machine; with ARBITER_DOOR it attacks a house that runs already (tests/public).
"""
import contextlib
import http.client
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import types
import unittest

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
sys.path[:0] = [str(SOURCE / "tests" / "lib" / "gateway"), str(SOURCE / "tests" / "programs" / "gateway")]
import exchange  # noqa: E402
import haproxy_door  # noqa: E402
import hostile_test  # noqa: E402
import tls_relay  # noqa: E402


def status_of_2017(port):
    """What a person of 2017 is answered who sends nothing."""
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=hostile_test.PATIENCE_S)
    with contextlib.closing(asked):
        asked.request("POST", "/NewPlayer", headers={"Content-Type": "application/xml"})
        return asked.getresponse().status


class Elsewhere:
    """A house that somebody else has started, as tests/public does: its door at ARBITER_DOOR, a host and a port, by that name."""

    def __init__(self):
        host, port = os.environ["ARBITER_DOOR"].rsplit(":", 1)
        self.to, self.name = (host, int(port)), os.environ["ARBITER_DOOR_NAME"]
        self.source, self.log = os.environ["ARBITER_DOOR_SOURCE"], pathlib.Path(os.environ["ARBITER_DOOR_LOG"])
        self.child = types.SimpleNamespace(pid=int(os.environ["ARBITER_DOOR_GATEWAY"]))  # Whose memory is looked at.

    def relay(self):
        return tls_relay.Relay(self.to, name=self.name, source=self.source)

    def said(self):
        return self.log.read_text(errors="replace")

    def downs(self):
        return haproxy_door.downs(self.said())


class HostilePublicDoor(hostile_test.HostileDoor):
    NAME, WORDS = "gateway-1", ("--proxy", "127.0.0.1", "--open-metrics")
    test_others_play_on_while_all_this_goes_on = None  # At a gateway of their own, which no door stands before.

    @classmethod
    def setUpClass(cls):
        relay = cls.find_door() if "ARBITER_DOOR" in os.environ else cls.open_door()
        cls.addClassCleanup(relay.close)
        cls.port = relay.port
        exchange.wait_until_ready(cls.port)
        cls.wait_until_it_leads_on()

    @classmethod
    def tearDownClass(cls):
        if "ARBITER_DOOR" not in os.environ:
            super().tearDownClass()

    @classmethod
    def find_door(cls):
        cls.outer = cls.gateway = Elsewhere()
        return cls.outer.relay()

    @classmethod
    def open_door(cls):
        super().setUpClass()
        folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        certificates = folder / "certificates"
        certificates.mkdir()
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                        "-keyout", certificates / "site.pem.key", "-out", certificates / "site.pem", "-subj", "/CN=play.example"],
                       check=True, capture_output=True)
        cls.outer = cls.enterClassContext(haproxy_door.open_door(
            folder, cls.gateway.port, certificates, [("timeout http-request 10s", "timeout http-request 2s")], ARBITER_NAME="play.example"))
        return tls_relay.Relay(("127.0.0.1", cls.outer.public))

    @classmethod
    def wait_until_it_leads_on(cls):
        """The door looks for the gateway of 2017 by itself."""
        end = time.monotonic() + hostile_test.PATIENCE_S
        while status_of_2017(cls.port) == 503:
            assert time.monotonic() < end, cls.outer.said()
            time.sleep(0.1)

    def assert_status(self, answer, status):
        """The door refuses much itself, in words of its own, which do not always reach who is still sending."""
        if status == 413 and answer == "":
            return
        self.assertTrue(answer.startswith(f"HTTP/1.1 {status} "), answer[:300])

    def test_who_asks_twice_at_once_is_answered_once(self):
        """To the gateway the door brings one after the other: here each of the two is answered."""
        one = self.head(len(hostile_test.PERSON)).replace(b"Connection: close\r\n", b"") + hostile_test.PERSON.encode()
        self.assertEqual(len(re.findall("<NewPlayerResponse>", self.ask(one + one))), 2)

    def test_broken_framing_is_refused(self):
        """Of two lengths the door takes the chunks' and forgets the other (RFC 9112, 6.3), so that the gateway sees one request."""
        chunked = "Transfer-Encoding: chunked\r\n"
        self.assert_status(self.ask(self.head(None, more=chunked), b"zz\r\nabc"), 400)
        self.assert_status(self.ask(self.head("-5")), 400)
        self.assert_status(self.ask(self.head("5, 6")), 400)
        said = self.ask(self.head(10, more=chunked), b"0\r\n\r\n" + self.head(len(hostile_test.PERSON)) + hostile_test.PERSON.encode())
        self.assertEqual(len(re.findall("HTTP/1.1 ", said)), 1, said)

    def test_connections_that_say_nothing_end(self):
        """Whom the door shows out it tells so."""
        peers = [self.connect() for _ in range(100)]
        for peer in peers:
            with peer:
                self.assertRegex(self.read(peer), "^$|^HTTP/1.1 408 ")

    def test_who_asks_for_a_tunnel_is_refused_and_not_kept(self):
        """The door knows no such paths, and hangs up or says so."""
        for text in (b"CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", b"CONNECT /NewPlayer HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nxx"):
            self.assertRegex(self.ask(text), "^$|^HTTP/1.1 (4|5)")

    def test_zz_the_gateway_was_never_taken_for_dead(self):
        self.assertEqual(self.outer.downs(), 0, self.outer.said()[-2000:])


if __name__ == "__main__":
    unittest.main()
