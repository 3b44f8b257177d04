"""gateway_house.py: a house of services with gateways before it, each a process of its own, on any free port."""
import contextlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "process"))
import house as process_house  # noqa: E402

PATIENCE_S = 60.0
SMALL = ["--players-max", "64", "--seats-max", "64", "--tables-max", "64", "--http-connections-max", "256"]


class Gateway:
    """A running gateway. Ends with the `with` that made it."""

    def __init__(self, house, name, words, listen="127.0.0.1:*", before=()):
        """`before`: words before its own, of a program that becomes the gateway."""
        self.is_killed = False
        self.log = house.folder / "log" / f"{name}.log"
        command = [*before, house.build / "arbiter-gateway", "--name", name, "--key", house.key(name),
                   "--lobby", house.address("lobby", "requests"),
                   "--lobby-stream", house.address("lobby", "stream"), "--lobby-key", house.publics["lobby"],
                   "--listen-http", listen, *words]
        with open(self.log, "wb") as log:
            self.child = subprocess.Popen([str(word) for word in command], stdout=log, stderr=log,
                                          stdin=subprocess.DEVNULL)
        self.port = int(self.wait_for(r"https? at 127\.0\.0\.1:(\d+)"))

    def said(self):
        return self.log.read_text(errors="replace")

    def wait_for(self, pattern):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            found = re.search(pattern, self.said())
            if found:
                return found.group(1)
            if self.child.poll() is not None:
                break
            time.sleep(0.01)
        raise AssertionError(f"{self.log.name} never said {pattern}:\n{self.said()}")

    def kill(self):
        """Without a word."""
        self.is_killed = True
        self.child.kill()
        self.child.wait()

    def stop(self):
        """True: it ended by itself, and well."""
        if self.is_killed:
            return True
        if self.child.poll() is None:
            self.child.terminate()
        try:
            return self.child.wait(PATIENCE_S) == 0
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
            return False


@contextlib.contextmanager
def open_house(build, gateways=1, settings=None, others=(), more=None):
    """The services, with keys for so many gateways: `gateway-0`, ..."""
    with tempfile.TemporaryDirectory() as folder:
        names = {f"gateway-{i}": "gateway" for i in range(gateways)}
        with process_house.House(build, folder, {**names, "player": "client"}, settings,
                                 others=others, more=more) as house:
            house.wait_until_started()
            yield house


@contextlib.contextmanager
def open_gateway(house, name="gateway-0", config=None, words=(), listen="127.0.0.1:*"):
    """A gateway with this treasure set-up, a tree for JSON. `listen`: where one stood that was killed."""
    more = [*SMALL, *words]
    if config is not None:
        file = house.folder / f"{name}.json"
        file.write_text(json.dumps(config))
        more += ["--treasure", file]
    gateway = Gateway(house, name, more, listen)
    try:
        yield gateway
    except BaseException:
        print(gateway.said(), house.said(), file=sys.stderr)
        raise
    finally:
        is_well = gateway.stop()
    if not is_well:
        raise AssertionError(f"{name} did not end well:\n{gateway.said()}")
