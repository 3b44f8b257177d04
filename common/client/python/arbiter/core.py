"""core.py: a player's side of the protocol without sockets and clocks: frames and time in, effects out.

`out` fills with ("send", connection, frame), ("connect", connection, address, key), ("disconnect",
connection), ("listen", connection, topic) and ("unlisten", connection, topic), to be performed in order;
a connection is (peer, door). `told` is what the caller has not taken yet. It is bounded: what has no room
is left out, and asked for again when there is some, since all of it can be.
"""
import collections

from . import messages
from .asking import TAG_HISTORY
from .event import Event
from .peers import LOBBY, Peers, REQUESTS, STREAM
from .seat import Seat
from .tables import Tables
from .wire import FIRST, NEWEST, slot_of, unpack

TOLD_MAX = 1000


class Core:
    def __init__(self, role, name, lobby, lobby_stream, lobby_key, secret, protocol=NEWEST):
        self.out, self.told = [], collections.deque()
        self.protocol = protocol  # The newest version that is spoken here.
        self.secret = secret  # Contributions to dice are made of it, ...
        self.own_bytes = None  # ... or by the caller: of match, seat and commitment, always the same 16 bytes.
        self.numbers, self.player = 0, b""
        self.engine_history_ms = 0  # No seat asks an engine's before this.
        self.epoch = {}
        self.seats = []
        self.told_whole = collections.deque(maxlen=64)  # (match, seat): told to its end, the last ones.
        self.was_full = False
        self.peers = Peers(self, role, name, {REQUESTS: lobby, STREAM: lobby_stream}, lobby_key)
        self.tables = Tables(self)

    def start(self, now_ms):
        self.peers.heard_ms = now_ms
        self.peers.open(LOBBY, now_ms)

    def speaks(self, place):
        """The newest version that both read."""
        return min(self.protocol, self.peers.list[place].protocol)

    def send(self, place, door, header, message):
        if door == REQUESTS and header.kind != "HELLO":  # That one everybody must be able to read.
            header.version = self.speaks(place)
        self.out.append(("send", (place, door), header.pack() + message.SerializeToString()))

    def is_full(self):
        if len(self.told) >= TOLD_MAX:
            self.was_full = True
        return self.was_full

    def tell(self, event):
        self.told.append(event)

    def take(self, now_ms):
        """The next event for the caller; None: nothing."""
        if self.told:
            return self.told.popleft()
        if self.was_full:
            self.was_full = False
            for due in self.dues():
                due.now(now_ms)
        return None

    def dues(self):
        found = [table.ask for table in self.tables.followed] + [self.tables.ask]
        for seat in self.seats:
            found += [seat.attaching, seat.fetch, seat.legal, seat.look]
            found += [seat.command.due] if seat.command else []
        return [due for due in found if due.at_ms is not None]

    def tick(self, now_ms):
        self.peers.tick(now_ms)
        self.pump(now_ms)

    def pump(self, now_ms):
        self.tables.tick(now_ms)
        for seat in list(self.seats):
            if seat in self.seats:
                seat.tick(now_ms)

    def hear(self, connection, frame, now_ms):
        unpacked = unpack(frame, self.protocol)
        if unpacked is None or connection[0] not in self.peers.list:
            return
        header, message = unpacked
        slot = slot_of(header.match_id)
        is_live = header.kind in ("ACT", "HEAD", "HISTORY_ANSWER")
        is_stale = is_live and header.epoch < self.epoch.get(slot, 0)
        if header.kind == "HISTORY_ANSWER" and header.epoch == 0:
            is_stale = False
        elif header.kind == "HISTORY_ANSWER" and is_stale:
            for seat in self.of_match(header.match_id):
                seat.is_behind = True
        self.epoch[slot] = max(self.epoch.get(slot, 0), header.epoch)
        if not is_stale:
            self.dispatch(connection[0], header, message, now_ms)
        self.pump(now_ms)

    def dispatch(self, place, header, message, now_ms):
        if header.kind in ("WELCOME", "DIRECTORY"):
            self.hear_peers(place, header.kind, message, now_ms)
        elif place == LOBBY:
            self.tables.hear(header, message, now_ms)
        elif header.kind in ("ACT", "HEAD", "HISTORY_ANSWER"):
            for seat in self.of_match(header.match_id):
                seat.heard_from(place, header.kind)
                {"ACT": seat.hear_act, "HEAD": seat.hear_head,
                 "HISTORY_ANSWER": seat.hear_history}[header.kind](message, now_ms)
        elif header.kind == "REFUSED" and header.request == TAG_HISTORY:
            for seat in self.of_match(header.match_id):
                seat.history_refused(place, message, now_ms)
        else:
            seat = self.find(header.match_id, header.seat)
            if seat is not None:
                seat.hear(header, message, now_ms)

    def hear_peers(self, place, kind, message, now_ms):
        peer = self.peers.list[place]
        is_news = kind == "WELCOME" and not peer.welcome
        peer.welcome = peer.welcome or kind == "WELCOME"
        peer.protocol = max(FIRST, message.protocol) if kind == "WELCOME" else peer.protocol
        if place == LOBBY:
            directory = message.directory if kind == "WELCOME" else message
            if kind == "DIRECTORY" or message.HasField("directory"):
                is_news = self.peers.take_directory(directory, now_ms) or is_news
            if kind == "WELCOME":
                self.player = message.player or self.player
                self.tables.welcome(message, now_ms)
                self.tell(Event("connected", message))
        if is_news:  # Who is there anew is asked at once what it still owes an answer to.
            for seat in self.seats:
                for due in [seat.attaching, seat.legal, seat.look] + ([seat.command.due] if seat.command else []):
                    if due.at_ms is not None:
                        due.now(now_ms)

    def cut(self, connection, now_ms):
        """This connection was lost: another is made, and what was said meanwhile does not come by it."""
        if connection[1] == STREAM:
            for seat in [seat for seat in self.seats if seat.fanout == connection[0]]:
                seat.cut(now_ms)
        self.pump(now_ms)

    def of_match(self, match_id):
        return [seat for seat in self.seats if seat.match_id == match_id]

    def find(self, match_id, seat):
        return next((found for found in self.seats
                     if (found.match_id, found.seat) == (match_id, seat)), None)

    def attach(self, match_id, seat, code, now_ms):
        if self.find(match_id, seat) is None:
            self.seats.append(Seat(self, match_id, seat, code, now_ms))

    def detach(self, match_id, seat):
        found = self.find(match_id, seat)
        if found is not None:
            found.close(detach=True)
