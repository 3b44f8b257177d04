#!/usr/bin/python3 -B
"""visit.py: one house, visited: two matches, watched at every door; the first broken promise is said.

    visit.py BUILD [FAULT]      with FAULT the engine or the fanout is a faulty one
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
for folder in ("tests/process", "common/client/python"):
    sys.path.insert(0, str(SOURCE / folder))

from arbiter import messages  # noqa: E402
from arbiter.wire import NO_SEAT  # noqa: E402

from doors import Broken, Caller, Listener, PATIENCE_S, hold  # noqa: E402
from file import judge_file  # noqa: E402
from house import House, leave_when_told  # noqa: E402
from nim import Nim  # noqa: E402
from players import Player  # noqa: E402
from quests import Quests  # noqa: E402

NAMES = {"ada": "client", "bob": "client", "eve": "client", "late": "client", "operator": "console"}
STREAM_FAULTS = {"act-skipped", "acts-swapped", "act-repeated", "body-changed", "old-epoch", "head-ahead",
                 "head-chain", "no-heads", "history-hole", "history-changed", "no-catch-up"}
FAIL, BROKEN = 2, 1


class Visit:
    """The house and everybody in it."""

    def __init__(self, house):
        self.house, self.told, self.players, self.listeners = house, {}, {}, []
        self.callers = {name: Caller(house, name) for name in ("ada", "bob", "eve")}

    def enter(self, name):
        role = messages.directory.ROLE_CONSOLE if name == "operator" else messages.directory.ROLE_CLIENT
        self.players[name] = Player(self.house, name, self.told, role)
        return self.players[name]

    def until(self, is_so, promise, what):
        """Everybody hears what there is, until it is so."""
        end = time.monotonic() + PATIENCE_S
        while True:
            for player in self.players.values():
                player.hear()
            for listener in self.listeners:
                listener.hear()
            if is_so():
                return
            hold(promise, time.monotonic() < end, what)
            time.sleep(0.002)

    def ask(self, name, **kind):
        player = self.players[name]
        number = player.client.ask(**kind)
        self.until(lambda: number in player.answers, "lobby", f"no answer to {list(kind)}")
        answer = player.answers[number]
        hold("lobby", answer.verdict == messages.lobby.VERDICT_DONE, f"{list(kind)}: {answer.sentence}")
        return answer

    def listen(self, match_id):
        listener = Listener(self.callers["eve"], match_id)
        self.listeners.append(listener)
        return listener

    def watch(self, name, match_id):
        """A spectator comes in; the view he is given."""
        player = self.players[name]
        player.client.attach(match_id)
        self.until(lambda: (match_id, NO_SEAT) in player.views, "answer", f"{name} may not watch")
        seen = player.views[match_id, NO_SEAT]
        hold("secrets", not seen.message.HasField("key"), f"{name}, who watches, is given a seat's key")
        return seen

    def restart(self, name):
        """kill -9, and whoever comes after it."""
        starts = self.house.services[name].starts
        self.house.send(name, signal.SIGKILL)
        self.until(lambda: self.house.services[name].starts > starts and self.house.has_started(name),
                   "start", f"{name} does not start again")

    def go(self):
        for name in NAMES:
            self.enter(name)
        for name in ("ada", "bob"):
            self.ask(name, bind_name=messages.lobby.BindName(name=name))
        for game in (Nim(self), Quests(self)):
            game.play()
            judge_file(self, game.match_id, game.heard)


def visit(build, fault):
    programs = {}
    if fault != "none":
        service = "fanout" if fault in STREAM_FAULTS else "engine"
        programs[service] = pathlib.Path(build) / "tests/faulty" / f"faulty-{service}"
    os.environ["ARBITER_FAULT"] = fault
    folder = tempfile.mkdtemp(prefix="arbiter-faulty-")
    try:
        with House(build, folder, NAMES, programs=programs) as house:
            house.wait_until_started()
            try:
                Visit(house).go()
            except Broken:
                raise
            except Exception:
                print(house.said(), file=sys.stderr)
                raise
        hold("end", not house.bad_ends(), f"died by itself: {house.bad_ends()}")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3 or sys.argv[1].startswith("-"):
        sys.exit("usage: tests/faulty/visit.py BUILD [FAULT]   a folder such as .build/clang; README.md names the faults")
    began = time.monotonic()
    leave_when_told()
    try:
        visit(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "none")
    except Broken as broken:
        print(broken)
        sys.exit(BROKEN)
    print(f"every promise held ({time.monotonic() - began:.1f} s)")
