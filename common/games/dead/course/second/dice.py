"""The dice: java.util.Random, so that a seed gives the same game in every language."""

from typing import Any, MutableSequence

MULTIPLIER, INCREMENT, MASK = 0x5DEECE66D, 0xB, (1 << 48) - 1


class Dice:
    """All that is left to chance comes from here, in the order in which it is asked for."""

    def __init__(self, seed: int) -> None:
        self.state = (seed ^ MULTIPLIER) & MASK

    def bits(self) -> int:
        """The next 31 bits."""
        self.state = (self.state * MULTIPLIER + INCREMENT) & MASK
        return self.state >> 17

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1: Java's nextInt."""
        drawn = self.bits()
        if bound & (bound - 1) == 0:
            return (bound * drawn) >> 31
        while drawn - drawn % bound + bound - 1 >= 1 << 31:  # The last, shorter stretch would favour small numbers.
            drawn = self.bits()
        return drawn % bound

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Java's Collections.shuffle."""
        for size in range(len(items), 1, -1):
            other = self.below(size)
            items[size - 1], items[other] = items[other], items[size - 1]
