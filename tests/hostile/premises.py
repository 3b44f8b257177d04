"""premises.py: the services of one machine on loopback TCP, started once and never again, and what they say of themselves."""
import os
import pathlib
import re
import signal
import subprocess
import time

import zmq

DOORS = {"lobby": ("requests", "stream"), "engine": ("requests", "stream", "history"),
         "fanout": ("stream", "history"), "watchdog": ("requests", "stream")}
KEEPS = ("lobby", "engine", "watchdog")
PATIENCE_S = 30.0


class Key:
    """A key pair and the file it stands in."""

    def __init__(self, folder, name, role):
        self.name, self.role, self.file = name, role, folder / f"{name}.key"
        public, secret = zmq.curve_keypair()
        self.public, self.secret = public.decode(), secret.decode()
        self.file.touch(0o600)
        self.file.write_text(f"role {role}\npublic {self.public}\nsecret {self.secret}\n")

    def line(self):
        return f"{self.public} {self.role} {self.name}\n"


class Service:
    """One process. It must live from the first to the last attack: its number says whether it is the same."""

    def __init__(self, name, words, log, core=None):
        self.name, self.log = name, log
        pin = [] if core is None else ["taskset", "--cpu-list", str(core)]
        with open(log, "wb") as file:
            self.child = subprocess.Popen([*pin, *map(str, words)], stdout=file, stderr=file,
                                          stdin=subprocess.DEVNULL, start_new_session=True)
        self.counted = 0

    def said(self):
        return self.log.read_text(errors="replace")

    def wait_for(self, pattern):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end and self.child.poll() is None:
            found = re.search(pattern, self.said())
            if found:
                return found.group(1)
            time.sleep(0.01)
        raise AssertionError(f"{self.name} never said {pattern}:\n{self.said()[-2000:]}")

    def is_same(self):
        return self.child.poll() is None

    def counters(self):
        """What it has counted since its start: name -> number."""
        pattern = re.compile(r"\b([a-z_]+(?:_\d+)?)=(\d+)")
        before = len(re.findall(r"\bbatches=\d", self.said()))
        end = time.monotonic() + PATIENCE_S
        self.child.send_signal(signal.SIGUSR1)
        while time.monotonic() < end and self.is_same():
            said = self.said().splitlines()
            at = [number for number, line in enumerate(said) if re.search(r"\bbatches=\d", line)]
            if len(at) > before:
                self.counted += 2   # The doors' line stands before the loop's.
                return {name: int(number) for line in said[at[-1] - 1:at[-1] + 1]
                        for name, number in pattern.findall(line)}
            time.sleep(0.005)
        raise AssertionError(f"{self.name} does not say what it counted:\n{self.said()[-2000:]}")

    def lines(self):
        """Lines of its log but for those we asked for."""
        return self.said().count("\n") - self.counted

    def resident(self):
        """Bytes of memory it holds."""
        status = pathlib.Path(f"/proc/{self.child.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) << 10

    def files(self):
        return len(os.listdir(f"/proc/{self.child.pid}/fd"))

    def end(self):
        """Asks it to stop; true: it did, with 0."""
        self.child.terminate()
        try:
            return self.child.wait(PATIENCE_S) == 0
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
            return False


class Premises:
    """Four services. `players`: name -> role of further keys. Use it in a `with`: nothing is left running."""

    def __init__(self, build, folder, players, core=None, settings=None):
        self.build, self.folder, self.core = pathlib.Path(build), pathlib.Path(folder), core
        self.settings = settings or {}
        for below in ("keys", "run", "data", "log"):
            (self.folder / below).mkdir(mode=0o700)
        self.keys = {name: Key(self.folder / "keys", name, role)
                     for name, role in [*((name, name) for name in (*DOORS, "console")), *players.items()]}
        (self.folder / "keys/admitted").write_text("".join(key.line() for key in self.keys.values()))
        self.services, self.addresses = {}, {}

    def __enter__(self):
        try:
            for name in DOORS:
                self.start(name)
                for door in DOORS[name]:
                    self.addresses[name, door] = self.services[name].wait_for(rf"{door} at (tcp://[\d.:]+)")
        except BaseException:
            self.__exit__()
            raise
        (self.folder / "run/doors").write_text("\n".join(self.lobby()) + "\n")
        return self

    def start(self, name):
        words = [self.build / f"arbiter-{name}", "--name", f"{name}-1", "--key", self.keys[name].file]
        for door in DOORS[name]:
            words += [f"--listen-{door}", "tcp://127.0.0.1:*"]
        if name in KEEPS:
            (self.folder / "data" / name).mkdir(mode=0o700)
            words += ["--data", self.folder / "data" / name]
        if name == "lobby":
            words += ["--admitted", self.folder / "keys/admitted"]
        else:
            lobby, stream, key = self.lobby()
            words += ["--lobby", lobby, "--lobby-stream", stream, "--lobby-key", key]
        words += self.settings.get(name, [])
        self.services[name] = Service(name, words, self.folder / "log" / f"{name}.log", self.core)

    def lobby(self):
        return self.addresses["lobby", "requests"], self.addresses["lobby", "stream"], self.keys["lobby"].public

    def __exit__(self, *_):
        for service in self.services.values():
            if service.is_same():
                service.child.kill()
                service.child.wait()

    def stop(self):
        """Stops all, the last one first. Returns who did not end well."""
        return [name for name, service in reversed(self.services.items()) if not service.end()]

    def counters(self):
        return {name: service.counters() for name, service in self.services.items()}

    def port(self, service, door):
        return int(self.addresses[service, door].rsplit(":", 1)[1])

    def doors(self):
        """Every door there is: (service, door)."""
        return list(self.addresses)
