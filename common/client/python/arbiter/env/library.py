"""library.py: libarbiter-games by ctypes: where it lies, and each function of arbiter_games.h."""
import ctypes
import os
import pathlib
from ctypes import POINTER, c_bool, c_char_p, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

NAME = "libarbiter-games.so.0"
ABSENT = -(1 << 63)
SPECTATOR = 0xff
SEATS_MAX = 16
ARGS = 6


class Settings(ctypes.Structure):
    _fields_ = [("setup", c_char_p), ("options", c_char_p), ("seats", c_uint32), ("actions", c_uint32),
                ("most", c_uint32), ("gives_up", c_uint32)]


class Shape(ctypes.Structure):
    _fields_ = [*((name, c_uint32) for name in ("seats", "actions", "cells", "fields", "most", "view_words",
                                                "text_bytes", "version")),
                ("core_bytes", c_uint64), ("save_bytes", c_uint64)]


class FieldOf(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("type", c_char_p),
                *((name, c_uint32) for name in ("depth", "at", "cells", "most", "width"))]


class CommandOf(ctypes.Structure):
    _fields_ = [("kind", c_uint32), ("text_size", c_uint32), ("text", c_void_p), ("arg", c_int64 * ARGS)]


class Batch(ctypes.Structure):
    _fields_ = [(name, c_void_p) for name in ("seat", "legal", "mask", "cells", "reward", "over", "seed", "length")]


# What each function takes and gives. Memory is told by its address.
FUNCTIONS = {
    "games": (c_char_p, []),
    "setups": (c_char_p, [c_char_p]),
    "rules_open": (c_void_p, [c_char_p, POINTER(Settings), c_char_p, c_size_t]),
    "rules_close": (None, [c_void_p]),
    "rules_shape": (None, [c_void_p, POINTER(Shape)]),
    "rules_field": (c_bool, [c_void_p, c_uint32, POINTER(FieldOf)]),
    "rules_value": (c_char_p, [c_void_p, c_uint32, c_uint32, POINTER(c_int32)]),
    "rules_kind": (c_char_p, [c_void_p, c_uint32]),
    "rules_reason": (c_char_p, [c_void_p, c_uint32]),
    "env_new": (c_void_p, [c_void_p]),
    "env_free": (None, [c_void_p]),
    "env_player": (c_bool, [c_void_p, c_uint32, c_char_p]),
    "env_reset": (None, [c_void_p, c_uint64]),
    "env_seat": (c_int32, [c_void_p]),
    "env_asked": (c_uint32, [c_void_p]),
    "env_turn_to": (c_bool, [c_void_p, c_uint32]),
    "env_number": (c_uint64, [c_void_p]),
    "env_is_cut": (c_bool, [c_void_p]),
    "env_legal": (c_uint64, [c_void_p]),
    "env_mask": (c_uint32, [c_void_p, c_void_p]),
    "env_action": (c_bool, [c_void_p, c_uint64, POINTER(CommandOf)]),
    "env_find": (c_bool, [c_void_p, POINTER(CommandOf), POINTER(c_uint64)]),
    "env_step": (c_bool, [c_void_p, c_uint64]),
    "env_command": (c_uint32, [c_void_p, c_uint32, POINTER(CommandOf)]),
    "env_expire": (c_bool, [c_void_p, c_uint32]),
    "env_pick": (c_bool, [c_void_p, c_char_p, POINTER(CommandOf)]),
    "env_observe": (None, [c_void_p, c_uint32, c_void_p]),
    "env_view": (c_size_t, [c_void_p, c_uint32, c_void_p, c_size_t]),
    "env_text": (c_size_t, [c_void_p, c_uint32, c_char_p, c_size_t]),
    "env_action_text": (c_size_t, [c_void_p, c_uint64, c_char_p, c_size_t]),
    "env_outcome": (None, [c_void_p, POINTER(c_int32), POINTER(c_int32)]),
    "env_copy": (None, [c_void_p, c_void_p]),
    "env_save": (None, [c_void_p, c_char_p]),
    "env_load": (c_bool, [c_void_p, c_char_p, c_size_t]),
    "env_core": (None, [c_void_p, c_char_p]),
    "envs_new": (c_void_p, [c_void_p, c_uint32, c_uint32]),
    "envs_free": (None, [c_void_p]),
    "envs_player": (c_bool, [c_void_p, c_uint32, c_char_p]),
    "envs_batch": (POINTER(Batch), [c_void_p]),
    "envs_reset": (None, [c_void_p, c_uint64]),
    "envs_step": (c_uint32, [c_void_p, c_void_p]),
    "envs_step_random": (None, [c_void_p]),
    "envs_match": (c_void_p, [c_void_p, c_uint32]),
}


def places():
    """Where the library may lie: named, in the wheel, built in this checkout, installed."""
    here = pathlib.Path(__file__).resolve()
    named = os.environ.get("ARBITER_GAMES_LIBRARY")
    if named:
        yield named
    builds = [pathlib.Path(os.environ["ARBITER_BUILD"])] if "ARBITER_BUILD" in os.environ else []
    if len(here.parents) > 5:
        builds += [here.parents[5] / ".build" / preset for preset in ("release", "dev")]
    for folder in (here.parent, *builds):
        if (folder / NAME).exists():
            yield str(folder / NAME)
    yield NAME


class Library:
    """The functions, without the "arbiter_" of their names."""

    def __init__(self):
        path = next(places())
        try:
            loaded = ctypes.CDLL(path)
        except OSError as why:
            raise ImportError(f"libarbiter-games cannot be loaded: {why}. Install libarbiter-games0, or build it: "
                              "cmake --preset release && cmake --build --preset release --target games_library") from None
        self.path = path
        for name, (gives, takes) in FUNCTIONS.items():
            function = getattr(loaded, f"arbiter_{name}")
            function.restype, function.argtypes = gives, takes
            setattr(self, name, function)


library = Library()


class Handle:
    """Something that the library made. It is given back when nobody holds it any more."""

    def __init__(self, pointer, give_back, *needs):
        if not pointer:
            raise MemoryError("there is no memory, or no thread")
        self.pointer, self.give_back, self.needs = pointer, give_back, needs

    def __reduce__(self):
        """A copy would give the same memory back twice."""
        raise TypeError("what the library made is neither copied so nor pickled: copy() and save() of a match do that")

    def __del__(self):
        if getattr(self, "pointer", None):
            self.give_back(self.pointer)
