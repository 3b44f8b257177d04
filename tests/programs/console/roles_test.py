"""roles_test.py: a house whose roles have folders of their own, as containers and units run it, is looked after like any other:
backed up while it runs, restored, thinned out, asked for a match, and looked at by the doctor."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

BUILD, SOURCE = (pathlib.Path(os.environ[name]) for name in ("ARBITER_BUILD", "ARBITER_SOURCE"))
UNITS = SOURCE / "deploy/systemd"
ARBITER = str(BUILD / "arbiter")
ENV = dict(os.environ, ARBITER_CONFIGS=str(SOURCE / "configs"))
STORES = {"data/lobby/lobby.db", "data/engine/engine-1/journal.db", "data/gateway/gateway-1/gateway.db"}
PATIENCE_S = 60


def arbiter(*words):
    return subprocess.run([ARBITER, *map(str, words)], env=ENV, stdin=subprocess.DEVNULL, capture_output=True, text=True)


class House:
    """Its processes, started by the command lines of deploy/systemd; sockets and folders are its own."""

    def __init__(self, folder, has_keys=False):
        self.folder, self.children = folder, []
        if not has_keys:
            self.run("arbiter-keys.service").wait()

    def run(self, unit):
        text = (UNITS / unit).read_text().replace("%i", "1")
        for place in re.search(r"^StateDirectory=(.*)$", text, re.M)[1].split():
            (self.folder.parent / place.replace("arbiter", self.folder.name, 1)).mkdir(exist_ok=True)
        (self.folder / "config").mkdir(exist_ok=True)
        line = re.search(r"^ExecStart=(.*)$", text, re.M)[1]
        for there, here in (("/usr/local/bin", BUILD), ("/var/lib/arbiter", self.folder), ("127.0.0.1:8081", "127.0.0.1:*"), ("/etc/arbiter", self.folder / "config"),
                            ("tcp://127.0.0.1:7000", f"ipc://{self.folder}/lobby"), ("tcp://127.0.0.1:7001", f"ipc://{self.folder}/lobby.stream")):
            line = line.replace(there, str(here))
        return subprocess.Popen(line.split(), env=ENV, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, umask=0o077)

    def start(self):
        wanted = re.findall(r"arbiter-[a-z]+(?:@1)?\.service", (UNITS / "arbiter.target").read_text())
        assert len(wanted) == 6, wanted
        self.children += [self.run(unit.replace("@1", "@")) for unit in wanted]

    def stop(self):
        for child in self.children:
            child.send_signal(signal.SIGTERM)
        for child in self.children:
            child.wait()
        self.children = []

    def doctor(self):
        said = arbiter("doctor", "--json", "--home", self.folder)
        return said.returncode, json.loads(said.stdout)["findings"]

    def wait_until_well(self):
        """All that keep something have it open by then."""
        end = time.monotonic() + PATIENCE_S
        while True:
            code, findings = self.doctor()
            whats = [finding["what"] for finding in findings]
            is_whole = any("6 services are listed, engines own 256 of 256" in what for what in whats)
            if code == 0 and is_whole and sum("is sound" in what for what in whats) == len(STORES):
                return whats
            assert time.monotonic() < end, findings
            time.sleep(0.2)


class Roles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="roles-")))
        (cls.folder / "house").mkdir(mode=0o700)
        cls.house = House(cls.folder / "house")
        cls.addClassCleanup(cls.house.stop)
        cls.house.start()
        cls.whats = cls.house.wait_until_well()

    def test_it_is_backed_up_restored_and_looked_at(self):
        self.assertIn("81 keys of services: private, whole, roles admitted", self.whats)
        copy = self.folder / "copy"
        said = arbiter("backup", copy, "--home", self.house.folder)
        self.assertEqual(said.returncode, 0, said.stderr)
        named = {file["path"] for file in json.loads((copy / "backup.json").read_text())["files"]}
        self.assertLess(STORES | {"keys/lobby/lobby.key", "keys/engine/engine-2.key", "keys/console/keys/console.key",
                                  "keys/console/run/doors", "keys/lobby/admitted"}, named)
        again = House(self.folder / "again", has_keys=True)
        said = arbiter("restore", copy, "--home", again.folder)
        self.assertEqual(said.returncode, 0, said.stderr)
        # Where the lobby is stands in the operator's home; elsewhere it is another socket.
        doors = again.folder / "keys/console/run/doors"
        doors.write_text(doors.read_text().replace(str(self.house.folder), str(again.folder)))
        self.addCleanup(again.stop)
        again.start()
        again.wait_until_well()

    def test_the_doctor_finds_what_is_wrong_with_a_roles_key(self):
        keys = self.house.folder / "keys"
        (keys / "engine/engine-2.key").chmod(0o644)
        (keys / "bot").rename(keys / "away")
        code, findings = self.house.doctor()
        (keys / "away").rename(keys / "bot")
        (keys / "engine/engine-2.key").chmod(0o600)
        wrong = [finding["what"] for finding in findings if finding["level"] == "wrong" and finding["check"] == "keys"]
        self.assertEqual((code, len(wrong)), (1, 2), findings)
        self.assertTrue(any("engine-2.key" in what for what in wrong) and "there is no key in keys/bot" in wrong, wrong)

    def test_a_second_engine_with_files_of_its_own_is_turned_away(self):
        keys, data = self.house.folder / "keys", self.house.folder / "data/engine"
        second = subprocess.run([BUILD / "arbiter-engine", "--keys", keys / "engine", "--data", data, "--lobby", f"ipc://{self.house.folder}/lobby"],
                                env=ENV, cwd=self.house.folder, capture_output=True, text=True, timeout=PATIENCE_S)
        self.assertEqual(second.returncode, 1)
        self.assertIn(f"{data}: another process keeps something in it", second.stderr)
        self.assertEqual([path.name for path in data.iterdir()], ["engine-1"])

    def test_its_journal_is_found(self):
        home = self.house.folder
        dry = arbiter("retain", "--home", home, "--older", 0, "--dry-run")
        self.assertEqual((dry.returncode, dry.stdout.startswith("0 of 0 finished")), (0, True), dry.stderr)
        self.assertIn("no such match", arbiter("match", "export", "0" * 32, self.folder / "none", "--home", home).stderr)
        (home / "data/engine/engine-2").mkdir()
        (home / "data/engine/engine-2/journal.db").touch()
        self.assertIn("several keep something below", arbiter("retain", "--home", home, "--older", 0, "--dry-run").stderr)
        shutil.rmtree(home / "data/engine/engine-2")


if __name__ == "__main__":
    unittest.main()
