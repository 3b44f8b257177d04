"""rules.py: a game with a set-up, and what each cell of its observations is."""
import ctypes
import json
from typing import NamedTuple, Optional, Union

from .library import FieldOf, Handle, Settings, Shape, library


def games():
    """The names of all games."""
    return library.games().decode().split("\n")


def setups(game):
    """The names of the set-ups that come with a game."""
    names = library.setups(game.encode())
    if names is None:
        raise ValueError(f'there is no game "{game}"')
    return names.decode().split("\n")


class Field(NamedTuple):
    """One field of an observation."""

    path: str     # "survivors[].wounds"
    type: str     # "uint32", "bool", "string", or the name of an enum or a message
    at: int       # Its first cell, from where its message begins; of a field of the View, in the observation.
    cells: int    # Of all of it.
    most: int     # Elements of a list; 0: it is none. The first cell of a list is how many there are.
    width: int    # Cells of one element.
    values: dict  # What the values of an enum are called.


def _text(said: Union[None, str, dict]) -> Optional[bytes]:
    if said is None:
        return None
    return (said if isinstance(said, str) else json.dumps(said)).encode()


class Rules:
    """A game that is ready to be played: shared by any number of matches.

    setup      the name of one that comes with the game (see setups), or one as a dict; None: the standard one
    options    what the table says beside it, a dict: {"edition": "crossroads"}
    seats      None: as many as the set-up takes
    actions    places in a mask; None: as many as the game says
    most       a match is cut after so many commands; None: as the game says
    gives_up   whether the mask offers to give up, and to take back, beside other commands
    """

    def __init__(self, game, setup=None, options=None, seats=None, actions=None, most=None, gives_up=False):
        fault = ctypes.create_string_buffer(512)
        settings = Settings(_text(setup), _text(options), seats or 0, actions or 0, most or 0, bool(gives_up))
        opened = library.rules_open(game.encode(), ctypes.byref(settings), fault, len(fault))
        if not opened:
            raise ValueError(fault.value.decode())
        self.handle = Handle(opened, library.rules_close)
        self.pointer, self.game = self.handle.pointer, game
        shape = Shape()
        library.rules_shape(self.pointer, ctypes.byref(shape))
        self.seats, self.actions, self.cells, self.most = shape.seats, shape.actions, shape.cells, shape.most
        self.view_words, self.version = shape.view_words, shape.version
        self.core_bytes, self.save_bytes, self._fields = shape.core_bytes, shape.save_bytes, shape.fields
        self.agents = [f"seat_{seat}" for seat in range(self.seats)]

    @classmethod
    def of(cls, game, **settings):
        """Rules as they are, or made of a game's name."""
        if not isinstance(game, Rules):
            return cls(game, **settings)
        if settings:
            raise TypeError(f"rules that are open take no settings: {', '.join(settings)}")
        return game

    def values(self, number):
        """What the values of a field of an enum's type are called."""
        value, names = ctypes.c_int32(), {}
        while (name := library.rules_value(self.pointer, number, len(names), ctypes.byref(value))) is not None:
            names[value.value] = name.decode()
        return names

    def fields(self):
        """Every field of an observation, in order; a message's own come behind it."""
        told, names, found = FieldOf(), [], []
        for number in range(self._fields):
            library.rules_field(self.pointer, number, ctypes.byref(told))
            del names[told.depth:]
            names.append(told.name.decode() + ("[]" if told.most else ""))
            found.append(Field(".".join(names), told.type.decode(), told.at, told.cells, told.most, told.width,
                               self.values(number)))
        return found

    def describe(self):
        """The fields as a table, for people."""
        rows = [f"| cell | cells | field | type | list of |", "|---:|---:|---|---|---:|"]
        for field in self.fields():
            is_inner = "." in field.path
            values = ", ".join(f"{value} {name}" for value, name in field.values.items())
            rows.append(f"| {'+' if is_inner else ''}{field.at} | {field.cells} | `{field.path}` | {field.type}"
                        f"{f' ({values})' if values else ''} | {field.most or ''} |")
        return "\n".join(rows)

    def kind(self, number):
        """What a kind of command is called; None: there is no such kind."""
        name = library.rules_kind(self.pointer, number)
        return name.decode() if name is not None else None

    def reason(self, refusal):
        name = library.rules_reason(self.pointer, refusal)
        return name.decode() if name is not None else None
