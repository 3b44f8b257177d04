"""The schemas of the dead's set-ups and the program agree, edition by edition (schemas.py)."""

import glob
import json
import os
import sys

import schemas

VALIDITY = os.path.join(schemas.SOURCE, "common/games/dead/validity")
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
CHANGES = ("gone", None, "text", -3_000_000_000, 3_000_000_000, 0, 1.5, [], {}, "more")


def crossroads():
    """It refers to the other file, which editors find beside it and not every validator: put in by hand."""
    whole = schemas.validator("dead-crossroads.schema.json").schema
    beside, _, part = whole["allOf"][0]["$ref"].partition("#")
    return schemas.strict({**schemas.read(os.path.join("configs", beside)), "allOf": [{"$ref": "#" + part}]})


def recorded(edition):
    """The one-change set-ups that are recorded for an edition, and the one that mutants are made of."""
    with open(os.path.join(VALIDITY, "expected.jsonl"), encoding="utf-8") as file:
        rows = [row for row in map(json.loads, file) if row["edition"] == edition]
    return [(row["config"], schemas.read(os.path.join(VALIDITY, row["config"]))) for row in rows]


def own(edition):
    return [(path, schemas.read(path)) for path in sorted(glob.glob(schemas.SOURCE + "/configs/dead/*.json"))
            if not path.endswith(".texts.json") and ("-crossroads" in path) == (edition == "crossroads")]


def main():
    code = 0
    for edition in EDITIONS:
        schema = crossroads() if edition == "crossroads" else schemas.validator("dead.schema.json")
        changed = recorded(edition)
        if edition != "equipment":
            whole = schemas.read(os.path.join(VALIDITY, edition + "-ok-die-value-6.json"))
            changed += schemas.mutants(whole, CHANGES, entries=2)
        code |= schemas.judge(schema, own(edition), changed,
                              lambda line: any(words in line for words in BEYOND_A_SCHEMA),
                              "dead", "--set", "edition=" + edition)
    return code


if __name__ == "__main__":
    sys.exit(main())
