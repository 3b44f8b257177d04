"""Random games of objectron, on small crowded grids and with much nonsense in between, go in the program as they go
in a second one (objectron_model.py): every event of every command, every refusal, and how it stands in the end."""

import json
import os
import random
import subprocess
import sys
import tempfile

from objectron_model import Game
from objectron_model_board import DIRECTIONS, FLAG, GENERATOR, GRENADE, TELEPORTER, beside

ARBITER = os.path.join(os.environ["ARBITER_BUILD"], "arbiter")
GAMES = int(os.environ.get("OBJECTRON_GAMES", "60"))
FIRST = int(os.environ.get("OBJECTRON_FIRST", "1"))
DISCS = ("identity_disc", "charged_identity_disc")


def is_whole(free):
    """Whether there is a way from each free square to each other."""
    reached, ahead = set(), free[:1]
    while ahead:
        square = ahead.pop()
        if square in free and square not in reached:
            reached.add(square)
            ahead += [beside(square, direction) for direction in range(8)]
    return len(reached) == len(free)


def a_grid(luck, players):
    free = []
    while len(free) < players + 3 or not is_whole(free):
        width, height = luck.randint(3, 8), luck.randint(3, 8)
        walls, holes = luck.choice((0, 0.05, 0.12, 0.25)), luck.choice((0, 0, 0.1))
        letters = [[luck.choices(" #*", (1 - walls - holes, walls, holes))[0] for _ in range(width)]
                   for _ in range(height)]
        free = [(x, y) for y in range(height) for x in range(width) if letters[y][x] == " "]
    homes = luck.sample(free, players)
    for number, (x, y) in enumerate(homes):
        letters[y][x] = str(number + 1)
    return ["".join(line) for line in letters], free, homes


class Laying:
    """Where items lie, and who carries them."""

    def __init__(self, luck, free, homes, room):
        self.luck, self.free, self.homes, self.room = luck, free, homes, room
        self.placed, self.taken, self.ids = [], set(), iter(luck.sample(range(1, 900), 100))
        self.carried = {number: 0 for number in range(1, len(homes) + 1)}

    def put(self, kind, counts, **more):
        laid = []
        for _ in range(self.luck.choice(counts)):
            square = self.luck.choice(self.free)
            if (kind, square) not in self.taken:
                self.taken.add((kind, square))
                laid.append({"id": next(self.ids), "kind": kind, "at": list(square), "allow_start": True, **more})
        self.placed += laid
        return laid

    def carry(self, kind, counts, **more):
        for _ in range(self.luck.choice(counts)):
            number = self.luck.randint(1, len(self.homes))
            if self.carried[number] < self.room and number != more.get("owner"):
                self.carried[number] += 1
                self.placed.append({"id": next(self.ids), "kind": kind, "in": number, **more})

    def items(self, standing):
        for grenade in self.put(GRENADE, (0, 1, 2, 4)):
            is_stood_on = tuple(grenade["at"]) in standing  # By whom the rules would have let it explode.
            grenade["state"] = self.luck.choice(("idle", "placed", "exploded") + ("active",) * (not is_stood_on))
            if grenade["state"] in ("placed", "active"):
                grenade["by"] = self.luck.randint(1, len(self.homes))
        for kind in DISCS:
            self.put(kind, (0, 1, 2))
            self.carry(kind, (0, 1, 3))
        self.put(GENERATOR, (0, 0, 2, 4, 6))
        self.carry(GENERATOR, (0, 1, 4))
        self.carry(GRENADE, (0, 1, 3))
        teleporters = self.put(TELEPORTER, (0, 0, 2, 3, 5))
        for teleporter in teleporters:
            others = [other["id"] for other in teleporters if other is not teleporter]
            teleporter["dest"] = self.luck.choice(others or [0])
        if len(teleporters) == 1:
            self.placed.remove(teleporters[0])

    def flags(self):
        carriers = set()
        for owner in range(1, len(self.homes) + 1):
            carrier = self.luck.choice(sorted(self.carried))
            if self.luck.random() < 0.25:
                self.put(FLAG, (1,), owner=owner)
            elif self.luck.random() < 0.4 and carrier != owner and carrier not in carriers and \
                    self.carried[carrier] < self.room:
                carriers.add(carrier)
                self.carried[carrier] += 1
                self.placed.append({"id": next(self.ids), "kind": FLAG, "in": carrier, "owner": owner})


def a_trail(luck, at, free):
    trail, left = [], 2
    for _ in range(luck.randint(1, 3)):
        around = [beside(at, direction) for direction in range(8)]
        around = [square for square in around if square in free and list(square) not in [piece[:2] for piece in trail]]
        if not around:
            break
        at = luck.choice(around)
        trail.append([*at, left])
        left -= 1
    return trail


def laid_players(luck, free, homes):
    spots, laid = luck.sample(free, len(homes)), {}
    for number, home in enumerate(homes):
        player = {"at": list(spots[number])} if luck.random() < 0.5 else {}
        at = tuple(player.get("at", home))
        for key, draw in (("pending_actions", lambda: luck.randint(0, 12)), ("skip_turns", lambda: luck.randint(0, 2)),
                          ("trail", lambda at=at: a_trail(luck, at, free))):
            if luck.random() < 0.2:
                player[key] = draw()
        laid[str(number + 1)] = player
    where = [tuple(laid[str(number + 1)].get("at", home)) for number, home in enumerate(homes)]
    if len(set(where)) < len(where):
        return laid_players(luck, free, homes)
    return laid, set(where)


def a_failure(luck, squares):
    failure = {"at": list(luck.choice(squares)), "turns": luck.randint(1, 4)}
    if luck.random() < 0.7:
        direction = luck.randrange(8)
        failure["spread"] = {"dir": DIRECTIONS[direction], "rotation": luck.choice(("cw", "ccw"))}
        if luck.random() < 0.7:
            failure["spread"]["tertiary"] = DIRECTIONS[(direction + luck.choice((-1, 0, 1))) % 8]
    return failure


def a_table(luck, number):
    mode = luck.choice(("race", "ctf"))
    grid, free, homes = a_grid(luck, 2 if mode == "race" else luck.choice((2, 2, 3, 4, 5)))
    config = {"mode": mode, "players": len(homes), "actions_per_turn": luck.choice((2, 3, 4, 4, 4, 5, 10)),
              "inventory_limit": luck.choice((1, 2, 6, 6, 20)), "seed": luck.getrandbits(62),
              "power_failure_bp": luck.choice((0, 0, 0, 100, 1000, 3000))}
    players, standing = laid_players(luck, free, homes)
    laying = Laying(luck, free, homes, config["inventory_limit"])
    laying.items(standing)
    if mode == "ctf":
        laying.flags()
    squares = [(x, y) for y, line in enumerate(grid) for x, letter in enumerate(line) if letter != "*"]
    return {"name": f"random game {number}", "config": config, "grid": grid, "placements": laying.placed,
            "power_failures": [a_failure(luck, squares) for _ in range(luck.choice((0, 0, 1, 2)))], "players": players}


def good_commands(luck, game):
    player = game.current
    good = [{"cmd": "move", "dir": DIRECTIONS[direction]} for direction in game.moves(player)] * 2
    good += [{"cmd": "pick_up", "item": number} for number in game.items if not game.doubt_pick_up(player, number)] * 4
    for item in player.inventory:
        good += [{"cmd": "use", "item": item.id, **({"dir": direction} if item.is_disc else {})} for direction in "NESW"]
    if luck.random() < 0.03 or (game.moved and not game.why_he_loses(player)) or game.is_charged(player.at):
        good.append({"cmd": "end_turn", "confirm": True})
    return good


def nonsense(luck, game):
    numbers = [*game.items, 0, 9999, "1", None, 1.5]
    directions = [*DIRECTIONS, "X", "n", 3, None]
    return luck.choice((
        {"cmd": "resign"}, {}, {"cmd": luck.choice(("pick_up", "use", "move", "fly", 5, ""))},
        {"cmd": "end_turn", **luck.choice(({}, {"confirm": False}, {"confirm": 1}, {"confirm": None}))},
        {"cmd": "move", "dir": luck.choice(directions)}, {"cmd": "move", "dir": luck.choice(DIRECTIONS)},
        {"cmd": "pick_up", "item": luck.choice(numbers)}, {"cmd": "use", "item": luck.choice(numbers)},
        {"cmd": "use", "item": luck.choice(numbers), "dir": luck.choice(directions), "speed": 7}))


def a_command(luck, game):
    who = game.current.number if luck.random() < 0.7 else luck.randint(0, game.count + 1)
    good = [] if game.is_over else good_commands(luck, game)
    if good and luck.random() < 0.8:
        return {"player": game.current.number, **luck.choice(good)}
    return {"expire": who} if luck.random() < 0.15 else {"player": who, **nonsense(luck, game)}


def scenario(number):
    luck = random.Random(number)
    table = a_table(luck, number)
    game, commands, most = Game(table), [], luck.choice((10, 40, 120))
    while len(commands) < most and not (game.is_over and luck.random() < 0.5):
        command = a_command(luck, game)
        code = game.step(command)
        commands.append({**command, **({"error": code} if code else {"events": game.events})})
    return {**table, "rules": [], "commands": commands, "facts": game.facts()}


def main():
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        for number in range(FIRST, FIRST + GAMES):
            file.write(json.dumps(scenario(number)) + "\n")
        file.flush()
        run = subprocess.run([ARBITER, "conform", "objectron", file.name], capture_output=True, text=True, check=False)
    print(run.stdout.strip())
    print(run.stderr[:4000], end="")
    return 0 if run.returncode == 0 and f"{GAMES} agreed" in run.stdout else 1


if __name__ == "__main__":
    sys.exit(main())
