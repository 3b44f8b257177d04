"""Reads a set-up and judges it: first its shape, then what one part of it demands of another."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, Iterator

from .board import Body, only
from .shape import fields, flag, many, number, one_of, text, word

ROOM = 3  # At each entrance.

ID, SOME, AMOUNT, ANY = number(1), number(1), number(0), number()
PLAIN = fields({"identifier": ID})
CARD = one_of({kind: PLAIN for kind in ("lock", "scissors", "stuff", "fuel", "medicine", "hammer", "snow_boots",
                                        "colt", "swab")} |
              {"food": fields({"identifier": ID, "amount": SOME}),
               "blueprint": fields({"identifier": ID, "location": ID})})
INJURY = word("wound", "frostBite", "bite")
ABILITY = one_of({
    "wound": fields({"before": INJURY, "after": INJURY}),
    "heal": fields({}),
    "no_infection": fields({}),
    "feed": fields({"numFood": AMOUNT}),
    "trash": fields({"numCards": AMOUNT}),
    "barricade": fields({"numBarricades": AMOUNT, "maxActivations": AMOUNT}),
    "search": fields({"location": ID, "numCards": AMOUNT, "maxActivations": AMOUNT}),
    "kill": fields({"locationId": ID, "dieValue": number(most=6), "numZombies": AMOUNT, "maxActivations": AMOUNT},
                   {"infectionDie": flag, "children": flag}),
})
CHARACTER = fields({"identifier": ID, "name": text, "status": ANY, "attack": number(1, 6), "search": number(1, 6),
                    "ability": ABILITY})
CRISIS = one_of({kind: fields({"identifier": ANY, "moralChange": SOME, "requiredCards": SOME})
                 for kind in ("food", "stuff", "medicine", "fuel")})
SIMPLE = {
    "changeFood": fields({"amount": ANY}),
    "changeMoral": fields({"amount": ANY}),
    "spawnSurvivors": fields({"amount": AMOUNT}, {"children": flag}),
    "spawnZombies": fields({"amount": AMOUNT}, {"locationId": ID}),
}
CHOICE = fields({"consequence1": one_of(SIMPLE), "consequence2": one_of(SIMPLE)})
OUTCOME = one_of(SIMPLE | {"choice": CHOICE})
FATE = one_of({kind: fields({"identifier": ID, "consequence": OUTCOME}, {"locationId": ID})
               for kind in ("barricaded", "moved", "searched")} |
              {"equip": fields({"identifier": ID, "consequence": OUTCOME}),
               "wasteChanged": fields({"identifier": ID, "amount": ANY, "consequence": OUTCOME})})
GOALS = {"survive": flag, "barricades": ANY, "locationWithZombies": ANY}
GOAL = fields({"rounds": SOME, "moral": SOME, "zombiesColony": AMOUNT, "zombiesLocations": AMOUNT,
               "childrenInColony": AMOUNT}, GOALS)
COLONY = fields({"colony": fields({"identifier": ID, "entrances": SOME, "startCards": many(ID)})})
LOCATION = fields({"name": text, "identifier": ID, "entrances": SOME, "survivorSpaces": SOME, "cards": many(ID)})


def place_shape(value: Any, place: str) -> Iterator[str]:
    yield from (COLONY if isinstance(value, dict) and "colony" in value else LOCATION)(value, place)


BASE = {"maxPlayers": SOME, "cards": many(CARD), "crises": many(CRISIS), "goal": GOAL,
        "locations": many(place_shape), "characters": many(CHARACTER)}


class Repeated(ValueError):
    """A key stands twice in an object."""


def without_repeats(pairs: list[tuple[str, Any]]) -> Body:
    body = dict(pairs)
    if len(body) < len(pairs):
        raise Repeated("a key stands twice in an object")
    return body


def read(text_of_file: str, edition: str) -> tuple[Body, list[str]]:
    """The set-up, and all its faults. A set-up with faults is not to be played."""
    try:
        config = json.loads(text_of_file, object_pairs_hook=without_repeats)
    except (ValueError, RecursionError) as fault:
        return {}, [f"this is no JSON: {fault}"]
    fates = {"crossroads": many(FATE)} if edition == "crossroads" else {}
    faults = list(fields(BASE | fates)(config, ""))
    return config, faults or list(judge(config, edition))


def judge(config: Body, edition: str) -> Iterator[str]:
    """What the shape cannot say."""
    players, goal = config["maxPlayers"], config["goal"]
    yield from judge_lengths(config, players, goal["rounds"], edition)
    colonies = [entry["colony"] for entry in config["locations"] if "colony" in entry]
    others = [entry for entry in config["locations"] if "colony" not in entry]
    if len(colonies) != 1:
        yield f"there are {len(colonies)} colonies, must be one"
        return
    yield from judge_goal(goal, colonies[0], others)
    decks = [place.get("startCards", place.get("cards")) for place in colonies + others]
    yield from (f"a deck has {len(deck)} cards, must have {5 * players}: five for each of maxPlayers"
                for deck in decks if len(deck) < 5 * players)
    known = [body["identifier"] for _, body in map(only, config["cards"])]
    dealt = Counter(card for deck in decks for card in deck)
    yield from (f"card {card} is in {count} decks" for card, count in dealt.items() if count > 1)
    yield from (f"there is no card {card}" for card in dealt.keys() - set(known))
    yield from twice("cards", known)
    yield from twice("status", [body["status"] for body in config["characters"]])
    yield from twice("characters", [body["identifier"] for body in config["characters"]])
    places = [place["identifier"] for place in colonies + others]
    yield from twice("locations", places)
    yield from (f"there is no location {number}" for number in named_places(config) if number not in places)
    if edition == "crossroads":
        yield from twice("crossroads", [only(entry)[1]["identifier"] for entry in config["crossroads"]])


def twice(what: str, numbers: list[int]) -> Iterator[str]:
    return (f"{what}: {value} stands there {count} times" for value, count in Counter(numbers).items() if count > 1)


def judge_lengths(config: Body, players: int, rounds: int, edition: str) -> Iterator[str]:
    least = {"characters": 2 * players + 2, "crises": rounds}
    if edition == "crossroads":
        least["crossroads"] = players * rounds
    for key, count in least.items():
        if len(config[key]) < count:
            yield f"{key} has {len(config[key])} entries, must have {count}"


def judge_goal(goal: Body, colony: Body, others: list[Body]) -> Iterator[str]:
    kinds = goal.keys() & GOALS.keys()
    if len(kinds) != 1:
        yield f"goal has {len(kinds)} kinds of goal, must have one of {', '.join(GOALS)}"
    entrances = [colony["entrances"]] + [place["entrances"] for place in others]
    most = {"zombiesColony": ROOM * entrances[0], "barricades": ROOM * sum(entrances),
            "locationWithZombies": len(entrances)}
    if others:
        most["zombiesLocations"] = ROOM * min(entrances[1:])
    for key, limit in most.items():
        if goal.get(key, limit) > limit:
            yield f"goal.{key} is {goal[key]}, must be at most {limit}"


def named_places(config: Body) -> Iterator[int]:
    """Every place that something else speaks of."""
    for kind, body in map(only, config["cards"]):
        if kind == "blueprint":
            yield body["location"]
    for person in config["characters"]:
        kind, power = only(person["ability"])
        if kind in ("search", "kill"):
            yield power["location" if kind == "search" else "locationId"]
    for _, body in map(only, config.get("crossroads", [])):
        yield from places_of_fate(body)
        kind, what = only(body["consequence"])
        for one in [only(part)[1] for part in what.values()] if kind == "choice" else [what]:
            yield from places_of_fate(one)


def places_of_fate(body: Body) -> Iterator[int]:
    if "locationId" in body:
        yield body["locationId"]
