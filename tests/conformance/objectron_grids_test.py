"""Generated grids of objectron obey the rules of walls and items, as somebody judges them who has read the rules
and knows nothing of the program: he sees what `arbiter grid generate --items` prints. OBJECTRON_GRIDS says how many
seeds, each with a size from 10x10 to 60x40 of its own."""

import collections
import os
import random
import subprocess
import sys

ARBITER = os.path.join(os.environ["ARBITER_BUILD"], "arbiter")
SEEDS = int(os.environ.get("OBJECTRON_GRIDS", "60"))
AROUND = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


def percent(number, part):
    return (number * part + 99) // 100


def generate(width, height, players, walls, seed):
    """The rows, and the items as (id, kind, square, destination)."""
    run = subprocess.run([ARBITER, "grid", "generate", "--size", f"{width}x{height}", "--seed", str(seed), "--players",
                          str(players), "--walls", str(walls), "--items"], capture_output=True, text=True, check=True)
    lines = run.stdout.split("\n")[:-1]
    items = [line.split() for line in lines[height:]]
    return lines[:height], [(int(item[0]), item[1], (int(item[2]), int(item[3])),
                             int(item[4]) if len(item) > 4 else None) for item in items]


def parts(squares):
    """The squares in groups of neighbours, diagonal ones too."""
    left = set(squares)
    while left:
        group, edge = set(), [left.pop()]
        while edge:
            x, y = edge.pop()
            group.add((x, y))
            near = {(x + dx, y + dy) for dx, dy in AROUND} & left
            left -= near
            edge += near
        yield group


def distances(free, start):
    far, queue = {start: 0}, collections.deque([start])
    while queue:
        x, y = queue.popleft()
        for dx, dy in AROUND:
            to = (x + dx, y + dy)
            if to in free and to not in far:
                far[to] = far[x, y] + 1
                queue.append(to)
    return far


def judge_walls(rows, width, height, starts, most):
    found = {(x, y): letter for y, row in enumerate(rows) for x, letter in enumerate(row)}
    walls = {at for at, letter in found.items() if letter == "#"}
    assert len(rows) == height and all(len(row) == width for row in rows), "size"
    assert set(found.values()) <= set(" #1234"), "letters"
    assert {at: letter for at, letter in found.items() if letter in "1234"} == {
        at: str(number) for number, at in enumerate(starts, 1)}, "starts"
    assert 2 <= len(walls) <= percent(width * height, most), "share of walls"
    for wall in parts(walls):
        columns, lines = {x for x, _ in wall}, {y for _, y in wall}
        assert len(columns) == 1 or len(lines) == 1, "walls touch"
        side = height if len(columns) == 1 else width
        assert 2 <= len(wall) <= percent(side, 50), "length of a wall"
    free = set(found) - walls
    assert len(list(parts(free))) == 1, "squares are cut off"
    return free


def judge_fair_kind(squares, wanted, candidates, starts, radius, kind):
    assert len(squares) >= min(wanted, len(candidates)), f"too few: {kind}"
    assert len(squares) <= max(wanted, len(starts)), f"too many: {kind}"
    for start in starts:
        area = {(x, y) for x, y in candidates if max(abs(x - start[0]), abs(y - start[1])) <= radius}
        assert not area or area & squares, f"no {kind} near a start"


def judge_items(items, free, starts, squares, race):
    candidates = free - set(starts)
    lie = collections.defaultdict(list)
    for _, kind, at, _ in items:
        lie[kind].append(at)
    assert [item[0] for item in items] == list(range(1, len(items) + 1)), "ids"
    for kind, at in lie.items():
        assert len(set(at)) == len(at), f"two on a square: {kind}"
        assert set(at) <= (set(starts) if kind == "flag" else candidates), f"not on a free square: {kind}"
    judge_fair_kind(set(lie["light_grenade"]), percent(squares, 2), candidates, starts, 2, "grenade")
    judge_fair_kind(set(lie["identity_disc"]), percent(squares, 2), candidates, starts, 3, "disc")
    assert len(lie["teleporter"]) == min(percent(squares, 3), len(candidates)), "teleporters"
    assert len(lie["force_field_generator"]) == min(percent(squares, 7), len(candidates)), "generators"
    ids = {item[0] for item in items if item[1] == "teleporter"}
    assert all(item[3] in ids - {item[0]} for item in items if item[1] == "teleporter"), "a destination"
    far = [distances(free, start) for start in starts]
    fair = {at for at in candidates - set(lie["teleporter"])
            if max(f[at] for f in far) - min(f[at] for f in far) <= 2}
    assert len(lie["charged_identity_disc"]) == (1 if fair else 0), "charged disc"
    assert set(lie["charged_identity_disc"]) <= fair, "the charged disc's place"
    assert lie["flag"] == ([] if race else starts), "flags"


def judge(seed):
    luck = random.Random(seed)
    width, height, players = luck.randint(10, 60), luck.randint(10, 40), luck.randint(2, 4)
    most = luck.choice((20, 20, 20, 2, 9))
    starts = [(0, height - 1), (width - 1, 0), (0, 0), (width - 1, height - 1)][:players]
    rows, items = generate(width, height, players, most, seed)
    try:
        free = judge_walls(rows, width, height, starts, most)
        judge_items(items, free, starts, width * height, players == 2)
    except AssertionError as broken:
        print(f"seed {seed}, {width}x{height}, {players} players, {most} % walls: {broken}", *rows, sep="\n")
        return False
    return True


def main():
    good = sum(judge(seed) for seed in range(1, SEEDS + 1))
    print(f"{good} of {SEEDS} generated grids are good")
    return 0 if good == SEEDS > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
