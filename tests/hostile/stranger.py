"""stranger.py: somebody without a key: bytes on a socket, and the beginnings of ZeroMQ's handshakes written by hand."""
import contextlib
import os
import socket
import struct

from nacl import bindings
from zmq.utils import z85

GREETING_SIZE = 64
PATIENCE_S = 5.0


def connect(port, source="127.0.0.1"):
    """A connection to a port of this machine, from one of its loopback addresses."""
    line = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    line.settimeout(PATIENCE_S)
    line.bind((source, 0))
    line.connect(("127.0.0.1", port))
    return line


def knock(port, source):
    """The same for who does not wait to be answered: a socket and whether it is a connection already, which on one machine it is
    at once or not at all. What is done with it does not wait, either."""
    line = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    line.setblocking(False)
    line.bind((source, 0))
    with contextlib.suppress(BlockingIOError):
        line.connect(("127.0.0.1", port))
    try:
        line.getpeername()
        return line, True
    except OSError:
        return line, False


def greeting(mechanism=b"CURVE", version=(3, 1), as_server=0):
    return (b"\xff" + bytes(8) + b"\x7f" + bytes(version) + mechanism.ljust(20, b"\0") + bytes([as_server]) +
            bytes(31))


def frame(body, flags=4):
    """A frame of ZMTP 3: flags 4 is a command, 1 says that more comes, 2 that the length has 8 bytes."""
    if len(body) > 255:
        return bytes([flags | 2]) + struct.pack("!Q", len(body)) + body
    return bytes([flags, len(body)]) + body


def ready(kind=b"DEALER"):
    """The NULL mechanism's only word."""
    return frame(b"\x05READY" + b"\x0bSocket-Type" + struct.pack("!I", len(kind)) + kind)


def hello(server_key, number=1):
    """CURVE's first word, as a client says it who knows the server's key."""
    server = z85.decode(server_key)
    public, secret = bindings.crypto_box_keypair()
    box = bindings.crypto_box(bytes(64), b"CurveZMQHELLO---" + struct.pack("!Q", number), server, secret)
    return frame(b"\x05HELLO" + bytes([1, 0]) + bytes(72) + public + struct.pack("!Q", number) + box)


def read(line, size):
    """So many bytes, or fewer if the other side has ended."""
    got = b""
    try:
        while len(got) < size:
            more = line.recv(size - len(got))
            if not more:
                break
            got += more
    except (ConnectionError, socket.timeout):
        pass
    return got


def is_ended(line, patience=PATIENCE_S):
    """Whether the other side ends this connection within so long, whatever it says before."""
    line.settimeout(patience)
    try:
        while line.recv(1 << 16):
            pass
        return True
    except ConnectionError:
        return True
    except socket.timeout:
        return False


def send(line, data):
    """False: the other side has ended."""
    try:
        line.sendall(data)
        return True
    except (ConnectionError, socket.timeout):
        return False


def greet(line, mechanism=b"CURVE", words=None):
    """Greets and waits for the greeting that comes back: before, libzmq takes nothing for a handshake."""
    send(line, words or greeting(mechanism))
    return len(read(line, GREETING_SIZE)) == GREETING_SIZE


def enter(line):
    """The whole NULL handshake; false: this door wants another."""
    return greet(line, b"NULL") and send(line, ready()) and read(line, 2)[:1] == b"\x04"


def noise(size):
    return os.urandom(size)


class Session:
    """A CURVE session of an admitted key, spoken by hand: it may send what no library would."""

    def __init__(self, port, server_key, key, kind=b"DEALER", source="127.0.0.1"):
        self.number, server = 1, z85.decode(server_key)
        public, secret = bindings.crypto_box_keypair()
        self.line = connect(port, source)
        assert greet(self.line)
        box = bindings.crypto_box(bytes(64), self.nonce(b"CurveZMQHELLO---"), server, secret)
        self.command(b"\x05HELLO" + bytes([1, 0]) + bytes(72) + public + struct.pack("!Q", 1) + box)
        welcome = self.hear()
        opened = bindings.crypto_box_open(welcome[24:], b"WELCOME-" + welcome[8:24], server, secret)
        short, cookie = opened[:32], opened[32:]
        self.precomputed = bindings.crypto_box_beforenm(short, secret)
        vouch_nonce, own = os.urandom(16), z85.decode(key.secret)
        vouch = bindings.crypto_box(public + server, b"VOUCH---" + vouch_nonce, short, own)
        about = b"\x0bSocket-Type" + struct.pack("!I", len(kind)) + kind + b"\x08Identity" + bytes(4)
        self.number += 1
        text = z85.decode(key.public) + vouch_nonce + vouch + about
        box = bindings.crypto_box_afternm(text, self.nonce(b"CurveZMQINITIATE"), self.precomputed)
        self.command(b"\x08INITIATE" + cookie + struct.pack("!Q", self.number) + box)
        assert self.hear()[:6] == b"\x05READY", "the handshake fails"

    def nonce(self, prefix):
        return prefix + struct.pack("!Q", self.number)

    def command(self, body):
        self.line.sendall(frame(body))

    def hear(self):
        """The body of the next frame."""
        head = read(self.line, 2)
        size = head[1] if not head[0] & 2 else struct.unpack("!Q", head[1:] + read(self.line, 7))[0]
        return read(self.line, size)

    def seal(self, body, is_more=False, is_command=False):
        """One frame of a message, as it travels."""
        self.number += 1
        text = bytes([is_more | is_command << 1]) + body
        box = bindings.crypto_box_afternm(text, self.nonce(b"CurveZMQMESSAGEC"), self.precomputed)
        return frame(b"\x07MESSAGE" + struct.pack("!Q", self.number) + box, flags=0)

    def send(self, body, **how):
        return send(self.line, self.seal(body, **how))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.line.close()
