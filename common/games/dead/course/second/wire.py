"""The messages of the plain door as bytes: Protocol Buffers, as far as plain.proto and dead.proto need them.

A message is a row of fields. Each field is a key (its number times 8, plus how it is written) and a value. Numbers
are written seven bits at a time, the lowest first. Texts and messages are written with their length in front.
"""

from __future__ import annotations

from typing import Any, Iterator

NUMBER, BYTES = 0, 2  # How a field is written: the two ways that occur here.

# Names of fields, in the order of their numbers; what is no number is said behind a colon.
PERSON, ON_ENTRANCE = "characterId", "characterId locationId entrance"
COMMANDS = {
    "Register": "playerName:text", "StartGame": "", "SelectCharacters": "characterId0 characterId1", "EndTurn": "",
    "Leave": "", "Move": "characterId locationId fuel:bool", "Barricade": "characterId entrance",
    "Attack": "characterId entrance", "Search": PERSON, "CleanWaste": PERSON, "ContributeCard": "cardId",
    "UseCard": "cardId characterId target", "UseAbility": "characterId target", "Vote": "answer:bool",
}
EVENTS = {
    "Config": "config:text", "RegistrationAborted": "", "CommandFailed": "player message:text", "GameStarted": "",
    "Player": "player playerName:text", "Characters": "characterId0 characterId1 characterId2 characterId3",
    "CharacterSpawned": "player characterId", "CardDrawn": "player cardId", "NextRound": "round", "Crisis": "crisisId",
    "DieRolled": "player value", "ActNow": "player", "Left": "player", "Moved": "characterId locationId fuel:bool",
    "Barricaded": ON_ENTRANCE, "ZombieKilled": ON_ENTRANCE, "Searched": "characterId locationId", "ChildSpawned": "",
    "WasteChanged": "amount", "Contributed": "player cardId", "CardUsed": "cardId characterId target",
    "AbilityUsed": "characterId target", "FoodChanged": "amount reason:food", "MoralChanged": "amount reason:moral",
    "Wounded": PERSON, "Frostbitten": PERSON, "Bitten": PERSON, "SurvivorKilled": PERSON, "ChildKilled": "",
    "ColonyPhaseStarted": "", "StarvationTokenAdded": "", "ZombieSpawned": "locationId entrance",
    "BarricadeDestroyed": "locationId entrance", "Crossroad": "crossroadId", "VoteNow": "player",
    "VoteResult": "answer:bool", "GameEnd": "win:bool",
}
WORDS = {"food": ["FOOD_ADDED", "FOOD_CONSUMED", "CROSSROAD"],
         "moral": ["CHARACTER_DIED", "CRISIS", "STARVATION_TOKEN", "WASTE", "CROSSROAD"]}  # From 1 on.


class Garbage(ValueError):
    """These bytes are no message that is known here."""


# Numbers and fields.

def write_number(value: int) -> bytes:
    value &= (1 << 64) - 1  # A number below 0 takes ten bytes.
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def write_field(number: int, value: int | bytes) -> bytes:
    if isinstance(value, bytes):
        return write_number(number * 8 + BYTES) + write_number(len(value)) + value
    return write_number(number * 8 + NUMBER) + write_number(value)


def read_number(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(data) and shift < 64:
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return value, at
    raise Garbage("a number without an end")


def read_fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    at = 0
    while at < len(data):
        key, at = read_number(data, at)
        value, at = read_number(data, at)
        if key % 8 == NUMBER:
            yield key // 8, value
        elif key % 8 == BYTES and at + value <= len(data):
            yield key // 8, data[at:at + value]
            at += value
        else:
            raise Garbage("a field that has no end, or is written in an unknown way")


def only_field(data: bytes) -> tuple[int, int | bytes]:
    found = list(read_fields(data))
    if len(found) != 1:
        raise Garbage("a message that has one field has another number of them")
    return found[0]


# Messages by their tables.

def write_value(kind: str, value: Any) -> int | bytes:
    if kind == "text":
        return value.encode()
    return WORDS[kind].index(value) + 1 if kind in WORDS else int(value)


def read_value(kind: str, value: int | bytes) -> Any:
    if (kind == "text") != isinstance(value, bytes):
        raise Garbage("a text where a number should be, or the other way round")
    if kind == "text":
        return value.decode()
    if kind == "bool":
        return value != 0
    if kind in WORDS:
        return WORDS[kind][value - 1]
    value &= (1 << 32) - 1
    return value - (1 << 32) if value >> 31 else value


def write_message(tables: dict[str, str], name: str, args: dict[str, Any]) -> bytes:
    body = b""
    for number, field in enumerate(tables[name].split(), 1):
        key, _, kind = field.partition(":")
        if key in args:
            body += write_field(number, write_value(kind, args[key]))
    return write_field(list(tables).index(name) + 1, body)


def read_message(tables: dict[str, str], data: bytes) -> tuple[str, dict[str, Any]]:
    try:
        number, body = only_field(data)
        if not isinstance(body, bytes) or not 1 <= number <= len(tables):
            raise Garbage("a message of a kind that nobody knows")
        name = list(tables)[number - 1]
        known, args = tables[name].split(), {}
        for at, value in read_fields(body):
            key, _, kind = known[at - 1].partition(":") if at > 0 else known[len(known)]
            args[key] = read_value(kind, value)
    except (IndexError, UnicodeDecodeError) as fault:
        raise Garbage(str(fault)) from fault
    return name, args


# plain.proto: what stands around them.

UP_COMMAND, DOWN_EVENT, DOWN_REFUSED, DOWN_BEGINS = 1, 1, 2, 3


def write_up(command: str, args: dict[str, Any]) -> bytes:
    return write_field(UP_COMMAND, write_message(COMMANDS, command, args))


def read_up(data: bytes) -> tuple[str, dict[str, Any]]:
    number, body = only_field(data)
    if number != UP_COMMAND or not isinstance(body, bytes):
        raise Garbage("this door takes commands of the dead only")
    return read_message(COMMANDS, body)


def write_down(event: str, args: dict[str, Any]) -> bytes:
    return write_field(DOWN_EVENT, write_message(EVENTS, event, args))


def write_begins(seat: int, names: list[str]) -> bytes:
    body = write_field(1, seat) + b"".join(write_field(2, name.encode()) for name in names)
    return write_field(DOWN_BEGINS, body)


def read_down(data: bytes) -> tuple[str, dict[str, Any]]:
    """An event; "Begins" and "Refused" are given without what they hold."""
    number, body = next(iter(read_fields(data)), (0, b""))
    if number == DOWN_EVENT and isinstance(body, bytes):
        return read_message(EVENTS, body)
    return {DOWN_REFUSED: "Refused", DOWN_BEGINS: "Begins"}.get(number, "Nothing"), {}
