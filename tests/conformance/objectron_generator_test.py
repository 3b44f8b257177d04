"""The same seed gives the same grid and the same items as a second generator gives, which was written from the
text of the rules (sections 2 and 3) and knows nothing of the program: draw for draw, square for square."""

import collections
import os
import subprocess
import sys

ARBITER = os.path.join(os.environ["ARBITER_BUILD"], "arbiter")
# Width, height, players, most walls in a hundred: small and oblong ones, few and many walls, and the longest.
SIZES = [(10, 10, 2, 20), (10, 13, 3, 20), (17, 10, 4, 20), (12, 12, 2, 2), (11, 19, 4, 7), (24, 16, 2, 20),
         (10, 100, 3, 20), (100, 10, 2, 20)]
SEEDS = range(1, 6)
MASK = (1 << 64) - 1


class Dice:
    """Section 2: SplitMix64, and a draw below a number that favours none."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, number):
        least = (1 << 64) % number
        drawn = self.next()
        while drawn < least:
            drawn = self.next()
        return drawn % number

    def pick(self, choices):
        return choices[self.below(len(choices))]


def percent(number, part):
    return (number * part + 99) // 100


def segment(anchor, upright, length):
    x, y = anchor
    return [(x, y + i) if upright else (x + i, y) for i in range(length)]


def walls_of(dice, width, height, starts, share):
    """Section 3.2."""
    most = percent(width * height, share)
    longest = (percent(width, 50), percent(height, 50))
    walls, closed, used = set(), set(starts), 0

    def anchors(upright, length):
        columns, rows = (width, height - length + 1) if upright else (width - length + 1, height)
        return [(x, y) for y in range(rows) for x in range(columns)
                if not any(square in closed for square in segment((x, y), upright, length))]

    for _ in range(1 + dice.below(most // 2)):
        left = most - used
        if left < 2:
            break
        way = dice.below(2)
        top = min(longest[way], left)
        wished = 2 + dice.below(top - 1)
        tries = [(way, length) for length in range(wished, 1, -1)]
        tries += [(1 - way, length) for length in range(min(longest[1 - way], left), 1, -1)]
        tries += [(way, length) for length in range(wished + 1, top + 1)]
        for upright, length in tries:
            found = anchors(upright, length)
            if found:
                wall = segment(dice.pick(found), upright, length)
                walls.update(wall)
                closed.update((x + dx, y + dy) for x, y in wall for dx in (-1, 0, 1) for dy in (-1, 0, 1))
                used += length
                break
        else:
            break
    return walls


def distances(free, start):
    far, queue = {start: 0}, collections.deque([start])
    while queue:
        x, y = queue.popleft()
        for to in ((x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)):
            if to in free and to not in far:
                far[to] = far[x, y] + 1
                queue.append(to)
    return far


def fairly(dice, open_squares, starts, wanted, radius):
    """One near every start, and then anywhere until there are enough."""
    used = []
    for x, y in starts:
        area = [at for at in open_squares if abs(at[0] - x) <= radius and abs(at[1] - y) <= radius]
        vacant = [at for at in area if at not in used]
        if vacant and len(vacant) == len(area):
            used.append(dice.pick(vacant))
    return many(dice, open_squares, wanted, used)


def many(dice, open_squares, wanted, used=()):
    used = list(used)
    while len(used) < wanted and len(used) < len(open_squares):
        used.append(dice.pick([at for at in open_squares if at not in used]))
    return used


def items_of(dice, width, height, walls, starts):
    """Section 3.3: kind, square and, of a teleporter, the id it leads to."""
    squares = width * height
    free = [(x, y) for y in range(height) for x in range(width) if (x, y) not in walls]
    open_squares = [at for at in free if at not in starts]
    items = [("light_grenade", at, None) for at in fairly(dice, open_squares, starts, percent(squares, 2), 2)]
    items += [("identity_disc", at, None) for at in fairly(dice, open_squares, starts, percent(squares, 2), 3)]
    gates = many(dice, open_squares, percent(squares, 3))
    first = len(items) + 1
    for own, at in enumerate(gates):
        other = dice.below(len(gates) - 1)
        items.append(("teleporter", at, first + other + (other >= own)))
    items += [("force_field_generator", at, None) for at in many(dice, open_squares, percent(squares, 7))]
    far = [distances(set(free), start) for start in starts]
    fair = [at for at in open_squares if at not in gates and max(f[at] for f in far) - min(f[at] for f in far) <= 2]
    if fair:
        items.append(("charged_identity_disc", dice.pick(fair), None))
    if len(starts) > 2:
        items += [("flag", start, None) for start in starts]
    return items


def generated(width, height, players, share, seed):
    """What the program should print."""
    starts = [(0, height - 1), (width - 1, 0), (0, 0), (width - 1, height - 1)][:players]
    dice = Dice(seed)
    walls = walls_of(dice, width, height, starts, share)
    letters = {at: str(number) for number, at in enumerate(starts, 1)} | {at: "#" for at in walls}
    rows = ["".join(letters.get((x, y), " ") for x in range(width)) for y in range(height)]
    return rows, items_of(dice, width, height, walls, starts)


def printed(width, height, players, share, seed):
    run = subprocess.run([ARBITER, "grid", "generate", "--size", f"{width}x{height}", "--seed", str(seed), "--players",
                          str(players), "--walls", str(share), "--items"], capture_output=True, text=True, check=True)
    lines = run.stdout.split("\n")[:-1]
    items = [line.split() for line in lines[height:]]
    return lines[:height], [(item[1], (int(item[2]), int(item[3])), int(item[4]) if len(item) > 4 else None)
                            for item in items]


def main():
    dice = Dice(1)
    assert [dice.below(10) for _ in range(8)] == [5, 9, 0, 5, 1, 8, 5, 3], "the text's own numbers"
    tables = [(*size, seed) for size in SIZES for seed in SEEDS]
    wrong = [table for table in tables if generated(*table) != printed(*table)]
    for table in wrong:
        print("another grid, or other items: width, height, players, walls, seed", *table)
    print(f"{len(tables) - len(wrong)} of {len(tables)} grids are the same")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
