"""first_move.py: how long somebody new waits, from the end of the build to his first finished move, in each game: what he does is what
the terminal and the page tell him, and what he sees lies as first-move-GAME-N.png in the build's browser/. Not a test: it prints seconds."""
import re
import subprocess
import tempfile
import time

import harness
import nim_counters

AIM_S = 120
# What is lit is clicked, until the first move is done.
CLICKS = {
    "Nim": (nim_counters.FREE,),
    "Quests": (".questions button, .lay.fits",),
    "The dead": (".draft li:nth-child(1) .person", ".draft li:nth-child(2) .person", ".draft button.main"),
    "Objectron": (".step",),
    "Treasure hunt": (".treasure button.main", ".hunt .step"),
}


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
                line = up.stdout.readline()
                assert line, "arbiter up has ended"
                said += line
            done("arbiter up says where the page is")
            port = int(re.search(r"In a browser: http://127\.0\.0\.1:(\d+)/", said).group(1))
            with harness.open_browser() as browser:
                for game in CLICKS:
                    play(harness.Window(browser, port), game, done)
        finally:
            up.terminate()
            up.communicate()
    return 0 if steps[-1] < AIM_S else 1


def play(window, game, done):
    """Somebody new comes, and plays this; of the first one each step is told."""
    name, is_first = f"first-move-{game.split()[-1].lower()}", game == next(iter(CLICKS))
    window.go()
    window.see(".hero")
    window.shot(f"{name}-1")
    if is_first:
        done("the page is there")
    window.click(window.card(game))
    window.see(CLICKS[game][0])
    window.shot(f"{name}-2")
    if is_first:
        done("a match against the house's bots, after one click")
    for css in CLICKS[game]:
        before = window.act()
        window.click(css)
    window.until(lambda: window.act() > before, "a move")
    window.shot(f"{name}-3")
    done(f"{game}: the first move, after {1 + len(CLICKS[game])} clicks")
    window.end()


if __name__ == "__main__":
    raise SystemExit(main())
