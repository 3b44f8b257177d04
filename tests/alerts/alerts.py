#!/usr/bin/python3 -B
"""alerts.py: every alert of deploy/monitoring is rung by its cause, in real houses, before the real Prometheus. README.md says what is asked.

    alerts.py [--only WORDS] [--jobs N] [--ordinary SECONDS] [--write] [--build DIR]"""
import argparse
import json
import os
import pathlib
import queue
import re
import shutil
import sys
import tempfile
import threading
import time
import traceback

import yaml

SOURCE = pathlib.Path(__file__).resolve().parents[2]
os.environ.setdefault("ARBITER_SOURCE", str(SOURCE))

from watched import MONITORING, Watched  # noqa: E402
from causes import CAUSES, players  # noqa: E402
from chaos import enter_mounts  # noqa: E402
from house import leave_when_told  # noqa: E402

RINGS_S, QUIET_S = 90, 15   # By then it must ring; and so long afterwards nothing else may.
PAGE = MONITORING / "README.md"
BEGIN, END = "<!-- made by tests/alerts -->", "<!-- to here -->"
# What only a house with a database has, and what only happens when something is lost.
MAY_BE_EMPTY = {"arbiter_slots_unowned", "arbiter_slot_moves_total"}
PANEL = {"id", "title", "description", "type", "datasource", "gridPos", "fieldConfig", "targets"}


def rules():
    groups = yaml.safe_load((MONITORING / "arbiter.rules.yml").read_text())["groups"]
    return {rule["alert"]: rule for group in groups for rule in group["rules"]}


def tested_by_series():
    """Alerts that rules_test.yml rings with figures of its own, for what takes hours, or a machine that is too busy."""
    tests = yaml.safe_load((SOURCE / "tests/alerts/rules_test.yml").read_text())["tests"]
    return {case["alertname"] for test in tests for case in test["alert_rule_test"] if case.get("exp_alerts")}


def table():
    """The causes and what rings of each, as the page has them."""
    lines = ["| Cause | What rings within 90 seconds |", "|---|---|"]
    lines += [f"| {cause.name} | {', '.join(f'`{name}`' for name in sorted(cause.must))} |" for cause in CAUSES]
    by_series = sorted(set(rules()) - {name for cause in CAUSES for name in cause.must})
    lines += ["", "Tried with figures that were made up, since their causes take long: " + ", ".join(f"`{name}`" for name in by_series) + "."]
    return "\n".join(fold(line) for line in lines)


def fold(line):
    """Prose is at most 120 columns wide; a row of a table cannot be folded."""
    if line.startswith("|") or len(line) <= 118:
        return line
    cut = line.rfind(" ", 0, 118)
    return line[:cut] + "\n" + fold(line[cut + 1:])


def judge_page(writes):
    text = PAGE.read_text()
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    made = f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}"
    if writes:
        PAGE.write_text(made)
    return [] if made == text or writes else [f"{PAGE.name}: the table is not what these causes make it: alerts.py --write"]


def judge_coverage():
    named = {name for cause in CAUSES for name in cause.must} | tested_by_series()
    return [f"{name}: nobody rings it" for name in sorted(set(rules()) - named)]


def try_cause(build, folder, cause):
    """What is wrong; and how long it took until all rang."""
    faults, heard, took = [], {}, None
    with Watched(build, folder, **cause.house) as watched:
        began = time.monotonic()
        with cause.inflict(watched):
            quiet = None
            while time.monotonic() < (quiet or began + RINGS_S):
                for name, services in watched.prometheus.firing().items():
                    heard.setdefault(name, set()).update(services)
                named = set().union(*heard.values()) if heard else set()
                if quiet is None and cause.must <= set(heard) and cause.about <= named:
                    took = time.monotonic() - began
                    quiet = time.monotonic() + QUIET_S
                time.sleep(1)
        if took is None:
            faults.append(f"wanted {sorted(cause.must)} of {sorted(cause.about)}, rang {heard}\n{watched.house.said(3)}")
    faults += [f"{name} rang, too, of {heard[name]}" for name in sorted(set(heard) - cause.must - cause.may)]
    return faults, f"{took:.0f} s" if took is not None else "never"


def judge_dashboard(prometheus):
    """Its shape, and that each of its questions has an answer."""
    board, faults = json.loads((MONITORING / "grafana.json").read_text()), []
    for key, kind in (("uid", str), ("title", str), ("schemaVersion", int), ("panels", list), ("templating", dict), ("time", dict)):
        if not isinstance(board.get(key), kind):
            faults.append(f"grafana.json: {key} is no {kind.__name__}")
    ids = [panel["id"] for panel in board["panels"]]
    faults += ["grafana.json: two panels have one id"] if len(set(ids)) != len(ids) else []
    taken = set()
    for panel in board["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        if set(panel) != PANEL or cells & taken or at["x"] + at["w"] > 24:
            faults.append(f"grafana.json: {panel['title']}: has {sorted(set(panel) ^ PANEL)}, or lies over another panel")
        taken |= cells
        for target in panel["targets"]:
            if set(target) != {"refId", "expr", "legendFormat"}:
                faults.append(f"grafana.json: {panel['title']}: {sorted(target)}")
            names = set(re.findall(r"\barbiter_\w+", target["expr"]))
            if not prometheus.query(target["expr"]) and not names & MAY_BE_EMPTY:
                faults.append(f"grafana.json: {panel['title']}: no answer to {target['expr']}")
    return faults


def judge_rules(prometheus):
    return [f"{rule['name']}: {rule.get('lastError')}" for group in prometheus.ask("rules")["groups"] for rule in group["rules"]
            if rule["health"] != "ok"]


def ordinary(build, folder, seconds):
    """Play, an upgrade of each service, and scaling up and down: nothing rings, every rule and every question has an answer."""
    faults, steps = [], ["watchdog", "fanout", "fanout2", "lobby", "engine", "bot"]
    with Watched(build, folder, gateways=2, more={"fanout2": "fanout"}) as watched, players(watched):
        began, done = time.monotonic(), 0
        while time.monotonic() < began + seconds:
            faults += [f"{name} rang in ordinary work, of {about}" for name, about in watched.prometheus.firing().items()]
            if faults:
                break
            if done < len(steps) and time.monotonic() > began + (done + 1) * seconds / (len(steps) + 3):
                watched.upgrade(steps[done])
                done += 1
            elif done == len(steps) and time.monotonic() > began + (done + 1) * seconds / (len(steps) + 3):
                watched.end("fanout2")
                done += 1
            time.sleep(1)
        # On a busy machine figures may be older than five seconds just now, and are not shown.
        end = time.monotonic() + RINGS_S
        while (unanswered := judge_rules(watched.prometheus) + judge_dashboard(watched.prometheus)) and time.monotonic() < end:
            time.sleep(1)
        faults += unanswered
    return faults, f"{time.monotonic() - began:.0f} s"


class Trial:
    """What is tried, several at once; each in a folder that is kept if it fails."""

    def __init__(self, build, jobs):
        self.build, self.jobs, self.waiting, self.faults, self.lock = build, jobs, queue.SimpleQueue(), [], threading.Lock()

    def add(self, name, deed):
        self.waiting.put((name, deed))

    def work(self):
        while True:
            try:
                name, deed = self.waiting.get_nowait()
            except queue.Empty:
                return
            folder = pathlib.Path(tempfile.mkdtemp(prefix="arbiter-alerts-"))
            folder.chmod(0o711)  # PostgreSQL runs as another user below it.
            try:
                faults, took = deed(self.build, folder)
            except Exception:
                faults, took = [traceback.format_exc()], "broken off"
            with self.lock:
                print(f"{'FAILED' if faults else 'ok':6} {took:>10}  {name}", *faults, sep="\n       ", flush=True)
                self.faults += faults
            if not faults:
                shutil.rmtree(folder, ignore_errors=True)

    def run(self):
        # Whoever ends this program ends them: what they started ends with the thread that did.
        workers = [threading.Thread(target=self.work, daemon=True) for _ in range(self.jobs)]
        for worker in workers:
            worker.start()
            time.sleep(1)
        for worker in workers:
            worker.join()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="", help="causes with these words in their name")
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--ordinary", type=float, default=300.0)
    parser.add_argument("--write", action="store_true", help="write the table into deploy/monitoring/README.md")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path(os.environ.get("ARBITER_BUILD", SOURCE / ".build/release")))
    asked = parser.parse_args()
    enter_mounts(sys.argv)
    leave_when_told()
    trial = Trial(asked.build.resolve(), asked.jobs)
    if asked.only in "ordinary work":
        trial.add("ordinary work", lambda build, folder: ordinary(build, folder, asked.ordinary))
    for cause in CAUSES:
        if asked.only in cause.name:
            trial.add(cause.name, lambda build, folder, cause=cause: try_cause(build, folder, cause))
    trial.run()
    faults = trial.faults + judge_coverage() + judge_page(asked.write and not trial.faults and not asked.only)
    print(*faults[len(trial.faults):], f"{len(faults)} faults", sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
