"""wire.py: the header in front of every message, key files, and what is hashed and sealed in a match."""
import dataclasses
import hashlib
import re
import struct

from nacl import bindings, exceptions
from zmq import auth
from zmq.utils import z85

from . import messages

FIRST, NEWEST = 1, 2  # Versions of the protocol that are read here.
NO_SEAT = 0xffffffff
NO_MATCH = bytes(16)
LAYOUT = struct.Struct("!B16sBHQQIII")
BOX_NONCE = 24
BODY_MAX = 64 << 10


def slot_of(match_id):
    """FNV-1a of the match id, its four bytes joined by xor."""
    if match_id == NO_MATCH:
        return 0
    value = 0x811c9dc5
    for byte in match_id:
        value = (value ^ byte) * 0x01000193 & 0xffffffff
    return (value >> 24 ^ value >> 16 ^ value >> 8 ^ value) & 0xff


@dataclasses.dataclass
class Header:
    kind: str
    match_id: bytes = NO_MATCH
    epoch: int = 0
    number: int = 0
    seat: int = NO_SEAT
    session: int = 0
    request: int = 0
    version: int = FIRST  # That a reader needs; of a request the newest that its sender reads.

    def pack(self):
        return LAYOUT.pack(slot_of(self.match_id), self.match_id, self.version, messages.NUMBERS[self.kind],
                           self.epoch, self.number, self.seat, self.session, self.request)


def unpack(frame, newest=NEWEST):
    """(header, message) of a frame; None for what is no message of ours, or needs a newer version."""
    if not LAYOUT.size <= len(frame) <= LAYOUT.size + BODY_MAX:
        return None
    slot, match_id, version, kind, *rest = LAYOUT.unpack_from(frame)
    name = messages.NAMES.get(kind)
    if not FIRST <= version <= newest or name is None or slot != slot_of(match_id):
        return None
    try:
        message = messages.BODIES[name].FromString(frame[LAYOUT.size:])
    except Exception:  # What protobuf raises depends on which of its implementations is there.
        return None
    return Header(name, match_id, *rest, version=version), message


def topic(match_id):
    return bytes([slot_of(match_id)]) + match_id


def read_key_file(path):
    """(role, public, secret) of a key file; keys are 40 characters of Z85. The file is a certificate as zmq.auth
    writes it, or has the three lines of older builds. Beside a public half, the secret one is in path + "_secret"."""
    with open(path, encoding="utf8") as file:
        text = file.read()
    old = dict(re.findall(r"^(role|public|secret) (\S+)$", text, re.M))
    if old:
        return old["role"], old["public"].encode(), old["secret"].encode()
    public, secret = auth.load_certificate(path)
    if secret is None:
        return read_key_file(f"{path}_secret")
    role = re.search(r"^\s*role\s*=\s*[\"']?([^\"'\n]*)", text, re.M)
    return role[1].strip() if role else "", public, secret


def key_bytes(text):
    return z85.decode(text)


def sha256(*pieces):
    return hashlib.sha256(b"".join(pieces)).digest()


def keyed(key, size, *pieces):
    return hashlib.blake2b(b"".join(pieces), key=key, digest_size=size).digest()


def number(value, size):
    return value.to_bytes(size, "big")


def chain_next(before, act):
    return sha256(before, number(act.number, 8), number(act.actor, 4), number(32, 8), act.command_hash,
                  number(len(act.body), 8), act.body)


def seat_key(secret, seat, generation):
    return keyed(secret, 32, b"arbiter seat key", number(seat, 4), number(generation, 4))


def box_open(box, key, match_id, act, seat, generation):
    """The text of a box; None: it is not this seat's, not of this place, or damaged."""
    nonce, sealed = box[:BOX_NONCE], box[BOX_NONCE:]
    try:
        text = bindings.crypto_secretbox_open(sealed, nonce, key)
    except (exceptions.CryptoError, ValueError, exceptions.TypeError):
        return None
    again = keyed(keyed(key, 32, b"arbiter box nonce"), BOX_NONCE, match_id, number(act.epoch, 8),
                  number(act.number, 8), number(seat, 4), number(generation, 4), text)
    return text if again == nonce else None


def box_seal(text, key, match_id, act, seat, generation):
    nonce = keyed(keyed(key, 32, b"arbiter box nonce"), BOX_NONCE, match_id, number(act.epoch, 8),
                  number(act.number, 8), number(seat, 4), number(generation, 4), text)
    return nonce + bindings.crypto_secretbox(text, nonce, key)
