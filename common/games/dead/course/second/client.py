"""A client of the plain door: one connection, which is one player."""

from __future__ import annotations

from typing import Any

import zmq

from . import wire


class Client:
    """Says commands and hears events, both by their names in dead.proto."""

    def __init__(self, address: str, context: zmq.Context | None = None) -> None:
        self.socket = (context or zmq.Context.instance()).socket(zmq.DEALER)
        self.socket.linger = 1000
        self.socket.connect(address)

    def say(self, command: str, **args: Any) -> None:
        self.socket.send(wire.write_up(command, args))

    def hear(self, patience_s: float) -> tuple[str, dict[str, Any]] | None:
        """The next event; None: there was none for so long. Of the door's own words only the event counts."""
        while self.socket.poll(int(patience_s * 1000)):
            event, args = wire.read_down(self.socket.recv())
            if event != "Begins":
                return event, args
        return None

    def close(self) -> None:
        self.socket.close()
