#!/usr/bin/env python3
"""public.py: types the chapter "A house for strangers" into an empty machine, as it stands, and comes there as strangers do, good and bad.

deploy/lib/try-public makes that machine and the strangers' network, and calls this in the latter.
"""
import argparse
import http.client
import json
import os
import pathlib
import re
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(SOURCE / "tests" / "lib" / part) for part in ("gateway", "deployment")]

import judge  # noqa: E402
import people  # noqa: E402
import socket_client  # noqa: E402
import tls_relay  # noqa: E402
from machine import Machine  # noqa: E402

CHAPTER, WATCHING = "A house for strangers", "Watching it"
# Who comes from where: addresses of the network that try-public made.
PLAYER, STAYS, ATTACKER, HONEST = (f"198.19.0.{number}" for number in (7, 8, 66, 9))
QUIET_S = 30   # So long the honest player is alone, before the attacks.
COMPOSE = "docker-compose -f deploy/docker-compose.yml -f deploy/docker-compose.public.yml"


class TimedPlayer(socket_client.Player):
    """Notes how long each command waited for its answer."""

    def __init__(self, port):
        super().__init__(port)
        self.asked, self.waits = {}, []

    def send(self, **up):
        number = super().send(**up)
        if "play" in up:
            self.asked[number] = time.monotonic()
        return number

    def next(self, timeout=socket_client.PATIENCE_S):
        down = super().next(timeout)
        if down is not None and "played" in down and down.get("request") in self.asked:
            self.waits.append(time.monotonic() - self.asked.pop(down["request"]))
        return down


class Honest(people.Gamer):
    """Plays nim against the house's bots, match after match, and knows how long each answer took."""

    def _run(self):
        self.player = TimedPlayer(self.port)
        super()._run()

    def figures(self, since=0):
        waits = sorted(self.player.waits[since:])
        assert waits, "no command was answered"
        return "{} commands, p50 {:.0f} ms, p99 {:.0f} ms, longest {:.0f} ms".format(
            len(waits), *(1000 * waits[int(part * (len(waits) - 1))] for part in (0.5, 0.99, 1)))


class Check(judge.Judge):
    def __init__(self, machine, name, at):
        super().__init__(machine, "/", None)
        self.machine, self.name, self.at, self.token = machine, name, at, None

    def case(self, name, work):
        def guarded():
            try:
                return work()
            except socket_client.Closed as why:
                raise AssertionError(f"the door closed: {why}") from why
        return super().case(name, guarded)

    def keep_said(self):
        for line in self.machine.run(f"cd /srv/arbiter && {COMPOSE} logs --no-color --tail=15 2>&1 || true").splitlines():
            print(f"        {line}")

    # The chapter.

    def types(self, number, chapter=CHAPTER):
        """A block of the chapter, as it stands. The last that it printed."""
        lines = self.machine.chapter(chapter)[number]
        said = ""
        for line in lines:
            began = time.monotonic()
            said = self.machine.type(line)
            print(f"    {time.monotonic() - began:6.1f} s  # {line}", flush=True)
            if "docker.io" in line:
                print(f"              (not here: {self.machine.stand_in()})", flush=True)
        return said

    def becomes_public(self):
        said = self.types(0)
        self.token = said.split()[-1]
        with urllib.request.urlopen("https://127.0.0.1:15000/roots/0", context=tls_relay.blind()) as root:
            self.trusts = ssl.create_default_context(cadata=root.read().decode())
        return f"{len(self.machine.chapter(CHAPTER)[0])} lines; doctor is content"

    # Who comes.

    def connect(self, port, tls=True, source=PLAYER):
        line = socket.create_connection((self.at, port), timeout=30, source_address=(source, 0))
        return self.trusts.wrap_socket(line, server_hostname=self.name) if tls else line

    def fetch(self, port, path, tls=True, bearer=None):
        with self.connect(port, tls) as line:
            proof = f"Authorization: Bearer {bearer}\r\n" if bearer else ""
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: {self.name}\r\n{proof}Connection: close\r\n\r\n".encode())
            answer = http.client.HTTPResponse(line)
            answer.begin()
            return answer.status, answer.headers, answer.read().decode(errors="replace")

    def shows(self):
        self.machine.wait_until("strangers are let in", lambda: self.fetch(443, "/readyz")[0] == 200)
        status, headers, page = self.fetch(443, "/")
        assert (status, headers["Strict-Transport-Security"]) == (200, "max-age=31536000") and "<title>" in page, (status, headers)
        status, headers, _ = self.fetch(80, "/match/x?seat=1", tls=False)
        assert (status, headers["Location"]) == (308, f"https://{self.name}/match/x?seat=1"), (status, headers)
        for bearer in (None, self.token):
            assert self.fetch(443, "/metrics", bearer=bearer)[0] == 404
        try:
            self.connect(8080, tls=False).close()
            raise AssertionError("the operator's port is open to strangers")
        except ConnectionRefusedError:
            pass
        asks = "import sys, urllib.request as r; print(r.urlopen(r.Request('http://127.0.0.1:8080/metrics', headers={h})).read().decode())"
        said = self.machine.beside(asks.format(h={"Authorization": f"Bearer {self.token}"}))
        assert "\narbiter_up" in said, said[:300]
        assert "401" in self.machine.beside(asks.format(h={}), fails=True)
        return "TLS by a certificate of the authority, 308 at port 80, /metrics 404 for strangers and 200 for the operator"

    def relay(self, source):
        return tls_relay.Relay((self.at, 443), self.trusts, self.name, source)

    def plays(self):
        relay = self.relay(PLAYER)
        page = socket_client.Socket(relay.port, host=self.name, origin=f"https://{self.name}")
        assert "Secure" in page.cookie.split("; "), page.cookie
        page.cut()
        gamer = people.Gamer(relay.port, "Stranger", "nim")
        gamer.wait(120)
        relay.close()
        acts = sum(map(len, gamer.accepted.values()))
        assert gamer.over and acts and not gamer.cuts, (gamer.over, acts, gamer.cuts)
        said = self.machine.type(f"{COMPOSE} logs --no-color door")
        line = next(line for line in said.splitlines() if "public~" in line and "/ws" in line and line.endswith(f" {PLAYER}"))
        return f"{acts} commands of nim from its first to its last; the access log says: {line.split('| ')[-1]}"

    # Prometheus, as the handbook has it.

    def asks(self, query):
        """What Prometheus knows: labels and number of each."""
        asked = f"http://127.0.0.1:9090/api/v1/query?query={urllib.parse.quote(query)}"
        answer = json.loads(self.machine.beside(f"import urllib.request; print(urllib.request.urlopen({asked!r}).read().decode())"))
        return [(one["metric"], float(one["value"][1])) for one in answer["data"]["result"]]

    def watches(self):
        self.types(0, WATCHING)
        self.types(1, WATCHING)
        self.machine.wait_until("Prometheus sees the house", self.is_seen, 300)
        try:
            self.connect(9090, tls=False).close()
            raise AssertionError("Prometheus is open to strangers")
        except ConnectionRefusedError:
            pass
        limits = {labels["setting"] for labels, _ in self.asks("arbiter_limit")}
        assert {"connections_max", "http_connections_max", "tabs_per_address", "tables_max"} <= limits, limits
        return f"{len(limits)} limits are watched; strangers do not see it"

    def is_seen(self):
        try:
            return self.asks('up{job="arbiter"} == 1') and {labels["role"] for labels, _ in self.asks("arbiter_up == 1")} >= {
                "lobby", "engine", "fanout", "gateway"}
        except AssertionError:
            return False

    # New certificates.

    def serial(self, trusts=None):
        with socket.create_connection((self.at, 443), timeout=30) as line, \
                (trusts or self.trusts).wrap_socket(line, server_hostname=self.name) as peer:
            return peer.getpeercert(binary_form=True)

    def seen(self):
        try:
            return self.serial(tls_relay.blind())
        except OSError:
            return None

    def takes_another(self):
        before, relay = self.serial(), self.relay(STAYS)
        stays = socket_client.Socket(relay.port)
        stays.send('{"request":1,"hello":{}}')
        assert "welcome" in stays.receive()
        other = subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                                "-keyout", "-", "-subj", f"/CN={self.name}"], check=True, capture_output=True, text=True).stdout
        self.machine.run("cat >/etc/arbiter/certificates/site.pem", said=other)
        self.types(1)
        self.machine.wait_until("the new certificate is shown", lambda: self.seen() not in (None, before))
        stays.send('{"request":2,"ping":{}}')
        while (said := json.loads(stays.receive())).get("request") != 2:
            assert "closing" not in said, said
        stays.cut()
        relay.close()
        return "and who was connected stays"

    def renews(self):
        told = []
        for renew in (lambda: self.types(2), lambda: self.machine.type("certbot renew --force-renewal")):   # As its timer does, but for the force.
            before = self.seen()
            renew()
            self.machine.wait_until("the renewed certificate is shown", lambda: self.seen() not in (None, before))
            self.machine.wait_until("strangers are let in", lambda: self.fetch(443, "/readyz")[0] == 200)
            told.append(self.serial() != before)
        hooks = self.machine.type(f"grep hook /etc/letsencrypt/renewal/{self.name}.conf").splitlines()
        assert len(hooks) == 3 and all(told), (hooks, told)
        return "by the line of the chapter, and again by what certbot kept of it"

    # Who means no good.

    def withstands(self):
        relay = self.relay(HONEST)
        honest = Honest(relay.port, "Honest", "nim", matches=1000)
        time.sleep(QUIET_S)
        alone, count, played = honest.figures(), len(honest.player.waits), len(honest.over)
        door, gateway = (self.machine.container(service) for service in ("door", "gateway"))
        done = subprocess.run([sys.executable, "-B", SOURCE / "tests/programs/gateway/hostile_public.py"], capture_output=True, text=True,
                              env={**os.environ, "ARBITER_SOURCE": str(SOURCE), "ARBITER_BUILD": "", "ARBITER_DOOR": f"{self.at}:443",
                                   "ARBITER_DOOR_NAME": self.name, "ARBITER_DOOR_SOURCE": ATTACKER, "ARBITER_DOOR_LOG": door["log"],
                                   "ARBITER_DOOR_GATEWAY": str(gateway["pid"])})
        attacked, matches = honest.figures(count), len(honest.over) - played
        honest.is_told_to_stop.set()
        honest.left = 1
        honest.thread.join(60)
        relay.close()
        print(f"              the honest player, alone:    {alone}\n              while others attacked:       {attacked}", flush=True)
        assert done.returncode == 0, done.stderr[-6000:]
        assert not honest.fault and not honest.cuts and matches > 0, (honest.fault, honest.cuts, matches)
        rang = {f"{labels['alertname']} ({labels['severity']})" for labels, _ in self.asks('max_over_time(ALERTS{alertstate="firing"}[10m])')}
        print(f"              what rang meanwhile: {', '.join(sorted(rang)) or 'nothing'}", flush=True)
        ran = re.search(r"Ran (\d+) tests in (\S+)s", done.stderr)
        return f"{ran[1]} attacks in {float(ran[2]):.0f} s; meanwhile the honest player ended {matches} matches, and was never cut off"

    def keeps_its_own(self):
        """All who were there before the attacks are there still: nobody died, and nobody was started again."""
        said = self.machine.run("docker ps -a --format '{{.Names}} {{.Status}}'").split("\n")
        starts = self.machine.run("docker inspect -f '{{.Name}} {{.RestartCount}}' $(docker ps -q)").split("\n")
        assert not [line for line in starts if line and not line.endswith(" 0")], starts
        doctor = self.machine.type(f"{COMPOSE} run --rm keeper doctor")
        return f"{len(said)} containers, none was started again; doctor: {doctor.strip().splitlines()[-1]}"

    def run(self):
        if not self.case("an empty Debian 12 becomes a public house, by the chapter's lines", self.becomes_public):
            return
        self.case("strangers come by TLS at the name, and see nothing of the operator's", self.shows)
        self.case("a program plays a whole match through that door", self.plays)
        self.case("Prometheus watches it, by the handbook's lines", self.watches)
        self.case("a new certificate is taken without a cut", self.takes_another)
        self.case("certbot renews, and the door shows it", self.renews)
        self.case("the hostile suite attacks through that door, and an honest player plays on", self.withstands)
        self.case("the house has kept itself", self.keeps_its_own)


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--machine", type=int, required=True, help="process 1 of the machine, by its number here")
    words.add_argument("--name", required=True, help="the name at which strangers find the house")
    words.add_argument("--at", required=True, help="the address that the name leads to")
    asked = words.parse_args()
    check = Check(Machine(asked.machine), asked.name, asked.at)
    check.run()
    return check.report()


if __name__ == "__main__":
    threading.excepthook = lambda _: None   # Whoever is cut off says so himself.
    sys.exit(main())
