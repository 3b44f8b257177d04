"""quests.py: some rounds of the quests with hosted dice and hidden hands: boxes, keys, views, dice, and the
fanout killed in the middle."""
from arbiter import messages
from arbiter.wire import box_open, keyed, seat_key

from acts_of import secrets_in
from doors import hold

MOVES, SEATS, WHO = 16, 4, ("ada", "bob", "ada", "bob")


class Quests:
    def __init__(self, visit):
        self.visit, self.match_id, self.heard = visit, b"", []
        self.said = {}  # Act number: the command.
        self.last = 0

    def play(self):
        self.begin()
        for move in range(MOVES):
            if move == MOVES // 2:
                self.kill_fanout()
            self.move()
        self.end()

    def seated(self):
        return [(seat, self.visit.players[name]) for seat, name in enumerate(WHO)]

    def begin(self):
        visit, lobby = self.visit, messages.lobby
        table = visit.ask("ada", create_table=lobby.CreateTable(game="quests", setup_name="standard", hotseat=True)).table
        for name in WHO[1:]:
            visit.ask(name, join_table=lobby.JoinTable(table=table.table))
        known = {player.begun[0] for _, player in self.seated()}
        visit.until(lambda: all(len(player.begun) > 1 for _, player in self.seated()), "lobby", "no match begins")
        self.match_id = self.seated()[0][1].begun[-1]
        assert self.match_id not in known
        self.listener = visit.listen(self.match_id)
        visit.until(lambda: all((self.match_id, seat) in player.views for seat, player in self.seated()),
                    "answer", "who sits there may not play")
        visit.until(lambda: any(self.started(act) for act in self.acts(0)), "dice", "the dice are never made")
        self.last = max(act.number for act in self.acts(0))
        seen = visit.watch("eve", self.match_id)
        hold("secrets", not seen.view.hand and not seen.view.HasField("you"), "who watches sees a hand")

    def acts(self, seat):
        return self.visit.players[WHO[seat]].acts[self.match_id, seat]

    @staticmethod
    def started(act):
        return act.actor == 256

    def move(self):
        """Whoever may do something does what the game likes best."""
        visit, asked = self.visit, []
        visit.until(lambda: all(self.acts(seat) and self.acts(seat)[-1].number >= self.last for seat in range(SEATS)),
                    "catch-up", f"act {self.last} does not reach all")
        for seat, player in self.seated():
            asked.append((seat, player, player.client.legal(self.match_id, seat, best=True)))
        visit.until(lambda: all(number in player.lists for _, player, number in asked), "answer",
                    "nobody says what may be done")
        seat, player, best = next((seat, player, player.lists[number].best) for seat, player, number in asked
                                  if player.lists[number].best)
        request = player.client.play(self.match_id, seat, best)
        visit.until(lambda: request in player.replies, "catch-up", "a move is not answered, or its act not told")
        reply = player.replies[request]
        hold("rules", reply.outcome == "accepted", f"what may be done is {reply.outcome}")
        self.last = reply.number
        self.said[reply.number] = best

    def kill_fanout(self):
        """Another one has all that went before, too."""
        self.visit.restart("fanout")
        self.listener.listen()
        self.visit.callers["eve"].history("fanout", self.match_id, self.last)

    def end(self):
        visit = self.visit
        visit.ask("operator", abort_match=messages.lobby.AbortMatch(match_id=self.match_id, reason="seen enough"))
        visit.until(lambda: all((self.match_id, seat) in player.over for seat, player in self.seated()), "stream",
                    "the end is not told")
        for seat, player in self.seated():
            over = player.over[self.match_id, seat]
            hold("dice", over.proof >= {"seals", "dice", "own_bytes"}, f"seat {seat} has proof of {set(over.proof)}")
        final = over.number
        self.listener.hear()
        self.listener.end(final)
        visit.listeners.remove(self.listener)
        self.heard = visit.callers["eve"].history("fanout", self.match_id, final)
        self.open_boxes(secrets_in(self.heard[-1]))

    def open_boxes(self, secret):
        """All boxes of an act are of one size; every one opens; what was played is what was said."""
        private = set()
        for act in self.heard:
            boxes = messages.stream.ActBody.FromString(act.body).boxes
            hold("box", len({len(box) for box in boxes}) <= 1 and len(boxes) in (0, SEATS), f"boxes of act {act.number}")
            for seat, box in enumerate(boxes):
                text = box_open(box, seat_key(secret, seat, 1), self.match_id, act, seat, 1)
                hold("box", text is not None, f"box {seat} of act {act.number} does not open")
                private |= {seat} if any(text) else set()
            if act.number in self.said:
                said = keyed(secret, 32, b"arbiter command", self.said[act.number])
                hold("rules", act.command_hash == said, f"act {act.number} is not the command that was sent")
        hold("box", len(private) == SEATS, f"only {private} were ever told something of their own")
