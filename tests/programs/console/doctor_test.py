"""doctor_test.py: each thing that is wrong with a house is found, named and told how to mend; a well one is well."""
import json
import os
import pathlib
import resource
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
import unittest

from zmq import auth

ARBITER = str(pathlib.Path(os.environ["ARBITER_BUILD"]) / "arbiter")
ENV = dict(os.environ, ARBITER_CONFIGS=str(pathlib.Path(os.environ["ARBITER_SOURCE"]) / "configs"))
FILES = 5000  # More than the least, fewer than are good: a note.
RUNNING = ("a key for each role", "journal.db is sound", "every service answers", "256 of 256 slots")


def few_files():
    resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))


def some_files():
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))


def doctor(home, *words, before=some_files):
    said = subprocess.run([ARBITER, "doctor", "--json", "--home", home, *words], env=ENV, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, preexec_fn=before)
    return said, json.loads(said.stdout) if said.stdout else None


class Doctor(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="doctor-")
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.first = cls.folder / "home"
        up = cls.start(cls.first)
        end = time.monotonic() + 60
        cls.running = doctor(cls.first)  # At its start not every service is there yet; stores are looked at before services.
        while time.monotonic() < end and not (cls.running[0].returncode == 0 and all(words in cls.running[0].stdout for words in RUNNING)):
            cls.running = doctor(cls.first)
        cls.stop(up)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @staticmethod
    def start(home):
        up = subprocess.Popen([ARBITER, "up", "--home", home, "--http", "0"], stdout=subprocess.PIPE, text=True, env=ENV,
                              preexec_fn=some_files)
        while "bot-1" not in (line := up.stdout.readline()):
            assert line, "arbiter up has ended"
        return up

    @staticmethod
    def stop(up):
        up.send_signal(signal.SIGTERM)
        up.communicate()

    def setUp(self):
        self.home = self.folder / self.id().rsplit(".", 1)[1]
        shutil.copytree(self.first, self.home, ignore=shutil.ignore_patterns("run", "log"))
        (self.home / "run").mkdir(mode=0o700)

    def find(self, check, level, words, *options, **more):
        """One finding of this kind, which says these words and, unless all is well, what to do."""
        said, told = doctor(self.home, *options, **more)
        found = [finding for finding in told["findings"]
                 if (finding["check"], finding["level"]) == (check, level) and words in finding["what"]]
        self.assertEqual(len(found), 1, said.stdout)
        self.assertEqual(said.returncode, 0 if told["well"] else 1)
        self.assertEqual(told["well"], all(finding["level"] != "wrong" for finding in told["findings"]))
        return found[0]

    def test_a_house_that_runs_is_well(self):
        said, told = self.running
        self.assertEqual(said.returncode, 0, said.stdout)
        self.assertTrue(told["well"])
        whats = [finding["what"] for finding in told["findings"] if finding["level"] == "well"]
        for words in RUNNING:
            self.assertTrue(any(words in what for what in whats), words)
        notes = [finding["what"] for finding in told["findings"] if finding["check"] == "limits"]
        self.assertIn(f"engine may open {FILES} files; for thousands of players 65536 are better", notes)

    def test_a_house_that_stands_still_is_well(self):
        self.find("home", "note", "no \"arbiter up\" runs here")

    def test_a_key_that_others_may_read(self):
        os.chmod(self.home / "keys/engine.key", 0o644)
        self.assertIn("chmod", self.find("keys", "wrong", "engine.key")["what"])

    def test_a_key_whose_halves_do_not_belong_together(self):
        key = self.home / "keys/fanout.key"
        public, other = (auth.load_certificate(path)[0].decode() for path in (key, self.home / "keys/bot.key"))
        key.write_text(key.read_text().replace(public, other))
        self.find("keys", "wrong", "fanout.key")

    def test_a_key_that_is_gone(self):
        (self.home / "keys/watchdog.key").unlink()
        self.assertIn("backup", self.find("keys", "wrong", "watchdog.key")["remedy"])

    def test_a_key_that_nobody_admits(self):
        admitted = self.home / "keys/admitted"
        admitted.write_text("".join(line for line in admitted.read_text().splitlines(True) if " engine " not in line))
        self.assertIn("arbiter up", self.find("keys", "wrong", "keys/engine.key is not in keys/admitted")["remedy"])

    def test_a_store_of_a_newer_build(self):
        with sqlite3.connect(self.home / "data/engine/journal.db") as base:
            base.execute("PRAGMA user_version = 99")
        base.close()
        self.assertIn("newer build", self.find("store", "wrong", "journal.db has version 99")["remedy"])

    def test_a_store_that_is_damaged(self):
        base = sqlite3.connect(self.home / "data/lobby/lobby.db")
        base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        base.close()
        store = self.home / "data/lobby/lobby.db"
        store.write_bytes(store.read_bytes()[:4096] + b"x" * 8192)
        self.assertIn("restore the last backup", self.find("store", "wrong", "lobby.db")["remedy"])

    def test_a_log_that_cannot_be_moved(self):
        with open(self.home / "data/engine/journal.db-wal", "r+b") as log:
            log.truncate(300 << 20)  # Holes take no room.
        self.find("store", "warning", "the log of journal.db has 300 MiB")

    def test_a_home_that_others_may_look_into(self):
        os.chmod(self.home, 0o755)
        self.assertIn("700", self.find("home", "warning", "other users of this machine can read")["remedy"])
        self.assertEqual(doctor(self.home, "--strict")[0].returncode, 1)

    def test_a_clock_that_was_set_back(self):
        later = time.time() + 3600
        os.utime(self.home / "data/engine/journal.db", (later, later))
        self.find("clock", "warning", "set back")

    def test_few_files(self):
        self.assertIn("ulimit", self.find("limits", "warning", "may open 100 files", before=few_files)["remedy"])

    def test_a_lobby_that_does_not_answer(self):
        (self.home / "run/doors").write_text(f"ipc://{self.home}/run/nobody\nipc://{self.home}/run/no-stream\n" + "x" * 40 + "\n")
        self.assertIn("keys/console.key", self.find("services", "wrong", "does not answer")["remedy"])

    def test_a_service_that_stands_still(self):
        up = self.start(self.home)
        try:
            fanout = self.process_at(str(self.home / "run/fanout-1.history"))
            os.kill(fanout, signal.SIGSTOP)
            try:
                _, told = doctor(self.home)  # It does not beat, or, a little later, the directory has no fanout.
                self.assertTrue(any(finding["level"] == "wrong" and "fanout" in finding["what"] and finding["remedy"]
                                    for finding in told["findings"]), told)
            finally:
                os.kill(fanout, signal.SIGCONT)
        finally:
            self.stop(up)

    def process_at(self, door):
        """Who has this door among his words, which are his father's until his program is there."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            for entry in pathlib.Path("/proc").iterdir():
                if entry.name.isdigit() and door.encode() in self.words_of(entry):
                    return int(entry.name)
        return self.fail(f"nobody has the door {door}")

    @staticmethod
    def words_of(process):
        try:
            return (process / "cmdline").read_bytes()
        except OSError:
            return b""

    @unittest.skipUnless(os.geteuid() == 0, "only root gives files away")
    def test_a_store_that_somebody_else_put_there(self):
        os.chown(self.home / "data/engine/journal.db", 65534, 65534)
        self.assertIn("chown", self.find("store", "wrong", "journal.db belongs to user 65534")["remedy"])

    def test_a_home_of_somebody_else(self):
        self.home.chmod(0)
        self.addCleanup(self.home.chmod, 0o700)
        self.folder.chmod(0o755)
        found = self.find("home", "wrong", "may not read it", before=lambda: os.geteuid() == 0 and os.setuid(65534))
        self.assertIn("chown", found["remedy"])
        self.folder.chmod(0)
        try:
            said, told = doctor(self.home, before=lambda: os.geteuid() == 0 and os.setuid(65534))
        finally:
            self.folder.chmod(0o755)
        self.assertEqual((said.returncode, told), (3, None))
        self.assertIn("cannot be read by this user", said.stderr)

    def test_what_is_no_home(self):
        said, told = doctor(self.folder / "nowhere")
        self.assertEqual((said.returncode, told), (3, None))
        self.assertIn("there is no home", said.stderr)

    def test_it_can_be_read_by_people(self):
        os.chmod(self.home / "keys/engine.key", 0o644)
        said = subprocess.run([ARBITER, "doctor", "--home", self.home], env=ENV, capture_output=True, text=True)
        self.assertEqual(said.returncode, 1)
        self.assertRegex(said.stdout, r"(?m)^wrong   keys      .*engine\.key.*\n +-> restore it")


if __name__ == "__main__":
    unittest.main()
