"""supervised_test.py: what a service tells systemd, which the test plays: ready, alive while it runs and not while it stands still, stopping."""
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import time
import unittest

BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
PATIENCE_S = 60
SILENCE_S = 1.5  # Six beats.


class Supervised(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="supervised-")))
        self.folder.chmod(0o700)
        self.systemd = self.enterContext(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        self.systemd.bind(str(self.folder / "notify"))

    def start(self):
        child = subprocess.Popen([BUILD / "arbiter-lobby", "--key", "lobby.key", "--make-key", "--data", self.folder / "data", "--listen-requests",
                                  "ipc://requests", "--listen-stream", "ipc://stream"], cwd=self.folder, stderr=subprocess.DEVNULL,
                                 env=dict(os.environ, NOTIFY_SOCKET=str(self.folder / "notify")))
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        return child

    def hear(self, seconds=PATIENCE_S):
        """The next word; None: nothing within so long."""
        self.systemd.settimeout(seconds)
        try:
            return self.systemd.recv(100).decode()
        except TimeoutError:
            return None

    def drain(self):
        """All that was said before it was stopped."""
        while self.hear(0.2) is not None:
            pass

    def test_a_service_says_how_it_does_from_its_start_to_its_end(self):
        (self.folder / "data").mkdir()
        child = self.start()
        self.assertEqual(self.hear(), "READY=1")
        self.assertTrue((self.folder / "requests").is_socket() and (self.folder / "stream").is_socket())
        for _ in range(8):
            self.assertEqual(self.hear(), "WATCHDOG=1")
        child.send_signal(signal.SIGSTOP)
        self.drain()
        self.assertIsNone(self.hear(SILENCE_S))
        child.send_signal(signal.SIGCONT)
        self.assertEqual(self.hear(), "WATCHDOG=1")
        child.send_signal(signal.SIGTERM)
        word = self.hear()
        while word == "WATCHDOG=1":
            word = self.hear()
        self.assertEqual((word, child.wait(PATIENCE_S)), ("STOPPING=1", 0))

    def test_nobody_is_told_where_nobody_listens(self):
        (self.folder / "data").mkdir()
        self.systemd.close()
        (self.folder / "notify").unlink()
        child = self.start()
        end = time.monotonic() + PATIENCE_S
        while not (self.folder / "stream").exists():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        child.send_signal(signal.SIGTERM)
        self.assertEqual(child.wait(PATIENCE_S), 0)


if __name__ == "__main__":
    unittest.main()
