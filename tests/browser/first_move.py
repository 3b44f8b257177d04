"""first_move.py: how long somebody new waits, from the end of the build to a first finished move, in each game. It does what
the terminal and the page say, and what it sees lies as first-move-GAME-N.png in the build's browser/. Not a test: it prints seconds."""
import re
import subprocess
import tempfile
import time

import harness

AIM_S = 120
FIRST = "nim"   # Of this one each step is told.
# What is lit is clicked, until the first move is done.
CLICKS = {
    "quests": (".questions button, .lay.fits",),
    "dead": (".draft li:nth-child(1) .person", ".draft li:nth-child(2) .person", ".draft button.main"),
    "objectron": (".step",),
    "treasure": (".treasure button.main", ".hunt .step"),
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
                for game in sorted(harness.games.names(), key=lambda name: name != FIRST):
                    play(harness.Window(browser, port), game, done)
        finally:
            up.terminate()
            up.communicate()
    return 0 if steps[-1] < AIM_S else 1


def play(window, game, done):
    """Somebody new comes, and plays this; of the first one each step is told."""
    name, is_first = f"first-move-{game}", game == FIRST
    clicks = (harness.GENERAL_MOVE,) if harness.games.is_general(game) else CLICKS[game]
    window.go()
    window.see(".hero")
    window.shot(f"{name}-1")
    if is_first:
        done("the page is there")
    window.click(window.card(harness.games.title(game)))
    window.see(clicks[0])
    window.shot(f"{name}-2")
    if is_first:
        done("a match against the house's bots, after one click")
    for css in clicks:
        before = window.act()
        window.click(css)
    window.until(lambda: window.act() > before, "a move")
    window.shot(f"{name}-3")
    done(f"{game}: the first move, after {1 + len(clicks)} clicks")
    window.end()


if __name__ == "__main__":
    raise SystemExit(main())
