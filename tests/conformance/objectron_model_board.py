"""The board of objectron for the second program (objectron_model.py): grid, players, items, fields, and the power."""

MASK = (1 << 64) - 1
DIRECTIONS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
STEPS = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]
REACH, PERIOD, PRIMARY_TURNS = 3, 2, 3
GENERATOR, TELEPORTER, GRENADE, FLAG = "force_field_generator", "teleporter", "light_grenade", "flag"


class Refused(Exception):
    """A command that is refused, with its code."""


class Over(Exception):
    """Nothing happens any more."""


class Dice:
    """Section 2: the stream of play."""

    def __init__(self, seed):
        self.state = seed ^ 0x6F626A656374726F

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


class Player:
    """Section 4."""

    def __init__(self, number, home, laid):
        self.number, self.home = number, home
        self.at = tuple(laid.get("at", home))
        self.trail = [(tuple(piece[:2]), piece[2], True) for piece in laid.get("trail", [])]
        self.inventory, self.alive = [], True
        self.pending, self.skip = laid.get("pending_actions", 0), laid.get("skip_turns", 0)
        self.captured = set(laid.get("captured", []))


class Item:
    """Section 8; what is carried or destroyed lies nowhere."""

    def __init__(self, placed):
        self.id, self.kind = placed["id"], placed["kind"]
        self.at = tuple(placed["at"]) if "at" in placed else None
        self.holder, self.by = placed.get("in"), placed.get("by")
        self.dest, self.owner = placed.get("dest"), placed.get("owner")
        self.state = placed.get("state", "idle") if self.kind == GRENADE else None

    @property
    def is_disc(self):
        return self.kind.endswith("identity_disc")


class Failure:
    """Section 11."""

    def __init__(self, number, primary, direction, rotation, turns):
        self.id, self.primary, self.direction, self.rotation, self.turns = number, primary, direction, rotation, turns
        self.secondary, self.tertiary, self.count = None, None, 0


class Field:
    """Section 10."""

    def __init__(self, number, ends, squares, is_new):
        self.id, self.ends, self.squares, self.is_new = number, ends, squares, is_new
        self.on, self.counter, self.trapped = False, 0, set()

    def tick(self, here):
        """Whom it catches for the second time; None: it does not switch. `here` are all who are alive."""
        self.counter = (self.counter + 1) % PERIOD
        if self.counter > 0:
            return None
        self.on = not self.on
        if not self.on:
            return set()
        caught = {player.number for player in here if player.at in self.squares}
        again, self.trapped = caught & self.trapped, caught
        return again


def beside(square, direction):
    return square[0] + STEPS[direction][0], square[1] + STEPS[direction][1]


def plain(square):
    return None if square is None else list(square)


class Board:
    """What a scenario lays, and what ticks on it: sections 1, 4, 10 and 11."""

    def __init__(self, scenario):
        config, lines = scenario["config"], scenario["grid"]
        self.mode, self.count = config["mode"], config["players"]
        self.actions, self.room = config["actions_per_turn"], config["inventory_limit"]
        self.chance, self.dice = config["power_failure_bp"], Dice(config["seed"])
        self.width, self.height = max(map(len, lines)), len(lines)
        self.cells = {(x, y): letter for y, line in enumerate(lines) for x, letter in enumerate(line)}
        homes = {int(letter): square for square, letter in self.cells.items() if letter.isdigit()}
        self.players = [Player(number, homes[number], scenario["players"].get(str(number), {}))
                        for number in range(1, self.count + 1)]
        self.items = {item.id: item for item in sorted(map(Item, self.placed(scenario)), key=lambda item: item.id)}
        for placed in scenario["placements"]:
            if "in" in placed:
                self.players[placed["in"] - 1].inventory.append(self.items[placed["id"]])
        self.failures, self.next_failure = [], 1
        for laid in scenario["power_failures"]:
            self.lay_failure(laid)
        self.fields, self.next_field = [], 1
        generators = [item for item in self.items.values() if item.kind == GENERATOR]
        for number, one in enumerate(generators):
            for other in generators[number + 1:]:
                self.connect(one, other, is_new=False)
        self.held, self.events = set(), []

    def placed(self, scenario):
        owners = {placed.get("owner") for placed in scenario["placements"]}
        missing = [player for player in self.players if self.mode == "ctf" and player.number not in owners]
        return scenario["placements"] + [{"id": 900 + player.number, "kind": FLAG, "at": player.home,
                                          "owner": player.number} for player in missing]

    def lay_failure(self, laid):
        spread = laid.get("spread")
        failure = Failure(self.next_failure, tuple(laid["at"]), None, None, laid["turns"] + 1)
        self.next_failure += 1
        self.failures.append(failure)
        if spread is None:
            return
        failure.direction, failure.rotation = DIRECTIONS.index(spread["dir"]), spread["rotation"]
        failure.secondary = self.in_grid(beside(failure.primary, failure.direction))
        if failure.secondary and spread.get("tertiary"):
            failure.tertiary = self.in_grid(beside(failure.secondary, DIRECTIONS.index(spread["tertiary"])))

    # Squares.

    def in_grid(self, square):
        return square if self.cells.get(square, "*") != "*" else None

    def is_free(self, square):
        return self.cells.get(square, "*") not in "*#"

    def is_dark(self, square):
        return any(square in (failure.primary, failure.secondary, failure.tertiary) for failure in self.failures)

    def is_charged(self, square):
        return any(field.on and square in field.squares for field in self.fields)

    def lying(self, square, kind):
        return next((item for item in self.items.values() if item.at == square and item.kind == kind), None)

    def standing(self, square, but=None):
        return next((player for player in self.players if player.alive and player.at == square and player is not but), None)

    def end_of(self, square):
        """Where a step onto it leads."""
        teleporter = self.lying(square, TELEPORTER)
        return self.items[teleporter.dest].at if teleporter else square

    def alive(self):
        return [player for player in self.players if player.alive]

    # What is carried.

    def flag_of(self, player):
        return next((item for item in player.inventory if item.kind == FLAG), None)

    @staticmethod
    def take_out(player, item):
        player.inventory.remove(item)
        item.holder = None

    # Fields and failures.

    def connect(self, one, other, is_new):
        first, last = sorted((one, other), key=lambda item: item.id)
        if first.at is None or last.at is None:
            return
        dx, dy = last.at[0] - first.at[0], last.at[1] - first.at[1]
        far = max(abs(dx), abs(dy))
        if not 1 <= far <= REACH or abs(dx) not in (0, far) or abs(dy) not in (0, far):
            return
        squares = [(first.at[0] + dx // far * step, first.at[1] + dy // far * step) for step in range(far + 1)]
        if not all(map(self.is_free, squares)):
            return
        self.fields.append(Field(self.next_field, (first.id, last.id), squares, is_new))
        if is_new:
            self.say("force_field_created", field=self.next_field, a=first.id, b=last.id, squares=list(map(list, squares)))
        self.next_field += 1

    def tell_held(self):
        held = {player.number for player in self.alive() if self.is_charged(player.at)}
        for player in self.players:
            if (player.number in held) != (player.number in self.held):
                self.say("player_held" if player.number in held else "player_released", player=player.number,
                         at=plain(player.at))
        self.held = held

    def draw_tertiary(self, failure):
        failure.tertiary = None
        if failure.secondary is not None:
            turn = (0, -1, 1)[self.dice.below(3)]
            failure.tertiary = self.in_grid(beside(failure.secondary, (failure.direction + turn) % 8))

    def say_power(self, event, failure, **fields):
        self.say(event, failure=failure.id, primary=plain(failure.primary), secondary=plain(failure.secondary),
                 tertiary=plain(failure.tertiary), **fields)

    def fail(self, square):
        failure = Failure(self.next_failure, square, self.dice.below(8), ("cw", "ccw")[self.dice.below(2)], PRIMARY_TURNS)
        self.next_failure += 1
        failure.secondary = self.in_grid(beside(square, failure.direction))
        self.draw_tertiary(failure)
        self.failures.append(failure)
        self.say_power("power_failed", failure, dir=DIRECTIONS[failure.direction], rotation=failure.rotation,
                       turns=PRIMARY_TURNS)

    def power_turn(self):
        for failure in list(self.failures):
            failure.turns -= 1
            if failure.turns == 0:
                self.failures.remove(failure)
                self.say("power_restored", failure=failure.id, at=plain(failure.primary))
        squares = [(x, y) for y in range(self.height) for x in range(self.width)] if self.chance else []
        for square in filter(self.in_grid, squares):
            if self.dice.below(10000) < self.chance and all(failure.primary != square for failure in self.failures):
                self.fail(square)

    def tick_board(self):
        """What follows each action; returns whom a field has caught for the second time."""
        for failure in self.failures:
            failure.count += 1
            if failure.direction is None:
                continue
            before = failure.secondary, failure.tertiary
            if failure.count % 2 == 0:
                failure.direction = (failure.direction + (1 if failure.rotation == "cw" else -1)) % 8
                failure.secondary = self.in_grid(beside(failure.primary, failure.direction))
            self.draw_tertiary(failure)
            if before != (failure.secondary, failure.tertiary):
                self.say_power("power_moved", failure)
        again = set()
        for field in [field for field in self.fields if not field.is_new]:
            caught = field.tick(self.alive())
            if caught is not None:
                self.say("force_field_switched", field=field.id, on=field.on)
                again |= caught
        for field in self.fields:
            field.is_new = False
        self.tell_held()
        return [player for player in self.players if player.number in again]

    def say(self, event, /, **fields):
        self.events.append({"ev": event, **fields})
