"""backup_test.py: a home is backed up while it runs, laid out elsewhere, and nothing is ever written over."""
import fcntl
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import tempfile
import unittest

ARBITER = str(pathlib.Path(os.environ["ARBITER_BUILD"]) / "arbiter")
ENV = dict(os.environ, ARBITER_CONFIGS=str(pathlib.Path(os.environ["ARBITER_SOURCE"]) / "configs"))


def arbiter(*words):
    return subprocess.run([ARBITER, *map(str, words)], env=ENV, stdin=subprocess.DEVNULL, capture_output=True, text=True)


class Backup(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="backup-")
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.home = cls.folder / "home"
        cls.up = cls.start(cls.home)
        played = arbiter("bot", "nim", "--home", cls.home, "--name", "Ada", "--show", "--ascii")
        cls.match = re.search(r"arbiter watch ([0-9a-f]{32})", played.stdout)[1]
        cls.first = arbiter("backup", cls.folder / "first", "--home", cls.home)

    @classmethod
    def tearDownClass(cls):
        cls.stop(cls.up)
        cls.temporary.cleanup()

    @staticmethod
    def start(home):
        up = subprocess.Popen([ARBITER, "up", "--home", home, "--http", "0"], stdout=subprocess.PIPE, text=True, env=ENV)
        while "bot-1" not in (line := up.stdout.readline()):
            assert line, "arbiter up has ended"
        return up

    @staticmethod
    def stop(up):
        up.send_signal(signal.SIGTERM)
        up.communicate()

    def test_a_restored_house_runs_and_knows_its_matches_and_players(self):
        self.assertEqual(self.first.returncode, 0, self.first.stderr)
        home = self.folder / "restored"
        done = arbiter("restore", self.folder / "first", "--home", home)
        self.assertEqual(done.returncode, 0, done.stderr)
        up = self.start(home)
        try:
            file = self.folder / "it.match"
            self.assertEqual(arbiter("match", "export", self.match, file, "--home", home).returncode, 0)
            self.assertEqual(arbiter("verify", file).returncode, 0)
            again = arbiter("bot", "nim", "--home", home, "--name", "Ada")  # Her key is the one the lobby knows.
            self.assertEqual(again.returncode, 0, again.stderr)
            busy = arbiter("restore", self.folder / "first", "--home", home)
            self.assertEqual(busy.returncode, 3)
            self.assertIn("runs in", busy.stderr)
        finally:
            self.stop(up)
        there = arbiter("restore", self.folder / "first", "--home", home)
        self.assertEqual(there.returncode, 3)
        self.assertIn("not empty", there.stderr)

    def test_the_manifest_names_every_file_and_all_is_private(self):
        folder = self.folder / "first"
        manifest = json.loads((folder / "backup.json").read_text())
        named = {file["path"] for file in manifest["files"]}
        there = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} - {"backup.json"}
        self.assertEqual(named, there)
        self.assertLess({"data/engine/journal.db", "data/lobby/lobby.db", "keys/lobby.key", "keys/player-ada.key"}, named)
        for path in folder.rglob("*"):
            self.assertEqual(path.stat().st_mode & 0o077 if path.name != "backup.json" else 0, 0, path)

    def test_settings_are_in_it_in_a_list_that_older_builds_pass_over(self):
        settings, folder, home = self.home / "config/engine.json", self.folder / "eleventh", self.folder / "eleventh-home"
        settings.write_text('{"log_level": "debug"}')
        self.addCleanup(settings.unlink)
        done = arbiter("backup", folder, "--home", self.home)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Not in it, so keep copies: certificates", done.stdout)
        manifest = json.loads((folder / "backup.json").read_text())
        self.assertEqual([file["path"] for file in manifest["settings"]], ["config/engine.json"])
        self.assertEqual([file for file in manifest["files"] if not re.match("data/|keys/", file["path"])], [])
        self.assertEqual(arbiter("restore", folder, "--home", home).returncode, 0)
        self.assertEqual((home / "config/engine.json").read_text(), '{"log_level": "debug"}')
        del manifest["settings"]   # As older builds write it, and as they read this one.
        (folder / "backup.json").write_text(json.dumps(manifest))
        done = arbiter("restore", folder, "--home", self.folder / "eleventh-older")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse((self.folder / "eleventh-older/config/engine.json").exists())

    def test_a_name_that_restore_would_refuse_is_refused_at_once(self):
        for at, name in enumerate((b"bell\a.json", b"latin\xe4.json")):
            with self.subTest(name):
                settings = pathlib.Path(os.fsdecode(os.fsencode(self.home / "config") + b"/" + name))
                settings.write_text("{}")
                self.addCleanup(settings.unlink, missing_ok=True)
                done = arbiter("backup", self.folder / f"named-{at}", "--home", self.home)
                settings.unlink()
                self.assertEqual(done.returncode, 3)
                self.assertIn("no list of files can hold", done.stderr)
                self.assertFalse((self.folder / f"named-{at}/backup.json").exists())

    def test_a_backup_is_not_written_over(self):
        again = arbiter("backup", self.folder / "first", "--home", self.home)
        self.assertEqual(again.returncode, 3)
        self.assertIn("name a new folder", again.stderr)

    def test_what_was_broken_off_is_begun_again(self):
        folder = self.folder / "second"
        self.assertEqual(arbiter("backup", folder, "--home", self.home).returncode, 0)
        (folder / "backup.json").unlink()  # As if it had been killed just before.
        refused = arbiter("restore", folder, "--home", self.folder / "never")
        self.assertEqual(refused.returncode, 3)
        self.assertIn("never finished", refused.stderr)
        self.assertEqual(arbiter("backup", folder, "--home", self.home).returncode, 0)
        self.assertEqual(arbiter("restore", folder, "--home", self.folder / "second-home").returncode, 0)

    def test_one_changed_byte_is_found_and_the_rest_is_not_copied_twice(self):
        folder, home = self.folder / "third", self.folder / "third-home"
        self.assertEqual(arbiter("backup", folder, "--home", self.home).returncode, 0)
        journal = folder / "data/lobby/lobby.db"
        whole = journal.read_bytes()
        journal.write_bytes(whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:])
        spoiled = arbiter("restore", folder, "--home", home)
        self.assertEqual(spoiled.returncode, 3)
        self.assertIn("lobby.db is not what was backed up", spoiled.stderr)
        self.assertFalse(home.exists())
        journal.write_bytes(whole)
        mended = arbiter("restore", folder, "--home", home)
        self.assertEqual(mended.returncode, 0, mended.stderr)
        self.assertIn("laid there before", mended.stdout)

    def test_what_another_backup_left_there_is_taken_away(self):
        folder, home = self.folder / "sixth", self.folder / "sixth-home"
        self.assertEqual(arbiter("backup", folder, "--home", self.home).returncode, 0)
        left = self.folder / "sixth-home.restoring/data/engine"
        left.mkdir(parents=True)
        for name in ("journal.db-wal", "other.db", "journal.db.part"):
            (left / name).write_bytes(b"of another moment")
        done = arbiter("restore", folder, "--home", home)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([file.name for file in (home / "data/engine").iterdir()], ["journal.db"])

    def test_a_place_that_leads_to_another_disk_is_used_there(self):
        folder, home, disk = self.folder / "tenth", self.folder / "tenth-home", self.folder / "disk"
        self.assertEqual(arbiter("backup", folder, "--home", self.home).returncode, 0)
        (disk / "data/engine").mkdir(parents=True)
        (disk / "data/engine/other.db").write_bytes(b"of another moment")
        (self.folder / "tenth-home.restoring").symlink_to(disk)
        done = arbiter("restore", folder, "--home", home)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(home.is_symlink())
        self.assertEqual([file.name for file in (disk / "data/engine").iterdir()], ["journal.db"])

    def restored(self, home, cwd=None):
        done = subprocess.run([ARBITER, "restore", self.folder / "first", "--home", home], env=ENV, cwd=cwd, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_a_home_may_be_named_in_any_way(self):
        self.restored(f"{self.folder}/slash/")
        self.assertTrue((self.folder / "slash/keys/lobby.key").is_file())
        here = self.folder / "here"
        here.mkdir()
        self.assertIn(f"up --home {here}\n", self.restored(".", cwd=here))
        self.assertTrue((here / "keys/lobby.key").is_file())
        self.restored("below/it", cwd=self.folder)
        self.assertTrue((self.folder / "below/it/keys/lobby.key").is_file())
        (self.folder / "elsewhere").mkdir()
        (self.folder / "link").symlink_to("elsewhere")
        self.restored(self.folder / "link")
        self.assertTrue((self.folder / "elsewhere/keys/lobby.key").is_file())
        self.assertEqual(list(self.folder.rglob("*.restoring")), [])

    def test_what_cannot_get_its_name_is_not_copied(self):
        (self.folder / "dangling").symlink_to("nowhere/at/all")
        refused = arbiter("restore", self.folder / "first", "--home", self.folder / "dangling")
        self.assertEqual(refused.returncode, 3)
        self.assertIn("name another folder with --home", refused.stderr)
        self.assertFalse((self.folder / "dangling.restoring").exists())

    def test_two_in_one_folder_do_not_mix_their_moments(self):
        folder = self.folder / "seventh"
        folder.mkdir()
        hold = os.open(folder, os.O_RDONLY)
        fcntl.flock(hold, fcntl.LOCK_EX)
        second = arbiter("backup", folder, "--home", self.home)
        os.close(hold)
        self.assertEqual(second.returncode, 3)
        self.assertIn(f"another backup or restore is running in {folder}", second.stderr)
        self.assertEqual(list(folder.iterdir()), [])
        self.assertEqual(arbiter("backup", folder, "--home", self.home).returncode, 0)

    def test_what_cannot_be_written_is_said(self):
        folder, home = self.folder / "ninth", self.folder / "ninth-home"
        self.assertEqual(arbiter("backup", folder, "--home", self.home).returncode, 0)
        least = min(file.stat().st_size for file in folder.rglob("*.db"))

        def narrow():   # As on a disk that is full.
            resource.setrlimit(resource.RLIMIT_FSIZE, (least - 1, least - 1))
        full = subprocess.run([ARBITER, "restore", folder, "--home", home], env=ENV, capture_output=True, text=True, preexec_fn=narrow)
        self.assertEqual(full.returncode, 3)
        self.assertRegex(full.stderr, r"\.db cannot be copied to .*ninth-home.restoring/data/\w+/\w+\.db: File too large\.\n$")
        self.assertEqual(list(self.folder.glob("ninth-home.restoring/data/*/*")), [])
        self.assertEqual(arbiter("restore", folder, "--home", home).returncode, 0)

    def test_whoever_may_not_read_it_is_told_so(self):
        folder = self.folder / "eighth"
        self.assertEqual(arbiter("backup", folder, "--home", self.home).returncode, 0)
        folder.chmod(0)
        self.addCleanup(folder.chmod, 0o700)
        self.folder.chmod(0o755)   # A stranger gets that far.
        before = (lambda: os.setuid(65534)) if os.geteuid() == 0 else None
        refused = subprocess.run([ARBITER, "restore", folder, "--home", self.folder / "eighth-home"], env=ENV, cwd="/",
                                 capture_output=True, text=True, preexec_fn=before)
        self.assertEqual(refused.returncode, 3)
        self.assertIn("backup.json cannot be read: Permission denied", refused.stderr)

    def test_paths_lead_nowhere_else(self):
        folder = self.folder / "fourth"
        self.assertEqual(arbiter("backup", folder, "--home", self.home).returncode, 0)
        manifest = json.loads((folder / "backup.json").read_text())
        manifest["files"][0]["path"] = "data/../../outside"
        (folder / "backup.json").write_text(json.dumps(manifest))
        refused = arbiter("restore", folder, "--home", self.folder / "fourth-home")
        self.assertEqual(refused.returncode, 3)
        self.assertFalse((self.folder / "outside").exists())

    def test_what_is_no_home_is_named(self):
        refused = arbiter("backup", self.folder / "fifth", "--home", self.folder / "nowhere")
        self.assertEqual(refused.returncode, 3)
        self.assertIn("nowhere/data", refused.stderr)


if __name__ == "__main__":
    unittest.main()
