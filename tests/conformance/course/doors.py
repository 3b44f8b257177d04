"""Games of the dead over a plain door: what is sent goes over the wire, and each client hears what the rules say to it.

The rules are those of the second implementation, in this process. A door is a running server, whoever wrote it.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import dead_games                       # pylint: disable=wrong-import-position
from second.client import Client        # pylint: disable=wrong-import-position
from wrong.points import START          # pylint: disable=wrong-import-position

ARBITER = os.path.join(os.environ["ARBITER_BUILD"], "arbiter")
COURSE = os.path.join(os.environ["ARBITER_SOURCE"], "common", "games", "dead", "course")
PATIENCE_S = float(os.environ.get("CLASSROOM_PATIENCE", 30))
PYTHON = "/usr/bin/python3"
HOUSE = [ARBITER, "serve", "dead", *START[:-2], "--set", "edition={edition}"]  # For a judge or a suite to start.


def serve_words(edition):
    return [ARBITER, "serve", "dead", "--set", f"edition={edition}"]


def second_words(edition):
    return [PYTHON, "-B", os.path.join(COURSE, "arbiter-dead"), "--edition", edition]


def wrong_words(name, edition):
    return [PYTHON, "-B", os.path.join(COURSE, "arbiter-wrong"), name, "--edition", edition]


class Door:
    """A server as a process, at a free port."""

    def __init__(self, words, config, seed, timeout=60):
        self.folder = tempfile.TemporaryDirectory()
        self.child = subprocess.Popen(
            [*words, "--config", config, "--port", "0", "--seed", str(seed), "--timeout", str(timeout)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {"TMPDIR": self.folder.name})
        found = re.search(r"tcp://127\.0\.0\.1:\d+", self.child.stdout.readline())
        if found is None:
            raise AssertionError(self.child.communicate(timeout=PATIENCE_S)[1])
        self.address = found.group()
        self.clients = {}

    def client(self, number):
        if number not in self.clients:
            self.clients[number] = Client(self.address)
        return self.clients[number]

    def exchange(self, heard, said):
        """Sends a command; a sentence for the first event that is not as it should be, else None."""
        self.client(heard.client).say(heard.command, **heard.args)
        for one in said:
            for number in one.to:
                came = self.client(number).hear(PATIENCE_S)
                if without_words(came) != without_words((one.event, one.args)):
                    return f"client {number}: expected {one.event} {one.args}, came {came} after {heard}"
        return None

    def end(self, is_over):
        """(what clients heard beyond, exit code, complaints)."""
        if not is_over:
            self.child.terminate()
        complaints = self.child.communicate(timeout=PATIENCE_S)[1]
        beyond = [(number, client.hear(0)) for number, client in self.clients.items()]
        for client in self.clients.values():
            client.close()
        self.folder.cleanup()
        return [pair for pair in beyond if pair[1]], self.child.returncode, complaints


def without_words(came):
    """Why a command failed is free, but must be said; who is asked is known to who hears it."""
    if came is None or came[0] not in ("CommandFailed", "ActNow", "VoteNow"):
        return came
    return came[0], came[0] != "CommandFailed" or bool(came[1].get("message"))


class Together(dead_games.People):
    """People whose game is played in this process and at a door at once; none of them is silent."""

    def __init__(self, luck, config, edition, seed, text, door, most):
        super().__init__(luck, config, edition, seed)
        self.game.text, self.door, self.most = text, door, most

    def send(self):
        while True:
            heard = super().send()
            if heard is not dead_games.TIMEOUT:
                return heard

    def play(self):
        """A sentence for the first difference, or None."""
        for _ in range(self.most):
            if self.server.is_over:
                break
            heard = dead_games.Heard(*self.send())
            self.lines.append({"from": heard.client, "cmd": heard.command, "args": heard.args})
            said = self.server.happens(heard)
            self.lines.extend(dead_games.lines_of(said))
            difference = self.door.exchange(heard, said)
            if difference:
                return difference
        return None


def compare(words, config, seed, luck, edition, text, most):
    """Plays one game at a door of these words; a sentence for the first difference, or None."""
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        door = Door(words, file.name, seed)
        people = Together(luck, config, edition, seed, text, door, most)
        difference = people.play()
        is_over = people.server.is_over
        beyond, code, complaints = door.end(is_over and not difference)
    if difference or not is_over:
        return difference
    return f"{beyond} {code} {complaints}" if beyond or code else None
