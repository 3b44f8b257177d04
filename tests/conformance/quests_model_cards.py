"""The cards and the dice of quests, for the second program (quests_model.py): sections A.2, A.4 and A.8."""

import functools

FOES = "F5 F10 F15 F20 F25 F30 F35 F40 F50 F70".split()
ADVENTURES = [*FOES, *"D5 S10 H10 B15 L20 E30".split()]
EVENTS = "Q2 Q3 Q4 Q5 PLAGUE QUEEN PROSPERITY".split()
COPIES = {
    **dict(zip(ADVENTURES, (8, 7, 8, 7, 7, 4, 4, 2, 2, 1, 6, 16, 12, 8, 6, 2))),
    **dict(zip(EVENTS, (3, 4, 3, 2, 1, 2, 2))),
}
PLAYERS = ["P1", "P2", "P3", "P4"]
DEALT = 12
class Dice:
    """Section A.4: java.util.Random and Collections.shuffle."""

    def __init__(self, seed):
        self.state = (seed ^ 0x5DEECE66D) & ((1 << 48) - 1)

    def next31(self):
        self.state = (self.state * 0x5DEECE66D + 0xB) & ((1 << 48) - 1)
        return self.state >> 17

    def below(self, bound):
        drawn = self.next31()
        if bound & (bound - 1) == 0:
            return (bound * drawn) >> 31
        while drawn - drawn % bound + bound - 1 >= 1 << 31:
            drawn = self.next31()
        return drawn % bound

    def shuffle(self, cards):
        for left in range(len(cards), 1, -1):
            other = self.below(left)
            cards[left - 1], cards[other] = cards[other], cards[left - 1]


def is_foe(card):
    return card[0] == "F"


def value(cards):
    return sum(int(card[1:]) for card in cards)


def in_order(cards):
    return sorted(cards, key=ADVENTURES.index)


def can_build(hand, stages):
    """Section A.8, by trying everything."""
    worth = [0] * (1 << len(hand))
    for chosen in range(1, len(worth)):
        cards = [card for i, card in enumerate(hand) if chosen >> i & 1]
        weapons = [card for card in cards if not is_foe(card)]
        if len(cards) - len(weapons) == 1 and len(set(weapons)) == len(weapons):
            worth[chosen] = value(cards)

    @functools.lru_cache(maxsize=None)
    def is_possible(left, missing, above):
        if missing == 0:
            return True
        chosen = left
        while chosen:
            if worth[chosen] > above and is_possible(left & ~chosen, missing - 1, worth[chosen]):
                return True
            chosen = (chosen - 1) & left
        return False

    foes = [card for card in hand if is_foe(card)]
    if len(set(foes)) >= stages or len(foes) < stages:
        return len(foes) >= stages
    return is_possible(len(worth) - 1, stages, 0)
