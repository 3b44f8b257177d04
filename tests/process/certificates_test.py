"""certificates_test.py: a house runs with certificates that pyzmq made, players come with theirs, and pyzmq reads ours."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import zmq
from zmq import auth
from zmq.utils import z85

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "common/client/python"))

import arbiter  # noqa: E402
from arbiter import messages, wire  # noqa: E402

from house import House  # noqa: E402

PATIENCE_S = 30.0


def certificate(folder, name, **metadata):
    """Two files, as others' tools make them: name.key for everybody, name.key_secret for its owner. Returns the first."""
    public, secret = auth.create_certificates(folder, name, metadata)
    os.chmod(secret, 0o600)  # pyzmq leaves that to its caller.
    return pathlib.Path(public)


class CertifiedHouse(House):
    """Every service has a certificate of pyzmq's; the engine's says no role, so it is good for each."""

    def make_keys(self, roles):
        publics = {}
        for name, role in roles.items():
            metadata = {} if role == "engine" else {"role": role, "owner": "somebody"}
            file = certificate(self.folder / "keys", name, **metadata)
            publics[name] = auth.load_certificate(file)[0].decode()
        lines = [f"{publics[name]} {role} {name}\n" for name, role in roles.items()]
        (self.folder / "keys" / "admitted").write_text("".join(lines))
        return publics


class Certificates(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="arbiter-certificates-")))
        cls.house = cls.enterClassContext(CertifiedHouse(os.environ["ARBITER_BUILD"], cls.folder, {},
                                                         {"gateway": ["--listen-http", "127.0.0.1:*"]},
                                                         others=("bot", "gateway")))
        cls.house.wait_until_started()
        cls.doors = (cls.folder / "run/doors").read_text().split()

    def arbiter(self, *words, status=0):
        said = subprocess.run([self.house.build / "arbiter", *words], capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL, timeout=PATIENCE_S)
        self.assertEqual(said.returncode, status, f"{words}: {said.stdout}{said.stderr}{self.house.said(4)}")
        return said

    def admit(self, key, name):
        self.arbiter("admit", str(key), name, "--home", str(self.folder))

    def binds(self, key_file, name):
        """In Python: the lobby knows who this is."""
        with arbiter.Client(*self.doors, key_file=key_file, name=name) as client:
            number = client.ask(bind_name=messages.lobby.BindName(name=name))
            for event in client.events(timeout_ms=1000 * PATIENCE_S):
                if event.kind == "answer" and event.request == number:
                    return event.message.verdict == messages.lobby.VERDICT_DONE
        return False

    def plays(self, key_file, name):
        """In C, against a bot whose service has such a key, too."""
        lobby, stream, key = self.doors
        return self.arbiter("play", "nim", "--bots", "1", "--lobby", lobby, "--lobby-stream", stream,
                            "--lobby-key", key, "--key", str(key_file), "--name", name).stdout

    def test_services_run_with_certificates_of_pyzmq(self):
        for name in self.house.services:
            log = (self.folder / "log" / f"{name}.log").read_text()
            self.assertIn(f"public key {self.house.publics[name]}", log)
        self.assertEqual(self.house.bad_ends(), {})

    def test_a_player_with_a_certificate_of_pyzmq_is_admitted_by_its_file(self):
        public = certificate(self.folder, "eve")
        self.admit(public, "eve")
        self.assertTrue(self.binds(public, "eve"))
        self.assertTrue(self.binds(f"{public}_secret", "eve"))
        self.assertIn("eve", self.plays(public, "eve"))

    def test_pyzmq_reads_a_key_that_we_make_and_is_let_in_with_it(self):
        path = self.folder / "dan.key"
        printed = self.arbiter("keygen", str(path)).stdout.strip()
        public, secret = auth.load_certificate(path)
        self.assertEqual(public.decode(), printed)
        self.assertEqual(zmq.curve_public(secret), public)
        self.assertEqual(len(z85.decode(public)), 32)
        self.assertEqual(wire.read_key_file(path), ("client", public, secret))
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        self.admit(path, "dan")
        self.assertTrue(self.is_answered(public, secret))

    def is_answered(self, public, secret):
        """Whoever knocks before his key has come round is turned away, and must knock again."""
        ping, pong = (messages.envelope.Kind.Value(f"KIND_{word}") for word in ("PING", "PONG"))
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
                socket.linger = 0
                socket.curve_publickey, socket.curve_secretkey = public, secret
                socket.curve_serverkey = self.doors[2].encode()
                socket.connect(self.doors[0])
                socket.send(wire.LAYOUT.pack(0, wire.NO_MATCH, wire.FIRST, ping, 0, 0, wire.NO_SEAT, 0, 1))
                if socket.poll(500):
                    return wire.LAYOUT.unpack_from(socket.recv())[3] == pong
        return False

    def test_a_key_of_an_older_build_goes_on(self):
        path = self.folder / "old.key"
        public, secret = zmq.curve_keypair()
        path.write_text(f"# A key of Arbiter. Others need its public line; nobody needs the secret one.\n"
                        f"role client\npublic {public.decode()}\nsecret {secret.decode()}\n")
        path.chmod(0o600)
        self.assertEqual(wire.read_key_file(path), ("client", public, secret))
        self.admit(path, "old")
        self.assertTrue(self.binds(path, "old"))
        self.assertIn("old", self.plays(path, "old"))

    def test_a_file_that_is_no_certificate_is_refused_with_a_reason(self):
        path = self.folder / "none.key"
        path.write_text("metadata\ncurve\n")
        refused = self.arbiter("admit", str(path), "none", "--home", str(self.folder), status=2)
        self.assertIn("is no public key", refused.stderr)
        public = certificate(self.folder, "wide")
        os.chmod(f"{public}_secret", 0o644)
        lobby, stream, key = self.doors
        wide = self.arbiter("play", "nim", "--lobby", lobby, "--lobby-stream", stream, "--lobby-key", key, "--key",
                            str(public), "--name", "wide", status=2)
        self.assertIn(f"chmod 600: {public}_secret", wide.stderr)


if __name__ == "__main__":
    unittest.main()
