"""The command line of the server, as the original has it; `arbiter-dead` and `arbiter-wrong` share it."""

from __future__ import annotations

import argparse
import pathlib
import sys
from typing import Callable

from . import setup
from .door import Door, PortFault
from .game import Game

FAULTY = 2  # The exit code for a command line or a set-up that is not valid. Nothing listens then.


def whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        value = int(text)
        if not least <= value <= most:
            raise ValueError
        return value
    read.__name__ = f"number from {least} to {most}"
    return read


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", required=True, metavar="FILE", help="the set-up")
    parser.add_argument("--port", required=True, type=whole(0, 65535), metavar="N", help="0 takes a free one")
    parser.add_argument("--seed", required=True, type=whole(-1 << 63, (1 << 63) - 1), metavar="LONG",
                        help="the seed of the dice")
    parser.add_argument("--timeout", required=True, type=whole(1, 86400), metavar="SECONDS",
                        help="time for each answer")
    parser.add_argument("--edition", choices=("base", "equipment", "crossroads"), default="base")
    parser.add_argument("--patience", type=whole(0, 1000), default=0, metavar="N",
                        help="so many silences until a choice or a vote is made for the player; 0: it never is")
    parser.add_argument("--bind", default="127.0.0.1", metavar="ADDRESS", help="the address to listen at")


def serve(asked: argparse.Namespace, game_class: type[Game] = Game, door_class: type[Door] = Door) -> int:
    try:
        text = pathlib.Path(asked.config).read_bytes().decode()
    except (OSError, UnicodeDecodeError) as fault:
        print(f"{asked.config}: {fault}", file=sys.stderr)
        return FAULTY
    config, faults = setup.read(text, asked.edition)
    for fault in faults:
        print(f"{asked.config}: {fault}", file=sys.stderr)
    if faults:
        return FAULTY
    game = game_class(config, asked.edition, asked.seed, text, asked.patience)
    host = "127.0.0.1" if asked.bind == "localhost" else asked.bind
    try:
        door = door_class(game, asked.port, asked.timeout, host)
    except PortFault as fault:
        print(f"port {asked.port}: {fault}", file=sys.stderr)
        return FAULTY
    print(f"The dead are served at {door.address}.", flush=True)
    try:
        door.run()
    except KeyboardInterrupt:
        return 130
    return 0
