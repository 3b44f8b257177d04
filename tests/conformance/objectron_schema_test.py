"""The schema of objectron's set-ups and the program agree (schemas.py). The grids that come with the program are
the same in their set-ups and alone."""

import glob
import os
import subprocess
import sys

import schemas

GRIDS = os.path.join(schemas.SOURCE, "configs/objectron/grids")

# What no schema can say: it depends on another part of the file, or on what is drawn there.
BEYOND_A_SCHEMA = ("GRID_", "INVALID_PLAYER_COUNT", "PLACEMENT_INVALID", "may come to ", "may have to tell of ",
                   "below 2 to the 64th")
CHANGES = ("gone", None, "text", -3_000_000_000, 3_000_000_000, 0, 1.5, [], {}, True, "more")

SMALL = {"mode": "ctf", "players": 2, "grid": ["1   2", "     "], "seed": "7", "charged_disc": False,
         "placements": [{"id": 1, "kind": "light_grenade", "at": [1, 1], "state": "placed", "by": 1},
                        {"id": 2, "kind": "teleporter", "at": [2, 1], "dest": 3},
                        {"id": 3, "kind": "teleporter", "at": [3, 1], "dest": 2},
                        {"id": 4, "kind": "flag", "in": 2, "owner": 1},
                        {"id": 5, "kind": "identity_disc", "at": [0, 0], "allow_start": True}]}
GENERATED = {"mode": "race", "players": 2, "width": 12, "height": 10, "actions_per_turn": 3, "inventory_limit": 2,
             "wall_percent": 9, "wall_length_percent": 30, "grenade_percent": 1, "disc_percent": 1,
             "teleporter_percent": 2, "generator_percent": 3, "power_failure_bp": 10, "seed": 5}


def is_beyond(fault):
    """Squares must be on the grid, and players at the table, whose sizes stand elsewhere."""
    is_about_a_place = fault.startswith(":/placements/") and ", must be at " in fault
    of_an_item = fault.partition("PLACEMENT_INVALID: ")[2]
    is_of_a_schema = of_an_item.startswith("is ") and (", must be " in of_an_item or "not a key" in of_an_item)
    return is_about_a_place or (not is_of_a_schema and any(words in fault for words in BEYOND_A_SCHEMA))


def set_up_passes_for_a_drawing():
    """Whether nobody says where a set-up belongs that was given to "grid check"."""
    run = subprocess.run([schemas.ARBITER, "grid", "check",
                          os.path.join(schemas.SOURCE, "configs/objectron/duel.json")],
                         capture_output=True, text=True, check=False)
    return run.returncode != 1 or "arbiter check-config objectron" not in run.stderr


def grids_differ():
    """Whether the drawings are not those of the set-ups, or are too few."""
    drawn = {os.path.basename(path)[:-4]: open(path, encoding="utf-8").read().splitlines()
             for path in glob.glob(GRIDS + "/*.txt")}
    played = {os.path.basename(path)[:-5]: schemas.read(path)["grid"]
              for path in glob.glob(os.path.dirname(GRIDS) + "/*.json")}
    return drawn != played or len(drawn) < 8


def main():
    good = [("a small one", SMALL), ("a generated one", GENERATED)]
    changed = [one for _, config in good for one in schemas.mutants(config, CHANGES)]
    good += [(path, schemas.read(path)) for path in sorted(glob.glob(os.path.dirname(GRIDS) + "/*.json"))]
    if grids_differ():
        print("the grids alone are not those of the set-ups")
        return 1
    if set_up_passes_for_a_drawing():
        print("a set-up given to grid check is not told where it belongs")
        return 1
    return schemas.judge(schemas.validator("objectron.schema.json"), good, changed, is_beyond, "objectron")


if __name__ == "__main__":
    sys.exit(main())
