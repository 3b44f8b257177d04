"""The schema of objectron's set-ups and the program agree: what the schema refuses, the program refuses, and
where the program alone refuses, it is for something a schema cannot say. The grids that come with the program
are the same in their set-ups and alone."""

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
GRIDS = os.path.join(SOURCE, "configs/objectron/grids")

# What no schema can say: it depends on another part of the file, or on what is drawn there.
BEYOND_A_SCHEMA = ("GRID_", "INVALID_PLAYER_COUNT", "PLACEMENT_INVALID", "may come to ", "may have to tell of ",
                   "below 2 to the 64th")

SMALL = {"mode": "ctf", "players": 2, "grid": ["1   2", "     "], "seed": "7", "charged_disc": False,
         "placements": [{"id": 1, "kind": "light_grenade", "at": [1, 1], "state": "placed", "by": 1},
                        {"id": 2, "kind": "teleporter", "at": [2, 1], "dest": 3},
                        {"id": 3, "kind": "teleporter", "at": [3, 1], "dest": 2},
                        {"id": 4, "kind": "flag", "in": 2, "owner": 1},
                        {"id": 5, "kind": "identity_disc", "at": [0, 0], "allow_start": True}]}
GENERATED = {"mode": "race", "players": 2, "width": 12, "height": 10, "actions_per_turn": 3, "inventory_limit": 2,
             "wall_percent": 9, "wall_length_percent": 30, "grenade_percent": 1, "disc_percent": 1,
             "teleporter_percent": 2, "generator_percent": 3, "power_failure_bp": 10, "seed": 5}


def places(value, at=()):
    """Every place in a set-up."""
    if at:
        yield at
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in pairs:
        yield from places(child, at + (key,))


def mutants(config):
    """One change at each place: taken out, of another type, too small, too big, a key too many."""
    for at in places(config):
        for change in ("gone", None, "text", -3_000_000_000, 3_000_000_000, 0, 1.5, [], {}, True, "more"):
            mutant = copy.deepcopy(config)
            parent = mutant
            for key in at[:-1]:
                parent = parent[key]
            if change == "gone":
                del parent[at[-1]]
            elif change == "more" and isinstance(parent[at[-1]], dict):
                parent[at[-1]]["more"] = 1
            else:
                parent[at[-1]] = change
            yield at, change, mutant


def faults_of(folder, configs):
    """What the program says of each: a list of lines, empty for a good one."""
    paths = []
    for number, config in enumerate(configs):
        paths.append(os.path.join(folder, f"{number:05}.json"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            json.dump(config, file)
    said = {path: [] for path in paths}
    run = subprocess.run([ARBITER, "check-config", "objectron", *paths], capture_output=True, text=True,
                         check=False)
    for line in (run.stdout + run.stderr).splitlines():
        path = line[:line.index(".json") + 5] if ".json" in line else None
        if path in said and ": good, for " not in line:
            said[path].append(line[len(path):])
    return [said[path] for path in paths]


def is_about_a_place(fault):
    """Squares must be on the grid, and players at the table, whose sizes stand elsewhere."""
    return fault.startswith(":/placements/") and ", must be at " in fault


def judge(schema, config, faults, what):
    """One sentence if the schema and the program do not agree about a set-up."""
    bad = not schema.is_valid(config)
    if bad and not faults:
        return f"{what}: the schema refuses it and the program does not"
    beyond = all(any(word in fault for word in BEYOND_A_SCHEMA) or is_about_a_place(fault) for fault in faults)
    if not bad and faults and not beyond:
        return f"{what}: the program alone says {faults}"
    return None


def grids_differ():
    """The grids whose set-up and drawing are not the same."""
    drawn = {os.path.basename(path)[:-4]: open(path, encoding="utf-8").read().splitlines()
             for path in glob.glob(GRIDS + "/*.txt")}
    played = {os.path.basename(path)[:-5]: json.load(open(path, encoding="utf-8"))["grid"]
              for path in glob.glob(os.path.dirname(GRIDS) + "/*.json")}
    return [] if drawn == played and len(drawn) >= 8 else ["the grids alone are not those of the set-ups"]


def main():
    with open(os.path.join(SOURCE, "configs/objectron.schema.json"), encoding="utf-8") as file:
        text = json.load(file)
    jsonschema.Draft7Validator.check_schema(text)
    schema = jsonschema.Draft7Validator(text)
    changed = [(f"{at} is {change!r}", config) for base in (SMALL, GENERATED) for at, change, config in mutants(base)]
    good = [("as it is", SMALL), ("as it is", GENERATED)]
    for path in sorted(glob.glob(os.path.dirname(GRIDS) + "/*.json")):
        good.append((os.path.basename(path), json.load(open(path, encoding="utf-8"))))
    with tempfile.TemporaryDirectory() as folder:
        faults = faults_of(folder, [config for _, config in good + changed])
    wrong = grids_differ()
    wrong += [f"{what}: {fault}" for (what, config), fault in zip(good, faults)
              if fault or not schema.is_valid(config)]
    wrong += filter(None, (judge(schema, config, fault, what)
                           for (what, config), fault in zip(changed, faults[len(good):])))
    refused = sum(1 for fault in faults if fault)
    print(f"{len(faults)} set-ups, {refused} refused by the program", *wrong[:20], sep="\n")
    return 1 if wrong or refused < len(faults) // 2 else 0


if __name__ == "__main__":
    sys.exit(main())
