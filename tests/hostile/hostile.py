#!/usr/bin/python3 -B
"""hostile.py: the hostile suite: every attack against real processes, and what it cost those who only play. README.md says how.

    hostile.py check [--build DIR] [--only WORDS] [--seed N]     every attack once, counted
    hostile.py nightly [--build DIR]                            and how long the honest wait meanwhile, judged

A failure prints what does not hold, the ends of the logs, and the command to paste."""
import argparse
import os
import pathlib
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]


def run_rows(arguments):
    """Every attack against one house; sentences for what does not hold."""
    import attacks_frames, attacks_roles, attacks_storms, attacks_strangers, attacks_streams  # noqa: E401, F401
    import honest
    import world as worlds
    from premises import Premises
    players = {"ada": "client", "bob": "client", **{f"eve{i}": "client" for i in range(1, worlds.EVES + 1)}}
    with tempfile.TemporaryDirectory(prefix="arbiter-hostile-") as folder, \
            Premises(arguments.build, folder, players) as premises:
        pair = honest.Pair(premises)
        pair.begin()
        world = worlds.World(premises, pair, arguments.seed)
        rows = [row for row in worlds.ROWS if arguments.only in row.name]
        for row in rows:
            began = time.monotonic()
            wrong = world.run(row)
            print(f"  {'ok' if not wrong else 'FAILED':6} {time.monotonic() - began:5.2f} s  {row.name}", flush=True)
        found = world.found + pair.hear_all()
        logs = "".join(f"--- {name}\n{service.said()[-1500:]}" for name, service in premises.services.items())
        print(f"  {len(rows)} attacks; {pair.moves} moves of the honest in {len(pair.matches)} matches")
        found += end_all(premises, pair)
        found += [f"{name} did not end well" for name in premises.stop()]
    return found, logs


def run_plain(arguments):
    """The classroom's door; sentences for what does not hold."""
    import attacks_plain
    import garble
    if arguments.only not in "plain door":
        return []
    with tempfile.TemporaryDirectory(prefix="arbiter-hostile-") as folder:
        began = time.monotonic()
        count, found = attacks_plain.run(arguments.build, SOURCE, folder, garble.seeded(arguments.seed))
        print(f"  {'ok' if not found else 'FAILED':6} {time.monotonic() - began:5.2f} s  {count} attacks at the plain door")
        return found


def end_all(premises, pair):
    """The operator ends what is not over; then every match must verify."""
    import arbiter
    import honest
    from arbiter import messages
    pair.close()
    with arbiter.Client(*premises.lobby(), key_file=premises.keys["console"].file,
                        role=messages.directory.ROLE_CONSOLE) as operator:
        number = operator.ask(abort_match=messages.lobby.AbortMatch(match_id=pair.match, reason="the test is over"))
        for event in operator.events(timeout_ms=5000):
            if event.kind in ("answer", "refused") and event.request == number:
                break
        end = time.monotonic() + 10
        while not honest.Journal(premises).is_over(pair.match) and time.monotonic() < end:
            operator.next(50)
    return honest.verify(premises, pair.matches)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tier", choices=("check", "nightly"))
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / ".build/release")
    parser.add_argument("--only", default="", help="only attacks whose name contains these words")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    arguments.build = arguments.build.resolve()
    os.environ["ARBITER_BUILD"] = str(arguments.build)
    found, logs = run_rows(arguments)
    found += run_plain(arguments)
    if arguments.tier == "nightly":
        import measure
        found += measure.run(arguments.build)
    if found:
        print(f"{len(found)} things do not hold:")
        print("\n".join(f"  {sentence}" for sentence in found) + "\n" + logs)
        print(f"again: tests/hostile/hostile.py {arguments.tier} --seed {arguments.seed}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.path[:0] = [str(HERE), str(SOURCE / "common/client/python")]
    sys.exit(main())
