#!/usr/bin/python3 -B
"""faulty.py: a healthy house, and one for each fault: every fault must be found, by what it breaks.

    faulty.py [--build DIR] [--jobs N] [--only FAULT]... [--longest SECONDS]

One line for each; README.md says what each fault is. A visit that takes too long is told to stop, and so are all when this program
is: none leaves a service behind.
"""
import argparse
import concurrent.futures
import importlib
import os
import pathlib
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
HEALTHY = "none"
HELD, BROKEN = 0, 1
LONGEST_S, LEAVING_S = 120, 30

# The fault, and the promises of which it must break one, as doors.py and the others name them.
# Those that show by what does not come take longest, and go first.
FAULTS = {
    "no-heads": {"heads"}, "no-catch-up": {"heads", "history", "catch-up"},
    "other-move": {"rules"}, "out-of-turn": {"answer"}, "number-gap": {"answer"},
    "box-of-another": {"box"}, "nonce-again": {"box"}, "box-empty": {"box"}, "public-secret": {"box"},
    "spectator-key": {"secrets"}, "others-view": {"secrets"},
    "any-session": {"session"}, "reply-chain": {"chain"}, "yes-for-no": {"answer"}, "reply-number": {"answer"},
    "played-twice": {"once"}, "answers-forgotten": {"once"},
    "other-secret": {"dice"}, "house-dice": {"file"}, "epoch-kept": {"epoch"}, "past-rewritten": {"history", "chain"},
    "act-skipped": {"stream"}, "acts-swapped": {"stream"}, "act-repeated": {"stream"},
    "body-changed": {"chain", "stream", "history"}, "old-epoch": {"epoch"}, "head-ahead": {"heads", "chain"},
    "head-chain": {"heads", "chain"}, "history-hole": {"history"},
    "history-changed": {"history"},
}


class Visits:
    """Those that are under way."""

    def __init__(self, build, longest_s):
        self.build, self.longest_s = build, longest_s
        self.lock, self.under_way, self.is_over = threading.Lock(), set(), False

    def begin(self, fault):
        with self.lock:
            if self.is_over:
                raise concurrent.futures.CancelledError
            run = subprocess.Popen([sys.executable, "-B", HERE / "visit.py", self.build, fault], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
            self.under_way.add(run)
            return run

    def stop(self):
        """They leave by themselves, with all they have started; whoever waits for them sees them go."""
        with self.lock:
            self.is_over = True
            for run in self.under_way:
                run.terminate()

    def wait(self, run):
        """What it said; None: it took too long, and is gone."""
        try:
            return run.communicate(timeout=self.longest_s)
        except subprocess.TimeoutExpired:
            run.terminate()
        try:
            run.communicate(timeout=LEAVING_S)
        except subprocess.TimeoutExpired:
            run.kill()  # Its services end with it (house.py).
            run.communicate()
        return None

    def visit(self, fault):
        """(whether it is as it must be, what was said)"""
        began = time.monotonic()
        run = self.begin(fault)
        told = self.wait(run)
        with self.lock:
            self.under_way.discard(run)
        if told is None:
            return False, "it took too long"
        said = (told[0].strip().splitlines() or [""])[-1]
        is_right = (run.returncode == HELD if fault == HEALTHY
                    else run.returncode == BROKEN and said.split(":")[0] in FAULTS[fault])
        return is_right, f"{said} ({time.monotonic() - began:.1f} s)" + ("" if is_right else "\n" + told[1][-6000:])


def main():
    parser = argparse.ArgumentParser(prog="faulty.py")
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parents[1] / ".build/clang")
    parser.add_argument("--jobs", type=int, default=3 * (os.cpu_count() or 1))
    parser.add_argument("--only", action="append")
    parser.add_argument("--longest", type=float, default=LONGEST_S, help="seconds that one visit may take")
    asked = parser.parse_args()
    faults = asked.only or [HEALTHY, *FAULTS]
    build = asked.build.resolve()
    # The messages' modules are made once, before many want them at a time.
    os.environ["ARBITER_BUILD"] = str(build)
    sys.path.insert(0, str(HERE.parents[1] / "common/client/python"))
    importlib.import_module("arbiter.messages")
    sys.path.insert(0, str(HERE.parents[1] / "tests/process"))
    importlib.import_module("house").leave_when_told()
    is_right, visits = True, Visits(build, asked.longest)
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        try:
            for fault, (is_so, said) in zip(faults, pool.map(visits.visit, faults)):
                print(f"{'ok  ' if is_so else 'FAIL'} {fault:18} {said}", flush=True)
                is_right = is_right and is_so
        finally:
            visits.stop()
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
