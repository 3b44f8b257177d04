"""match.py: one match: everything that arbiter_games.h offers, as Python says it."""
import ctypes
import hashlib
from typing import NamedTuple

import numpy

from .library import ABSENT, ARGS, CommandOf, Handle, SEATS_MAX, SPECTATOR, library
from .rules import Rules

TEXT_BYTES = 1 << 16


class Command(NamedTuple):
    """A command: its kind as in the game's .proto, its arguments in order; None where there is none."""

    kind: int
    args: tuple = ()
    text: bytes = b""

    @classmethod
    def of(cls, message):
        """The same of a message of the game's .proto, as it stands in a match file."""
        kind = next(field for field in message.DESCRIPTOR.fields if message.HasField(field.name))
        body, args, text = getattr(message, kind.name), [], b""
        for field in body.DESCRIPTOR.fields:
            value = getattr(body, field.name) if body.HasField(field.name) else None
            if field.type in (field.TYPE_STRING, field.TYPE_BYTES):
                text = value.encode() if isinstance(value, str) else value or b""
            else:
                args.append(None if value is None else int(value))
        return cls(kind.number, tuple(args), text)


def _to_c(command):
    kind, args, text = command
    told = CommandOf(kind=kind, text_size=len(text))
    if text:
        told.kept = ctypes.create_string_buffer(text, len(text))   # As long as the call.
        told.text = ctypes.addressof(told.kept)
    for at in range(ARGS):
        told.arg[at] = args[at] if at < len(args) and args[at] is not None else ABSENT
    return told


def _from_c(told):
    args = [None if arg == ABSENT else arg for arg in told.arg]
    while args and args[-1] is None:
        args.pop()
    text = ctypes.string_at(told.text, told.text_size) if told.text_size else b""
    return Command(told.kind, tuple(args), text)


class Match:
    """One match. `players` are those who play by themselves: {1: "greedy", 2: "search:200"}."""

    def __init__(self, game, players=None, seed=None, **settings):
        self.rules = Rules.of(game, **settings)
        self.handle = Handle(library.env_new(self.rules.pointer), library.env_free, self.rules.handle)
        self.pointer = self.handle.pointer
        for seat, player in (players or {}).items():
            self.player(seat, player)
        if seed is not None:
            self.reset(seed)

    def player(self, seat, player):
        """Who plays a seat from now on; None: the caller."""
        if not library.env_player(self.pointer, seat, player.encode() if player is not None else None):
            raise ValueError(f'there is no player "{player}" for seat {seat} of {self.rules.game}')

    def reset(self, seed):
        """Begins a match. The seed is that of `arbiter simulate`."""
        library.env_reset(self.pointer, seed & (1 << 64) - 1)

    @property
    def seat(self):
        """The seat that is waited for; None: the match is over."""
        seat = library.env_seat(self.pointer)
        return seat if seat >= 0 else None

    @property
    def asked(self):
        """All seats that are waited for."""
        mask = library.env_asked(self.pointer)
        return [seat for seat in range(SEATS_MAX) if mask >> seat & 1]

    def turn_to(self, seat):
        if not library.env_turn_to(self.pointer, seat):
            raise ValueError(f"seat {seat} is not asked")

    @property
    def number(self):
        return library.env_number(self.pointer)

    @property
    def is_cut(self):
        return library.env_is_cut(self.pointer)

    @property
    def legal(self):
        """How many actions the seat has."""
        return library.env_legal(self.pointer)

    def mask(self):
        mask = numpy.empty(self.rules.actions, numpy.int8)
        library.env_mask(self.pointer, mask.ctypes.data)
        return mask

    def action(self, number):
        """What an action does, as a command."""
        told = CommandOf()
        if not library.env_action(self.pointer, number, ctypes.byref(told)):
            raise IndexError(f"the seat has {self.legal} actions, and none has the number {number}")
        return _from_c(told)

    def find(self, command):
        """The action that does this; None: no action does."""
        found = ctypes.c_uint64()
        is_there = library.env_find(self.pointer, ctypes.byref(_to_c(command)), ctypes.byref(found))
        return found.value if is_there else None

    def step(self, action):
        if action < 0 or not library.env_step(self.pointer, int(action)):
            raise IndexError(f"the seat has {self.legal} actions, and none has the number {action}")

    def command(self, seat, command):
        """A seat asks for something, as a player at a server may. None: it is done; else why not."""
        refusal = library.env_command(self.pointer, seat, ctypes.byref(_to_c(command)))
        return None if refusal == 0 else self.rules.reason(refusal) or ("CUT" if self.is_cut else "NO_SUCH_SEAT")

    def expire(self, *seats):
        """The time of these seats runs out. False: nothing has happened."""
        return library.env_expire(self.pointer, sum(1 << seat for seat in seats))

    def pick(self, player):
        """What such a player would do on this seat now; None: there is nothing to do."""
        told = CommandOf()
        return _from_c(told) if library.env_pick(self.pointer, player.encode(), ctypes.byref(told)) else None

    def observe(self, viewer=SPECTATOR, into=None):
        """What a seat may know, as numbers. `into` takes them, if it is given."""
        cells = into if into is not None else numpy.empty(self.rules.cells, numpy.int32)
        if (cells.dtype, cells.shape) != (numpy.int32, (self.rules.cells,)) or not cells.flags.carray:
            raise ValueError(f"into is to be a row of {self.rules.cells} numbers of 32 bits")
        library.env_observe(self.pointer, viewer, cells.ctypes.data)
        return cells

    def view(self, viewer=SPECTATOR):
        """The words of the View; ABSENT where a field is left out."""
        words = numpy.empty(self.rules.view_words, numpy.int64)
        return words[:library.env_view(self.pointer, viewer, words.ctypes.data, len(words))]

    def text(self, viewer=SPECTATOR):
        return self._text(library.env_text, viewer)

    def action_text(self, action):
        return self._text(library.env_action_text, action)

    def _text(self, function, what):
        room = ctypes.create_string_buffer(TEXT_BYTES)
        function(self.pointer, what, room, TEXT_BYTES)
        return room.value.decode(errors="replace")

    def outcome(self):
        """(outcomes, ranks): more than 0 won; ranks count from 1. All are 0 while the match goes on."""
        outcome, rank = ((ctypes.c_int32 * SEATS_MAX)() for _ in range(2))
        library.env_outcome(self.pointer, outcome, rank)
        return list(outcome[:self.rules.seats]), list(rank[:self.rules.seats])

    def returns(self):
        """1 for who has won, -1 for who has lost, else 0."""
        return [float((one > 0) - (one < 0)) for one in self.outcome()[0]]

    def copy(self):
        """Another match that stands as this one, dice included. Nobody plays there but the caller."""
        other = Match(self.rules)
        library.env_copy(other.pointer, self.pointer)
        return other

    def save(self):
        room = ctypes.create_string_buffer(self.rules.save_bytes)
        library.env_save(self.pointer, room)
        return room.raw

    def load(self, saved):
        if not library.env_load(self.pointer, saved, len(saved)):
            raise ValueError("these bytes were saved by other rules, or on another machine")

    def core(self):
        """Dice and state, as bytes."""
        room = ctypes.create_string_buffer(self.rules.core_bytes)
        library.env_core(self.pointer, room)
        return room.raw

    def digest(self):
        """What stands at the end of a match file, if the match is over."""
        return hashlib.sha256(self.core()).digest()
