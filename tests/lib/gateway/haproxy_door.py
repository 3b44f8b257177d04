"""haproxy_door.py: haproxy with the very files of compose and stack, before gateways on this machine."""
import contextlib
import os
import pathlib
import re
import socket
import struct
import subprocess
import threading
import time

DEPLOY = pathlib.Path(os.environ["ARBITER_SOURCE"]) / "deploy"
SETTINGS = {"ARBITER_PER_ADDRESS": "256", "ARBITER_RATE": "100000", "ARBITER_BODY_MAX": "65536", "ARBITER_PROXIES": "",
            "ARBITER_CONNECTIONS": "8000", "ARBITER_STRANGERS": "6000"}
PATIENCE_S = 60


def haproxy():
    return next((path for path in ("/usr/sbin/haproxy", "/usr/local/sbin/haproxy") if os.path.exists(path)), None)


def downs(said):
    """How often it took a gateway for dead, by its log."""
    return len(re.findall(r"Server gateways/\S+ is DOWN", said))


class Names:
    """A name server that knows one name: `gateway` is at 127.0.0.1. As Docker's own does, it answers A."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                asked, who = self.socket.recvfrom(512)
                at = 12
                while asked[at]:
                    at += asked[at] + 1
                question = asked[12:at + 5]
                is_four = question[-4:-2] == b"\0\1"
                head = asked[:2] + struct.pack(">HHHHH", 0x8580, 1, int(is_four), 0, 0)
                answer = b"\xc0\x0c\0\1\0\1" + struct.pack(">IH", 1, 4) + socket.inet_aton("127.0.0.1")
                self.socket.sendto(head + question + (answer if is_four else b""), who)

    def close(self):
        self.socket.close()


class Door:
    """haproxy, at `port`. With a folder of `certificates` it is open to strangers, too, at `public` and `plain`."""

    def __init__(self, folder, gateway_port, environment, certificates=None, changes=()):
        self.names, self.folder = Names(), folder
        self.listening = {}
        files = [self.write("haproxy.cfg", {"bind :8080": "door"},
                            {"nameserver docker 127.0.0.11:53": f"nameserver docker 127.0.0.1:{self.names.port}", **dict(changes)})]
        if certificates is not None:
            files.append(self.write("haproxy.public.cfg", {"bind :8081": "plain", "bind :8443": "public"},
                                    {"crt /certificates ": f"crt {certificates} "}))
        self.port, self.plain, self.public = ((self.listening[name].getsockname()[1] if name in self.listening else None)
                                              for name in ("door", "plain", "public"))
        self.log = folder / "haproxy.log"
        with open(self.log, "wb") as log:
            self.child = subprocess.Popen(
                [haproxy(), "-W", "-db", *(word for file in files for word in ("-f", file))], stdout=log, stderr=log,
                stdin=subprocess.DEVNULL, pass_fds=[one.fileno() for one in self.listening.values()],
                env={**os.environ, **SETTINGS, "ARBITER_GATEWAYS": f"gateway:{gateway_port}", **environment})
        for one in self.listening.values():
            one.close()

    def write(self, name, binds, others):
        """The file as it is shipped, but for where it listens, and what else is another's on this machine."""
        said = (DEPLOY / name).read_text()
        for frontend in binds.values():
            self.listening[frontend] = socket.create_server(("127.0.0.1", 0), backlog=4096)
        ours = {theirs: f"bind fd@{self.listening[frontend].fileno()}" for theirs, frontend in binds.items()}
        for theirs, here in {**ours, **others}.items():
            assert said.count(theirs) == 1, theirs
            said = said.replace(theirs, here)
        (self.folder / name).write_text(said)
        return self.folder / name

    def said(self):
        return self.log.read_text(errors="replace")

    def wait_for(self, pattern, count=1):
        """Until its log has said so: a line is written behind its answer."""
        end = time.monotonic() + PATIENCE_S
        while len(re.findall(pattern, self.said(), re.M)) < count:
            assert time.monotonic() < end, f"haproxy never said {pattern}:\n{self.said()}"
            time.sleep(0.02)

    def wait_until_ready(self):
        """Until it has found a gateway that is ready."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end and self.child.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=5) as one:
                one.sendall(b"GET /readyz HTTP/1.1\r\nHost: door\r\nConnection: close\r\n\r\n")
                said = one.recv(64)
                if said.startswith(b"HTTP/1.1 200"):
                    return
                if said.startswith(b"HTTP/1.1 429"):
                    time.sleep(1)  # Who goes on asking goes on being told so.
            time.sleep(0.1)
        raise AssertionError(f"haproxy found no gateway:\n{self.said()}")

    def downs(self):
        return downs(self.said())

    def close(self):
        self.child.terminate()
        try:
            self.child.wait(10)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
        self.names.close()


@contextlib.contextmanager
def open_door(folder, gateway_port, certificates=None, changes=(), **environment):
    """`changes`: (what the file says, what it says here), for tests that do not want to wait."""
    door = Door(folder, gateway_port, environment, certificates, changes)
    try:
        door.wait_until_ready()
        yield door
    finally:
        door.close()
