"""processes_test.py: the services as processes: they start, find each other through the lobby, and stop cleanly."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from zmq import auth

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
PATIENCE = 30.0
# Message kinds (proto/envelope.proto) as counters name them.
WELCOME, DIRECTORY, BEAT = "in_2", "in_3", "in_82"


class Process:
    """A running service and what it has said."""

    def __init__(self, folder, service, *words):
        self.log = folder / f"{service}.log"
        with open(self.log, "wb") as log:
            self.child = subprocess.Popen(
                [BUILD / f"arbiter-{service}", "--key", folder / f"{service}.key", *words],
                stderr=log, stdout=log)

    def said(self):
        return self.log.read_text()

    def wait_for(self, pattern):
        """The last match of a pattern in what it says."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = re.findall(pattern, self.said())
            if found:
                return found[-1]
            time.sleep(0.05)
        raise AssertionError(f"{self.log.name} never said {pattern}:\n{self.said()}")

    def count(self, counter, least):
        """Asks for the counters until this one is so high."""
        self.wait_for("public key")   # Before, a signal would end it.
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.child.send_signal(signal.SIGUSR1)
            time.sleep(0.1)
            numbers = re.findall(rf"\b{counter}=(\d+)", self.said())
            if numbers and int(numbers[-1]) >= least:
                return int(numbers[-1])
        raise AssertionError(f"{self.log.name}: {counter} did not reach {least}:\n{self.said()}")

    def stop(self):
        self.child.send_signal(signal.SIGTERM)
        return self.child.wait(PATIENCE)


def others():
    return sorted(main.parent.name for main in SOURCE.glob("services/*/main.c")
                  if main.parent.name not in ("console", "lobby"))


class Processes(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="arbiter-up-"))
        self.running = []
        admitted = []
        for service in ["lobby", *others()]:
            key = self.folder / f"{service}.key"
            subprocess.run([BUILD / f"arbiter-{service}", "--make-key", "--check", "--key", key],
                           check=True, stdout=subprocess.DEVNULL)
            public = auth.load_certificate(key)[0].decode()
            admitted.append(f"{public} {service} {service}-1\n")
            if service == "lobby":
                self.lobby_key = public
        (self.folder / "admitted").write_text("# KEY ROLE NAME\n" + "".join(admitted))

    def tearDown(self):
        for process in self.running:
            process.child.kill()
            process.child.wait()
        shutil.rmtree(self.folder)

    def start(self, service, *words):
        common = ["--data", self.folder / f"{service}.data"]
        if service == "lobby":
            common += ["--listen-requests", f"ipc://{self.folder}/lobby", "--listen-stream",
                       f"ipc://{self.folder}/lobby.stream", "--admitted", self.folder / "admitted"]
        else:
            common += ["--lobby", f"ipc://{self.folder}/lobby", "--lobby-key", self.lobby_key]
        self.running.append(Process(self.folder, service, *common, *words))
        return self.running[-1]

    def test_they_find_each_other_and_stop_cleanly(self):
        lobby = self.start("lobby")
        services = {service: self.start(service) for service in others()}
        for process in services.values():
            process.count(WELCOME, 2)
            process.count(DIRECTORY, 1)
        services["watchdog"].count(BEAT, 2 * len(services))
        for process in [*services.values(), lobby]:
            self.assertEqual(process.stop(), 0)

    def test_services_may_start_before_their_lobby_and_outlive_it(self):
        watchdog = self.start("watchdog")
        watchdog.wait_for("requests at")
        lobby = self.start("lobby")
        before = watchdog.count(WELCOME, 1)
        lobby.child.kill()
        lobby.child.wait()
        lobby = self.start("lobby")
        watchdog.count(WELCOME, before + 2)
        self.assertEqual(watchdog.stop(), 0)
        self.assertEqual(lobby.stop(), 0)

    def test_who_is_not_admitted_waits_and_says_why(self):
        (self.folder / "admitted").write_text("# nobody\n")
        self.start("lobby").wait_for("requests at")
        watchdog = self.start("watchdog")
        watchdog.wait_for("does not admit this key yet")
        self.assertEqual(watchdog.stop(), 0)

    def test_a_store_has_one_owner(self):
        self.start("lobby").wait_for("requests at")
        second = self.start("lobby", "--listen-requests", "tcp://127.0.0.1:*", "--listen-stream",
                            "tcp://127.0.0.1:*")
        self.assertEqual(second.child.wait(PATIENCE), 1)


if __name__ == "__main__":
    unittest.main()
