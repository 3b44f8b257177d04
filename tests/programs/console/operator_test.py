"""operator_test.py: keys are made, let in and turned away again, through the program and a real lobby."""
import contextlib
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request

ARBITER = str(pathlib.Path(os.environ["ARBITER_BUILD"]) / "arbiter")
ROOT = pathlib.Path(os.environ["ARBITER_SOURCE"])


def arbiter(*words):
    env = dict(os.environ, ARBITER_CONFIGS=str(ROOT / "configs"))
    return subprocess.run([ARBITER, *words], env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)


class Operator(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="operator-")
        cls.home = cls.folder.name + "/home"
        cls.up = subprocess.Popen([ARBITER, "up", "--home", cls.home, "--http", "0"], stdout=subprocess.PIPE, text=True,
                                  env=dict(os.environ, ARBITER_CONFIGS=str(ROOT / "configs")))
        cls.said = ""
        while "bot-1" not in cls.said:
            line = cls.up.stdout.readline()
            assert line, "arbiter up has ended"
            cls.said += line

    @classmethod
    def tearDownClass(cls):
        cls.up.send_signal(signal.SIGTERM)
        cls.up.communicate()
        cls.folder.cleanup()

    def key(self, name):
        made = arbiter("keygen", f"{self.folder.name}/{name}")
        self.assertEqual(made.returncode, 0, made.stderr)
        return made.stdout.strip()

    def test_whoever_is_admitted_is_told_what_to_type(self):
        told = arbiter("admit", self.key("told one"), "it's me", "--home", self.home).stdout
        self.assertRegex(told, r"^it's me is let in\.")
        words = shlex.split(told.splitlines()[1].replace("FILE", shlex.quote(f"{self.folder.name}/told one")))
        self.assertEqual(words[:3], [ARBITER, "play", "dead"])
        self.assertIn("it's me", arbiter("play", "nim", "--bots", "1", *words[3:]).stdout)
        self.assertEqual(arbiter("admit", self.key("silent"), "silent", "--role", "gateway", "--home", self.home).stdout, "")

    def watch(self, name):
        lobby, stream, key = (pathlib.Path(self.home) / "run/doors").read_text().split("\n")[:3]
        return arbiter("play", "nim", "--bots", "1", "--lobby", lobby, "--lobby-stream", stream, "--lobby-key", key,
                       "--key", f"{self.folder.name}/{name}", "--name", name)

    def metrics(self, token):
        http = re.search(r"http://[\d.:]+", self.said).group()
        asked = urllib.request.Request(f"{http}/metrics", headers={"Authorization": f"Bearer {token}"})
        try:
            with urllib.request.urlopen(asked) as answer:
                self.shown = answer.read().decode()
                return answer.status
        except urllib.error.HTTPError as refused:
            refused.close()
            return refused.code

    def page(self, token):
        self.assertEqual(self.metrics(token), 200)
        return self.shown

    def test_the_operators_page_has_a_token_that_stands_in_no_log(self):
        file = pathlib.Path(self.home) / "keys/operator.token"
        token = file.read_text().strip()
        self.assertRegex(token, r"^[0-9a-f]{48}$")
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)
        self.assertIn(f"#/house, with the token in {file}", self.said)
        self.assertEqual([self.metrics(one) for one in (token, "0" * 48)], [200, 401])
        logs = "".join(log.read_text(errors="replace") for log in (pathlib.Path(self.home) / "log").iterdir())
        self.assertNotIn(token, self.said + logs)

    def test_on_a_terminal_the_link_has_the_token_and_the_next_start_the_same(self):
        links = [self.link_on_a_terminal() for _ in range(2)]
        token = pathlib.Path(self.folder.name, "another/keys/operator.token").read_text().strip()
        self.assertEqual(links, [token, token])

    def link_on_a_terminal(self):
        ours, theirs = os.openpty()
        up = subprocess.Popen([ARBITER, "up", "--home", f"{self.folder.name}/another", "--http", "0"], stdout=theirs)
        os.close(theirs)
        said = b""
        while b"bot-1" not in said:
            said += os.read(ours, 4096)
        up.send_signal(signal.SIGTERM)
        with open(ours, "rb", buffering=0) as rest, contextlib.suppress(OSError):  # A terminal's end is an error.
            while rest.read(4096):
                pass
        up.wait()
        return re.search(rb"http://[\d.:]+/#/house/(\w+)", said).group(1).decode()

    def test_a_key_is_private_and_never_written_over(self):
        self.assertEqual(len(self.key("first")), 40)
        self.assertEqual(os.stat(f"{self.folder.name}/first").st_mode & 0o777, 0o600)
        again = arbiter("keygen", f"{self.folder.name}/first")
        self.assertEqual(again.returncode, 3)
        self.assertIn("first", again.stderr)

    def test_whoever_is_admitted_may_play(self):
        self.assertEqual(arbiter("admit", self.key("guest"), "guest", "--home", self.home).returncode, 0)
        self.assertIn("guest", self.watch("guest").stdout)

    def test_a_match_that_goes_on_can_be_ended(self):
        player = subprocess.Popen([ARBITER, "play", "nim", "--bots", "1", "--home", self.home, "--name", "victim"],
                                  env=dict(os.environ, ARBITER_CONFIGS=str(ROOT / "configs")),
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        said, match = "", None
        while match is None:
            said = player.stdout.readline()
            match = re.search(r"arbiter watch ([0-9a-f]{32})", said)
        ended = arbiter("match", "abort", match[1], "--reason", "the house closes", "--home", self.home)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertTrue(any("the house closes" in line for line in player.stdout), "the player was not told")
        player.communicate()
        again = arbiter("match", "abort", match[1], "--home", self.home)
        self.assertEqual(again.returncode, 1)
        self.assertIn("the lobby refuses", again.stderr)

    def test_whoever_is_turned_away_again_is_named(self):
        key = self.key("gone")
        self.assertEqual(arbiter("admit", key, "gone one", "--home", self.home).returncode, 0)
        told = arbiter("admit", key, "gone one", "--revoke", "--home", self.home)
        self.assertEqual((told.returncode, told.stdout), (0, f"gone one is not let in any more: {key}\n"), told.stderr)

    def test_a_reason_that_is_too_long_is_not_asked_with(self):
        for words in (("match", "abort", "0" * 32), ("player", "ban", "nobody at all")):
            refused = arbiter(*words, "--reason", "é" * 61, "--home", self.home)
            self.assertEqual(refused.returncode, 2, refused.stderr)
            self.assertIn("--reason has 122 bytes, and 120 are the most", refused.stderr)
            most = arbiter(*words, "--reason", "é" * 60, "--home", self.home)
            self.assertEqual(most.returncode, 1, most.stderr)   # It gets as far as the lobby.

    def test_what_forgetting_means_is_said(self):
        told = " ".join(arbiter("help", "player").stdout.split())
        self.assertIn("forget: removes the name from the lobby", told)
        self.assertIn("The player leaves every table.", told)
        self.assertIn("cannot be undone", told)
        self.assertNotIn("plays on without one", told)

    def test_nobody_is_called_silent_who_has_not_been_asked(self):
        top = subprocess.Popen([ARBITER, "top", "--json", "--home", self.home], stdout=subprocess.PIPE, text=True)
        first = {service["name"]: service["state"] for service in json.loads(top.stdout.readline())["services"]}
        self.assertLessEqual(set(first.values()), {"well", "listed"}, first)   # No line before all have been asked.
        while any(service["state"] == "asking" for service in json.loads(top.stdout.readline())["services"]):
            pass
        top.send_signal(signal.SIGINT)
        top.communicate()

    def test_what_is_no_match_is_named(self):
        refused = arbiter("match", "abort", "nonsense", "--home", self.home)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("nonsense", refused.stderr)
        self.assertEqual(arbiter("match", "hug", "0" * 32).returncode, 2)

    def test_what_is_no_key_is_named(self):
        refused = arbiter("admit", "nonsense", "nobody", "--home", self.home)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("nonsense", refused.stderr)

    def test_what_makes_no_sense_beside_a_deed_is_said(self):
        for deed in ("unban", "unmute", "forget", "erase"):
            refused = arbiter("player", deed, "nobody at all", "--for", "60", "--home", self.home)
            self.assertEqual((refused.returncode, refused.stderr.strip()), (2, f"arbiter: --for is for ban and mute, not for {deed}."), deed)
        refused = arbiter("announce", "--undo", "--in", "10", "--home", self.home)
        self.assertEqual((refused.returncode, refused.stderr.strip()), (2, "arbiter: --in is for an announcement, not for --undo."))

    def test_nobody_can_be_banned_who_is_not_there(self):
        refused = arbiter("player", "ban", "nobody at all", "--home", self.home)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("the lobby refuses", refused.stderr)

    def test_a_player_may_be_banned_taken_back_and_forgotten(self):
        self.assertEqual(arbiter("admit", self.key("rude"), "rude", "--home", self.home).returncode, 0)
        self.assertIn("rude", self.watch("rude").stdout)
        self.assertEqual(arbiter("player", "ban", "rude", "--home", self.home).returncode, 0)
        self.assertEqual(arbiter("player", "unban", "rude", "--home", self.home).returncode, 0)
        self.assertEqual(arbiter("player", "forget", "rude", "--home", self.home).returncode, 0)
        self.assertEqual(arbiter("player", "forget", "rude", "--home", self.home).returncode, 1)

    def audit(self, *words):
        told = arbiter("audit", "--json", *words, *(() if words else ("--home", self.home)))
        self.assertEqual(told.returncode, 0, told.stderr)
        return json.loads(told.stdout)

    def doors(self):
        lobby, stream, key = (pathlib.Path(self.home) / "run/doors").read_text().split("\n")[:3]
        return ("--lobby", lobby, "--lobby-stream", stream, "--lobby-key", key)

    def test_a_helper_mutes_and_bans_for_a_day_and_each_deed_is_in_the_audit(self):
        eve = self.key("eve")
        told = arbiter("admit", eve, "eve", "--role", "helper", "--home", self.home).stdout
        self.assertRegex(told, r"player mute NAME .*--key FILE")
        self.assertEqual(arbiter("admit", self.key("loud"), "loud", "--home", self.home).returncode, 0)
        self.watch("loud")
        helper = (*self.doors(), "--key", f"{self.folder.name}/eve")
        words = [("mute", "loud", "--reason", "Mind your words.", "--for", "60"), ("ban", "loud", "--for", "1500"),
                 ("ban", "loud", "--for", "10"), ("unban", "loud"), ("forget", "loud")]
        said = [arbiter("player", *deed, *helper) for deed in words]
        self.assertEqual([one.returncode for one in said], [0, 1, 0, 0, 1], [one.stderr for one in said])
        self.assertIn("A helper bans for at most a day", said[1].stderr)
        self.assertIn("A helper may not do this; the operator may.", said[4].stderr)
        deeds = [deed for deed in self.audit(*helper) if deed["key"] == eve]
        self.assertEqual([(deed["deed"], deed["outcome"]) for deed in reversed(deeds)],
                         [("mute", "done"), ("ban", "not allowed"), ("ban", "done"), ("unban", "done"), ("forget", "not allowed")])
        self.assertEqual({(deed["key_name"], deed["helper"], deed["player_name"]) for deed in deeds}, {("eve", True, "loud")})
        # The end is counted from when it was asked, and the deed from when the lobby heard it.
        self.assertAlmostEqual((deeds[-1]["until_ms"] - deeds[-1]["at_ms"]) / 1000, 3600, delta=60)
        self.assertEqual(arbiter("player", "forget", "loud", "--home", self.home).returncode, 0)
        by_operator, *rest = [deed for deed in self.audit() if deed.get("player") == deeds[0]["player"]]
        self.assertEqual((by_operator["deed"], by_operator["helper"], len(rest)), ("forget", False, 5))
        self.assertFalse(any("player_name" in deed for deed in [by_operator, *rest]))
        line = next(line for line in arbiter("audit", "--home", self.home).stdout.splitlines() if "Mind your words." in line)
        self.assertRegex(line, rf"^[-\d]+ [:\d]+  eve \(helper\)  mute {deeds[0]['player']} until [-\d]+ [:\d]+: done  # Mind your words\.$")
        self.assertEqual(self.audit("--home", self.home, "--since", "2999-01-01"), [])
        self.assertEqual(arbiter("audit", "--since", "yesterday").returncode, 2)

    def test_a_stop_is_announced_to_who_plays(self):
        player = subprocess.Popen([ARBITER, "play", "nim", "--bots", "1", "--home", self.home, "--name", "listener"],
                                  env=dict(os.environ, ARBITER_CONFIGS=str(ROOT / "configs")),
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        while "arbiter watch" not in (line := player.stdout.readline()):
            self.assertNotEqual(line, "", "it has ended, and never said how to watch")
        self.assertEqual(arbiter("announce", "We get new cards.", "--in", "10", "--home", self.home).returncode, 0)
        self.assertTrue(any("The house: In 10 minutes: We get new cards." in line for line in player.stdout))
        self.assertEqual(arbiter("announce", "--undo", "--home", self.home).returncode, 0)
        self.assertEqual([(deed["deed"], deed.get("text")) for deed in self.audit() if "announce" in deed["deed"]],
                         [("unannounce", None), ("announce", "We get new cards.")])
        self.assertEqual([arbiter("announce", *words).returncode for words in ((), ("a" * 201,), ("a", "--undo"))], [2, 2, 2])
        player.kill()
        player.communicate()

    def test_the_last_engine_is_not_drained(self):
        refused = arbiter("drain", "engine-1", "--home", self.home)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("engine-1 is the only engine", refused.stderr)
        top = json.loads(arbiter("top", "--once", "--json", "--home", self.home).stdout)
        self.assertNotIn("stopping", [service["state"] for service in top["services"] if service["name"] == "engine-1"])
        unknown = arbiter("drain", "engine-7", "--home", self.home)
        self.assertEqual(unknown.returncode, 1)
        self.assertIn("the lobby refuses", unknown.stderr)

    def test_every_metric_that_rules_and_dashboard_name_is_shown_by_a_house_that_runs(self):
        token = (pathlib.Path(self.home) / "keys/operator.token").read_text().strip()
        shown, end = "", time.monotonic() + 60
        while time.monotonic() < end and not ('role="engine"' in shown and 'role="fanout"' in shown and "arbiter_commit_seconds" in shown):
            shown = self.page(token)
            time.sleep(0.2)
        asked = "".join((ROOT / "deploy/monitoring" / name).read_text() for name in ("arbiter.rules.yml", "grafana.json"))
        names = set(re.findall(r"\barbiter_[a-z_]+", asked))
        self.assertGreater(len(names), 20)
        of_leases = {"arbiter_slots_unowned", "arbiter_slot_moves_total"}  # There are none with an embedded store.
        self.assertEqual({name for name in names if not re.search(rf"^{name}[{{ ]", shown, re.M)}, of_leases)

    def test_other_words_are_refused(self):
        self.assertEqual(arbiter("player", "hug", "rude", "--home", self.home).returncode, 2)


if __name__ == "__main__":
    unittest.main()
