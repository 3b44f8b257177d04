#!/usr/bin/python3 -B
"""linearizable.py: could a match that takes one command at a time have given these answers? `linearizable.py HISTORY...`

Judged from the definition of M. Herlihy and J. Wing (*Linearizability*, 1990), by the search of J. Wing and C. Gong (1993) with
the memory of G. Lowe (2017). No line of it knows the engine, its journal or the other oracle.

A history is JSON, an operation a line, in any order:

    {"process": "nims/2", "match": "5f..", "operation": "play", "seat": 2, "argument": "0801", "call": 17, "return": 19, "result": 5}

| operation | argument   | result                                                                                     |
| play      | a command  | the act it became; "refused"; null with "return" null: nobody knows                        |
| told      |            | [number, actor, body]: the next act that this process heard; it hears 1, 2, 3, ...         |
| seen      |            | [number, actor, body]: any act; null where the process does not know actor or body         |
| length    |            | at which act the match stands                                                              |
| acts      |            | [[actor, command, body], ...]: all of them                                                 |
| stranger  |            | nothing: whoever plays this seat keeps no record, so its acts may have come at any time    |

Times are of one clock. `call` is read before the question goes, `return` when its answer is there: equal times are no order. A history
is *linearizable* if each operation with an answer, and some of those without, can be given a moment between its call and its return
so that one after the other they are right of a match alone. Matches do not know each other, so each is judged by itself (locality)."""
import collections
import json
import sys

Operation = collections.namedtuple("Operation", "process match operation seat argument call end result")
HOUSE = 256   # Actors from here on are no seats: the start, expiries, the operator.
NEVER = float("inf")


def read(lines):
    for line in lines:
        said = json.loads(line)
        end = NEVER if said["return"] is None else said["return"]
        yield Operation(said["process"], said["match"], said["operation"], said.get("seat"), said.get("argument"), said["call"], end,
                        said["result"])


def line(operation):
    said = operation._asdict()
    said["return"] = None if said["end"] == NEVER else said["end"]
    del said["end"]
    return json.dumps({key: value for key, value in said.items() if value is not None or key in ("return", "result")})


class Match:
    """What a match alone would do. Its state is a number, how many acts there are, and of each who hears acts how many he has heard.

    An act never changes once it is there, so whoever is told of it is told the same. `acts` is what was told first, of each number;
    who was told something else has no moment at which that is right."""

    def __init__(self, operations):
        self.acts = {}
        for operation in sorted(operations, key=lambda one: one.end):
            for number, act in self.learnt(operation):
                known = self.acts.get(number, (None, None, None))
                self.acts[number] = tuple(old if old is not None else new for old, new in zip(known, act))
        hearers = sorted({operation.process for operation in operations if operation.operation == "told"})
        self.hearer = {process: place for place, process in enumerate(hearers)}
        self.start = (0, (0,) * len(hearers))

    @staticmethod
    def learnt(operation):
        """(number, (actor, command, body)) of each act that an answer shows."""
        if operation.operation in ("told", "seen"):
            number, actor, body = operation.result
            yield number, (actor, None, body)
        elif operation.operation == "acts":
            yield from ((number, tuple(act)) for number, act in enumerate(operation.result, 1))

    def is_act(self, number, *act):
        """Whether what is said of an act agrees with what is known of it."""
        known = self.acts.get(number, act)
        return all(said is None or true is None or said == true for said, true in zip(act, known))

    def step(self, state, operation):
        """The state behind it; None: a match in this state would not answer so."""
        length, heard = state
        kind, result = operation.operation, operation.result
        if kind == "play":
            fits = result in (None, length + 1) and self.is_act(length + 1, operation.seat, operation.argument, None)
            return (length + 1, heard) if fits else None
        if kind == "house":
            return (length + 1, heard) if result == length + 1 else None
        if kind == "length":
            return state if result == length else None
        if kind == "acts":
            return state if len(result) == length and all(self.is_act(*one) for one in self.numbered(result)) else None
        number, actor, body = result
        if number > length or not self.is_act(number, actor, None, body):
            return None
        if kind == "seen":
            return state
        place = self.hearer[operation.process]
        if heard[place] + 1 != number:
            return None
        return length, (*heard[:place], number, *heard[place + 1:])

    @staticmethod
    def numbered(acts):
        return ((number, *act) for number, act in enumerate(acts, 1))


def of_the_house(match, operations):
    """The start, expiries, the operator's acts and a stranger's have no call that anybody wrote down. Each is an operation without an answer: it may
    have happened. It cannot have been before the act below it, so its call is put where that one's is: this makes the search short."""
    strangers = {one.seat for one in operations if one.operation == "stranger"}
    calls = {one.result: one.call for one in operations if one.operation == "play" and isinstance(one.result, int)}
    last = max([0, *match.acts, *calls, *(one.result for one in operations if one.operation == "length")])
    earliest = 0
    for number in range(1, last + 1):
        actor = match.acts.get(number, (None,))[0]
        if number not in calls and (actor is None or actor >= HOUSE or actor in strangers):
            yield Operation("house", None, "house", None, None, earliest, NEVER, number)
        earliest = max(earliest, calls.get(number, 0))


class Events:
    """Calls and returns in the order of time, as a list from which pairs are taken and put back. 0 is its head."""

    def __init__(self, operations):
        events = sorted([(one.call, 0, number) for number, one in enumerate(operations)] +
                        [(one.end, 1, number) for number, one in enumerate(operations) if one.end != NEVER])
        self.next, self.before = list(range(1, len(events) + 2)), list(range(-1, len(events)))
        self.next[-1] = 0
        self.operation = [None] + [number for _, _, number in events]
        self.is_return = [False] + [bool(what) for _, what, _ in events]
        self.place = {(number, bool(what)): place for place, (_, what, number) in enumerate(events, 1)}
        self.returns = sum(self.is_return)

    def places(self, number):
        places = [self.place[number, False]]
        return places + [self.place[number, True]] if (number, True) in self.place else places

    def take(self, number):
        for place in self.places(number):
            before, following = self.before[place], self.next[place]
            self.next[before] = following
            self.before[following] = before
            self.returns -= self.is_return[place]

    def put_back(self, number):
        for place in reversed(self.places(number)):
            self.next[self.before[place]] = self.before[self.next[place]] = place
            self.returns += self.is_return[place]


def judge(operations):
    """Of one match. None: it is linearizable; otherwise a sentence that says where the search came to no end.

    An operation that leaves the number of acts as it is, and is right now, is never tried later: whoever may be later may be now,
    since nothing that is right behind it needs that it was not yet. So only acts are undone."""
    match = Match(operations)
    operations = [*(one for one in operations if one.result != "refused" and one.operation != "stranger"), *of_the_house(match, operations)]
    events, state, done, known, undo = Events(operations), match.start, 0, set(), []
    furthest, blame = -1, None
    place = events.next[0]
    while events.returns > 0:
        number = events.operation[place]
        if events.is_return[place]:   # It is over and has no moment: what was done before is undone.
            if state[0] > furthest or blame is None:
                furthest, blame = state[0], operations[number]
            while undo and undo[-1][2]:
                events.put_back(undo.pop()[0])
            if not undo:
                return f"match {blame.match}: of {blame.process} this cannot be right, behind {furthest} acts: {line(blame)}"
            number, state, _, done = undo.pop()
            events.put_back(number)
            place = events.next[events.place[number, False]]
            continue
        after = match.step(state, operations[number])
        if after is not None and (done | 1 << number, after) not in known:
            known.add((done | 1 << number, after))
            undo.append((number, state, after[0] == state[0], done))
            done, state = done | 1 << number, after
            events.take(number)
            place = events.next[0]
        else:
            place = events.next[place]
    return None


def by_match(operations):
    matches = collections.defaultdict(list)
    for operation in operations:
        matches[operation.match].append(operation)
    return matches


def findings(operations):
    """Sentences, one for each match that no order explains."""
    return [found for match in by_match(operations).values() for found in [judge(match)] if found is not None]


def figures(operations):
    kinds = collections.Counter(one.operation for one in operations)
    unknown = sum(one.operation == "play" and one.end == NEVER for one in operations)
    refused = sum(one.result == "refused" for one in operations)
    return (f"{len({one.match for one in operations})} matches, {len(operations)} operations: {kinds['play']} commands, {refused} of them refused and "
            f"{unknown} unknown; {kinds['told'] + kinds['seen']} acts told, {kinds['length']} lengths and {kinds['acts']} whole matches read")


def main(paths):
    status = 0
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            operations = list(read(lines))
        found = findings(operations)
        print("\n".join([*found, f"{path}: {'NOT ' if found else ''}linearizable: {figures(operations)}"]))
        status = 1 if found else status
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
