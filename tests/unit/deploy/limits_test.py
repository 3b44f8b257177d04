"""limits_test.py: limits that the pages for operators name are the settings' defaults, and everything that is bounded is named."""
import json
import os
import pathlib
import re
import unittest

ROOT = pathlib.Path(os.environ["ARBITER_SOURCE"])
SERVICES = ("lobby", "engine", "fanout", "watchdog", "gateway", "bot")
DEFAULTS = {name: json.loads((ROOT / f"configs/{name}.json").read_text()) for name in SERVICES}
PAGE = (ROOT / "deploy/monitoring/README.md").read_text()
ROW = re.compile(r"^\| (\w+) \| `(\w+)` \| ([\d,]+) \|", re.M)
# `tabs_max` (4,096): a setting and its default, as prose has it.
SAID = re.compile(r"`-{0,2}(\w+)`\s+\((\d[\d,]*)\)")


def number(text):
    return int(text.replace(",", ""))


def pages():
    return [page for folder in ("deploy", "services", "configs", "common") for page in (ROOT / folder).rglob("*.md")
            if "node_modules" not in page.parts] + [ROOT / "README.md"]


class Limits(unittest.TestCase):
    def test_the_table_has_the_defaults(self):
        rows = ROW.findall(PAGE)
        self.assertGreaterEqual(len(rows), 18)
        for service, setting, default in rows:
            self.assertEqual(DEFAULTS[service].get(setting), number(default), (service, setting))

    def test_the_table_has_every_bound(self):
        bounds = re.findall(r'BOUND\(\w+, "(\w+)"', (ROOT / "common/core/figures.h").read_text())
        self.assertGreaterEqual(len(bounds), 19)
        named = {setting for _, setting, _ in ROW.findall(PAGE)} | set(re.findall(r"`(replicas_\w+|\w+_per_minute)`", PAGE))
        self.assertEqual(set(bounds), named)

    def test_what_prose_says_of_a_setting_is_a_default(self):
        found = 0
        for page in pages():
            for setting, said in SAID.findall(page.read_text()):
                defaults = {values[setting] for values in DEFAULTS.values() if setting in values}
                found += bool(defaults)
                if defaults:
                    self.assertIn(number(said), defaults, (page, setting))
        self.assertGreaterEqual(found, 10)

    def test_a_directory_holds_what_the_pages_say(self):
        for page, pattern in (("deploy/README.md", r"directory of the lobby holds (\d+) services"),
                              ("deploy/CAPACITY.md", r"a directory fits (\d+) services"),
                              ("services/lobby/README.md", r"admitted keys and (\d+) services")):
            said = re.search(pattern, (ROOT / page).read_text())
            self.assertEqual(int(said[1]), DEFAULTS["lobby"]["services_max"], page)
        said = re.search(r"gateway takes ([\d,]+) connections, its default", (ROOT / "deploy/CAPACITY.md").read_text())
        self.assertEqual(number(said[1]), DEFAULTS["gateway"]["tabs_max"])


if __name__ == "__main__":
    unittest.main()
