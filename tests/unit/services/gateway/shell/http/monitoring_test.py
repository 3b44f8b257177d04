"""monitoring_test.py: every metric that the rules and the dashboard of deploy/monitoring name is one that a gateway shows,
with the labels it has, and every figure of the services is looked at by one of them or said to be beside."""
import json
import os
import pathlib
import re
import unittest

import yaml

ROOT = pathlib.Path(os.environ["ARBITER_SOURCE"])
SHELL = ROOT / "services/gateway/shell"
MONITORING = ROOT / "deploy/monitoring"
LABELS = {"role", "service", "setting", "le", "job", "instance"}  # The last two are Prometheus' own.
PARTS = ("_bucket", "_sum", "_count")                  # What a histogram is made of.
FIGURES = (ROOT / "common/core/figures.h").read_text()  # What services say of themselves.
BESIDE = set(re.findall(r'"(arbiter_[a-z_]+)"', FIGURES.split("#define FIGURES_BESIDE")[1]))
UNWATCHED = BESIDE | {"arbiter_beat_age_seconds", "arbiter_expiries_total", "arbiter_build_info"}


def shown():
    """Name -> kind, as the table of figures and the two files that print the page have them."""
    text = FIGURES + (SHELL / "http/web_metrics.c").read_text() + (SHELL / "http/web_pages.c").read_text()
    found = dict(re.findall(r'"(arbiter_[a-z_]+)",\s*"(gauge|counter)"', text))
    found.update({name: kind for name, kind in re.findall(r"# TYPE (arbiter_[a-z_]+) (histogram|gauge)", text)})
    return found


def expressions():
    """Every question of the rules and of the dashboard."""
    rules = yaml.safe_load((MONITORING / "arbiter.rules.yml").read_text())
    asked = [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    panels = json.loads((MONITORING / "grafana.json").read_text())["panels"]
    return asked + [target["expr"] for panel in panels for target in panel["targets"]]


def base(name, names):
    for part in PARTS:
        if name.endswith(part) and names.get(name[:-len(part)]) == "histogram":
            return name[:-len(part)]
    return name


class Monitoring(unittest.TestCase):
    def setUp(self):
        self.names = shown()
        self.asked = expressions()

    def test_there_is_something_to_compare(self):
        self.assertGreaterEqual(len(self.names), 35)
        self.assertGreaterEqual(len(self.asked), 30)

    def test_every_metric_asked_for_is_shown(self):
        for question in self.asked:
            for name in re.findall(r"\barbiter_[a-z_]+\b", question):
                self.assertIn(base(name, self.names), self.names, question)

    def test_only_counters_are_turned_into_rates(self):
        for question in self.asked:
            for name in re.findall(r"\b(?:rate|increase)\((arbiter_[a-z_]+)", question):
                self.assertIn(self.names[base(name, self.names)], ("counter", "histogram"), question)

    def test_labels_are_those_of_the_page(self):
        for question in self.asked:
            for selector in re.findall(r"\{([^{}]*)\}", question):
                for label in re.findall(r"(\w+)\s*[!=]", selector):
                    self.assertIn(label, LABELS, question)

    def test_every_figure_of_the_services_is_looked_at(self):
        asked = " ".join(self.asked)
        of_services = {name for name in self.names if not name.startswith("arbiter_gateway_")}
        self.assertEqual({name for name in of_services if name not in asked} - UNWATCHED, set())

    def test_every_alert_says_what_to_do(self):
        rules = (MONITORING / "arbiter.rules.yml").read_text()
        alerts = rules.split("- alert: ")[1:]
        for alert in alerts:
            for part in ("expr:", "severity:", "summary:", "remedy:"):
                self.assertIn(part, alert)


if __name__ == "__main__":
    unittest.main()
