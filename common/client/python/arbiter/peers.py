"""peers.py: who else is there: connections, kept as the lobby's directory says."""
import dataclasses
import hashlib
import math
import os

from . import messages
from .wire import FIRST, Header, NEWEST

REQUESTS, STREAM, HISTORY = 1, 2, 3
LOBBY = 0
HELLO_MS = 1000
SILENT_MS = 3000
REOPEN_EVERY = 5  # Hellos: who never answers gets another connection.
GONE_MS = 5000
ENGINE = messages.directory.ROLE_ENGINE
FANOUT = messages.directory.ROLE_FANOUT
WANTED = {ENGINE: (REQUESTS, HISTORY), FANOUT: (STREAM, HISTORY)}


@dataclasses.dataclass
class Peer:
    role: int
    name: str
    key: bytes
    doors: dict
    started_ms: int = 0
    draining: bool = False
    load: int = 0
    welcome: bool = False
    protocol: int = FIRST  # To speak with it, as its Welcome said.
    hello_ms: int = 0
    seen_ms: int = 0
    hellos: int = 0


class Peers:
    def __init__(self, core, role, name, doors, key):
        self.core, self.role, self.name = core, role, name
        self.list = {LOBBY: Peer(messages.directory.ROLE_LOBBY, "lobby", key, doors)}
        self.owner, self.owner_epoch = {}, {}
        self.directory, self.heard_ms, self.places = 0, 0, 1
        self.is_outside = False
        self.salt = os.urandom(8)

    def open(self, place, now_ms):
        peer = self.list[place]
        for door in (REQUESTS, STREAM) if place == LOBBY else WANTED[peer.role]:
            if door in peer.doors:
                self.core.out.append(("connect", (place, door), peer.doors[door], peer.key))
        if place == LOBBY:
            self.core.out.append(("listen", (place, STREAM), bytes(17)))
        self.hello(place, now_ms)

    def hello(self, place, now_ms):
        peer = self.list[place]
        peer.hello_ms = now_ms
        if peer.role == FANOUT:
            peer.welcome = True  # There is no door at which one is asked who one is.
            return
        self.core.send(place, REQUESTS, Header("HELLO"), messages.directory.Hello(
            role=self.role, name=self.name, software="arbiter python", protocol=self.core.protocol))

    def is_mended(self, place):
        """It has another connection: what was said on the one before is lost, so hello is said at once."""
        self.list[place].hello_ms = -HELLO_MS

    def tick(self, now_ms):
        if now_ms - self.heard_ms >= SILENT_MS:
            self.list[LOBBY].welcome = False
        for place, peer in list(self.list.items()):
            if peer.welcome or now_ms - peer.hello_ms < HELLO_MS:
                continue
            peer.hellos += 1
            if peer.hellos % REOPEN_EVERY == 0:
                self.open(place, now_ms)
            else:
                self.hello(place, now_ms)

    def close(self, place):
        for door in self.list.pop(place).doors:
            self.core.out.append(("disconnect", (place, door)))
        self.owner = {slot: owner for slot, owner in self.owner.items() if owner != place}

    def engine_of(self, slot):
        return self.owner.get(slot)

    def fanouts(self):
        """Places of all fanouts; those that are stopping last."""
        found = [place for place, peer in self.list.items() if peer.role == FANOUT]
        return sorted(found, key=lambda place: (self.list[place].draining, place))

    def rank(self, place, slot):
        """How good a fanout is for us; the least is the best. By luck of our own, the slot, and how idle it is: so
        a crowd spreads over all, and when one comes only those move for whom it now is the best."""
        peer = self.list[place]
        drawn = hashlib.sha256(self.salt + bytes([slot]) + peer.name.encode()).digest()
        return (peer.draining, -math.log((int.from_bytes(drawn[:8], "big") + 1) / 2 ** 64) / max(1, 101 - peer.load))

    def better(self, place, slot, since_ms):
        """A fanout greeted since then that is better than this one; None: there is none."""
        new = [other for other in self.fanouts() if self.list[other].hello_ms >= since_ms and not self.list[other].draining]
        best = min(new, key=lambda other: self.rank(other, slot), default=place)
        return best if best != place and self.rank(best, slot) < self.rank(place, slot) else None

    def take_directory(self, directory, now_ms):
        """True: it is another one than the last."""
        was_silent = now_ms - self.heard_ms >= SILENT_MS
        self.heard_ms = now_ms
        if directory.number < self.directory and not was_silent:
            return False
        is_news = directory.number != self.directory or was_silent
        self.directory = directory.number
        self.is_outside = self.is_from_outside(directory)
        if is_news:
            self.owner, self.owner_epoch = {}, {}
        for service in directory.services:
            if service.role in WANTED and len(service.key) == 32:
                self.take_service(service, now_ms, is_news)
        for place in [place for place, peer in self.list.items()
                      if place != LOBBY and now_ms - peer.seen_ms >= GONE_MS]:
            self.close(place)
        return is_news

    def is_from_outside(self, directory):
        """Who came to the lobby by another address than its own, if it has one for such, is told where to go outside."""
        return any(door.outside and door.address != self.list[LOBBY].doors[REQUESTS]
                   for service in directory.services if service.role == messages.directory.ROLE_LOBBY
                   for door in service.doors if door.kind == REQUESTS)

    def take_service(self, service, now_ms, is_news):
        doors = {door.kind: door.outside if self.is_outside else door.address for door in service.doors
                 if door.kind in WANTED[service.role] and (door.outside or not self.is_outside)}
        if self.is_outside and not doors:
            return  # It is not there for us.
        place = next((place for place, peer in self.list.items()
                      if (peer.role, peer.name) == (service.role, service.name)), None)
        if place is not None and (self.list[place].doors, self.list[place].key) != (doors, service.key):
            self.close(place)
            place = None
        if place is None:
            place, self.places = self.places, self.places + 1
            self.list[place] = Peer(service.role, service.name, service.key, doors,
                                    service.started_ms)
            self.open(place, now_ms)
        peer = self.list[place]
        if peer.started_ms != service.started_ms:
            peer.started_ms, peer.welcome, peer.protocol = service.started_ms, False, FIRST
            self.hello(place, now_ms)
        peer.draining, peer.load, peer.seen_ms = service.draining, service.load, now_ms
        if not is_news:
            return
        for run in service.slots:
            for slot in range(run.first, min(run.last, 255) + 1):
                if run.epoch >= self.owner_epoch.get(slot, 0):
                    self.owner[slot], self.owner_epoch[slot] = place, run.epoch
