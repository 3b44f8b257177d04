#!/usr/bin/env python3
"""compose.py: a deployment by docker-compose, from outside: played at, scaled under a crowd, killed at random, judged.

    DOCKER_HOST=unix:///SOCKET ARBITER_BUILD=.build/clang tests/compose/compose.py [--seconds 120] [--seed N]

deploy/check --compose starts a daemon, makes the image and calls this.
"""
import argparse
import asyncio
import base64
import contextlib
import http.client
import json
import os
import pathlib
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "common/client/python"))
sys.path[:0] = [str(SOURCE / "tests/lib/gateway"), str(SOURCE / "tests/lib/deployment")]

import zmq  # noqa: E402

import arbiter  # noqa: E402
import rest_client  # noqa: E402
import socket_client  # noqa: E402
from arbiter import messages  # noqa: E402

import judge  # noqa: E402
import people  # noqa: E402
from installation import SERVICES, Installation  # noqa: E402

CROWD = ("quests", "long")   # Bots that throw dice play it for many minutes.
CROWD_MATCHES = 6
HUNTS = 6   # A hunt may reach its limit of actions, and then both lose. Of so many at least one is won.
NATIVES_EACH = 50   # In one process.
WATCHERS = "tests/compose/watchers"
OUTAGE_S = 300.0   # Nobody is let in while a build is there that does not run.


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Check(judge.Judge):
    def __init__(self, house, folder, luck, seconds, crowd):
        super().__init__(house, folder, luck)
        self.seconds = seconds
        self.natives = self.viewers = crowd // 2
        self.build = pathlib.Path(os.environ["ARBITER_BUILD"])

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
        gamers = [people.Gamer(self.house.port, f"Player {game}", game, setup, seats) for game, setup, seats in judge.GAMES]
        hunters = []
        thread = threading.Thread(daemon=True, target=lambda: hunters.append(
            asyncio.run(rest_client.play_games(self.house.port, HUNTS, 7))))
        thread.start()
        for gamer in gamers:
            gamer.wait(200)
            self.note(gamer)
        thread.join(200)
        assert hunters and len(hunters[0][0]) == 2 * HUNTS and "win" in hunters[0][0], hunters
        return f"{len(gamers)} games by WebSocket, {HUNTS} hunts by HTTP"

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
        kills = {service: 0 for service in SERVICES}

        def harm():
            end = time.monotonic() + self.seconds
            while time.monotonic() < end:
                time.sleep(self.luck.uniform(2, 6))
                service = self.luck.choice(SERVICES)
                kills[service] += self.house.kill(service, self.luck)
            self.house.wait_until("everybody is back", lambda: self.house.is_ready() and set(
                self.house.healths().values()) == {"healthy"}, 120)
        acted, cuts = self.play_through(harm)
        assert sum(kills.values()) > 0, kills
        told = ", ".join(f"{service} {count}" for service, count in kills.items())
        return f"killed: {told}; {acted} commands were accepted until all were back; players were cut off {cuts} times"

    # To another build, to one that does not run, and back.

    def goes_back(self):
        build, following, wrong = (os.environ[f"ARBITER_IMAGE{which}"] for which in ("", "_NEXT", "_WRONG"))
        waited = []

        def roll_out(image):
            began = time.monotonic()
            self.house.become(image)
            self.house.wait_until("players are let in", self.house.is_ready)
            waited.append(time.monotonic() - began)
            self.house.wait_until("everybody is back", lambda: set(self.house.healths().values()) == {"healthy"}, 120)
            assert self.house.images() == {image}, self.house.images()

        def harm():
            roll_out(following)
            self.house.become(wrong)
            self.house.wait_until("its engine ends again and again", lambda: any(
                engine["RestartCount"] > 1 for engine in self.house.containers("engine")))
            assert not self.house.is_ready()
            roll_out(build)
        acted, cuts = self.play_through(harm, OUTAGE_S)
        told = ", ".join(f"{seconds:.0f} s" for seconds in waited)
        return f"from `up` until players were let in: {told}; {acted} commands were accepted until all were back; {cuts} connections were cut"

    def abort(self, matches):
        with self.operator() as client:
            for match in matches:
                self.ask(client, abort_match=messages.lobby.AbortMatch(match_id=bytes.fromhex(match), reason="the test is over"))

    def arbiter(self, volumes, *words):
        done = subprocess.run(["docker", "run", "--rm", "--network", "none", *(word for volume in volumes for word in ("-v", volume)),
                               os.environ.get("ARBITER_IMAGE", "arbiter"), "/usr/bin/arbiter", *words], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def export(self, match, folder):
        journal = self.house.volume("data-engine") / "engine-1"
        self.arbiter([f"{journal}:/tmp/house/data/engine", f"{folder}:/matches"], "match", "export", match, f"/matches/{match}.match", "--home", "/tmp/house")

    # Backed up while it runs, and laid out anew, as deploy/README.md says it.

    def is_looked_after(self):
        backups = self.folder / "backups"
        backups.mkdir(mode=0o700)
        os.chown(backups, 10001, 10001)
        self.house.compose("run", "--rm", "keeper", "doctor")
        said = self.house.compose("run", "--rm", "-v", f"{backups}:/backups", "keeper", "backup", "/backups/now")
        self.arbiter([f"{backups}:/backups"], "restore", "/backups/now", "--home", "/backups/house")
        with Installation(f"{self.house.project}-again", free_port(), judge.SETTINGS) as again:
            for part in sorted((backups / "house").glob("*/*")):
                name = f"{part.parent.name}-{part.name}"
                again.docker("volume", "create", f"{again.project}_{name}")
                subprocess.run(["cp", "-a", f"{part}/.", again.volume(name)], check=True)
            again.up()
            again.wait_until("the door answers", again.is_ready)
            other = Check(again, self.folder, self.luck, 0, 0)
            other.accepted = self.accepted
            again.wait_until("it knows every match", lambda: set(self.accepted) <= set(other.listed("finished")))
            return f"{said.splitlines()[-1]}; {other.keeps_what_it_acknowledged()}, in the house made of it"

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

    # With a name and a certificate.

    def opens_to_strangers(self):
        name, (http, https), folder = "play.example", (free_port(), free_port()), self.folder / "certificates"
        folder.mkdir(mode=0o700)
        self.certify(folder, name)
        self.house.open_public(name, folder, http, https)
        self.house.wait_until("the door answers", self.house.is_ready)
        trusts = ssl.create_default_context(cafile=folder / "site.pem")
        self.house.wait_until("strangers are let in", lambda: self.fetch(https, "/readyz", name, trusts)[0] == 200)
        status, headers = self.fetch(http, "/match/x?seat=1", name)
        assert (status, headers["Location"]) == (308, f"https://{name}/match/x?seat=1"), (status, headers)
        token = (self.house.volume("keys-console") / "keys/operator.token").read_text().strip()
        for port, tls, bearer, wanted in ((https, trusts, token, 404), (self.house.port, None, None, 401), (self.house.port, None, token, 200)):
            said = self.fetch(port, "/metrics", name, tls, bearer)[0]
            assert said == wanted, (port, said, wanted)
        assert self.fetch(https, "/", name, trusts)[1]["Strict-Transport-Security"] == "max-age=31536000"
        before, page = self.serial(https, trusts, name), socket_client.Socket(https, tls=self.blind())
        page.send('{"request":1,"hello":{}}')  # Who says none in time is shown out.
        assert "welcome" in page.receive()
        self.certify(folder, name)
        self.house.compose("kill", "-s", "HUP", "door")
        trusts = ssl.create_default_context(cafile=folder / "site.pem")
        self.house.wait_until("the new certificate is shown", lambda: self.serial(https, trusts, name) not in (None, before))
        page.send('{"request":2,"ping":{}}')
        while (said := json.loads(page.receive())).get("request") != 2:
            assert "closing" not in said, said
        page.cut()
        return "TLS, 308, a token, and a new certificate under who was connected"

    def certify(self, folder, name):
        """As deploy/README.md says: chain and key in one file, which the containers' user may read."""
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                        "-keyout", folder / "site.key", "-out", folder / "site.crt", "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}"],
                       check=True, capture_output=True)
        (folder / "site.pem").write_bytes((folder / "site.crt").read_bytes() + (folder / "site.key").read_bytes())
        for path in (folder / "site.key", folder / "site.crt"):
            path.unlink()
        for path in (folder, folder / "site.pem"):
            os.chown(path, 10001, 10001)

    @staticmethod
    def blind():
        blind = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        blind.check_hostname, blind.verify_mode = False, ssl.CERT_NONE
        return blind

    def serial(self, port, trusts, name):
        with contextlib.suppress(ssl.SSLError), socket.create_connection(("127.0.0.1", port), timeout=30) as line, \
                trusts.wrap_socket(line, server_hostname=name) as peer:
            return peer.getpeercert()["serialNumber"]

    def fetch(self, port, path, name, tls=None, bearer=None):
        with socket.create_connection(("127.0.0.1", port), timeout=30) as line, \
                tls.wrap_socket(line, server_hostname=name) if tls else line as peer:
            proof = f"Authorization: Bearer {bearer}\r\n" if bearer else ""
            peer.sendall(f"GET {path} HTTP/1.1\r\nHost: {name}\r\n{proof}Connection: close\r\n\r\n".encode())
            answer = http.client.HTTPResponse(peer)
            answer.begin()
            return answer.status, answer.headers

    def run(self, rolls_out):
        if not self.case("docker-compose up, with nothing configured", self.starts):
            print(self.house.said())
            return
        self.case("each service has what it needs, and no more", self.holds_nothing_it_needs_not)
        self.case("whole matches of all games, from outside", self.plays)
        self.case(f"fanouts 1 -> 4 -> 2 under {2 * self.natives} who watch", self.scales)
        self.case(f"containers killed at random for {self.seconds} s", self.survives)
        if rolls_out:
            self.case("another build, one that does not run, and back", self.goes_back)
        self.judge_files()
        self.case("a backup of what runs becomes a house that knows it all", self.is_looked_after)
        self.case("it is opened to strangers, by TLS at a name", self.opens_to_strangers)
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
    words.add_argument("--seconds", type=int, default=120, help="seconds in which containers are killed; default 120")
    words.add_argument("--crowd", type=int, default=500, help="how many spectators watch; default 500")
    words.add_argument("--project", default="arbiter-check", help="the name of docker-compose's project")
    words.add_argument("--roll-out", action="store_true", help="another build is rolled out, too, and one that does not run, and the first again")
    asked, luck = judge.begin(words, "compose.py")
    with tempfile.TemporaryDirectory(prefix="arbiter-compose-") as folder, \
            Installation(asked.project, free_port(), judge.SETTINGS) as house:
        check = Check(house, folder, luck, asked.seconds, asked.crowd)
        check.run(asked.roll_out)
        if check.failed:
            print(house.said(15))
    return check.report()


if __name__ == "__main__":
    sys.exit(main())
