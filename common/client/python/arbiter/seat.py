"""seat.py: one seat of one match, or one place to watch it from: its session, and its acts in order.

The stream is a hint. What is known to exist and was not told is asked for: at the fanout we listen to, at
the others, and now and then at the engine's own door (asking.py).
"""
from . import messages
from .acts import BadAct, happenings
from .asking import Asking, TAG_HISTORY
from .command import Command
from .dice import Dice
from .due import ACT_WAIT_MS, Due, QUIET_MAX_MS, QUIET_MS, RETRY_MS, is_for_later
from .event import Event
from .peers import FANOUT, REQUESTS, STREAM
from .wire import FIRST, Header, NO_SEAT, box_open, chain_next, slot_of, topic

TAG_ATTACH, TAG_LEGAL = 0x40000000, 0x80000000
# A match that has just begun may be known to its table before it is to its engine. Who says that it is not there can be
# reached, and is asked again within two seconds.
MISSING_MAX, MISSING_MAX_MS, MISSING_TRIES = 8, 15000, 2
CHAINS = 8


class Seat(Asking):
    def __init__(self, core, match_id, seat, code, now_ms):
        self.core, self.match_id, self.seat, self.code = core, match_id, seat, code
        self.attaching, self.missing, self.missing_ms = Due(now_ms), 0, 0
        self.attach_number, self.was_heard_of = 0, False
        self.session = self.answered = 0
        self.protocol = FIRST  # Of the match's acts; a fanout, which nobody greets, is asked in it.
        self.command, self.dice = None, Dice(self)
        self.legal, self.legal_ask, self.legal_number = Due(), None, 0
        self.look, self.look_number = Due(), 0
        self.next = self.known = 0
        self.told_from = 0  # Acts before this one are heard for the dice, and the caller is not told them.
        self.chains = {}   # Of the last acts.
        self.promised = (0, b"")  # The first act that was told of with its chain and is not there yet.
        self.fetch, self.quiet_ms = Due(), QUIET_MS
        self.fanout = None
        self.begin_asking()
        self.fanout_ms = self.chosen_ms = self.directory = 0
        self.keys, self.generation = {}, 0
        self.last, self.proof, self.faults = None, set(), set()
        self.game = None
        self.spread(now_ms)

    # What is said to the engine, and what it answers.

    def engine(self):
        return self.core.peers.engine_of(slot_of(self.match_id))

    def header(self, kind, **fields):
        return Header(kind, self.match_id, seat=self.seat, **fields)

    def attach_again(self, now_ms):
        if self.attaching.at_ms is None:
            self.attaching.now(now_ms)

    def tick(self, now_ms):
        self.spread(now_ms)
        engine = self.engine()
        is_attached = self.attaching.at_ms is None
        if self.attaching.is_due(now_ms):
            self.say_attach(engine, self.next == 0)
            self.attaching.again(now_ms)
        if is_attached and self.look.is_due(now_ms):  # Attaching again is how one looks again.
            self.say_attach(engine, True)
            self.look.again(now_ms)
        if is_attached and self.legal.is_due(now_ms):
            if engine is not None:
                self.core.send(engine, REQUESTS, self.header(
                    "LEGAL_ASK", session=self.session,
                    request=TAG_LEGAL | self.legal_number), self.legal_ask)
            self.legal.again(now_ms)
        self.dice.tick(now_ms)
        if self.command is not None:
            self.command.tick(now_ms)
        if (not self.finish() and self.next and self.fetch.is_due(now_ms)
                and not self.waits_for_engine(now_ms)):
            self.ask_history(now_ms)
            self.fetch.again(now_ms)

    def say_attach(self, engine, with_view):
        if engine is None:
            return
        attach = messages.engine.Attach(view=with_view)
        if self.session:
            attach.session = self.session
        if self.code:
            attach.code = self.code.encode()
        if self.core.speaks(engine) > FIRST and self.next > 1 and self.next - 1 in self.chains:  # Perhaps it was set back.
            attach.last, attach.last_chain = self.next - 1, self.chains[self.next - 1]
        self.attach_number, self.was_heard_of = (self.attach_number + 1) & 0xffff, self.known > 0
        self.core.send(engine, REQUESTS, self.header("ATTACH", request=TAG_ATTACH | self.attach_number), attach)

    def hear(self, header, message, now_ms):
        if header.kind == "ATTACHED":
            self.attached(message, now_ms)
        elif header.kind == "REPLY" and self.command is not None:
            self.command.hear_reply(header, message, now_ms)
        elif header.kind == "LEGAL_ANSWER":
            self.hear_legal(header, message, now_ms)
        elif header.kind == "CLOSED":
            self.closed(message, now_ms)
        elif header.kind == "REFUSED":
            self.refused(header, message, now_ms)

    def say_detach(self, session, request):
        engine = self.engine()
        if engine is not None and session:
            self.core.send(engine, REQUESTS, self.header("COMMAND", session=session, request=request),
                           messages.engine.Command(detach=True))

    def attached(self, message, now_ms):
        if self.attaching.at_ms is None:  # A second answer; its session is one too many.
            if message.session != self.session:
                self.say_detach(message.session, 1)
            self.looked(message, now_ms)
            return
        self.protocol = message.match.protocol or FIRST
        is_new = message.session != self.session
        is_asked_again = not is_new and self.command is not None and message.request > self.answered
        self.session = message.session
        self.answered = message.request - (1 if is_asked_again else 0)
        if self.command is not None:
            self.command.in_session(message.session, message.number, now_ms)
        if len(message.key) == 32 and self.seat != NO_SEAT:
            self.keys[message.generation] = message.key
            self.keys = {number: self.keys[number] for number in sorted(self.keys)[-2:]}
        if self.next == 0 and not self.begin(message, now_ms):
            return
        self.attaching.never()
        self.missing = 0
        if message.number + 1 < self.next:
            self.find_fault("rollback", self.next - 1)
        self.compare(message.number, message.chain)
        self.dice.attached(message)
        if message.over and message.number + 1 >= self.next:
            self.last = message.number
        self.heard_of(message.number, now_ms)

    def begin(self, message, now_ms):
        if self.core.is_full():
            return False
        self.game = messages.game(message.match.game)
        self.core.tell(Event("attached", message, match_id=self.match_id, seat=self.seat,
                             number=message.number, view=self.view_in(message)))
        self.next = self.told_from = message.number + 1
        self.known = max(self.known, message.number)
        if message.HasField("dice") and self.seat != NO_SEAT and message.number:
            self.next = 1  # How that round began: only acts count there.
            self.promised = message.number, message.chain
        else:
            self.chains[message.number] = message.chain
        self.generation = message.generation
        self.progressed(now_ms)
        return True

    def view_in(self, message):
        """None while dice are made, or if the game is not known here."""
        has_view = self.game is not None and message.HasField("view")
        return self.game.View.FromString(message.view) if has_view else None

    def ask_look(self, now_ms):
        self.core.numbers += 1
        self.look_number = self.core.numbers
        self.look.now(now_ms)
        return self.look_number

    def looked(self, message, now_ms):
        """Told is the view behind the last act that was told, or the caller would see things twice, or never:
        an older one is no news, and for a newer one its acts are waited for."""
        if self.look.at_ms is None or not message.HasField("view"):
            return
        if message.number + 1 != self.next:
            self.heard_of(message.number, now_ms, ACT_WAIT_MS)
            self.look.now(now_ms, ACT_WAIT_MS)
        elif not self.core.is_full():
            self.look.never()
            self.core.tell(Event("view", message, match_id=self.match_id, seat=self.seat, number=message.number,
                                 request=self.look_number, view=self.view_in(message)))

    def ask_legal(self, ask, now_ms):
        self.core.numbers += 1
        self.legal_number, self.legal_ask = self.core.numbers, ask
        self.legal.now(now_ms)
        return self.legal_number

    def hear_legal(self, header, message, now_ms):
        if self.legal.at_ms is None or header.request != TAG_LEGAL | self.legal_number:
            return
        if message.number >= self.next:  # Its act is to be told first; then it is asked for again.
            self.heard_of(message.number, now_ms, ACT_WAIT_MS)
            self.legal.now(now_ms, ACT_WAIT_MS)
        elif not self.core.is_full():
            self.legal.never()
            self.core.tell(Event("legal", message, match_id=self.match_id, seat=self.seat,
                                 number=message.number, request=self.legal_number))

    def closed(self, message, now_ms):
        why = messages.engine.Closed
        if not self.session or message.session != self.session:
            return
        if message.why in (why.WHY_NINTH, why.WHY_CHANGED, why.WHY_BANNED):
            self.lose(message, "", now_ms)
        elif message.why == why.WHY_OVER:  # Its last acts may be on their way still.
            if self.last is None:
                self.fetch.now(now_ms)
        else:
            self.attach_again(now_ms)

    def refused(self, header, message, now_ms):
        refusal = messages.REFUSALS[message.refusal]
        if header.request & TAG_LEGAL:
            if refusal == "ATTACH_AGAIN":
                self.attach_again(now_ms)
            self.legal_refused(header, message, refusal, now_ms)
        elif header.request & TAG_ATTACH:
            if self.attaching.at_ms is not None:
                self.attach_refused(header, message, refusal, now_ms)
            elif self.look.at_ms is not None:
                self.look_refused(message, refusal, now_ms)
        elif not header.request & TAG_HISTORY and self.command is not None:
            self.command.hear_refused(header, message, now_ms)

    def tell_refused(self, due, number, message, refusal):
        """A question of the seat will not be answered."""
        if not self.core.is_full():
            due.never()
            self.core.tell(Event("refused", message, match_id=self.match_id, seat=self.seat, request=number,
                                 refusal=refusal))

    def look_refused(self, message, refusal, now_ms):
        if is_for_later(refusal, message):
            self.look.again(now_ms, message)
        elif refusal == "TOO_MUCH":  # No reason to lose the seat: acts come without it.
            self.tell_refused(self.look, self.look_number, message, refusal)
        else:
            self.attach_again(now_ms)  # What will be refused again is for an attach to judge.

    def legal_refused(self, header, message, refusal, now_ms):
        if self.legal.at_ms is None or header.request != TAG_LEGAL | self.legal_number:
            return
        is_too_large = refusal == "TOO_MUCH" and not is_for_later(refusal, message)
        if refusal in ("NOT_YOURS", "MALFORMED") or is_too_large:
            self.tell_refused(self.legal, self.legal_number, message, refusal)
        else:
            self.legal.again(now_ms, message)

    def may_come(self, header, now_ms):
        """Its owner knows each match that goes on: one that had been heard of before he was asked is over long ago."""
        if not self.next and self.was_heard_of and header.request == TAG_ATTACH | self.attach_number:
            return False
        self.missing_ms = self.missing_ms if self.missing else now_ms
        self.missing += 1
        return self.missing < MISSING_MAX or now_ms - self.missing_ms < MISSING_MAX_MS

    def attach_refused(self, header, message, refusal, now_ms):
        if refusal == "ATTACH_AGAIN":  # The old session is not there any more: then a new one.
            self.session = 0
        is_missing = refusal == "NO_SUCH_MATCH" and self.may_come(header, now_ms)
        if is_missing:
            self.attaching.tries = min(self.attaching.tries, MISSING_TRIES)
        is_early = refusal == "VERSION" and header.version < self.core.protocol  # Its engine had not said what it reads.
        if is_for_later(refusal, message) or refusal == "ATTACH_AGAIN" or is_missing or is_early:
            self.attaching.again(now_ms, message)
        else:
            self.lose(message, refusal, now_ms)

    def lose(self, message, refusal, now_ms):
        if self.last is not None and self.next > self.last:  # Told to its end, it is over, and not lost.
            if self.command is None or self.command.over(refusal):
                self.attaching.never()
                return
        if self.core.is_full():
            self.attaching.now(now_ms, 1000)
            return
        request = self.command.number if self.command else 0
        self.core.tell(Event("lost", message, match_id=self.match_id, seat=self.seat, number=self.next - 1,
                             refusal=refusal, request=request))
        self.close()

    def close(self, detach=False):
        if detach:
            self.say_detach(self.session, self.answered + 1)
        self.core.seats.remove(self)
        self.unlisten()

    # The stream.

    def is_listening(self):
        peer = self.core.peers.list.get(self.fanout)
        return peer is not None and peer.role == FANOUT and peer.hello_ms == self.fanout_ms

    def is_shared(self):
        return any(other is not self and other.match_id == self.match_id
                   and other.fanout == self.fanout for other in self.core.seats)

    def spread(self, now_ms):
        """Listens somewhere, and elsewhere when one has come that is better for us."""
        peers, slot = self.core.peers, slot_of(self.match_id)
        if not self.is_listening():
            before = self.fanout
            self.listen(min(peers.fanouts(), key=lambda place: peers.rank(place, slot), default=None), now_ms)
            if before is not None:
                self.doubt(now_ms, self.fanout == before, ACT_WAIT_MS)
        elif self.directory != peers.directory:
            better = peers.better(self.fanout, slot, self.chosen_ms)
            if better is not None:
                self.listen(better, now_ms)
        self.directory = peers.directory

    def listen(self, fanout, now_ms):
        self.unlisten()
        if fanout is None:
            return
        self.fanout, self.chosen_ms = fanout, now_ms
        self.fanout_ms = self.core.peers.list[self.fanout].hello_ms
        if not self.is_shared():
            self.core.out.append(("listen", (self.fanout, STREAM), topic(self.match_id)))

    def unlisten(self):
        if self.fanout is not None and self.is_listening() and not self.is_shared():
            self.core.out.append(("unlisten", (self.fanout, STREAM), topic(self.match_id)))
        self.fanout = None

    def find_fault(self, fault, number):
        """Each kind of fault is told once for a seat; it would be found again with every frame."""
        if fault not in self.faults:
            self.faults.add(fault)
            self.core.tell(Event("fault", match_id=self.match_id, seat=self.seat, number=number,
                                 fault=fault))

    def compare(self, number, chain):
        """Another chain for an act we know, or were told of before it came, is a fork."""
        if not chain or not self.next:
            return
        if number >= self.next > self.promised[0]:
            self.promised = number, chain
        known = dict([self.promised]) if number >= self.next else self.chains
        if known.get(number, chain) != chain:
            self.find_fault("fork", number)

    def compare_act(self, act):
        """An act we were told already, once more: whether it is the same one."""
        if act.number > 0:
            self.compare(act.number - 1, act.chain_before)
            self.compare(act.number, chain_next(act.chain_before, act))

    def heard_of(self, number, now_ms, wait_ms=0):
        if number and not self.known and self.missing and self.attaching.at_ms is not None:
            self.attaching.now(now_ms)  # It has begun.
        self.known = max(self.known, number)
        is_missing = self.next and self.known >= self.next
        if is_missing and self.fetch.tries == 0 and (self.fetch.at_ms or 0) > now_ms + wait_ms:
            self.fetch.at_ms = now_ms + wait_ms

    def progressed(self, now_ms):
        self.quiet_ms, self.asked = RETRY_MS if self.is_cut else QUIET_MS, None
        self.fetch.now(now_ms, self.quiet_ms if self.known < self.next else 0)

    def hear_act(self, act, now_ms):
        if self.next and act.number == self.next:
            self.take(act, now_ms)
        elif not self.next or act.number > self.next:
            self.heard_of(act.number, now_ms)
        else:
            self.compare_act(act)

    def hear_head(self, head, now_ms):
        if head.over and head.number + 1 >= self.next:
            self.last = head.number
        self.compare(head.number, head.chain)
        self.heard_of(head.number, now_ms, ACT_WAIT_MS)

    def hear_history(self, answer, now_ms):
        if not self.next:
            return
        self.known = max(self.known, answer.last)
        is_progress = False
        for act in answer.acts:
            if act.number < self.next:
                self.compare_act(act)
            if act.number == self.next:
                if not self.take(act, now_ms):
                    return
                is_progress = True
        if not is_progress and self.known < self.next:  # All is told, and somebody has said so.
            self.asked = None
            self.fetch.now(now_ms, self.quiet_ms)
            self.quiet_ms = min(2 * self.quiet_ms, QUIET_MS if self.is_cut else QUIET_MAX_MS)

    def take(self, act, now_ms):
        """Tells an act that is the next one; whatever is wrong with it, another door is asked."""
        try:
            is_taken = self.take_good(act, now_ms)
        except BadAct:
            is_taken = False
        if is_taken:
            self.progressed(now_ms)
        else:
            self.heard_of(act.number, now_ms, ACT_WAIT_MS)
        return is_taken

    def opened(self, body, act):
        """The text of our box; None: we have none. The next attach brings a key we lack."""
        if self.seat == NO_SEAT or self.seat >= len(body.boxes):
            return None
        key = self.keys.get(self.generation)
        if key is None:
            raise BadAct("its key is not here yet")
        text = box_open(body.boxes[self.seat], key, self.match_id, act, self.seat, self.generation)
        if text is None:
            self.find_fault("box", act.number)
            raise BadAct("the box does not open")
        return text

    def take_good(self, act, now_ms):
        before = self.chains.get(act.number - 1)  # Nobody has shown us what came before act 1.
        if before != act.chain_before and (before or act.number > 1):
            self.find_fault("fork", act.number)
            return False
        if self.core.is_full():
            return False
        try:
            body = messages.stream.ActBody.FromString(act.body)
        except Exception as error:  # What protobuf raises depends on which of its kinds is there.
            raise BadAct(str(error)) from error
        is_told = act.number >= self.told_from
        told = happenings(body, *((self.seat, self.opened(body, act)) if is_told else (NO_SEAT, None)), self.game)
        self.chains[act.number] = chain_next(act.chain_before, act)
        self.chains.pop(act.number - CHAINS, None)
        self.next, self.known = act.number + 1, max(self.known, act.number)
        if self.promised[0] == act.number:
            self.compare(*self.promised)
        if is_told:
            self.core.tell(Event("act", body, match_id=self.match_id, seat=self.seat, number=act.number,
                                 actor=act.actor, happenings=told))
        if act.actor == self.seat and self.command is not None:
            self.command.saw_own(act.number)
        for happened in told:
            if happened.is_house:
                self.hear_house(act.number, happened.message, now_ms)
        return True

    def hear_house(self, act, event, now_ms):
        self.dice.hear(act, event)
        is_changed = event.WhichOneof("kind") == "seat_changed" and event.seat_changed.seat == self.seat
        if is_changed and event.seat_changed.generation > self.generation:
            self.generation = event.seat_changed.generation
            if self.generation not in self.keys:
                self.attach_again(now_ms)

    def finish(self):
        """The last act was told, and nothing of ours is under way: that was it."""
        if (self.last is None or not self.next or self.next <= self.last or self.command is not None
                or self.core.is_full()):
            return False
        self.core.tell(Event("over", match_id=self.match_id, seat=self.seat, number=self.last,
                             proof=frozenset(self.proof)))
        self.core.told_whole.append((self.match_id, self.seat))
        self.close()
        return True

    def play(self, body, now_ms):
        if self.command is not None or not self.next or self.seat == NO_SEAT:
            return 0
        self.core.numbers += 1
        self.command = Command(self, "play", body, self.core.numbers, now_ms)
        return self.core.numbers
