#!/usr/bin/env python3
"""tables.py: the tables that long runs play: every set-up that a game brings in its setups folder.

    tables.py GAMES

Prints a line for each: how many games to play of it, then the arguments of `arbiter simulate`. GAMES are
shared among the set-ups of one file of setups/ (the dead's editions are such files; each names many).
"""
import json
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]


def spelled_out(pattern):
    """The patterns that one with braces stands for."""
    match = re.search(r"\{([^{}]*)\}", pattern)
    if match is None:
        return [pattern]
    return [one for word in match[1].split(",")
            for one in spelled_out(pattern[:match.start()] + word + pattern[match.end():])]


def tables_of(bundle):
    """Arguments for each table of one file of setups/."""
    game, said = bundle.parent.parent.name, json.loads(bundle.read_text())
    if "config_files" not in said:
        return [f"{game} --config {bundle.stem}"]
    options = " ".join(f"--set {key}={value}" for key, value in sorted(said.get("options", {}).items()))
    files = sorted(file for pattern in spelled_out(said["config_files"]) for file in TOP.glob(pattern))
    return [f"{game} --config {file.relative_to(TOP)} {options}".rstrip() for file in files]


def main(games):
    for bundle in sorted(TOP.glob("common/games/*/setups/*.json")):
        tables = tables_of(bundle)
        if not tables:
            sys.exit(f"{bundle.relative_to(TOP)}: its pattern matches no file")
        for table in tables:
            print(-(-games // len(tables)), table)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(int(sys.argv[1]))
