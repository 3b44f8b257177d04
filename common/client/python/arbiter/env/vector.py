"""vector.py: many matches with one call a step, seen through numpy without a copy."""
import ctypes

import numpy

from .library import Handle, library
from .rules import Rules


class Vector:
    """Many matches of one game. A match that ends is followed by the next one at once.

    seat           who decides in each match
    legal          how many actions are offered: 0, 1, ... legal - 1
    mask           [matches, actions]: 1 where an action is offered
    observation    [matches, cells]: what the seat may know
    reward         [matches, seats]: 1 won, -1 lost, of a match that has just ended; else 0
    over           0 goes on, 1 has ended, 2 was cut
    seed, length   of the match being played; commands of the one that has just ended

    The arrays are the library's own memory: step changes them. Match i begins with seed + i, and goes on with
    seed + i + matches, and so on. `threads` share the work, and change nothing else.
    """

    def __init__(self, game, matches, threads=1, seed=1, players=None, **settings):
        self.rules = Rules.of(game, **settings)
        self.matches = matches
        self.handle = Handle(library.envs_new(self.rules.pointer, matches, threads), library.envs_free,
                             self.rules.handle)
        self.pointer = self.handle.pointer
        batch = library.envs_batch(self.pointer).contents
        self.seat = self._array(batch.seat, numpy.int32, matches)
        self.legal = self._array(batch.legal, numpy.uint32, matches)
        self.mask = self._array(batch.mask, numpy.int8, matches, self.rules.actions)
        self.observation = self._array(batch.cells, numpy.int32, matches, self.rules.cells)
        self.reward = self._array(batch.reward, numpy.float32, matches, self.rules.seats)
        self.over = self._array(batch.over, numpy.uint8, matches)
        self.seed = self._array(batch.seed, numpy.uint64, matches)
        self.length = self._array(batch.length, numpy.uint32, matches)
        for seat, player in (players or {}).items():
            if not library.envs_player(self.pointer, seat, player.encode()):
                raise ValueError(f'there is no player "{player}" for seat {seat} of {self.rules.game}')
        self.reset(seed)

    def _array(self, address, dtype, *shape):
        """The library's memory as an array, which keeps it alive."""
        size = int(numpy.prod(shape)) * numpy.dtype(dtype).itemsize
        memory = (ctypes.c_char * size).from_address(address)
        memory.owner = self.handle
        return numpy.frombuffer(memory, dtype).reshape(shape)

    def reset(self, seed=1):
        library.envs_reset(self.pointer, seed & (1 << 64) - 1)

    def step(self, actions):
        """One action in each match. Those that are none are refused: their matches stand, and IndexError is raised."""
        actions = numpy.ascontiguousarray(actions, numpy.int64)
        if actions.shape != (self.matches,):
            raise ValueError(f"there are {self.matches} matches, so as many actions are wanted")
        refused = library.envs_step(self.pointer, actions.ctypes.data)
        if refused:
            raise IndexError(f"{refused} of these actions are not legal")

    def step_random(self):
        """One action in each match, drawn evenly by the library."""
        library.envs_step_random(self.pointer)
