"""doors.py: the doors of engine and fanout by hand: raw frames, one socket each, nothing mended or believed."""
import time

import zmq

from arbiter import messages
from arbiter.wire import LAYOUT, NEWEST, Header, chain_next, read_key_file, topic, unpack

PATIENCE_S = 10.0
TRY_S = 0.4
SILENT_S = 0.7


class Broken(Exception):
    """A promise is broken. `promise` is one word, for the table in README.md."""

    def __init__(self, promise, what):
        super().__init__(f"{promise}: {what}")
        self.promise = promise


def hold(promise, is_kept, what):
    if not is_kept:
        raise Broken(promise, what)


def exchange(socket, frame):
    """What comes back in time. A socket that a door just opened turned away takes nothing more, ever."""
    try:
        socket.send(frame)
        return socket.recv() if socket.poll(1000 * TRY_S) else None
    except zmq.Again:
        return None


class Caller:
    """Somebody with a key who knocks at the doors of a house."""

    def __init__(self, house, name):
        self.house = house
        self.context = zmq.Context.instance()
        _, self.public, self.secret = read_key_file(house.key(name))
        self.sockets = {}

    def open(self, kind, service, door):
        socket = self.context.socket(kind)
        socket.curve_publickey, socket.curve_secretkey = self.public, self.secret
        socket.curve_serverkey = self.house.publics[service].encode()
        socket.linger, socket.rcvhwm, socket.sndtimeo = 0, 0, int(1000 * TRY_S)
        socket.connect(self.house.address(service, door))
        return socket

    def ask(self, service, door, header, message):
        """(header, message, bytes of the message) of the answer to a question, asked until there is one."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if (service, door) not in self.sockets:
                self.sockets[service, door] = self.open(zmq.DEALER, service, door)
            socket = self.sockets[service, door]
            frame = exchange(socket, header.pack() + message.SerializeToString())
            if frame is not None:
                answer = unpack(frame)
                hold("answer", answer is not None, f"{service} says what is no message")
                if answer[0].kind != "REFUSED" or messages.REFUSALS[answer[1].refusal] not in ("AGAIN", "ELSEWHERE"):
                    return *answer, frame[LAYOUT.size:]
                time.sleep(0.05)
            else:  # It may be another process by now.
                self.sockets.pop((service, door)).close()
        raise Broken("answer", f"{service} does not answer {header.kind} at its door {door}")

    def attach(self, match_id, seat, session=None):
        ask = messages.engine.Attach(session=session) if session else messages.engine.Attach()
        return self.ask("engine", "requests", Header("ATTACH", match_id, seat=seat, request=1 << 30, version=NEWEST), ask)

    def command(self, match_id, seat, session, request, play):
        header = Header("COMMAND", match_id, seat=seat, session=session, request=request)
        return self.ask("engine", "requests", header, messages.engine.Command(play=play))

    def history(self, service, match_id, last):
        """Acts 1 to `last`, asked for until they are there: numbers, chain and answer's order judged."""
        acts, chain, end = [], None, time.monotonic() + PATIENCE_S
        while len(acts) < last:
            hold("history", time.monotonic() < end, f"{service} does not give act {len(acts) + 1} of {last}")
            header, answer, _ = self.ask(service, "history", Header("HISTORY_ASK", match_id, request=1 << 28),
                                         messages.stream.HistoryAsk(**{"from": len(acts) + 1}))
            if header.kind == "REFUSED" or not answer.acts:
                time.sleep(0.1)
                continue
            for act in answer.acts:
                hold("history", act.number == len(acts) + 1, f"{service}'s history: {act.number} behind {len(acts)}")
                hold("history", chain in (None, act.chain_before), f"{service}'s history: act {act.number} does "
                     "not continue the one before")
                chain = chain_next(act.chain_before, act)
                acts.append(act)
        return acts

    def close(self):
        for socket in self.sockets.values():
            socket.close()


class Listener:
    """The stream of one match as a fanout says it: every act once, in order; heads true; epochs never less."""

    def __init__(self, caller, match_id):
        self.caller, self.match_id = caller, match_id
        self.acts, self.heads, self.chains = {}, {}, {}
        self.last = self.epoch = 0
        self.socket = None
        self.listen()

    def listen(self):
        """Begins, or begins again at another fanout, where what was missed is not repeated."""
        if self.socket is not None:
            self.socket.close()
        self.socket = self.caller.open(zmq.SUB, "fanout", "stream")
        self.socket.subscribe(topic(self.match_id))
        self.last, self.since = 0, time.monotonic()

    def hear(self):
        """What has come. A fanout that has just begun may turn one away whom it does not know yet."""
        if self.since is not None and time.monotonic() - self.since > SILENT_S:
            self.listen()
        while self.socket.poll(0):
            self.since = None
            header, message = unpack(self.socket.recv())
            hold("epoch", header.epoch >= self.epoch, f"a {header.kind} of epoch {header.epoch} behind {self.epoch}")
            self.epoch = header.epoch
            if header.kind == "ACT":
                self.hear_act(header, message)
            elif header.kind == "HEAD":
                self.hear_head(message)

    def hear_act(self, header, act):
        hold("stream", act.number == header.number, f"act {act.number} under the number {header.number}")
        hold("stream", self.last in (0, act.number - 1), f"act {act.number} goes out behind act {self.last}")
        hold("epoch", act.epoch <= header.epoch, f"act {act.number} is of epoch {act.epoch}, its frame of {header.epoch}")
        before = self.chains.get(act.number - 1)
        hold("chain", before in (None, act.chain_before), f"act {act.number} does not continue act {act.number - 1}")
        self.last = act.number
        self.acts[act.number] = act
        self.chains[act.number] = chain_next(act.chain_before, act)

    def hear_head(self, head):
        self.heads[head.number] = head
        chain = self.chains.get(head.number)
        hold("heads", not head.chain or chain in (None, head.chain), f"a head gives act {head.number} another chain")

    def end(self, last):
        hold("heads", max(self.heads, default=0) <= last, f"a head names act {max(self.heads, default=0)} of {last}")
        self.socket.close()
