"""world.py: what every attack is measured by: services that stay the same, a match that goes on, refusals that are counted."""
import collections
import importlib
import pathlib
import re
import time

from arbiter import messages

import garble
import honest
import insider

SOURCE = pathlib.Path(__file__).resolve().parents[2]
# Lines a service may write about one attack.
LINES_MAX = 40
# What one attack may leave behind in a service for good: measured apart, at rest, it is less.
GROWTH_MAX = 12 << 20
EVES = 240

Row = collections.namedtuple("Row", "name attack")
ROWS = []


def row(name):
    """Makes an attack a row of the suite. It is called with the world and returns {(service, counter): least}."""
    def add(attack):
        ROWS.append(Row(name, attack))
        return attack
    return add


def kinds():
    """Every kind of message and the descriptor of its body, as envelope.proto's comments say."""
    found = {}
    text = (SOURCE / "proto/envelope.proto").read_text()
    for kind, package, message in re.findall(r"KIND_(\w+) = \d+;\s+// (\w+)\.(\w+)", text):
        module = importlib.import_module({"wire": "envelope"}.get(package, package) + "_pb2")
        found[kind] = getattr(module, message).DESCRIPTOR
    return found


class World:
    """The premises, the two honest players, and keys for those who are not."""

    def __init__(self, premises, pair, seed):
        self.premises, self.pair, self.luck = premises, pair, garble.seeded(seed)
        self.journal = honest.Journal(premises)
        self.spent, self.found, self.lines_open = 0, [], []

    def eve(self):
        """A client's key that nobody has used yet."""
        self.spent += 1
        return self.premises.keys[f"eve{self.spent}"]

    def line(self, service, door="requests", key=None, **options):
        return insider.Line(self.premises, service, door, key or self.eve(), **options)

    def run(self, row):
        """One attack; sentences for what it changed that it must not."""
        before = self.look()
        self.moved = 0
        wrong = []
        try:
            expected = row.attack(self) or {}
        except AssertionError as fault:
            wrong.append(str(fault) or "an assertion of the attack")
            expected = {}
        wrong += self.judge(before, expected)
        self.found += [f"{row.name}: {sentence}" for sentence in wrong]
        return wrong

    def move(self, count=1):
        """The honest play during an attack."""
        for _ in range(count):
            self.pair.move()
            self.moved += 1

    def look(self):
        """What must not change: numbers of processes, what they counted, the journal as it stands."""
        count = self.journal.count(self.pair.match)
        return {"pids": {name: service.child.pid for name, service in self.premises.services.items()},
                "counters": self.premises.counters(), "match": self.pair.match, "count": count,
                "digest": self.journal.digest(self.pair.match, count), "matches": self.journal.matches(),
                "lines": {name: service.lines() for name, service in self.premises.services.items()},
                "resident": self.resident()}

    def resident(self):
        return {name: service.resident() for name, service in self.premises.services.items()}

    def judge(self, before, expected):
        dead = [name for name, service in self.premises.services.items() if not service.is_same()]
        if dead:
            return [f"{name} died: {self.premises.services[name].said()[-1500:]}" for name in dead]
        wrong = []
        count = self.journal.count(before["match"])
        if self.pair.match == before["match"] and count != before["count"] + self.moved:
            wrong.append(f"the match moved from act {before['count']} to {count}, of which {self.moved} were honest")
        if self.journal.digest(before["match"], before["count"]) != before["digest"]:
            wrong.append("the match's rows are others")
        if self.journal.matches() - set(self.pair.matches) != before["matches"] - set(self.pair.matches):
            wrong.append("there is another match")
        after = self.premises.counters()
        for (service, counter), least in expected.items():
            grew = after[service].get(counter, 0) - before["counters"][service].get(counter, 0)
            if grew < least:
                wrong.append(f"{service} counted {grew} {counter}, not {least}")
        for name, service in self.premises.services.items():
            if service.lines() - before["lines"][name] > LINES_MAX:
                wrong.append(f"{name} wrote {service.lines() - before['lines'][name]} lines")
            if re.search(r"[\x00-\x09\x0b-\x1f\x7f]", service.said()):
                wrong.append(f"{name}'s log drives terminals")
        wrong += self.is_flat(before["resident"])
        return wrong + self.go_on(before)

    def is_flat(self, before):
        """Memory comes back, at the latest when those who held it have been cut."""
        end = time.monotonic() + 4
        while True:
            grown = {name: now - before[name] for name, now in self.resident().items() if now - before[name] > GROWTH_MAX}
            if not grown or time.monotonic() > end:
                return [f"{name} grew by {bytes_ >> 10} KiB" for name, bytes_ in grown.items()]
            time.sleep(0.1)

    def go_on(self, before):
        """The honest ones play on, and hear it."""
        try:
            number = self.pair.move()
        except AssertionError as fault:
            return [f"the honest players: {fault}"]
        if self.pair.match == before["match"] and number != before["count"] + self.moved + 1:
            return [f"the next move became act {number} behind {before['count'] + self.moved}"]
        return []


def said(message):
    """A body, packed."""
    return message.SerializeToString()


def ask(**kind):
    return said(messages.lobby.Ask(**kind))
