"""treasure_model.py: the treasure hunt's rules a second time, written from the specification alone, and random games of them."""
import random

DEFAULTS = {
    "half_width": 8, "half_height": 4, "min_mountain": 3, "min_grass": 5, "min_water": 4, "edge_water_max_long": None,
    "edge_water_max_short": None, "layout": "stack", "order": "player_order", "castle_missing": "reject",
    "treasure_min_distance": 1, "countdown": "until_zero", "enter_cost": {"grass": 1, "mountain": 2, "water": 1},
    "leave_cost": {"grass": 1, "mountain": 2}, "max_actions": 200, "limit_result": "both_lose", "out_of_turn": "lose",
    "mask_actions": 10, "mountain_radius": 1}
NUMERIC = {"00": "C", "01": "G", "02": "M", "03": "W"}
SYMBOLIC = {"PC": "C", "0C": "C", "0G": "G", "0M": "M", "0W": "W", "0T": "T", "0X": "T", "PT": "T"}
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
WINS = ("P1_WIN", "P2_WIN")


class Java:
    """java.util.Random."""

    def __init__(self, seed):
        self.state = (seed ^ 0x5DEECE66D) & ((1 << 48) - 1)

    def next(self, bits):
        self.state = (self.state * 0x5DEECE66D + 0xB) & ((1 << 48) - 1)
        return self.state >> (48 - bits)

    def below(self, count):
        if count & (count - 1) == 0:
            return count * self.next(31) >> 31
        while True:
            drawn = self.next(31)
            if drawn - drawn % count + count - 1 < 1 << 31:
                return drawn % count


def is_joined(land):
    """Whether all these fields hang together."""
    reached = set(list(land)[:1])
    todo = list(reached)
    while todo:
        x, y = todo.pop()
        more = {(x + dx, y + dy) for dx, dy in STEPS} & land - reached
        reached |= more
        todo += more
    return reached == land


def faults_of(config, fields, castles):
    """R-H4 to R-H10."""
    width, height = config["half_width"], config["half_height"]
    at = {(i % width, i // width): field for i, field in enumerate(fields)}

    def most(length):
        given = config["edge_water_max_long" if length == max(width, height) else "edge_water_max_short"]
        return (length - 1) // 2 if given is None else given

    def is_wet(edge, length):
        return sum(at[field] == "W" for field in edge) > most(length)

    columns, rows = range(width), range(height)
    allowed = (0, 1) if config["castle_missing"] == "server_random" else (1,)
    found = (
        ("CASTLE_COUNT", len(castles) not in allowed),
        ("CASTLE_NOT_ON_GRASS", any(at.get(castle) != "G" for castle in castles)),
        ("TOO_FEW_MOUNTAIN", fields.count("M") < config["min_mountain"]),
        ("TOO_FEW_GRASS", fields.count("G") < config["min_grass"]),
        ("TOO_FEW_WATER", fields.count("W") < config["min_water"]),
        ("EDGE_WATER_TOP", is_wet([(x, 0) for x in columns], width)),
        ("EDGE_WATER_BOTTOM", is_wet([(x, height - 1) for x in columns], width)),
        ("EDGE_WATER_LEFT", is_wet([(0, y) for y in rows], height)),
        ("EDGE_WATER_RIGHT", is_wet([(width - 1, y) for y in rows], height)),
        ("ISLAND", not is_joined({field for field, terrain in at.items() if terrain != "W"})))
    return [name for name, is_so in found if is_so]


def symbol(code):
    code = "".join(chr(ord(letter) - 32) if "a" <= letter <= "z" else letter for letter in code)
    return SYMBOLIC.get("0" + code[1] if code[0] == "O" else code)


def read_half(config, text):
    """(fields, castles), or None, and the faults."""
    width = config["half_width"]
    text = "".join(letter for letter in text if letter not in " \t\r\n")
    if len(text) != 2 * width * config["half_height"]:
        return None, ["BAD_LENGTH"]
    is_numeric = all(letter in "0123456789" for letter in text)
    codes = [text[i:i + 2] for i in range(0, len(text), 2)]
    fields = [NUMERIC.get(code) if is_numeric else symbol(code) for code in codes]
    if None in fields:
        return None, ["BAD_CODE"]
    if "T" in fields:
        return None, ["TREASURE_FORBIDDEN"]
    castles = [(i % width, i // width) for i, field in enumerate(fields) if field == "C"]
    fields = ["G" if field == "C" else field for field in fields]
    return (fields, castles), faults_of(config, fields, castles)


def judge_rows(config, rows, castles):
    if len(rows) != config["half_height"] or any(len(row) != config["half_width"] for row in rows):
        return ["BAD_LENGTH"]
    if any(letter not in "GMW" for row in rows for letter in row):
        return ["BAD_CODE"]
    return faults_of(config, list("".join(rows)), castles)


class Game:
    """One match, from two good halves on. Seats are 0 and 1 here."""

    def __init__(self, config, halves, seed, treasures=(None, None)):
        self.config, self.dice = config, Java(seed)
        width, height = config["half_width"], config["half_height"]
        is_side = self.dice.next(1) != 0 if config["layout"] == "random" else config["layout"] == "side_by_side"
        first = self.dice.next(1) if config["order"] == "random" else 0
        self.width, self.height = (2 * width, height) if is_side else (width, 2 * height)
        self.corner = [(0, 0), (0, 0)]
        self.corner[1 - first] = (width, 0) if is_side else (0, height)
        self.order = [(x, y) for y in range(self.height) for x in range(self.width)]
        self.terrain, self.owner, self.castle = {}, {}, [None, None]
        for seat, half in enumerate(halves):
            (fields, castles), faults = read_half(config, half)
            assert not faults
            x, y = self.corner[seat]
            for i, field in enumerate(fields):
                self.terrain[x + i % width, y + i // width] = field
                self.owner[x + i % width, y + i // width] = seat
            self.castle[seat] = (x + castles[0][0], y + castles[0][1]) if castles else None
        for seat in (0, 1):
            self.castle[seat] = self.castle[seat] or self.draw(self.grass(seat))
        self.treasure = [self.draw(self.hiding_places(seat)) for seat in (0, 1)]
        self.drawn = list(self.treasure)
        self.figure, self.pending, self.count = list(self.castle), [None, None], 0
        self.result = self.reason = None
        self.has, self.sees, self.knows = [False, False], [False, False], [False, False]
        self.explored, self.rows, self.mask = [{castle} for castle in self.castle], [], [None, None]
        self.draw_masks()
        self.treasure = [given or drawn for given, drawn in zip(treasures, self.treasure)]

    def draw(self, fields):
        return fields[self.dice.below(len(fields))]

    def grass(self, seat):
        return [field for field in self.order if self.terrain[field] == "G" and self.owner[field] == seat]

    def hiding_places(self, seat):
        far, (x, y) = self.config["treasure_min_distance"], self.castle[seat]
        while True:
            fields = [field for field in self.grass(seat) if max(abs(field[0] - x), abs(field[1] - y)) >= far]
            if fields:
                return fields
            far -= 1

    def draw_masks(self):
        if self.result is None and self.count < self.config["mask_actions"]:
            land = [field for field in self.order if self.terrain[field] != "W"]
            self.mask = [self.draw(land), self.draw(land)]

    def lose(self, seat, reason):
        self.result, self.reason = WINS[1 - seat], reason

    def expected(self, seat, to):
        if self.pending[seat] and self.pending[seat][0] == to:
            return self.pending[seat][1]
        names = {"G": "grass", "M": "mountain", "W": "water"}
        cost = self.config["leave_cost"][names[self.terrain[self.figure[seat]]]]
        cost += self.config["enter_cost"][names[self.terrain.get(to, "W")]]
        return cost if self.config["countdown"] == "until_zero" else cost - 1

    def reveal(self, seat, field):
        if field in self.terrain:
            self.explored[seat].add(field)
            self.sees[seat] |= field == self.treasure[seat]
            self.knows[seat] |= field == self.castle[1 - seat]

    def enter(self, seat, to):
        """What it violates, or None."""
        terrain = self.terrain.get(to)
        if terrain is None:
            return "OFF_MAP"
        self.figure[seat] = to
        if terrain == "W":
            return "WATER"
        around = range(-self.config["mountain_radius"], self.config["mountain_radius"] + 1)
        for dx in around if terrain == "M" else (0,):
            for dy in around if terrain == "M" else (0,):
                self.reveal(seat, (to[0] + dx, to[1] + dy))
        self.has[seat] |= terrain == "G" and to == self.treasure[seat]
        if self.has[seat] and to == self.castle[1 - seat]:
            self.result, self.reason = WINS[seat], "CASTLE_TAKEN"
        return None

    def update(self, seat, here, to, turns):
        """What is stored of it, and what it violates."""
        across, down = to[0] - here[0], to[1] - here[1]
        if here != self.figure[seat]:
            return "STAY", "BAD_POSITION"
        if abs(across) + abs(down) != 1:
            return "STAY", "ILLEGAL_STEP"
        if turns != self.expected(seat, to):
            return "STAY", "BAD_COUNTDOWN"
        self.pending[seat] = (to, turns - 1) if turns > 0 else None
        if turns > 0:
            return "STAY", None
        way = {(1, 0): "RIGHT", (-1, 0): "LEFT", (0, 1): "DOWN", (0, -1): "UP"}[across, down]
        return way, self.enter(seat, to)

    def step(self, words):
        """A scenario's step: a seat, from 1, and five numbers or none."""
        seat = words[0] - 1
        is_his = self.count % 2 == seat
        if self.result:
            return
        if not is_his:
            if len(words) == 1:
                self.lose(seat, "BAD_MESSAGE")
            elif self.config["out_of_turn"] == "lose":
                self.lose(seat, "NOT_YOUR_TURN")
            return
        self.count += 1
        if len(words) == 1:
            self.rows.append([self.count, "STAY", None, None, None, "BAD_MESSAGE"])
            self.lose(seat, "BAD_MESSAGE")
            return
        action, violation = self.update(seat, tuple(words[1:3]), tuple(words[3:5]), words[5])
        self.rows.append([self.count, action, words[3] + 1, words[4] + 1, words[5], violation])
        if violation:
            self.lose(seat, violation)
        if self.result is None and self.count >= self.config["max_actions"]:
            self.lose(seat, "ACTION_LIMIT")
            if self.config["limit_result"] == "both_lose":
                self.result = "BOTH_LOSE"
        self.draw_masks()

    def view(self, seat):
        is_masked = self.result is None and self.count < self.config["mask_actions"]
        x, y = self.corner[seat]
        rows = ["".join(self.terrain[x, y] for x in range(self.width)) for y in range(self.height)]
        pending = self.pending[seat]
        return {
            "seat": seat + 1, "n": self.count, "turn": None if self.result else self.count % 2 + 1,
            "phase": "end" if self.result else "move", "width": self.width, "height": self.height, "terrain": rows,
            "own_half": {"x": x, "y": y, "w": self.config["half_width"], "h": self.config["half_height"]},
            "castle": list(self.castle[seat]), "pos": list(self.figure[seat]),
            "pending": [list(pending[0]), pending[1]] if pending else None,
            "enemy": list(self.mask[seat] if is_masked else self.figure[1 - seat]), "enemy_masked": is_masked,
            "treasure": self.has[seat],
            "treasure_pos": list(self.treasure[seat]) if self.sees[seat] and not self.has[seat] else None,
            "enemy_castle": list(self.castle[1 - seat]) if self.knows[seat] else None,
            "explored": [list(field) for field in self.order if field in self.explored[seat]],
            "win": self.result == WINS[seat], "loss": self.result not in (None, WINS[seat]),
            "result": self.result, "reason": self.reason}

    def referee_map(self):
        def code(field):
            for seat in (0, 1):
                if field == self.castle[seat]:
                    return f"{seat + 1}C"
                if field == self.treasure[seat] and not self.has[seat]:
                    return f"{seat + 1}T"
            return "0" + self.terrain[field]
        return "".join(map(code, self.order))

    def player_map(self, seat):
        codes = {"G": "01", "M": "02", "W": "03"}
        return "".join("00" if field == self.castle[seat] else codes[self.terrain[field]] for field in self.order)


# Chance.

ODD_CODES = ("00", "PC", "0T", "PT", "PX", "0X", "ot", "ox", "PG", "PM", "PW", "O1", "04", "99", "0\u00e9", "\u00a0", "01 ",
             "o1", "0g", "\u0660\u0661", "0O", "OO", "0", "011", "\U0001f600x")
BLANKS = ("", "", " ", "\n")


def random_config(chance):
    config = {}
    for name, odds, value in (
            ("countdown", .5, lambda: chance.choice(("until_zero", "exact_cost"))),
            ("layout", .4, lambda: chance.choice(("stack", "side_by_side", "random"))),
            ("order", .4, lambda: chance.choice(("player_order", "random"))),
            ("castle_missing", .3, lambda: "server_random"),
            ("treasure_min_distance", .3, lambda: chance.randint(1, 8)),
            ("mask_actions", .3, lambda: chance.randint(0, 30)),
            ("mountain_radius", .3, lambda: chance.randint(1, 3)),
            ("max_actions", .3, lambda: 2 * chance.randint(1, 60)),
            ("limit_result", .3, lambda: chance.choice(("both_lose", "player_to_move"))),
            ("out_of_turn", .3, lambda: chance.choice(("lose", "reject"))),
            ("enter_cost", .2, lambda: {name: chance.randint(1, 9) for name in ("grass", "mountain", "water")}),
            ("leave_cost", .2, lambda: {name: chance.randint(0, 9) for name in ("grass", "mountain")})):
        if chance.random() < odds:
            config[name] = value()
    if chance.random() < .3:
        width, height = chance.randint(2, 12), chance.randint(2, 12)
        fields = width * height
        config.update(half_width=width, half_height=height, min_mountain=chance.randint(0, fields // 8),
                      min_grass=chance.randint(2, max(2, fields // 3)), min_water=chance.randint(0, fields // 8))
        for name in ("edge_water_max_long", "edge_water_max_short"):
            if width != height and chance.random() < .4:
                config[name] = chance.randint(0, min(width, height))
    return config


def random_half(chance, config):
    """Codes of the numeric alphabet; most are not good."""
    fields = config["half_width"] * config["half_height"]
    wet = chance.random() * .35
    codes = chance.choices(("01", "02", "03"), (1 - wet, chance.random() * .5, wet), k=fields)
    if config["castle_missing"] == "reject" or chance.random() < .5:
        codes[chance.randrange(fields)] = "00"
    return codes


def spelled(chance, codes):
    """The same half in the other alphabet, with blanks."""
    words = {"00": ("PC", "0C", "oc", "Oc", "pC"), "01": ("0G", "OG", "og"), "02": ("0M",), "03": ("0w",)}
    return "".join(chance.choice(words[code]) + chance.choice(BLANKS) for code in codes)


def good_half(chance, config):
    for _ in range(400):
        codes = random_half(chance, config)
        if not read_half(config, "".join(codes))[1]:
            return spelled(chance, codes) if chance.random() < .3 else "".join(codes)
    return None


def half_scenario(chance, config):
    codes = random_half(chance, config)
    text = spelled(chance, codes) if chance.random() < .3 else "".join(codes)
    if chance.random() < .4:
        codes[chance.randrange(len(codes))] = chance.choice(ODD_CODES)
        text = "".join(codes)
    faults = read_half(config, text)[1]
    return {"type": "half", "half": text, "expect": {"valid": not faults, "errors": faults}}


def rows_scenario(chance, config):
    width, height = config["half_width"], config["half_height"]
    wet = chance.random() * .3
    rows = ["".join(chance.choices("GMW", (1 - wet, .2, wet), k=width)) for _ in range(height)]
    castles = [(chance.randrange(width), chance.randrange(height)) for _ in range(chance.choice((0, 1, 1, 1, 2)))]
    kind, row = chance.randrange(10), chance.randrange(height)
    if kind == 0:
        rows.append(rows[0])
    elif kind == 1:
        rows[row] += "G"
    elif kind == 2:
        rows[row] = chance.choice("gX0\u00e9") + rows[row][1:]
    faults = judge_rows(config, rows, castles)
    return {"type": "half_rows", "rows": rows, "castles": castles, "expect": {"valid": not faults, "errors": faults}}


def merge_scenario(config, halves, seed):
    game = Game(config, halves, seed)
    return {"type": "merge", "halves": {"1": halves[0], "2": halves[1]}, "seed": seed, "expect": {
        "width": game.width, "height": game.height, "castles": {"1": game.castle[0], "2": game.castle[1]},
        "treasures": {"1": game.treasure[0], "2": game.treasure[1]}, "referee_map": game.referee_map(),
        "player_map": {"1": game.player_map(0), "2": game.player_map(1)}}}


def blunder(chance, game, seat):
    x, y = game.figure[seat]
    return chance.choice((
        [seat + 1], [2 - seat], [2 - seat, 0, 0, 0, 1, 2], [seat + 1, 2**31 - 1, 0, -2**31, 5, 2],
        [seat + 1, x, y, chance.randint(-2, 9), chance.randint(-2, 9), chance.randint(-1, 5)],
        [seat + 1, x, y, x, y + 1, chance.randint(-1, 6)],
        [seat + 1, chance.randint(0, 7), chance.randint(0, 7), 1, 1, 0]))


def sensible(chance, game, seat):
    """Somewhere, rather where it leads to an end."""
    x, y = game.figure[seat]
    aim = game.castle[1 - seat] if game.has[seat] else game.treasure[seat]
    beside = [(x + dx, y + dy) for dx, dy in STEPS]
    land = [field for field in beside if game.terrain.get(field, "W") != "W"]
    to = chance.choice(land if land and chance.random() < .97 else beside)
    if land and chance.random() < .7:
        to = min(land, key=lambda field: (abs(field[0] - aim[0]) + abs(field[1] - aim[1]), chance.random()))
    if game.pending[seat] and chance.random() < .93:
        to = game.pending[seat][0]
    return [seat + 1, x, y, *to, game.expected(seat, to)]


def game_scenario(chance, config, halves, seed):
    game = Game(config, halves, seed)
    treasures = [None, None]
    for seat in (0, 1):
        if chance.random() < .3:
            treasures[seat] = chance.choice([field for field in game.grass(0) + game.grass(1)
                                             if field != game.castle[seat]])
    game = Game(config, halves, seed, treasures)
    steps, looks, odds = [], [], chance.choice((0, 0, .01, .05))

    def look():
        if not looks or looks[-1]["after"] != len(steps):
            looks.append({"after": len(steps), "view": {"1": game.view(0), "2": game.view(1)}})

    look()
    for _ in range(chance.randint(1, 300)):
        if game.result and chance.random() < .7:
            break
        seat = game.count % 2
        steps.append((blunder if chance.random() < odds else sensible)(chance, game, seat))
        game.step(steps[-1])
        if chance.random() < .15:
            look()
    look()
    return {"type": "game", "halves": {"1": halves[0], "2": halves[1]}, "seed": seed, "steps": steps, "expect": looks,
            "treasures": {"1": treasures[0], "2": treasures[1]}, "stored": game.rows,
            "final": {"n": game.count, "result": game.result, "reason": game.reason}}


def scenarios(seed, count):
    """As `arbiter conform` reads them."""
    chance = random.Random(seed)
    while count > 0:
        given = random_config(chance)
        config = {**DEFAULTS, **given}
        halves = good_half(chance, config), good_half(chance, config)
        dice = chance.choice((chance.randint(0, 7), chance.randint(-2**63, 2**63 - 1)))
        kind = chance.randrange(6)
        if kind > 1 and None in halves:
            continue
        count -= 1
        scenario = (half_scenario(chance, config) if kind == 0 else rows_scenario(chance, config) if kind == 1
                    else merge_scenario(config, halves, dice) if kind == 2
                    else game_scenario(chance, config, halves, dice))
        yield {"id": f"{seed}-{count}", "title": "", "rules": [], "config": given, **scenario}
