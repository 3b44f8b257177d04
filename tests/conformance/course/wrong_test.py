"""Every wrong server of the dead is wrong, and not before it says so; a suite's points count which of them it finds.

By day one wrong clock is watched, beside the right one. By night (`nightly` behind the name of this file) all are,
with more time for each answer.
"""
import concurrent.futures
import glob
import json
import os
import random
import subprocess
import sys
import time
import unittest

import doors
import dead_games    # doors has said where they are.
import dead_luck
from wrong import EDITIONS, PLANTED, TEN, TOPICS
from second.client import Client
from second.door import Door
from second.game import Game, Server

INTRO = os.path.join(os.environ["ARBITER_SOURCE"], "configs", "dead", "intro.json")
CONFIGS = os.path.join(os.environ["ARBITER_SOURCE"], "common", "games", "dead", "configs")
PROGRAM = os.path.join(doors.COURSE, "arbiter-wrong")
GAMES_MOST = 200
RULES = {one.name for one in PLANTED.values() if one.door is Door}
CLOCKS = PLANTED.keys() - RULES
IS_NIGHT = sys.argv[1:] == ["nightly"]
TRIES = 3  # A busy machine may hold up a client for longer than a clock allows, but not each time.


def run(*words):
    return subprocess.run([doors.PYTHON, "-B", PROGRAM, *words], capture_output=True, text=True, timeout=120,
                          check=False)


def told(said):
    """What counts of what is said; who hears it counts, too."""
    return [(one.event, one.args if one.event != "CommandFailed" else None, one.to) for one in said]


class Played:
    """A game by luck, as the right server plays it."""

    def __init__(self, number):
        luck = random.Random(f"wrong {number}")
        self.edition = EDITIONS[number % len(EDITIONS)]
        self.config, self.seed = self.config_by(luck, number), luck.randrange(1 << 40)
        people = dead_games.People(luck, self.config, self.edition, self.seed)
        people.silence = 40
        lines = people.play()
        self.heard = [dead_games.heard_of(line) for line in lines if "ev" not in line]
        self.right = list(self.replay(Game))

    def config_by(self, luck, number):
        paths = sorted(glob.glob(os.path.join(CONFIGS, f"*-{self.edition}.json")))
        if number % 2:
            return dead_luck.setup(luck, self.edition)
        with open(luck.choice(paths), encoding="utf-8") as file:
            return json.load(file)

    def replay(self, game):
        """(commands carried out before, what is said then) for each thing that happens."""
        server = Server(game(self.config, self.edition, self.seed, "@file"))
        for heard in self.heard:
            before = server.game.commands
            yield before, [] if server.is_over else told(server.happens(heard))

    def first_difference(self, game):
        """After how many commands this one says something else; None: it never does."""
        for (before, expected), (_, came) in zip(self.right, self.replay(game)):
            if expected != came:
                return before
        return None


class Planted(unittest.TestCase):
    def test_there_are_enough_of_each_topic(self):
        self.assertGreaterEqual(len(PLANTED), 25)
        self.assertGreaterEqual(sum(one.is_late for one in PLANTED.values()), 15)
        for topic in TOPICS:
            self.assertGreaterEqual(sum(one.topic == topic for one in PLANTED.values()), 4, topic)
        self.assertEqual(json.loads(run("--list", "--json").stdout)[0].keys(),
                         {"name", "topic", "says", "editions", "is_late"})

    def test_each_is_found_and_the_late_ones_only_after_ten_commands(self):
        missing = set(RULES)
        for number in range(GAMES_MOST):
            if not missing:
                break
            played = Played(number)
            self.assertIsNone(played.first_difference(Game))
            for name in sorted(missing):
                one = PLANTED[name]
                first = played.first_difference(one.game)
                if first is None:
                    continue
                self.assertIn(played.edition, one.editions, name)
                self.assertGreaterEqual(first + 1, TEN if one.is_late else 2, name)
                missing.remove(name)
        self.assertEqual(missing, set())

    def test_nothing_shows_by_merely_starting(self):
        played = Played(0)
        for one in PLANTED.values():
            server = Server(one.game(played.config, played.edition, played.seed))
            self.assertEqual((server.game.said, server.is_over), ([], False), one.name)


class Clocks(unittest.TestCase):
    """One client each, all at once: what it hears of silence, and of failures, when that is three quarters of the time."""

    def watch(self, name, timeout_s):
        """What comes after a command in vain, after another one, and in the silence after that."""
        words = [doors.PYTHON, "-B", PROGRAM, name] if name != "right" else doors.second_words("base")
        door, patience_s, is_over = doors.Door(words, INTRO, 7, timeout_s), 0.75 * timeout_s, False
        try:
            ada = door.client(1)
            self.warm_up(ada)
            ada.say("Attack", characterId=-1, entrance=0)
            notes = [self.until(ada, patience_s)]  # CommandFailed, ActNow, and a quarter of the time is left.
            ada.say("Attack", characterId=-1, entrance=0)
            notes += [self.until(ada, patience_s), self.until(ada, patience_s)]
            is_over = "Left" in notes[-1]
            return notes
        finally:
            door.end(is_over)

    def warm_up(self, ada):
        ada.say("Register", playerName="Ada")
        ada.say("StartGame")
        offer = self.wait(ada, "Characters")
        ada.say("SelectCharacters", characterId0=offer["characterId0"], characterId1=offer["characterId1"])
        hand = [self.wait(ada, "CardDrawn")["cardId"] for _ in range(5)]
        self.wait(ada, "ActNow")
        carried_out = 3
        for command, args in [("ContributeCard", {"cardId": card}) for card in hand] + \
                [("UseCard", {"cardId": card}) for card in hand] + \
                [("Barricade", {"characterId": offer[f"characterId{i}"], "entrance": entrance})
                 for i in (0, 1) for entrance in range(4)] + [("EndTurn", {})] * 9:
            if carried_out >= TEN:
                return
            ada.say(command, **args)
            carried_out += "CommandFailed" not in self.until(ada, 60, "ActNow")
        self.fail("ten commands were not carried out")

    def wait(self, client, event):
        while True:
            heard = client.hear(60)
            self.assertIsNotNone(heard, event)
            if heard[0] == event:
                return heard[1]

    def until(self, client, patience_s, last=None):
        """The events that come in this time, or until this one."""
        events, deadline = [], time.monotonic() + patience_s
        while not events or events[-1] != last:
            heard = client.hear(max(0, deadline - time.monotonic()))
            if heard is None:
                break
            events.append(heard[0])
        return events

    def judge(self, name, notes):
        again = ["CommandFailed", "ActNow"]
        if name == "failures-cost-time":
            self.assertEqual(notes[0], again)
            self.assertIn("Left", notes[1])
            return
        self.assertEqual(notes, {"right": [again, again, ["Left"]], "clock-stops": [again, again, []],
                                 "half-the-time": [again + ["Left"], [], []]}[name], name)

    def shows(self, name, timeout_s):
        for tries in range(1, TRIES + 1):
            try:
                return self.judge(name, self.watch(name, timeout_s))
            except AssertionError:
                if tries == TRIES:
                    raise

    def show(self, names, timeout_s):
        with concurrent.futures.ThreadPoolExecutor(len(names)) as pool:
            list(pool.map(lambda name: self.shows(name, timeout_s), names))

    def test_a_wrong_clock_shows_at_a_door(self):
        self.show(["right", "half-the-time"], 2)

    def by_night_wrong_clocks_show_at_a_door(self):
        self.show(["right", *CLOCKS], 6)


class Points(unittest.TestCase):
    def points(self, suite, *words, only="offer-for-all,once-more"):
        ended = run("--points", suite, "--only", only, "--json", "--jobs", "2", *words)
        return ended.returncode, json.loads(ended.stdout)

    def test_a_suite_that_finds_nothing_gets_none(self):
        code, result = self.points("true {at} {start}")
        self.assertEqual((code, result["points"], result["of"]), (0, 0, 2))

    def test_a_suite_that_faults_the_right_server_gets_none(self):
        code, result = self.points("false {at} {start}")
        self.assertEqual((code, result["right"], result["points"]), (1, 1, 0))

    def test_a_suite_gets_a_point_for_what_it_finds(self):
        code, result = self.points("sh -c 'case $0 in *offer-for-all*) exit 1; esac' {start}")
        self.assertEqual((code, result["found"]), (0, {"offer-for-all": True, "once-more": False}))

    def test_a_suite_that_hangs_has_found_nothing(self):
        code, result = self.points("sh -c 'case $0 in *arbiter-wrong*) sleep 60; esac' {start}", "--limit", "5")
        self.assertEqual((code, result["points"], sorted(result["late"])), (0, 0, ["offer-for-all", "once-more"]))

    def test_a_suite_may_find_a_server_that_is_kept_up(self):
        code, result = self.points(f"{doors.PYTHON} -B {os.path.abspath(__file__)} aborts {{at}}", "--config", INTRO,
                                   only="once-more")
        self.assertEqual((code, result["right"], result["points"]), (0, 0, 0), result)

    def test_a_right_server_that_cannot_start_says_why(self):
        ended = run("--points", "sh -c 'sleep 60' {at}", "--limit", "20", "--config", INTRO + ".none")
        self.assertEqual((ended.returncode, ended.stdout), (2, ""), ended.stderr)
        self.assertIn("No such file or directory", ended.stderr)


def abort(address):
    """What comes of a registration that is broken off."""
    client, heard = Client(f"tcp://{address}"), []
    client.say("Register", playerName="Ada")
    client.say("EndTurn")
    while len(heard) < 2 and (event := client.hear(20)) is not None:
        heard.append(event[0])
    client.close()
    return heard


def aborts_twice(address):
    """A suite of its own: two registrations that are broken off, at a server that is kept up."""
    for _ in range(2):
        heard = abort(address) or abort(address)  # What the old server was told still is lost with it.
        if heard != ["Config", "RegistrationAborted"]:
            return 1
        time.sleep(1)
    return 0


def load_tests(loader, tests, _pattern):
    if not IS_NIGHT:
        return tests
    loader.testMethodPrefix = "by_night_"
    return loader.loadTestsFromTestCase(Clocks)


if __name__ == "__main__":
    if sys.argv[1:2] == ["aborts"]:
        sys.exit(aborts_twice(sys.argv[2]))
    unittest.main(argv=sys.argv[:1] if IS_NIGHT else sys.argv)
