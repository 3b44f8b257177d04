"""matchfile.py: judges a finished match's file with nothing of the server: checks, chain, dice, boxes, end.

It plays no move again, for it has no rules: `arbiter verify` does. What it finds it was not told how to find: it was
written from proto/README.md alone. `python3 -m arbiter.matchfile FILE...` judges files, and says of each seat who made
its bytes for the dice.
"""
import hmac
import importlib
import sys

from . import messages, wire

match = importlib.import_module("match_pb2")
stream, envelope = messages.stream, messages.envelope

MAGIC = b"arbiter match 1\n"
RECORD_MOST = 4 << 20
ORDER = ("header", "contribution", "seat", "act", "end")
START, SAYS = 256, 260
DICE = ("dice_committed", "hash_posted", "bytes_revealed", "seat_silent")
WHOSE = {envelope.ORIGIN_OWN: "its own", envelope.ORIGIN_GATEWAY: "a gateway's", envelope.ORIGIN_HOUSE: "the house's"}


class Forged(Exception):
    """What is wrong, as a sentence."""


def hold(is_so, sentence):
    if not is_so:
        raise Forged(sentence)


def parse(kind, data, where):
    try:
        return kind.FromString(data)
    except Exception:  # What protobuf raises depends on which of its implementations is there.
        raise Forged(f"{where}: this cannot be read") from None


# Records.

def records_of(data):
    hold(data.startswith(MAGIC), "this is no match file")
    at = len(MAGIC)
    while at < len(data):
        size = int.from_bytes(data[at:at + 4], "big")
        body = data[at + 12:at + 12 + size]
        hold(0 < size <= RECORD_MOST and len(body) == size, f"byte {at}: the file is cut")
        hold(wire.sha256(data[at:at + 4], body)[:8] == data[at + 4:at + 12], f"byte {at}: a record is damaged")
        record, bare = (parse(match.Record, body, f"byte {at}") for _ in range(2))
        bare.DiscardUnknownFields()
        hold(bare.SerializeToString() == body, f"byte {at}: a record is spelled otherwise than it is written")
        yield record
        at += 12 + size


class File:
    def __init__(self, data):
        self.contributions, self.seats, self.acts, self.header, self.end = [], [], [], None, None
        before = -1
        for record in records_of(data):
            kind = record.WhichOneof("kind")
            hold(kind is not None, "a record says nothing")
            place = ORDER.index(kind)
            hold(place > before or place == before and kind not in ("header", "end"), "records stand in the wrong order")
            hold(before >= 0 or kind == "header", "the header is missing")
            before = place
            if kind in ("header", "end"):
                setattr(self, kind, getattr(record, kind))
            else:
                getattr(self, kind + "s").append(getattr(record, kind))
        hold(self.end is not None, "there is no end, and the secrets come with it")
        self.is_hosted = self.header.dice == "chacha"
        self.origins = {one.seat: one.origin for one in self.header.contributors}


# The chain.

def chain_begin(header):
    bound = header.commitment if header.HasField("commitment") else header.seed.to_bytes(8, "big", signed=True)
    numbers = b"".join(wire.number(one, 4) for one in (header.protocol, header.rules_version, header.seats))
    fields = [b"arbiter match", header.match_id, numbers, header.game.encode(), header.setup.encode(),
              header.options.encode(), header.dice.encode(), bound]
    if header.protocol >= 2:
        fields.append(b"".join(bytes([one.seat, one.origin]) for one in header.contributors))
    return wire.sha256(*(wire.number(len(field), 8) + field for field in fields))


def walk_chain(file):
    chain, secret, epoch = chain_begin(file.header), file.end.sealing_secret, 1
    hold(len(secret) == 32, "the sealing secret is none")
    for at, act in enumerate(file.acts):
        hold(act.number == at + 1, f"act {at + 1} is missing")
        hold(act.epoch >= epoch, f"act {act.number}: its epoch is lower than the one before")
        epoch = act.epoch
        hashed = wire.keyed(secret, 32, b"arbiter command", act.command)
        chain = wire.chain_next(chain, stream.Act(number=act.number, actor=act.actor, command_hash=hashed, body=act.body))
        hold(chain == act.chain, f"act {act.number}: its chain is not what its bytes make")
    hold(file.end.acts == len(file.acts), "the end counts other acts than there are")
    hold(chain == file.end.chain, "the end names another last chain")
    return chain


# The header, and who held the seats.

def judge_header(header):
    hold(header.protocol in (1, 2), f"it is of version {header.protocol} of the protocol; 1 and 2 are read here")
    hold(1 <= header.seats <= 16 and len(header.match_id) == 16, "the header is none")
    is_hosted = header.dice == "chacha"
    hold(header.HasField("commitment") == is_hosted and header.HasField("seed") != is_hosted,
         "hosted dice have a commitment, open ones a seed")
    seats = [one.seat for one in header.contributors]
    hold(not seats or header.protocol >= 2 and is_hosted, "nobody contributes to such dice")
    hold(seats == sorted(set(seats)) and all(seat < header.seats for seat in seats),
         "contributors do not stand in order of seats")
    hold(all(one.origin in WHOSE for one in header.contributors), "a contributor's bytes are nobody's")


def judge_holders(file):
    first = {one.seat: one for one in file.seats if one.generation == 1}
    hold(sorted(first) == list(range(file.header.seats)), "not every seat has a first holder")
    if file.header.protocol < 2 or not file.is_hosted:
        return
    for seat, holder in first.items():
        hold(holder.bot != (seat in file.origins),
             f"seat {seat}: the contributors are not the seats that began without a bot")


# Dice.

class Dice:
    """What acts tell of contributions, judged in the order in which they tell it."""

    def __init__(self, file):
        self.file, self.asked, self.awaited = file, None, set()
        self.posted, self.revealed, self.silent = {}, {}, set()
        self.is_revealing = self.has_begun = False

    def turn(self):
        if not self.awaited and not self.is_revealing:
            self.is_revealing, self.awaited = True, set(self.posted)

    def dice_committed(self, said):
        seats, header = list(said.seats), self.file.header
        hold(self.asked is None, "the house commits itself twice")
        hold(said.commitment == header.commitment, "the house commits itself to another secret than in the header")
        hold(seats == sorted(set(seats)) and all(seat < header.seats for seat in seats), "it asks seats that are none")
        hold(header.protocol < 2 or set(seats) == set(self.file.origins), "it asks other seats than the header names")
        self.asked, self.awaited = set(seats), set(seats)

    def hash_posted(self, said):
        hold(not self.is_revealing and said.seat in self.awaited, f"seat {said.seat}: nobody awaits this hash")
        hold(len(said.hash) == 32, f"seat {said.seat}: its hash is none")
        self.posted[said.seat] = said.hash
        self.awaited.discard(said.seat)

    def bytes_revealed(self, said):
        hold(self.is_revealing, f"seat {said.seat}: it reveals before all hashes are there")
        hold(said.seat in self.posted, f"seat {said.seat}: it reveals without a hash")
        hold(said.seat in self.awaited, f"seat {said.seat}: nobody awaits its bytes any more")
        hold(len(said.revealed) == 16 and wire.sha256(said.revealed) == self.posted[said.seat],
             f"seat {said.seat}: its bytes do not make its hash")
        self.revealed[said.seat] = said.revealed
        self.awaited.discard(said.seat)

    def seat_silent(self, said):
        hold(said.seat in self.awaited, f"seat {said.seat}: nobody awaits anything of it")
        self.silent.add(said.seat)
        self.awaited.discard(said.seat)

    def hear(self, act):
        event = parse(stream.HouseEvent, act.command, f"act {act.number}")
        kind = event.WhichOneof("kind")
        if kind not in DICE:
            return
        hold(self.file.is_hosted and not self.has_begun, "no dice are made here")
        hold(kind == "dice_committed" or self.asked is not None, "nobody was asked for dice yet")
        getattr(self, kind)(getattr(event, kind))
        self.turn()

    def start(self):
        self.has_begun = True
        is_made = self.is_revealing and not self.awaited
        hold(not self.file.is_hosted or is_made or self.asked is None and self.file.header.protocol < 2,
             "the match begins before its dice are made")


def told_of_dice(file):
    told = Dice(file)
    for act in file.acts:
        if act.actor == SAYS:
            events = parse(stream.ActBody, act.body, f"act {act.number}").events
            hold(events and events[0].HasField("house") and events[0].house.SerializeToString() == act.command,
                 f"act {act.number}: the house said something else than its command")
            told.hear(act)
        elif act.actor == START:
            told.start()
    return told


def judge_dice(file):
    told, secret, before = told_of_dice(file), file.end.dice_secret, -1
    if not file.is_hosted:
        hold(not file.contributions and not file.end.HasField("dice_secret"), "open dice have no contributions")
        return told
    hold(wire.sha256(secret) == file.header.commitment, "the secret is not the one the house was committed to")
    for one in file.contributions:
        hold(one.seat > before, f"seat {one.seat}: its contribution stands twice, or in the wrong place")
        before = one.seat
        hold(one.hash == told.posted.get(one.seat, b""), f"seat {one.seat}: the acts told another hash")
        hold(one.revealed == told.revealed.get(one.seat, b""), f"seat {one.seat}: the acts told other bytes")
    hold({one.seat for one in file.contributions} == {*told.posted, *told.silent},
         "the contributions are not those that the acts tell of")
    return told


def dice_key(file, told):
    """What the dice were made of; only a build with the rules can throw them again."""
    shown = b"".join(told.revealed[seat] for seat in sorted(told.revealed))
    return hmac.digest(file.end.dice_secret, file.header.match_id + shown, "sha256")


# Boxes.

def generation_at(file, seat, number):
    return max(one.generation for one in file.seats if one.seat == seat and one.since <= number)


def judge_boxes(file):
    secret = file.end.sealing_secret
    for act in file.acts:
        body = parse(stream.ActBody, act.body, f"act {act.number}")
        hold(len(body.boxes) in (0, file.header.seats), f"act {act.number}: boxes for some seats only")
        for seat, box in enumerate(body.boxes):
            generation = generation_at(file, seat, act.number)
            text = wire.box_open(box, wire.seat_key(secret, seat, generation), file.header.match_id, act, seat, generation)
            hold(text is not None, f"act {act.number}: the box of seat {seat} does not open")
        for event in body.events:
            shown = event.house.secrets_shown if event.house.HasField("secrets_shown") else None
            hold(shown is None or (shown.sealing_secret, shown.dice_secret, act.number) ==
                 (secret, file.end.dice_secret, file.end.acts), f"act {act.number}: other secrets were shown, or too early")


# All of it.

def judge(data):
    """(file, what was told of dice, last chain); Forged says what is wrong."""
    file = File(data)
    judge_header(file.header)
    chain = walk_chain(file)
    judge_holders(file)
    told = judge_dice(file)
    judge_boxes(file)
    return file, told, chain


def bytes_of(file, told, seat):
    """Who made a seat's bytes for hosted dice, and what became of them."""
    if told.asked is None or seat not in told.asked:
        return "gives no bytes"
    whose = WHOSE[file.origins[seat]] if file.header.protocol >= 2 else WHOSE[envelope.ORIGIN_HOUSE]
    if seat in told.revealed:
        return f"{whose} bytes"
    return f"{whose} bytes, withheld" if seat in told.posted else f"{whose} bytes, never announced"


def main(paths):
    worst = 0
    for path in paths:
        with open(path, "rb") as opened:
            data = opened.read()
        try:
            file, told, chain = judge(data)
        except Forged as fault:
            print(f"{path}: does not hold: {fault}")
            worst = 1
            continue
        print(f"{path}: chain and dice hold: {file.header.game}, {file.end.acts} acts, chain {chain.hex()}")
        for seat in range(file.header.seats if file.is_hosted else 0):
            print(f"  seat {seat}: {bytes_of(file, told, seat)}")
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
