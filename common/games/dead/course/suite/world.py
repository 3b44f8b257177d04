"""Small set-ups, made for one question each: much morale, many rounds, and little that happens by itself."""

from __future__ import annotations

from typing import Any

COLONY, SCHOOL = 9, 2  # The colony has the higher number, and comes first all the same.
ROUNDS = 40
HARDY = {"wound": {"before": "bite", "after": "wound"}}  # Nobody dies on the way.
SAFE: dict[str, Any] = {"no_infection": {}}              # Nobody is hurt in a fight.
NO_FATE = {"equip": {"consequence": {"changeFood": {"amount": 0}}}}


def world(players: int = 1, hand: tuple[str, ...] = ("food",) * 5, ability: dict[str, Any] | None = None,
          attack: int = 1, entrances: int = 20, zombies: int = 0, children: int = 0, spaces: int = 3,
          required: int = 1, fate: dict[str, Any] | None = None, people: int = 6) -> dict[str, Any]:
    """`hand`: what lies in the start deck for each player. `fate`: what each fate card is, in crossroads."""
    kinds = list(hand) * players + ["stuff"] * 5 * players
    cards = [{kind: {"identifier": number} | ({"amount": 9} if kind == "food" else {})}
             for number, kind in enumerate(kinds, 100)]
    start, deck = split([100 + number for number in range(len(kinds))], len(hand) * players)
    numbers = range(11, 11 + max(people, 2 * players + 2))
    config = {
        "maxPlayers": players,
        "goal": {"rounds": ROUNDS, "moral": 100000, "zombiesColony": zombies, "zombiesLocations": 0,
                 "childrenInColony": children, "survive": True},
        "locations": [
            {"name": "School", "identifier": SCHOOL, "entrances": 10, "survivorSpaces": spaces, "cards": deck},
            {"colony": {"identifier": COLONY, "entrances": entrances, "startCards": start}}],
        "cards": cards,
        "crises": [{"food": {"identifier": number, "moralChange": 1, "requiredCards": required}}
                   for number in range(1, ROUNDS + 1)],
        "characters": [{"identifier": number, "name": f"Person {number}", "status": number, "attack": attack,
                        "search": 1, "ability": ability or HARDY} for number in numbers],
    }
    if fate is not None:
        (kind, body), = fate.items()
        config["crossroads"] = [{kind: {"identifier": number} | body} for number in range(1, players * ROUNDS + 1)]
    return config


def split(cards: list[int], count: int) -> tuple[list[int], list[int]]:
    return cards[:count], cards[count:]


class JavaRandom:
    """java.util.Random: who knows the seed and the order of the rolls knows them all."""

    def __init__(self, seed: int) -> None:
        self.state = (seed ^ 0x5DEECE66D) % (1 << 48)

    def next_int(self, bound: int) -> int:
        self.state = (self.state * 0x5DEECE66D + 0xB) % (1 << 48)
        drawn = self.state >> 17
        return bound * drawn >> 31 if bound & (bound - 1) == 0 else drawn % bound

    def shuffle(self, size: int) -> None:
        for number in range(size, 1, -1):
            self.next_int(number)

    def dice(self, count: int) -> list[int]:
        return [self.next_int(6) + 1 for _ in range(count)]

    def begin(self, config: dict[str, Any]) -> None:
        """All that is rolled before the first round of a game of one."""
        for deck in (config["cards"][:-5], config["cards"][-5:], config["crises"], config.get("crossroads", []),
                     config["characters"], config["characters"][2:]):
            self.shuffle(len(deck))
