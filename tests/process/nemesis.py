"""nemesis.py: what goes wrong, drawn from a seed: kills, pauses, both, and a disk without room."""
import contextlib
import math
import os
import random
import signal
import subprocess
import time

from house import KEEPS

SERVICES = ("lobby", "engine", "fanout", "watchdog")


class Nemesis:
    """Does one harm after the other to a house, and remembers which, and when."""

    def __init__(self, house, seed, disk, pause_max_s):
        self.house, self.random, self.disk = house, random.Random(seed), disk
        self.pause_max_s = pause_max_s
        self.done = []              # (milliseconds, sentence)
        self.engine_kills_ms = []
        self.alone_ms = []          # Those with nothing else wrong.
        self.unsynced_ms = []       # (from, to): no sync succeeded.
        self.kinds = [self.kill_one, self.kill_engine, self.kill_two, self.kill_all, self.kill_while_it_starts,
                      self.pause_one, self.pause_two, self.pause_engine_and_kill]

    def note(self, sentence):
        self.done.append((int(time.monotonic() * 1000), sentence))

    def kill(self, *names):
        at = int(time.monotonic() * 1000)
        for name in names:
            if self.house.send(name, signal.SIGKILL) and name == "engine":
                self.engine_kills_ms.append(at)
        self.note("kill -9 " + " ".join(names))

    def pause(self, *names):
        seconds = self.random.uniform(0.1, self.pause_max_s)
        for name in names:
            self.house.send(name, signal.SIGSTOP)
        self.note(f"SIGSTOP {' '.join(names)} for {seconds:.1f} s")
        time.sleep(seconds)
        for name in names:
            self.house.send(name, signal.SIGCONT)

    def two(self):
        return self.random.sample(SERVICES, 2)

    def kill_one(self):
        self.kill(self.random.choice(SERVICES))

    def kill_engine(self):
        self.kill("engine")

    def kill_two(self):
        self.kill(*self.two())

    def kill_all(self):
        self.kill(*SERVICES)

    def kill_while_it_starts(self):
        """The engine, and its successor while it reads what the first one wrote."""
        self.kill("engine")
        time.sleep(0.25 + self.random.uniform(0.0, 0.3))
        self.kill("engine")

    def pause_one(self):
        self.pause(self.random.choice(SERVICES))

    def pause_two(self):
        self.pause(*self.two())

    def pause_engine_and_kill(self):
        """The watchdog dies while the engine sleeps."""
        self.house.send("engine", signal.SIGSTOP)
        self.kill("watchdog")
        time.sleep(self.random.uniform(0.1, 2.0))
        self.house.send("engine", signal.SIGCONT)
        self.note("SIGSTOP engine meanwhile")

    def kill_engine_alone(self, times, rest_s):
        """For the figure: how long until players move again."""
        for _ in range(times):
            self.kill_engine()
            self.alone_ms.append(self.engine_kills_ms[-1])
            time.sleep(rest_s)

    def fill_disk(self):
        """No byte is left for a while; now and then the engine is killed meanwhile, too."""
        self.house.starved_until = float("inf")
        self.disk.fill()
        self.note("disk full")
        time.sleep(self.random.uniform(1.0, 3.0))
        if self.random.random() < 0.3:
            self.kill("engine")
            time.sleep(1.0)
        self.disk.free()
        self.house.starved_until = time.monotonic() + 2.0
        self.note("disk has room again")

    def fail_sync(self):
        """The disk says that it could not keep what was written: nobody knows what it has."""
        self.house.starved_until = float("inf")
        self.disk.fail_sync(True)
        self.note("syncs fail")
        begun = math.ceil(time.monotonic() * 1000)  # Players' times are rounded down: who has sent by then has sent behind it.
        time.sleep(self.random.uniform(0.5, 2.0))
        self.unsynced_ms.append((begun, math.floor(time.monotonic() * 1000)))
        self.disk.fail_sync(False)
        self.house.starved_until = time.monotonic() + 2.0
        self.note("syncs do what they say")

    def read_only(self):
        """All that keep something die, and what they kept on can only be read for a while."""
        self.house.starved_until = float("inf")
        at = int(time.monotonic() * 1000)
        self.house.without(KEEPS, lambda: self.disk.read_only(True))
        self.engine_kills_ms.append(at)
        self.note("kill -9 " + " ".join(KEEPS) + ", and the disk is read-only")
        time.sleep(self.random.uniform(0.5, 2.0))
        self.disk.read_only(False)
        self.house.starved_until = time.monotonic() + 2.0
        self.note("the disk can be written again")

    def run(self, seconds, pause_s):
        """Harm after harm, each kind once before any comes again, with rests of about pause_s between.

        Where there is a small disk, most is done to it."""
        kinds = [self.fill_disk, self.fail_sync, self.read_only, self.kill_one] if self.disk else self.kinds
        end, left = time.monotonic() + seconds, []
        while time.monotonic() < end:
            left = left or self.random.sample(kinds, len(kinds))
            left.pop()()
            time.sleep(self.random.uniform(0.5, 1.5) * pause_s)

    def heal(self):
        """Everything that sleeps wakes, and there is room."""
        for name in SERVICES:
            self.house.send(name, signal.SIGCONT)
        if self.disk:
            self.disk.free()
            self.disk.fail_sync(False)


class SmallDisk:
    """The folder of what is kept, on a file system of so many bytes that a ballast can fill."""

    def __init__(self, folder, flag):
        """`flag`: while there is such a file, failing_sync.c lets no sync succeed."""
        self.folder, self.flag = folder, flag
        self.ballast = folder / "ballast"

    def fill(self):
        """Leaves not one byte."""
        ballast = os.open(self.ballast, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        for size in (1 << 20, 1 << 12, 1):
            with contextlib.suppress(OSError):
                while True:
                    os.write(ballast, bytes(size))
        os.close(ballast)

    def fail_sync(self, fails):
        if fails:
            self.flag.touch()
        else:
            self.flag.unlink(missing_ok=True)

    def read_only(self, is_so):
        """Nobody may have anything open there to write to."""
        subprocess.run(["mount", "-o", "remount," + ("ro" if is_so else "rw"), self.folder], check=True)

    def free(self):
        if self.ballast.exists():
            os.unlink(self.ballast)
