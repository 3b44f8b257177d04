"""The schema of the treasure hunt's set-ups and the program agree: what the schema refuses, the program refuses,
and where the program alone refuses, it is for something a schema cannot say."""

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
SETUPS = os.path.join(SOURCE, "configs/treasure")

# What no schema can say: it compares parts of the file with each other.
BEYOND_A_SCHEMA = ("asks for ", "keeps ")

DOOR = {"game": "treasure", "profile": "custom",
        "rest": {"port": 8080, "bind": "127.0.0.1", "default_dialect": "doc", "coordinate_base": None, "axis": None,
                 "extensions": False, "id_mode": "sequential", "max_body": 65536, "retention_ms": 600000}}


def places(value, at=()):
    """Every place in a set-up."""
    if at:
        yield at
    for key, child in value.items() if isinstance(value, dict) else ():
        yield from places(child, at + (key,))


def mutants(config):
    """One change at each place: taken out, of another type, too small, too big, a key too many."""
    for at in places(config):
        for change in ("gone", None, "text", -1, 0, 1, 3, 64, 65, 1001, 4097, 100001, 3_000_000_000, 1.5, [], {}, True,
                       "more"):
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
            yield f"{at} is {change!r}", mutant


def faults_of(folder, configs):
    """What the program says of each: a list of lines, empty for a good one."""
    paths = []
    for number, config in enumerate(configs):
        paths.append(os.path.join(folder, f"{number:05}.json"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            json.dump(config, file)
    said = {path: [] for path in paths}
    run = subprocess.run([ARBITER, "check-config", "treasure", *paths], capture_output=True, text=True, check=False)
    for line in (run.stdout + run.stderr).splitlines():
        path = line[:line.index(".json") + 5] if ".json" in line else None
        if path in said and ": good, for " not in line:
            said[path].append(line[len(path):])
    return [said[path] for path in paths]


def judge(schema, config, faults, what):
    """One sentence if the schema and the program do not agree about a set-up."""
    bad = not schema.is_valid(config)
    if bad and not faults:
        return f"{what}: the schema refuses it and the program does not"
    if not bad and faults and not all(any(word in fault for word in BEYOND_A_SCHEMA) for fault in faults):
        return f"{what}: the program alone says {faults}"
    return None


def main():
    with open(os.path.join(SOURCE, "configs/treasure.schema.json"), encoding="utf-8") as file:
        text = json.load(file)
    jsonschema.Draft7Validator.check_schema(text)
    schema = jsonschema.Draft7Validator(text)
    good = [(os.path.basename(path), json.load(open(path, encoding="utf-8")))
            for path in sorted(glob.glob(SETUPS + "/*.json"))] + [("the door", DOOR)]
    changed = [one for _, config in good for one in mutants(config)]
    with tempfile.TemporaryDirectory() as folder:
        faults = faults_of(folder, [config for _, config in good + changed])
    wrong = [f"{what}: {fault}" for (what, config), fault in zip(good, faults) if fault or not schema.is_valid(config)]
    wrong += filter(None, (judge(schema, config, fault, what)
                           for (what, config), fault in zip(changed, faults[len(good):])))
    refused = sum(1 for fault in faults if fault)
    print(f"{len(faults)} set-ups, {refused} refused by the program", *wrong[:20], sep="\n")
    return 1 if wrong or refused < len(faults) // 2 else 0


if __name__ == "__main__":
    sys.exit(main())
