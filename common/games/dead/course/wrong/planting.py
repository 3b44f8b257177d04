"""How a wrong server is planted: a class that inherits from the right one, and a row in a list.

    @wrong("tools-for-ever", "equipment", "crossroads")
    class ToolsForEver(Game):
        '''Hammers help as often as one likes.'''

With `late` a method is the right one until ten commands have been carried out. Commands that fail do not count.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, Callable

from second.door import Door
from second.game import Game

TEN = 10
EDITIONS = ("base", "equipment", "crossroads")


@dataclass(frozen=True)
class Wrong:
    """A server with one deviation."""
    name: str
    topic: str
    says: str                  # What is wrong.
    editions: tuple[str, ...]  # In which it can show.
    is_late: bool              # It shows only after ten commands.
    game: type[Game] = Game
    door: type[Door] = Door


PLANTED: dict[str, Wrong] = {}


class late:
    """A method that is wrong, but not before ten commands have been carried out."""

    def __init__(self, method: Callable[..., Any]) -> None:
        self.method = method

    def __set_name__(self, owner: type, name: str) -> None:
        self.owner, self.name = owner, name

    def __get__(self, server: Any, _owner: type | None = None) -> Callable[..., Any]:
        if server.commands < TEN:
            return getattr(super(self.owner, server), self.name)
        return functools.partial(self.method, server)


def wrong(name: str, *editions: str) -> Callable[[type], type]:
    """Puts a class into the list. Its module is the topic, and the first sentence of its text says what is wrong."""
    def plant(planted: type) -> type:
        is_late = any(isinstance(member, late) for member in vars(planted).values())
        part = {"game": planted} if issubclass(planted, Game) else {"door": planted}
        topic = planted.__module__.rsplit(".", 1)[-1]
        PLANTED[name] = Wrong(name, topic, planted.__doc__.strip(), editions or EDITIONS, is_late, **part)
        return planted
    return plant
