"""first_move.py: how long a newcomer waits, from a finished build to his first accepted move against two bots.

    ARBITER_BUILD=.build/release tests/process/first_move.py [TIMES]

Printed, and judged nowhere. He types what the README says, `arbiter up` and `arbiter play dead --bots 2`, one after the other
without looking, and the first choice when he is asked; the rest is ours. Each time begins with an empty home."""
import os
import statistics
import sys
import tempfile
import time

from terminal_test import PATIENCE_S, Player
from up_test import Up


def play_once():
    """Seconds until he is asked, and until his answer has been accepted and told."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="arbiter-first-") as home:
        up = Up(home)
        while "arbiter play" not in up.said():  # What to type next.
            time.sleep(0.005)
        player = Player(home, "dead", "--bots", "2", "--name", "Ada")
        try:
            if not player.await_question():
                sys.exit(f"he is asked nothing:\n{player.screen}")
            asked = time.monotonic()
            player.type("1")
            end = time.monotonic() + PATIENCE_S
            while " joins Ada" not in player.heard:
                player.listen(0.005)
                if time.monotonic() > end:
                    sys.exit(f"his choice comes to nothing:\n{player.screen}")
            return asked - began, time.monotonic() - began
        finally:
            player.close()
            up.stop()


def main():
    times = [play_once() for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 5)]
    for what, of in (("asked", [asked for asked, _ in times]), ("first move accepted", [done for _, done in times])):
        print(f"{what}: {statistics.median(of):.2f} s (median of {len(times)}), {min(of):.2f} to {max(of):.2f}")
    print(f"load average {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
