"""python3 -m arbiter.env: what there is to play, and what each cell of an observation is.

    python3 -m arbiter.env                        the games and their set-ups
    python3 -m arbiter.env describe GAME [SETUP]  its observation, field by field
"""
import sys

from . import Rules, games, setups


def main(words):
    if not words:
        for game in games():
            print(f"{game}: {', '.join(setups(game))}")
        return 0
    if words[0] != "describe" or len(words) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        rules = Rules(words[1], setup=words[2] if len(words) == 3 else None)
    except ValueError as fault:
        print(f"arbiter.env: {fault}", file=sys.stderr)
        return 1
    print(f"{rules.game}: {rules.seats} seats, {rules.actions} actions, {rules.cells} cells\n\n{rules.describe()}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
