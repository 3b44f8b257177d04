"""faulty.py: a healthy house, and one for each fault: every fault must be found, by what it breaks.

    faulty.py [--build DIR] [--jobs N] [--only FAULT]...

One line for each; README.md says what each fault is.
"""
import argparse
import concurrent.futures
import importlib
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
HEALTHY = "none"
HELD, BROKEN = 0, 1
LONGEST_S = 120

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


def visit(build, fault):
    """(whether it is as it must be, what was said)"""
    began = time.monotonic()
    try:
        run = subprocess.run([sys.executable, "-B", HERE / "visit.py", build, fault], capture_output=True, text=True,
                             timeout=LONGEST_S, check=False)
    except subprocess.TimeoutExpired:
        return False, "it took too long"
    said = (run.stdout.strip().splitlines() or [""])[-1]
    is_right = (run.returncode == HELD if fault == HEALTHY
                else run.returncode == BROKEN and said.split(":")[0] in FAULTS[fault])
    return is_right, f"{said} ({time.monotonic() - began:.1f} s)" + ("" if is_right else "\n" + run.stderr[-6000:])


def main():
    parser = argparse.ArgumentParser(prog="faulty.py")
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parents[1] / ".build/clang")
    parser.add_argument("--jobs", type=int, default=3 * (os.cpu_count() or 1))
    parser.add_argument("--only", action="append")
    asked = parser.parse_args()
    faults = asked.only or [HEALTHY, *FAULTS]
    build = asked.build.resolve()
    # The messages' modules are made once, before many want them at a time.
    os.environ["ARBITER_BUILD"] = str(build)
    sys.path.insert(0, str(HERE.parents[1] / "common/client/python"))
    importlib.import_module("arbiter.messages")
    is_right = True
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        for fault, (is_so, said) in zip(faults, pool.map(lambda fault: visit(build, fault), faults)):
            print(f"{'ok  ' if is_so else 'FAIL'} {fault:18} {said}", flush=True)
            is_right = is_right and is_so
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
