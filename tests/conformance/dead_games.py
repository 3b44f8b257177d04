"""Games of the dead by people who know the rules by half: half of what they send is refused.

They play against the second implementation (common/games/dead/course/second). What was sent and said is a recording
like those of the original server.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.environ["ARBITER_SOURCE"], "common", "games", "dead", "course"))
from second.game import Game, Server    # pylint: disable=wrong-import-position
from second.table import Heard          # pylint: disable=wrong-import-position

TIMEOUT = None

MOST = 2500  # Lines that are sent; a recording may just stop.


def heard_of(line):
    """What the game hears of a recording's line."""
    return TIMEOUT if "timeout" in line else Heard(line["from"], line["cmd"], line["args"])


def lines_of(said):
    """Events as a recording has them; what nobody hears is not recorded."""
    return [{"to": "all" if one.is_for_all else one.to[0], "ev": one.event, "args": one.args} for one in said if one.to]


class People:
    """Clients who register, choose and play, with luck of their own."""

    silence = 150  # One in so many times nobody says anything.

    def __init__(self, luck, config, edition, seed):
        self.luck, self.edition = luck, edition
        self.game = Game(config, edition, seed, "@file")
        self.server = Server(self.game)
        self.comms = luck.sample(range(1, 9), config["maxPlayers"])
        self.stranger = 9
        self.ids = [body["identifier"] for body in config["characters"]]
        self.cards = list(self.game.cards)
        self.lines = []

    def play(self):
        for _ in range(MOST):
            if self.server.is_over:
                break
            heard = self.send()
            if heard is TIMEOUT:
                self.lines.append({"timeout": True})
            else:
                self.lines.append({"from": heard[0], "cmd": heard[1], "args": heard[2]})
            self.take(self.lines[-1])
        return self.lines

    def take(self, line):
        """The game hears this line, and what it says stands behind it."""
        said = self.server.happens(heard_of(line))
        self.lines.extend(lines_of(said))
        return said

    def chance(self, one_in):
        return self.luck.randrange(one_in) == 0

    def send(self):
        phase = self.game.phase
        if phase == "registration":
            return self.register()
        if self.chance(self.silence):
            return TIMEOUT
        player = self.luck.choice(self.game.players)
        if self.chance(60):
            return self.stranger, *self.anything(player)
        if phase == "preparation":
            return self.choose()
        awaited = self.awaited()
        if awaited is not None and not self.chance(12):
            player = awaited
        return player.client, *self.anything(player)

    def register(self):
        missing = [comm for comm in self.comms if self.game.player_of(comm) is None]
        if self.chance(60):
            return TIMEOUT
        if self.chance(60):
            return self.luck.choice(self.comms), "EndTurn", {}
        if self.chance(12):
            return self.luck.choice(self.comms + [self.stranger]), "StartGame", {}
        if self.chance(8) and self.game.players:
            return self.luck.choice(self.game.players).client, "Register", {"playerName": "again"}
        comm = self.luck.choice(missing)
        return comm, "Register", {"playerName": f"Player {comm}"}

    def choose(self):
        offers = [line for line in self.lines if line.get("ev") == "Characters"]
        offer = list(offers[-1]["args"].values())
        comm = offers[-1]["to"] if not self.chance(6) else self.luck.choice(self.game.players).client
        if self.chance(6):
            return comm, *self.anything(self.game.player_of(comm))
        one, other = self.luck.choices(offer, k=2) if self.chance(6) else self.luck.sample(offer, 2)
        if self.chance(12):
            one = self.luck.choice(self.ids)
        return comm, "SelectCharacters", {"characterId0": one, "characterId1": other}

    def awaited(self):
        """Whom the last question went to."""
        for line in reversed(self.lines[-60:]):
            if line.get("ev") in ("ActNow", "VoteNow"):
                return self.game.player_of(line["to"])
        return None

    def anything(self, player):
        kinds = ["Move"] * 3 + ["Barricade"] * 2 + ["Attack"] * 3 + ["Search"] * 3 + ["CleanWaste"] + \
            ["ContributeCard"] * 2 + ["UseCard"] * 5 + ["UseAbility"] * 3 + ["EndTurn"] + ["Vote"]
        if self.edition == "crossroads" and self.lines and self.lines[-1].get("ev") == "VoteNow":
            kinds = ["Vote"] * 6 + ["EndTurn", "Move"]
        if self.chance(400):
            return "Leave", {}
        if self.chance(200):
            return self.luck.choice([("StartGame", {}), ("Register", {"playerName": "late"}),
                                     ("SelectCharacters", {"characterId0": 1, "characterId1": 2})])
        kind = self.luck.choice(kinds)
        return kind, getattr(self, "make_" + kind)(player)

    def person(self, player):
        own = [person.id for person in player.people]
        return self.luck.choice(own) if own and not self.chance(15) else self.luck.choice(self.ids)

    def anybody(self, player):
        return self.luck.choice([self.person(player), self.luck.choice(self.ids)])

    def entrance(self):
        return self.luck.randrange(4) if not self.chance(20) else self.luck.choice([-1, 9])

    def place(self):
        return self.luck.choice(list(self.game.places)) if not self.chance(20) else 9999

    def card(self, player):
        return self.luck.choice(player.hand) if player.hand and not self.chance(15) else self.luck.choice(self.cards)

    def make_Move(self, player):
        args = {"characterId": self.person(player), "locationId": self.place()}
        if self.edition == "base":
            args["fuel"] = self.chance(3)
        return args

    def make_Barricade(self, player):
        return {"characterId": self.person(player), "entrance": self.entrance()}

    make_Attack = make_Barricade

    def make_Search(self, player):
        return {"characterId": self.person(player)}

    make_CleanWaste = make_Search

    def make_ContributeCard(self, player):
        return {"cardId": self.card(player)}

    def make_UseCard(self, player):
        args = {"cardId": self.card(player)}
        kind = self.game.cards[args["cardId"]][0]
        if self.chance(10) != (kind in ("food", "stuff")):
            return args
        target = {"lock": self.entrance, "scissors": self.entrance, "fuel": self.place}.get(
            kind, lambda: self.anybody(player))()
        return args | {"characterId": self.person(player), "target": target}

    def make_UseAbility(self, player):
        person = self.person(player)
        kind = self.game.people[person].ability
        if self.chance(10) != (kind == "feed"):
            return {"characterId": person}
        target = self.anybody(player) if kind == "heal" else self.entrance()
        return {"characterId": person, "target": target}

    def make_EndTurn(self, player):
        return {}

    def make_Vote(self, player):
        return {"answer": self.chance(2)}
