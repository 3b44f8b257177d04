"""honest.py: two people who only want to play, the journal their match stands in, and what must hold of both."""
import hashlib
import pathlib
import sqlite3
import subprocess
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "common/client/python"))

import arbiter  # noqa: E402
from arbiter import messages  # noqa: E402

lobby = messages.lobby
PATIENCE_S = 20.0
GAME, SETUP = "dead", "standard"


class Person:
    """One seat, through the Python client: hears everything, plays what the game itself thinks best."""

    def __init__(self, premises, name):
        self.name, self.seat, self.match = name, None, b""
        self.begun = self.attached = b""
        self.heard, self.chain = [], {}
        self.client = arbiter.Client(*premises.lobby(), key_file=premises.keys[name].file, name=name)
        self.wrong = []

    def listen(self, wait_ms=0):
        """Takes what has come; returns it."""
        told = []
        while (event := self.client.next(wait_ms if not told else 0)) is not None:
            told.append(event)
            if event.kind == "act" and event.match_id == self.match and event.seat == self.seat:
                self.heard.append(event.number)
            if event.kind == "table" and event.message.HasField("match_begins"):
                self.begun = event.message.match_begins.match_id
            if event.kind == "attached":
                self.attached = event.match_id
            if event.kind in ("fault", "lost"):
                self.wrong.append(f"{self.name} was told {event.kind}: {event.fault} {event.message}")
        return told

    def until(self, is_it, others=()):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            for event in self.listen(10):
                if is_it(event):
                    return event
            for other in others:
                if other is not self:
                    other.listen()
        raise AssertionError(f"{self.name} waited in vain")

    def ask(self, number, others=()):
        event = self.until(lambda event: event.kind in ("answer", "refused") and event.request == number, others)
        return event.message


class Pair:
    """Ada and Bob at one table after the other; `matches`: all they have begun."""

    def __init__(self, premises):
        self.premises, self.matches, self.moves = premises, [], 0
        self.people = [Person(premises, name) for name in ("ada", "bob")]
        for person in self.people:
            answer = person.ask(person.client.bind_name(person.name.title()))
            assert answer.verdict == lobby.VERDICT_DONE, answer

    def close(self):
        for person in self.people:
            person.client.close()

    def begin(self):
        ada, bob = self.people
        answer = ada.ask(ada.client.create_table(GAME, setup_name=SETUP, seats=2))
        assert answer.verdict == lobby.VERDICT_DONE, answer
        self.table = answer.table.table
        answer = bob.ask(bob.client.join_table(table=self.table))
        assert answer.verdict == lobby.VERDICT_DONE, answer
        old = self.matches[-1] if self.matches else b""
        self.wait(lambda person: person.begun != old and person.begun)
        for seat, person in enumerate(self.people):
            person.match, person.seat, person.heard = person.begun, seat, []
            person.client.attach(person.match, seat)
        self.wait(lambda person: person.attached == person.match)
        self.match = self.people[0].match
        self.matches.append(self.match)
        self.move()     # Dice are made before anybody can.

    def wait(self, is_so):
        """Both listen until it is so for both."""
        end = time.monotonic() + PATIENCE_S
        while not all(map(is_so, self.people)):
            assert time.monotonic() < end, "the two wait in vain"
            for person in self.people:
                person.listen(10)

    def is_over(self):
        return Journal(self.premises).is_over(self.match)

    def move(self):
        """One accepted command, by whoever is asked; returns the act it became."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            for person in self.people:
                found = self.try_to_move(person)
                if found is not None:
                    self.moves += 1
                    return found
            if self.is_over():
                self.begin()
        raise AssertionError("nobody can move")

    def try_to_move(self, person):
        others = self.people
        if not person.client.legal(person.match, person.seat, best=True):
            person.listen(10)
            return None
        answer = person.until(lambda event: event.kind in ("legal", "over"), others)
        if answer.kind == "over" or not answer.message.HasField("best"):
            return None
        number = person.client.play(person.match, person.seat, answer.message.best)
        if not number:
            return None
        reply = person.until(lambda event: event.kind == "reply" and event.request == number, others)
        return reply.message.number if reply.outcome == "accepted" else None

    def hear_all(self):
        """Both have every act there is; a sentence for what they lack."""
        end, count = time.monotonic() + PATIENCE_S, Journal(self.premises).count(self.match)
        while time.monotonic() < end:
            for person in self.people:
                person.listen(5)
            if all(person.heard and person.heard[-1] >= count for person in self.people):
                break
        wrong = [sentence for person in self.people for sentence in person.wrong]
        for person in self.people:
            if person.heard != list(range(person.heard[0], count + 1)) if person.heard else True:
                wrong.append(f"{person.name} heard {person.heard[:3]} ... {person.heard[-3:]} of {count} acts")
        return wrong


class Journal:
    """What the engine keeps, read with SQLite alone."""

    def __init__(self, premises):
        self.file = premises.folder / "data/engine/journal.db"

    def rows(self, sql, *values):
        store = sqlite3.connect(f"file:{self.file}?mode=ro", uri=True, timeout=10)
        try:
            return store.execute(sql, values).fetchall()
        finally:
            store.close()

    def matches(self):
        return {row[0] for row in self.rows("SELECT match_id FROM matches")}

    def count(self, match):
        return self.rows("SELECT coalesce(max(number), 0) FROM acts WHERE match_id = ?", match)[0][0]

    def is_over(self, match):
        return bool(self.rows("SELECT 1 FROM results WHERE match_id = ?", match))

    def digest(self, match, upto):
        """Of everything the match's acts up to this one, seats and header say."""
        found = self.rows("SELECT * FROM acts WHERE match_id = ? AND number <= ? ORDER BY number", match, upto)
        found += self.rows("SELECT * FROM seats WHERE match_id = ? ORDER BY seat, generation", match)
        found += self.rows("SELECT slot, game, rules_version, setup, seats, seed, commitment, dice_secret, "
                           "sealing_secret, turn_ms, table_id, spectators, code, opening FROM matches "
                           "WHERE match_id = ?", match)
        return hashlib.sha256(repr(found).encode()).hexdigest()


def verify(premises, matches):
    """Each match as a file that stands for itself; sentences for those that do not hold."""
    files, tool = premises.folder / "files", premises.build / "arbiter"
    files.mkdir()
    for match in matches:
        said = subprocess.run([tool, "match", "export", match.hex(), "--home", premises.folder, files / match.hex()],
                              capture_output=True, text=True, check=False)
        if said.returncode != 0:
            return [f"arbiter match export of {match.hex()}: {said.stderr}".strip()]
    said = subprocess.run([tool, "verify", *files.iterdir()], capture_output=True, text=True, check=False)
    holds = [line for line in said.stdout.splitlines() if ": holds: " in line]
    if len(holds) == len(matches):
        return []
    return [f"{len(holds)} of {len(matches)} match files verify: {said.stdout}{said.stderr}"]
