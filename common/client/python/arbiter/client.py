"""client.py: the core with ZeroMQ sockets and a clock around it."""
import time

import zmq
from zmq.utils.monitor import parse_monitor_message

from . import messages
from .core import Core
from .peers import STREAM
from .wire import NEWEST, NO_SEAT, key_bytes, keyed, read_key_file

MEND_MS = 250
TURNED_AWAY = (zmq.EVENT_HANDSHAKE_FAILED_AUTH | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL |
               zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL)
WATCHED = TURNED_AWAY | zmq.EVENT_DISCONNECTED
lobby = messages.lobby


def now_ms():
    return int(time.monotonic() * 1000)


class Client:
    """Takes part. Calls do not wait; they return the number that the answer's event repeats."""

    def __init__(self, lobby_requests, lobby_stream, lobby_key, key_file, name="python",
                 role=messages.directory.ROLE_CLIENT, protocol=NEWEST, own_bytes=None):
        """`own_bytes(match_id, seat, commitment)` makes a seat's 16 bytes for hosted dice; left out: they are made from our
        key. For the same three it must always make the same ones, also when the program has started anew."""
        _, self.public, self.secret = read_key_file(key_file)
        self.context = zmq.Context()
        self.sockets, self.poller = {}, zmq.Poller()
        self.doors, self.turned_away = {}, {}  # connection: (address, key, topics), (monitor, when).
        contributions = keyed(key_bytes(self.secret), 32, b"arbiter client contributions")
        self.core = Core(role, name, lobby_requests, lobby_stream, key_bytes(lobby_key), contributions,
                         protocol)
        self.core.own_bytes = own_bytes
        self.core.start(now_ms())
        self.perform()

    def close(self):
        for connection in list(self.sockets):
            self.disconnect(connection)
        self.context.term()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def events(self, timeout_ms=None):
        """Every event, in order; ends when there was none for so long (None: never)."""
        while True:
            event = self.next(timeout_ms)
            if event is None:
                return
            yield event

    def next(self, timeout_ms=None):
        end_ms = None if timeout_ms is None else now_ms() + timeout_ms
        while True:
            event = self.core.take(now_ms())
            if event is not None:
                return event
            self.core.tick(now_ms())
            self.perform()
            self.mend()
            left_ms = MEND_MS if end_ms is None else max(0, end_ms - now_ms())
            self.receive(min(left_ms, self.wait_ms()))
            if not self.core.told and end_ms is not None and now_ms() >= end_ms:
                return None

    def wait_ms(self):
        dues = [due.at_ms for due in self.core.dues()]
        return max(0, min([MEND_MS, *(at_ms - now_ms() for at_ms in dues)]))

    def receive(self, wait_ms):
        for socket, _ in self.poller.poll(wait_ms):
            connection = next((key for key, found in self.sockets.items() if found is socket), None)
            while connection in self.sockets:
                try:
                    frames = socket.recv_multipart(zmq.DONTWAIT)
                except zmq.Again:
                    break
                if len(frames) == 1:
                    self.core.hear(connection, frames[0], now_ms())
                    self.perform()

    def perform(self):
        effects, self.core.out[:] = list(self.core.out), []
        for effect in effects:
            getattr(self, effect[0])(*effect[1:])

    def mend(self):
        """libzmq never knocks again at a door that turned it away once, as one does that has just opened and
        does not know yet whom to admit. Then there is another socket, and it listens to the same topics. A connection
        that was lost it makes anew, and says nothing: the core is told."""
        for connection, (address, key, topics) in list(self.doors.items()):
            monitor, since_ms = self.turned_away[connection]
            was_cut = False
            while monitor.poll(0):
                event = parse_monitor_message(monitor.recv_multipart())["event"]
                if event & TURNED_AWAY:
                    since_ms = since_ms or now_ms()
                was_cut = was_cut or event == zmq.EVENT_DISCONNECTED
            self.turned_away[connection] = monitor, since_ms
            if was_cut:
                self.core.cut(connection, now_ms())
            if since_ms is not None and now_ms() - since_ms >= MEND_MS:
                self.connect(connection, address, key)
                for topic in topics:
                    self.listen(connection, topic)
                self.core.peers.is_mended(connection[0])
        self.perform()

    def connect(self, connection, address, key):
        self.disconnect(connection)
        socket = self.context.socket(zmq.SUB if connection[1] == STREAM else zmq.DEALER)
        socket.curve_publickey, socket.curve_secretkey = self.public, self.secret
        socket.curve_serverkey = zmq.utils.z85.encode(key)
        socket.linger = 0 if connection[1] == STREAM else 500
        socket.sndhwm = 0 if connection[1] == STREAM else 1000
        socket.sndtimeo = 0
        socket.rcvhwm = 0  # And no heartbeats of our own: see common/bus/options.c. The service asks us, and says how often.
        socket.connect_timeout = 2000
        socket.maxmsgsize = 48 + (64 << 10)
        self.turned_away[connection] = socket.get_monitor_socket(WATCHED), None
        self.doors[connection] = address, key, []
        socket.connect(address)
        self.sockets[connection] = socket
        self.poller.register(socket, zmq.POLLIN)

    def disconnect(self, connection):
        socket = self.sockets.pop(connection, None)
        if socket is not None:
            self.poller.unregister(socket)
            monitor, _ = self.turned_away.pop(connection)
            del self.doors[connection]
            socket.disable_monitor()
            monitor.close()
            socket.close()

    def send(self, connection, frame):
        try:
            if connection in self.sockets:
                self.sockets[connection].send(frame, zmq.DONTWAIT)
        except zmq.Again:
            pass  # What is not answered is said again.

    def listen(self, connection, topic):
        if connection in self.sockets:
            self.doors[connection][2].append(topic)
            self.sockets[connection].subscribe(topic)

    def unlisten(self, connection, topic):
        if connection in self.sockets and topic in self.doors[connection][2]:
            self.doors[connection][2].remove(topic)
            self.sockets[connection].unsubscribe(topic)

    # Before a match.

    def ask(self, **kind):
        """Anything lobby.proto has: ask(rematch=lobby.Rematch(table=table))."""
        number = self.core.tables.add(lobby.Ask(**kind), now_ms())
        self.perform()
        return number

    def bind_name(self, name):
        return self.ask(bind_name=lobby.BindName(name=name))

    def list_tables(self, game=None):
        return self.ask(list_tables=lobby.ListTables(game=game))

    def create_table(self, game, **wishes):
        return self.ask(create_table=lobby.CreateTable(game=game, **wishes))

    def join_table(self, table=None, code=None, seat=None):
        return self.ask(join_table=lobby.JoinTable(table=table, code=code, seat=seat))

    def quick_play(self, game, setup_name=None):
        return self.ask(quick_play=lobby.QuickPlay(game=game, setup_name=setup_name))

    def rejoin(self):
        return self.ask(rejoin=lobby.Rejoin())

    def spectate(self, table=None, code=None):
        return self.ask(spectate=lobby.Spectate(table=table, code=code))

    def leave_table(self, table):
        return self.ask(leave_table=lobby.LeaveTable(table=table))

    def start_table(self, table):
        return self.ask(start_table=lobby.StartTable(table=table))

    def fill_with_bots(self, table, count=None, policy=None):
        return self.ask(fill_with_bots=lobby.FillWithBots(table=table, count=count, policy=policy))

    def chat(self, table, text):
        return self.ask(chat=lobby.Chat(table=table, text=text))

    def say(self, table, command):
        """A command of the game's registration: its Command, or its bytes."""
        return self.ask(say=lobby.Say(table=table, command=as_bytes(command)))

    # In a match.

    def attach(self, match_id, seat=NO_SEAT, code=""):
        self.core.attach(match_id, seat, code, now_ms())
        self.core.pump(now_ms())
        self.perform()

    def detach(self, match_id, seat=NO_SEAT):
        self.core.detach(match_id, seat)
        self.perform()

    def play(self, match_id, seat, command):
        """A game's Command, or its bytes. 0: another is under way, or the seat is not attached."""
        found = self.core.find(match_id, seat)
        number = found.play(as_bytes(command), now_ms()) if found else 0
        self.core.pump(now_ms())
        self.perform()
        return number

    def look(self, match_id, seat=NO_SEAT):
        """How does the match stand? A `view` event brings it, right behind the last act told. 0: not attached."""
        found = self.core.find(match_id, seat)
        if found is None or not found.next:
            return 0
        number = found.ask_look(now_ms())
        self.core.pump(now_ms())
        self.perform()
        return number

    def legal(self, match_id, seat, luck=None, best=False):
        """What may the seat do? A `legal` event brings it."""
        found = self.core.find(match_id, seat)
        if found is None or not found.next:
            return 0
        number = found.ask_legal(messages.engine.LegalAsk(luck=luck, best=best), now_ms())
        self.core.pump(now_ms())
        self.perform()
        return number


def as_bytes(command):
    return command if isinstance(command, bytes) else command.SerializeToString()


def commands(answer):
    """The patterns of a LegalAnswer: (kind, [values of each argument])."""
    at = 0
    while at < len(answer.patterns):
        kind, count = answer.patterns[at], answer.patterns[at + 1]
        args = []
        for i in range(count):
            first, size = answer.patterns[at + 2 + 2 * i], answer.patterns[at + 3 + 2 * i]
            args.append(list(answer.values[first:first + size]))
        at += 2 + 2 * count
        yield kind, args


def command(game, kind, args):
    """The Command of a game (`messages.game("dead")`) that a pattern's kind and one value for each argument mean."""
    wanted = game.Command()
    part = getattr(wanted, wanted.DESCRIPTOR.fields_by_number[kind].name)
    part.SetInParent()
    for field, value in zip(part.DESCRIPTOR.fields, args):
        setattr(part, field.name, bool(value) if field.cpp_type == field.CPPTYPE_BOOL else value)
    return wanted
