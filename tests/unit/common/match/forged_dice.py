"""forged_dice.py: forged histories of hosted dice: a genuine match of protocol 2, one thing changed, every check mended.

`python3 forged_dice.py` writes forged/*.match anew, and the genuine one beside them. All verifiers read these files:
the one in C and the one in Python (forged_test.py), and the browser's (services/gateway/web/tests/verify.test.ts).
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3] / "common/client/python"))

from arbiter import matchfile, messages, wire  # noqa: E402

FOLDER = HERE / "forged"
GENUINE = HERE / "nim-house-2.match"
SAYS = matchfile.SAYS
match, stream = matchfile.match, messages.stream
# Places of acts in the genuine match: seat 0 reveals its own bytes, seat 1 withholds a gateway's, seat 2 is a bot's.
COMMITTED, HASH_0, HASH_1, REVEAL_0, SILENT_1, BEGINS = range(6)
BYTES_1 = bytes([12, 13]) + bytes(14)  # What seat 1 announced and did not reveal.


class Forgery:
    def __init__(self):
        file = matchfile.File(GENUINE.read_bytes())
        self.header, self.contributions, self.seats = file.header, file.contributions, file.seats
        self.acts, self.end = file.acts, file.end

    def event(self, place):
        return stream.HouseEvent.FromString(self.acts[place].command)

    def say(self, place, **event):
        """The house says this in an act of its own, put in at this place; of nobody's request."""
        said = stream.HouseEvent(**event)
        act = match.Act(actor=SAYS, session=0, request=0, epoch=self.acts[max(0, place - 1)].epoch)
        self.acts.insert(place, act)
        self.put(place, said)

    def put(self, place, said):
        act = self.acts[place]
        act.command = said.SerializeToString()
        act.body = stream.ActBody(events=[stream.PublicEvent(house=said)]).SerializeToString()

    def drop(self, *places):
        self.acts = [act for place, act in enumerate(self.acts) if place not in places]

    def renumber(self):
        """Acts count from 1; who came to a seat later came so many acts later or sooner."""
        hands = [at for at, act in enumerate(self.acts) if act.actor == SAYS and
                 stream.HouseEvent.FromString(act.command).HasField("seat_changed")]
        for seat in self.seats:
            if seat.generation > 1:
                seat.since = hands[seat.generation - 2] + 2
        for at, act in enumerate(self.acts):
            act.number = at + 1
        self.end.acts = len(self.acts)

    def mend(self):
        self.renumber()
        chain = matchfile.chain_begin(self.header)
        for act in self.acts:
            hashed = wire.keyed(self.end.sealing_secret, 32, b"arbiter command", act.command)
            chain = wire.chain_next(chain, stream.Act(number=act.number, actor=act.actor, command_hash=hashed,
                                                      body=act.body))
            act.chain = chain
        self.end.chain = chain

    def write(self):
        records = [match.Record(header=self.header), *(match.Record(contribution=one) for one in self.contributions),
                   *(match.Record(seat=one) for one in self.seats), *(match.Record(act=one) for one in self.acts),
                   match.Record(end=self.end)]
        data = matchfile.MAGIC
        for record in records:
            body = record.SerializeToString()
            size = len(body).to_bytes(4, "big")
            data += size + wire.sha256(size, body)[:8] + body
        return data


def early_reveal(forgery):
    """Seat 0 shows its bytes before seat 1 has announced its own."""
    forgery.acts[HASH_1], forgery.acts[REVEAL_0] = forgery.acts[REVEAL_0], forgery.acts[HASH_1]


def replaced_bytes(forgery):
    """Seat 0 shows other bytes than it announced."""
    said = forgery.event(REVEAL_0)
    said.bytes_revealed.revealed = forgery.contributions[0].revealed = bytes([99]) + bytes(15)
    forgery.put(REVEAL_0, said)


def replaced_record(forgery):
    """The record has other bytes than the acts, with their hash."""
    forgery.contributions[0].revealed = bytes([99]) + bytes(15)
    forgery.contributions[0].hash = wire.sha256(forgery.contributions[0].revealed)


def left_out_of_the_header(forgery):
    del forgery.header.contributors[1]


def left_out_of_the_question(forgery):
    said = forgery.event(COMMITTED)
    del said.dice_committed.seats[1]
    forgery.put(COMMITTED, said)
    forgery.drop(HASH_1, SILENT_1)
    del forgery.contributions[1]


def left_out_everywhere(forgery):
    left_out_of_the_header(forgery)
    left_out_of_the_question(forgery)


def nobody_asked(forgery):
    """The dice are the house's alone."""
    forgery.drop(COMMITTED, HASH_0, HASH_1, REVEAL_0, SILENT_1)
    del forgery.contributions[:]


def repeated_reveal(forgery):
    forgery.say(REVEAL_0 + 1, bytes_revealed=forgery.event(REVEAL_0).bytes_revealed)


def repeated_hash(forgery):
    forgery.say(HASH_0 + 1, hash_posted=forgery.event(HASH_0).hash_posted)


def repeated_record(forgery):
    forgery.contributions.insert(0, forgery.contributions[0])


def repeated_commitment(forgery):
    forgery.say(COMMITTED + 1, dice_committed=forgery.event(COMMITTED).dice_committed)


def added_to_the_header(forgery):
    forgery.header.contributors.add(seat=2, origin=messages.envelope.ORIGIN_HOUSE)


def added_everywhere(forgery):
    """A program of the house's chooses bytes, too."""
    added_to_the_header(forgery)
    said = forgery.event(COMMITTED)
    said.dice_committed.seats.append(2)
    forgery.put(COMMITTED, said)
    forgery.say(HASH_1 + 1, seat_silent=stream.SeatSilent(seat=2))
    forgery.contributions.append(match.Contribution(seat=2))


def wrong_commitment(forgery):
    said = forgery.event(COMMITTED)
    said.dice_committed.commitment = forgery.header.commitment = wire.sha256(b"another secret")
    forgery.put(COMMITTED, said)


def wrong_commitment_in_the_act(forgery):
    said = forgery.event(COMMITTED)
    said.dice_committed.commitment = wire.sha256(b"another secret")
    forgery.put(COMMITTED, said)


def wrong_secret(forgery):
    forgery.end.dice_secret = bytes([7, 7]) + bytes(30)
    body = stream.ActBody.FromString(forgery.acts[-1].body)
    for event in body.events:
        if event.house.HasField("secrets_shown"):
            event.house.secrets_shown.dice_secret = forgery.end.dice_secret
    forgery.acts[-1].body = body.SerializeToString()


def reveal_without_hash(forgery):
    """Seat 1 is silent at first, and shows bytes when it has seen those of seat 0."""
    forgery.drop(HASH_1, SILENT_1)
    forgery.say(HASH_1, seat_silent=stream.SeatSilent(seat=1))
    forgery.say(REVEAL_0 + 1, bytes_revealed=stream.BytesRevealed(seat=1, revealed=BYTES_1))
    forgery.contributions[1].ClearField("hash")


def silent_seat_revealed(forgery):
    forgery.say(SILENT_1 + 1, bytes_revealed=stream.BytesRevealed(seat=1, revealed=BYTES_1))
    forgery.contributions[1].revealed = BYTES_1


def withholding_hidden(forgery):
    """The record says that seat 1 never announced anything."""
    forgery.contributions[1].ClearField("hash")


def withholding_left_out(forgery):
    del forgery.contributions[1]


def silence_left_out(forgery):
    """The match begins while seat 1 is awaited."""
    forgery.drop(SILENT_1)


def reveal_behind_the_start(forgery):
    act = forgery.acts.pop(SILENT_1)
    forgery.acts.insert(BEGINS, act)


def origin_left_out(forgery):
    forgery.header.contributors[1].ClearField("origin")


def contributors_of_protocol_1(forgery):
    forgery.header.protocol = 1


def seats_in_another_order(forgery):
    first, second = forgery.header.contributors[0], forgery.header.contributors[1]
    first.seat, second.seat = 1, 0


# Bound by the chain alone: forged without a new one.

def origin_changed(forgery):
    forgery.header.contributors[1].origin = messages.envelope.ORIGIN_OWN


def protocol_lowered(forgery):
    forgery.header.protocol = 1
    del forgery.header.contributors[:]


CHAINED = (origin_changed, protocol_lowered)
MENDED = (early_reveal, replaced_bytes, replaced_record, left_out_of_the_header, left_out_of_the_question,
          left_out_everywhere, nobody_asked, repeated_reveal, repeated_hash, repeated_record, repeated_commitment,
          added_to_the_header, added_everywhere, wrong_commitment, wrong_commitment_in_the_act, wrong_secret,
          reveal_without_hash, silent_seat_revealed, withholding_hidden, withholding_left_out, silence_left_out,
          reveal_behind_the_start, origin_left_out, contributors_of_protocol_1, seats_in_another_order)


def forged():
    """(name, bytes) of each."""
    for forge in (*MENDED, *CHAINED):
        forgery = Forgery()
        forge(forgery)
        if forge in MENDED:
            forgery.mend()
        yield forge.__name__.replace("_", "-"), forgery.write()


def main():
    for name, data in forged():
        (FOLDER / f"{name}.match").write_bytes(data)


if __name__ == "__main__":
    main()
