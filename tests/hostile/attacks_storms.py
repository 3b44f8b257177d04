"""attacks_storms.py: admitted keys that ask what they may, but far too much of it."""
import contextlib
import time

import zmq
from arbiter import messages, wire

import insider
from attacks_roles import answered
from world import ask, row, said

engine, lobby, stream = messages.engine, messages.lobby, messages.stream


# So often is somebody told that it is too much before he is believed to be bounded.
ENOUGH = 10


def storm(line, frames, seconds):
    """Everything again and again without waiting; what is answered is thrown away. How many went."""
    sent, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        for frame in frames:
            sent += line.push(frame)
        with contextlib.suppress(zmq.Again):
            while True:
                line.socket.recv_multipart(zmq.DONTWAIT)
    return sent


def closed(ask_once, most=3000):
    """One after the other, each when the last was answered, until it is too much; how often each answer came."""
    heard = {}
    for number in range(most):
        word = ask_once(number)
        heard[word] = heard.get(word, 0) + 1
        if heard.get("TOO_MUCH", 0) >= ENOUGH:
            return heard
    raise AssertionError(f"it is never too much: {heard}")


@row("a storm of attaches: a spectator who comes again and again")
def attach_storm(world):
    match = world.pair.match
    with world.line("engine") as line:
        frame = insider.head("ATTACH", match) + said(engine.Attach())
        closed(lambda _: insider.refusal(line.ask(frame)))
    return {("engine", "refused_too_much"): ENOUGH}


@row("a storm of questions about what a seat may do")
def legal_storm(world):
    match = world.pair.match
    with world.line("engine") as line:
        heard = closed(lambda number: insider.refusal(line.ask(
            insider.head("LEGAL_ASK", match, seat=number % 3, request=number) + said(engine.LegalAsk(best=True)))))
    assert "LEGAL_ANSWER" not in heard, heard
    return {("engine", "refused_too_much"): ENOUGH}


@row("a storm of history, at the fanout's door and at the engine's own")
def history_storm(world):
    for service in ("fanout", "engine"):
        with world.line(service, "history") as line:
            storm(line, [insider.head("HISTORY_ASK", world.pair.match) + said(stream.HistoryAsk(**{"from": 1})),
                         insider.head("HISTORY_ASK", world.luck.randbytes(16)) + said(stream.HistoryAsk(**{"from": 1})),
                         insider.head("HISTORY_ASK", world.pair.match) +
                         said(stream.HistoryAsk(**{"from": 0, "to": (1 << 64) - 1}))], 0.3)
    return {("fanout", "refused_too_much"): 1}


@row("a storm of tables, with set-ups of their own and without")
def table_storm(world):
    with world.line("lobby") as line:
        assert answered(line, ask(bind_name=lobby.BindName(name="Oscar")), 1) == lobby.VERDICT_DONE
        wish = ask(create_table=lobby.CreateTable(game="nim", setup_name="classic", seats=2))
        verdicts = closed(lambda number: answered(line, wish, number + 2))
    assert verdicts.get(lobby.VERDICT_DONE, 0) <= 1, verdicts
    return {("lobby", "refused_too_much"): ENOUGH}


@row("a flood of Pings, and of commands of nobody's")
def frame_flood(world):
    match = world.pair.match
    floods = {"lobby": insider.head("PING"), "watchdog": insider.head("PING"),
              "engine": insider.head("COMMAND", match, seat=0, session=1, request=1) + said(engine.Command(play=b"x"))}
    for service, frame in floods.items():
        key = world.eve()
        with world.line(service, key=key) as line:
            end = time.monotonic() + 3
            while time.monotonic() < end and not world.premises.services[service].counters().get("floods"):
                storm(line, [frame] * 50, 0.15)
        with world.line(service, key=key) as line:
            assert not line.is_let_in(150), f"{service} lets in at once whom it has just shut out"
    return {(service, "floods"): 1 for service in floods}


@row("an admitted key that connects again and again")
def reconnects(world):
    key = world.eve()
    for number in range(60):
        with world.line(("lobby", "engine", "watchdog")[number % 3], key=key) as line:
            assert line.is_let_in(3000), f"an admitted key is not let in at its connection {number}"


@row("somebody who asks and never reads the answers")
def never_reads(world):
    with contextlib.ExitStack() as stack:
        for service, door, frame in (
                ("lobby", "requests", insider.head("LOBBY_ASK", request=1) +
                 ask(list_tables=lobby.ListTables())),
                ("engine", "requests", insider.head("ATTACH", world.pair.match) + said(engine.Attach())),
                ("fanout", "history", insider.head("HISTORY_ASK", world.pair.match) +
                 said(stream.HistoryAsk(**{"from": 1})))):
            line = stack.enter_context(world.line(service, door, rcvhwm=1, rcvbuf=4096))
            for _ in range(2000):
                line.push(frame)
        time.sleep(0.3)
        world.move()


@row("commands replayed, out of order, and with gaps, by one who may sit there")
def replayed_commands(world):
    """A table of its own: what Eve does there is hers, and her match is not the honest ones'."""
    key = world.eve()
    with world.line("engine", key=key) as line:
        frames = [insider.head("COMMAND", world.luck.randbytes(16), seat=0, session=1, request=request) +
                  said(engine.Command(play=b"\x0a\x02\x08\x01")) for request in (1, 1, 2, 1, 5, 3, 0)]
        for frame in frames + frames[::-1]:
            word = insider.refusal(line.ask(frame))
            assert word in ("NO_SUCH_MATCH", "ELSEWHERE", "NOT_YOURS", "ATTACH_AGAIN"), word


@row("the same connection for everything at once, from eight keys")
def everything(world):
    match = world.pair.match
    frames = [insider.head("PING"), insider.head("ATTACH", match) + said(engine.Attach()),
              insider.head("LEGAL_ASK", match, seat=0), b"", insider.head(999), insider.head("START_MATCH", match),
              insider.head("COMMAND", match, seat=1, session=1, request=1) + said(engine.Command(detach=True)),
              insider.head("HELLO") + said(messages.directory.Hello(protocol=wire.NEWEST))]
    with contextlib.ExitStack() as stack:
        for _ in range(8):
            storm(stack.enter_context(world.line("engine")), frames, 0.08)
    return {("engine", "refused_too_much"): 1}
