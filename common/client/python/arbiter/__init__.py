"""arbiter: taking part in Arbiter's games from Python.

    client = arbiter.Client(lobby, lobby_stream, lobby_key, key_file)
    client.bind_name("Ada")
    client.quick_play("nim")
    for event in client.events():
        if event.kind in ("attached", "act"):
            client.legal(event.match_id, event.seat, best=True)
        elif event.kind == "legal" and event.message.best:
            client.play(event.match_id, event.seat, event.message.best)

What is told, and in which order, is said in event.py. There is no thread: whatever is to be done is done
inside events().

arbiter.env has the games themselves, without a server. It needs none of what a client needs, so the client is
imported when it is asked for.
"""
__all__ = ["Client", "Event"]


def __getattr__(name):
    if name == "Client":
        from .client import Client
        return Client
    if name == "Event":
        from .event import Event
        return Event
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
