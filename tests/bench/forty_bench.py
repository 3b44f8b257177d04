#!/usr/bin/env python3
"""forty_bench.py: a tournament of 40 entrants in treasure, interrupted once, killed once, and finished.

28 are bots of the house, 10 are programs, one program hangs, and one crashes. Every pair plays 50 seeds in both
seatings: 78,000 games. Ctrl-C comes after a third of them and kill -9 after two thirds. Goals: nothing is played
twice, the hanging one is taken out, and all three runs together take less than 20 minutes on two cores.
"""
import collections
import itertools
import json
import os
import pathlib
import platform
import signal
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
ARBITER = pathlib.Path(os.environ.get("ARBITER_BUILD", SOURCE / ".build/release")) / "arbiter"
SEEDS = int(os.environ.get("SEEDS", 50))
JOBS = int(os.environ.get("JOBS", os.cpu_count()))
GOAL_S = 20 * 60
HOUSE, PROGRAMS = 28, 10
PROGRAM = """
import json, random, sys
luck = random.Random(int(sys.argv[1]))
for line in sys.stdin:
    ask = json.loads(line).get("ask")
    if ask:
        print(json.dumps({"command": luck.choice(ask["legal"]) if ask["legal"] else ask["proposal"]}), flush=True)
"""


def entrants():
    python = ["/usr/bin/python3", "-I", "-S", "-c", PROGRAM]
    return [*({"name": f"house {i}", "bot": ("greedy", "random")[i % 2]} for i in range(HOUSE)),
            *({"name": f"program {i}", "program": [*python, str(i)]} for i in range(PROGRAMS)),
            {"name": "hangs", "program": ["sleep", "1000"]}, {"name": "crashes", "program": ["false"]}]


class Tournament:
    def __init__(self, folder):
        self.played, list_of = pathlib.Path(folder, "played"), pathlib.Path(folder, "entrants.json")
        list_of.write_text(json.dumps(entrants()))
        self.words = [ARBITER, "tournament", "treasure", "--entrants", list_of, "--games", str(SEEDS), "--jobs", str(JOBS),
                      "--played", self.played, "--limit", "2000"]
        self.seconds, self.lines, self.read = 0.0, 0, 0

    def count(self):
        if self.played.exists():
            with self.played.open("rb") as file:
                file.seek(self.read)
                new = file.read()
            self.read += len(new)
            self.lines += new.count(b"\n")
        return self.lines

    def run(self, until=None, number=None):
        """Until so many games have been played, when it is sent this signal; or to its end. What it says in the end."""
        begun = time.monotonic()
        with subprocess.Popen(self.words, stdout=subprocess.PIPE, text=True,
                              env={**os.environ, "ARBITER_CONFIGS": str(SOURCE / "configs")}) as run:
            try:
                while until is not None and self.count() < until and run.poll() is None:
                    time.sleep(0.1)
                if number is not None:
                    run.send_signal(number)
                said = run.communicate()[0]
            finally:
                run.kill()  # If somebody ends us.
        self.seconds += time.monotonic() - begun
        print(f"{self.count() - 1} games after {self.seconds:.0f} s, exit code {run.returncode}, load {os.getloadavg()[0]:.1f}",
              flush=True)
        return run.returncode, said

    def games(self):
        return [json.loads(line) for line in self.played.read_text().splitlines()[1:]]


def judge(tournament, codes):
    """(whether it holds, a sentence) for each goal."""
    names = [one["name"] for one in entrants()]
    wanted = {(frozenset(pair), seed, swapped) for pair in itertools.combinations(names, 2)
              for seed in range(1, SEEDS + 1) for swapped in (False, True)}
    games = tournament.games()
    times = collections.Counter((frozenset((game["one"], game["other"])), game["seed"], game["swapped"]) for game in games)
    whys = collections.Counter((name, game.get("why")) for game in games for name in ("hangs", "crashes")
                               if game.get("failed") == (name == game["other"]) and name in (game["one"], game["other"]))
    rest = [game for game in games if "failed" in game and not {"hangs", "crashes"} & {game["one"], game["other"]}]
    return [
        (codes == [130, -9, 0], f"exit codes {codes}: Ctrl-C, kill -9, the end"),
        (times.keys() == wanted and max(times.values()) == 1, f"{len(games)} games, none twice, of {len(wanted)}"),
        (whys[("hangs", "taken out")] > 0 and whys[("crashes", "crashed")] > 0, f"forfeits: {dict(whys)}"),
        (not rest, f"{len(rest)} forfeits of others {rest[:2]}"),
        (tournament.seconds < GOAL_S, f"{tournament.seconds / 60:.1f} minutes for {SEEDS} seeds, less than {GOAL_S // 60}"),
    ]


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    count = HOUSE + PROGRAMS + 2
    games = count * (count - 1) * SEEDS
    print(f"{platform.platform()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}: {count} entrants, {games} games, "
          f"{JOBS} at once", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        tournament = Tournament(folder)
        codes = [tournament.run(games // 3, signal.SIGINT)[0], tournament.run(games * 2 // 3, signal.SIGKILL)[0],
                 tournament.run()[0]]
        judged = judge(tournament, codes)
    for holds, sentence in judged:
        print("holds " if holds else "MISSED", sentence)
    return 0 if all(holds for holds, _ in judged) else 1


if __name__ == "__main__":
    sys.exit(main())
