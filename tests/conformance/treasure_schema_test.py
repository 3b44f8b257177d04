"""The schema of the treasure hunt's set-ups and the program agree (schemas.py)."""

import glob
import sys

import schemas

# What no schema can say: it compares parts of the file with each other.
BEYOND_A_SCHEMA = ("asks for ", "keeps ")
CHANGES = ("gone", None, "text", -1, 0, 1, 3, 64, 65, 1001, 4097, 100001, 3_000_000_000, 1.5, [], {}, True, "more")

DOOR = {"game": "treasure", "profile": "custom",
        "rest": {"port": 8080, "bind": "127.0.0.1", "default_dialect": "doc", "coordinate_base": None, "axis": None,
                 "extensions": False, "id_mode": "sequential", "max_body": 65536, "retention_ms": 600000}}


def main():
    good = [(path, schemas.read(path)) for path in sorted(glob.glob(schemas.SOURCE + "/configs/treasure/*.json"))]
    good.append(("the door", DOOR))
    changed = [one for _, config in good for one in schemas.mutants(config, CHANGES)]
    return schemas.judge(schemas.validator("treasure.schema.json"), good, changed,
                         lambda line: any(words in line for words in BEYOND_A_SCHEMA), "treasure")


if __name__ == "__main__":
    sys.exit(main())
