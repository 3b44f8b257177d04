"""attacks_roles.py: admitted keys that speak for others: seats, tickets, the house, the operator."""
import time

import zmq
from arbiter import messages, wire

import insider
from world import ask, row, said

engine, lobby, envelope = messages.engine, messages.lobby, messages.envelope
NEVER = {"ATTACHED", "REPLY", "LEGAL_ANSWER", "MATCH_STARTED", "HOUSE_REPLY"}


def hear_no(line, frame, what):
    """The answer's word, which must not be one that lets anybody in."""
    word = insider.refusal(line.ask(frame))
    assert word is not None and word not in NEVER, f"{what}: {word}"
    return word


@row("another's seat: to attach to it, to play it, to ask what it may do")
def anothers_seat(world):
    match = world.pair.match
    with world.line("engine") as line:
        for seat in (0, 1, 2, 255, 1 << 31):
            hear_no(line, insider.head("ATTACH", match, seat=seat) + said(engine.Attach()), f"attached to seat {seat}")
            for session in (0, 1, 2, 3, 1 << 31):
                hear_no(line, insider.head("LEGAL_ASK", match, seat=seat, session=session), "was told what may be done")
                for request in (1, 1000):
                    frame = insider.head("COMMAND", match, seat=seat, session=session, request=request)
                    hear_no(line, frame + said(engine.Command(play=b"\x0a\x00")), "played another's seat")


@row("sessions that somebody made up, with every epoch and number")
def forged_sessions(world):
    match = world.pair.match
    frames = [insider.head("COMMAND", match, epoch=epoch, number=number, seat=0, session=session, request=request) +
              said(engine.Command(detach=True))
              for epoch in (0, 1, (1 << 64) - 1) for number in (0, 1 << 63) for session in range(1, 9)
              for request in (0, 1, 2)]
    with world.line("engine") as line:
        for frame in frames:
            hear_no(line, frame, "ended another's session")


@row("tickets: forged, another gateway's, out of date, cut off")
def forged_tickets(world):
    match, ada = world.pair.match, world.pair.people[0].client.core.player
    eve = world.eve()
    tickets = [envelope.Ticket(player=ada, gateway=wire.key_bytes(eve.public), expires_ms=1 << 62),
               envelope.Ticket(player=ada, gateway=wire.key_bytes(eve.public), expires_ms=1),
               envelope.Ticket(player=ada, gateway=bytes(32), expires_ms=1 << 62), envelope.Ticket()]
    with world.line("engine", key=eve) as line:
        for ticket in tickets:
            for signature in (bytes(64), b"\xff" * 64, world.luck.randbytes(64), b"", b"x"):
                signed = envelope.SignedTicket(ticket=said(ticket), signature=signature)
                body = said(engine.Attach(ticket=signed))
                hear_no(line, insider.head("ATTACH", match, seat=0) + body, "a forged ticket")
    with world.line("lobby", key=eve) as line:
        word = insider.refusal(line.ask(insider.head("LOBBY_ASK", request=1) +
                                        ask(ask_ticket=lobby.AskTicket(player=ada))))
        if word == "LOBBY_ANSWER":
            assert answered(line, ask(ask_ticket=lobby.AskTicket(player=ada)), 2) != lobby.VERDICT_DONE


def answered(line, body, request):
    """The verdict of an ask; its refusal's word, if that is what came."""
    assert line.send(insider.head("LOBBY_ASK", request=request) + body)
    while (heard := line.hear()) is not None:
        if heard[0] == "LOBBY_ANSWER":
            return lobby.Answer.FromString(heard[2]).verdict
        if heard[0] == "REFUSED":
            return insider.refusal(heard)
    raise AssertionError("an ask is not answered")


@row("what only the operator may ask")
def operators_asks(world):
    eve, ada = world.eve(), world.pair.people[0]
    with world.line("lobby", key=eve) as line:
        assert answered(line, ask(bind_name=lobby.BindName(name="Mallory")), 1) == lobby.VERDICT_DONE
        asks = [lobby.Ask(admit=lobby.Admit(key=bytes(range(32)), role=messages.directory.ROLE_CONSOLE)),
                lobby.Ask(admit=lobby.Admit(key=wire.key_bytes(ada.client.public.decode()), admitted=False)),
                lobby.Ask(abort_match=lobby.AbortMatch(match_id=world.pair.match, reason="why not")),
                lobby.Ask(ban_player=lobby.BanPlayer(name="Ada")),
                lobby.Ask(forget_player=lobby.ForgetPlayer(name="Ada")), lobby.Ask(list_players=lobby.ListPlayers()),
                lobby.Ask(leave_table=lobby.LeaveTable(table=world.pair.table), player=ada.client.core.player),
                lobby.Ask(bind_name=lobby.BindName(name="Ada")),
                lobby.Ask(ask_ticket=lobby.AskTicket(player=ada.client.core.player)),
                lobby.Ask(leave_table=lobby.LeaveTable(table=world.pair.table)),
                lobby.Ask(start_table=lobby.StartTable(table=world.pair.table)),
                lobby.Ask(vote=lobby.Vote(table=world.pair.table, seat=0, choice=lobby.Vote.CHOICE_BOT)),
                lobby.Ask(chat=lobby.Chat(table=world.pair.table, text="hello"))]
        for number, wish in enumerate(asks):
            verdict = answered(line, said(wish), number + 2)
            assert verdict != lobby.VERDICT_DONE, f"a client may {wish.WhichOneof('kind')}"


@row("a client that says hello as an engine, a lobby, a fanout, a watchdog, the operator")
def impostor(world):
    directory = messages.directory
    for role in (directory.ROLE_LOBBY, directory.ROLE_ENGINE, directory.ROLE_FANOUT, directory.ROLE_WATCHDOG,
                 directory.ROLE_GATEWAY, directory.ROLE_CONSOLE):
        doors = [directory.Door(kind=kind, address="tcp://127.0.0.1:9") for kind in (1, 2, 3)]
        service = directory.Service(role=role, name="impostor", doors=doors,
                                    slots=[directory.Slots(first=0, last=255, epoch=1 << 60)])
        hello = directory.Hello(role=role, name="impostor", protocol=1, service=service)
        with world.line("lobby") as line:
            assert line.send(insider.head("HELLO") + said(hello))
            heard = line.hear()
            assert heard is not None
            welcome = directory.Welcome.FromString(heard[2]) if heard[0] == "WELCOME" else directory.Welcome()
            names = [one.name for one in welcome.directory.services]
            assert "impostor" not in names, f"the directory has an impostor as role {role}"
            assert not welcome.directory.admissions, "a client is told who is admitted"
        with world.line("engine") as line:
            line.send(insider.head("HELLO") + said(hello))
            line.hear()


@row("names, chat and set-ups that drive terminals, or are too long")
def unfit_words(world):
    names = ["", " ", "\x1b[2J\x1b[H", "a\nb", "a\rb", "a\tb", "\x07", "\x9b31m", "a\x7f", "x" * 33, "\u202eadA", "a" * 60000,
             "\u2028", "\u200b\u200b", "Ada\u200b", "<script>alert(1)</script>" * 2]
    with world.line("lobby") as line:
        request = 0
        for name in names:
            request += 1
            verdict = answered(line, ask(bind_name=lobby.BindName(name=name)), request)
            assert verdict != lobby.VERDICT_DONE, f"somebody may be called {name[:40]!r}"
        verdict = answered(line, ask(bind_name=lobby.BindName(name="Trudy")), request + 1)
        assert verdict == lobby.VERDICT_DONE, verdict
        assert answered(line, ask(create_table=lobby.CreateTable(game="nim", setup_name="classic", seats=2)),
                        request + 2) == lobby.VERDICT_DONE
        for number, text in enumerate(["x" * 281, "x" * 60000, ""]):
            verdict = answered(line, ask(chat=lobby.Chat(text=text)), request + 3 + number)
            assert verdict != lobby.VERDICT_DONE, f"chat of {len(text)} bytes was said"
        for number, setup in enumerate(["{" * 60000, "\0", "[" * 30000 + "]" * 30000, '{"a":' * 10000, "x" * 61000]):
            verdict = answered(line, ask(create_table=lobby.CreateTable(game="nim", setup=setup)), request + 6 + number)
            assert verdict != lobby.VERDICT_DONE, "a table was opened with nonsense"


@row("Pings and Hellos of every clock and number")
def skewed(world):
    with world.line("engine") as line:
        for nonce in (0, 1, (1 << 63) - 1, (1 << 64) - 1):
            for epoch in (0, (1 << 64) - 1):
                kind, _, body = line.ask(insider.head("PING", epoch=epoch, number=epoch, request=(1 << 32) - 1) +
                                         said(envelope.Ping(nonce=nonce)))
                assert kind == "PONG" and envelope.Pong.FromString(body).nonce == nonce
        for protocol in (0, 1, 2, (1 << 32) - 1):
            assert line.ask(insider.head("HELLO") + said(messages.directory.Hello(protocol=protocol))) is not None


@row("a banned player's connections that are still open, and his subscriptions")
def banned(world):
    eve, topic = world.eve(), wire.topic(world.pair.match)
    with world.line("lobby", key=eve) as asks, world.line("engine", key=eve) as plays, \
            world.line("fanout", "stream", key=eve, kind=zmq.SUB) as reads, \
            world.line("lobby", key=world.premises.keys["console"]) as operator:
        assert answered(asks, ask(bind_name=lobby.BindName(name="Victor")), 1) == lobby.VERDICT_DONE
        assert plays.is_let_in(5000)
        reads.socket.subscribe(topic)
        assert insider.until(lambda: reads.socket.poll(50)), "he does not hear the match he may hear"
        request = 1 + messages.directory.Welcome.FromString(last_welcome(operator)).request
        assert answered(operator, ask(ban_player=lobby.BanPlayer(name="Victor")), request) == lobby.VERDICT_DONE
        assert insider.until(lambda: all(world.premises.services[name].counters().get("hung_up", 0) > 0
                                         for name in ("lobby", "engine", "fanout"))), "nobody hangs up on him"
        time.sleep(0.6)
        while reads.socket.poll(0):
            reads.socket.recv()
        world.move(3)
        assert not reads.socket.poll(300), "a banned player still hears the match"
        assert not plays.is_let_in(300), "a banned player is still answered"
    return {(service, "hung_up"): 1 for service in ("lobby", "engine", "fanout")}


def last_welcome(line):
    """What the operator is told at his hello."""
    hello = messages.directory.Hello(role=messages.directory.ROLE_CONSOLE, name="operator", protocol=1)
    assert line.send(insider.head("HELLO") + said(hello))
    while (heard := line.hear()) is not None:
        if heard[0] == "WELCOME":
            return heard[2]
    raise AssertionError("the lobby does not welcome the operator")
