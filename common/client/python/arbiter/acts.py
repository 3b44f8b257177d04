"""acts.py: the inside of an act, as its reader should see it."""
from google.protobuf.message import DecodeError

from . import messages
from .event import Happening
from .wire import NO_SEAT


class BadAct(Exception):
    """Bytes that are no body, or no text of a box."""


def text_of(opened):
    """The private events of a box: its length, a BoxText, zeros."""
    size = int.from_bytes(opened[:4], "big")
    if len(opened) < 4 or size > len(opened) - 4 or any(opened[4 + size:]):
        raise BadAct("the text in the box is none")
    return messages.stream.BoxText.FromString(opened[4:4 + size]).events


def happenings(body, seat, opened, game):
    """All that happened in an act, in order, as a seat (or NO_SEAT) sees it. `opened`: its box's text."""
    try:
        private = [(event.place, event.event) for event in (text_of(opened) if opened else ())]
        found = []
        for place, public in enumerate(body.events):
            found += [happening(event, game, True) for at, event in private if at == place]
            is_hidden = public.HasField("hidden_from") and public.hidden_from == seat
            if seat != NO_SEAT and (is_hidden or public.repeat):
                continue
            if public.HasField("house"):
                found.append(Happening(public.house, is_house=True))
            else:
                found.append(happening(public.event, game, False))
        found += [happening(event, game, True) for at, event in private if at >= len(body.events)]
        return tuple(found)
    except DecodeError as error:
        raise BadAct(str(error)) from error


def happening(event, game, is_private):
    message = game.Event.FromString(event) if game is not None else None
    return Happening(message, event, is_private=is_private)
