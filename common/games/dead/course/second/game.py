"""The way of a game, from the first who registers to its last event.

A game is a coroutine: at each `yield` it waits for what some client sends. `Server` below is how one talks to it.
"""

from __future__ import annotations

from .abilities import Abilities
from .board import Body, Over, Player, Refused
from .fate import Waiting
from .table import Heard, Said


class Game(Abilities):
    """`patience`: after so many silences in a row a choice or a vote is made for the player; 0: never."""

    def __init__(self, config: Body, edition: str, seed: int, text: str = "", patience: int = 0) -> None:
        super().__init__(config, edition, seed)
        self.text, self.patience, self.phase = text, patience, "registration"

    def run(self) -> Waiting:
        try:
            yield from self.register()
            self.phase = "preparation"
            yield from self.prepare()
            self.phase = "game"
            for self.round in range(1, self.goal["rounds"] + 1):
                yield from self.play_round()
        except Over:
            pass
        self.phase = "over"

    # Registration.

    def register(self) -> Waiting:
        while len(self.players) < self.config["maxPlayers"]:
            heard = yield
            if heard is None or heard.command not in ("Register", "StartGame"):
                self.all("RegistrationAborted")
                raise Over
            is_known = self.player_of(heard.client) is not None
            if heard.command == "StartGame" and is_known:
                self.commands += 1
                return
            if heard.command == "Register" and not is_known:
                self.commands += 1
                self.enter(heard)
            else:
                self.refuse(heard.client, "You have registered already." if is_known else "Register first.")

    def enter(self, heard: Heard) -> None:
        player = Player(len(self.players), heard.client, heard.args.get("playerName", ""))
        self.players.append(player)
        self.tell(player, "Config", config=self.text)

    # Waiting for one player.

    def listen(self, player: Player) -> Waiting:
        """What this player says; others are refused meanwhile, and strangers are not answered. None: silence."""
        while True:
            heard = yield
            if heard is None:
                return None
            sender = self.player_of(heard.client)
            if sender is player:
                return heard
            if sender is None or sender.has_left:
                self.ignore(heard)
            else:
                self.refuse(heard.client, "It is another player's turn.")

    def ignore(self, heard: Heard) -> None:
        """Whoever has no place in the game gets no answer."""

    # Preparation.

    def prepare(self) -> Waiting:
        self.all("GameStarted")
        for player in self.players:
            self.all("Player", player=player.number, playerName=player.name)
        self.shuffle_decks()
        for player in self.players:
            yield from self.choose(player)
        self.shuffle_rest()

    def shuffle_decks(self) -> None:
        self.dice.shuffle(self.colony.deck)
        for place in self.others:
            self.dice.shuffle(place.deck)
        self.dice.shuffle(self.crises)
        if self.has_fates:
            self.dice.shuffle(self.fates)

    def shuffle_rest(self) -> None:
        self.dice.shuffle(self.pool)

    def choose(self, player: Player) -> Waiting:
        self.dice.shuffle(self.pool)
        offer = [survivor.id for survivor in self.pool[:4]]
        self.offer(player, {f"characterId{i}": number for i, number in enumerate(offer)})
        chosen = yield from self.ask_choice(player, offer)
        self.pool = self.pool[4:] + [self.people[number] for number in offer if number not in chosen]
        for number in self.order_of_spawning(chosen):
            self.join(player, self.people[number])
        for _ in range(5):
            self.draw(player, self.colony.deck)

    def offer(self, player: Player, characters: dict[str, int]) -> None:
        self.tell(player, "Characters", **characters)

    def order_of_spawning(self, chosen: list[int]) -> list[int]:
        return sorted(chosen)

    def ask_choice(self, player: Player, offer: list[int]) -> Waiting:
        silences = 0
        while True:
            heard = yield from self.listen(player)
            if heard is None:
                silences += 1
                if self.loses_patience(silences):
                    return offer[:2]
                self.refuse(player.client, "Your time ran out: choose two characters.")
                continue
            chosen = [heard.args.get("characterId0"), heard.args.get("characterId1")]
            if heard.command == "SelectCharacters" and self.may_choose(chosen, offer):
                self.commands += 1
                return chosen
            self.refuse(player.client, "Choose two different characters of the four.")

    def loses_patience(self, silences: int) -> bool:
        return silences == self.patience

    def may_choose(self, chosen: list[int | None], offer: list[int]) -> bool:
        return chosen[0] != chosen[1] and set(chosen) <= set(offer)

    # Rounds and turns.

    def play_round(self) -> Waiting:
        rounds = self.goal["rounds"]
        self.all("NextRound", round=self.round if self.is_base else rounds - self.round + 1)
        self.crisis, self.given = self.crises.pop(0), 0
        self.all("Crisis", crisisId=self.crisis[1]["identifier"])
        for player in self.in_game():
            player.had_turn = player.sits_out = False
            player.dice = [self.roll(player) for _ in range(self.dice_count(player))]
        self.pass_on(None)
        while self.turn is not None:
            yield from self.play_turn(self.turn)
        self.colony_phase()

    def dice_count(self, player: Player) -> int:
        return len(player.people) + 1

    def play_turn(self, player: Player) -> Waiting:
        self.playing = player
        self.freeze(player)
        self.draw_fate(player)
        while self.turn is player:
            self.tell(player, "ActNow")
            heard = yield from self.listen(player)
            self.deeds: list[tuple[str, int | None]] = []
            if self.obeys(player, heard):
                yield from self.handle_fate()

    def obeys(self, player: Player, heard: Heard | None) -> bool:
        """Carries a command out. Silence is leaving."""
        try:
            self.carry_out(player, *(("Leave", {}) if heard is None else (heard.command, heard.args)))
        except Refused as fault:
            self.refuse(player.client, str(fault))
            return False
        self.commands += heard is not None
        return True

    def carry_out(self, player: Player, command: str, args: Body) -> None:
        act = getattr(self, "do_" + command, None)
        self.need(act, "This cannot be said now.")
        act(player, args)


class Server:
    """A game that is spoken to: what it says to each thing that happens."""

    def __init__(self, game: Game) -> None:
        self.game, self.is_over = game, False
        self.way = game.run()
        self.happens(None)

    def happens(self, heard: Heard | None) -> list[Said]:
        """What is said now, in order. `None`: time has run out; the first one begins the game."""
        self.game.said = []
        try:
            self.way.send(heard)
        except StopIteration:
            self.is_over = True
        return self.game.said
