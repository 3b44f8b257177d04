"""first_move.py: how long somebody new waits, from the end of the build to his first finished move: what he does is what the
terminal and the page tell him, and what he sees lies as first-move-N.png in the build's browser/. Not a test: it prints seconds."""
import re
import subprocess
import tempfile
import time

import harness
import nim_counters

AIM_S = 120


def main():
    begins = time.monotonic()
    steps = []

    def done(what):
        steps.append(time.monotonic() - begins)
        print(f"{steps[-1]:6.1f} s  {what}", flush=True)
    harness.SHOTS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="arbiter-first-") as home:
        up = subprocess.Popen([harness.BUILD / "arbiter", "up", "--home", home, "--http", "0"], stdout=subprocess.PIPE, text=True)
        try:
            said = ""
            while "bot-1" not in said:
                said += up.stdout.readline()
            done("arbiter up says where the page is")
            port = int(re.search(r"In a browser: http://127\.0\.0\.1:(\d+)/", said).group(1))
            with harness.open_browser() as browser:
                play(harness.Window(browser, port), done)
        finally:
            up.terminate()
            up.communicate()
    return 0 if steps[-1] < AIM_S else 1


def play(window, done):
    window.go()
    window.see(".hero")
    window.shot("first-move-1")
    done("the page is there")
    window.click(window.card("Nim"))
    window.see(nim_counters.FREE)
    window.shot("first-move-2")
    done("a match against the house's bots, after one click")
    before = nim_counters.left(window)
    window.click(nim_counters.FREE)
    window.until(lambda: nim_counters.left(window) < before, "a move")
    window.shot("first-move-3")
    done("the first move, after two")


if __name__ == "__main__":
    raise SystemExit(main())
