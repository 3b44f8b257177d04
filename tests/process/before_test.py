"""before_test.py: clients of the last commit that spoke version 1 alone, taken out of git, play whole matches at this house.

The Python one is run as it stands there; the one in C is built, as that commit's own fleet of players.
"""
import collections
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

from house import House

SOURCE = pathlib.Path(__file__).resolve().parents[2]
COMMIT = "4f599c4fd3e41b3a6cb6d6a14cb387ff43f1a796"
PATIENCE_S = 300
# Opens a table or joins one, plays as a greedy player would, and says how each match ended.
PLAYER = '''
import sys
import arbiter
from arbiter import messages, wire
lobby = messages.lobby
doors, key, name, games = open(sys.argv[1]).read().split(), sys.argv[2], sys.argv[3], sys.argv[4:]
assert wire.VERSION == 1
client = arbiter.Client(*doors, key_file=key, name=name)
client.bind_name(name)
is_host, table = name == "Ada", b""
def begin():
    if is_host:
        client.create_table(games[0], seats=2)
    else:
        client.list_tables(games[0])
begin()
for event in client.events(timeout_ms=60000):
    if event.kind == "answer":
        said = event.message
        if said.HasField("tables"):
            found = [one.table for one in said.tables.tables if one.phase == lobby.Table.PHASE_OPEN]
            if found:
                client.join_table(found[0])
            else:
                client.list_tables(games[0])
        elif said.verdict != lobby.VERDICT_DONE:
            sys.exit(said.sentence)
        elif said.HasField("table"):
            table = said.table.table
    elif event.kind in ("attached", "act", "reply"):
        client.legal(event.match_id, event.seat, luck=event.number + 1, best=True)
    elif event.kind == "legal" and event.message.patterns and event.message.HasField("wait"):
        client.play(event.match_id, event.seat, event.message.best or event.message.proposal)
    elif event.kind in ("lost", "fault"):
        sys.exit(f"{event.kind}: {event}")
    elif event.kind == "over":
        print(games.pop(0), sorted(event.proof), flush=True)
        client.leave_table(table)
        if not games:
            break
        begin()
client.close()
'''


def is_known():
    return subprocess.run(["git", "-C", SOURCE, "cat-file", "-e", f"{COMMIT}^{{commit}}"],
                          capture_output=True).returncode == 0


# name: role, and what the fleet plays: game, set-up, seats, tables, how long it thinks, and has, in ms.
FLEETS = {"nims": ("bot", "nim", "classic", 2, 12, 60, 0), "deads": ("bot", "dead", "standard", 2, 8, 60, 2000),
          "fay": ("client", "nim", "random", 2, 1, 60, 0), "gus": ("client", "nim", "classic", 2, 1, 60, 2000)}
OVERS_LEAST = 6  # Seats of each that saw a match to its end.


@unittest.skipUnless(is_known(), "the history of this tree does not reach back to it")
class Before(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="arbiter-before-")))
        self.before = self.folder / "before"
        self.before.mkdir()
        (self.folder / "home").mkdir()

    def take_out(self, *paths):
        archive = subprocess.run(["git", "-C", SOURCE, "archive", COMMIT, *paths], check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", self.before], input=archive, check=True)

    def open_house(self, keys):
        self.house = self.enterContext(House(os.environ["ARBITER_BUILD"], self.folder / "home", keys))
        self.house.wait_until_started()

    def player(self, name, games):
        environment = {**os.environ, "PYTHONPATH": str(self.before / "common/client/python"),
                       "ARBITER_BUILD": str(self.folder / f"made-{name}")}
        doors = self.house.folder / "run" / "doors"
        return subprocess.Popen([sys.executable, "-B", self.folder / "player.py", doors, self.house.key(name), name, *games],
                                env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def test_python_plays_whole_matches_here(self):
        games = ("nim", "dead", "four", "treasure", "objectron")
        self.take_out("proto", "common/client/python", "common/games")
        (self.folder / "player.py").write_text(PLAYER)
        self.open_house({"Ada": "client", "Bob": "client"})
        players = [self.player(name, games) for name in ("Ada", "Bob")]
        for player in players:
            said, _ = player.communicate(timeout=PATIENCE_S)
            self.assertEqual(said.splitlines(), [f"{game} ['dice', 'own_bytes', 'seals']" for game in games])
            self.assertEqual(player.returncode, 0)

    def build_fleet(self):
        self.take_out()
        log = self.folder / "build.log"
        with open(log, "wb") as out:
            for words in (("cmake", "--preset", "dev"), ("cmake", "--build", ".build/dev", "--target", "fleet")):
                done = subprocess.run(words, cwd=self.before, stdout=out, stderr=out)
                self.assertEqual(done.returncode, 0, log.read_text()[-2000:])
        return self.before / ".build/dev/tests/process/fleet"

    def start_fleet(self, program, name):
        role, game, setup, *numbers = FLEETS[name]
        record = self.folder / f"{name}.record"
        child = subprocess.Popen([program, self.house.folder / "run" / "doors", self.house.key(name), record, name,
                                  "bots" if role == "bot" else "person", game, setup, *map(str, numbers), "1"])
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        return record

    @staticmethod
    def said(record):
        """How often each word stands in what a fleet wrote down so far."""
        lines = record.read_text().splitlines() if record.exists() else []
        return collections.Counter(line.split()[1] for line in lines if " " in line)

    def test_fleets_in_c_play_whole_matches_here(self):
        program = self.build_fleet()
        self.open_house({name: plays[0] for name, plays in FLEETS.items()})
        records = {name: self.start_fleet(program, name) for name in FLEETS}
        end = time.monotonic() + PATIENCE_S
        while min(self.said(record)["over"] for record in records.values()) < OVERS_LEAST:
            self.assertLess(time.monotonic(), end, {name: self.said(record) for name, record in records.items()})
            time.sleep(1)
        for name, record in records.items():
            said = self.said(record)
            self.assertEqual((said["lost"], said["fault"]), (0, 0), name)


if __name__ == "__main__":
    unittest.main()
