"""Quests a second time: written from the text of its rules (parts A and B), it knows nothing of the program.

A game takes commands and expiries as scenarios write them, and keeps the whole log, as scenarios write that."""

from quests_model_cards import ADVENTURES, COPIES, DEALT, EVENTS, PLAYERS, Dice, can_build, in_order, is_foe, value

TEXTS = {
    "bad_command": "Invalid command",
    "game_over": "The game is over",
    "not_your_turn": "It is not your turn to act",
    "wrong_phase": "This command is not possible now",
    "bad_position": "Invalid position",
    "no_such_card": "You do not have this card",
    "cannot_sponsor": "You do not have the cards to build a valid quest of {stages} stages",
    "second_foe": "A stage can have only one foe",
    "repeated_weapon": "This weapon is already in the {what}",
    "stage_empty": "A stage cannot be empty",
    "stage_no_foe": "A stage must have a foe",
    "stage_value": "Insufficient value for this stage",
    "not_weapon": "Only weapons can be used in an attack",
}
PHASES = {
    "sponsor": "sponsor", "stage_add": "build", "stage_done": "build", "stage_clear": "build",
    "quest_restart": "build", "participate": "participate", "attack_add": "attack", "attack_done": "attack",
    "discard": "discard", "end_turn": "end_turn",
}


class Refused(Exception):
    """A command that is refused, with its code."""


class Quest:
    """The quest in play."""

    def __init__(self, stages, poll):
        self.stages, self.poll, self.sponsor, self.able = stages, poll, None, False
        self.stage, self.resolved = 0, 0
        self.built, self.building = [], []
        self.eligible, self.participants, self.to_ask, self.attacks = [], [], [], {}


class Game:
    """One game, from its set-up on."""

    def __init__(self, config):
        self.winning, self.limit = config.get("winning_shields", 7), config.get("hand_limit", 12)
        self.redraws = config.get("sponsor_redraw_on_win", False)
        self.dice = Dice(config.get("seed", 1))
        self.hands = {player: list(cards) for player, cards in config.get("hands", {}).items()}
        self.discards = {"adventure": list(config.get("adventure_discard", [])),
                         "event": list(config.get("event_discard", []))}
        out = sum(self.hands.values(), self.discards["adventure"])
        self.decks = {"adventure": self.deck(config, "adventure", ADVENTURES, out),
                      "event": self.deck(config, "event", EVENTS, self.discards["event"])}
        for player in PLAYERS:
            if player not in self.hands:
                self.hands[player] = [self.decks["adventure"].pop(0) for _ in range(DEALT)]
            self.hands[player] = in_order(self.hands[player])
        self.shields = {player: config.get("shields", {}).get(player, 0) for player in PLAYERS}
        self.current, self.turn = config.get("first_player", "P1"), 0
        self.log, self.pending, self.card, self.quest = [], None, None, None
        self.winners, self.to_trim, self.behind = [], [], None
        self.say("*", "game_started", players=PLAYERS, winning_shields=self.winning)
        for player in PLAYERS:
            self.say(player, "hand", player=player, hand=self.hands[player])
        self.begin_turn()

    def deck(self, config, which, order, out):
        top, fill = list(config.get(which + "_deck", [])), config.get(which + "_fill", "shuffled")
        taken = out + top
        rest = [card for card in order for _ in range(COPIES[card] - taken.count(card))]
        if fill == "shuffled":
            self.dice.shuffle(rest)
        return top + (rest if fill != "none" else [])

    @property
    def is_over(self):
        return self.pending is None

    # What is said.

    def say(self, to, event, /, **fields):
        self.log.append({"to": to, "ev": event, **{key: list(field) if isinstance(field, list) else field
                                                   for key, field in fields.items()}})

    def say_split(self, player, event, private, public, /, **fields):
        self.say(player, event, **fields, **private)
        self.say("!" + player, event, **fields, **public)

    def ask(self, player, kind, **fields):
        self.pending = (player, kind)
        self.say("*", "prompt", player=player, kind=kind, **fields)

    # Cards.

    def draw_one(self, which):
        if not self.decks[which]:
            if not self.discards[which]:
                return None
            self.decks[which], self.discards[which] = self.discards[which], []
            self.dice.shuffle(self.decks[which])
            self.say("*", "reshuffled", deck=which, count=len(self.decks[which]))
        return self.decks[which].pop(0)

    def draw(self, player, count, reason):
        drawn = []
        while len(drawn) < count and (card := self.draw_one("adventure")) is not None:
            drawn.append(card)
        self.hands[player] = in_order(self.hands[player] + drawn)
        if len(drawn) < count:
            self.say("*", "draw_short", player=player, missing=count - len(drawn))
        self.say_split(player, "drew", {"cards": drawn}, {"count": len(drawn)}, player=player, reason=reason,
                       hand_count=len(self.hands[player]))

    def take_back(self, player, cards):
        self.hands[player] = in_order(self.hands[player] + cards)

    # The turn.

    def begin_turn(self):
        self.turn += 1
        self.say("*", "turn_started", player=self.current, turn=self.turn)
        self.card = self.draw_one("event")
        self.say("*", "event_card", player=self.current, card=self.card)
        if self.card == "PLAGUE":
            lost = min(2, self.shields[self.current])
            self.change_shields(self.current, -lost, "plague")
            self.end_event()
        elif self.card == "QUEEN":
            self.draw(self.current, 2, "queen")
            self.trim([self.current], self.end_event)
        elif self.card == "PROSPERITY":
            for player in PLAYERS:
                self.draw(player, 2, "prosperity")
            self.trim(PLAYERS, self.end_event)
        else:
            first = PLAYERS.index(self.current)
            self.quest = Quest(int(self.card[1]), PLAYERS[first:] + PLAYERS[:first])
            self.poll()

    def change_shields(self, player, delta, reason):
        self.shields[player] += delta
        self.say("*", "shields_changed", player=player, delta=delta, shields=self.shields[player], reason=reason)

    def discard_event(self):
        self.discards["event"].append(self.card)
        self.say("*", "event_discarded", card=self.card)
        self.card = None

    def end_event(self):
        self.discard_event()
        self.end_turn()

    def end_turn(self):
        self.say("*", "turn_ended", player=self.current)
        self.ask(self.current, "end_turn")

    def leave_turn(self):
        self.winners = [player for player in PLAYERS if self.shields[player] >= self.winning]
        if self.winners:
            self.pending = None
            self.say("*", "game_over", winners=self.winners, shields=dict(self.shields))
            return
        self.current = PLAYERS[(PLAYERS.index(self.current) + 1) % 4]
        self.begin_turn()

    def trim(self, players, behind):
        self.to_trim, self.behind = list(players), behind
        self.trim_on()

    def trim_on(self):
        while self.to_trim and len(self.hands[self.to_trim[0]]) <= self.limit:
            self.to_trim.pop(0)
        if not self.to_trim:
            self.behind()
            return
        player = self.to_trim[0]
        self.ask(player, "discard", n=len(self.hands[player]) - self.limit)

    def discard(self, player, card):
        self.hands[player].remove(card)
        self.discards["adventure"].append(card)
        self.say_split(player, "discarded", {"cards": [card]}, {"count": 1}, player=player, reason="trim",
                       hand_count=len(self.hands[player]))
        self.trim_on()

    # The quest.

    def poll(self):
        quest = self.quest
        if not quest.poll:
            self.say("*", "no_sponsor", stages=quest.stages)
            self.quest = None
            self.end_event()
            return
        player = quest.poll.pop(0)
        quest.able = can_build(self.hands[player], quest.stages)
        self.ask(player, "sponsor", stages=quest.stages)
        self.say(player, "can_sponsor", player=player, able=quest.able)

    def answer_sponsor(self, player, yes):
        if not yes:
            self.say("*", "sponsor_declined", player=player)
            self.poll()
            return
        self.quest.sponsor = player
        self.say("*", "sponsor_found", player=player, stages=self.quest.stages)
        self.ask(player, "build", stage=1)

    def stage_fault(self):
        building, built = self.quest.building, self.quest.built
        if not building:
            return "stage_empty"
        if not any(map(is_foe, building)):
            return "stage_no_foe"
        return "stage_value" if value(building) <= (value(built[-1]) if built else 0) else None

    def add_to_stage(self, player, card):
        quest, building = self.quest, self.quest.building
        if is_foe(card) and any(map(is_foe, building)):
            raise Refused("second_foe")
        if not is_foe(card) and card in building:
            raise Refused("repeated_weapon")
        building.append(card)
        self.hands[player].remove(card)
        self.say(player, "stage_card", stage=len(quest.built) + 1, card=card, cards=building, value=value(building))

    def clear_stage(self, player):
        self.take_back(player, self.quest.building)
        self.quest.building = []
        self.say(player, "stage_cleared", stage=len(self.quest.built) + 1, hand=self.hands[player])

    def end_stage(self, player):
        quest, cards = self.quest, self.quest.building
        quest.built.append(cards)
        quest.building = []
        self.say_split(player, "stage_built", {"cards": cards, "value": value(cards)}, {}, stage=len(quest.built),
                       count=len(cards), hand_count=len(self.hands[player]))
        if len(quest.built) < quest.stages:
            self.ask(player, "build", stage=len(quest.built) + 1)
            return
        self.say("*", "quest_ready", sponsor=player, stages=quest.stages, counts=[len(stage) for stage in quest.built])
        quest.eligible = [other for other in PLAYERS if other != player]
        self.begin_stage()

    def unbuild(self, player):
        self.take_back(player, sum(self.quest.built, self.quest.building))
        self.quest.built, self.quest.building = [], []
        self.say(player, "hand", player=player, hand=self.hands[player])
        self.say("*", "quest_restarted", sponsor=player, hand_count=len(self.hands[player]))

    def begin_stage(self):
        quest = self.quest
        quest.stage += 1
        quest.participants, quest.attacks, quest.to_ask = [], {}, list(quest.eligible)
        self.say("*", "stage_started", stage=quest.stage, eligible=quest.eligible)
        self.ask_participants()

    def ask_participants(self):
        quest = self.quest
        if quest.to_ask:
            self.ask(quest.to_ask.pop(0), "participate", stage=quest.stage)
        elif not quest.participants:
            self.end_quest("no_participants", [])
        else:
            self.say("*", "participants", stage=quest.stage, players=quest.participants)
            quest.to_ask = list(quest.participants)
            self.ask_attacks()

    def answer_participate(self, player, yes):
        quest = self.quest
        if not yes:
            self.say("*", "withdrew", player=player, stage=quest.stage)
            self.ask_participants()
            return
        quest.participants.append(player)
        self.say("*", "participates", player=player, stage=quest.stage)
        self.draw(player, 1, "stage")
        self.trim([player], self.ask_participants)

    def ask_attacks(self):
        quest = self.quest
        if not quest.to_ask:
            self.resolve()
            return
        player = quest.to_ask.pop(0)
        quest.attacks[player] = []
        self.ask(player, "attack", stage=quest.stage)

    def add_to_attack(self, player, card):
        attack = self.quest.attacks[player]
        if is_foe(card):
            raise Refused("not_weapon")
        if card in attack:
            raise Refused("repeated_weapon")
        attack.append(card)
        self.hands[player].remove(card)
        self.say(player, "attack_card", stage=self.quest.stage, card=card, cards=attack, value=value(attack))

    def end_attack(self, player):
        attack = self.quest.attacks[player]
        self.say_split(player, "attack_set", {"cards": list(attack), "value": value(attack)}, {}, player=player,
                       stage=self.quest.stage, count=len(attack), hand_count=len(self.hands[player]))
        self.ask_attacks()

    def resolve(self):
        quest = self.quest
        stage, attacks = quest.built[quest.stage - 1], quest.attacks
        quest.resolved, quest.attacks = quest.stage, {}
        shown = [{"player": player, "cards": list(cards), "value": value(cards), "success": value(cards) >= value(stage)}
                 for player, cards in attacks.items()]
        self.say("*", "stage_resolved", stage=quest.stage, cards=stage, value=value(stage), attacks=shown)
        for player, cards in attacks.items():
            self.discards["adventure"] += cards
            if cards:
                self.say("*", "discarded", player=player, cards=cards, reason="attack",
                         hand_count=len(self.hands[player]))
        quest.eligible = [attack["player"] for attack in shown if attack["success"]]
        if not quest.eligible:
            self.end_quest("no_winner", [])
        elif quest.stage == quest.stages:
            self.end_quest("won", quest.eligible)
        else:
            self.begin_stage()

    def end_quest(self, result, winners):
        quest, sponsor = self.quest, self.quest.sponsor
        self.say("*", "quest_ended", result=result, stage=quest.stage, winners=winners)
        for player in winners:
            self.change_shields(player, quest.stages, "quest")
        cards = sum(quest.built, [])
        self.discards["adventure"] += cards
        self.say_split(sponsor, "discarded", {"cards": cards}, {"count": len(cards)}, player=sponsor, reason="quest",
                       hand_count=len(self.hands[sponsor]))
        self.quest = None
        self.discard_event()
        if max(self.shields.values()) >= self.winning and not self.redraws:
            self.end_turn()
            return
        self.draw(sponsor, len(cards) + quest.stages, "sponsor")
        self.trim([sponsor], self.end_turn)

    # What comes in.

    def step(self, step):
        """Takes a step of a scenario; the code of its refusal, or None."""
        if "expire" in step:
            self.expire(step["expire"])
            return None
        try:
            self.command(step)
        except Refused as refused:
            code = refused.args[0]
            what = "attack" if self.pending and self.pending[1] == "attack" else "stage"
            stages = self.quest.stages if self.quest else 0
            self.say(step["by"], "error", code=code, text=TEXTS[code].format(stages=stages, what=what))
            return code
        return None

    @staticmethod
    def is_well_formed(step):
        name, fields = step.get("cmd"), {key: field for key, field in step.items() if key not in ("by", "cmd")}
        if name in ("sponsor", "participate"):
            return set(fields) == {"yes"} and isinstance(fields["yes"], bool)
        if name in ("stage_add", "attack_add", "discard"):
            return (set(fields) == {"pos"} and type(fields["pos"]) is int) or \
                   (set(fields) == {"card"} and isinstance(fields["card"], str))
        return not fields and (name == "view" or name in PHASES)

    def command(self, step):
        player, name = step["by"], step.get("cmd")
        if not self.is_well_formed(step):
            raise Refused("bad_command")
        if name == "view":
            return
        if self.is_over:
            raise Refused("game_over")
        if player != self.pending[0]:
            raise Refused("not_your_turn")
        if self.pending[1] != PHASES[name]:
            raise Refused("wrong_phase")
        if name in ("sponsor", "participate"):
            if name == "sponsor" and step["yes"] and not self.quest.able:
                raise Refused("cannot_sponsor")
            (self.answer_sponsor if name == "sponsor" else self.answer_participate)(player, step["yes"])
        elif name in ("stage_add", "attack_add", "discard"):
            act = {"stage_add": self.add_to_stage, "attack_add": self.add_to_attack, "discard": self.discard}[name]
            act(player, self.card_meant(player, step))
        elif name == "stage_done":
            fault = self.stage_fault()
            if fault:
                raise Refused(fault)
            self.end_stage(player)
        elif name == "stage_clear":
            self.clear_stage(player)
        elif name == "quest_restart":
            self.unbuild(player)
            self.ask(player, "build", stage=1)
        elif name == "attack_done":
            self.end_attack(player)
        else:
            self.leave_turn()

    def card_meant(self, player, step):
        hand = self.hands[player]
        if "pos" in step:
            if not 1 <= step["pos"] <= len(hand):
                raise Refused("bad_position")
            return hand[step["pos"] - 1]
        if step["card"] not in hand:
            raise Refused("no_such_card")
        return step["card"]

    def expire(self, player):
        """Section A.15."""
        if self.is_over or player != self.pending[0]:
            return
        kind = self.pending[1]
        self.say("*", "expired", player=player, kind=kind)
        if kind == "sponsor":
            self.answer_sponsor(player, False)
        elif kind == "build" and self.stage_fault():
            self.unbuild(player)
            self.quest.sponsor = None
            self.answer_sponsor(player, False)
        elif kind == "build":
            self.end_stage(player)
        elif kind == "participate":
            self.answer_participate(player, False)
        elif kind == "attack":
            self.end_attack(player)
        elif kind == "discard":
            self.discard(player, self.hands[player][-1])
        else:
            self.leave_turn()

    # What is seen.

    def open_question(self):
        return None if self.is_over else {"player": self.pending[0], "kind": self.pending[1]}

    def view_of_quest(self, viewer):
        quest = self.quest
        if quest is None:
            return None
        is_sponsor = quest.sponsor == viewer
        built = [{"count": len(stage),
                  "cards": list(stage) if is_sponsor or number < quest.resolved else None,
                  "value": value(stage) if is_sponsor or number < quest.resolved else None}
                 for number, stage in enumerate(quest.built)]
        return {"stages": quest.stages, "sponsor": quest.sponsor, "stage": quest.stage, "built": built,
                "building": list(quest.building) if is_sponsor and self.pending[1] == "build" else None,
                "eligible": list(quest.eligible), "participants": list(quest.participants),
                "attacks": [{"player": player, "count": len(cards), "cards": list(cards) if player == viewer else None}
                            for player, cards in quest.attacks.items()]}

    def view(self, viewer):
        """Section B.4."""
        return {"you": viewer, "turn": self.turn, "current": self.current,
                "phase": "over" if self.is_over else self.pending[1], "event_card": self.card,
                "winning_shields": self.winning, "pending": self.open_question(),
                "players": [{"id": player, "shields": self.shields[player], "hand_count": len(self.hands[player])}
                            for player in PLAYERS],
                "adventure": {"deck": len(self.decks["adventure"]), "discard": len(self.discards["adventure"])},
                "events": {"deck": len(self.decks["event"]), "discard": len(self.discards["event"])},
                "hand": list(self.hands[viewer]), "winners": list(self.winners), "quest": self.view_of_quest(viewer)}

    def final(self):
        """Section D.1: what a scenario says of its end."""
        return {"hands": {player: list(self.hands[player]) for player in PLAYERS}, "shields": dict(self.shields),
                "over": self.is_over, "winners": list(self.winners), "pending": self.open_question(),
                "turn": self.turn, "current": self.current,
                "adventure_deck_count": len(self.decks["adventure"]),
                "adventure_deck_top": self.decks["adventure"][:10], "adventure_discard": self.discards["adventure"],
                "event_deck_count": len(self.decks["event"]), "event_deck_top": self.decks["event"][:5],
                "event_discard": self.discards["event"]}
