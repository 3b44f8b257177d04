"""messages.py: the messages of a game as Python classes, and a command as the words rules see.

The classes are made by protoc when a test runs, from the same files as the server's. What a command
looks like in words is said in common/rules/command.h; it is written here a second time, by other hands,
so that a recording can be held against it before any rules exist.
"""
import functools
import importlib
import os
import pathlib
import subprocess
import sys
import tempfile

from google.protobuf.descriptor import FieldDescriptor

ROOT = pathlib.Path(os.environ.get("ARBITER_SOURCE", pathlib.Path(__file__).resolve().parents[3]))
sys.path.insert(0, str(ROOT / "tests" / "lib"))
import games  # noqa: E402

ARGS_MAX = 6
ABSENT = -2 ** 63
MISTYPED = ABSENT + 1
TEXTS = (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES)


@functools.lru_cache(maxsize=None)
def load(game):
    """The module protoc makes of a game's messages."""
    with tempfile.TemporaryDirectory() as folder:
        proto = games.proto(game)
        subprocess.run(["protoc", f"--proto_path={proto.parent}", f"--python_out={folder}", str(proto)],
                       check=True)
        sys.path.insert(0, folder)
        try:
            return importlib.import_module(f"{game}_pb2")
        finally:
            sys.path.remove(folder)


def enum_prefix(enum):
    """What the names of an enum's values begin with: ItemKind gives ITEM_KIND_."""
    return "".join("_" + c if c.isupper() and i else c for i, c in enumerate(enum.name)).upper() + "_"


def enum_number(enum, word):
    """The value that a word of the rules names: light_grenade gives ITEM_KIND_LIGHT_GRENADE."""
    value = enum.values_by_name.get(enum_prefix(enum) + word.upper())
    return None if value is None or value.number == 0 else value.number


def is_list(field):
    return field.label == FieldDescriptor.LABEL_REPEATED


def argument(field, value):
    """One argument of a command in words, as a door that speaks text would write it."""
    if field.type == FieldDescriptor.TYPE_ENUM:
        return MISTYPED if not isinstance(value, str) else enum_number(field.enum_type, value) or 0
    if field.type == FieldDescriptor.TYPE_BOOL:
        return int(value) if isinstance(value, bool) else MISTYPED
    return value if isinstance(value, int) and not isinstance(value, bool) else MISTYPED


def command_words(command, name, sent):
    """(kind, arguments, text, keys that the message has not) of a command as it was sent."""
    kind = command.DESCRIPTOR.oneofs_by_name["kind"]
    field = next((field for field in kind.fields if field.name == name), None)
    if field is None:
        return 0, [ABSENT] * ARGS_MAX, None, sorted(sent)
    fields = field.message_type.fields
    words = [argument(one, sent[one.name]) if one.name in sent else ABSENT
             for one in fields if one.type not in TEXTS]
    text = next((sent.get(one.name) for one in fields if one.type in TEXTS), None)
    strange = sorted(set(sent) - {one.name for one in fields})
    return field.number, words + [ABSENT] * (ARGS_MAX - len(words)), text, strange
