"""games.py: the games there are: each folder of common/games with rules and a mapping is one, so no test keeps a list of them.

`python3 tests/lib/games.py` prints their names, a line each."""
import functools
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "common" / "games"


@functools.lru_cache(maxsize=None)
def names():
    """In the order of the alphabet. Older versions of rules, NAME_1 and so on, are no games of their own."""
    found = {mapping.parent.name for mapping in FOLDER.glob("*/*_wire.c") if mapping.name == f"{mapping.parent.name}_wire.c"}
    return tuple(sorted(name for name in found if re.sub(r"_\d+$", "", name) == name or re.sub(r"_\d+$", "", name) not in found))


def recorded():
    """Those with recordings of another program."""
    return tuple(name for name in names() if (FOLDER / name / "conform").is_dir())


def title(name):
    """What the page calls a game in English."""
    words = json.loads((FOLDER / name / "words.json").read_text())
    return words["words"]["en"]["title"]


def is_general(name):
    """Whether the page plays it on the general board, and not on one of its own."""
    return not (ROOT / "services" / "gateway" / "web" / "src" / "games" / name).is_dir()


def proto(name):
    """The file of its messages: in its folder, or with all others."""
    own = FOLDER / name / f"{name}.proto"
    return own if own.exists() else ROOT / "proto" / f"{name}.proto"


if __name__ == "__main__":
    print("\n".join(names()))
