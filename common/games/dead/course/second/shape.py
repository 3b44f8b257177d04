"""What a JSON value must look like. A shape is a function that takes a value and its place, and yields faults.

Example: `number(1, 6)(7, "attack")` yields "attack is 7, must be from 1 to 6".
"""

from __future__ import annotations

import json
from typing import Any, Callable, Iterator

Shape = Callable[[Any, str], Iterator[str]]
MOST = (1 << 31) - 1


def number(least: int = -MOST - 1, most: int = MOST) -> Shape:
    def judge(value: Any, place: str) -> Iterator[str]:
        if not isinstance(value, int) or isinstance(value, bool):
            yield f"{place} is {json.dumps(value)[:40]}, must be a whole number"
        elif not least <= value <= most:
            yield f"{place} is {value}, must be from {least} to {most}"
    return judge


def of_type(kind: type, name: str) -> Shape:
    def judge(value: Any, place: str) -> Iterator[str]:
        if not isinstance(value, kind):
            yield f"{place} is {json.dumps(value)[:40]}, must be {name}"
    return judge


text, flag = of_type(str, "a text"), of_type(bool, "true or false")


def word(*words: str) -> Shape:
    def judge(value: Any, place: str) -> Iterator[str]:
        if value not in words:
            yield f"{place} is {json.dumps(value)[:40]}, must be one of {', '.join(words)}"
    return judge


def fields(needed: dict[str, Shape], free: dict[str, Shape] | None = None) -> Shape:
    """An object with these keys and no others; those of `free` may be missing."""
    known = needed | (free or {})

    def judge(value: Any, place: str) -> Iterator[str]:
        if not isinstance(value, dict):
            yield f"{place} must be an object"
            return
        for key in needed.keys() - value.keys():
            yield f"{place} has no {key}"
        for key, member in value.items():
            if key in known:
                yield from known[key](member, f"{place}.{key}" if place else key)
            else:
                yield f"{place or 'the set-up'} has {json.dumps(key)}, which nobody knows"
    return judge


def one_of(kinds: dict[str, Shape]) -> Shape:
    """An object with one key, which says what kind of thing it is."""
    def judge(value: Any, place: str) -> Iterator[str]:
        if not isinstance(value, dict) or len(value) != 1 or not value.keys() <= kinds.keys():
            yield f"{place} must be an object with one key of {', '.join(kinds)}"
            return
        for kind, body in value.items():
            yield from kinds[kind](body, f"{place}.{kind}")
    return judge


def many(shape: Shape) -> Shape:
    """A list, no two entries of which are wholly the same."""
    def judge(value: Any, place: str) -> Iterator[str]:
        if not isinstance(value, list):
            yield f"{place} must be a list"
            return
        seen: dict[str, int] = {}
        for at, entry in enumerate(value):
            yield from shape(entry, f"{place}[{at}]")
            first = seen.setdefault(json.dumps(entry, sort_keys=True), at)
            if first != at:
                yield f"{place}[{at}] is wholly the same as {place}[{first}]"
    return judge
