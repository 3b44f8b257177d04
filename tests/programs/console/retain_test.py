"""retain_test.py: finished matches leave the journal of a house that runs, as files that verify, and nothing else does."""
import os
import pathlib
import re
import signal
import sqlite3
import subprocess
import tempfile
import time
import unittest

ARBITER = str(pathlib.Path(os.environ["ARBITER_BUILD"]) / "arbiter")
ENV = dict(os.environ, ARBITER_CONFIGS=str(pathlib.Path(os.environ["ARBITER_SOURCE"]) / "configs"))
PATIENCE_S = 60
HEARD = 2  # enum journal_state.


def arbiter(*words):
    return subprocess.run([ARBITER, *map(str, words)], env=ENV, stdin=subprocess.DEVNULL, capture_output=True, text=True)


class Retain(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="retain-")))
        self.home = self.folder / "home"
        self.journal = self.home / "data/engine/journal.db"
        self.up = subprocess.Popen([ARBITER, "up", "--home", self.home, "--http", "0"], stdout=subprocess.PIPE, text=True, env=ENV)
        self.addCleanup(self.stop)
        while "bot-1" not in (line := self.up.stdout.readline()):
            assert line, "arbiter up has ended"

    def stop(self):
        if self.up.poll() is None:
            self.up.send_signal(signal.SIGTERM)
            self.up.communicate()

    def play(self, name):
        said = arbiter("bot", "nim", "--home", self.home, "--name", name, "--show", "--ascii")
        self.assertEqual(said.returncode, 0, said.stderr)
        return re.search(r"arbiter watch ([0-9a-f]{32})", said.stdout)[1]

    def ask(self, question, *values):
        base = sqlite3.connect(self.journal, timeout=10)
        with base:
            rows = base.execute(question, values).fetchall()
        base.close()
        return rows

    def forget_live(self, *matches):
        """As the engine does ten minutes after the end; it does not look at the row any more until then."""
        end = time.monotonic() + PATIENCE_S
        for match in matches:
            while self.ask("SELECT state FROM live WHERE match_id = ?", bytes.fromhex(match)) != [(HEARD,)]:
                self.assertLess(time.monotonic(), end)
                time.sleep(0.05)
            self.ask("DELETE FROM live WHERE match_id = ?", bytes.fromhex(match))

    def wait_until_over(self, match):
        end = time.monotonic() + PATIENCE_S
        while not self.ask("SELECT 1 FROM results WHERE match_id = ?", bytes.fromhex(match)):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    def rows_of(self, match):
        return {table: len(self.ask(f"SELECT 1 FROM {table} WHERE match_id = ?", bytes.fromhex(match)))
                for table in ("matches", "acts", "seats", "results")}

    def retain(self, *words, code=0):
        said = arbiter("retain", "--home", self.home, *words)
        self.assertEqual(said.returncode, code, said.stderr + said.stdout)
        return said.stdout + said.stderr

    def test_they_leave_as_files_by_age_and_by_size_while_the_house_runs(self):
        first, second, third = (self.play(name) for name in ("Ada", "Bob", "Cleo"))
        for match in (first, second, third):
            self.wait_until_over(match)
        self.assertIn("0 of 3 finished matches", self.retain("--older", 0, "--delete"))  # They linger.
        self.forget_live(first, second)
        self.ask("UPDATE results SET over_ms = over_ms - 864000000 WHERE match_id = ?", bytes.fromhex(first))
        self.assertIn("1 of 3 finished matches", self.retain("--older", 5, "--dry-run"))
        self.assertGreater(self.rows_of(first)["acts"], 0)
        files = self.folder / "files"
        self.assertIn("1 of 3 finished matches", self.retain("--older", 5, "--to", files))
        self.assertEqual(self.rows_of(first), {"matches": 0, "acts": 0, "seats": 0, "results": 0})
        self.assertEqual([file.name for file in files.iterdir()], [f"{first}.match"])
        self.assertEqual(arbiter("verify", files / f"{first}.match").returncode, 0)
        before = self.rows_of(third)
        self.assertIn("0 of 2 finished matches", self.retain("--keep", 1000, "--delete"))
        self.assertIn("1 of 2 finished matches", self.retain("--keep", 0, "--delete"))  # The third one lingers.
        self.assertEqual(self.rows_of(second)["acts"], 0)
        self.assertEqual(self.rows_of(third), before)
        self.wait_until_over(self.play("Dora"))  # The engine goes on.
        self.stop()
        self.assertEqual(self.up.returncode, 0)
        self.assertEqual(self.ask("PRAGMA integrity_check"), [("ok",)])

    def test_a_file_that_does_not_verify_keeps_its_match(self):
        match = self.play("Ada")
        self.wait_until_over(match)
        self.forget_live(match)
        self.ask("UPDATE acts SET body = x'00' WHERE match_id = ? AND number = 2", bytes.fromhex(match))
        before = self.rows_of(match)
        said = self.retain("--older", 0, "--to", self.folder / "files", code=3)
        self.assertIn("stays in the journal", said)
        self.assertEqual(self.rows_of(match), before)

    def test_it_wants_to_be_told_what_and_how(self):
        self.assertIn("--older", self.retain("--delete", code=2))
        self.assertIn("--to DIR", self.retain("--older", 3, code=2))
        self.assertIn("--to DIR", self.retain("--older", 3, "--to", self.folder, "--delete", code=2))


if __name__ == "__main__":
    unittest.main()
