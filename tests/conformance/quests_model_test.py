"""Random games of quests, in random set-ups and with much nonsense in between, go in the program as they go in a
second one (quests_model.py): every event with its audience, every view, every refusal, and the end."""

import json
import os
import random
import subprocess
import sys
import tempfile

from quests_model import Game
from quests_model_cards import ADVENTURES, COPIES, EVENTS, PLAYERS, is_foe, value

ARBITER = os.path.join(os.environ["ARBITER_BUILD"], "arbiter")
GAMES = int(os.environ.get("QUESTS_GAMES", "25"))
FIRST = int(os.environ.get("QUESTS_FIRST", "1"))
NONSENSE = [
    {"cmd": "sponsor", "yes": True}, {"cmd": "sponsor"}, {"cmd": "sponsor", "yes": "x"}, {"cmd": "fly"}, {"cmd": "view"},
    {"cmd": "view", "x": 1}, {"cmd": "stage_add", "pos": 0}, {"cmd": "stage_add", "pos": 1, "card": "F5"},
    {"cmd": "stage_add", "card": "Q2"}, {"cmd": "stage_add", "card": "F99"}, {"cmd": "stage_add"},
    {"cmd": "discard", "pos": 99}, {"cmd": "discard", "pos": "1"}, {"cmd": "discard", "pos": 1.5},
    {"cmd": "discard", "pos": -3}, {"cmd": "discard", "pos": 1 << 40}, {"cmd": "discard", "card": 5},
    {"cmd": "attack_add", "pos": 1}, {"cmd": "attack_add", "card": "F5"}, {"cmd": "attack_done"}, {"cmd": "stage_done"},
    {"cmd": "end_turn"}, {"cmd": "end_turn", "pos": 1}, {"cmd": "participate", "yes": False},
    {"cmd": "participate", "yes": 1}, {"cmd": "stage_clear"}, {"cmd": "quest_restart"},
]


def pack(luck, order):
    cards = [card for card in order for _ in range(COPIES[card])]
    luck.shuffle(cards)
    return cards


def lay(luck, config):
    """Puts cards where they do not come by themselves."""
    adventures, events = pack(luck, ADVENTURES), pack(luck, EVENTS)

    def some(cards, most):
        return [cards.pop() for _ in range(luck.randint(0, most))]

    if luck.random() < 0.6:
        config["hands"] = {player: [adventures.pop() for _ in range(luck.choice((0, 3, 8, 12, 12)))]
                           for player in PLAYERS if luck.random() < 0.7}
    for key, cards, most in (("adventure_discard", adventures, 12), ("adventure_deck", adventures, 20),
                             ("event_discard", events, 6), ("event_deck", events, 6)):
        if luck.random() < 0.4:
            config[key] = some(cards, most)
    is_dealt = len(config.get("adventure_deck", [])) >= 12 * (4 - len(config.get("hands", {})))
    has_event = config.get("event_deck") or config.get("event_discard")
    if luck.random() < 0.6:
        config["adventure_fill"] = luck.choice(["shuffled", "ordered"] + ["none"] * 3 * is_dealt)
    if luck.random() < 0.5:
        config["event_fill"] = luck.choice(["shuffled", "ordered"] + ["none"] * bool(has_event))


def a_config(luck):
    config = {"seed": luck.choice((luck.randint(-(1 << 63), (1 << 63) - 1), luck.randint(-5, 5)))}
    for key, draw in (("winning_shields", lambda: luck.choice((1, 2, 3, 4, 10))),
                      ("hand_limit", lambda: luck.randint(1, 12)),
                      ("sponsor_redraw_on_win", lambda: luck.random() < 0.5),
                      ("first_player", lambda: luck.choice(PLAYERS)),
                      ("shields", lambda: {player: luck.randint(0, 8) for player in PLAYERS if luck.random() < 0.5})):
        if luck.random() < 0.3:
            config[key] = draw()
    lay(luck, config)
    return config


def build(luck, game):
    """What leads somewhere more often than not: the weakest foe that is above the stage before."""
    quest, hand = game.quest, game.hands[game.pending[0]]
    above = value(quest.built[-1]) if quest.built else 0
    if not game.stage_fault() and luck.random() < 0.7:
        return {"cmd": "stage_done"}
    if luck.random() < 0.07:
        return {"cmd": luck.choice(("stage_clear", "quest_restart", "stage_done"))}
    has_foe = any(map(is_foe, quest.building))
    fits = [card for card in hand if (not has_foe if is_foe(card) else card not in quest.building)]
    foes = [card for card in fits if is_foe(card)]
    if not fits:
        return {"cmd": "quest_restart"}
    if foes and luck.random() < 0.8:
        return {"cmd": "stage_add", "card": next((foe for foe in foes if value([foe]) > above), foes[-1])}
    return {"cmd": "stage_add", "card": luck.choice(fits)}


def attack(luck, game):
    weapons = [card for card in game.hands[game.pending[0]] if not is_foe(card)]
    if weapons and luck.random() < 0.75:
        return {"cmd": "attack_add", "card": luck.choice(weapons)}
    return {"cmd": "attack_done"}


def answer(luck, game):
    player, kind = game.pending
    if kind == "build":
        step = build(luck, game)
    elif kind == "attack":
        step = attack(luck, game)
    elif kind == "discard":
        step = {"cmd": "discard", "pos": luck.randint(1, len(game.hands[player]))}
    elif kind == "end_turn":
        step = {"cmd": "end_turn"}
    else:
        step = {"cmd": kind, "yes": luck.random() < 0.7}
    return {"by": player, **step}


def a_step(luck, game):
    awaited, chance = (game.pending or (luck.choice(PLAYERS),))[0], luck.random()
    if chance < 0.05:
        return {"expire": luck.choice((awaited, awaited, awaited, luck.choice(PLAYERS)))}
    if chance < 0.13 or game.is_over:
        return {"by": luck.choice((awaited, awaited, luck.choice(PLAYERS))), **luck.choice(NONSENSE)}
    return answer(luck, game)


def scenario(number):
    luck = random.Random(number)
    config, steps, views = a_config(luck), [], []
    game, most = Game(config), luck.choice((20, 60, 200, 400))
    while len(steps) < most and not (game.is_over and luck.random() < 0.5):
        if luck.random() < 0.3:
            viewer = luck.choice(PLAYERS)
            views.append({"after_steps": len(steps), "player": viewer, "view": game.view(viewer)})
        step = a_step(luck, game)
        code = game.step(step)
        steps.append({**step, "error": code} if code else step)
    return {"name": f"random game {number}", "config": config, "steps": steps,
            "expect": {"events": game.log, "views": views, "final": game.final()}}


def main():
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        for number in range(FIRST, FIRST + GAMES):
            file.write(json.dumps(scenario(number)) + "\n")
        file.flush()
        run = subprocess.run([ARBITER, "conform", "quests", file.name], capture_output=True, text=True, check=False)
    print(run.stdout.strip())
    print(run.stderr[:4000], end="")
    return 0 if run.returncode == 0 and f"{GAMES} agreed" in run.stdout else 1


if __name__ == "__main__":
    sys.exit(main())
