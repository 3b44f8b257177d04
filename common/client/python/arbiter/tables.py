"""tables.py: asks of the lobby, numbered, and the tables one sits at: their events in order."""
from . import messages
from .due import Due, QUIET_MAX_MS, QUIET_MS, is_for_later
from .event import Event
from .peers import LOBBY, REQUESTS
from .wire import Header, NO_SEAT

TAG_TABLE, TAG_SERIAL = 0x20000000, 0x0fffffff
HELD_MAX_MS = 30000  # An end that its match does not reach for so long is told nevertheless.


class Table:
    def __init__(self, table, last_event, serial, now_ms):
        """`serial`: answers about a table that was left are not for the one in its place."""
        self.table, self.next, self.serial = table, last_event + 1, serial
        self.code, self.match_id, self.is_watched = "", b"", False
        self.quiet_ms, self.held_ms = QUIET_MS, None
        self.ask = Due(now_ms + QUIET_MS)


class Tables:
    def __init__(self, core):
        self.core = core
        self.asks = []  # (number, lobby.Ask): the first one is under way.
        self.ask, self.request = Due(), 0
        self.asked = 0  # Times the ask was said and not put off: it may have been done.
        self.followed, self.serials = [], 0

    def add(self, ask, now_ms):
        self.core.numbers += 1
        self.asks.append((self.core.numbers, ask))
        self.tick(now_ms)
        return self.core.numbers

    def tick(self, now_ms):
        if not self.core.peers.list[LOBBY].welcome:
            return
        if self.asks and self.ask.at_ms is None:
            self.ask.now(now_ms)
            self.request += 1
            self.asked = 0
        if self.asks and self.ask.is_due(now_ms):
            self.core.send(LOBBY, REQUESTS, Header("LOBBY_ASK", request=self.request),
                           self.asks[0][1])
            self.asked += 1
            self.ask.again(now_ms)
        for table in self.followed:
            if table.ask.is_due(now_ms):
                self.core.send(LOBBY, REQUESTS, Header("TABLE_ASK", request=TAG_TABLE | table.serial),
                               messages.lobby.TableAsk(table=table.table, **{"from": table.next}))
                table.ask.again(now_ms)

    def welcome(self, message, now_ms):
        if self.ask.at_ms is None:
            self.request = max(self.request, message.request)
        else:  # It keeps its number: it may be the very one that was answered.
            self.ask.now(now_ms)
        for table in self.followed:
            table.ask.now(now_ms)

    def hear(self, header, message, now_ms):
        if header.kind == "LOBBY_ANSWER":
            self.answer(header, message, now_ms)
        elif header.kind == "TABLE_EVENT":
            self.event(message, now_ms)
        elif header.kind == "TABLE_ANSWER":
            self.table_answer(header, message, now_ms)
        elif header.kind == "REFUSED":
            self.refused(header, message, now_ms)

    def answer(self, header, message, now_ms):
        if self.ask.at_ms is None or header.request != self.request or self.core.is_full():
            return
        number, _ = self.asks.pop(0)
        self.ask.never()
        self.core.tell(Event("answer", message, request=number))
        if message.WhichOneof("kind") == "player":
            self.core.player = message.player.player
        elif message.WhichOneof("kind") == "table":
            self.look(message.table, True, now_ms)
        elif message.WhichOneof("kind") == "tables":
            for table in message.tables.tables:
                self.look(table, False, now_ms)

    def refused(self, header, message, now_ms):
        refusal = messages.REFUSALS[message.refusal]
        if header.request & TAG_TABLE:
            self.table_refused(self.asked_about(header), message, refusal, now_ms)
        elif self.ask.at_ms is None or header.request != self.request or self.core.is_full():
            return
        elif refusal == "GAP" and (message.request == self.request or
                                   self.asked <= 1 and message.request > self.request):
            # It cannot have been done, since another device's ask has its number, or it was never said before.
            self.request = message.request
            self.ask.never()
        elif is_for_later(refusal, message) and refusal != "FULL":
            self.asked = max(0, self.asked - 1)
            self.ask.again(now_ms, message)
        else:
            number, _ = self.asks.pop(0)
            self.ask.never()
            self.core.tell(Event("refused", message, request=number, refusal=refusal))

    def asked_about(self, header):
        return next((table for table in self.followed if table.serial == header.request & TAG_SERIAL), None)

    def table_refused(self, table, message, refusal, now_ms):
        if table is None:
            return
        if is_for_later(refusal, message) and refusal != "FULL":
            table.ask.again(now_ms, message)
        elif not self.core.is_full():
            self.core.tell(Event("table_lost", message, table.table, number=table.next - 1,
                                 refusal=refusal))
            self.followed.remove(table)

    def find(self, table):
        return next((found for found in self.followed if found.table == table), None)

    def is_ours(self, player):
        return self.core.player != b"" and player.player == self.core.player

    def look(self, shown, is_asked_for, now_ms):
        """A table as the lobby shows it; known ones are known better from their events."""
        table = self.find(shown.table)
        is_member = shown.watching or any(self.is_ours(seat.player) for seat in shown.seats)
        if table is None and (is_member or is_asked_for):
            self.serials = self.serials + 1 & TAG_SERIAL
            table = Table(shown.table, shown.last_event, self.serials, now_ms)
            self.followed.append(table)
        if table is None:
            return
        table.is_watched, table.code = shown.watching, shown.code or table.code
        if shown.phase == messages.lobby.Table.PHASE_PLAYING:
            self.take_seats(table, shown.match_id, shown.seats, now_ms)

    def take_seats(self, table, match_id, seats, now_ms):
        if len(match_id) != 16:
            return
        table.match_id = match_id
        for seat in seats:
            if self.is_ours(seat.player):
                self.take_seat(match_id, seat.seat, "", now_ms)
        if table.is_watched:
            self.take_seat(match_id, NO_SEAT, table.code, now_ms)

    def take_seat(self, match_id, seat, code, now_ms):
        """The lobby may say late that a match begins or goes on: what was told to its end is not told again."""
        if (match_id, seat) not in self.core.told_whole:
            self.core.attach(match_id, seat, code, now_ms)

    def is_held(self, table, event, now_ms):
        """A match's end waits for the match's last act."""
        if event.WhichOneof("kind") != "match_ended":
            return False
        match_id = event.match_ended.result.match_id
        table.held_ms = now_ms if table.held_ms is None else table.held_ms
        return (any(seat.match_id == match_id for seat in self.core.seats)
                and now_ms - table.held_ms < HELD_MAX_MS)

    def take_event(self, table, event, now_ms):
        if self.is_held(table, event, now_ms) or self.core.is_full():
            return False
        self.core.tell(Event("table", event, table.table, number=event.number))
        table.held_ms, table.next, table.quiet_ms = None, event.number + 1, QUIET_MS
        table.ask.now(now_ms, table.quiet_ms)
        kind = event.WhichOneof("kind")
        if kind == "match_begins":
            self.take_seats(table, event.match_begins.match_id, event.match_begins.seats, now_ms)
        elif kind == "seat_given" and self.is_ours(event.seat_given.player) and table.match_id:
            self.take_seat(table.match_id, event.seat_given.seat, "", now_ms)
        elif kind == "table_closed":
            self.followed.remove(table)
        return True

    def event(self, event, now_ms):
        table = self.find(event.table)
        if table is None or event.number < table.next:
            return
        if event.number > table.next:
            table.ask.now(now_ms)
        elif not self.take_event(table, event, now_ms):
            table.ask.again(now_ms)

    def table_answer(self, header, message, now_ms):
        table = self.asked_about(header)
        if table is None:
            return
        if message.HasField("table") and message.table.table == table.table:
            if not self.core.is_full():
                self.core.tell(Event("table_now", message.table, table.table,
                                     number=message.table.last_event))
                table.next = message.table.last_event + 1
                table.ask.now(now_ms, table.quiet_ms)
                self.look(message.table, True, now_ms)
            return
        for event in message.events:
            if event.table == table.table and event.number == table.next:
                if not self.take_event(table, event, now_ms):
                    return
        if message.last >= table.next:
            table.ask.now(now_ms)
        else:
            table.ask.now(now_ms, table.quiet_ms)
            table.quiet_ms = min(2 * table.quiet_ms, QUIET_MAX_MS)
