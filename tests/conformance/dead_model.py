"""The dead a second time, in Python: a model of the original server, written from the rules' specification alone.

It knows nothing of the C rules. Given a configuration, an edition, a seed and what clients send, it says what
the server says, in the format of the recordings. It is a coroutine: it waits for what somebody sends where
the server would.
"""

from dead_board import Failed, Java, Over, Person, Place, Player, only
from dead_commands import Commands

TIMEOUT = object()


class Game(Commands):
    def __init__(self, config, edition, seed):
        self.config, self.edition, self.luck = config, edition, Java(seed)
        self.base, self.fates_on = edition == "base", edition == "crossroads"
        self.equipment, self.playing = edition == "equipment", None
        self.said, self.players, self.by_comm = [], [], {}
        self.places = {}
        for entry in config["locations"]:
            if "colony" in entry:
                self.colony = Place(entry["colony"])
                self.places[self.colony.id] = self.colony
            else:
                self.places[entry["identifier"]] = Place(entry)
        self.others = [self.places[i] for i in sorted(self.places) if i != self.colony.id]
        goal = self.goal = config["goal"]
        self.colony.fill(goal["zombiesColony"])
        for place in self.others:
            place.fill(goal["zombiesLocations"])
        self.children, self.morale = goal["childrenInColony"], goal["moral"]
        self.food = self.waste = self.tokens = 0
        self.cards = {body["identifier"]: (kind, body) for kind, body in map(only, config["cards"])}
        self.people = {body["identifier"]: Person(body) for body in config["characters"]}
        self.pool = [self.people[body["identifier"]] for body in config["characters"]]
        self.crises = [only(entry) for entry in config["crises"]]
        self.fates = [only(entry) for entry in config["crossroads"]] if self.fates_on else []
        self.phase, self.turn, self.fate = "registration", None, None
        self.triggers = []

    # The way of a game.

    def run(self):
        try:
            yield from self.register()
            self.phase = "preparation"
            yield from self.prepare()
            self.phase = "game"
            for number in range(1, self.goal["rounds"] + 1):
                yield from self.round(number)
        except Over:
            pass
        self.phase = "over"

    def register(self):
        while len(self.players) < self.config["maxPlayers"]:
            heard = yield
            if heard is TIMEOUT or heard[1] not in ("Register", "StartGame"):
                if self.players:
                    self.all("RegistrationAborted")
                raise Over
            comm, command, args = heard
            if command == "Register" and comm not in self.by_comm:
                player = Player(len(self.players), comm, args["playerName"])
                self.players.append(player)
                self.by_comm[comm] = player
                self.tell(comm, "Config", config="@file")
            elif command == "StartGame" and comm in self.by_comm:
                return
            else:
                self.fail(comm)

    def hear(self, player, timed_out):
        """What the awaited player sends; others fail. None: his time ran out."""
        while True:
            heard = yield
            if heard is TIMEOUT:
                if timed_out():
                    return None
                continue
            sender = self.by_comm.get(heard[0])
            if sender is None or sender.left:
                continue
            if sender is player:
                return heard[1], heard[2]
            self.fail(heard[0])

    def prepare(self):
        self.all("GameStarted")
        for player in self.players:
            self.all("Player", player=player.number, playerName=player.name)
        self.luck.shuffle(self.colony.deck)
        for place in self.others:
            self.luck.shuffle(place.deck)
        self.luck.shuffle(self.crises)
        if self.fates_on:
            self.luck.shuffle(self.fates)
        for player in self.players:
            yield from self.choose(player)
        self.luck.shuffle(self.pool)

    def choose(self, player):
        self.luck.shuffle(self.pool)
        offer = [person.id for person in self.pool[:4]]
        self.tell(player.comm, "Characters", **{f"characterId{i}": offer[i] for i in range(4)})

        def late():
            self.fail(player.comm)

        while True:
            command, args = yield from self.hear(player, late)
            chosen = {args.get("characterId0"), args.get("characterId1")}
            if command == "SelectCharacters" and len(chosen) == 2 and chosen <= set(offer):
                break
            self.fail(player.comm)
        self.pool = self.pool[4:] + [self.people[i] for i in offer if i not in chosen]
        for number in sorted(chosen):
            self.join(player, self.people[number])
        for _ in range(5):
            self.draw(player, self.colony.deck)

    def join(self, player, person):
        person.player, person.place = player, self.colony
        player.people.append(person)
        self.colony.people.append(person)
        self.all("CharacterSpawned", player=player.number, characterId=person.id)

    def draw(self, player, deck):
        card = deck.pop(0)
        player.hand.append(card)
        self.all("CardDrawn", player=player.number, cardId=card)

    def in_game(self):
        return [player for player in self.players if not player.left]

    def round(self, number):
        self.is_last = number == self.goal["rounds"]
        self.all("NextRound", round=number if self.base else self.goal["rounds"] - number + 1)
        self.crisis, self.given = self.crises.pop(0), 0
        self.all("Crisis", crisisId=self.crisis[1]["identifier"])
        for player in self.in_game():
            player.had_turn = player.sits_out = False
            player.dice = [self.roll(player) for _ in range(len(player.people) + 1)]
        self.turn = None
        self.pass_on(-1)
        while self.turn is not None:
            yield from self.play_turn(self.turn)
        self.colony_phase()

    def roll(self, player):
        value = self.luck.below(6) + 1
        self.all("DieRolled", player=player.number, value=value)
        return value

    def pass_on(self, behind):
        """The next one who has a turn in this round."""
        self.turn = None
        for player in self.players[behind + 1:]:
            if not player.left and not player.sits_out:
                self.turn = player
                return

    def end_turn(self, player):
        player.dice, player.cleaned, player.had_turn = [], False, True
        for person in player.people:
            person.fresh()
        self.pass_on(player.number)

    def play_turn(self, player):
        self.playing = player
        self.fate, self.fate_owner, self.waste_mark = None, player, self.waste
        for person in list(player.people):
            for _ in range(person.frost):
                if person.player is player:
                    self.all("Wounded", characterId=person.id)
                    person.wounds += 1
                    self.perhaps_dead(person)
        if self.fates_on:
            self.fate = self.fates.pop(0)
        while self.turn is player:
            self.tell(player.comm, "ActNow")
            heard = yield from self.hear(player, lambda: True)
            command, args = heard if heard is not None else ("Leave", {})
            self.triggers = []
            try:
                self.command(player, command, args)
            except Failed:
                self.fail(player.comm)
                continue
            yield from self.handle_fate()


class Server:
    """A game that is spoken to: what it says to each line that is sent."""

    def __init__(self, config, edition, seed):
        self.game = Game(config, edition, seed)
        self.way = self.game.run()
        self.is_over = False
        self.send(None)

    def send(self, heard):
        """The events that follow, in order."""
        self.game.said = []
        try:
            self.way.send(heard)
        except StopIteration:
            self.is_over = True
        return self.game.said
