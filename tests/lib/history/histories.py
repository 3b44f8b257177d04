"""histories.py: what a fleet wrote down, and the journal at the end, as histories (linearizable.py), and their judgement."""
import hashlib
import itertools
import random
import time

import linearizable
import planted
from linearizable import NEVER, Operation
AT_LAST = 1 << 62   # Behind everything a fleet wrote down.
LIED_ABOUT = 40   # So many matches of a run are made false in each way, and each lie is to be found.


class Record:
    """One fleet's lines, as operations. A seat asks, and apart from that hears acts: two processes."""

    def __init__(self, path):
        self.name, self.asked, self.operations, self.heard = path.stem, {}, [], {}
        for line in path.read_text().splitlines(keepends=True):
            if line.endswith("\n"):   # A process that was killed may have left half of one.
                self.take(line.split())
        self.operations += (asked for asked in self.asked.values() if asked.operation == "play")

    def take(self, words):
        take = getattr(self, f"take_{words[1].replace('-', '_')}", None)
        if take is not None:
            take(int(words[0]), words[2], int(words[3]), int(words[4]), *words[5:])

    def ask(self, time_ms, match, seat, number, operation, argument):
        self.asked[operation, match, seat, number] = Operation(f"{self.name}/{seat}", match, operation, seat, argument, time_ms, NEVER, None)

    def answer(self, operation, time_ms, match, seat, number, result):
        asked = self.asked.pop((operation, match, seat, number), None)
        if asked is not None:
            self.operations.append(asked._replace(end=time_ms, result=result))

    def take_play(self, time_ms, match, seat, number, command):
        self.ask(time_ms, match, seat, number, "play", command)

    def take_accepted(self, time_ms, match, seat, number, act):
        self.answer("play", time_ms, match, seat, number, int(act))

    def take_refused(self, time_ms, match, seat, number, _):
        self.answer("play", time_ms, match, seat, number, "refused")

    def take_look(self, time_ms, match, seat, number, _):
        self.ask(time_ms, match, seat, number, "length", None)

    def take_seen(self, time_ms, match, seat, number, act):
        self.answer("length", time_ms, match, seat, number, int(act))

    def take_act(self, time_ms, match, seat, number, actor, digest):
        """Who hears acts asks for the next as soon as he has one."""
        process = f"{self.name}/{seat} hears"
        since = self.heard.get((match, seat), 0)
        self.heard[match, seat] = time_ms
        self.operations.append(Operation(process, match, "told", seat, None, since, time_ms, [number, int(actor), digest]))


def of_journal(journal, matches):
    """All acts of each match, read when all was over."""
    for match in matches:
        acts = [journal.acts[match][number] for number in sorted(journal.acts.get(match, {}))]
        yield Operation("journal", match, "acts", None, None, AT_LAST, AT_LAST,
                        [[act.actor, act.command.hex(), hashlib.sha256(act.body).hexdigest()] for act in acts])


def of_run(records, journal):
    operations = list(itertools.chain.from_iterable(Record(path).operations for path in records if path.exists()))
    return operations + list(of_journal(journal, {one.match for one in operations}))


def lies_found(operations, seed):
    """(lies told, sentences of those that were not found): true histories of this run made false."""
    matches = [match for match in linearizable.by_match(operations).values() if linearizable.judge(match) is None]
    told, missed = 0, []
    for match in random.Random(seed).sample(matches, min(LIED_ABOUT, len(matches))):
        for lie in planted.LIES:
            false = lie(match)
            if false is not None:
                told += 1
                missed += [f"a planted lie was believed: {lie.__doc__}"] if linearizable.judge(false) is None else []
    return told, missed


def findings(records, journal, seed, path):
    """Sentences; the history is written to `path`, and figures are printed."""
    began = time.monotonic()
    operations = of_run(records, journal)
    path.write_text("".join(f"{linearizable.line(operation)}\n" for operation in operations))
    found = linearizable.findings(operations)
    told, missed = lies_found(operations, seed)
    print(f"  linearizable: {linearizable.figures(operations)}; {len(found)} matches that no order explains; "
          f"{told - len(missed)} of {told} planted lies found; {time.monotonic() - began:.1f} s", flush=True)
    return found + missed
