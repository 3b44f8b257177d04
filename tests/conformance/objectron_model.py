"""Objectron a second time: written from the text of its rules (sections 1 to 12), it knows nothing of the program.

A game takes the commands of scenarios, says their events as scenarios write them, and tells its facts. Its grid is
given; how grids and items are drawn, objectron_generator_test.py knows."""

from objectron_model_board import DIRECTIONS, FLAG, GENERATOR, GRENADE, TELEPORTER, Board, Field, Over, Refused, \
    beside, plain

FAR, RANGE, PERIOD, TRAIL_LIFE = 1 << 30, 4, 2, 2


class Game(Board):
    """One game, from its set-up on."""

    def __init__(self, scenario):
        super().__init__(scenario)
        self.turn, self.current, self.left, self.moved, self.began_at = 0, None, 0, False, None
        self.is_over, self.winner, self.has_lost = False, None, False
        try:
            self.go_on(self.count)
        except Over:
            pass

    # The turn.

    def finish(self, winner, reason):
        self.is_over, self.winner = True, winner
        self.say("game_over", winner=winner, reason=reason)
        raise Over

    def skip_turn(self, player, reason):
        self.say("turn_skipped", player=player.number, turn=self.turn, reason=reason, skip_turns=player.skip,
                 pending_actions=player.pending)

    def is_played(self, player):
        """Section 5, the start of a turn; false: it passes without him."""
        self.turn, self.current, self.left, self.moved, self.began_at = self.turn + 1, player, 0, False, player.at
        self.power_turn()
        if player.skip > 0:
            player.skip -= 1
            self.skip_turn(player, "disc")
            return False
        if self.is_dark(player.at):
            player.pending += 1
            self.say("penalty", player=player.number, reason="unpowered_start", actions=1, lost_now=0, carried=1)
        if player.pending >= self.actions:
            player.pending -= self.actions
            self.skip_turn(player, "penalty")
            return False
        self.left, player.pending = self.actions - player.pending, 0
        self.say("turn_started", player=player.number, turn=self.turn, actions=self.left)
        if self.is_boxed_in(player):
            self.eliminate([player], "boxed_in")
            return False
        return True

    def go_on(self, number):
        player = None
        while player is None or not player.alive or not self.is_played(player):
            number = number % self.count + 1
            player = self.players[number - 1]

    def end(self, player, reason):
        self.say("turn_ended", player=player.number, turn=self.turn, reason=reason)
        self.go_on(player.number)

    def after(self, player):
        if not player.alive:
            self.end(player, "eliminated")
        elif self.left == 0:
            self.end(player, "penalty" if self.has_lost else "actions_used")
        elif self.is_boxed_in(player):
            self.eliminate([player], "boxed_in")
            self.end(player, "eliminated")

    def spend(self, player, action):
        self.left -= 1
        before = len(player.trail)
        player.trail = [(square, left - 1, link) for square, left, link in player.trail if left > 0]
        self.say("action_spent", player=player.number, action=action, actions_left=self.left)
        if action != "move" and len(player.trail) < before:
            self.say_trail(player)

    def say_trail(self, player):
        self.say("trail_changed", player=player.number,
                 squares=[[*square, link] for square, _, link in player.trail])

    def is_stuck(self, player):
        return self.moved and player.at == self.began_at and not self.is_charged(player.at)

    def is_boxed_in(self, player):
        if self.left == 0 or self.moved or self.is_charged(player.at) or self.moves(player):
            return False
        if self.left < 2 or not self.moves(player, through=True):
            return True
        return not (any(self.doubt_pick_up(player, number) is None for number in self.items) or
                    any(self.doubt_use(player, item.id, "N" if item.is_disc else None) is None
                        for item in player.inventory))

    def why_he_loses(self, player):
        """What an EndTurn would cost him: played on copies of the fields."""
        if not self.moved and not self.is_charged(player.at):
            return "no_move"
        if self.is_stuck(player):
            return "boxed_in"
        copies, alive = [], self.alive()
        for field in self.fields:
            copy = Field(field.id, field.ends, field.squares, False)
            copy.on, copy.counter, copy.trapped = field.on, field.counter, set(field.trapped)
            copies.append(copy)
        for _ in range(self.left):
            gone = set().union(*(field.tick(alive) or () for field in copies))
            alive = [other for other in alive if other.number not in gone]
            if player.number in gone:
                return "double_trap"
            if len(alive) <= 1:
                break
        return None

    def end_turn(self, player):
        reason = self.why_he_loses(player)
        if reason in ("no_move", "boxed_in"):
            self.eliminate([player], reason)
            self.end(player, "eliminated")
            return
        while self.left > 0 and player.alive:
            self.spend(player, "empty")
            self.tick()
        self.end(player, "ended_by_player" if player.alive else "eliminated")

    def eliminate(self, players, reason):
        for player in players:
            player.alive, player.trail = False, []
            self.held.discard(player.number)
            self.say("player_eliminated", player=player.number, reason=reason, at=plain(player.at))
            self.let_fall(player, player.at)
            for item in player.inventory:
                item.holder = None
            player.inventory = []
            self.arm(player, player.at)
        alive = self.alive()
        if len(alive) <= 1:
            self.finish(alive[0].number if alive else None, "last_standing" if alive else "draw")

    def tick(self):
        caught = self.tick_board()
        if caught:
            self.eliminate(caught, "double_trap")

    # Moving.

    def trail_in_way(self, mover, whose, through):
        if whose is not mover:
            return whose.trail
        return [] if through else [piece for piece in whose.trail if piece[1] > 0]

    def has_trail(self, mover, square, through):
        return any(piece[0] == square for whose in self.players for piece in self.trail_in_way(mover, whose, through))

    def doubt_step(self, player, direction, through=False):
        """Section 6.1."""
        if self.is_charged(player.at) and not through:
            return "HELD_BY_FORCE_FIELD"
        target = beside(player.at, direction)
        end = self.end_of(target)
        a, b = (target[0], player.at[1]), (player.at[0], target[1])
        doubts = (
            ("OFF_GRID", lambda: not self.in_grid(target)),
            ("WALL", lambda: not self.is_free(target)),
            ("OCCUPIED", lambda: self.standing(target)),
            ("LIGHT_TRAIL", lambda: self.has_trail(player, target, through)),
            ("FORCE_FIELD", lambda: not through and self.is_charged(target)),
            ("CROSSES_LIGHT_TRAIL", lambda: direction % 2 and self.is_linked(player, {a, b}, through)),
            ("CROSSES_FORCE_FIELD", lambda: direction % 2 and not through and any(
                field.on and a in field.squares and b in field.squares for field in self.fields)),
            ("TELEPORT_BLOCKED", lambda: end != target and (
                end == player.at or self.standing(end, but=player) or self.has_trail(player, end, through) or
                (not through and self.is_charged(end)))),
            ("CANNOT_END_ON_START_SQUARE", lambda: self.left == 1 and end == self.began_at),
        )
        return next((code for code, is_so in doubts if is_so()), None)

    def is_linked(self, mover, squares, through):
        for whose in self.players:
            before = whose.at
            for square, _, link in self.trail_in_way(mover, whose, through):
                if link and {before, square} == squares:
                    return True
                before = square
        return False

    def moves(self, player, through=False):
        return [direction for direction in range(8) if self.doubt_step(player, direction, through) is None]

    def move(self, player, direction):
        """Section 6.3."""
        self.spend(player, "move")
        start, target = player.at, beside(player.at, direction)
        player.trail.insert(0, (start, TRAIL_LIFE, self.lying(target, TELEPORTER) is None))
        player.at, self.moved = target, True
        self.say("player_moved", player=player.number, **{"from": plain(start)}, to=plain(target),
                 dir=DIRECTIONS[direction])
        self.say_trail(player)
        self.arm(player, start)
        self.enter(player, target, False)
        self.tick()
        self.after(player)

    def enter(self, player, square, by_teleport):
        if self.mode == "race" and square == self.players[2 - player.number].home:
            self.finish(player.number, "finish")
        grenade = next((item for item in self.items.values() if item.state == "active" and item.at == square), None)
        if grenade is not None:
            self.explode(player, grenade)
        elif self.is_dark(square):
            self.say("turn_cut", player=player.number, at=plain(square), lost=self.left)
            self.left, self.has_lost = 0, True
        teleporter = self.lying(square, TELEPORTER)
        if teleporter is not None and not by_teleport:
            self.drop_flag(player, square)
            player.at = self.items[teleporter.dest].at
            self.say("player_teleported", player=player.number, **{"from": plain(square)}, to=plain(player.at),
                     teleporter=teleporter.id)
            self.enter(player, player.at, True)
        elif self.mode == "ctf" and square == player.home:
            self.capture(player)

    def explode(self, player, grenade):
        is_dark = self.is_dark(grenade.at)
        grenade.state, cost = "exploded", 4 if is_dark else 3
        self.say("grenade_exploded", item=grenade.id, at=plain(grenade.at), player=player.number, unpowered=is_dark)
        self.drop_flag(player, grenade.at)
        now = min(self.left, cost)
        self.left, player.pending, self.has_lost = self.left - now, player.pending + cost - now, True
        self.say("penalty", player=player.number, reason="grenade", actions=cost, lost_now=now, carried=cost - now)

    def capture(self, player):
        flag = self.flag_of(player)
        if flag is None:
            return
        self.take_out(player, flag)
        flag.at = self.players[flag.owner - 1].home
        player.captured.add(flag.owner)
        self.say("flag_captured", owner=flag.owner, player=player.number, at=plain(player.at))
        self.say("flag_returned", owner=flag.owner, player=player.number, at=plain(flag.at), reason="captured")
        if player.captured >= {other.number for other in self.players if other is not player}:
            self.finish(player.number, "flags")

    # Items.

    def arm(self, player, square):
        for item in self.items.values():
            if item.state == "placed" and item.at == square and item.by == player.number:
                item.state = "active"
                self.say("grenade_armed", item=item.id, at=plain(square))

    def drop_flag(self, player, square):
        if self.flag_of(player) is None:
            return
        free = [around for around in (beside(square, direction) for direction in range(8)) if self.is_free(around)]
        choices = [around for around in free if self.lying(around, TELEPORTER) is None] or free or [square]
        self.let_fall(player, choices[self.dice.below(len(choices))])

    def let_fall(self, player, square):
        flag = self.flag_of(player)
        if flag is not None:
            self.take_out(player, flag)
            flag.at = square
            self.say("flag_dropped", owner=flag.owner, player=player.number, at=plain(square))

    def doubt_item(self, player):
        """Section 5: an action that is no move."""
        if not self.moved and self.left <= 1:
            return "MUST_KEEP_ACTION_FOR_MOVE"
        is_last = self.left == 1 and self.is_stuck(player) and self.moves(player)
        return "CANNOT_END_ON_START_SQUARE" if is_last else None

    def doubt_pick_up(self, player, number):
        here = [item for item in self.items.values() if item.at == player.at and item.state != "active"]
        pickable = [item for item in here if item.kind != TELEPORTER and item.state != "exploded"]
        item = self.items.get(number)
        if self.doubt_item(player) or not pickable:
            return self.doubt_item(player) or "NO_ITEMS_HERE"
        if item not in pickable:
            return "NOT_PICKABLE" if item in here else "ITEM_NOT_HERE"
        if item.owner == player.number:
            return None
        if item.kind == FLAG and self.flag_of(player):
            return "ALREADY_CARRYING_FLAG"
        return "INVENTORY_FULL" if len(player.inventory) >= self.room else None

    def doubt_use(self, player, number, direction):
        item = self.items.get(number)
        if self.doubt_item(player) or not player.inventory:
            return self.doubt_item(player) or "INVENTORY_EMPTY"
        if item not in player.inventory:
            return "ITEM_NOT_IN_INVENTORY"
        if item.is_disc and direction is None:
            return "DIRECTION_REQUIRED"
        if item.is_disc:
            return None if direction in ("N", "E", "S", "W") else "BAD_DIRECTION"
        if item.kind == FLAG:
            return "NOT_USABLE"
        if self.lying(player.at, item.kind):
            return "GRENADE_ALREADY_HERE" if item.kind == GRENADE else "GENERATOR_ALREADY_HERE"
        return None if direction in (None, *DIRECTIONS) else "UNKNOWN_COMMAND"

    def pick_up(self, player, item):
        self.spend(player, "pick_up")
        if item.owner == player.number:
            item.at = player.home
            self.say("flag_returned", owner=player.number, player=player.number, at=plain(item.at), reason="own_pick_up")
            return
        self.say("item_picked_up", player=player.number, item=item.id, kind=item.kind, at=plain(player.at))
        item.at, item.holder, item.by = None, player.number, None
        item.state = item.state and "idle"
        player.inventory.append(item)
        if item.kind == GENERATOR:
            for field in [field for field in self.fields if item.id in field.ends]:
                self.fields.remove(field)
                self.say("force_field_removed", field=field.id)
            self.tell_held()

    def use(self, player, item, direction):
        self.spend(player, "use")
        self.take_out(player, item)
        if item.is_disc:
            self.throw(player, item, DIRECTIONS.index(direction))
            return
        item.at = player.at
        self.say("item_placed", player=player.number, item=item.id, kind=item.kind, at=plain(item.at))
        if item.kind == GRENADE:
            item.state, item.by = "placed", player.number
            return
        for other in list(self.items.values()):
            if other.kind == GENERATOR and other is not item:
                self.connect(other, item, is_new=True)

    def throw(self, player, disc, direction):
        """Section 8: the flight of a disc. What a dark square costs a charged one does not feel."""
        left = FAR if disc.kind.startswith("charged") else RANGE
        dark = 0 if disc.kind.startswith("charged") else 1
        at, path, uses, result = player.at, [], {}, None
        left -= dark * self.is_dark(at)
        while left >= 1 and result is None:
            if not self.is_free(beside(at, direction)):
                break
            at, left, hops = beside(at, direction), left - 1, False
            while True:
                path.append([*at, hops])
                left -= dark * (self.is_dark(at) and not self.is_charged(at))
                result = "destroyed" if self.is_charged(at) else "hit" if self.standing(at) else None
                teleporter = self.lying(at, TELEPORTER)
                if result or hops or teleporter is None:
                    break
                uses[teleporter.id] = uses.get(teleporter.id, 0) + 1
                at, hops = self.items[teleporter.dest].at, True
            if result is None and hops and uses[teleporter_behind(path, self)] == 2:
                result = "landed"
        disc.at = None if result == "destroyed" else at
        self.say("disc_thrown", player=player.number, item=disc.id, kind=disc.kind, dir=DIRECTIONS[direction],
                 **{"from": plain(player.at)}, path=path, result=result or "landed", at=plain(at))
        if result == "hit":
            self.hit(player, self.standing(at), disc)

    def hit(self, thrower, victim, disc):
        victim.skip += 1
        lost = self.left if victim is thrower else 0
        if victim is thrower:
            self.left, self.has_lost = 0, True
        self.say("player_hit", player=victim.number, by=thrower.number, item=disc.id, skip_turns=victim.skip,
                 actions_lost=lost)
        self.drop_flag(victim, victim.at)

    # What comes in.

    def step(self, command):
        """Takes a command or an expiry of a scenario; the code of its refusal, or None. `events` is what it says."""
        self.events, self.has_lost = [], False
        try:
            self.hear(command)
        except Refused as refused:
            return refused.args[0]
        except Over:
            pass
        return None

    def hear(self, command):
        """Section 12.1, the doubts of every command."""
        number, name = command.get("expire", command.get("player")), command.get("cmd")
        if self.is_over:
            raise Refused("GAME_OVER")
        if not 1 <= number <= self.count or not self.players[number - 1].alive:
            raise Refused("NOT_IN_GAME")
        player = self.players[number - 1]
        if name != "resign" and player is not self.current:
            raise Refused("NOT_YOUR_TURN")
        if "expire" in command:
            self.expire(player)
            return
        acts = {"move": self.hear_move, "pick_up": self.hear_pick_up, "use": self.hear_use,
                "end_turn": self.hear_end_turn, "resign": self.resign}
        if not isinstance(name, str) or name not in acts:
            raise Refused("UNKNOWN_COMMAND")
        acts[name](player, command)

    @staticmethod
    def need(command, key, kind):
        if type(command.get(key)) is not kind:
            raise Refused("UNKNOWN_COMMAND")
        return command[key]

    @staticmethod
    def refuse(code):
        if code is not None:
            raise Refused(code)

    def hear_move(self, player, command):
        direction = self.need(command, "dir", str)
        if direction not in DIRECTIONS:
            raise Refused("BAD_DIRECTION")
        self.refuse(self.doubt_step(player, DIRECTIONS.index(direction)))
        self.move(player, DIRECTIONS.index(direction))

    def hear_pick_up(self, player, command):
        number = self.need(command, "item", int)
        self.refuse(self.doubt_pick_up(player, number))
        self.pick_up(player, self.items[number])
        self.tick()
        self.after(player)

    def hear_use(self, player, command):
        number = self.need(command, "item", int)
        direction = self.need(command, "dir", str) if "dir" in command else None
        self.refuse(self.doubt_use(player, number, direction))
        self.use(player, self.items[number], direction)
        self.tick()
        self.after(player)

    def hear_end_turn(self, player, command):
        is_confirmed = self.need(command, "confirm", bool) if "confirm" in command else False
        if self.is_stuck(player) and self.moves(player):
            raise Refused("CANNOT_END_ON_START_SQUARE")
        if is_confirmed:
            self.end_turn(player)
        else:
            self.say("end_turn_warning", player=player.number, moved=self.moved,
                     loses=self.why_he_loses(player) is not None)

    def resign(self, player, _):
        self.eliminate([player], "resigned")
        if player is self.current:
            self.end(player, "eliminated")

    def is_harmless(self, player, direction):
        target = beside(player.at, direction)
        return not any(self.is_dark(square) or any(
            not field.on and square in field.squares and PERIOD - field.counter <= self.left
            for field in self.fields) for square in (target, self.end_of(target)))

    def expire(self, player):
        """Section 5.1."""
        self.say("expired", player=player.number)
        moves, turn = self.moves(player), self.turn
        is_refused = self.is_stuck(player) and moves
        if not moves or (not is_refused and (self.moved or self.why_he_loses(player) is None)):
            self.end_turn(player)
            return
        harmless = [direction for direction in moves if self.is_harmless(player, direction)]
        self.move(player, (harmless or moves)[0])
        if self.turn == turn:
            self.end_turn(player)

    # What is so in the end.

    def facts(self):
        told = [{"over": self.is_over, "winner": self.winner}, {"turn": self.turn}, {"players": self.count},
                {"current_player": self.current.number, "actions_left": self.left}]
        for player in self.players:
            told.append({"player": player.number, "at": plain(player.at), "alive": player.alive,
                         "inventory": [item.id for item in player.inventory], "pending_actions": player.pending,
                         "skip_turns": player.skip, "trail": [list(piece[0]) for piece in player.trail],
                         "held": self.is_charged(player.at), "captured": sorted(player.captured)})
        for item in self.items.values():
            told.append({"item": item.id, "exists": item.at is not None or item.holder is not None,
                         "at": plain(item.at), "holder": item.holder, "state": item.state})
        told += [{"field": list(field.ends), "exists": True, "on": field.on, "squares": list(map(list, field.squares))}
                 for field in self.fields]
        told += [{"dark": [x, y], "val": self.is_dark((x, y))} for x in range(self.width) for y in range(self.height)]
        dirs = [] if self.is_over else [DIRECTIONS[direction] for direction in self.moves(self.current)]
        return told + [{"legal_moves": self.current.number, "dirs": dirs}]


def teleporter_behind(path, game):
    """The one through which the last hop of a flight went."""
    return game.lying(tuple(path[-2][:2]), TELEPORTER).id
