"""home.py: a house as an operator has it on one machine: `arbiter up` with TLS, more processes beside it, and his commands."""
import json
import os
import pathlib
import signal
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(SOURCE / "tests" / folder) for folder in ("process", "lib/gateway", "alerts")]

from house import ENDS_WITH_US  # noqa: E402

PATIENCE_S = 60.0


def openssl(*words):
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)


class Certificates:
    """An authority of our own, and what it signs, one after the other, at the place where the gateway looks."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(mode=0o700)
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", 9, "-subj", "/CN=week",
                "-keyout", folder / "ca.key", "-out", folder / "ca.pem")
        (folder / "names").write_text("subjectAltName=IP:127.0.0.1\n")
        self.cert, self.key = folder / "cert.pem", folder / "key.pem"
        self.renew()

    def renew(self):
        asks, key, cert = (self.folder / f"new.{kind}" for kind in ("csr", "key", "pem"))
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=127.0.0.1",
                "-keyout", key, "-out", asks)
        openssl("x509", "-req", "-in", asks, "-CA", self.folder / "ca.pem", "-CAkey", self.folder / "ca.key", "-CAcreateserial",
                "-days", 9, "-extfile", self.folder / "names", "-out", cert)
        key.rename(self.key)
        cert.rename(self.cert)

    def trust(self):
        return ssl.create_default_context(cafile=self.folder / "ca.pem")

    def serial(self):
        said = subprocess.run(["openssl", "x509", "-in", self.cert, "-noout", "-serial"], check=True, capture_output=True, text=True)
        return said.stdout.strip().split("=")[1]


class Home:
    """`arbiter up` of one build or another, in a folder that stays. Use it in a `with`: nothing is left running."""

    def __init__(self, folder, certificates, port, settings=None):
        """`settings`: of the gateway; None: those that are there already."""
        self.folder, self.certificates, self.port = pathlib.Path(folder), certificates, port
        self.process, self.build, self.more = None, None, {}
        self.log = self.folder.parent / f"{self.folder.name}.txt"
        if settings is not None:
            self.folder.mkdir(mode=0o700)
            (self.folder / "config").mkdir()
            (self.folder / "config/gateway.json").write_text(json.dumps(settings))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for child in self.more.values():
            child.kill()
            child.wait()
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                self.process.kill()

    def key(self, name):
        return self.folder / "keys" / f"{name}.key"

    def start(self, build):
        self.build = build
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen([*ENDS_WITH_US, build / "arbiter", "up", "--home", self.folder, "--http", str(self.port)],
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.until("players are let in", self.is_ready)

    def stop(self):
        """As Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(PATIENCE_S) == 0, self.said()

    def until(self, what, holds, patience=PATIENCE_S):
        end = time.monotonic() + patience
        while not holds():
            assert self.process is None or self.process.poll() is None, f"arbiter up has ended:\n{self.said()}"
            assert time.monotonic() < end, f"{what}: not within {patience:.0f} s\n{self.said()}"
            time.sleep(0.2)

    def get(self, path):
        request = urllib.request.Request(f"https://127.0.0.1:{self.port}{path}")
        with urllib.request.urlopen(request, timeout=10, context=self.certificates.trust()) as answer:
            return answer.read().decode()

    def is_ready(self):
        try:
            return self.get("/readyz").startswith("ready")
        except (OSError, urllib.error.URLError):
            return False

    def arbiter(self, *words, ends=(0,)):
        """The operator's command, of the build that runs."""
        said = subprocess.run([self.build / "arbiter", *map(str, words), "--home", self.folder], capture_output=True, text=True, check=False)
        assert said.returncode in ends, f"arbiter {' '.join(map(str, words))} ended with {said.returncode}:\n{said.stdout}{said.stderr}"
        return said.stdout

    def child(self, name):
        """The process of a service; None: it has none at this moment."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        for child in children:
            try:
                words = pathlib.Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if os.path.basename(words[0]).decode() == f"arbiter-{name}":
                return int(child)
        return None

    def type(self, lines, name):
        """What stands in the handbook, typed in another terminal; its last command is a service that goes on."""
        lines = lines.replace("~/.local/share/arbiter", str(self.folder)).replace("\narbiter-", "\nexec arbiter-")
        with open(self.folder / "log" / f"{name}.log", "ab") as log:
            self.more[name] = subprocess.Popen(
                [*ENDS_WITH_US, "bash", "-euc", lines], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, "PATH": f"{self.build}:{os.environ['PATH']}", "ARBITER_HOME": str(self.folder)})

    def end(self, name):
        child = self.more.pop(name)
        child.send_signal(signal.SIGTERM)
        assert child.wait(PATIENCE_S) == 0, (self.folder / "log" / f"{name}.log").read_text()

    def services(self):
        """As the operator sees them: name -> what it tells."""
        return {service["name"]: service for service in json.loads(self.arbiter("top", "--once", "--json"))["services"]}

    def said(self, lines=6):
        tails = []
        for log in (self.log, *sorted((self.folder / "log").glob("*.log"))):
            if log.exists():
                tails += [f"--- {log.name}", *log.read_text(errors="replace").splitlines()[-lines:]]
        return "\n".join(tails)
