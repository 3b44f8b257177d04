"""stack_test.py: deploy/stack.yml runs what docker-compose.yml runs, with the same words, and each role sees its own secrets alone."""
import os
import pathlib
import re
import unittest

import yaml

DEPLOY = pathlib.Path(os.environ["ARBITER_SOURCE"]) / "deploy"
KEEPS = ("lobby", "engine", "watchdog")   # In the database.
STORE = "--store postgresql://database/arbiter?user=arbiter"
# Secrets of a service: of its role, and of the database if it keeps something there.
SECRETS = {"lobby": {"lobby", "admitted", "pgpass"}, "engine": {"engine", "pgpass"}, "watchdog": {"watchdog", "pgpass"},
           "fanout": {"fanout"}, "gateway": {"gateway"}, "bot": {"bot"}, "door": set(), "database": {"database"}}


def read(name):
    """As compose reads it when nothing is set in the environment."""
    text = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", (DEPLOY / name).read_text())
    return yaml.safe_load(text.replace("${ARBITER_ADVERTISE:?say where clients outside find this machine}", "play.example"))


def words(service):
    command = service["command"]
    return command.split() if isinstance(command, str) else command


def pairs(service):
    """Program, and its options with their values, in no order."""
    said = words(service)
    return said[0], sorted(" ".join(pair) for pair in zip(said[1::2], said[2::2], strict=True))


def swarm(name, service):
    """What a service of the composition says, as the stack must say it."""
    said = " ".join(words(service))
    if name != "door":
        said = re.sub(r" --advertise :\d+", "", said)
        said = said.replace("--pulse /run/arbiter/pulse", "--pulse /tmp/pulse")
        said = said.replace(f"/keys/{name}/{name}.key", f"/run/secrets/{name}").replace(f"/keys/{name}/admitted", "/run/secrets/admitted")
        said = said.replace(f"--keys /keys/{name}", f"--keys /run/secrets/{name}")
    if name in KEEPS:
        said = re.sub(r" --data \S+", "", said) + f" {STORE}"
    return pairs({"command": said}) if name != "door" else said.split()


class Stack(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stack, cls.composition = read("stack.yml"), read("docker-compose.yml")
        cls.services = cls.stack["services"]

    def ours(self):
        return {name: service for name, service in self.services.items() if name != "database"}

    def test_it_runs_the_same_services(self):
        self.assertEqual(set(self.services) - {"database"}, set(self.composition["services"]) - {"keys", "console", "keeper"})

    def test_with_the_same_words(self):
        for name, service in self.ours().items():
            with self.subTest(name):
                said = pairs(service) if name != "door" else words(service)
                self.assertEqual(said, swarm(name, self.composition["services"][name]))
                for fact in ("image", "read_only", "cap_drop", "logging", "stop_grace_period"):
                    self.assertEqual(service[fact], self.composition["services"][name][fact], fact)
                self.assertEqual(service["deploy"]["resources"]["limits"]["memory"], self.composition["services"][name]["mem_limit"])

    def test_each_role_sees_its_own_secrets_alone(self):
        for name, service in self.services.items():
            with self.subTest(name):
                held = service.get("secrets", [])
                self.assertEqual({secret["source"] for secret in held}, SECRETS[name])
                for secret in held:
                    owner = "0" if name == "database" else "10001"
                    self.assertEqual((secret["uid"], secret["gid"], secret["mode"]), (owner, owner, 0o400), secret)
        self.assertEqual(set(self.stack["secrets"]), set().union(*SECRETS.values()))
        for name, secret in self.stack["secrets"].items():
            self.assertEqual(secret, {"file": f"./secrets/{name}", "name": f"arbiter-{name}-1"})

    def test_of_one_name_there_are_never_two(self):
        for name, service in self.ours().items():
            with self.subTest(name):
                deploy = service["deploy"]
                self.assertEqual(deploy["update_config"]["order"], "stop-first")
                self.assertEqual(deploy["rollback_config"]["order"], "stop-first")
                # One task that fails on the way back would leave the others at the build that does not run.
                self.assertEqual((deploy["update_config"]["failure_action"], deploy["rollback_config"]["failure_action"]), ("rollback", "continue"))
                self.assertEqual((deploy["update_config"]["parallelism"], deploy["endpoint_mode"]), (1, "dnsrr"))
                if name not in ("lobby", "door"):
                    self.assertEqual(service["hostname"], name + "-{{.Task.Slot}}")
                    self.assertGreater(deploy["replicas"], 1, "one is replaced while another works on")

    def test_one_port_is_open_and_of_each_machine(self):
        for name, service in self.services.items():
            ports = service.get("ports", [])
            self.assertEqual([(port["mode"], port["target"]) for port in ports], [("host", 8080)] if name == "door" else [], name)

    def test_the_fanout_for_outside_is_a_fanout(self):
        outside = read("docker-compose.outside.yml")["services"]
        other, fanout = outside["fanout-outside"], self.composition["services"]["fanout"]
        self.assertEqual(" ".join(words(other)), " ".join(words(fanout)) + " --advertise play.example:7030")
        self.assertEqual({key: value for key, value in other.items() if key not in ("ports", "command")},
                         {key: value for key, value in fanout.items() if key not in ("command", "scale")})
        for name, service in outside.items():
            said = " ".join(words(other) if name == "fanout-outside" else words(self.composition["services"][name]))
            opened = re.findall(r"--listen-\w+ tcp://0.0.0.0:(\d+)", said)
            self.assertEqual(service["ports"], [f"0.0.0.0:{port}:{port}" for port in opened], name)
            self.assertIn(f":{opened[0]}", re.search(r"--advertise (\S+)", said)[1], "the first door's port is said")


if __name__ == "__main__":
    unittest.main()
