"""frames.py: every frame of a hosted game of quests, read by somebody who should find no secret in any of them.

Four clients play, a fifth watches, and one who holds a fanout's and a watchdog's key listens at engine and fanout as
those do. Whatever comes to any of them is kept as it came. What the players were told alone, and the hands that
follow from it, are the secrets; then every frame is searched for them, byte by byte, and read as a message, too."""
import collections
import time

import zmq

import arbiter
from arbiter import messages
from arbiter.wire import NEWEST, NO_SEAT, Header, read_key_file, topic, unpack

quests = messages.game("quests")
PATIENCE_S = 60.0
HAND_LEAST = 8       # So many cards in a row are nobody else's by chance, but in one game of hundreds.
EVENT_LEAST = 6      # Bytes; the same of an event.
# Whom an event with these fields is for, when it is not for everybody.
OWNERS_ALONE = ("hand", "can_sponsor", "stage_card", "stage_cleared", "attack_card")
SPLIT = {"drew": "count", "discarded": "count", "stage_built": "count", "attack_set": "count"}

Frame = collections.namedtuple("Frame", "owner is_stream bytes")


class Recorder:
    """Keeps what any socket of this process receives, and whose it was."""

    def __init__(self):
        self.frames, self.clients, self.listeners = [], {}, {}
        self.sound = zmq.Socket.recv_multipart

    def __enter__(self):
        recorder = self

        def keep(socket, *words, **named):
            frames = recorder.sound(socket, *words, **named)
            recorder.frames += [Frame(*recorder.owner(socket), frame) for frame in frames]
            return frames
        zmq.Socket.recv_multipart = keep
        return self

    def __exit__(self, *_):
        zmq.Socket.recv_multipart = self.sound

    def owner(self, socket):
        is_stream = socket.type == zmq.SUB
        for name, client in self.clients.items():
            if any(found is socket for found in client.sockets.values()):
                return name, is_stream
        return self.listeners.get(id(socket), "monitor"), is_stream

    def who_heard(self, kind):
        headers = ((frame.owner, unpack(frame.bytes)) for frame in self.frames)
        return {owner for owner, found in headers if found is not None and found[0].kind == kind}


class Insider:
    """A service by its key: subscribed to a whole slot, and asking what such a service may ask."""

    def __init__(self, house, recorder, name):
        self.house, self.recorder, self.name, self.context = house, recorder, name, zmq.Context()
        _, self.public, self.secret = read_key_file(house.key(name))
        self.sockets = []

    def open(self, kind, service, door):
        """A socket that is let in: a door that has just opened does not know yet whom to admit, and nobody it turns away
        knocks again."""
        end = time.monotonic() + PATIENCE_S
        while True:
            socket = self.context.socket(kind)
            socket.curve_publickey, socket.curve_secretkey = self.public, self.secret
            socket.curve_serverkey = self.house.publics[service].encode()
            socket.linger, socket.rcvhwm = 0, 0
            self.recorder.listeners[id(socket)] = self.name
            monitor = socket.get_monitor_socket(zmq.EVENT_HANDSHAKE_SUCCEEDED)
            socket.connect(self.house.address(service, door))
            is_in = monitor.poll(1000)
            socket.disable_monitor()
            if is_in:
                self.sockets.append(socket)
                return socket
            socket.close()
            assert time.monotonic() < end, f"{self.name} is not let in by {service}"

    def listen(self, service, match_id):
        socket = self.open(zmq.SUB, service, "stream")
        socket.subscribe(topic(match_id)[:1])
        socket.subscribe(topic(match_id))

    def say(self, service, door, header, message):
        """The answers come with all else that is heard."""
        socket = self.open(zmq.DEALER, service, door)
        socket.send(header.pack() + message.SerializeToString())

    def greet(self, service):
        role = messages.directory.Role.Value("ROLE_" + Game.KEYS[self.name].upper())
        self.say(service, "requests", Header("HELLO"),
                 messages.directory.Hello(role=role, protocol=NEWEST, name=self.name))

    def ask_history(self, service, match_id):
        self.say(service, "history", Header("HISTORY_ASK", match_id, request=1),
                 messages.stream.HistoryAsk(**{"from": 1}))

    def hear(self):
        for socket in self.sockets:
            while socket.poll(0):
                socket.recv_multipart()

    def answers(self):
        headers = [unpack(frame.bytes) for frame in self.recorder.frames if frame.owner == self.name]
        return sum(found is not None and found[0].kind == "HISTORY_ANSWER" for found in headers)

    def close(self):
        for socket in self.sockets:
            socket.close()
        self.context.term()


class Game:
    """Four who play as the game likes best, one who watches, and the services' keys."""

    SEATS = ("ada", "bob", "cid", "dan")
    WATCHER = "eve"
    KEYS = {**{name: "client" for name in (*SEATS, WATCHER)}, "fanout-spy": "fanout", "watchdog-spy": "watchdog"}

    def __init__(self, house, recorder):
        doors = (house.folder / "run" / "doors").read_text().split()
        self.house, self.match_id, self.answers, self.begun = house, b"", {}, b""
        self.acts = {seat: [] for seat in range(len(self.SEATS))}
        self.attached, self.lists, self.replies, self.faults = set(), {}, set(), []
        self.clients = {name: arbiter.Client(*doors, key_file=house.key(name), name=name)
                        for name in (*self.SEATS, self.WATCHER)}
        recorder.clients = self.clients
        self.insiders = [Insider(house, recorder, name) for name in ("fanout-spy", "watchdog-spy")]

    def until(self, is_so, what):
        end = time.monotonic() + PATIENCE_S
        while not is_so():
            if time.monotonic() > end:
                raise AssertionError(f"{what}: {self.faults}\n{self.house.said()}")
            self.hear()
            time.sleep(0.001)

    def hear(self):
        for insider in self.insiders:
            insider.hear()
        for name, client in self.clients.items():
            event = client.next(timeout_ms=0)
            while event is not None:
                self.take(name, event)
                event = client.next(timeout_ms=0)

    def take(self, name, event):
        if event.kind == "answer":
            self.answers[name, event.request] = event.message
        elif event.kind == "table" and event.message.WhichOneof("kind") == "match_begins":
            self.match_id = event.message.match_begins.match_id
        elif event.kind in ("attached", "view"):
            self.attached.add((name, event.kind, event.request))
        elif event.kind == "act" and name in self.SEATS:
            self.acts[event.seat].append(event)
        elif event.kind == "legal":
            self.lists[name, event.request] = event.message
        elif event.kind in ("fault", "lost"):
            self.faults.append((name, event.fault or event.refusal))
        elif event.kind == "reply":
            self.replies.add((name, event.request))

    def ask(self, name, **kind):
        number = name, self.clients[name].ask(**kind)
        self.until(lambda: number in self.answers, f"no answer to {list(kind)}")
        answer = self.answers[number]
        assert answer.verdict == messages.lobby.VERDICT_DONE, f"{list(kind)}: {answer.sentence}"
        return answer

    def begin(self):
        for name in (*self.SEATS, self.WATCHER):
            self.ask(name, bind_name=messages.lobby.BindName(name=name))
        create = messages.lobby.CreateTable(game="quests", setup_name="standard")
        table = self.ask(self.SEATS[0], create_table=create).table.table
        for name in self.SEATS[1:]:
            self.ask(name, join_table=messages.lobby.JoinTable(table=table))
        self.until(lambda: self.match_id, "no match begins")
        self.clients[self.WATCHER].attach(self.match_id)
        fanout, watchdog = self.insiders
        for service in ("engine", "fanout"):
            fanout.listen(service, self.match_id)
        watchdog.listen("watchdog", self.match_id)
        watchdog.greet("engine")
        self.until(lambda: all(any(act.actor == 256 for act in acts) for acts in self.acts.values()),
                   "the cards are not dealt")
        self.until(lambda: {name for name, _, _ in self.attached} == set(self.clients), "somebody is not let in")

    def move(self):
        """Whoever is asked does what the game likes best; all look, before and behind."""
        numbers = {seat: (name, self.clients[name].legal(self.match_id, seat, best=True))
                   for seat, name in enumerate(self.SEATS)}
        self.until(lambda: all(number in self.lists for number in numbers.values()), "nobody says what may be done")
        seat = next(seat for seat, number in numbers.items() if self.lists[number].best)
        last = self.acts[seat][-1].number
        name, best = self.SEATS[seat], self.lists[numbers[seat]].best
        number = name, self.clients[name].play(self.match_id, seat, best)
        self.until(lambda: number in self.replies and all(acts[-1].number > last for acts in self.acts.values()),
                   "a move is not told")
        self.look()

    def look(self):
        looks = {(name, "view", self.clients[name].look(self.match_id, seat))
                 for seat, name in [*enumerate(self.SEATS), (NO_SEAT, self.WATCHER)]}
        self.until(lambda: looks <= self.attached, "nobody is shown how it stands")

    def end(self):
        """Whatever was under way comes before the answers to these."""
        fanout, heard = self.insiders[0], len(self.acts[0])
        for service in ("engine", "fanout"):
            fanout.ask_history(service, self.match_id)
        self.until(lambda: fanout.answers() >= 2, f"no history of {heard} acts")
        for each in (*self.insiders, *self.clients.values()):
            each.close()


class Secrets:
    """What every seat was told alone, and the hands that follow from it."""

    def __init__(self, game):
        self.of = {seat: set() for seat in game.acts}
        self.kinds = collections.Counter()
        for seat, acts in game.acts.items():
            hand = collections.Counter()
            for act in acts:
                for event in private_events(act):
                    self.keep(seat, event)
                    hand = self.deal(seat, hand, event)

    def keep(self, seat, event):
        text = event.SerializeToString()
        self.kinds[event.WhichOneof("kind")] += 1
        if len(text) >= EVENT_LEAST and event.WhichOneof("kind") != "can_sponsor":
            self.of[seat].add(text)

    def are_also_of(self, seat, cards):
        """Whether the reader has held the same cards himself, who then learns nothing of another."""
        return any(cards in own for own in self.of.get(seat, ()))

    def deal(self, seat, hand, event):
        kind = event.WhichOneof("kind")
        said = getattr(event, kind)
        if kind in ("hand", "stage_cleared"):
            hand = collections.Counter(said.hand)
        elif kind == "drew":
            hand = hand + collections.Counter(said.cards)
        elif kind == "discarded" and said.reason == quests.Event.Discarded.REASON_TRIM:
            hand = hand - collections.Counter(said.cards)
        elif kind in ("stage_card", "attack_card"):
            hand = hand - collections.Counter([said.card])
        cards = bytes(sorted(hand.elements()))
        if len(cards) >= HAND_LEAST:
            self.of[seat].add(cards)
        return hand


def private_events(act):
    """What only this seat's box holds, of an act as its client tells it."""
    return [happening.message for happening in act.happenings if happening.is_private]


def is_public(event):
    """Whether all of it may be said to everybody."""
    kind = event.WhichOneof("kind")
    if kind in OWNERS_ALONE:
        return False
    said = getattr(event, kind)
    if kind == "discarded" and said.reason == quests.Event.Discarded.REASON_ATTACK:
        return True
    return kind not in SPLIT or (said.HasField(SPLIT[kind]) and not said.cards)


def acts_in(header, message):
    if header.kind == "ACT":
        return [message]
    return message.acts if header.kind == "HISTORY_ANSWER" else []


def what_shows_in_acts(header, message):
    for act in acts_in(header, message):
        for entry in messages.stream.ActBody.FromString(act.body).events:
            if entry.HasField("event"):
                event = quests.Event.FromString(entry.event)
                if not is_public(event):
                    yield f"act {act.number} says to all: {event}"


def what_shows_in_view(view, seat):
    """Stages belong to their sponsor until they are resolved, attacks and hands to who holds them."""
    if (view.you if view.HasField("you") else None) != seat:
        yield f"the view of seat {view.you}"
    if seat is None and view.hand:
        yield "a hand, to who watches"
    quest = view.quest
    is_sponsor = seat is not None and quest.HasField("sponsor") and quest.sponsor == seat
    if quest.HasField("building") and not is_sponsor:
        yield "the stage that is being built"
    for number, stage in enumerate(quest.built, 1):
        if (stage.HasField("cards") or stage.HasField("value")) and not is_sponsor and number >= quest.stage:
            yield f"stage {number} of {len(quest.built)}, while stage {quest.stage} is played"
    for attack in quest.attacks:
        if attack.HasField("cards") and attack.player != seat:
            yield f"the attack of seat {attack.player}"


def what_shows(frames, game, secrets):
    """Sentences, one for each thing in any frame that its reader should not see; and how many came to whom of
    which kind."""
    seats, found, kinds = {name: seat for seat, name in enumerate(game.SEATS)}, [], collections.Counter()
    for frame in frames:
        seat = None if frame.is_stream else seats.get(frame.owner)
        where = f"{frame.owner}{', the stream' if frame.is_stream else ''}"
        found += [f"{where}: {secret.hex()} of seat {owner}" for owner, all_of in secrets.of.items()
                  if owner != seat for secret in all_of
                  if secret in frame.bytes and not secrets.are_also_of(seat, secret)]
        header, message = unpack(frame.bytes) or (None, None)
        if header is None:
            kinds[frame.owner, "other"] += 1
            continue
        kinds[frame.owner, header.kind] += 1
        found += [f"{where}: {what}" for what in what_shows_in_acts(header, message)]
        if header.kind == "ATTACHED" and seat is None and (message.asks or message.HasField("key")):
            found.append(f"{where}: what a seat is asked, or its key")
        if header.kind == "ATTACHED" and message.HasField("view") and header.match_id == game.match_id:
            view = quests.View.FromString(message.view)
            found += [f"{where}: {what}" for what in what_shows_in_view(view, seat)]
    return found, kinds
