"""Wrong servers of the dead: each is the right one with one deviation. Suites of tests are judged by them."""

from . import audience, clock, dice, order, rules, validation  # Each plants its own.
from .planting import EDITIONS, PLANTED, TEN, Wrong

TOPICS = ("rules", "order", "dice", "audience", "clock", "validation")
assert {one.topic for one in PLANTED.values()} == set(TOPICS) == {
    module.__name__.rsplit(".", 1)[-1] for module in (audience, clock, dice, order, rules, validation)}

__all__ = ["EDITIONS", "PLANTED", "TEN", "TOPICS", "Wrong"]
