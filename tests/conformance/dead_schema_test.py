"""The schema of the dead's set-ups and the program agree: what the schema refuses, the program refuses, and
where the program alone refuses, it is for something a schema cannot say."""

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
VALIDITY = os.path.join(SOURCE, "common/games/dead/validity")
EDITIONS = ("base", "equipment", "crossroads")

# What no schema can say: it compares one part of the file with another.
BEYOND_A_SCHEMA = (
    " as in ",
    " second colony",
    " names location ",
    " names card ",
    ": three for each ",
    ": five for each ",
    ": two for each ",
    ": one for each ",
    ", the number of locations ",
    " bytes, must have at most ",
)


def validators():
    schemas = {}
    for name in ("dead.schema.json", "dead-crossroads.schema.json"):
        with open(os.path.join(SOURCE, "configs", name), encoding="utf-8") as file:
            schemas[name] = json.load(file)
        jsonschema.Draft7Validator.check_schema(schemas[name])
    plain = jsonschema.Draft7Validator(schemas["dead.schema.json"])
    # It refers to the other file, which editors find beside it and not every validator: put in by hand.
    beside, _, part = schemas["dead-crossroads.schema.json"]["allOf"][0]["$ref"].partition("#")
    crossroads = {**schemas[beside], "allOf": [{"$ref": "#" + part}]}
    return {
        "base": plain,
        "equipment": plain,
        "crossroads": jsonschema.Draft7Validator(crossroads),
    }


def faults_of(paths, edition):
    """What the program says of each file: a list of lines, empty for a good one."""
    run = subprocess.run(
        [ARBITER, "check-config", "dead", "--set", "edition=" + edition, *paths],
        capture_output=True, text=True, check=False,
    )
    said = {path: [] for path in paths}
    for line in (run.stdout + run.stderr).splitlines():
        if ": good, for " in line:
            continue
        for path in paths:
            if line.startswith(path + ":") and "/" in line[len(path):] or line.startswith(path + ": "):
                said[path].append(line[len(path):])
    return run.returncode, said


def places(value, at=()):
    """Every place in a set-up, but only the first two entries of a list."""
    yield at
    if isinstance(value, dict):
        for key, child in value.items():
            yield from places(child, at + (key,))
    elif isinstance(value, list):
        for index, child in enumerate(value[:2]):
            yield from places(child, at + (index,))


def mutants(config):
    """One change at each place: taken out, of another type, too small, too big, a key too many."""
    for at in places(config):
        if not at:
            continue
        for change in ("gone", None, "text", -3_000_000_000, 3_000_000_000, 0, 1.5, [], {}, "more"):
            mutant = copy.deepcopy(config)
            around = mutant
            for step in at[:-1]:
                around = around[step]
            if change == "gone":
                del around[at[-1]]
            elif change == "more":
                if not isinstance(around[at[-1]], dict):
                    continue
                around[at[-1]]["more"] = 1
            else:
                around[at[-1]] = change
            yield "/%s := %r" % ("/".join(map(str, at)), change), mutant


def schema_like(faults):
    return [line for line in faults if not any(words in line for words in BEYOND_A_SCHEMA)]


def compare(name, edition, refused, faults):
    """A sentence if the two disagree."""
    if refused and not faults:
        return f"{edition}, {name}: the schema refuses what the program takes: {refused}"
    if not refused and schema_like(faults):
        return f"{edition}, {name}: the program alone refuses: {schema_like(faults)[0]}"
    return None


def first_error(validator, config):
    error = next(validator.iter_errors(config), None)
    return error.message[:120] if error is not None else None


def check_files(checks, disagreements):
    """The recorded one-change set-ups, and those that come with the program."""
    with open(os.path.join(VALIDITY, "expected.jsonl"), encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    files = [(os.path.join(VALIDITY, row["config"]), row["edition"]) for row in rows]
    own = [path for path in glob.glob(os.path.join(SOURCE, "configs/dead/*.json"))
           if not path.endswith(".texts.json")]
    files += [(path, edition) for path in own for edition in EDITIONS
              if ("-crossroads" in path) == (edition == "crossroads")]
    for edition in EDITIONS:
        paths = [path for path, of in files if of == edition]
        _, said = faults_of(paths, edition)
        for path in paths:
            with open(path, encoding="utf-8") as file:
                refused = first_error(checks[edition], json.load(file))
            disagreements.append(compare(os.path.basename(path), edition, refused, said[path]))
            if path in own and (refused or said[path]):
                disagreements.append(f"{edition}, {path}: does not come valid: {refused}, {said[path]}")


def check_mutants(checks, edition, disagreements):
    with open(os.path.join(VALIDITY, edition + "-ok-die-value-6.json"), encoding="utf-8") as file:
        config = json.load(file)
    with tempfile.TemporaryDirectory() as folder:
        made = {}
        for number, (name, mutant) in enumerate(mutants(config)):
            path = os.path.join(folder, f"{number}.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(mutant, file)
            made[path] = (name, first_error(checks[edition], mutant))
        paths = list(made)
        for first in range(0, len(paths), 200):
            _, said = faults_of(paths[first:first + 200], edition)
            for path, faults in said.items():
                disagreements.append(compare(made[path][0], edition, made[path][1], faults))
        return len(paths)


def main():
    checks, disagreements = validators(), []
    check_files(checks, disagreements)
    count = sum(check_mutants(checks, edition, disagreements) for edition in ("base", "crossroads"))
    disagreements = [line for line in disagreements if line]
    print(f"{count} changed set-ups, {len(disagreements)} disagreements")
    for line in disagreements[:40]:
        print(line)
    return 1 if disagreements or count < 500 else 0


if __name__ == "__main__":
    sys.exit(main())
