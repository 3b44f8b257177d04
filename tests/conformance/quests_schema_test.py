"""The schema of quests' set-ups and the program agree (schemas.py)."""

import glob
import json
import os
import sys

import schemas

RECORDED = os.path.join(schemas.SOURCE, "common/games/quests/recorded")

# What no schema can say: it counts cards over several parts of the file.
BEYOND_A_SCHEMA = ("is one more of its kind", "cards in the adventure deck, but there are", "no event card at all")
CHANGES = ("gone", None, "text", -3_000_000_000, 3_000_000_000, 0, 1, 13, 1.5, True, [], {}, ["F5"], "more")


def recorded():
    """Those of recorded scenarios, and those recorded as bad."""
    for name in ("bad_configs", "scenarios"):
        with open(os.path.join(RECORDED, name + ".jsonl"), encoding="utf-8") as file:
            for row in map(json.loads, file):
                yield row["name"], row["config"]


def main():
    known = list(recorded())
    whole = {**dict(known)["official_A1_scenario"], "first_player": "P2", "shields": {"P2": 3}, "hand_limit": 11,
             "winning_shields": 9, "sponsor_redraw_on_win": True, "adventure_discard": ["E30"],
             "event_discard": ["PLAGUE"]}
    good = [(path, schemas.read(path)) for path in sorted(glob.glob(schemas.SOURCE + "/configs/quests/*.json"))
            if not path.endswith(".texts.json")]
    return schemas.judge(schemas.validator("quests.schema.json"), good,
                         known + list(schemas.mutants(whole, CHANGES, entries=2)),
                         lambda line: any(words in line for words in BEYOND_A_SCHEMA),
                         "quests", "--set", "rigged=true")


if __name__ == "__main__":
    sys.exit(main())
