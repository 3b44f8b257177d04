"""command.py: the command under way: said until it is answered, and played at most once.

The engine answers a number it has seen with the answer it gave, so saying it again is safe. Is the session
gone, the acts up to the new session's view decide: one of our seat among them may have been this
command; without one it was not played, and is said in the new session.
"""
import os

from . import messages
from .due import ACT_WAIT_MS, Due, is_for_later
from .event import Event
from .peers import REQUESTS
from .wire import FIRST, Header


class Command:
    def __init__(self, seat, kind, body, number, now_ms):
        self.seat, self.kind, self.body, self.number = seat, kind, body, number
        self.id = os.urandom(16)   # Its name in every log.
        self.due = Due(now_ms)
        self.session = None        # It was said in this one, and may have been played in no other.
        self.sent_after = seat.next - 1
        self.seen = 0              # The first act of our seat since.
        self.doubt_until = None    # Its session is gone: acts up to this one decide.
        self.told_after = 0        # Accepted: told behind this act.
        self.reply = None

    def end(self, outcome, number, message=None, refusal=""):
        if self.kind == "play":
            if self.seat.core.is_full():
                return False
            self.seat.core.tell(Event("reply", message, match_id=self.seat.match_id,
                                      seat=self.seat.seat, number=number, request=self.number,
                                      outcome=outcome, refusal=refusal))
        self.seat.command = None
        return True

    def tick(self, now_ms):
        seat = self.seat
        if self.told_after:
            if seat.next > self.told_after:
                self.end("accepted", self.told_after, self.reply)
            return
        if seat.attaching.at_ms is not None:
            return
        if self.doubt_until is not None:
            if seat.next <= self.doubt_until:
                return
            if self.seen:
                self.end("unsure", self.seen)
                return
            self.doubt_until = self.session = None
            self.due.now(now_ms)
        if not self.due.is_due(now_ms):
            return
        engine = seat.engine()
        if engine is not None:
            newer = {"id": self.id} if seat.core.speaks(engine) > FIRST else {}
            seat.core.send(engine, REQUESTS, Header("COMMAND", seat.match_id, seat=seat.seat,
                                                    session=seat.session,
                                                    request=seat.answered + 1),
                           messages.engine.Command(**{self.kind: self.body}, **newer))
            self.session = seat.session
        self.due.again(now_ms)

    def in_session(self, session, number, now_ms):
        """A session was granted at act `number`."""
        if self.told_after:
            return
        self.due.now(now_ms)
        if self.kind == "play" and self.session is not None and self.session != session:
            self.doubt_until = number

    def saw_own(self, number):
        may_be = self.session is not None and number > self.sent_after
        if may_be and not self.seen and (self.doubt_until is None or number <= self.doubt_until):
            self.seen = number

    def is_for(self, header):
        return (not self.told_after and header.session == self.seat.session
                and header.request == self.seat.answered + 1)

    def hear_reply(self, header, message, now_ms):
        if not self.is_for(header) or self.doubt_until is not None:
            return
        if message.accepted and message.number > 0:
            self.told_after, self.reply = message.number, message
            self.seat.answered += 1
        elif self.end("not_accepted", message.number, message):
            self.seat.answered += 1
        self.seat.compare(message.number, message.chain)
        self.seat.heard_of(message.number, now_ms, ACT_WAIT_MS)

    def over(self, refusal):
        """The match is over and its sessions with it: what is known is said. False: no room now."""
        return self.end("unsure" if self.seen else "unfit", self.seen, refusal=refusal)

    def hear_refused(self, header, message, now_ms):
        if not self.is_for(header):
            return
        seat, refusal = self.seat, messages.REFUSALS[message.refusal]
        is_final = refusal in ("ATTACH_AGAIN", "GAP", "NOT_YOURS", "NO_SUCH_MATCH")
        if is_final and seat.last is not None and seat.next > seat.last:
            self.over(refusal)
        elif refusal in ("ATTACH_AGAIN", "GAP"):
            seat.attach_again(now_ms)
        elif refusal == "MALFORMED" or refusal == "TOO_MUCH" and not is_for_later(refusal, message):
            self.end("unfit", 0, message, refusal)
        elif refusal in ("NOT_YOURS", "BANNED", "NO_SUCH_MATCH"):
            seat.lose(message, refusal, now_ms)
        else:
            self.due.again(now_ms, message)
