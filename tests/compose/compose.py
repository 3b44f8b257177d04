#!/usr/bin/env python3
"""compose.py: a deployment by docker-compose, from outside: played at, scaled under a crowd, killed at random, judged.

    DOCKER_HOST=unix:///SOCKET ARBITER_BUILD=.build/clang tests/compose/compose.py [--seconds 120] [--seed N]

deploy/check --compose starts a daemon, makes the image and calls this.
"""
import argparse
import asyncio
import base64
import contextlib
import gzip
import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "common/client/python"))
sys.path.insert(0, str(SOURCE / "tests/gateway"))

import zmq  # noqa: E402

import arbiter  # noqa: E402
import rest_client  # noqa: E402
from arbiter import messages  # noqa: E402

import people  # noqa: E402
from installation import SERVICES, Installation  # noqa: E402

# Game, set-up, seats: short ones of each.
GAMES = (("nim", None, None), ("dead", "intro", 2), ("quests", "short", None), ("objectron", "duel", None),
         ("treasure", None, None))
CROWD = ("quests", "long")   # Bots that throw dice play it for many minutes.
CROWD_MATCHES = 6
NATIVES_EACH = 50   # In one process.
WATCHERS = "tests/compose/watchers"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Check:
    def __init__(self, house, folder, luck, seconds, crowd):
        self.house, self.folder, self.luck, self.seconds = house, pathlib.Path(folder), luck, seconds
        self.natives = self.viewers = crowd // 2
        self.build = pathlib.Path(os.environ["ARBITER_BUILD"])
        self.passed = self.failed = 0
        self.accepted = {}   # Match -> {act: seat}: what players at the door were told.

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
            return False

    # It starts with nothing configured.

    def starts(self):
        self.house.up()
        self.house.wait_until("the door answers", self.house.is_ready)
        self.house.wait_until("everybody is healthy",
                              lambda: set(self.house.healths().values()) == {"healthy"})
        wanted = {"lobby", "engine-1", "fanout-1", "watchdog-1", "gateway-1", "bot-1"}
        self.house.wait_until("the operator sees all of them", lambda: set(self.house.top()) == wanted)
        return f"{len(SERVICES)} services"

    def holds_nothing_it_needs_not(self):
        """Of each container: who it runs as, what it may, and which keys it sees."""
        for service in SERVICES:
            facts = self.house.containers(service)[0]
            host, mounts = facts["HostConfig"], [mount["Destination"] for mount in facts["Mounts"]]
            keys = [mount for mount in mounts if mount.startswith("/keys/")]
            assert facts["Config"]["User"] == "10001:10001", facts["Config"]["User"]
            assert host["ReadonlyRootfs"] and host["CapDrop"] == ["ALL"] and not host["CapAdd"], service
            assert "no-new-privileges:true" in host["SecurityOpt"] and host["Memory"] > 0, service
            assert host["LogConfig"]["Config"]["max-size"] and host["RestartPolicy"]["Name"] == "unless-stopped", service
            assert keys == ([] if service == "door" else [f"/keys/{service}"]), (service, mounts)
            ports = {port for port, places in facts["NetworkSettings"]["Ports"].items() if places}
            assert ports == ({"8080/tcp"} if service == "door" else set()), (service, ports)

    # Whole matches of all games.

    def plays(self):
        gamers = [people.Gamer(self.house.port, f"Player {game}", game, setup, seats) for game, setup, seats in GAMES]
        hunters = []
        thread = threading.Thread(daemon=True, target=lambda: hunters.append(
            asyncio.run(rest_client.play_games(self.house.port, 2, 7))))
        thread.start()
        for gamer in gamers:
            gamer.wait(200)
            self.note(gamer)
        thread.join(200)
        assert hunters and len(hunters[0][0]) == 4 and "win" in hunters[0][0], hunters
        return f"{len(gamers)} games by WebSocket, 2 hunts by HTTP"

    def note(self, gamer):
        for match, acts in gamer.accepted.items():
            self.accepted.setdefault(base64.b64decode(match).hex(), {}).update(acts)

    # Fanouts come and go under a crowd.

    @contextlib.contextmanager
    def operator(self):
        home = self.house.volume("keys-console")
        lobby, key = self.house.address("lobby"), (home / "run/doors").read_text().split()[2]
        self.doors = [f"tcp://{lobby}:7000", f"tcp://{lobby}:7001", key]
        client = arbiter.Client(*self.doors, key_file=str(home / "keys/console.key"), role=messages.directory.ROLE_CONSOLE)
        with client:
            yield client

    def ask(self, client, **ask):
        number = client.ask(**ask)
        for event in client.events(timeout_ms=30000):
            if event.kind in ("answer", "refused") and event.request == number:
                return event
        raise AssertionError(f"the lobby does not answer: {ask}")

    def admit_one(self, client, path):
        public, secret = (half.decode() for half in zmq.curve_keypair())
        path.write_text(f"role client\npublic {public}\nsecret {secret}\n")
        path.chmod(0o600)
        self.ask(client, admit=messages.lobby.Admit(key=zmq.utils.z85.decode(public), role=messages.directory.ROLE_CLIENT,
                                                    name=path.stem, admitted=True))
        return path

    def admit(self, client):
        keys = self.folder / "keys"
        keys.mkdir()
        for number in range(self.natives):
            self.admit_one(client, keys / f"watcher-{number}.key")
        (self.folder / "doors").write_text("\n".join(self.doors) + "\n")
        return keys

    def begin_matches(self):
        """Bots alone, at tables of somebody who does not play."""
        host, matches = people.Person(self.house.port, "Host"), []
        host.come()
        for _ in range(CROWD_MATCHES):
            opened = host.ask(create_table={"game": CROWD[0], "setup_name": CROWD[1], "seated": False})
            assert opened["verdict"] == "VERDICT_DONE", opened
            table = opened["table"]["table"]
            filled = host.ask(fill_with_bots={"table": table, "policy": "random"})
            assert filled["verdict"] == "VERDICT_DONE", filled
            begun = host.player.wait(lambda down: "match_begins" in down.get("table", {}), 60)
            matches.append(begun["table"]["match_begins"]["match_id"])
        host.player.close()
        return matches

    def scales(self):
        self.house.up(gateway=2, bot=2)
        matches = self.begin_matches()
        with self.operator() as client:
            natives = [Natives(self, number, self.admit(client) if number == 0 else self.folder / "keys", matches)
                       for number in range(-(-self.natives // NATIVES_EACH))]
            viewers = [people.Viewer(self.house.port, number, matches[number % len(matches)]) for number in range(self.viewers)]
            try:
                self.house.wait_until("all watch", lambda: all(native.is_attached() for native in natives)
                                      and all(viewer.told is not None or viewer.fault for viewer in viewers), 240)
                for count in (1, 4, 2):
                    self.house.up(fanout=count)
                    self.house.wait_until(f"{count} fanouts are read", lambda: self.readers() == count)
                    time.sleep(8)
                for match in matches:
                    self.ask(client, abort_match=messages.lobby.AbortMatch(match_id=base64.b64decode(match), reason="the test is over"))
                return self.judge(natives, viewers)
            finally:
                for native in natives:
                    native.end()

    def readers(self):
        """How many fanouts there are, if each of them is read."""
        fanouts = [service for service in self.house.top().values() if service["role"] == "fanout"]
        return len(fanouts) if all(fanout.get("topics") for fanout in fanouts) else 0

    def judge(self, natives, viewers):
        until = time.monotonic() + 120
        bad = [line for native in natives for line in native.faults(until)]
        bad += [str(viewer) for viewer in viewers if not viewer.wait(until)]
        assert not bad, f"{len(bad)} of {self.natives + self.viewers}:\n" + "\n".join(bad[:20]) + "\n" + self.house.said(10)
        last = {}   # Whoever watched one match heard of its last act.
        for match, told in [pair for native in natives for pair in native.told()] + [
                (base64.b64decode(viewer.match).hex(), viewer.told) for viewer in viewers]:
            assert last.setdefault(match, told) == told, f"{match} ends with act {last[match]} for some, {told} for others"
        cuts = sum(viewer.cuts for viewer in viewers)
        return f"{self.natives} natives and {self.viewers} at the door heard {sum(last.values())} acts of {len(last)} matches, " \
               f"each once, the last one too; {cuts} connections were cut"

    # Whoever dies, nothing that was acknowledged is lost.

    def survives(self):
        gamers = [people.Gamer(self.house.port, f"Brave {game} {number}", game, setup, seats, matches=1000)
                  for number in range(2) for game, setup, seats in GAMES]
        kills, end = {service: 0 for service in SERVICES}, time.monotonic() + self.seconds
        while time.monotonic() < end:
            time.sleep(self.luck.uniform(2, 6))
            service = self.luck.choice(SERVICES)
            kills[service] += self.house.kill(service, self.luck)
        acted = sum(len(acts) for gamer in gamers for acts in gamer.accepted.values())
        self.house.wait_until("everybody is back", lambda: self.house.is_ready() and set(
            self.house.healths().values()) == {"healthy"}, 120)
        before = {gamer.name: sum(map(len, gamer.accepted.values())) for gamer in gamers}
        self.house.wait_until("all play on", lambda: all(
            gamer.fault or sum(map(len, gamer.accepted.values())) > before[gamer.name] for gamer in gamers), 120,
            lambda: [(gamer.name, gamer.match, gamer.player.heard[-4:]) for gamer in gamers
                     if sum(map(len, gamer.accepted.values())) == before[gamer.name]])
        for gamer in gamers:
            gamer.is_told_to_stop.set()
        for gamer in gamers:
            gamer.left = 1
            gamer.thread.join(20)
            self.note(gamer)
        self.end_matches()
        faults = [gamer.fault for gamer in gamers if gamer.fault]
        assert not faults, "\n".join(faults)
        assert sum(kills.values()) > 0 and acted > 0, (kills, acted)
        told = ", ".join(f"{service} {count}" for service, count in kills.items())
        return f"killed: {told}; {acted} commands were accepted meanwhile; players were cut off {sum(g.cuts for g in gamers)} times"

    def listed(self, state):
        found, after = [], ""
        while True:
            page = json.loads(self.house.get(f"/api/matches?state={state}&limit=50{after}"))[state]
            found += page["matches"]
            if not page["more"]:
                return [match["id"] for match in found]
            after = f"&after={page['next']}"

    def end_matches(self):
        with self.operator() as client:
            for match in self.listed("running"):
                self.ask(client, abort_match=messages.lobby.AbortMatch(match_id=bytes.fromhex(match), reason="the test is over"))
        self.house.wait_until("all matches are over", lambda: not self.listed("running"))

    # What everybody may check.

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
        return f"{len(finished)} match files, {private} of them of private tables, out of the journal; {said.splitlines()[-1]}"

    def arbiter(self, volumes, *words):
        done = subprocess.run(["docker", "run", "--rm", "--network", "none", *(word for volume in volumes for word in ("-v", volume)),
                               os.environ.get("ARBITER_IMAGE", "arbiter"), "/usr/bin/arbiter", *words], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def export(self, match, folder):
        journal = self.house.volume("data-engine") / "engine-1"
        self.arbiter([f"{journal}:/tmp/house/data/engine", f"{folder}:/matches"], "match", "export", match, f"/matches/{match}.match", "--home", "/tmp/house")

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
            asked = urllib.request.Request(f"http://127.0.0.1:{self.house.port}/api/matches/{match}/replay",
                                           headers={"Accept-Encoding": "gzip"})
            with urllib.request.urlopen(asked, timeout=60) as answer:
                bytes_ = answer.read()
            replay = json.loads(gzip.decompress(bytes_) if bytes_[:2] == b"\x1f\x8b" else bytes_)
            actors = {int(act["number"]): act["actor"] for act in replay["acts"]}
            for number, seat in acts.items():
                assert actors.get(number) == seat, f"{match}: act {number} of seat {seat} was acknowledged, and is {actors.get(number)}"
                count += 1
        return f"{count} commands of {len(self.accepted)} matches"

    # From another machine, without the door.

    def leads_outside(self):
        host = f"127.{self.luck.randint(64, 127)}.{self.luck.randint(1, 254)}.1"   # Nobody's but ours.
        self.house.open_outside(host)
        self.house.wait_until("everybody is healthy", lambda: self.house.is_ready() and set(
            self.house.healths().values()) == {"healthy"})
        with self.operator() as client:
            key = self.admit_one(client, self.folder / "guest.key")
        with arbiter.Client(f"tcp://{host}:7000", f"tcp://{host}:7001", self.doors[2], key) as guest:
            Guest(guest).play(self.house)
            led = {peer.name: set(peer.doors.values()) for peer in guest.core.peers.list.values()}
        assert len(led) == 3 and {name.split("-")[0] for name in led} == {"lobby", "engine", "fanout"}, led
        assert all(address.startswith(f"tcp://{host}:") for addresses in led.values() for address in addresses), led
        return ", ".join(f"{name} at {' '.join(sorted(addresses))}" for name, addresses in led.items())

    def run(self):
        if not self.case("docker-compose up, with nothing configured", self.starts):
            print(self.house.said())
            return
        self.case("each service has what it needs, and no more", self.holds_nothing_it_needs_not)
        self.case("whole matches of all games, from outside", self.plays)
        self.case(f"fanouts 1 -> 4 -> 2 under {2 * self.natives} who watch", self.scales)
        self.case(f"containers killed at random for {self.seconds} s", self.survives)
        self.case("every match file verifies", self.verifies)
        self.case("every acknowledged command is the act it was said to be", self.keeps_what_it_acknowledged)
        self.case("a native client outside is led by what is advertised", self.leads_outside)


class Guest:
    """A native client who plays both seats of nim, and hears of his own move."""

    def __init__(self, client):
        self.client, self.match = client, b""

    def note(self, event):
        assert event is None or event.kind not in ("fault", "lost"), event
        if event is not None and event.kind == "attached":
            self.match = event.match_id
        return event

    def ask(self, **kind):
        number = self.client.ask(**kind)
        for event in self.client.events(timeout_ms=30000):
            if self.note(event).kind == "answer" and event.request == number:
                assert event.message.verdict == messages.lobby.VERDICT_DONE, event.message
                return event.message
        raise AssertionError(f"no answer: {kind}")

    def play(self, house):
        nim = messages.game("nim")
        self.ask(bind_name=messages.lobby.BindName(name="Guest"))
        table = self.ask(create_table=messages.lobby.CreateTable(game="nim", setup_name="classic", seats=2, hotseat=True)).table.table
        self.ask(join_table=messages.lobby.JoinTable(table=table))
        seen = []

        def has_moved():
            event = self.note(self.client.next(timeout_ms=100))
            if event is not None and event.kind == "act" and event.seat == 0:
                seen.append(event)
            if not seen and self.match:
                self.client.play(self.match, 0, nim.Command(take=nim.Take(heap=0, count=1)))
            return seen
        house.wait_until("the guest's move is told", has_moved, 30)


class Natives:
    """One process of native watchers."""

    def __init__(self, check, number, keys, matches):
        self.log = check.folder / f"watchers-{number}"
        self.count = min(NATIVES_EACH, check.natives - number * NATIVES_EACH)
        with self.log.open("wb") as log:
            self.child = subprocess.Popen(
                [check.build / WATCHERS, check.folder / "doors", keys, str(number * NATIVES_EACH), str(self.count),
                 *(base64.b64decode(match).hex() for match in matches)], stdout=log, stderr=log, stdin=subprocess.DEVNULL)

    def lines(self):
        return self.log.read_text().splitlines()

    def is_attached(self):
        return f"attached {self.count}" in self.lines()

    def told(self):
        """(match, its last act) of each."""
        return [(words[2], int(words[4])) for words in map(str.split, self.lines()) if words[0] == "over"]

    def faults(self, until):
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.child.wait(max(0.1, until - time.monotonic()))
        self.end()
        bad = [line for line in self.lines() if line.split()[0] not in ("attached", "over")]
        return bad if bad or self.child.returncode == 0 else [f"watchers ended with {self.child.returncode}"]

    def end(self):
        if self.child.poll() is None:
            self.child.terminate()
            try:
                self.child.wait(60)
            except subprocess.TimeoutExpired:
                self.child.kill()
                self.child.wait()


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--seconds", type=int, default=120, help="how long containers are killed; else 120")
    words.add_argument("--seed", type=int, default=int(time.time()), help="which, and when")
    words.add_argument("--crowd", type=int, default=500, help="how many watch; else 500")
    words.add_argument("--project", default="arbiter-check", help="the name of docker-compose's project")
    asked = words.parse_args()
    # All come from one address here, and say more than people do.
    knocks = "--knocks-burst 4096 --knocks-per-second 1024"
    settings = {"ARBITER_PER_ADDRESS": "2000", "ARBITER_GATEWAY_OPTIONS": "--tab-burst 100 --tab-per-10-s 200",
                **{f"ARBITER_{service}_OPTIONS": knocks for service in ("LOBBY", "ENGINE", "FANOUT")}}
    print(f"compose.py --seed {asked.seed}", flush=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))   # What runs is taken down all the same.
    with tempfile.TemporaryDirectory(prefix="arbiter-compose-") as folder, \
            Installation(asked.project, free_port(), settings) as house:
        check = Check(house, folder, random.Random(asked.seed), asked.seconds, asked.crowd)
        check.run()
        if check.failed:
            print(house.said(15))
    print(f"{check.passed} passed, {check.failed} failed")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
