"""garble.py: bodies that are no messages, made from the descriptors of those that are."""
import random
import struct

MATCH_SIZE = 16


def varint(value):
    out = b""
    while True:
        out += bytes([value & 127 | (128 if value > 127 else 0)])
        value >>= 7
        if not value:
            return out


def tag(number, wire_type):
    return varint(number << 3 | wire_type)


def filled(descriptor, depth=0):
    """A message of this descriptor with something in every field; deep ones end empty."""
    out = b""
    for field in descriptor.fields:
        if field.type == field.TYPE_MESSAGE:
            inner = filled(field.message_type, depth + 1) if depth < 3 else b""
            out += tag(field.number, 2) + varint(len(inner)) + inner
        elif field.type in (field.TYPE_STRING, field.TYPE_BYTES):
            out += tag(field.number, 2) + varint(MATCH_SIZE) + b"x" * MATCH_SIZE
        elif field.type == field.TYPE_ENUM:
            out += tag(field.number, 0) + varint(field.enum_type.values[-1].number)
        else:
            out += tag(field.number, 0) + varint(1)
    return out


def spoiled(descriptor):
    """Every way in which one field can be no field: (what, bytes)."""
    yield "a field nobody declared", tag(2000, 0) + b"\1"
    yield "a group", tag(1, 3) + tag(1, 4)
    yield "a wire type that does not exist", tag(1, 7)
    yield "field number 0", b"\0\1"
    yield "a tag that ends nowhere", b"\xff" * 12
    yield "half a message", filled(descriptor)[:-1] or b"\x08"
    for field in descriptor.fields:
        yield from spoiled_field(field)


def spoiled_field(field):
    name = field.name
    if field.type in (field.TYPE_STRING, field.TYPE_BYTES, field.TYPE_MESSAGE):
        yield f"{name} as a number", tag(field.number, 0) + b"\1"
        yield f"{name} longer than the frame", tag(field.number, 2) + varint(1 << 30) + b"x"
        yield f"{name} of 2^63 bytes", tag(field.number, 2) + varint(1 << 63) + b"x"
    else:
        yield f"{name} as bytes that end nowhere", tag(field.number, 2) + varint(200) + b"x"
        yield f"{name} as a number without an end", tag(field.number, 0) + b"\xff" * 11
    if field.type == field.TYPE_STRING:
        yield f"{name} that is no UTF-8", tag(field.number, 2) + b"\4\xff\xfe\xc0\x80"
        yield f"{name} with a NUL", tag(field.number, 2) + b"\3a\0b"
    if field.type == field.TYPE_ENUM:
        yield f"{name} of no declared value", tag(field.number, 0) + varint(3999)
    if field.type == field.TYPE_MESSAGE:
        yield f"{name} with a field nobody declared", tag(field.number, 2) + b"\3" + tag(2000, 0)[:2] + b"\1"
        # 60 KiB of these would be megabytes: they must not.
        yield f"{name} thirty thousand times", (tag(field.number, 2) + b"\0") * 30000


def frames(header, descriptor, luck):
    """Heads and bodies that are each wrong somewhere, and some that only chance could make."""
    for what, body in spoiled(descriptor):
        yield what, header + body
    good = filled(descriptor)
    for _ in range(8):
        bad = bytearray(good or b"\0")
        for _ in range(luck.randint(1, 4)):
            bad[luck.randrange(len(bad))] ^= 1 << luck.randrange(8)
        yield "a message with some bits changed", header + bytes(bad)
    yield "noise", header + luck.randbytes(luck.randint(1, 2000))


def heads(good, luck):
    """Headers that are none."""
    for size in (0, 1, 17, 18, len(good) - 1):
        yield f"a header of {size} bytes", good[:size]
    for version in (0, 3, 255):
        yield f"version {version}", good[:17] + bytes([version]) + good[18:]
    for kind in (0, 7, 39, 999, 65535):
        yield f"kind {kind}", good[:18] + struct.pack("!H", kind) + good[20:]
    yield "a slot that is not the match's", bytes([good[0] ^ 1]) + good[1:]
    for _ in range(4):
        yield "noise", luck.randbytes(len(good) + luck.randint(0, 300))


def seeded(seed):
    return random.Random(seed)
