"""origins_test.py: who may open the WebSocket door, how often, and how much he may say."""
import os
import pathlib
import re
import socket
import sys
import unittest

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path.insert(0, str(SOURCE / "tests" / "lib" / "gateway"))
import gateway_house  # noqa: E402
import socket_client  # noqa: E402

PAGE = "https://play.example"


class Origins(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = cls.enterClassContext(gateway_house.open_house(BUILD, 1))
        cls.gateway = cls.enterClassContext(gateway_house.open_gateway(
            cls.house, words=["--origin", f"https://other.example,{PAGE}", "--tab-hello-ms", "700",
                              "--tabs-per-address", "6"]))

    def refused(self, status, **how):
        with self.assertRaises(socket_client.Closed) as why:
            socket_client.Socket(self.gateway.port, **how)
        self.assertEqual(why.exception.code, status, why.exception)

    def test_a_page_from_elsewhere_is_refused_before_it_says_a_word(self):
        for origin in ("https://evil.example", "null", f"{PAGE}.evil.example", f"http://127.0.0.1:{self.gateway.port}0",
                       "https://play.exampl", "file://"):
            self.refused(403, origin=origin)
        for origin in (PAGE, f"http://127.0.0.1:{self.gateway.port}"):
            socket_client.Socket(self.gateway.port, origin=origin).cut()

    def test_an_older_or_newer_program_is_told_what_is_spoken(self):
        for protocol in ("arbiter.v0", "arbiter.v2, arbiter.v2+json", "chat", "arbiter.v1x", None):
            with self.assertRaises(socket_client.Closed) as why:
                socket_client.Socket(self.gateway.port, protocol=protocol)
            self.assertEqual(why.exception.code, 400, protocol)
        with socket.create_connection(("127.0.0.1", self.gateway.port)) as line:
            line.settimeout(10)
            line.sendall(b"GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                         b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: arbiter.v0\r\n\r\n")
            said = b""
            while b"this release" not in said and (piece := line.recv(4096)):
                said += piece
        self.assertIn(b"arbiter.v1 and arbiter.v1+json are spoken here", said)
        socket_client.Socket(self.gateway.port, protocol="arbiter.v2, arbiter.v1+json").cut()  # One of them is ours.

    def test_a_page_keeps_its_session_in_a_cookie_that_no_script_reads(self):
        page = socket_client.Player(self.gateway.port, origin=PAGE)
        welcome = page.open(name="Page")["welcome"]
        self.assertNotIn("session", welcome)
        cookie = page.socket.cookie
        for word in ("HttpOnly", "SameSite=Strict", "Path=/"):
            self.assertIn(word, cookie)
        again = socket_client.Player(self.gateway.port, origin=PAGE, cookie="a=b; " + cookie.split(";")[0])
        self.assertEqual(again.open()["welcome"]["player"], welcome["player"])
        secret = re.match(r"arbiter_session=([\w-]{43});", cookie).group(1)
        self.assertFalse([down for down in page.heard + again.heard if secret in str(down)])
        for tab in (page, again):
            tab.socket.cut()

    def test_a_session_is_found_among_any_number_of_other_cookies_and_never_replaced_unread(self):
        page = socket_client.Player(self.gateway.port, origin=PAGE)
        welcome = page.open(name="Cookie jar")["welcome"]
        own = page.socket.cookie.split(";")[0]
        for size in (900, 1024, 1500, 3000, 3500):
            again = socket_client.Player(self.gateway.port, origin=PAGE, cookie=f"other={'x' * size}; {own}")
            self.assertEqual(again.open()["welcome"].get("player"), welcome["player"], size)
            self.assertEqual(again.socket.cookie.split(";")[0], own)
            again.socket.cut()
        with self.assertRaises(socket_client.Closed) as why:
            socket_client.Socket(self.gateway.port, origin=PAGE, cookie=f"other={'x' * 4200}; {own}")
        self.assertNotIn("set-cookie", str(why.exception).lower())
        page.socket.cut()

    def test_the_secret_of_who_left_is_good_at_no_gateway(self):
        program = socket_client.Player(self.gateway.port)
        self.addCleanup(program.close)
        self.assertIn("player", program.open(name="Goes for good")["welcome"])
        secret = program.session
        program.send(leave={})
        program.wait(lambda down: "closing" in down)
        again = socket_client.Player(self.gateway.port)
        self.addCleanup(again.close)
        self.assertNotIn("player", again.open(session=secret)["welcome"])

    def test_nobody_chooses_the_secret_that_a_new_name_goes_with(self):
        chosen = "c" * 42 + "A"
        program = socket_client.Player(self.gateway.port)
        self.addCleanup(program.close)
        named = program.open(name="Chooses it", session=chosen)["welcome"]
        self.assertNotIn(named["session"], (chosen, None))
        page = socket_client.Player(self.gateway.port, origin=PAGE, cookie=f"arbiter_session={chosen}", path="/ws?new")
        player = page.open(name="Was planted")["welcome"]["player"]
        self.assertNotIn(chosen, page.socket.cookie)
        back = socket_client.Player(self.gateway.port, origin=PAGE, cookie=page.socket.cookie.split(";")[0], path="/ws?new")
        self.assertEqual(back.open()["welcome"]["player"], player)  # Who is known here stays.
        thief = socket_client.Player(self.gateway.port)
        self.addCleanup(thief.close)
        self.assertNotIn("player", thief.open(session=chosen)["welcome"])
        old = socket_client.Player(self.gateway.port, origin=PAGE, cookie=f"arbiter_session={chosen}")
        player = old.open(name="Says no new")["welcome"]["player"]  # As pages of before do.
        word = old.wait(lambda down: "closing" in down)["closing"]["pass"]
        again = socket_client.Player(self.gateway.port, origin=PAGE, cookie=f"arbiter_session={chosen}", path=f"/ws?pass={word}")
        self.assertEqual(again.open()["welcome"]["player"], player)
        self.assertNotIn(chosen, again.socket.cookie)
        for tab in (page, back, again):
            tab.socket.cut()

    def test_people_at_one_browser_have_a_cookie_each(self):
        first = socket_client.Player(self.gateway.port, origin=PAGE)
        one = first.open(name="Window one")["welcome"]["player"]
        jar = [first.socket.cookie.split(";")[0]]
        second = socket_client.Player(self.gateway.port, origin=PAGE, cookie=jar[0], path="/ws?who=2&new")
        two = second.open(name="Window two")["welcome"]["player"]
        jar.append(second.socket.cookie.split(";")[0])
        self.assertRegex(second.socket.cookie, r"^arbiter_session_2=[\w-]{43}; .*HttpOnly; SameSite=Strict")
        self.assertNotEqual(jar[0].split("=")[1], jar[1].split("=")[1])
        for tab in (first, second):
            tab.socket.cut()
        # What is no number of a window is none: then it is whoever the browser knew first.
        for path, player, own in (("/ws", one, 0), ("/ws?who=2", two, 1), ("/ws?who=1", one, 0), ("/ws?who=22", one, 0), ("/ws?who=x", one, 0),
                                  ("/ws?pass=nothing&who=2", two, 1)):
            for order in (jar, jar[::-1]):
                again = socket_client.Player(self.gateway.port, origin=PAGE, cookie="; ".join(order), path=path)
                self.assertEqual(again.open()["welcome"].get("player"), player, path)
                self.assertEqual(again.socket.cookie.split(";")[0], jar[own], path)
                again.socket.cut()
        third = socket_client.Player(self.gateway.port, origin=PAGE, cookie="; ".join(jar), path="/ws?who=3")
        self.assertNotIn("player", third.open()["welcome"])
        third.socket.cut()

    def test_who_leaves_is_a_stranger_again(self):
        page = socket_client.Player(self.gateway.port, origin=PAGE)
        page.open(name="Leaves")
        cookie = page.socket.cookie.split(";")[0]
        page.send(leave={})
        page.wait(lambda down: "closing" in down)
        again = socket_client.Player(self.gateway.port, origin=PAGE, cookie=cookie)
        self.assertNotIn("player", again.open()["welcome"])
        self.assertNotEqual(again.socket.cookie.split(";")[0], cookie)
        again.socket.cut()

    def test_another_device_comes_in_by_a_code_and_keeps_the_cookie(self):
        page = socket_client.Player(self.gateway.port, origin=PAGE)
        player = page.open(name="Two devices")["welcome"]["player"]
        code = page.ask(device={})["device"]["code"]
        other = socket_client.Player(self.gateway.port, origin=PAGE)
        self.assertEqual(other.open(code=code)["welcome"]["player"], player)
        word = other.wait(lambda down: "closing" in down)["closing"]["pass"]
        cookie = other.socket.cookie.split(";")[0]
        for said in ("/ws", "/ws?pass=" + word[::-1]):  # Who planted the cookie knows no word.
            planter = socket_client.Player(self.gateway.port, origin=PAGE, cookie=cookie, path=said)
            self.assertNotIn("player", planter.open()["welcome"])
            self.assertEqual(planter.socket.cookie.split(";")[0], cookie)
            planter.socket.cut()
        back = socket_client.Player(self.gateway.port, origin=PAGE, cookie=cookie, path=f"/ws?pass={word}")
        self.assertEqual(back.open()["welcome"]["player"], player)
        self.assertEqual(back.socket.cookie.split(";")[0], page.socket.cookie.split(";")[0])
        for tab in (page, back):
            tab.socket.cut()

    def test_no_subprotocol_of_ours_no_door(self):
        for protocol in (None, "chat", "arbiter.v2"):
            with self.assertRaises(socket_client.Closed):
                socket_client.Socket(self.gateway.port, protocol)

    def test_who_says_too_much_is_told_so_and_when_to_come_back(self):
        tab = socket_client.Player(self.gateway.port)
        tab.open()
        for _ in range(12):
            tab.send(ping={})
        refused = tab.wait(lambda down: "refused" in down)["refused"]
        self.assertEqual(refused["refusal"], "REFUSAL_TOO_MUCH")
        self.assertGreater(int(refused["after_ms"]), 0)
        tab.socket.cut()

    def test_what_is_no_message_is_refused_and_does_nothing(self):
        tab = socket_client.Player(self.gateway.port)
        tab.open(name="Curious")
        for text in ("{", '{"ping":{},"look":{}}', '{"nothing":1}', "[" * 40, '{"play":{"command":"?"}}'):
            tab.socket.send(text)
            self.assertEqual(tab.next()["refused"]["refusal"], "REFUSAL_MALFORMED")
        for text in ('{"ask":{"ask_ticket":{}}}', '{"ask":{"admit":{}}}',
                     '{"ask":{"player":"AAAAAAAAAAAAAAAAAAAAAA==","rejoin":{}}}'):
            tab.socket.send(text)
            self.assertEqual(tab.next()["refused"]["refusal"], "REFUSAL_NOT_YOURS")
        tab.socket.cut()

    def test_a_refusal_says_of_which_request_whenever_that_can_be_read(self):
        tab = socket_client.Player(self.gateway.port)
        tab.open(name="Misspells")
        for request, said in ((5, '"pong":{}'), (6, '"ask":{"vote":{"choice":"X"}}'), (7, '"ping":{},"leave":{}'),
                              (4294967295, '"ask":{"bind_name":{"name":5}}'), (8, '"ping":{},"ping":{}'),
                              (9, '"ask":{"bind_name":{"name":"a\\u0000b"}}')):
            tab.socket.send(f'{{"request":{request},{said}}}')
            down = tab.next()
            self.assertEqual((down["refused"]["refusal"], down.get("request")), ("REFUSAL_MALFORMED", request), down)
        for none in ('{"request":-1,"ping":{}}', '{"request":4294967296,"ping":{}}', '{"request":"5","ping":{}}', '[5]', '{"request":5'):
            tab.socket.send(none)
            self.assertNotIn("request", tab.next())
        tab.socket.cut()

    def test_what_is_too_large_ends_the_connection(self):
        stranger = socket_client.Socket(self.gateway.port)
        stranger.send('{"hello":{"name":"' + "x" * 5000 + '"}}')
        with self.assertRaises(socket_client.Closed) as why:
            stranger.receive()
        self.assertEqual(why.exception.code, 1009)

    def test_who_never_says_hello_is_shown_out(self):
        silent = socket_client.Socket(self.gateway.port)
        self.assertIn("closing", silent.receive())
        with self.assertRaises(socket_client.Closed):
            silent.receive()

    def test_bytes_are_not_said_where_text_is(self):
        tab = socket_client.Socket(self.gateway.port)
        tab.send(b"\x08\x01")
        with self.assertRaises(socket_client.Closed) as why:
            tab.receive()
        self.assertEqual(why.exception.code, 1003)

    def test_one_address_has_so_many_and_no_more(self):
        held = []
        with self.assertRaises(socket_client.Closed) as why:
            for _ in range(20):
                held.append(socket_client.Socket(self.gateway.port))
        self.assertEqual(why.exception.code, 503)
        self.assertLessEqual(len(held), 6)
        for one in held:
            one.cut()


if __name__ == "__main__":
    unittest.main()
