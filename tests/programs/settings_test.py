"""settings_test.py: configs/SERVICE.json names every setting of the service, explains it, and changes nothing."""
import json
import os
import pathlib
import re
import subprocess
import unittest

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
# What each installation has of its own, and wishes that are no settings.
OF_ITS_OWN = {"name", "key", "lobby", "lobby_stream", "lobby_key", "data", "make_key", "check"}
VALUES = {"yes": True, "no": False}


def services():
    return sorted(main.parent.name for main in SOURCE.glob("services/*/main.c")
                  if main.parent.name != "console")


def run(service, *words):
    return subprocess.run([BUILD / f"arbiter-{service}", *words], capture_output=True, text=True)


def settings(service):
    """name: (sentence, value) as --help says them."""
    said = run(service, "--help").stdout
    found = re.findall(r"  --([a-z0-9-]+)(?: VALUE)?\n +(.*) Now: (.*)\.\n", said)
    return {name.replace("-", "_"): (about, VALUES[now] if now in VALUES else json.loads(now))
            for name, about, now in found}


class ServiceSettings(unittest.TestCase):
    def test_every_service_has_a_file_that_it_takes(self):
        self.assertIn("lobby", services())
        for service in services():
            done = run(service, "--config", SOURCE / "configs" / f"{service}.json", "--check")
            self.assertEqual((done.returncode, done.stderr), (0, ""), service)

    def test_every_setting_stands_there_with_its_sentence_and_its_default(self):
        for service in services():
            file = json.loads((SOURCE / "configs" / f"{service}.json").read_text())
            known = {name: of for name, of in settings(service).items() if name not in OF_ITS_OWN}
            self.assertGreater(len(known), 5)
            wanted = {}
            for name, (about, value) in known.items():
                wanted["#" + name] = about
                wanted[name] = value
            self.assertEqual(file, wanted, service)

    def test_no_two_settings_have_one_name(self):
        for service in services():  # The second one could never be set.
            names = re.findall(r"^  --([a-z0-9-]+)", run(service, "--help").stdout, re.M)
            self.assertEqual(sorted(names), sorted(set(names)), service)

    def test_a_fault_is_named_and_ends_it(self):
        for service in services():
            done = run(service, "--no-such-thing", "1", "--io-threads", "many", "--check")
            self.assertEqual(done.returncode, 1)
            self.assertIn("there is no option --no-such-thing", done.stderr)
            self.assertIn('--io-threads takes a whole number from 1 to 8, not "many"', done.stderr)

    def test_without_a_lobby_or_a_key_nothing_starts(self):
        for service in services():
            done = run(service)
            self.assertEqual(done.returncode, 1)
            self.assertIn("level=error", done.stderr)

    def test_every_service_says_what_it_is_and_what_it_speaks(self):
        for service in services():
            self.assertRegex(run(service, "--help").stdout, rf"^arbiter-{service}: \w.*\.\n\nusage: arbiter-{service} ")
            self.assertRegex(run(service, "--version").stdout, rf"^arbiter-{service} \d[.\d]+, protocol 2\b")
        self.assertRegex(run("engine", "--version").stdout, r"\brules: dead 1 (\w+ \d+ )*nim 1\b")


if __name__ == "__main__":
    unittest.main()
