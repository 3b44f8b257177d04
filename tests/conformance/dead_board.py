"""What lies and stands on the table of the model (dead_model.py): dice, places, people, players."""

INJURIES = 3
FILL = 3
EQUIPMENT = {"hammer", "snow_boots", "colt", "swab", "blueprint"}


class Over(Exception):
    """Nothing more is said."""


class Failed(Exception):
    """The command is refused, and nothing has happened."""


class Java:
    """java.util.Random."""

    def __init__(self, seed):
        self.state = (seed ^ 0x5DEECE66D) & ((1 << 48) - 1)

    def bits(self):
        self.state = (self.state * 0x5DEECE66D + 0xB) & ((1 << 48) - 1)
        return self.state >> 17

    def below(self, bound):
        drawn = self.bits()
        if bound & (bound - 1) == 0:
            return (bound * drawn) >> 31
        while drawn - drawn % bound + bound - 1 >= 1 << 31:
            drawn = self.bits()
        return drawn % bound

    def shuffle(self, items):
        for i in range(len(items), 1, -1):
            other = self.below(i)
            items[i - 1], items[other] = items[other], items[i - 1]


def only(entry):
    """The kind and body of an object with one key."""
    (kind, body), = entry.items()
    return kind, body


class Place:
    def __init__(self, body):
        self.id, self.entrances = body["identifier"], body["entrances"]
        self.spaces = body.get("survivorSpaces")
        self.deck = list(body.get("startCards", body.get("cards")))
        self.size = len(self.deck)
        self.zombies, self.barricades = [0] * self.entrances, [0] * self.entrances
        self.people = []

    def fill(self, zombies):
        for i in range(zombies):
            self.zombies[i % self.entrances] += 1

    def free(self, entrance):
        if not 0 <= entrance < self.entrances:
            return 0
        return FILL - self.zombies[entrance] - self.barricades[entrance]


class Person:
    def __init__(self, body):
        self.id, self.status = body["identifier"], body["status"]
        self.attack, self.search = body["attack"], body["search"]
        self.kind, self.ability = only(body["ability"])
        self.player = self.place = None
        self.wounds = self.frost = 0
        self.tools = []  # [card, kind, used], the newest last.
        self.fresh()

    def fresh(self):
        self.moved = self.cleaned = False
        self.used = 0
        for tool in self.tools:
            tool[2] = False

    def tool(self, kind, fits=lambda card: True):
        """The newest unused one of a kind."""
        for tool in reversed(self.tools):
            if tool[1] == kind and not tool[2] and fits(tool[0]):
                return tool
        return None


class Player:
    def __init__(self, number, comm, name):
        self.number, self.comm, self.name = number, comm, name
        self.people, self.hand, self.dice = [], [], []
        self.left = self.sits_out = self.cleaned = self.had_turn = False
