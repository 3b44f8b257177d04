"""haproxy_door.py: haproxy with the very haproxy.cfg of compose and stack, before gateways on this machine."""
import contextlib
import os
import pathlib
import re
import socket
import struct
import subprocess
import threading
import time

CONFIG = pathlib.Path(os.environ["ARBITER_SOURCE"]) / "deploy" / "haproxy.cfg"
PATIENCE_S = 60


def haproxy():
    return next((path for path in ("/usr/sbin/haproxy", "/usr/local/sbin/haproxy") if os.path.exists(path)), None)


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
    """haproxy, at `port`."""

    def __init__(self, folder, gateway_port, environment):
        self.names = Names()
        listening = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.port = listening.getsockname()[1]
        said = CONFIG.read_text()
        for ours, theirs in ((f"bind fd@{listening.fileno()}", "bind :8080"),
                             (f"nameserver docker 127.0.0.1:{self.names.port}", "nameserver docker 127.0.0.11:53")):
            assert said.count(theirs) == 1, theirs
            said = said.replace(theirs, ours)
        config, self.log = folder / "haproxy.cfg", folder / "haproxy.log"
        config.write_text(said)
        with open(self.log, "wb") as log, listening:
            self.child = subprocess.Popen(
                [haproxy(), "-W", "-db", "-f", config], stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                pass_fds=[listening.fileno()],
                env={**os.environ, "ARBITER_GATEWAYS": f"gateway:{gateway_port}", "ARBITER_PER_ADDRESS": "256",
                     "ARBITER_PROXIES": "", **environment})

    def said(self):
        return self.log.read_text(errors="replace")

    def wait_until_ready(self):
        """Until it has found a gateway that is ready."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end and self.child.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=5) as one:
                one.sendall(b"GET /readyz HTTP/1.1\r\nHost: door\r\nConnection: close\r\n\r\n")
                if one.recv(64).startswith(b"HTTP/1.1 200"):
                    return
            time.sleep(0.1)
        raise AssertionError(f"haproxy found no gateway:\n{self.said()}")

    def downs(self):
        """How often it took a gateway for dead."""
        return len(re.findall(r"Server gateways/\S+ is DOWN", self.said()))

    def close(self):
        self.child.terminate()
        try:
            self.child.wait(10)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
        self.names.close()


@contextlib.contextmanager
def open_door(folder, gateway_port, **environment):
    door = Door(folder, gateway_port, environment)
    try:
        door.wait_until_ready()
        yield door
    finally:
        door.close()
