"""Set-ups of the dead by luck: small, valid, and full of what is seldom: lean decks, deadly places, odd abilities."""

KINDS = ["food", "stuff", "fuel", "medicine", "lock", "scissors", "hammer", "snow_boots", "colt", "swab", "blueprint"]
INJURIES = ["wound", "frostBite", "bite"]


class Cards:
    """Cards by number, each of a kind by luck."""

    def __init__(self, luck, places):
        self.luck, self.places, self.list = luck, places, []

    def deck(self, size):
        return [self.card() for _ in range(size)]

    def card(self):
        kind = self.luck.choice(KINDS)
        body = {"identifier": 100 + len(self.list)}
        if kind == "food":
            body["amount"] = self.luck.randint(1, 4)
        if kind == "blueprint":
            body["location"] = self.luck.choice(self.places)
        self.list.append({kind: body})
        return body["identifier"]


def ability(luck, places):
    kind = luck.choice(["wound", "heal", "no_infection", "feed", "trash", "barricade", "search", "kill"])
    few = luck.randint
    body = {
        "wound": lambda: {"before": luck.choice(INJURIES), "after": luck.choice(INJURIES)},
        "heal": dict, "no_infection": dict,
        "feed": lambda: {"numFood": few(0, 3)},
        "trash": lambda: {"numCards": few(0, 6)},
        "barricade": lambda: {"numBarricades": few(0, 4), "maxActivations": few(0, 3)},
        "search": lambda: {"location": luck.choice(places), "numCards": few(0, 3), "maxActivations": few(0, 3)},
        "kill": lambda: {"locationId": luck.choice(places), "dieValue": few(-1, 6), "numZombies": few(0, 3),
                         "maxActivations": few(0, 3), "infectionDie": few(0, 1) == 1, "children": few(0, 2) == 0},
    }[kind]()
    return {kind: body}


def consequence(luck, places, may_choose=True):
    kind = luck.choice(["changeFood", "changeMoral", "spawnSurvivors", "spawnZombies"] + ["choice"] * 2 * may_choose)
    if kind == "choice":
        return {kind: {f"consequence{i}": consequence(luck, places, False) for i in (1, 2)}}
    body = {"amount": luck.randint(0, 3) if kind.startswith("spawn") else luck.randint(-3, 3)}
    if kind == "spawnSurvivors" and luck.randrange(2):
        body["children"] = luck.randrange(2) == 0
    if kind == "spawnZombies" and luck.randrange(2):
        body["locationId"] = luck.choice(places)
    return {kind: body}


def fate(luck, places, number):
    kind = luck.choice(["barricaded", "moved", "searched", "equip", "wasteChanged"])
    body = {"identifier": number, "consequence": consequence(luck, places)}
    if kind == "wasteChanged":
        body["amount"] = luck.randint(-3, 3)
    elif kind != "equip" and luck.randrange(2):
        body["locationId"] = luck.choice(places)
    return {kind: body}


def goal(luck, entrances, rounds):
    kind, value = luck.choice([("survive", True), ("barricades", luck.randint(0, 3 * sum(entrances) // 2)),
                               ("locationWithZombies", luck.randint(0, len(entrances)))])
    return {"rounds": rounds, "moral": luck.choice([1, 3, 8, 20, 60]),
            "zombiesColony": luck.randint(0, 3 * entrances[0]),
            "zombiesLocations": luck.randint(0, 3 * min(entrances[1:], default=0)),
            "childrenInColony": luck.randint(0, 4), kind: value}


def crises(luck, count):
    """Numbers need not differ, but no two may be wholly the same."""
    made = []
    while len(made) < count:
        crisis = {luck.choice(["food", "stuff", "medicine", "fuel"]): {
            "identifier": luck.randint(-3, 9), "moralChange": luck.randint(1, 3), "requiredCards": luck.randint(1, 4)}}
        if crisis not in made:
            made.append(crisis)
    return made


def setup(luck, edition):
    players, rounds = luck.randint(1, 4), luck.randint(1, 6)
    places = luck.sample(range(1, 40), luck.randint(2, 4))
    entrances = [luck.randint(1, 3) for _ in places]
    cards = Cards(luck, places)
    locations = [{"colony": {"identifier": places[0], "entrances": entrances[0],
                             "startCards": cards.deck(5 * players + luck.randint(0, 3))}}]
    for place, count in zip(places[1:], entrances[1:]):
        locations.append({"name": f"Place {place}", "identifier": place, "entrances": count,
                          "survivorSpaces": luck.randint(1, 3), "cards": cards.deck(5 * players)})
    luck.shuffle(locations)
    people = 2 * players + 2 + luck.randint(0, 3)
    statuses = luck.sample(range(-20, 80), people)
    numbers = luck.sample(range(1, 200), people)
    config = {
        "maxPlayers": players, "goal": goal(luck, entrances, rounds), "locations": locations, "cards": cards.list,
        "crises": crises(luck, rounds + luck.randint(0, 2)),
        "characters": [{"identifier": numbers[i], "name": f"Person {i}", "status": statuses[i],
                        "attack": luck.randint(1, 6), "search": luck.randint(1, 6),
                        "ability": ability(luck, places)} for i in range(people)],
    }
    if edition == "crossroads":
        config["crossroads"] = [fate(luck, places, i + 1) for i in range(players * rounds + luck.randint(0, 2))]
    return config
