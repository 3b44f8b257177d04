"""judge.py: what is asked of any deployment from outside, however it is started: people who play through harm, cases, and a judge of what they were told."""
import base64
import gzip
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import games  # noqa: E402
import people  # noqa: E402
import linearizable  # noqa: E402  (people leads to it)

# Set-up and seats of a short match, where the usual one is long.
SHORT = {"dead": ("intro", 2), "quests": ("short", None), "objectron": ("duel", None)}
# Game, set-up, seats.
GAMES = [(game, *SHORT.get(game, (None, None))) for game in games.names()]
PATIENCE_S = 300.0
# All come from one address here, and say more than people do.
KNOCKS = "--knocks-burst 4096 --knocks-per-second 1024"
SETTINGS = {"ARBITER_PER_ADDRESS": "2000", "ARBITER_RATE": "1000000",
            "ARBITER_GATEWAY_OPTIONS": "--tab-burst 100 --tab-per-10-s 200 --http-per-address 0 --tabs-per-address 0 --crowd-networks 0.0.0.0/0",
            **{f"ARBITER_{service}_OPTIONS": KNOCKS for service in ("LOBBY", "ENGINE", "FANOUT")}}


class House:
    """A deployment behind a door on this machine's `port`; who it is started by says the rest."""

    port = None

    def wait_until(self, what, is_so, patience_s=90.0, tell=lambda: ""):
        end = time.monotonic() + patience_s
        while not is_so():
            if time.monotonic() > end:
                raise AssertionError(f"{what}: not within {patience_s:.0f} s {tell()}")
            time.sleep(0.5)

    def is_ready(self):
        try:
            return self.get("/readyz").startswith(b"ready")
        except OSError:
            return False

    def get(self, path, timeout=30, headers=None):
        asked = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers=headers or {})
        with urllib.request.urlopen(asked, timeout=timeout) as answer:
            return answer.read()

    @staticmethod
    def services_in(said):
        """By name, out of what `arbiter top --once --json` printed."""
        lines = [line for line in said.splitlines() if line.startswith("{")]
        return {service["name"]: service for service in json.loads(lines[-1])["services"]} if lines else {}


def accepted_by(gamer):
    return sum(map(len, gamer.accepted.values()))


class Judge:
    """Who runs the cases; a deployment's own test says which, and how its operator's commands are typed: `abort`, `arbiter`, `export`."""

    def __init__(self, house, folder, luck):
        self.house, self.folder, self.luck = house, pathlib.Path(folder), luck
        self.passed = self.failed = 0
        self.accepted = {}   # Match -> {act: seat}: what players at the door were told.
        self.history, self.actors = [], {}   # All they did and heard; match -> {act: actor} as replays have it.

    def case(self, name, work):
        began = time.monotonic()
        try:
            told = work()
            self.passed += 1
            print(f"ok      {time.monotonic() - began:6.1f} s  {name}{': ' + told if told else ''}", flush=True)
            return True
        except (AssertionError, OSError, subprocess.SubprocessError) as fault:
            self.failed += 1
            print(f"FAILED  {time.monotonic() - began:6.1f} s  {name}: {type(fault).__name__}: {fault}", flush=True)
            self.keep_said()
            return False

    def keep_said(self):
        """What the services said until then is gone with their containers."""
        said = pathlib.Path(os.environ["ARBITER_BUILD"]).parent / f"log/said-{self.failed}.txt"
        said.write_text(self.house.said(100000))
        print(f"        what the services said: {said}", flush=True)

    def note(self, gamer):
        for match, acts in gamer.accepted.items():
            self.accepted.setdefault(base64.b64decode(match).hex(), {}).update(acts)
        self.history += people.history_of([gamer])

    def play_through(self, harm, patience_s=people.PATIENCE_S):
        """Two people of each game play while harm is done, which ends when all is well again, and each gets on behind it. So long
        they bear a house that does not answer. How many commands were accepted until then, and how often somebody was cut off."""
        gamers = [people.Gamer(self.house.port, f"Brave {game} {number}", game, setup, seats, 1000, patience_s)
                  for number in range(2) for game, setup, seats in GAMES]
        self.house.wait_until("all play", lambda: all(gamer.fault or gamer.accepted for gamer in gamers), PATIENCE_S)
        harm()
        before = {gamer.name: accepted_by(gamer) for gamer in gamers}

        def stuck():
            return [gamer for gamer in gamers if not gamer.fault and accepted_by(gamer) == before[gamer.name]]
        self.house.wait_until("all play on", lambda: not stuck(), 120,
                              lambda: [(gamer.name, gamer.match, gamer.player.heard[-4:]) for gamer in stuck()])
        for gamer in gamers:
            gamer.is_told_to_stop.set()
        for gamer in gamers:
            gamer.left = 1
            gamer.thread.join(20)
            self.note(gamer)
        self.end_matches()
        faults = [gamer.fault for gamer in gamers if gamer.fault]
        assert not faults, "\n".join(faults)
        assert sum(before.values()) > 0, before
        return sum(before.values()), sum(gamer.cuts for gamer in gamers)

    def listed(self, state):
        found, after = [], ""
        while True:
            page = json.loads(self.house.get(f"/api/matches?state={state}&limit=50{after}"))[state]
            found += page["matches"]
            if not page["more"]:
                return [match["id"] for match in found]
            after = f"&after={page['next']}"

    def end_matches(self):
        self.abort(self.listed("running"))
        self.house.wait_until("all matches are over", lambda: not self.listed("running"))

    # What everybody may check.

    def judge_files(self):
        self.case("every match file verifies", self.verifies)
        self.case("every acknowledged command is the act it was said to be", self.keeps_what_it_acknowledged)
        self.case("an order explains what each player was told", self.is_linearizable)

    def verifies(self):
        folder = self.folder / "matches"
        folder.mkdir()
        self.folder.chmod(0o755)
        folder.chmod(0o777)   # Containers write there, too.
        finished = self.listed("finished")
        missing = set(self.accepted) - set(finished)
        assert not missing, f"of matches that were played nothing is known: {missing}"
        private = 0
        for match in finished:
            bytes_ = self.file(match)
            if bytes_ is None:
                self.export(match, folder)
                private += 1
            else:
                (folder / f"{match}.match").write_bytes(bytes_)
        said = self.arbiter([f"{folder}:/matches:ro"], "verify", *(f"/matches/{match}.match" for match in finished))
        held = [line for line in said.splitlines() if not line.startswith("  seat ")]
        return f"{len(finished)} match files, {private} of them of private tables, out of the journal; {held[-1]}"

    def file(self, match):
        """None: it is a private table's. A house that has just been hit may ask for patience."""
        fault = None
        for _ in range(20):
            try:
                return self.house.get(f"/api/matches/{match}/file")
            except urllib.error.HTTPError as answer:
                fault = f"{answer.code} {answer.read()}"
                if answer.code == 403:
                    return None
            except OSError as error:
                fault = error
            time.sleep(1)
        raise AssertionError(f"there is no file of {match}: {fault}")

    def keeps_what_it_acknowledged(self):
        count = 0
        for match, acts in self.accepted.items():
            bytes_ = self.house.get(f"/api/matches/{match}/replay", 60, {"Accept-Encoding": "gzip"})
            replay = json.loads(gzip.decompress(bytes_) if bytes_[:2] == b"\x1f\x8b" else bytes_)
            actors = self.actors[match] = {int(act["number"]): act["actor"] for act in replay["acts"]}
            for number, seat in acts.items():
                assert actors.get(number) == seat, f"{match}: act {number} of seat {seat} was acknowledged, and is {actors.get(number)}"
                count += 1
        return f"{count} commands of {len(self.accepted)} matches"

    def is_linearizable(self):
        """With all acts of each match, as its replay has them when all is over."""
        end = max(one.end for one in self.history if one.end != linearizable.NEVER)
        seats = {(match, actor) for match, actors in self.actors.items() for actor in actors.values() if isinstance(actor, int)}
        strangers = seats - {(one.match, one.seat) for one in self.history if one.operation == "play"}
        kept = [linearizable.Operation("a bot", match, "stranger", seat, None, 0, 0, None) for match, seat in sorted(strangers)]
        for match, actors in self.actors.items():   # What is no seat's has a word for an actor.
            acts = [[actors[number] if isinstance(actors[number], int) else None, None, None] for number in sorted(actors)]
            kept.append(linearizable.Operation("replay", match, "acts", None, None, end, end, acts))
        found = linearizable.findings(self.history + kept)
        assert self.history and not found, "\n".join(found[:5])
        return linearizable.figures(self.history + kept)

    def report(self):
        """The last line, and what the program ends with."""
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0


def begin(words, program):
    """What was asked for, with --seed; the luck that follows from it."""
    words.add_argument("--seed", type=int, default=int(time.time()), help="the seed of all random choices; default: a new one each time")
    asked = words.parse_args()
    print(f"{program} --seed {asked.seed}", flush=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))   # What runs is taken down all the same.
    return asked, random.Random(asked.seed)
