"""fit.py: puts a recorded event or view into its message, by names alone, and asks whether it is all there.

A key must be a field's name, a word an enum's value, a number an integer; `null` leaves a field out; a
list without keys ([x, y]) is a message's fields in order. Where recordings and messages differ on purpose,
the test hands in a small table of exceptions. Whatever else does not fit raises Misfit with its place.
"""
from google.protobuf.descriptor import FieldDescriptor

from messages import TEXTS, enum_number, is_list


class Misfit(Exception):
    """Something recorded that the messages cannot say."""


class Fit:
    """Fits what one game has recorded into its messages."""

    def __init__(self, seats, renamed=None, first_seat=1):
        self.seats = seats            # Names of fields that hold a seat, which count from 0.
        self.renamed = renamed or {}  # (message, key) to the field's name; None: not in the message.
        self.first_seat = first_seat  # The number the recordings give to seat 0.

    def name(self, message, key):
        return self.renamed.get((message.DESCRIPTOR.name, key), key)

    def scalar(self, field, value, place):
        if field.type == FieldDescriptor.TYPE_ENUM:
            number = enum_number(field.enum_type, value) if isinstance(value, str) else None
            if number is None:
                raise Misfit(f"{place}: {value!r} is no {field.enum_type.name}")
            return number
        if field.name in self.seats:
            seat = value[1:] if isinstance(value, str) else value
            return int(seat) - self.first_seat
        wanted = (bool if field.type == FieldDescriptor.TYPE_BOOL else
                  str if field.type in TEXTS else int)
        if type(value) is not wanted:
            raise Misfit(f"{place}: {value!r} does not go into a {wanted.__name__}")
        return value

    def fill(self, message, value, place):
        """Puts an object, or a bare list of a message's fields, into a message."""
        fields = message.DESCRIPTOR.fields
        if isinstance(value, list):
            if len(fields) == 1 and is_list(fields[0]):
                value = {fields[0].name: value}
            elif len(value) > len(fields):
                raise Misfit(f"{place}: {message.DESCRIPTOR.name} has no room for {value!r}")
            else:
                value = {field.name: one for field, one in zip(fields, value)}
        if not isinstance(value, dict):
            raise Misfit(f"{place}: {value!r} is no {message.DESCRIPTOR.name}")
        message.SetInParent()
        for key, one in value.items():
            name = self.name(message, key)
            if name is None or one is None:
                continue
            field = message.DESCRIPTOR.fields_by_name.get(name)
            if field is None:
                raise Misfit(f"{place}: {message.DESCRIPTOR.full_name} has no field {name}")
            self.put(message, field, one, f"{place}/{key}")
        return message

    def put(self, message, field, value, place):
        if is_list(field):
            if isinstance(value, dict):  # By player: in order of seats.
                value = [value[player] for player in sorted(value)]
            if not isinstance(value, list):
                raise Misfit(f"{place}: {value!r} is no list")
            target = getattr(message, field.name)
            for one in value:
                if field.message_type:
                    self.fill(target.add(), one, place)
                else:
                    target.append(self.scalar(field, one, place))
        elif field.message_type:
            self.fill(getattr(message, field.name), value, place)
        else:
            setattr(message, field.name, self.scalar(field, value, place))

    def through(self, message, value, place):
        """The message after its way over the wire; it must say neither less nor more than was put in."""
        self.fill(message, value, place)
        copy = type(message)()
        copy.ParseFromString(message.SerializeToString())
        if copy != message:
            raise Misfit(f"{place}: the bytes say something else")
        said = {key for key, one in value.items() if one not in (None, []) and self.name(message, key)}
        if len(said) != len(copy.ListFields()):
            raise Misfit(f"{place}: {len(said)} things said, {len(copy.ListFields())} fields set")
        return copy

    def event(self, event, kind, value, place):
        """An event by the name of its kind."""
        field = next((one for one in event.DESCRIPTOR.oneofs_by_name["kind"].fields if one.name == kind),
                     None)
        if field is None:
            raise Misfit(f"{place}: no event {kind}")
        whole = type(event)()
        getattr(whole, kind).CopyFrom(self.through(getattr(event, kind), value, f"{place}/{kind}"))
        if whole.WhichOneof("kind") != kind:
            raise Misfit(f"{place}: {kind} does not survive in its oneof")
        return whole
