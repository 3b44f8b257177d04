"""nim.py: a match of nim with open dice: moves, refusals, repeats and strangers at the engine's door, and the
engine killed in the middle. Everything is public, and who takes what is judged against heaps of our own."""
from arbiter import messages
from arbiter.wire import NO_SEAT

from doors import Broken, hold

rules = messages.game("nim")
SETUP, HEAPS = "classic", [3, 4, 5]
LEFT_FOR_THE_END = 4


def take(heap, count):
    return rules.Command(take=rules.Take(heap=heap, count=count)).SerializeToString()


class Nim:
    def __init__(self, visit):
        self.visit, self.heaps, self.turn = visit, list(HEAPS), 0
        self.said = {}  # Act number: (seat, heap, count).
        self.match_id, self.heard, self.last = b"", [], 1

    def play(self):
        self.begin()
        self.look()
        self.at_the_door()
        while sum(self.heaps) > LEFT_FOR_THE_END:
            self.move()
        self.kill_engine()
        while sum(self.heaps):
            self.move()
        self.end()

    def begin(self):
        visit, lobby = self.visit, messages.lobby
        table = visit.ask("ada", create_table=lobby.CreateTable(game="nim", setup_name=SETUP, seats=2, seed=7)).table
        visit.ask("bob", join_table=lobby.JoinTable(table=table.table))
        self.seats = [visit.players["ada"], visit.players["bob"]]
        visit.until(lambda: all(player.begun for player in self.seats), "lobby", "the match does not begin")
        self.match_id = self.seats[0].begun[-1]
        self.listener = visit.listen(self.match_id)
        visit.until(lambda: all((self.match_id, seat) in player.views for seat, player in enumerate(self.seats)),
                    "answer", "who sits there may not play")
        visit.until(lambda: self.listener.heads or self.listener.acts, "heads",
                    "a new reader hears no head")

    def look(self):
        seen = self.visit.watch("eve", self.match_id)
        hold("view", list(seen.view.heaps) == self.heaps, f"who watches sees {list(seen.view.heaps)}")

    def count(self, seat, heap, count, number):
        """An accepted move is act `number`."""
        self.said[number] = (seat, heap, count)
        self.heaps[heap] -= count
        self.turn, self.last = 1 - seat, number

    def a_move(self):
        """The largest heap's half, so that counts differ."""
        heap = max(range(len(self.heaps)), key=lambda at: self.heaps[at])
        return heap, max(1, self.heaps[heap] // 2 if sum(self.heaps) > 2 * LEFT_FOR_THE_END else 1)

    # By hand.

    def at_the_door(self):
        ada, bob, eve = (self.visit.callers[name] for name in ("ada", "bob", "eve"))
        header, attached, _ = eve.attach(self.match_id, NO_SEAT)
        hold("secrets", header.kind == "ATTACHED" and not attached.HasField("key"), "who watches is given a key")
        header, refused, _ = bob.attach(self.match_id, 0)
        hold("session", header.kind == "REFUSED", "another's key is let in at a seat")
        _, attached, _ = ada.attach(self.match_id, 0)
        hold("view", attached.number == self.last, f"attached at act {attached.number} of {self.last}")
        self.session, self.request = attached.session, attached.request
        self.refused(ada, take(0, 9), "more than there is")
        self.accepted(ada, *self.a_move())
        self.refused(ada, take(0, 1), "out of turn")
        self.strange(ada, bob)

    def refused(self, caller, play, why):
        self.request += 1
        header, reply, said = caller.command(self.match_id, 0, self.session, self.request, play)
        hold("answer", header.kind == "REPLY" and not reply.accepted, f"a move was accepted: {why}")
        hold("answer", reply.number == self.last, f"a refusal at act {reply.number} of {self.last}")
        self.again(caller, play, said)

    def accepted(self, caller, heap, count):
        self.request += 1
        header, reply, said = caller.command(self.match_id, 0, self.session, self.request, take(heap, count))
        hold("answer", header.kind == "REPLY" and reply.accepted, "a move was refused")
        hold("answer", reply.number == self.last + 1, f"act {reply.number} behind act {self.last}")
        self.count(0, heap, count, reply.number)
        self.again(caller, take(heap, count), said)
        self.heard_by_all()
        return said

    def again(self, caller, play, said):
        """The same request is the same answer, byte for byte, and no other act."""
        _, _, repeated = caller.command(self.match_id, 0, self.session, self.request, play)
        hold("once", repeated == said, f"request {self.request} said again has another answer")

    def strange(self, ada, bob):
        play = take(0, 1)
        for caller, session, request, refusal in ((ada, self.session + 5, self.request + 1, "ATTACH_AGAIN"),
                                                  (bob, self.session, self.request + 1, "NOT_YOURS"),
                                                  (ada, self.session, self.request + 2, "GAP")):
            header, refused, _ = caller.command(self.match_id, 0, session, request, play)
            is_so = header.kind == "REFUSED" and messages.REFUSALS[refused.refusal] == refusal
            hold("session", is_so, f"no {refusal} for request {request} of session {session}")

    def heard_by_all(self):
        """Everybody has been told the last act, and it is what was asked for."""
        visit = self.visit
        watching = [(player, seat) for seat, player in enumerate(self.seats)] + [(visit.players["eve"], NO_SEAT)]
        visit.until(lambda: all(player.acts[self.match_id, seat][-1:] and
                                player.acts[self.match_id, seat][-1].number >= self.last
                                for player, seat in watching), "stream", f"act {self.last} does not reach all")
        ahead = max(self.listener.heads, default=0)
        hold("heads", ahead <= self.last, f"a head names act {ahead}, and {self.last} is the last one")
        for player, seat in watching:
            for act in player.acts[self.match_id, seat]:
                self.judge(act)

    def judge(self, act):
        if act.number not in self.said or act.actor > 255:
            return
        seat, heap, count = self.said[act.number]
        taken = act.happenings[0].message.taken
        hold("rules", (act.actor, taken.seat, taken.heap, taken.count) == (seat, seat, heap, count),
             f"act {act.number} takes {taken.count} from heap {taken.heap} for seat {taken.seat}; asked for "
             f"was {count} from {heap} by {seat}")

    # By the library.

    def move(self):
        heap, count = self.a_move()
        player, seat = self.seats[self.turn], self.turn
        request = player.client.play(self.match_id, seat, take(heap, count))
        self.visit.until(lambda: request in player.replies, "answer", "a move is not answered")
        reply = player.replies[request]
        hold("answer", reply.outcome == "accepted", f"a good move is {reply.outcome}")
        self.count(seat, heap, count, reply.number)
        self.heard_by_all()

    def kill_engine(self):
        """The successor gives the same answer to the same request, and acts of a higher epoch."""
        ada = self.visit.callers["ada"]
        if self.turn != 0:
            self.move()
        heap, count = self.a_move()
        said = self.accepted(ada, heap, count)
        self.visit.until(lambda: self.last in self.listener.acts, "stream", "an act does not go out")
        before = self.listener.acts[self.last].epoch
        self.visit.restart("engine")
        self.again(ada, take(heap, count), said)
        _, attached, _ = ada.attach(self.match_id, 0, self.session)
        hold("once", attached.number == self.last, f"act {attached.number} behind a restart, instead of {self.last}")
        self.move()
        self.visit.until(lambda: self.last in self.listener.acts, "stream", "an act does not go out")
        hold("epoch", self.listener.acts[self.last].epoch > before, f"the successor still has epoch {before}")

    def end(self):
        visit = self.visit
        visit.until(lambda: all((self.match_id, seat) in player.over for seat, player in enumerate(self.seats)),
                    "stream", "the end is not told")
        visit.until(lambda: all(self.match_id in player.ended for player in self.seats), "lobby",
                    "the lobby does not hear of the end")
        final = self.seats[0].over[self.match_id, 0].number
        visit.until(lambda: any(head.over for head in self.listener.heads.values()), "heads",
                    "no head says that the match is over")
        self.listener.end(final)
        visit.listeners.remove(self.listener)
        self.heard = visit.callers["eve"].history("fanout", self.match_id, final)
        past = visit.callers["eve"].history("engine", self.match_id, final)
        for one, other in zip(self.heard, past):
            hold("history", one == other, f"act {one.number} is another at the engine's door")
            live = self.listener.acts.get(one.number)
            hold("history", live is None or (live.body, live.actor, live.command_hash) ==
                 (one.body, one.actor, one.command_hash), f"act {one.number} was another when it was live")
        self.late(final)

    def late(self, final):
        """Who comes when all is over sees where it ended."""
        try:
            seen = self.visit.watch("late", self.match_id)
        except Broken as broken:
            raise Broken("view", f"who comes late: {broken}") from broken
        hold("view", seen.number == final and list(seen.view.heaps) == [0, 0, 0], f"a late view at {seen.number}: "
             f"{list(seen.view.heaps)}")
