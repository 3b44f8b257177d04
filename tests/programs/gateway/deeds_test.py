"""deeds_test.py: POST /api/house: the operator and helpers look after people and matches through a gateway, each as far
as his token goes; and the lobby writes down whose token it was."""
import base64
import contextlib
import http.client
import json
import os
import pathlib
import subprocess
import sys
import time
import unittest

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path.insert(0, str(SOURCE / "tests" / "lib" / "gateway"))
import exchange  # noqa: E402
import gateway_house  # noqa: E402
import hotseat  # noqa: E402
import socket_client  # noqa: E402

PATIENCE_S = 60
OPERATOR, HELPER = "o" * 40, "h" * 40
TOKENS = f"""# Whoever helps on Saturdays.
{HELPER} eve helper
{'z' * 40} otto operator
"""


class Deeds(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stack = contextlib.ExitStack()
        cls.addClassCleanup(cls.stack.close)
        cls.house = cls.stack.enter_context(gateway_house.open_house(BUILD, gateways=2))
        cls.file("operator.token", OPERATOR + "\n")
        cls.gateway = cls.stack.enter_context(gateway_house.open_gateway(cls.house, words=[
            "--operator-token", cls.house.folder / "operator.token", "--page-tokens", cls.file("page.tokens", TOKENS)]))
        exchange.wait_until_ready(cls.gateway.port)
        cls.player = cls.stack.enter_context(hotseat.Hotseat(cls.house))

    @classmethod
    def file(cls, name, text):
        path = cls.house.folder / name
        path.write_text(text)
        return path

    def send(self, body, token=OPERATOR, method="POST", port=None, kind="application/json"):
        """(status, the answer as JSON)."""
        connection = http.client.HTTPConnection("127.0.0.1", port or self.gateway.port, timeout=PATIENCE_S)
        headers = {"Content-Type": kind, **({"Authorization": f"Bearer {token}"} if token else {})}
        try:
            connection.request(method, "/api/house", body=body, headers=headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def ask(self, token=OPERATOR, **kind):
        return self.send(json.dumps(kind), token)

    def deeds(self):
        status, answer = self.ask(list_audit={})
        self.assertEqual(status, 200, answer)
        return answer["audit"].get("deeds", [])

    def test_a_helper_mutes_and_does_not_erase_and_the_audit_says_whose_token_it_was(self):
        hour = str(int((time.time() + 3600) * 1000))
        self.assertEqual(self.ask(HELPER, mute_player={"name": "Ada", "reason": "Mind your words."})[0], 403)
        self.assertEqual(self.ask(HELPER, mute_player={"name": "Ada", "reason": "Mind your words.", "until_ms": hour})[0], 200)
        status, answer = self.ask(HELPER, forget_player={"name": "Ada"})
        self.assertEqual((status, answer["verdict"]), (403, "VERDICT_NOT_ALLOWED"))
        self.assertEqual(answer["sentence"], "A helper may not do this; the operator may.")
        people = self.ask(HELPER, list_players={})[1]["players"]["players"]
        self.assertEqual([(one["name"], one.get("muted")) for one in people], [("Ada", True)])
        self.assertEqual(self.ask("z" * 40, mute_player={"name": "Ada", "muted": False})[0], 200)
        by_otto, refused, by_eve, too_long = self.deeds()[:4]
        self.assertEqual([(one["token"], one.get("helper", False)) for one in (by_otto, refused, by_eve)],
                         [("otto", False), ("eve", True), ("eve", True)])
        self.assertEqual((by_eve["deed"], by_eve["player"]["name"], by_eve["reason"], by_eve["key_name"]),
                         ("DEED_MUTE_PLAYER", "Ada", "Mind your words.", "gateway-0"))
        self.assertEqual((refused["deed"], refused["verdict"]), ("DEED_FORGET_PLAYER", "VERDICT_NOT_ALLOWED"))
        self.assertEqual((too_long["deed"], too_long["verdict"]), ("DEED_MUTE_PLAYER", "VERDICT_NOT_ALLOWED"))
        self.assertTrue(by_otto["undone"])

    def test_the_operator_ends_a_private_match_that_he_finds_in_the_list(self):
        match_id, _ = self.player.begin([9], private_table=True)
        tables = self.ask(list_tables={"all": True, "phase": "PHASE_PLAYING"})[1]["tables"]["tables"]
        wanted = base64.b64encode(match_id).decode()
        self.assertIn(wanted, [one["match_id"] for one in tables])
        status, answer = self.ask(abort_match={"match_id": wanted, "reason": "The room closes."})
        self.assertEqual(status, 200, answer)
        self.player.wait(lambda event: event.kind == "table" and event.message.HasField("match_ended"))
        self.assertEqual(self.ask(abort_match={"match_id": wanted})[0], 409)

    def test_what_is_announced_stands_in_every_list(self):
        self.assertEqual(self.ask(announce={"text": "New cards.", "stop_ms": "4102444800000"})[0], 200)
        listed = self.player.answer(self.player.client.list_tables()).tables
        self.assertEqual((listed.announced.text, listed.announced.stop_ms), ("New cards.", 4102444800000))
        self.assertEqual(self.ask(announce={})[0], 200)
        self.assertFalse(self.player.answer(self.player.client.list_tables()).tables.HasField("announced"))

    def test_nobody_asks_here_without_a_token(self):
        before = len(self.deeds())
        body = json.dumps({"mute_player": {"name": "Ada"}})
        self.assertEqual([self.send(body, token)[0] for token in (None, "x" * 40, OPERATOR + "o")], [401, 401, 401])
        self.assertEqual([self.send(body, method=method)[0] for method in ("GET", "PUT")], [404, 405])
        self.assertEqual(len(self.deeds()), before)

    def test_what_is_not_for_a_page_does_not_pass(self):
        before = len(self.deeds())
        key = base64.b64encode(b"k" * 32).decode()
        for ask in ({"admit": {"key": key, "role": "ROLE_CLIENT"}}, {"drain_engine": {"name": "engine"}}, {"bind_name": {"name": "Bo"}},
                    {"mute_player": {"name": "Ada"}, "deputy": {"name": "somebody else"}},
                    {"mute_player": {"name": "Ada"}, "player": base64.b64encode(b"p" * 16).decode()}, {}):
            self.assertEqual(self.ask(**ask)[0], 403, ask)
        self.assertEqual(len(self.deeds()), before)

    def test_no_visitor_speaks_in_the_operators_name(self):
        socket = socket_client.Socket(self.gateway.port)
        self.addCleanup(socket.plain.close)
        socket.send(json.dumps({"request": 1, "hello": {}}))
        while "welcome" not in json.loads(socket.receive()):
            pass
        for words, kind in (({"deputy": {"name": "operator"}}, "refused"), ({"deputy": {}}, "refused"), ({}, "answer")):
            socket.send(json.dumps({"request": 7, "ask": {"list_tables": {"all": True}, **words}}))
            while (down := json.loads(socket.receive())).get("request") != 7:
                pass
            self.assertIn(kind, down, words)

    def test_what_is_no_ask_is_refused(self):
        for body in ("", "{", "[]", '{"mute_player":{"name":7}}', '{"mute_player":{"nom":"Ada"}}', '{"a":1,"a":1}'):
            self.assertEqual(self.send(body)[0], 400, body)
        self.assertEqual(self.send(json.dumps({"announce": {"text": "a" * 5000}}))[0], 413)
        self.assertEqual(self.send(json.dumps({"announce": {"text": "a" * 2000}}))[0], 413)
        self.assertEqual(self.send("{}", kind="text/plain")[0], 415)

    def test_without_any_token_nobody_may_from_this_machine_either(self):
        with gateway_house.open_gateway(self.house, "gateway-1") as gateway:
            exchange.wait_until_ready(gateway.port)
            self.assertEqual(self.send("{}", None, port=gateway.port)[0], 403)

    def test_a_file_of_tokens_with_a_faulty_line_is_named_with_the_line(self):
        for line in ("short eve helper", f"{HELPER} eve", f"{HELPER} eve king", f"{HELPER} eve helper too",
                     f"{HELPER} {'e' * 33} helper", f"{HELPER} eve{' ' * 200}helper", " " * 200 + f"{HELPER} eve helper"):
            path = self.file("faulty.tokens", f"# three lines{', and this one is long' * 20}\n\n{line}\n")
            said = subprocess.run([BUILD / "arbiter-gateway", "--page-tokens", path], capture_output=True, text=True, check=False)
            self.assertIn(f"{path}:3: a line is TOKEN NAME operator, or TOKEN NAME helper", said.stderr)


if __name__ == "__main__":
    unittest.main()
