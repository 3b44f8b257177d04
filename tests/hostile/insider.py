"""insider.py: somebody whose key is admitted and who means no good: any frame to any door, and what comes back."""
import time

import zmq

from arbiter import messages, wire

PATIENCE_MS = 5000


def find_address(premises, service, door):
    return premises.addresses[service, door]


class Line:
    """One connection by a key of one's choice, from an address of one's choice; `options` are set before it connects."""

    def __init__(self, premises, service, door, key, kind=zmq.DEALER, server_key=None, source=None, **options):
        self.context = zmq.Context()
        self.socket = self.context.socket(kind)
        self.socket.linger = 0
        self.socket.sndtimeo, self.socket.rcvtimeo = PATIENCE_MS, PATIENCE_MS
        if key is not None:
            self.socket.curve_publickey, self.socket.curve_secretkey = key.public.encode(), key.secret.encode()
            self.socket.curve_serverkey = (server_key or premises.keys[service].public).encode()
        for name, value in options.items():
            setattr(self.socket, name, value)
        self.socket.connect_timeout = 2000  # As our clients have it (common/bus/options.c).
        address = premises.addresses[service, door]
        self.socket.connect(address.replace("tcp://", f"tcp://{source}:0;") if source else address)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        self.context.term()

    def send(self, *frames):
        """False: there is no room any more, and nobody takes it."""
        try:
            self.socket.send_multipart(list(frames))
            return True
        except zmq.Again:
            return False

    def push(self, *frames):
        """The same without waiting."""
        try:
            self.socket.send_multipart(list(frames), zmq.DONTWAIT)
            return True
        except zmq.Again:
            return False

    def hear(self, patience_ms=PATIENCE_MS):
        """(kind, header, body bytes) of what comes next; None: nothing."""
        if not self.socket.poll(patience_ms):
            return None
        return read(self.socket.recv_multipart()[-1])

    def ask(self, *frames):
        """Sends and hears; None: no answer."""
        return self.hear() if self.send(*frames) else None

    def is_let_in(self, patience_ms=800):
        """Whether a Ping is answered."""
        self.push(head("PING"))
        return self.hear(patience_ms) is not None


def number_of(kind):
    return kind if isinstance(kind, int) else messages.envelope.Kind.Value(f"KIND_{kind}")


def head(kind, match=wire.NO_MATCH, epoch=0, number=0, seat=wire.NO_SEAT, session=0, request=0, slot=None,
         version=wire.NEWEST):
    """A header of anything, true or false."""
    return wire.LAYOUT.pack(wire.slot_of(match) if slot is None else slot, match, version, number_of(kind), epoch,
                            number, seat, session, request)


def read(frame):
    slot, match, version, kind, epoch, number, seat, session, request = wire.LAYOUT.unpack_from(frame)
    name = messages.envelope.Kind.Name(kind).removeprefix("KIND_")
    header = {"slot": slot, "match": match, "version": version, "epoch": epoch, "number": number, "seat": seat,
              "session": session, "request": request}
    return name, header, frame[wire.LAYOUT.size:]


def refusal(answer):
    """The word of a Refused; what else the answer is, otherwise."""
    if answer is None:
        return None
    kind, _, body = answer
    return messages.REFUSALS[messages.envelope.Refused.FromString(body).refusal] if kind == "REFUSED" else kind


def until(is_it, patience_s=10.0):
    """Whether something becomes true in time."""
    end = time.monotonic() + patience_s
    while time.monotonic() < end:
        if is_it():
            return True
        time.sleep(0.02)
    return False
