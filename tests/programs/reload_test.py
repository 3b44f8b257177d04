"""reload_test.py: settings are read again without a restart: what changes, what waits, and what is wrong and changes nothing."""
import contextlib
import json
import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path[:0] = [str(SOURCE / "tests" / "lib" / "gateway"), str(SOURCE / "tests" / "process")]
import gateway_house  # noqa: E402
import house as process_house  # noqa: E402
import socket_client  # noqa: E402

PATIENCE_S = 60
TOKENS = ("the-operator's-first-token", "the-operator's-second-one")


def certify(folder, name, key=("ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")):
    subprocess.run(["openssl", "req", "-x509", "-newkey", *key, "-nodes", "-days", "2",
                    "-keyout", folder / f"{name}.key", "-out", folder / f"{name}.crt", "-subj", f"/CN={name}"], check=True, capture_output=True)


def answers(said):
    """What a log says of settings."""
    return [re.sub(r"\\(.)", r"\1", one) for one in re.findall(r'message="settings: ((?:[^"\\]|\\.)*)"', said)]


class Reload(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.config = cls.folder / "config"
        cls.config.mkdir()
        services = ("lobby", "engine", "fanout", "watchdog", "bot")
        cls.house = cls.enterClassContext(process_house.House(
            BUILD, cls.enterClassContext(tempfile.TemporaryDirectory()), {"gateway-0": "gateway", "player": "client"},
            {name: ["--config", str(cls.config)] for name in services}, others=("bot",)))
        cls.house.wait_until_started()

    def setUp(self):
        self.configure()
        self.hang_up("lobby")

    def configure(self, **files):
        """What stands in the folder of settings from now on: nothing else."""
        for path in self.config.iterdir():
            path.unlink()
        for name, settings in files.items():
            (self.config / f"{name}.json").write_text(settings if isinstance(settings, str) else json.dumps(settings))

    def hang_up(self, name, send=None, said=None):
        """What the service says of it."""
        said = said or (lambda: self.house.services[name].log.read_text())
        before = len(answers(said()))
        (send or (lambda: self.house.send(name, signal.SIGHUP)))()
        end = time.monotonic() + PATIENCE_S
        while True:
            new = answers(said())[before:]
            if new and re.match("(not )?read again; ", new[-1]):
                return new
            self.assertLess(time.monotonic(), end, said())
            time.sleep(0.02)

    def test_each_service_takes_over_what_may_change_and_names_what_waits(self):
        waiting = {"lobby": ("tables_max", 2000, 3), "engine": ("matches_max", 10000, 5), "fanout": ("matches_max", None, 7),
                   "watchdog": ("waits_max", None, 9), "bot": ("seats_max", None, 8)}
        for name, (setting, was, wanted) in waiting.items():
            with self.subTest(name):
                self.configure(**{name: {"log_level": "debug", setting: wanted}})
                for taken in (1, 0):  # What waits is said each time.
                    said = self.hang_up(name)
                    self.assertRegex("\n".join(said), rf"(?m)^{setting} is {was or '[0-9]+'} until a restart, and then {wanted}$")
                    self.assertEqual('log_level is "debug" now, and was "info"' in said, bool(taken), said)
                    self.assertEqual(said[-1], f"read again; {taken} changed, 1 wait for a restart")
                self.configure()
                self.assertEqual(self.hang_up(name), ['log_level is "info" now, and was "debug"', "read again; 1 changed, 0 wait for a restart"])
        self.configure()
        self.assertFalse(self.house.bad_ends())

    def test_a_level_of_the_log_holds_from_then_on_and_who_asks_is_answered_at_any(self):
        self.configure(lobby={"log_level": "error"})
        self.assertEqual(self.hang_up("lobby"), ['log_level is "error" now, and was "info"', "read again; 1 changed, 0 wait for a restart"])
        before = self.counted()
        self.house.send("lobby", signal.SIGUSR1)  # Figures, at the level info.
        self.assertEqual(self.hang_up("lobby"), ["read again; 0 changed, 0 wait for a restart"])
        self.assertEqual(self.counted(), before)
        self.configure()
        self.hang_up("lobby")
        self.house.send("lobby", signal.SIGUSR1)
        end = time.monotonic() + PATIENCE_S
        while self.counted() == before:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)

    def counted(self):
        return self.house.services["lobby"].log.read_text().count("batches=")

    def test_a_file_with_a_fault_changes_nothing_and_the_place_is_said(self):
        file = self.config / "lobby.json"
        for text, wanted in (('{"names_per_address": 5, "vote_ms": "soon"}', rf"{file}:/vote_ms: "), ('{"names_per_address": 5,', rf"{file}:"),
                             ('{"names_per_address": 5, "nothing": 1}', rf"{file}:/nothing: there is no such setting"),
                             ('{"names_per_address": 5, "log_level": "loud"}', 'log_level: "loud" is none of debug, info, warning, error'),
                             ('{"names_per_address": 5, "vote_ms": 1}', rf"{file}:/vote_ms: ")):
            with self.subTest(text):
                self.configure(lobby=text)
                said = self.hang_up("lobby")
                self.assertIn(wanted, "\n".join(said))
                self.assertEqual(said[-1], "not read again; nothing has changed")
        self.configure(lobby={"names_per_address": 5})
        self.assertRegex(self.hang_up("lobby")[0], "^names_per_address is 5 now, and was [0-9]+$")

    def test_who_is_in_the_list_of_keys_comes_in_and_a_bad_list_lets_nobody_in(self):
        listed, gateway = self.house.folder / "keys/admitted", "gateway-9"
        public = self.house.make_keys({gateway: "gateway"})[gateway]  # That writes a list of one.
        before = "".join(f"{key} {({**self.house.roles, 'gateway-0': 'gateway', 'player': 'client'})[name]} {name}\n"
                         for name, key in self.house.publics.items())
        listed.write_text(before)
        with gateway_house.open_gateway(self.house, gateway) as late:
            listed.write_text(before + f"{public} gateway\n")
            said = self.hang_up("lobby")
            self.assertEqual(said, [f"the keys that are admitted cannot be read from {listed}", "not read again; nothing has changed"])
            self.assertTrue(self.ready(late).startswith("closed"))
            many = before + f"{public} gateway {gateway}\n" + "".join(f"{i:040} client many-{i}\n" for i in range(600))
            listed.write_text(many)
            self.assertEqual(self.hang_up("lobby"), [f"{listed} names {len(many.splitlines())} keys, and keys_max is 512",
                                                     "not read again; nothing has changed"])
            self.assertTrue(self.ready(late).startswith("closed"))
            listed.write_text(before + f"{public} gateway {gateway}\n")
            self.assertEqual(self.hang_up("lobby"), ["1 more keys are in the list; revoked ones stay out", "read again; 0 changed, 0 wait for a restart"])
            end = time.monotonic() + PATIENCE_S
            while not self.ready(late).startswith(("ready", "open")):
                self.assertLess(time.monotonic(), end, late.said())
                time.sleep(0.05)
            listed.write_text(before)
            self.assertIn("1 keys are in the list no more, and stay admitted until arbiter admit --revoke", self.hang_up("lobby"))

    def ready(self, gateway):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{gateway.port}/readyz", timeout=PATIENCE_S) as page:
                return page.read().decode()
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.read().decode()

    @contextlib.contextmanager
    def gateway(self, *words):
        with gateway_house.open_gateway(self.house, words=("--config", self.config, *words)) as gateway:
            yield gateway, lambda: self.hang_up(None, lambda: gateway.child.send_signal(signal.SIGHUP), gateway.said)

    def test_bounds_of_a_gateway_and_its_tokens_change_while_it_runs(self):
        token = self.folder / "token"
        token.write_text(TOKENS[0])
        with self.gateway("--operator-token", token, "--http-per-crowd", "50") as (gateway, again):
            self.assertEqual([self.metrics(gateway, one) for one in TOKENS], [200, 401])
            self.assertEqual(self.tabs(gateway, 3), [101, 101, 101])
            self.configure(gateway={"tabs_per_address": 2, "http_per_crowd": 7, "origin": "https://play.example", "crowd_networks": "nowhere"})
            token.write_text(TOKENS[1])
            said = again()
            self.assertEqual((said[0], said[-1]), ("this is no network like 10.0.0.0/8 or fd00::/8: nowhere", "not read again; nothing has changed"))
            self.assertEqual([self.metrics(gateway, one) for one in TOKENS], [200, 401])
            self.assertEqual(self.tabs(gateway, 3), [101, 101, 101])
            self.assertEqual(self.pace(gateway), 30)
            self.configure(gateway={"tabs_per_address": 2, "http_per_crowd": 7, "origin": "https://play.example", "tab_per_10_s": 77})
            said = again()
            self.assertEqual(self.pace(gateway), 77)
            self.assertIn("tabs_per_address is 2 now, and was 20", said)
            self.assertIn('origin is "https://play.example" now, and was ""', said)
            self.assertEqual(said[-1], "read again; 3 changed, 0 wait for a restart", "the command line wins")
            self.assertEqual([self.metrics(gateway, one) for one in TOKENS], [401, 200])
            self.assertEqual(self.tabs(gateway, 3), [101, 101, 503])
            socket_client.Socket(gateway.port, origin="https://play.example").cut()

    def pace(self, gateway):
        """How much one may say there, as its core tells everybody."""
        tab = socket_client.Socket(gateway.port, source="127.0.0.8")
        tab.send('{"request":1,"hello":{}}')
        welcome = json.loads(tab.receive())["welcome"]
        tab.cut()
        return welcome["per_10_s"]

    def metrics(self, gateway, token):
        asked = urllib.request.Request(f"http://127.0.0.1:{gateway.port}/metrics", headers={"Authorization": f"Bearer {token}"})
        try:
            with urllib.request.urlopen(asked, timeout=PATIENCE_S) as page:
                return page.status
        except urllib.error.HTTPError as refused:
            refused.close()
            return refused.code

    def tabs(self, gateway, count):
        """What so many of one address are answered, one beside the other."""
        opened, said = [], []
        for _ in range(count):
            try:
                opened.append(socket_client.Socket(gateway.port, source="127.0.0.7"))
                said.append(101)
            except socket_client.Closed as why:
                said.append(why.code)
        for one in opened:
            one.cut()
        end = time.monotonic() + PATIENCE_S  # Until all of them have gone, a new one says that there is room.
        while opened and self.count(gateway) > 0:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)
        return said

    def count(self, gateway):
        shown = ""
        for token in TOKENS:
            asked = urllib.request.Request(f"http://127.0.0.1:{gateway.port}/metrics", headers={"Authorization": f"Bearer {token}"})
            with contextlib.suppress(urllib.error.HTTPError), urllib.request.urlopen(asked, timeout=PATIENCE_S) as page:
                shown = page.read().decode()
        return int(re.search(r"^arbiter_gateway_tabs (\d+)$", shown, re.M)[1])

    def test_a_new_certificate_is_shown_to_who_comes_and_cuts_nobody_off(self):
        for name in ("first", "second"):
            certify(self.folder, name)
        cert, key = self.folder / "door.crt", self.folder / "door.key"
        self.install("first", cert, key)
        with self.gateway("--tls-cert", cert, "--tls-key", key) as (gateway, again):
            blind = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            blind.check_hostname, blind.verify_mode = False, ssl.CERT_NONE
            stays = socket_client.Socket(gateway.port, tls=blind)
            self.assertEqual(self.shown(gateway, blind), self.made("first"))
            key.write_bytes((self.folder / "second.key").read_bytes())  # Half of it.
            self.assertEqual(again(), [f"the certificate and the key cannot be read, or do not fit: {cert}, {key}", "not read again; nothing has changed"])
            self.assertEqual(self.shown(gateway, blind), self.made("first"))
            self.install("second", cert, key)
            self.assertEqual(again(), ["read again; 0 changed, 0 wait for a restart"])
            self.assertEqual(self.shown(gateway, blind), self.made("second"))
            certify(self.folder, "other", ("rsa:2048",))
            self.install("other", cert, key)
            self.assertEqual(again(), [f"a key of another kind needs a restart: {key}", "not read again; nothing has changed"])
            self.assertEqual(self.shown(gateway, blind), self.made("second"))
            self.install("first", cert, key)
            self.assertEqual(again(), ["read again; 0 changed, 0 wait for a restart"])
            self.assertEqual(self.shown(gateway, blind), self.made("first"))
            stays.send('{"request":1,"hello":{}}')
            self.assertIn("welcome", stays.receive())
            stays.cut()

    def install(self, name, cert, key):
        for ending, path in (("crt", cert), ("key", key)):
            path.write_bytes((self.folder / f"{name}.{ending}").read_bytes())

    def made(self, name):
        return ssl.PEM_cert_to_DER_cert((self.folder / f"{name}.crt").read_text())

    def shown(self, gateway, blind):
        with socket.create_connection(("127.0.0.1", gateway.port), timeout=PATIENCE_S) as line, blind.wrap_socket(line) as peer:
            return peer.getpeercert(binary_form=True)


class Handbook(unittest.TestCase):
    def test_what_changes_while_a_service_runs_stands_in_the_handbook(self):
        page = (SOURCE / "configs/README.md").read_text()
        told = {row[0]: set(re.findall(r"`(\w+)`", row[1])) for row in re.findall(r"^\| (\w+) \| (`.*`) \|$", page, re.M)}
        for name, path in [("all", "common/shell/service_again.c"), *((main.parent.name, main) for main in SOURCE.glob("services/*/main.c"))]:
            table = re.search(r"live\[\] = \{([^}]*)\}", (SOURCE / path).read_text())
            if table is not None:
                live = set(re.findall(r'"(\w+)"', table[1]))
                self.assertEqual(told[name], live, name)
                shown = subprocess.run([BUILD / f"arbiter-{'lobby' if name == 'all' else name}", "--help"], capture_output=True, text=True).stdout
                self.assertLessEqual(live, {one.replace("-", "_") for one in re.findall(r"^  --([a-z0-9-]+)", shown, re.M)}, name)


class Command(unittest.TestCase):
    def reload(self, home):
        done = subprocess.run([BUILD / "arbiter", "reload", "--home", home], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout, done.stderr

    def test_it_asks_every_service_of_a_house_and_says_what_came_of_it(self):
        with tempfile.TemporaryDirectory() as home:
            code, said, why = self.reload(home)
            self.assertEqual((code, said), (3, ""))
            self.assertIn("no \"arbiter up\" of this release runs in ", why)
            up = subprocess.Popen([BUILD / "arbiter", "up", "--home", home, "--http", "0"], stdout=subprocess.PIPE, text=True,
                                  env=dict(os.environ, ARBITER_CONFIGS=str(SOURCE / "configs")))
            try:
                self.reload_all(up, home)
            finally:
                up.terminate()
                up.communicate()
            self.assertEqual(up.returncode, 0)

    def reload_all(self, up, home):
        house = ""
        while "bot-1" not in house:
            line = up.stdout.readline()
            self.assertTrue(line, house)
            house += line
        self.wait_until_they_listen(home)
        services = ("lobby", "engine-1", "fanout-1", "watchdog-1", "gateway-1", "bot-1")
        code, said, why = self.reload(home)
        self.assertEqual((code, why), (0, ""))
        self.assertEqual(sorted(said.splitlines()), sorted(f"{name:12} read again; 0 changed, 0 wait for a restart" for name in services))
        (pathlib.Path(home) / "config/gateway.json").write_text('{"tab_burst": 12, "http_connections_max": 99}')
        (pathlib.Path(home) / "config/engine.json").write_text('{"matches_max": "many"}')
        code, said, why = self.reload(home)
        self.assertEqual(code, 1)
        self.assertIn("gateway-1    tab_burst is 12 now, and was 10\n", said)
        self.assertIn("gateway-1    http_connections_max is 8192 until a restart, and then 99\n", said)
        self.assertRegex(said, r"(?m)^engine-1     .*/config/engine\.json:/matches_max: ")
        self.assertIn("engine-1     not read again; nothing has changed\n", said)
        self.assertIn("lobby        read again; 0 changed", said)

    def wait_until_they_listen(self, home):
        """A service that has not come so far yet would die of the signal."""
        end = time.monotonic() + PATIENCE_S
        logs = pathlib.Path(home) / "log"
        while len([log for log in logs.glob("*.log") if "public key" in log.read_text()]) < 6:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)


if __name__ == "__main__":
    unittest.main()
