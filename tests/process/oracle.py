"""oracle.py: what the players wrote down against what the journal holds: the promises, one by one.

A command that was not answered may or may not have happened (Jepsen's *info*); everything else is known.
Each finding is a sentence; no finding: everything holds."""
import collections
import hashlib
import sqlite3

Play = collections.namedtuple("Play", "time command")
Outcome = collections.namedtuple("Outcome", "time word act")
Told = collections.namedtuple("Told", "time number actor hash")
Act = collections.namedtuple("Act", "number epoch actor session request chain_before chain command body")


# Answers may be under way so long when their engine dies.
IN_FLIGHT_MS = 200


class History:
    """The records of a fleet, read."""

    def __init__(self):
        self.plays, self.outcomes = {}, {}                 # (match, seat, number) -> ...
        self.told = collections.defaultdict(list)          # (match, seat) -> [Told]
        self.begun, self.over = {}, set()                  # match -> seats; (match, seat)
        self.complaints, self.ends = [], 0

    def read(self, path):
        lines = path.read_text().splitlines(keepends=True)
        for line in lines:
            if line.endswith("\n"):          # A process that was killed may have left half of one.
                self.take(line.split())

    def take(self, words):
        time, what = int(words[0]), words[1]
        key = (words[2], int(words[3]), int(words[4])) if len(words) > 5 else None
        if what == "play":
            self.plays[key] = Play(time, words[5])
        elif what in ("accepted", "refused", "unsure"):
            if key in self.outcomes:
                self.complaints.append(f"command {key} was answered twice")
            self.outcomes[key] = Outcome(time, what, int(words[5]))
        elif what == "act":
            self.told[key[:2]].append(Told(time, key[2], int(words[5]), words[6]))
        elif what == "begun":
            self.begun[words[2]] = int(words[4])
        elif what == "over":
            self.over.add(key[:2])
        elif what in ("lost", "fault"):
            self.complaints.append(f"{what}: {' '.join(words[2:])}")
        elif what == "done":
            self.ends += 1
        elif what == "not-done":
            self.complaints.append("a fleet's commands or matches came to no end")

    def accepted(self):
        return {key: outcome for key, outcome in self.outcomes.items() if outcome.word == "accepted"}


class Journal:
    """The engine's journal, read as a stranger would: without the code that wrote it."""

    def __init__(self, path):
        self.acts = collections.defaultdict(dict)
        base = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        for row in base.execute("SELECT match_id, number, epoch, actor, session, request, chain_before, "
                                "chain, command, body FROM acts ORDER BY match_id, number"):
            act = Act(*row[1:8], bytes(row[8] or b""), bytes(row[9] or b""))
            self.acts[row[0].hex()][act.number] = act
        self.results = {row[0].hex(): row[1] for row in base.execute("SELECT match_id, acts FROM results")}
        self.ids = [row[0].hex() for row in base.execute("SELECT match_id FROM matches")]
        base.close()


class SharedJournal:
    """The same, of a database: read by PostgreSQL's own psql."""

    def __init__(self, server):
        """`server`: database.Server."""
        self.acts = collections.defaultdict(dict)
        for row in server.ask("SELECT encode(match_id, 'hex'), number, epoch, actor, session, request, encode(chain_before, 'hex'), "
                              "encode(chain, 'hex'), encode(command, 'hex'), encode(body, 'hex') FROM journal.acts"):
            numbers = [int(cell) if cell else None for cell in row[1:6]]
            self.acts[row[0]][numbers[0]] = Act(*numbers, *map(bytes.fromhex, row[6:10]))
        self.results = {row[0]: int(row[1])
                        for row in server.ask("SELECT encode(match_id, 'hex'), acts FROM journal.results")}
        self.ids = [row[0] for row in server.ask("SELECT encode(match_id, 'hex') FROM journal.matches")]


def streams_are_whole(journal):
    """Acts 1..n, each chained to the one before; a request at most once."""
    for match, acts in journal.acts.items():
        if sorted(acts) != list(range(1, len(acts) + 1)):
            yield f"the journal's acts of {match} have a gap"
            continue
        for number in range(2, len(acts) + 1):
            if acts[number].chain_before != acts[number - 1].chain:
                yield f"act {number} of {match} is not chained to the one before"
        asked = collections.Counter((act.actor, act.session, act.request)
                                    for act in acts.values() if act.actor < 256)
        for request, times in asked.items():
            if times > 1:
                yield f"request {request} of {match} was played {times} times"


def accepted_is_kept(history, journal):
    """Each acknowledged command is an act of its seat, and an act is nobody else's."""
    owner = {}
    for key, outcome in history.accepted().items():
        match, seat, _ = key
        act = journal.acts.get(match, {}).get(outcome.act)
        if act is None:
            yield f"command {key} was acknowledged as act {outcome.act}, which the journal has not"
        elif act.actor != seat or act.command.hex() != history.plays[key].command:
            yield f"command {key} was acknowledged as act {outcome.act}, which is another one"
        if (match, outcome.act) in owner:
            yield f"act {outcome.act} of {match} was the answer to two commands"
        owner[match, outcome.act] = key


def nothing_else_is_played(history, journal):
    """Each act of a seat is a command that was acknowledged, or one that nobody knows about; once."""
    acknowledged = {(key[0], outcome.act) for key, outcome in history.accepted().items()}
    open_ones = collections.Counter(
        (key[0], key[1], play.command) for key, play in history.plays.items()
        if history.outcomes.get(key, Outcome(0, "unsure", 0)).word == "unsure")
    for match in history.begun:
        for act in journal.acts.get(match, {}).values():
            if act.actor >= 256 or (match, act.number) in acknowledged:
                continue
            key = (match, act.actor, act.command.hex())
            if open_ones[key] == 0:
                yield f"act {act.number} of {match} is nobody's command, or was played twice, or refused"
            open_ones[key] -= 1


def everybody_is_told(history, journal):
    """Each seat hears acts 1, 2, 3 ... as they are in the journal, the last one too."""
    for match, seats in history.begun.items():
        acts = journal.acts.get(match, {})
        for seat in range(seats):
            told = history.told.get((match, seat), [])
            if [act.number for act in told] != list(range(1, len(told) + 1)):
                yield f"seat {seat} of {match} was not told acts in order, once each"
            for act in told:
                kept = acts.get(act.number)
                if kept is None or kept.actor != act.actor or hashlib.sha256(kept.body).hexdigest() != act.hash:
                    yield f"seat {seat} of {match} was told another act {act.number} than was kept"
            if len(told) != len(acts):
                yield f"seat {seat} of {match} was told {len(told)} of {len(acts)} acts"


def everything_ends(history, journal):
    """After the faults every command was answered and every match is over, for all its seats."""
    for match in journal.ids:
        if match not in history.begun:
            yield f"{match} was begun, but none of its players knows"
    for key in history.plays:
        if key not in history.outcomes:
            yield f"command {key} was never answered"
    for match, seats in history.begun.items():
        for seat in range(seats):
            if (match, seat) not in history.over:
                yield f"seat {seat} of {match} never heard its end"
        if journal.results.get(match) != len(journal.acts.get(match, {})):
            yield f"the result of {match} is missing, or not that of its last act"


def findings(history, journal):
    found = list(history.complaints)
    for promise in (streams_are_whole, nothing_else_is_played, everybody_is_told, everything_ends):
        found += promise(*((journal,) if promise is streams_are_whole else (history, journal)))
    return found + list(accepted_is_kept(history, journal))


def share(sorted_numbers, part):
    """The number below which this part of them lies."""
    return sorted_numbers[min(len(sorted_numbers) - 1, int(part * len(sorted_numbers)))] if sorted_numbers else None


def early_answers(history, unsynced_ms):
    """Commands sent, and acknowledged, while no sync succeeded: what they were told cannot have been kept."""
    early = [(history.plays[key].time - begun, outcome.time - begun)
             for key, outcome in history.accepted().items() for begun, end in unsynced_ms
             if begun <= history.plays[key].time and outcome.time < end]
    return [f"{len(early)} commands were acknowledged while nothing could be synced; "
            f"sent and answered, ms after syncs began to fail: {early[:8]}"] if early else []


def recoveries(history, journal, kills_ms, counted_ms):
    """Milliseconds from each counted killing of the engine until each match moved again, in a later epoch.

    A match counts if it was moving when it happened (an acknowledgement within the last two seconds, and
    since the killing before), and if the engine was not killed again before it moved: those are counted
    apart, as cut short."""
    moves = collections.defaultdict(list)
    for (match, _, _), outcome in history.accepted().items():
        act = journal.acts.get(match, {}).get(outcome.act)
        if act is not None:
            moves[match].append((outcome.time, act.epoch))
    waits, cut = [], 0
    for last, at, following in zip([0, *kills_ms], kills_ms, [*kills_ms[1:], float("inf")]):
        for moved in moves.values() if at in counted_ms else ():
            before = [epoch for time, epoch in moved if max(last, at - 2000) <= time <= at]
            after = [time for time, epoch in moved if before and time > at and epoch > max(before)]
            if after and min(after) < following:
                waits.append(min(after) - at)
            elif after:
                cut += 1
    return sorted(waits), cut


def pauses(history, journal, harms):
    """[(began_ms, over_ms, is_takeover)] in order -> milliseconds from each harm until the matches it hit moved again.

    A match was moving if somebody was acknowledged within the two seconds before, or was waiting still for the harm
    before. Of an engine's death (`is_takeover`) only those are hit whose next move is of a later epoch; other harms hit
    all, from when they are over. Who is hit again meanwhile is counted from the last harm before he moved."""
    moves = collections.defaultdict(list)
    for (match, _, _), outcome in history.accepted().items():
        act = journal.acts.get(match, {}).get(outcome.act)
        if act is not None:
            moves[match].append((outcome.time, act.epoch))
    waits = [[] for _ in harms]
    for moved in map(sorted, moves.values()):
        waits_still = False
        for i, (began, over, is_takeover) in enumerate(harms):
            before = [epoch for time, epoch in moved if time <= began]
            is_moving = waits_still or any(began - 2000 <= time <= began for time, _ in moved)
            after = [move for move in moved if move[0] > over + IN_FLIGHT_MS * is_takeover]
            waits_still = False
            if not is_moving or not after or (is_takeover and after[0][1] <= max(before)):
                continue
            waits_still = i + 1 < len(harms) and after[0][0] > harms[i + 1][0]
            if not waits_still:
                waits[i].append(after[0][0] - began)
    return [sorted(found) for found in waits]
