"""Evenings at the hot seat, typed at random and with much that is no answer, show byte for byte what a second program
shows, which was written from part C of the rules' text and plays by quests_model.py."""

import json
import os
import random
import subprocess
import sys
import tempfile

from quests_model import Game
from quests_model_cards import PLAYERS, in_order, is_foe
from quests_model_test import a_config, build

ARBITER = os.path.join(os.environ["ARBITER_BUILD"], "arbiter")
EVENINGS = int(os.environ.get("QUESTS_EVENINGS", "20"))
FIRST = int(os.environ.get("QUESTS_FIRST", "1"))
NO_ANSWERS = ["", "x", "0", "-1", "+1", "1.0", "99", "1234567890", "000000001", "yes please", "quit now", " QUIT ",
              "Clear", "RESTART", "Y", "tackle", "W", " n ", "\tt", "12 ", "\uff11", "y\r", "quit\t", "\u00e9"]
NAMES = {"PLAGUE": "Plague", "QUEEN": "Queen's favor", "PROSPERITY": "Prosperity"}
WORDS = {
    "sponsor": {"y": True, "yes": True, "n": False, "no": False},
    "participate": {"t": True, "tackle": True, "w": False, "withdraw": False},
    "build": {"quit": "stage_done", "clear": "stage_clear", "restart": "quest_restart"},
    "attack": {"quit": "attack_done"},
}
ADDS = {"build": "stage_add", "attack": "attack_add", "discard": "discard"}
QUESTIONS = {
    "sponsor": "{player}: do you sponsor this quest of {stages} stages? (y/n)",
    "build": "Stage {stage}: position of the next card, or 'quit'",
    "participate": "{player}: do you tackle stage {stage} or withdraw from the quest? (t/w)",
    "attack": "Attack on stage {stage}: position of the next card, or 'quit'",
    "discard": "Position of the next card to discard ({n} to go)",
    "end_turn": "{player}: press <return> to leave the hot seat",
}
# Section C.3: as everybody reads it, or, with "mine" behind it, who is told the cards.
LINES = {
    "game_started": "A game of Quests: {winning_shields:shield} to win.",
    "turn_started": "Turn {turn}: it is the turn of {player}.", "event_card": "{player} draws the event card {card}.",
    "reshuffled": "The {deck} discard pile is shuffled and becomes the {deck} deck ({count:card}).",
    "draw_short": "No adventure cards are left: {player} draws {missing} fewer.",
    "plague": "{player} loses {lost:shield} and has {shields}.", "quest": "{player} earns {delta:shield} and has {shields}.",
    "drew": "{player} draws {count:card}.", "drew mine": "You draw: {cards}.",
    "trim": "{player} discards {count:card}.", "trim mine": "You discard: {cards}.",
    "attack mine": "{player} discards the attack: {cards}.",
    "stages": "{player} discards the quest: {count:card}.", "stages mine": "You discard the quest: {cards}.",
    "sponsor_declined": "{player} declines to sponsor.", "sponsor_found": "{player} sponsors the quest of {stages} stages.",
    "no_sponsor": "Nobody sponsors the quest.", "stage_card mine": "Stage {stage}: {cards} ({value}).",
    "stage_built": "Stage {stage} is built ({count:card}).", "stage_built mine": "Stage {stage} is built: {cards} ({value}).",
    "stage_cleared": "Stage {stage} is emptied.", "quest_restarted": "{sponsor} starts building the quest again.",
    "quest_ready": "The quest is ready.", "stage_started": "Stage {stage} begins. Eligible participants: {eligible}.",
    "participates": "{player} tackles stage {stage}.", "withdrew": "{player} withdraws from the quest.",
    "participants": "Participants of stage {stage}: {players}.", "attack_card mine": "Attack: {cards} ({value}).",
    "attack_set": "{player} has set up an attack ({count:card}).", "attack_set mine": "Your attack: {cards} ({value}).",
    "stage_resolved mine": "Stage {stage} was: {cards} ({value}).", "turn_ended": "The turn of {player} has ended.",
    "error": "{text}",
}


class Count(int):
    """A number of things: {count:card} is "1 card" or "2 cards"."""

    def __format__(self, thing):
        return str(int(self)) + (thing and f" {thing}" + "s" * (self != 1))


def lines_of(event):
    """How an event reads to whom it is told."""
    said = {key: Count(field) if type(field) is int else " ".join(map(str, field)) or "no cards"
            if isinstance(field, list) and key != "attacks" else field for key, field in event.items()}
    kind = event["ev"]
    if kind == "shields_changed":
        kind, said["lost"] = event["reason"], Count(-event["delta"])
    if kind == "discarded":
        kind = {"quest": "stages"}.get(event["reason"], event["reason"])
    if kind == "quest_ended":
        won = "won by " + said["winners"] if event["winners"] else event["result"].replace("_", " ")
        return [f"The quest has ended: {won}."]
    said["card"] = NAMES.get(event.get("card"), event.get("card"))
    text = LINES.get(kind + " mine" if "cards" in event else kind)
    lines = [text.format(**said)] if text else []
    for attack in event.get("attacks", []):
        lines.append(f"{attack['player']} attacked with {' '.join(attack['cards']) or 'no cards'} ({attack['value']}): "
                     f"{'success' if attack['success'] else 'failure'}.")
    return lines


def is_told(event, player):
    return event["to"] in ("*", player) or (event["to"][0] == "!" and event["to"][1:] != player)


class Evening:
    """What the one screen shows."""

    def __init__(self, config, typist):
        self.game, self.typist, self.out, self.typed = Game(config), typist, [], []
        self.seat, self.news, self.heard = None, {player: [] for player in PLAYERS}, 0
        self.hands = {player: [] for player in PLAYERS}
        self.shields = {player: config.get("shields", {}).get(player, 0) for player in PLAYERS}
        self.is_fresh, self.has_drawn, self.question = False, False, {}
        self.hear()
        self.status = 0 if self.play() else 1
        self.out += ["Winners: " + " ".join(self.game.winners), "The game is over."] if self.status == 0 \
            else ["End of input"]

    def read(self, kind):
        line = self.typist(self, kind)
        self.typed += [line] * (line is not None)
        return line

    def show_hand(self, player, hand):
        cards = "".join(f" {number}:{card}" for number, card in enumerate(hand, 1)) or " no cards"
        self.out.append(f"Hand of {player}:{cards}")
        self.has_drawn = False

    def sit(self, player):
        self.seat, self.is_fresh = player, True
        self.out += [f"=== {player} is in the hot seat ===",
                     "Shields: " + "  ".join(f"{other} {self.shields[other]}" for other in PLAYERS)]
        self.show_hand(player, self.hands[player])
        self.out += self.news[player]
        self.news[player] = []

    def keep(self, event):
        """Hands and shields as the events have them."""
        kind, owner = event["ev"], event.get("player", event["to"])
        if kind in ("hand", "stage_cleared"):
            self.hands[event["to"]] = event["hand"]
        elif kind == "drew" and "cards" in event:
            self.hands[owner] = in_order(self.hands[owner] + event["cards"])
            self.has_drawn = self.has_drawn or owner == self.seat
        elif kind in ("stage_card", "attack_card"):
            self.hands[event["to"]] = in_order(self.hands[event["to"]])
            self.hands[event["to"]].remove(event["card"])
        elif kind == "discarded" and event["reason"] == "trim" and "cards" in event:
            self.hands[owner] = [*self.hands[owner]]
            self.hands[owner].remove(event["cards"][0])
        elif kind == "shields_changed":
            self.shields[owner] = event["shields"]

    def hear(self):
        for event in self.game.log[self.heard:]:
            self.keep(event)
            for player in [player for player in PLAYERS if is_told(event, player)]:
                (self.out if player == self.seat else self.news[player]).extend(lines_of(event))
            is_last = event["ev"] == "discarded" and event["reason"] == "trim" and self.question.get("n") == 1
            if is_last and event["to"] == self.seat:
                self.show_hand(self.seat, self.hands[self.seat])
            if event["ev"] == "prompt":
                self.question = event
            if event["ev"] == "turn_started":
                self.sit(event["player"])
        self.heard = len(self.game.log)

    def play(self):
        """False: nothing more is typed."""
        while not self.game.is_over:
            player, kind = self.game.pending
            if self.seat != player:
                self.out.append(QUESTIONS["end_turn"].format(player=self.seat))
                if self.read("leave") is None:
                    return False
                self.out.append("\f")
                self.sit(player)
            if kind in ADDS and (not self.is_fresh or (kind == "discard" and self.has_drawn)):
                self.show_hand(player, self.game.hands[player])
            self.is_fresh = False
            self.out.append(QUESTIONS[kind].format(**self.question))
            line = self.read(kind)
            if line is None:
                return False
            self.answer(player, kind, line.strip().lower())
        return True

    def answer(self, player, kind, word):
        is_position = kind in ADDS and word.isascii() and word.isdigit() and len(word) <= 9
        if kind == "end_turn":
            self.seat, step = None, {"cmd": "end_turn"}
            self.out.append("\f")
        elif is_position:
            step = {"cmd": ADDS[kind], "pos": int(word)}
        elif word in WORDS.get(kind, {}):
            step = {"cmd": kind, "yes": WORDS[kind][word]} if kind in ("sponsor", "participate") \
                else {"cmd": WORDS[kind][word]}
        else:
            self.out.append("Invalid input")
            return
        self.game.step({"by": player, **step})
        self.hear()


def typist_of(luck):
    most = luck.choice((10, 60, 300, 800))

    def typist(evening, kind):
        if len(evening.typed) >= most:
            return None
        if luck.random() < 0.06:
            return luck.choice(NO_ANSWERS)
        if kind in ("leave", "end_turn"):
            return luck.choice(("", "hello", "quit"))
        hand = evening.game.hands[evening.game.pending[0]]
        if kind in ("sponsor", "participate"):
            return luck.choice(("y", "YES", "No", "y") if kind == "sponsor" else ("t", "t", "w", "Tackle"))
        weapons = [number for number, card in enumerate(hand, 1) if not is_foe(card)]
        if kind == "attack":
            return str(luck.choice(weapons)) if weapons and luck.random() < 0.75 else "quit"
        if kind == "discard":
            return str(luck.randint(1, len(hand)))
        step = build(luck, evening.game)
        return str(hand.index(step["card"]) + 1) if "card" in step else \
            next(word for word, name in WORDS["build"].items() if name == step["cmd"])
    return typist


def agrees(number):
    luck = random.Random(number)
    config = a_config(luck)
    evening = Evening(config, typist_of(luck))
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(config, file)
        file.flush()
        typed = "".join(line + "\n" for line in evening.typed)
        run = subprocess.run([ARBITER, "hotseat", "quests", "--config", file.name], input=typed.encode(),
                             capture_output=True, check=False)
    wished = "".join(line + "\n" for line in evening.out)
    if (run.stdout.decode(), run.returncode) == (wished, evening.status):
        return True
    came = run.stdout.decode().split("\n")
    at = next((at for at, (one, other) in enumerate(zip(wished.split("\n"), came)) if one != other), len(came))
    print(f"evening {number}, line {at + 1}: expected {wished.split(chr(10))[at - 2:at + 2]}, came {came[at - 2:at + 2]}")
    return False


def main():
    good = sum(agrees(number) for number in range(FIRST, FIRST + EVENINGS))
    print(f"{good} of {EVENINGS} evenings agree")
    return 0 if good == EVENINGS > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
