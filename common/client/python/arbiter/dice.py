"""dice.py: our part of hosted dice, and what the secrets shown at the end prove.

Only acts count, in the chain that is checked. An engine that says "all hashes are there" could lie, and choose a
colluding seat's bytes when it knows ours.
"""
from . import messages
from .command import Command
from .event import Event
from .wire import FIRST, NO_SEAT, keyed, number, seat_key, sha256

ROUND = messages.engine.DiceRound
CLIENT = messages.directory.ROLE_CLIENT
SIZE = 16  # Bytes that each seat gives.
HASH_SIZE = 32


class Dice:
    def __init__(self, seat):
        self.seat, self.step = seat, 0
        self.awaited, self.pending = set(), set()
        self.is_posted = self.is_revealed = False
        self.commitment = b""
        self.contributors = None  # Seats that the header names; not known yet, or it does not say.
        self.is_older = False
        self.behind = 0  # Up to this act we must have heard the round before we say anything.

    def ours(self):
        """Nobody can foresee it, and we can make it again after a restart; an aborted match's id does not bring it
        again, for the commitment is in it."""
        if self.seat.core.own_bytes is not None:
            made = self.seat.core.own_bytes(self.seat.match_id, self.seat.seat, self.commitment)
            if len(made) != SIZE:
                raise ValueError(f"own_bytes must return {SIZE} bytes, and returned {len(made)}")
            return made
        commitment = b"" if self.is_older else self.commitment
        return keyed(self.seat.core.secret, SIZE, b"arbiter contribution", self.seat.match_id,
                     number(self.seat.seat, 4), commitment)

    def is_our_hash(self, act, posted):
        """A build of before made its bytes without the commitment; a round that it began, before we attached, is played
        to its end with those."""
        for self.is_older in (False, True) if act <= self.behind else (False,):
            if posted == sha256(self.ours()):
                return True
        self.is_older = False
        return False

    def bound(self, commitment, act):
        """The house is bound once. Whoever shows two commitments could choose the one that suits it."""
        if self.commitment and commitment and self.commitment != commitment:
            self.seat.find_fault("dice", act)
        self.commitment = self.commitment or commitment

    def named(self, message):
        """The header says who contributes, and whose bytes they are. A player's own program makes its own. A header that
        says otherwise of it is false, whoever believes it. The first holder is meant, and a bot of the house's gives none."""
        match, seat = message.match, self.seat
        if match.protocol <= FIRST or not match.commitment:
            return
        origins = {one.seat: one.origin for one in match.contributors}
        self.contributors = set(origins)
        is_ours = seat.core.peers.role == CLIENT and seat.seat != NO_SEAT and message.generation <= 1
        if is_ours and origins.get(seat.seat) != messages.envelope.ORIGIN_OWN:
            seat.find_fault("dice", message.number)

    def attached(self, message):
        self.bound(message.match.commitment, message.number)
        self.named(message)
        if message.HasField("dice"):
            self.behind = max(self.behind, message.number)

    def is_trusted(self):
        """All acts that the engine spoke of are here, and nothing that it did was found to be a lie."""
        return self.seat.next > self.behind and not self.seat.faults & {"fork", "dice"}

    def tick(self, now_ms):
        seat = self.seat
        if seat.command is not None or not self.is_trusted() or seat.seat not in self.awaited:
            return
        self.awaited.discard(seat.seat)
        if self.step == ROUND.STEP_HASHES:
            seat.command = Command(seat, "hash", sha256(self.ours()), 0, now_ms)
        elif self.step == ROUND.STEP_REVEALS:
            seat.command = Command(seat, "reveal", self.ours(), 0, now_ms)

    def committed(self, act, said):
        """The round opens, once: a second opening would ask for bytes that somebody has seen. It opens with a commitment,
        or the house would not be bound when it knows our bytes."""
        self.bound(said.commitment, act)
        if self.step or len(said.commitment) != HASH_SIZE:
            self.seat.find_fault("dice", act)
            return
        self.step = ROUND.STEP_HASHES
        if self.contributors is not None and self.contributors != set(said.seats):  # Somebody is left out, or put in.
            self.seat.find_fault("dice", act)
        self.awaited, self.pending = set(said.seats), set(said.seats)

    def posted(self, act, said):
        self.awaited.discard(self.seat.seat)  # Perhaps another device was first.
        self.is_posted = self.is_our_hash(act, said.hash)
        # What stands there since before our time may be an earlier holder's.
        if not self.is_posted and not (act <= self.behind and self.seat.generation > 1):
            self.seat.find_fault("dice", act)

    def answered(self, seat):
        self.pending.discard(seat)
        if self.step == ROUND.STEP_HASHES and not self.pending:
            self.step = ROUND.STEP_REVEALS
            self.awaited = {self.seat.seat} if self.is_posted else set()

    def hear(self, act, event):
        kind = event.WhichOneof("kind")
        said = getattr(event, kind) if kind else None
        is_ours = kind and self.seat.seat != NO_SEAT and getattr(said, "seat", None) == self.seat.seat
        if kind == "dice_committed":
            self.committed(act, said)
        elif kind == "hash_posted" and self.step:  # Who watches may have come in the middle.
            # A second hash, or a stranger's, would be chosen by somebody who knows the others' bytes.
            if self.step != ROUND.STEP_HASHES or said.seat not in self.pending or len(said.hash) != HASH_SIZE:
                self.seat.find_fault("dice", act)
                return
            if is_ours:
                self.posted(act, said)
            self.answered(said.seat)
        elif kind == "bytes_revealed" and is_ours:
            if said.revealed != self.ours():
                self.seat.find_fault("dice", act)
                return
            self.is_revealed, self.awaited = True, set()
            self.seat.core.tell(Event("dice", match_id=self.seat.match_id, seat=self.seat.seat,
                                      number=act))
        elif kind == "seat_silent":
            if is_ours:
                self.seat.find_fault("dice", act)
            self.answered(said.seat)
        elif kind == "secrets_shown":
            self.shown(act, said)

    def shown(self, act, said):
        seat = self.seat
        seat.last = act
        if said.sealing_secret and seat.keys:
            generation = max(seat.keys)
            if seat_key(said.sealing_secret, seat.seat, generation) == seat.keys[generation]:
                seat.proof.add("seals")
            else:
                seat.find_fault("secrets", act)
        if self.commitment:
            if sha256(said.dice_secret) == self.commitment:
                seat.proof |= {"dice"} | ({"own_bytes"} if self.is_revealed else set())
            else:
                seat.find_fault("secrets", act)
