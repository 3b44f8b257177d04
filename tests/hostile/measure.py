"""measure.py: how long honest commands take while others attack, and what the attack costs in memory."""
import contextlib
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

import stranger

HERE = pathlib.Path(__file__).resolve().parent
RUNS = 5
SECONDS = 5.0
WARM_S = 2.0
PACE_S = 0.004          # One honest command each so often, if the last one was answered.
WORSE_MAX = 1.25
MEMORY_MAX = 5 << 20
KNOCKS_MIN = 10000
SERVICE_CORE, ATTACK_CORE = 0, 1


def begin(line, port, what, hellos, held, greeted):
    """What comes over a new connection: nothing, noise, or the greeting, which is answered before the rest is said."""
    if what == 0:
        held.append(line)               # Half-open.
    elif what == 1:
        stranger.send(line, random.randbytes(300))
        line.close()
    else:
        stranger.send(line, stranger.greeting())
        greeted.append((line, hellos[port]))


def go_on(line, hello):
    """The handshake's first word, which costs the other side most."""
    with contextlib.suppress(OSError), line:
        if len(line.recv(stranger.GREETING_SIZE)) == stranger.GREETING_SIZE:
            stranger.send(line, hello)


def attack(port_lines, seconds):
    """A process of strangers on their core, until it is ended. They wait for nothing: who is not let in at once knocks again."""
    luck = random.Random(os.getpid())
    ports = [(int(port), key) for port, key in (line.split("=", 1) for line in port_lines)]
    end = time.monotonic() + seconds
    hellos = {port: stranger.hello(key) for port, key in ports}
    held, greeted = [], []
    while time.monotonic() < end:
        port, _ = luck.choice(ports)
        with contextlib.suppress(OSError):
            line, is_there = stranger.knock(port, f"127.0.9.{luck.randint(1, 8)}")
            if is_there:
                begin(line, port, luck.randrange(4), hellos, held, greeted)
            else:
                line.close()
        while len(held) > 64:
            held.pop(0).close()
        while len(greeted) > 16:
            go_on(*greeted.pop(0))


def latencies(premises, pair, seconds):
    """Milliseconds from a command to its answer, one under way at a time: refused ones, which are kept like
    any other and leave the match as it is."""
    import insider
    from arbiter import messages
    ada = pair.people[0]
    found = []
    with insider.Line(premises, "engine", "requests", premises.keys["ada"]) as line:
        heard = line.ask(insider.head("ATTACH", pair.match, seat=0) +
                         messages.engine.Attach(view=False).SerializeToString())
        assert heard is not None and heard[0] == "ATTACHED", heard
        session = messages.engine.Attached.FromString(heard[2]).session
        body = messages.engine.Command(play=b"\x0a\x00").SerializeToString()
        end, request = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            request += 1
            frame = insider.head("COMMAND", pair.match, seat=0, session=session, request=request) + body
            began = time.perf_counter()
            assert line.ask(frame) is not None, "an honest command is not answered"
            found.append((time.perf_counter() - began) * 1000)
            time.sleep(max(0, PACE_S - (time.perf_counter() - began)))
        line.ask(insider.head("COMMAND", pair.match, seat=0, session=session, request=request + 1) +
                 messages.engine.Command(detach=True).SerializeToString())
    ada.listen()
    return sorted(found)


def share(values, part):
    return values[min(len(values) - 1, int(len(values) * part))]


@contextlib.contextmanager
def attackers(premises, seconds):
    ports = [f"{premises.port(service, door)}={premises.keys[service].public}" for service, door in premises.doors()]
    children = [subprocess.Popen(["taskset", "--cpu-list", str(ATTACK_CORE), sys.executable, "-B", __file__, "attack",
                                  str(seconds), *ports]) for _ in range(2)]
    try:
        yield
    finally:
        for child in children:
            child.kill()
            child.wait()


def run(build):
    """Alternating runs, quiet and attacked; sentences for what does not hold. Prints all figures."""
    import honest
    from premises import Premises
    quiet, attacked, memory, turned_away = [], [], [], 0
    with tempfile.TemporaryDirectory(prefix="arbiter-hostile-") as folder, \
            Premises(build, folder, {"ada": "client", "bob": "client"}, core=SERVICE_CORE) as premises:
        os.sched_setaffinity(0, {SERVICE_CORE})
        pair = honest.Pair(premises)
        pair.begin()
        latencies(premises, pair, WARM_S)
        resident = lambda: sum(service.resident() for service in premises.services.values())  # noqa: E731
        for number in range(RUNS):
            quiet.append(latencies(premises, pair, SECONDS))
            before = resident()
            with attackers(premises, SECONDS + WARM_S + 30):
                time.sleep(WARM_S)
                attacked.append(latencies(premises, pair, SECONDS))
                memory.append(resident() - before)
            time.sleep(2.5)
            print(f"  run {number + 1}: quiet p50 {share(quiet[-1], .5):.2f} p99 {share(quiet[-1], .99):.2f} ms; "
                  f"attacked p50 {share(attacked[-1], .5):.2f} p99 {share(attacked[-1], .99):.2f} ms; "
                  f"memory {memory[-1] / (1 << 20):+.1f} MiB", flush=True)
        turned_away = sum(counters.get(name, 0) for counters in premises.counters().values()
                          for name in ("not_let_in", "dropped_knocks"))
        pair.close()
    return judge(quiet, attacked, memory, turned_away)


def judge(quiet, attacked, memory, turned_away):
    ratios = [share(hot, .99) / share(cold, .99) for cold, hot in zip(quiet, attacked)]
    worse, grew = statistics.median(ratios), statistics.median(memory)
    print(f"  honest p99 under attack: {worse:.2f} times the quiet one (median of {RUNS}; at most {WORSE_MAX}); "
          f"memory {grew / (1 << 20):+.1f} MiB (at most {MEMORY_MAX >> 20}); {turned_away} knocks turned away or dropped")
    found = [] if worse <= WORSE_MAX else [f"honest p99 is {worse:.2f} times as long under attack"]
    if grew > MEMORY_MAX:
        found.append(f"the services hold {grew / (1 << 20):.1f} MiB more under attack")
    if turned_away < KNOCKS_MIN:
        found.append(f"only {turned_away} knocks were turned away or dropped: that is no attack")
    return found


if __name__ == "__main__":
    sys.path[:0] = [str(HERE), str(HERE.parents[1] / "common/client/python")]
    attack(sys.argv[3:], float(sys.argv[2]))
