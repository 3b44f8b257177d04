"""The schema of quests' set-ups and the program agree: what the schema refuses, the program refuses, and where
the program alone refuses, it is for something a schema cannot say."""

import copy
import glob
import json
import os
import subprocess
import sys
import tempfile

import jsonschema

SOURCE = os.environ["ARBITER_SOURCE"]
ARBITER = os.path.join(os.environ["ARBITER_BUILD"], "arbiter")
RECORDED = os.path.join(SOURCE, "common/games/quests/recorded")

# What no schema can say: it counts cards over several parts of the file.
BEYOND_A_SCHEMA = ("is one more of its kind", "cards in the adventure deck, but there are", "no event card at all")
CHANGES = ("gone", None, "text", -3_000_000_000, 3_000_000_000, 0, 1, 13, 1.5, True, [], {}, ["F5"], "more")


def validator():
    with open(os.path.join(SOURCE, "configs/quests.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    whole = lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    checker = jsonschema.Draft7Validator.TYPE_CHECKER.redefine("integer", whole)
    return jsonschema.validators.extend(jsonschema.Draft7Validator, type_checker=checker)(schema)


def places(value, at=()):
    """Every place in a set-up, but only the first two entries of a list."""
    yield at
    children = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for key, child in children:
        yield from places(child, at + (key,))


def changed(config, at, change):
    mutant = copy.deepcopy(config)
    around = mutant
    for step in at[:-1]:
        around = around[step]
    if change == "gone":
        del around[at[-1]]
    elif change == "more" and isinstance(around[at[-1]], dict):
        around[at[-1]]["more"] = 1
    else:
        around[at[-1]] = change
    return mutant


def all_setups():
    """(name, set-up): those that come with the game, the recorded ones good and bad, and one-change mutants."""
    for path in sorted(glob.glob(os.path.join(SOURCE, "configs/quests/*.json"))):
        if not path.endswith(".texts.json"):
            with open(path, encoding="utf-8") as file:
                yield os.path.basename(path), json.load(file)
    recorded = {}
    for name in ("bad_configs", "scenarios"):
        with open(os.path.join(RECORDED, name + ".jsonl"), encoding="utf-8") as file:
            for line in file:
                row = json.loads(line)
                recorded[row["name"]] = row["config"]
                yield row["name"], row["config"]
    good = {**recorded["official_A1_scenario"], "first_player": "P2", "shields": {"P2": 3}, "hand_limit": 11,
            "winning_shields": 9, "sponsor_redraw_on_win": True, "adventure_discard": ["E30"],
            "event_discard": ["PLAGUE"]}
    for at in places(good):
        for change in CHANGES if at else ():
            yield "/%s := %r" % ("/".join(map(str, at)), change), changed(good, at, change)


def faults_of(paths):
    """What the program says of each file."""
    run = subprocess.run([ARBITER, "check-config", "quests", "--set", "rigged=true", *paths],
                         capture_output=True, text=True, check=False)
    said = {path: [] for path in paths}
    for line in (run.stdout + run.stderr).splitlines():
        path = line.split(":")[0]
        if path in said and ": good, for " not in line:
            said[path].append(line[len(path):])
    return said


def compare(name, refused, faults):
    """A sentence if the two disagree."""
    if name.endswith(".json") and (refused is not None or faults):
        return f"{name}: does not come valid: {refused}, {faults}"
    alone = [line for line in faults if not any(words in line for words in BEYOND_A_SCHEMA)]
    if refused is not None and not faults:
        return f"{name}: the schema refuses what the program takes: {refused.message[:120]}"
    if refused is None and alone:
        return f"{name}: the program alone refuses: {alone[0]}"
    return None


def main():
    schema, disagreements, refusals = validator(), [], 0
    with tempfile.TemporaryDirectory() as folder:
        made = {}
        for number, (name, config) in enumerate(all_setups()):
            path = os.path.join(folder, f"{number}.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(config, file)
            made[path] = (name, next(schema.iter_errors(config), None))
        paths = list(made)
        for first in range(0, len(paths), 200):
            for path, faults in faults_of(paths[first:first + 200]).items():
                refusals += bool(faults)
                disagreements.append(compare(*made[path], faults))
    disagreements = [line for line in disagreements if line]
    print(f"{len(made)} set-ups, {refusals} refused, {len(disagreements)} disagreements")
    for line in disagreements[:40]:
        print(line)
    return 1 if disagreements or len(made) < 300 or refusals < 200 else 0


if __name__ == "__main__":
    sys.exit(main())
