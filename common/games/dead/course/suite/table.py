"""What the tests stand on: a server that is started for one game, and the players at it."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
import unittest
from typing import Any

COURSE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, COURSE)
from second.client import Client  # pylint: disable=wrong-import-position

PATIENCE_S = 10.0  # An answer takes no longer.
QUIET_S = 0.3      # Nothing more comes if nothing has come for so long.
AT, START = "", ""  # HOST:PORT, and the command that starts a server: run.py fills them in.

Event = tuple[str, dict[str, Any]]
Events = list[Event]


def names(events: Events) -> list[str]:
    return [name for name, _ in events]


def only(events: Events, name: str) -> list[dict[str, Any]]:
    return [args for found, args in events if found == name]


class Seat:
    """A player: what it says, and what it hears. Its survivors, cards and dice are as it has heard of them."""

    def __init__(self, test: unittest.TestCase, number: int) -> None:
        self.test, self.number = test, number
        self.client = Client(f"tcp://{AT}")
        test.addCleanup(self.client.close)
        self.people: list[int] = []
        self.hand: list[int] = []
        self.dice: list[int] = []
        self.built = 0

    def hear(self, patience_s: float = PATIENCE_S) -> Event | None:
        event = self.client.hear(patience_s)
        if event is not None:
            self.follow(*event)
        return event

    def follow(self, name: str, args: dict[str, Any]) -> None:
        if name == "NextRound":
            self.dice = []
        if args.get("player") == self.number:
            for event, key, known in [("CharacterSpawned", "characterId", self.people),
                                      ("CardDrawn", "cardId", self.hand), ("DieRolled", "value", self.dice)]:
                if name == event:
                    known.append(args[key])

    def until(self, *last: str) -> Events:
        """All events up to one of these."""
        events: Events = []
        while not events or events[-1][0] not in last:
            event = self.hear()
            self.test.assertIsNotNone(event, f"{last} was to come, after {names(events)[-5:]}")
            events.append(event)
        return events

    def quiet(self, seconds: float = QUIET_S) -> None:
        self.test.assertIsNone(self.hear(seconds), "nothing was to come")

    def say(self, command: str, **args: Any) -> None:
        self.client.say(command, **args)

    def do(self, command: str, **args: Any) -> Events:
        """Says it, and hears until it is asked again. The command must be carried out."""
        self.say(command, **args)
        events = self.until("ActNow", "VoteNow", "GameEnd")
        self.test.assertNotIn("CommandFailed", names(events), (command, args))
        return events

    def fail(self, command: str, **args: Any) -> None:
        """Says it. The command must fail, and the question must come again."""
        self.say(command, **args)
        events = self.until("ActNow", "GameEnd")
        self.test.assertEqual(names(events), ["CommandFailed", "ActNow"], (command, args))
        self.test.assertTrue(events[0][1]["message"])

    def choose(self) -> None:
        """Takes the first two who are offered, and names the higher number first."""
        offer = only(self.until("Characters"), "Characters")[0]
        two = sorted((offer["characterId0"], offer["characterId1"]))
        self.say("SelectCharacters", characterId0=two[1], characterId1=two[0])

    def build(self) -> None:
        """Spends all dice on barricades far from the zombies."""
        for _ in self.dice:
            self.do("Barricade", characterId=self.people[0], entrance=10 + 4 * self.number + self.built // 2)
            self.built += 1


class Table(unittest.TestCase):
    """A test that plays."""

    edition = "equipment"

    def start(self, config: dict[str, Any], seed: int = 1, timeout: int = 60, edition: str | None = None) -> list[Seat]:
        """A server, and its players, who have registered."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "config.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(config, file)
        values = {"port": AT.rsplit(":", 1)[1], "config": path, "seed": seed, "timeout": timeout,
                  "edition": edition or self.edition}
        words = shlex.split(START)
        for key, value in values.items():
            words = [word.replace("{" + key + "}", str(value)) for word in words]
        self.server = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.end, self.server)
        seats = [Seat(self, number) for number in range(config["maxPlayers"])]
        for seat in seats:
            seat.say("Register", playerName=f"Player {seat.number}")
            self.assertEqual(names(seat.until("Config")), ["Config"])
        return seats

    def play(self, config: dict[str, Any], **words: Any) -> list[Seat]:
        """The same, up to the first turn."""
        seats = self.start(config, **words)
        for seat in seats:
            seat.choose()
        seats[0].until("ActNow")
        return seats

    def play_late(self, config: dict[str, Any], **words: Any) -> list[Seat]:
        """The same, but more than ten commands later: everybody builds, and ends the turn."""
        seats = self.play(config, **words)
        for _ in range(2 if len(seats) == 1 else 1):
            for seat in seats:
                if seat.number > 0:
                    seat.until("ActNow")
                seat.build()
                seat.say("EndTurn")
            seats[0].until("ActNow")
        return seats

    def again(self) -> None:
        """Ends this game, for another one in the same test."""
        self.doCleanups()

    @staticmethod
    def end(server: subprocess.Popen[bytes]) -> None:
        server.terminate()
        server.wait()
