"""schemas.py: holds a schema of set-ups and the program against each other, for the tests of every game's.

What the schema refuses the program must refuse, and where the program alone refuses, it must be for something
that no schema can say."""

import copy
import json
import os
import subprocess
import tempfile

import jsonschema

SOURCE = os.environ["ARBITER_SOURCE"]
ARBITER = os.path.join(os.environ["ARBITER_BUILD"], "arbiter")
FILES_MOST = 200  # In one command line.


def read(path):
    with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
        return json.load(file)


def validator(name):
    """The schema of this name, itself judged. A number with a point is no whole number, even if it is 1.0."""
    schema = read(os.path.join("configs", name))
    jsonschema.Draft7Validator.check_schema(schema)
    return strict(schema)


def strict(schema):
    whole = lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    checker = jsonschema.Draft7Validator.TYPE_CHECKER.redefine("integer", whole)
    return jsonschema.validators.extend(jsonschema.Draft7Validator, type_checker=checker)(schema)


def places(value, entries, at=()):
    """Every place in a set-up but the whole, and only so many entries of a list."""
    if at:
        yield at
    children = value.items() if isinstance(value, dict) else ()
    if isinstance(value, list):
        children = enumerate(value[:entries])
    for key, child in children:
        yield from places(child, entries, at + (key,))


def changed(config, at, change):
    """One change: "gone" takes it out, "more" adds a key to an object, all else is put in its place."""
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


def mutants(config, changes, entries=None):
    """(name, set-up): one change at each place."""
    for at in places(config, entries):
        for change in changes:
            yield "/%s := %r" % ("/".join(map(str, at)), change), changed(config, at, change)


def faults_of(configs, *words):
    """What `arbiter check-config WORDS` says of each: a list of lines, empty for a good one."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, f"{number:05}.json") for number in range(len(configs))]
        for path, config in zip(paths, configs):
            with open(path, "w", encoding="utf-8") as file:
                json.dump(config, file)
        said = {path: [] for path in paths}
        for first in range(0, len(paths), FILES_MOST):
            run = subprocess.run([ARBITER, "check-config", *words, *paths[first:first + FILES_MOST]],
                                 capture_output=True, text=True, check=False)
            for line in (run.stdout + run.stderr).splitlines():
                path = line.split(":")[0]
                if path in said and ": good, for " not in line:
                    said[path].append(line[len(path):])
        return [said[path] for path in paths]


def compare(name, refused, faults, is_beyond):
    """A sentence if the two disagree. `refused`: the schema's error, or None; `is_beyond`: what it cannot say."""
    alone = [line for line in faults if not is_beyond(line)]
    if refused is not None and not faults:
        return f"{name}: the schema refuses what the program takes: {refused.message[:120]}"
    if refused is None and alone:
        return f"{name}: the program alone refuses: {alone[0]}"
    return None


def judge(schema, good, changes, is_beyond, *words):
    """Good set-ups must be good for both; of the others they must agree. The exit code; what is wrong is said.

    Both are lists of (name, set-up). Where less than half of the others is refused, nothing much was tried."""
    faults = faults_of([config for _, config in good + changes], *words)
    refused = [next(schema.iter_errors(config), None) for _, config in good + changes]
    wrong = [f"{name}: does not come valid: {error}, {fault}"
             for (name, _), error, fault in zip(good, refused, faults) if error is not None or fault]
    for (name, _), error, fault in list(zip(good + changes, refused, faults))[len(good):]:
        wrong.append(compare(name, error, fault, is_beyond))
    wrong = [line for line in wrong if line]
    count = sum(bool(fault) for fault in faults)
    print(f"{len(faults)} set-ups, {count} refused by the program, {len(wrong)} disagreements", *wrong[:40], sep="\n")
    return 1 if wrong or count < len(changes) // 2 else 0
