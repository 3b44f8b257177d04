"""keys_test.py: services started with the same words take keys of their own, and somebody sees that they live."""
import json
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import time
import unittest

BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
PATIENCE_S = 30.0


def arbiter(*words):
    return subprocess.run([BUILD / "arbiter", *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True)


class Keys(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="keys-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.keys = self.folder / "keys"
        self.lobby = f"ipc://{self.folder}/lobby"
        made = self.make(3)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.lobby_key = made.stdout.strip()

    def make(self, replicas):
        return arbiter("keys", self.keys, "--replicas", replicas, "--lobby", self.lobby, "--lobby-stream", self.lobby + ".stream")

    def start(self, program, *words):
        child = subprocess.Popen([BUILD / f"arbiter-{program}", *map(str, words)], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=(self.folder / "log").open("ab"))
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        return child

    def start_lobby(self):
        return self.start("lobby", "--key", self.keys / "lobby/lobby.key", "--admitted", self.keys / "lobby/admitted",
                          "--data", self.folder / "data", "--listen-requests", self.lobby,
                          "--listen-stream", self.lobby + ".stream", "--service-silent-ms", 2000)

    def start_watchdog(self, *words):
        """It listens at a door of its own, and keeps nothing."""
        self.doors = getattr(self, "doors", 0) + 1
        return self.start("watchdog", "--keys", self.keys / "watchdog", "--lobby", self.lobby,
                          "--listen-requests", f"ipc://{self.folder}/door-{self.doors}",
                          "--listen-stream", f"ipc://{self.folder}/stream-{self.doors}", *words)

    def wait_for(self, condition):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.05)
        self.fail((self.folder / "log").read_text())

    def said(self, words):
        return lambda: words in (self.folder / "log").read_text()

    def test_there_is_a_folder_for_each_role_and_nothing_of_another(self):
        self.assertEqual({path.name for path in self.keys.iterdir()},
                         {"lobby", "engine", "fanout", "watchdog", "gateway", "bot", "console"})
        self.assertEqual({path.name for path in (self.keys / "fanout").iterdir()},
                         {"fanout-1.key", "fanout-2.key", "fanout-3.key", "lobby.pub"})
        self.assertEqual((self.keys / "bot/lobby.pub").read_text().strip(), self.lobby_key)
        self.assertEqual({path.name for path in (self.keys / "lobby").iterdir()}, {"lobby.key", "admitted"})
        self.assertEqual(len((self.keys / "lobby/admitted").read_text().splitlines()), 1 + 5 * 3 + 1)
        self.assertEqual(os.stat(self.keys / "bot/bot-1.key").st_mode & 0o777, 0o600)

    def test_what_is_there_is_kept_and_more_can_be_had(self):
        first = (self.keys / "bot/bot-1.key").read_text()
        made = self.make(5)
        self.assertEqual((made.returncode, made.stdout.strip()), (0, self.lobby_key), made.stderr)
        self.assertEqual((self.keys / "bot/bot-1.key").read_text(), first)
        self.assertEqual(len((self.keys / "lobby/admitted").read_text().splitlines()), 1 + 5 * 5 + 1)

    def test_the_operators_token_is_made_once_for_him_and_for_the_gateways(self):
        own, theirs = self.keys / "console/keys/operator.token", self.keys / "gateway/operator.token"
        token = own.read_text()
        self.assertRegex(token, r"^[0-9a-f]{48}\n$")
        theirs.write_text("of somebody else, by mistake")
        self.make(3)
        for file in (own, theirs):
            self.assertEqual((file.read_text(), file.stat().st_mode & 0o777), (token, 0o600), file)

    def test_secrets_are_a_file_for_each_role_and_who_is_called_like_his_machine_finds_his_key(self):
        made = arbiter("keys", self.keys, "--replicas", 3, "--secrets", "--lobby", self.lobby, "--lobby-stream", self.lobby + ".stream")
        self.assertEqual((made.returncode, made.stdout.strip()), (0, self.lobby_key), made.stderr)
        secrets = self.keys / "secrets"
        self.assertEqual({path.name for path in secrets.iterdir()},
                         {"lobby", "admitted", "engine", "fanout", "watchdog", "gateway", "bot"})
        self.assertEqual({path.stat().st_mode & 0o777 for path in secrets.iterdir()}, {0o600})
        self.assertEqual((secrets / "lobby").read_text(), (self.keys / "lobby/lobby.key").read_text())
        self.assertEqual((secrets / "admitted").read_text(), (self.keys / "lobby/admitted").read_text())
        self.assertEqual((secrets / "watchdog").read_text(), f"lobby {self.lobby_key}\n" + "".join(
            f"name watchdog-{i}\n" + (self.keys / f"watchdog/watchdog-{i}.key").read_text() for i in (1, 2, 3)))
        self.start_lobby()
        (secrets / "watchdog").write_text((secrets / "watchdog").read_text().replace("watchdog-2", socket.gethostname()))
        self.assertEqual(self.start_watchdog("--keys", secrets / "fanout").wait(PATIENCE_S), 1)
        self.start_watchdog("--keys", secrets / "watchdog")
        self.wait_for(lambda: self.watchdogs() == {socket.gethostname()})

    def test_a_folder_that_cannot_be_made_is_named(self):
        refused = arbiter("keys", "/proc/nowhere")
        self.assertEqual(refused.returncode, 3)
        self.assertIn("/proc/nowhere", refused.stderr)

    def test_replicas_take_keys_and_names_of_their_own_and_a_dead_ones_are_taken_up(self):
        self.start_lobby()
        first, _ = self.start_watchdog(), self.wait_for(self.said("service=watchdog-1"))
        self.start_watchdog()
        self.wait_for(self.said("service=watchdog-2"))
        self.wait_for(lambda: self.watchdogs() == {"watchdog-1", "watchdog-2"})
        first.kill()
        first.wait()
        (self.folder / "log").write_text("")
        self.start_watchdog()
        self.wait_for(self.said("service=watchdog-1"))
        self.start_watchdog()
        self.wait_for(self.said("service=watchdog-3"))
        fourth = self.start_watchdog()
        self.assertEqual(fourth.wait(PATIENCE_S), 1)
        self.assertIn("every key is in use", (self.folder / "log").read_text())

    def watchdogs(self):
        """Of whom the operator hears, with the home that was made for him."""
        told = arbiter("top", "--once", "--json", "--home", self.keys / "console")
        if told.returncode != 0:
            return set()
        return {service["name"] for service in json.loads(told.stdout)["services"] if service["role"] == "watchdog"}

    def test_a_service_that_stands_still_is_not_alive(self):
        self.start_lobby()
        pulse = self.folder / "pulse"
        self.assertEqual(arbiter("alive", pulse).returncode, 1)
        watchdog = self.start_watchdog("--pulse", pulse)
        self.wait_for(pulse.exists)
        self.wait_for(lambda: arbiter("alive", pulse).returncode == 0)
        watchdog.send_signal(signal.SIGSTOP)
        stopped = arbiter("alive", pulse)
        self.assertEqual(stopped.returncode, 1)
        self.assertIn("stuck", stopped.stderr)
        watchdog.send_signal(signal.SIGCONT)
        self.wait_for(lambda: arbiter("alive", pulse).returncode == 0)


if __name__ == "__main__":
    unittest.main()
