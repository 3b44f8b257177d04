"""spaces.py: Gymnasium's spaces if they are there; else as much of them as observations and actions need."""
import numpy

try:
    from gymnasium import spaces
    Box, Dict, Discrete = spaces.Box, spaces.Dict, spaces.Discrete
except ImportError:
    class _Space:
        def __init__(self, shape, dtype):
            self.shape, self.dtype = shape, dtype
            self.rng = numpy.random.default_rng()

        def seed(self, seed=None):
            self.rng = numpy.random.default_rng(seed)

        def __contains__(self, value):
            return self.contains(value)

    class Discrete(_Space):
        """The numbers from 0 to n - 1."""

        def __init__(self, n):
            super().__init__((), numpy.dtype(numpy.int64))
            self.n = n

        def contains(self, value):
            return isinstance(value, (int, numpy.integer)) and 0 <= value < self.n

        def sample(self, mask=None):
            if mask is None:
                return numpy.int64(self.rng.integers(self.n))
            open_ones = numpy.flatnonzero(mask)
            return numpy.int64(self.rng.choice(open_ones)) if len(open_ones) else numpy.int64(0)

    class Box(_Space):
        """An array whose numbers lie between two bounds."""

        def __init__(self, low, high, shape, dtype):
            super().__init__(shape, numpy.dtype(dtype))
            self.low, self.high = numpy.full(shape, low, dtype), numpy.full(shape, high, dtype)

        def contains(self, value):
            return (isinstance(value, numpy.ndarray) and value.shape == self.shape and value.dtype == self.dtype
                    and bool((value >= self.low).all() and (value <= self.high).all()))

        def sample(self):
            return self.rng.integers(self.low, self.high, dtype=self.dtype, endpoint=True)

    class Dict(_Space):
        """Spaces by name."""

        def __init__(self, spaces):
            super().__init__(None, None)
            self.spaces = dict(spaces)

        def __getitem__(self, name):
            return self.spaces[name]

        def contains(self, value):
            return (isinstance(value, dict) and value.keys() == self.spaces.keys()
                    and all(value[name] in space for name, space in self.spaces.items()))

        def sample(self):
            return {name: space.sample() for name, space in self.spaces.items()}

LEAST, MOST = numpy.iinfo(numpy.int32).min, numpy.iinfo(numpy.int32).max


def observation_space(rules):
    return Box(LEAST, MOST, (rules.cells,), numpy.int32)


def masked_space(rules):
    return Dict({"observation": observation_space(rules), "action_mask": Box(0, 1, (rules.actions,), numpy.int8)})
