"""Which wrong servers a suite of tests finds: it is run against the right one first, and then against each wrong one.

A suite is a command. It ends with 0 if it finds nothing wrong, and with anything else if it does. In its words
{at} is HOST:PORT, and {start} is the command that starts a server, in which {port}, {config}, {seed}, {timeout} and
{edition} are still to be filled in.

A suite without {start} finds a server at {at}, which is started anew after each game. Such a suite lets a second pass
before the next game: until then a connection may be the old server's.
"""

from __future__ import annotations

import concurrent.futures
import os
import pathlib
import random
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from typing import Any

from second.program import FAULTY

from . import PLANTED, TOPICS, Wrong

COURSE = pathlib.Path(__file__).resolve().parent.parent
RIGHT = "right"
START = ["--config", "{config}", "--port", "{port}", "--seed", "{seed}", "--timeout", "{timeout}",
         "--edition", "{edition}"]
PORTS = range(10000, 32768)
OUTGOING = pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range")
AGAIN_S = 0.2


class CannotStart(Exception):
    """The right server refuses its command line, and says why."""


@dataclass
class Asked:
    """What is to be judged, and how."""
    suite: str
    names: list[str]
    limit_s: float
    jobs: int
    fill: dict[str, Any]  # For a suite without {start}: config, seed, timeout, edition.


def start_of(name: str) -> list[str]:
    program = [str(COURSE / "arbiter-dead")] if name == RIGHT else [str(COURSE / "arbiter-wrong"), name]
    return [sys.executable, "-B", *program, *START]


def filled(words: list[str], values: dict[str, Any]) -> list[str]:
    for key, value in values.items():
        words = [word.replace("{" + key + "}", str(value)) for word in words]
    return words


def outgoing() -> range:
    """The ports that the system gives to connections."""
    try:
        least, most = map(int, OUTGOING.read_text().split())
    except (OSError, ValueError):  # Not every system says.
        return range(PORTS.stop, 65536)
    return range(least, most + 1)


def free_port() -> int:
    """One that no connection is given before the server binds it, as long as there are others."""
    given = outgoing()
    ports = [port for port in PORTS if port not in given] or list(PORTS)
    for port in random.sample(ports, len(ports)):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise OSError("no port is free")


class Kept:
    """A server that is started anew whenever it has ended. The right one must be able to start."""

    def __init__(self, words: list[str], is_right: bool) -> None:
        self.words, self.is_right, self.is_wanted = words, is_right, True
        self.printed = tempfile.TemporaryFile()
        self.complaint: str | None = None
        self.child = self.start()
        self.thread = threading.Thread(target=self.keep)
        self.thread.start()

    def start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(self.words, stdout=subprocess.DEVNULL, stderr=self.printed)

    def keep(self) -> None:
        while self.is_wanted:
            if self.child.wait() == FAULTY and self.is_right:
                self.printed.seek(0)
                self.complaint = self.printed.read().decode(errors="replace").strip()
                return
            time.sleep(AGAIN_S)  # One that cannot start, either, would start without end.
            if self.is_wanted:
                self.child = self.start()

    def end(self) -> None:
        self.is_wanted = False
        while self.thread.is_alive():
            self.child.kill()
            self.thread.join(0.1)
        self.printed.close()


def run(asked: Asked, name: str) -> int | None:
    """The suite's exit code at this server; None: it did not end in time."""
    port = free_port()
    start = start_of(name)
    suite = shlex.split(asked.suite)
    kept = None
    if "{start}" not in asked.suite:
        kept = Kept(filled(start, asked.fill | {"port": port}), name == RIGHT)
    try:
        return run_words(filled(suite, {"at": f"127.0.0.1:{port}", "start": shlex.join(start)}), asked.limit_s, kept)
    finally:
        if kept is not None:
            kept.end()


def run_words(words: list[str], limit_s: float, kept: Kept | None) -> int | None:
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    end = time.monotonic() + limit_s
    try:
        while (left := end - time.monotonic()) > 0:
            try:
                return child.wait(min(left, AGAIN_S))
            except subprocess.TimeoutExpired:
                if kept is not None and kept.complaint is not None:
                    raise CannotStart(kept.complaint) from None
        return None
    finally:
        try:
            os.killpg(child.pid, signal.SIGKILL)  # Whatever the suite has started and left behind.
        except ProcessLookupError:
            pass
        child.wait()


def judge(asked: Asked) -> dict[str, Any]:
    """What the suite finds, by name and by topic."""
    right = run(asked, RIGHT)
    if right != 0:
        return {"right": "time ran out" if right is None else right, "found": {}, "points": 0, "of": len(asked.names)}
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        codes = dict(zip(asked.names, pool.map(lambda name: run(asked, name), asked.names)))
    found = {name: code not in (0, None) for name, code in codes.items()}
    return {"right": right, "found": found, "late": [name for name, code in codes.items() if code is None],
            "points": sum(found.values()), "of": len(found)}


def table(result: dict[str, Any]) -> list[str]:
    """The same for people."""
    if result["right"] != 0:
        return [f"The suite finds fault with the right server ({result['right']}): no points."]
    found, lines = result["found"], []
    for topic in TOPICS:
        mine: list[Wrong] = [PLANTED[name] for name in found if PLANTED[name].topic == topic]
        if mine:
            lines.append(f"{topic}: {sum(found[one.name] for one in mine)} of {len(mine)}")
        for one in mine:
            mark = "found" if found[one.name] else "time ran out" if one.name in result["late"] else "missed"
            lines.append(f"  {mark:12} {one.name:22} {one.says}")
    return lines + [f"{result['points']} of {result['of']} points"]
