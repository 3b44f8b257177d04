"""socket_client.py: a WebSocket client of the door in a page of Python: what a stranger's program needs, and no more."""
import base64
import json
import os
import socket
import struct
import time

PATIENCE_S = 30.0


class Closed(Exception):
    """The door closed the connection: `code` and `reason` of the close frame, or the HTTP status that refused it."""

    def __init__(self, code, reason=""):
        super().__init__(f"{code} {reason}")
        self.code = code
        self.reason = reason


class Socket:
    """A connection; messages in, messages out, as text or bytes."""

    def __init__(self, port, protocol="arbiter.v1+json", origin=None, cookie=None, receive_bytes=None,
                 tls=None, path="/ws", headers=(), source=None, host=None):
        self.until = None
        self.plain = socket.socket()
        if receive_bytes is not None:
            self.plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self.plain.settimeout(PATIENCE_S)
        if source is not None:
            self.plain.bind((source, 0))
        self.plain.connect(("127.0.0.1", port))
        if tls is not None:
            self.plain = tls.wrap_socket(self.plain, server_hostname="127.0.0.1")
        lines = [f"GET {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{port}'}", "Upgrade: websocket", "Connection: Upgrade",
                 "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode(), "Sec-WebSocket-Version: 13"]
        if protocol:
            lines.append(f"Sec-WebSocket-Protocol: {protocol}")
        if origin:
            lines.append(f"Origin: {origin}")
        if cookie:
            lines.append(f"Cookie: {cookie}")
        lines += headers
        self.plain.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self.kept = b""
        while b"\r\n\r\n" not in self.kept:
            self._more()
        head, self.kept = self.kept.split(b"\r\n\r\n", 1)
        self.head = head.decode()
        status = int(self.head.split(" ")[1])
        if status != 101:
            self.plain.close()
            raise Closed(status, self.head)
        self.cookie = next((line.split(":", 1)[1].strip() for line in self.head.split("\r\n")
                            if line.lower().startswith("set-cookie:")), None)

    def _more(self):
        if self.until is not None:  # Pings come for ever.
            self.plain.settimeout(max(0.001, self.until - time.monotonic()))
        piece = self.plain.recv(1 << 16)
        if not piece:
            raise Closed(1006, "cut off")
        self.kept += piece

    def _take(self, size):
        while len(self.kept) < size:
            self._more()
        taken, self.kept = self.kept[:size], self.kept[size:]
        return taken

    def frame(self, opcode, body):
        mask = os.urandom(4)
        size = len(body)
        head = bytes([0x80 | opcode])
        head += (bytes([0x80 | size]) if size < 126 else
                 bytes([0xfe]) + struct.pack(">H", size) if size < 65536 else bytes([0xff]) + struct.pack(">Q", size))
        pad = (mask * (size // 4 + 1))[:size]
        masked = (int.from_bytes(body, "big") ^ int.from_bytes(pad, "big")).to_bytes(size, "big")
        self.plain.settimeout(PATIENCE_S)
        self.plain.sendall(head + mask + masked)

    def send(self, said):
        if isinstance(said, str):
            self.frame(1, said.encode())
        else:
            self.frame(2, said)

    def receive(self, timeout=PATIENCE_S):
        """The next message; None: there was none in that time."""
        self.until = time.monotonic() + timeout
        try:
            return self._receive()
        except (TimeoutError, socket.timeout):
            return None

    def _receive(self):
        while True:
            while len(self.kept) < 2 or len(self.kept) < self._whole():
                self._more()
            size = self._whole()
            frame, self.kept = self.kept[:size], self.kept[size:]
            opcode, body = frame[0] & 15, frame[size - self._length(frame):]
            if opcode == 9:
                self.frame(10, body)
            elif opcode == 8:
                code = struct.unpack(">H", body[:2])[0] if len(body) >= 2 else 1005
                raise Closed(code, body[2:].decode(errors="replace"))
            elif opcode in (1, 2):
                return body.decode() if opcode == 1 else body

    @staticmethod
    def _length(frame):
        size = frame[1] & 127
        if size == 126:
            return struct.unpack(">H", frame[2:4])[0]
        return struct.unpack(">Q", frame[2:10])[0] if size == 127 else size

    def _whole(self):
        head = {126: 4, 127: 10}.get(self.kept[1] & 127, 2)
        return head + self._length(self.kept) if len(self.kept) >= head else head

    def cut(self):
        """As a broken line does."""
        self.plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.plain.close()


class Player:
    """A tab that speaks JSON. What it heard stands in `heard`, all of it."""

    def __init__(self, port, **how):
        self.port, self.how = port, how
        self.session, self.stream, self.last, self.requests, self.heard = None, None, 0, 0, []
        self.socket = None

    def open(self, **hello):
        self.close()
        self.socket = Socket(self.port, **self.how)
        if self.session is not None:
            hello.setdefault("session", self.session)
        if self.stream is not None:
            hello.update(stream=self.stream, last=str(self.last))
        self.send(hello=hello)
        return self.wait(lambda down: "welcome" in down or "refused" in down or "answer" in down)

    def close(self):
        if self.socket is not None:
            self.socket.plain.close()

    def send(self, **up):
        self.requests += 1
        self.socket.send(json.dumps({"request": self.requests, **up}))
        return self.requests

    def next(self, timeout=PATIENCE_S):
        text = self.socket.receive(timeout)
        if text is None:
            return None
        down = json.loads(text)
        self.heard.append(down)
        if "number" in down:
            assert int(down["number"]) == self.last + 1, (self.last, down)
            self.last = int(down["number"])
        if "welcome" in down:
            welcome = down["welcome"]
            self.session = welcome.get("session", self.session)
            if welcome.get("fresh"):
                self.last = int(welcome.get("last", 0))
            self.stream = welcome.get("stream")
        return down

    def wait(self, fits, timeout=PATIENCE_S):
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            down = self.next(end - time.monotonic())
            if down is not None and fits(down):
                return down
        raise AssertionError("it never came; the last of what did: " + json.dumps(self.heard[-5:]))

    def ask(self, **up):
        """Says it and waits for what comes back with its number."""
        request = self.send(**up)
        return self.wait(lambda down: down.get("request") == request)
