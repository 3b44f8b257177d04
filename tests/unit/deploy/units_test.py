"""units_test.py: deploy/systemd: a service may do what its libraries need, is started again however often it dies, and is shut in alike."""
import configparser
import os
import pathlib
import re
import unittest

UNITS = pathlib.Path(os.environ["ARBITER_SOURCE"]) / "deploy" / "systemd"
# libzmq asks the kernel for its interfaces by the last one; without it no process of ours gets as far as its doors.
FAMILIES = {"AF_UNIX", "AF_INET", "AF_INET6", "AF_NETLINK"}


class Unit(configparser.RawConfigParser):
    """A unit's file; a key that stands there twice would be an error, and keys keep their capitals."""
    optionxform = staticmethod(str)

    def __init__(self, path):
        super().__init__(interpolation=None, delimiters=("=",), comment_prefixes=("#",), strict=True)
        self.read_string(path.read_text())


class Units(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        units = {path.name: Unit(path) for path in UNITS.glob("*.service")}
        cls.keys = units.pop("arbiter-keys.service")
        cls.units = units

    def each(self):
        self.assertEqual(len(self.units), 6)
        for name, unit in sorted(self.units.items()):
            with self.subTest(name):
                yield name, unit

    def test_a_process_may_open_the_sockets_it_needs(self):
        for _, unit in self.each():
            self.assertEqual(set(unit["Service"]["RestrictAddressFamilies"].split()), FAMILIES)

    def test_a_process_that_dies_is_started_again_however_often(self):
        for _, unit in self.each():
            self.assertEqual(unit["Service"]["Restart"], "always")
            self.assertEqual(unit["Unit"].get("StartLimitIntervalSec"), "0", "or the sixth death within ten seconds is the last")

    def test_a_process_that_stands_still_is_ended_and_started_again(self):
        for _, unit in self.each():
            said = unit["Service"]
            self.assertEqual((said.get("Type"), said.get("WatchdogSec"), said.get("WatchdogSignal"), said.get("TimeoutStartSec")),
                             ("notify", "30", "SIGKILL", "infinity"))
            self.assertEqual(unit["Unit"]["PartOf"], "arbiter.target")

    def test_settings_are_read_again_of_all_at_once_or_of_each(self):
        for _, unit in self.each():
            said = unit["Service"]
            self.assertIn(" --config /etc/arbiter", said["ExecStart"])
            self.assertEqual((said.get("ExecReload"), said.get("ConfigurationDirectory")), ('/bin/sh -c "kill -HUP $MAINPID"', "arbiter"))
            self.assertEqual(unit["Unit"].get("ReloadPropagatedFrom"), "arbiter.target", "which then can be reloaded itself")

    def test_all_are_shut_in_alike(self):
        own = {"ExecStart", "StateDirectory"}
        said = [{key: value for key, value in unit["Service"].items() if key not in own} for _, unit in self.each()]
        for other in said[1:]:
            self.assertEqual(other, said[0])

    def test_the_one_that_makes_keys_is_shut_in_like_the_others_and_has_no_network(self):
        keys, engine = self.keys["Service"], self.units["arbiter-engine.service"]["Service"]
        self.assertEqual(self.keys["Unit"].get("StartLimitIntervalSec"), "0", "each service that is started again asks for it")
        self.assertEqual((keys["PrivateNetwork"], keys["RestrictAddressFamilies"]), ("yes", "AF_UNIX"))
        for key, value in engine.items():
            if re.match("Protect|Private|System|Restrict(Names|Real|SUID)|Lock|Memory|NoNew|Capab|UMask|User|Group", key):
                self.assertEqual(keys.get(key), value, key)


if __name__ == "__main__":
    unittest.main()
