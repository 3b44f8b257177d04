"""hostile_test.py: what strangers may send to the HTTP door: a clear answer each, bounded memory, nobody else disturbed."""
import asyncio
import os
import pathlib
import re
import socket
import sys
import unittest
import urllib.request

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path.insert(0, str(SOURCE / "tests" / "lib" / "gateway"))
import exchange  # noqa: E402
import gateway_house  # noqa: E402
import rest_client  # noqa: E402

PATIENCE_S = 60
PERSON = ("<NewPlayerRequest><FirstName>A</FirstName><SurName>B</SurName>"
          "<MatriculationNumber>01234567</MatriculationNumber></NewPlayerRequest>")
LOST = exchange.infoset("<ConnectionProblemResponse><Loss>true</Loss></ConnectionProblemResponse>")
MORE_MIB = 12
os.environ["ASAN_OPTIONS"] = "quarantine_size_mb=1"  # What was freed is memory again.


class HostileDoor(unittest.TestCase):
    NAME, WORDS = "gateway-0", ()

    @classmethod
    def setUpClass(cls):
        cls.opened = gateway_house.open_house(BUILD, 2)
        cls.house = cls.opened.__enter__()
        cls.door = gateway_house.open_gateway(cls.house, cls.NAME, words=["--read-ms", "2000", "--idle-ms", "1000",
                                                               "--http-connections-max", "64", *cls.WORDS])
        cls.gateway = cls.door.__enter__()
        exchange.wait_until_ready(cls.gateway.port)
        cls.port = cls.gateway.port  # Of the door that is attacked.

    @classmethod
    def tearDownClass(cls):
        cls.door.__exit__(None, None, None)
        cls.opened.__exit__(None, None, None)

    def tearDown(self):
        """Whatever was sent: two others find their game as ever."""
        answer = self.ask(self.head(len(PERSON)) + PERSON.encode())
        self.assertRegex(answer, r"^HTTP/1.1 200 [\s\S]*<NewPlayerResponse><ID>\d+</ID></NewPlayerResponse>$")

    def head(self, size, path="/NewPlayer", more="", method="POST"):
        length = "" if size is None else f"Content-Length: {size}\r\n"
        return (f"{method} {path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/xml\r\n{length}"
                f"Connection: close\r\n{more}\r\n").encode()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_S)

    def read(self, peer):
        """All up to its end; what came before a reset counts."""
        text = b""
        try:
            while True:
                part = peer.recv(65536)
                if not part:
                    break
                text += part
        except ConnectionError:
            pass
        return text.decode(errors="replace")

    def ask(self, *parts):
        with self.connect() as peer:
            try:
                for part in parts:
                    peer.sendall(part)
            except ConnectionError:
                pass   # It has heard enough.
            return self.read(peer)

    def metric(self, name):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.gateway.port}/metrics", timeout=PATIENCE_S) as page:
            return int(re.search(rf"^{name} (\d+)$", page.read().decode(), re.M).group(1))

    def memory_mib(self):
        status = pathlib.Path(f"/proc/{self.gateway.child.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) / 1024

    def assert_status(self, answer, status):
        self.assertTrue(answer.startswith(f"HTTP/1.1 {status} "), answer[:300])
        self.assertEqual(exchange.infoset(answer.split("\r\n\r\n", 1)[1]), LOST)

    def test_documents_that_explode_are_not_read(self):
        entities = "".join(f"<!ENTITY e{i} '{f'&e{i - 1};' * 10 if i else 'boom' * 10}'>" for i in range(10))
        bombs = [f"<!DOCTYPE a [{entities}]><NewPlayerRequest><FirstName>&e9;</FirstName></NewPlayerRequest>",
                 f"<!DOCTYPE a [<!ENTITY e '{'x' * 30000}'>]><a>{'&e;' * 9000}</a>",
                 "<!DOCTYPE a SYSTEM 'file:///dev/zero'><a/>", "<a>" * 20000, "<a " + "b='1' " * 9000 + "/>",
                 "<?xml version='1.0' encoding='UTF-16'?><a/>", "\0" * 1000, "<![CDATA[" * 3000]
        before = self.memory_mib()
        for bomb in bombs * 3:
            self.assert_status(self.ask(self.head(len(bomb)) + bomb.encode()), 200)
        self.assertLess(self.memory_mib(), before + MORE_MIB)

    def test_a_body_that_is_too_large_is_refused_unread(self):
        before = self.memory_mib()
        self.assert_status(self.ask(self.head(1 << 30), b"x" * (1 << 22)), 413)
        self.assert_status(self.ask(self.head(70000)), 413)
        chunks = b"8000\r\n" + b"x" * 0x8000 + b"\r\n"
        self.assert_status(self.ask(self.head(None, more="Transfer-Encoding: chunked\r\n"), *[chunks] * 100), 413)
        self.assertLess(self.memory_mib(), before + MORE_MIB)

    def test_a_body_in_chunks_is_read(self):
        half = len(PERSON) // 2
        chunks = b"".join(b"%x;a=b\r\n%s\r\n" % (len(part), part.encode())
                          for part in (PERSON[:half], PERSON[half:])) + b"0\r\nX: y\r\n\r\n"
        head = self.head(None, more="Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n")
        for cut in (1, 7, len(chunks)):
            answer = self.ask(head, *[chunks[i:i + cut] for i in range(0, len(chunks), cut)])
            self.assertRegex(answer, r"^HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n")
            self.assertRegex(answer, r"<NewPlayerResponse><ID>\d+</ID></NewPlayerResponse>$")

    def test_broken_framing_is_refused(self):
        chunked = "Transfer-Encoding: chunked\r\n"
        self.assert_status(self.ask(self.head(None, more=chunked), b"zz\r\nabc"), 400)
        self.assert_status(self.ask(self.head(10, more=chunked), b"0\r\n\r\n"), 400)
        self.assert_status(self.ask(self.head(None, more="Transfer-Encoding: gzip, chunked\r\n"), b"0\r\n\r\n"), 400)
        self.assert_status(self.ask(self.head("-5")), 400)
        self.assert_status(self.ask(self.head("5, 6")), 400)

    def test_wrong_types_methods_and_paths_have_their_status(self):
        kind = "Content-Type: application/json\r\n"
        self.assert_status(self.ask(f"POST /NewPlayer HTTP/1.1\r\nHost: a\r\n{kind}Content-Length: 2\r\n"
                                    "Connection: close\r\n\r\n{}".encode()), 415)
        self.assert_status(self.ask(self.head(None, method="GET")), 405)
        self.assert_status(self.ask(self.head(0, path="/../../etc/passwd")), 404)
        self.assertNotIn("200 OK", self.ask(self.head(0, path="/NewPlayer%00")))

    def test_head_of_a_path_of_ours_is_refused_and_told_what_is_not(self):
        for method in ("HEAD", "GET", "DELETE", "OPTIONS"):
            for path in ("/NewPlayer", "/MapCreation", "/Updates/", "/Problem"):
                with self.subTest(method=method, path=path):
                    head, body = self.ask(self.head(None, path, method=method)).split("\r\n\r\n", 1)
                    self.assertTrue(head.startswith("HTTP/1.1 405 "), head)
                    self.assertIn("\r\nallow: post, put\r\n", head.lower())
                    self.assertEqual(body == "", method == "HEAD")
        self.assertTrue(self.ask(self.head(None, "/NoPlayer", method="HEAD")).startswith("HTTP/1.1 404 "))

    def test_who_asks_for_a_tunnel_is_refused_and_not_kept(self):
        for text in (b"CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", b"CONNECT /NewPlayer HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nxx"):
            self.assertTrue(self.ask(text).startswith("HTTP/1.1 405 "))

    def test_a_type_is_taken_by_its_media_type_however_long_its_parameters_are(self):
        def ask(kind):
            head = self.head(len(PERSON)).replace(b"Content-Type: application/xml", b"Content-Type: " + kind)
            return self.ask(head + PERSON.encode())

        for size in (200, 260, 2000):
            self.assertTrue(ask(b"Application/XML; a=" + b"x" * size).startswith("HTTP/1.1 200 "), size)
            self.assert_status(ask(b"application/json; a=" + b"x" * size), 415)

    def test_what_is_no_http_is_hung_up_on(self):
        for garbage in (b"\0" * 4096, b"\xff\xfe\r\n\r\n", b"GET\r\n\r\n", b"POST /NewPlayer HTTP/1.1\r\n" + b"a" * 9000,
                        b"POST " + b"/x" * 5000 + b" HTTP/1.1\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"):
            self.assertNotIn("HTTP/1.1 200", self.ask(garbage))

    def test_an_offer_of_http_2_is_passed_over(self):
        offer = ("Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
                 "HTTP2-Settings: AAEAAEAAAAIAAAAAAAMAAAAAAAQBAAAAAAUAAEAAAAYABgAA\r\n")
        head = self.head(len(PERSON), more=offer).replace(b"Connection: close\r\n", b"")
        self.assertRegex(self.ask(head + PERSON.encode()), r"^HTTP/1.1 200 OK\r\n[\s\S]*<ID>\d+</ID></NewPlayerResponse>$")
        self.assertRegex(self.ask(head, PERSON[:9].encode(), PERSON[9:].encode()), r"^HTTP/1.1 200 OK\r\n[\s\S]*<ID>\d+</ID>")
        head = f"GET /api/matches HTTP/1.1\r\nHost: a\r\n{offer}\r\n".encode()
        self.assertRegex(self.ask(head), r'^HTTP/1.1 200 OK\r\n[\s\S]*\{"running"')

    def test_who_cuts_a_request_off_disturbs_nobody(self):
        for sent in (b"POST /New", self.head(100), self.head(100) + b"<NewPl",
                     self.head(None, more="Transfer-Encoding: chunked\r\n") + b"5\r\nab"):
            with self.connect() as peer:
                peer.sendall(sent)
            with self.connect() as peer:
                peer.sendall(sent)
                peer.shutdown(socket.SHUT_WR)
                self.assertNotIn("200 OK", self.read(peer))

    def test_who_sends_slowly_is_hung_up_on(self):
        async def drip(text):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            try:
                for byte in text:
                    writer.write(bytes([byte]))
                    await writer.drain()
                    if reader.at_eof() or await self.has_ended(reader):
                        return True
                return False
            except ConnectionError:
                return True
            finally:
                writer.close()

        async def all_of_them():
            texts = [b"POST /NewPlayer HTTP/1.1\r\n" + b"X: y\r\n" * 100, self.head(4000) + b"<a>" * 1000,
                     self.head(None, more="Transfer-Encoding: chunked\r\n") + b"400\r\n" + b"x" * 1000]
            return await asyncio.wait_for(asyncio.gather(*(drip(text) for text in texts * 4)), PATIENCE_S)

        self.assertEqual(asyncio.run(all_of_them()), [True] * 12)

    async def has_ended(self, reader):
        try:
            return await asyncio.wait_for(reader.read(1), 0.2) == b""
        except asyncio.TimeoutError:
            return False

    def test_connections_that_say_nothing_end(self):
        peers = []
        try:
            for _ in range(100):
                peers.append(self.connect())
            for peer in peers:
                self.assertEqual(self.read(peer), "")
        finally:
            for peer in peers:
                peer.close()

    def test_who_asks_twice_at_once_is_answered_once(self):
        one = self.head(len(PERSON)).replace(b"Connection: close\r\n", b"") + PERSON.encode()
        answer = self.ask(one + one)
        self.assertEqual(len(re.findall("<NewPlayerResponse>", answer)), 1, answer)

    def test_others_play_on_while_all_this_goes_on(self):
        async def noise(port):
            for _ in range(40):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(self.head(70000) + b"x" * 1000)
                await asyncio.gather(writer.drain(), reader.read(100), return_exceptions=True)
                writer.close()

        async def both(port):
            return (await asyncio.gather(rest_client.play_games(port, 2, 5), noise(port)))[0]

        # At a door of their own, where nobody waits for somebody to play with.
        short = {"game": "treasure", "limits": {"max_actions": 20}}
        with gateway_house.open_gateway(self.house, "gateway-1", short) as gateway:
            exchange.wait_until_ready(gateway.port)
            results, actions = asyncio.run(asyncio.wait_for(both(gateway.port), 2 * PATIENCE_S))
        self.assertEqual(results, ["loss"] * 4)   # Nobody finds anything in ten actions each.
        self.assertGreaterEqual(actions, 40)


if __name__ == "__main__":
    unittest.main()
