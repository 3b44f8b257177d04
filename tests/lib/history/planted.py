"""planted.py: a true history of a match made false in the ways that matter; a checker that finds them all has looked.

Each takes the operations of one match and gives those of a house that lied, or None where the match has no room for this lie."""


def last_of(operations, kind, is_so=lambda one: True):
    found = [one for one in operations if one.operation == kind and is_so(one)]
    return max(found, key=lambda one: one.call) if found else None


def is_accepted(one):
    return isinstance(one.result, int)


def exchange(operations, old, **new):
    return [one._replace(**new) if one is old else one for one in operations]


def whole(operations):
    return last_of(operations, "acts")


def has_a_double(operations, played):
    """Nobody knows what became of the same command of the same seat: it may be the act that is lied about."""
    return any(one.operation == "play" and one.result is None and (one.seat, one.argument) == (played.seat, played.argument) for one in operations)


def lost(operations):
    """A command was acknowledged, and the match as it was kept ends before it."""
    played, kept = last_of(operations, "play", is_accepted), whole(operations)
    return exchange(operations, kept, result=kept.result[:played.result - 1]) if played and kept else None


def doubled(operations):
    """One command became two acts."""
    played, kept = last_of(operations, "play", is_accepted), whole(operations)
    if not played or not kept or played.result != len(kept.result) or has_a_double(operations, played):
        return None
    return exchange(operations, kept, result=[*kept.result, kept.result[-1]])


def too_early(operations):
    """Somebody heard of an act whose command had not been given yet."""
    played = last_of(operations, "play", is_accepted)
    told = last_of(operations, "told", lambda one: played and one.result[0] == played.result)
    return exchange(operations, told, call=played.call - 2, end=played.call - 1) if told else None


def too_late(operations):
    """A command was acknowledged, and afterwards the match stood before it."""
    played = last_of(operations, "play", is_accepted)
    end = max(one.end for one in operations if one.end != float("inf"))
    return [*operations, played._replace(process="late", operation="length", call=end + 1, end=end + 2, result=played.result - 1)] if played else None


def refused(operations):
    """A command was refused, and is an act."""
    played = last_of(operations, "play", is_accepted)
    return exchange(operations, played, result="refused") if played and not has_a_double(operations, played) else None


def went_back(operations):
    """Who had read that the match stood at an act reads that it stands before it."""
    read = last_of(operations, "length", lambda one: one.result > 1)
    return [*operations, read._replace(call=read.end + 1, end=read.end + 2, result=read.result - 1)] if read else None


def two_orders(operations):
    """Two acts were told to one reader the other way round than to the rest."""
    told = last_of(operations, "told", lambda one: one.result[0] > 1)
    before = told and last_of(operations, "told", lambda one: one.process == told.process and one.result[0] == told.result[0] - 1)
    if not before or before.result[1:] == told.result[1:]:
        return None
    return [one._replace(result=[one.result[0], *before.result[1:]]) if one is told else
            one._replace(result=[one.result[0], *told.result[1:]]) if one is before else one for one in operations]


def told_again(operations):
    """A reader heard an act twice."""
    told = last_of(operations, "told")
    return [*operations, told._replace(call=told.end + 1, end=told.end + 2)] if told else None


def shared(operations):
    """Two commands were acknowledged as one act."""
    played = last_of(operations, "play", is_accepted)
    return [*operations, played._replace(process="another")] if played else None


LIES = (lost, doubled, too_early, too_late, refused, went_back, two_orders, told_again, shared)
