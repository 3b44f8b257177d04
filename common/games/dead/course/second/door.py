"""The plain door: frames from clients to the game, events from the game to clients, and the clock.

A client is a DEALER of ZeroMQ. Its connection is who it is. Each message is one frame (wire.py).
"""

from __future__ import annotations

import time
from typing import Any

import zmq

from . import wire
from .game import Game, Server
from .table import Heard, Said

FRAME_MAX = 64 * 1024
FOR_ONE = ("ActNow", "VoteNow", "CommandFailed")  # On the wire these name the player.
PortFault = zmq.ZMQError
LINGER_MS = 1000                                  # So long the last events may take to go.


class Door:
    """Serves one game, and is done."""

    def __init__(self, game: Game, port: int, timeout_s: float, host: str = "127.0.0.1") -> None:
        self.game, self.server, self.timeout_s = game, Server(game), timeout_s
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.ROUTER)
        self.socket.linger = LINGER_MS
        self.socket.sndhwm = 0  # A client that reads slowly holds up nobody.
        self.socket.bind(f"tcp://{host}:{port or '*'}")
        self.address = self.socket.getsockopt_string(zmq.LAST_ENDPOINT)
        self.has_begun = False
        self.asked: dict[bytes, str] = {}  # What a client is asked: ActNow or VoteNow.

    def run(self) -> None:
        self.start_clock()
        while not self.server.is_over:
            left_ms = max(0, int((self.deadline - time.monotonic()) * 1000) + 1)
            if self.socket.poll(left_ms):
                self.hear(*self.socket.recv_multipart())
            elif time.monotonic() >= self.deadline:
                self.happens(None)
                self.start_clock()
        self.socket.close()
        self.context.term()

    @property
    def commands(self) -> int:
        return self.game.commands

    def start_clock(self) -> None:
        self.deadline = time.monotonic() + self.timeout_s

    # Up.

    def hear(self, client: bytes, *frames: bytes) -> None:
        self.start_clock()  # Whatever anybody says starts the time anew.
        if len(frames) == 2 and not frames[0]:
            self.tell(client, "CommandFailed", {"message": "Use a DEALER: a REQ puts an empty frame in front."}, b"")
            return
        try:
            command, args = self.read(frames)
        except wire.Garbage as fault:
            self.refuse_garbage(client, str(fault))
            return
        self.happens(Heard(client, command, args))

    def read(self, frames: tuple[bytes, ...]) -> tuple[str, dict[str, Any]]:
        if len(frames) != 1:
            raise wire.Garbage("Send one frame for each message.")
        if len(frames[0]) > FRAME_MAX:
            raise wire.Garbage("This frame has more than 64 KiB.")
        return wire.read_up(frames[0])

    def refuse_garbage(self, client: bytes, why: str) -> None:
        """What nobody can read is a command in vain; once the game has begun, only its players are answered."""
        player = self.game.player_of(client)
        if self.has_begun and (player is None or player.has_left):
            return
        said = [Said("CommandFailed", {"message": why}, [client])]
        if client in self.asked:
            said.append(Said(self.asked[client], {}, [client]))
        self.send(said)

    # Down.

    def happens(self, heard: Heard | None) -> None:
        if heard is None:  # Whoever is asked still will be told so.
            self.asked.clear()
        else:
            self.asked.pop(heard.client, None)
        self.send(self.server.happens(heard))

    def send(self, said: list[Said]) -> None:
        for one in said:
            if one.event == "GameStarted":
                self.begin()
            for client in one.to:
                if one.event in ("ActNow", "VoteNow"):
                    self.asked[client] = one.event
                self.tell(client, one.event, self.whole(client, one))

    def begin(self) -> None:
        self.has_begun = True
        names = [player.name for player in self.game.players]
        for player in self.game.players:
            self.socket.send_multipart([player.client, wire.write_begins(player.number, names)])

    def whole(self, client: bytes, said: Said) -> dict[str, Any]:
        player = self.game.player_of(client)
        if said.event in FOR_ONE and self.has_begun and player is not None:
            return said.args | {"player": player.number}
        return said.args

    def tell(self, client: bytes, event: str, args: dict[str, Any], *envelope: bytes) -> None:
        self.socket.send_multipart([client, *envelope, wire.write_down(event, args)])
