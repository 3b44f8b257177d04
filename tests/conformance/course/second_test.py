"""The second implementation of the dead as a program: set-ups, exit codes, clock, bot, and what is no message."""
import json
import os
import subprocess
import unittest

import doors
import zmq
from second import setup

DEAD = os.path.join(os.environ["ARBITER_SOURCE"], "common", "games", "dead")
INTRO = os.path.join(os.environ["ARBITER_SOURCE"], "configs", "dead", "intro.json")
DEADLINE_S = 30


def read(*path):
    with open(os.path.join(DEAD, *path), encoding="utf-8") as file:
        return file.read()


class SetUps(unittest.TestCase):
    def test_it_judges_each_set_up_as_is_expected(self):
        lines = read("validity", "expected.jsonl").splitlines()
        self.assertGreaterEqual(len(lines), 150)
        for line in map(json.loads, lines):
            _, faults = setup.read(read("validity", line["config"]), line["edition"])
            self.assertEqual(not faults, line["verdict"] == "valid", (line, faults))

    def test_what_is_no_set_up_is_refused(self):
        for text in ("", "[]", "7", "{", '{"maxPlayers": 1, "maxPlayers": 1}', "[" * 10000):
            self.assertTrue(setup.read(text, "base")[1], text[:20])

    def run_program(self, *words):
        return subprocess.run([*doors.second_words("base"), *words], capture_output=True, text=True,
                              timeout=DEADLINE_S, check=False)

    def test_nothing_listens_for_a_faulty_command_line(self):
        whole = {"--config": INTRO, "--port": "0", "--seed": "1", "--timeout": "1"}
        for key, value in [("--config", None), ("--config", "no-such-file"), ("--port", "x"), ("--port", None),
                           ("--seed", "1.5"), ("--timeout", "0"), ("--edition", "third"), ("--unknown", "1")]:
            words = [word for pair in (whole | {key: value}).items() if pair[1] is not None for word in pair]
            ended = self.run_program(*words)
            self.assertEqual((ended.returncode, ended.stdout), (2, ""), (key, value))
            self.assertNotEqual(ended.stderr, "")


class AtTheDoor(unittest.TestCase):
    def serve(self, *words, timeout=60):
        self.door = doors.Door([*doors.second_words("base"), *words], INTRO, 7, timeout)
        return self.door

    def heard(self, client, count):
        return [(client.hear(DEADLINE_S) or ("silence",))[0] for _ in range(count)]

    def test_nobody_begins_in_time(self):
        door = self.serve(timeout=3)
        ada = door.client(1)
        ada.say("Register", playerName="Ada")
        self.assertEqual(self.heard(ada, 2), ["Config", "RegistrationAborted"])
        self.assertEqual(door.end(True), ([], 0, ""))

    def test_silence_is_waited_for_and_then_is_leaving(self):
        door = self.serve("--patience", "2", timeout=3)
        ada = door.client(1)
        ada.say("Register", playerName="Ada")
        ada.say("StartGame")
        self.assertEqual(self.heard(ada, 6),
                         ["Config", "GameStarted", "Player", "Characters", "CommandFailed", "CharacterSpawned"])
        events = self.heard(ada, 13)
        self.assertEqual(events[-2:], ["ActNow", "Left"])
        self.assertEqual(door.end(True), ([], 0, ""))

    def test_what_is_no_message_is_a_command_in_vain(self):
        door = self.serve()
        ada = door.client(1)
        for frames in ([b"garbage"], [b""], [b"\xff" * 70000], [b"two", b"frames"]):
            ada.socket.send_multipart(frames)
            self.assertEqual(self.heard(ada, 1), ["CommandFailed"])
        ada.say("Register", playerName="Ada")
        ada.say("StartGame")
        self.assertEqual(self.heard(ada, 4), ["Config", "GameStarted", "Player", "Characters"])
        ada.say("SelectCharacters", characterId0=1, characterId1=1)
        ada.socket.send(b"garbage")
        self.assertEqual(self.heard(ada, 2), ["CommandFailed"] * 2)
        self.assertEqual(door.end(False)[0], [])

    def test_garbage_brings_the_question_again_to_who_is_asked(self):
        door = self.serve()
        ada, bob = door.client(1), door.client(2)
        for client, name in ((ada, "Ada"), (bob, "Bob")):
            client.say("Register", playerName=name)
            self.assertEqual(self.heard(client, 1), ["Config"])
        ada.say("StartGame")
        for client in (ada, bob):
            offer = self.until(client, "Characters")
            client.say("SelectCharacters", characterId0=offer["characterId0"], characterId1=offer["characterId1"])
        self.until(ada, "ActNow")
        ada.socket.send(b"garbage")
        self.assertEqual(self.heard(ada, 2), ["CommandFailed", "ActNow"])
        ada.say("EndTurn")
        self.until(bob, "ActNow")
        ada.socket.send(b"garbage")
        self.assertEqual(self.heard(ada, 1), ["CommandFailed"])
        self.assertEqual(door.end(False)[0], [])

    def until(self, client, event):
        """What the first event of this name says."""
        while True:
            heard = client.hear(DEADLINE_S)
            self.assertIsNotNone(heard, event)
            if heard[0] == event:
                return heard[1]

    def test_who_uses_a_req_is_told(self):
        door = self.serve()
        with zmq.Context.instance().socket(zmq.REQ) as request:
            request.linger = 0
            request.connect(door.address)
            request.send(b"anything")
            self.assertTrue(request.poll(DEADLINE_S * 1000))
            self.assertIn(b"DEALER", request.recv())
        door.end(False)

    def test_its_bots_play_a_game_to_its_end(self):
        door = self.serve()
        bots = [subprocess.Popen([doors.PYTHON, "-B", os.path.join(doors.COURSE, "dead-bot"), door.address,
                                  f"Bot {seat}", str(seat)], stdout=subprocess.PIPE, text=True) for seat in range(4)]
        said = [bot.communicate(timeout=2 * DEADLINE_S)[0] for bot in bots]
        self.assertTrue(set(said) <= {"GameEnd\n", "Left\n"}, said)
        self.assertEqual(door.end(True)[1:], (0, ""))


if __name__ == "__main__":
    unittest.main()
