"""watched.py: a house with gateways and bots, and Debian's Prometheus that watches it with the rules of deploy/monitoring."""
import json
import pathlib
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request

SOURCE = pathlib.Path(__file__).resolve().parents[2]
MONITORING = SOURCE / "deploy/monitoring"
sys.path[:0] = [str(SOURCE / "tests/process"), str(SOURCE / "tests/lib/gateway")]

import database  # noqa: E402
import gateway_house  # noqa: E402
import house as process_house  # noqa: E402

SETTLED_S = 60   # By then everybody is there and nothing rings.
ENDS_WITH_US = process_house.ENDS_WITH_US


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Prometheus:
    """The real one, with the rules as they are shipped: only the target and the place of the files differ."""

    def __init__(self, folder, targets, also=""):
        """`also`: lines of the house's job, for a house with TLS and a token."""
        folder.mkdir()
        shipped = (MONITORING / "prometheus.yml").read_text()
        places = ", ".join(f'"127.0.0.1:{port}"' for port in targets)
        config = shipped.replace('["127.0.0.1:8080"]', f"[{places}]").replace("- arbiter.rules.yml", f"- {MONITORING}/arbiter.rules.yml")
        assert config.count(str(MONITORING)) == 1 and places in config, "prometheus.yml does not look as it did"
        (folder / "prometheus.yml").write_text(config + also)
        self.port = free_port()
        self.log = folder / "log"
        with open(self.log, "wb") as log:
            self.child = subprocess.Popen(
                [*ENDS_WITH_US, "prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
                 f"--web.listen-address=127.0.0.1:{self.port}", "--log.level=warn"], stdout=log, stderr=log, stdin=subprocess.DEVNULL)

    def ask(self, path, **words):
        url = f"http://127.0.0.1:{self.port}/api/v1/{path}?{urllib.parse.urlencode(words)}"
        with urllib.request.urlopen(url, timeout=10) as answer:
            told = json.load(answer)
        assert told["status"] == "success", told
        return told["data"]

    def query(self, expression):
        return self.ask("query", query=expression)["result"]

    def firing(self):
        """Names of alerts that ring now -> whom they are about."""
        found = {}
        for alert in self.ask("alerts")["alerts"]:
            if alert["state"] == "firing":
                found.setdefault(alert["labels"]["alertname"], set()).add(alert["labels"].get("service", ""))
        return found

    def stop(self):
        self.child.send_signal(signal.SIGKILL)
        self.child.wait()


class Watched:
    """A house in a folder of its own. Use it in a `with`: nothing is left running."""

    def __init__(self, build, folder, settings=None, more=None, gateways=1, is_shared=False, begin=None):
        """`is_shared`: what is kept is kept in PostgreSQL; `begin`: done before anything is started."""
        names = {f"gateway-{i}": "gateway" for i in range(gateways)}
        self.folder, self.gateways, self.prometheus = folder, [], None
        self.server = database.Server(folder / "db") if is_shared else None
        store = f"postgresql:///postgres?host={folder / 'db'}&user=arbiter" if is_shared else None
        self.house = process_house.House(build, folder, {**names, "player": "client", "players": "bot"}, settings,
                                         others=("bot",), more=more, store=store)
        if begin is not None:
            begin(self)
        self.names = list(names)

    def __enter__(self):
        try:
            if self.server is not None:
                self.server.start(*database.SETTINGS)
            self.house.__enter__()
            self.house.wait_until_started()
            self.gateways = [gateway_house.Gateway(self.house, name, [], before=ENDS_WITH_US) for name in self.names]
            self.prometheus = Prometheus(self.folder / "prometheus", [gateway.port for gateway in self.gateways])
            self.settle()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for service in self.house.services:
            self.house.send(service, signal.SIGCONT)
        if self.prometheus is not None:
            self.prometheus.stop()
        for gateway in self.gateways:
            gateway.child.send_signal(signal.SIGCONT)
            gateway.kill()
        self.house.close()
        if self.server is not None:
            self.server.stop(signal.SIGQUIT)

    def settle(self):
        """Waits until every service is shown as up, and nothing rings. Bots do not beat: the lobby counts them."""
        wanted = {f"{name}-1" for name in self.house.services if name != "bot"} | set(self.names)
        end, up = time.monotonic() + SETTLED_S, set()
        while time.monotonic() < end:
            time.sleep(0.5)
            try:
                up = {row["metric"]["service"] for row in self.prometheus.query("arbiter_up == 1")}
                has_bot = self.prometheus.query('arbiter_used{setting="replicas_bot"} == 1')
                if up >= wanted and has_bot and not self.prometheus.firing():
                    return
            except OSError:
                assert self.prometheus.child.poll() is None, self.prometheus.log.read_text()
        raise AssertionError(f"up: {sorted(up)} of {sorted(wanted)}; rings: {self.prometheus.firing()}\n{self.house.said()}")

    def kill(self, name):
        """It is not started again."""
        self.house.services[name].away = True
        self.house.send(name, signal.SIGKILL)

    def freeze(self, name):
        self.house.send(name, signal.SIGSTOP)

    def end(self, name):
        """As an operator does who stops it."""
        self.house.services[name].away = True
        self.house.services[name].ours = True
        self.house.send(name, signal.SIGTERM)

    def upgrade(self, name):
        """Ended as asked, and started again."""
        starts = self.house.services[name].starts
        self.house.services[name].ours = True
        self.house.send(name, signal.SIGTERM)
        end = time.monotonic() + 30
        while self.house.services[name].starts == starts or not self.house.has_started(name):
            assert time.monotonic() < end, self.house.said()
            time.sleep(0.05)
