"""before_test.py: the Python client of the last commit that spoke version 1 alone, taken out of git, plays at this house."""
import os
import pathlib
import subprocess
import sys
import tempfile
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


@unittest.skipUnless(is_known(), "the history of this tree does not reach back to it")
class Before(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="arbiter-before-")))
        before = self.folder / "before"
        before.mkdir()
        archive = subprocess.run(["git", "-C", SOURCE, "archive", COMMIT, "proto", "common/client/python", "common/games"],
                                 check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", before], input=archive, check=True)
        (self.folder / "player.py").write_text(PLAYER)
        (self.folder / "home").mkdir()
        self.house = self.enterContext(House(os.environ["ARBITER_BUILD"], self.folder / "home",
                                             {"Ada": "client", "Bob": "client"}))
        self.house.wait_until_started()

    def player(self, name, games):
        before = self.folder / "before"
        environment = {**os.environ, "PYTHONPATH": str(before / "common/client/python"),
                       "ARBITER_BUILD": str(self.folder / f"made-{name}")}
        doors = self.house.folder / "run" / "doors"
        return subprocess.Popen([sys.executable, "-B", self.folder / "player.py", doors, self.house.key(name), name, *games],
                                env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def test_it_plays_whole_matches_here(self):
        games = ("nim", "dead", "four", "treasure", "objectron")
        players = [self.player(name, games) for name in ("Ada", "Bob")]
        for player in players:
            said, _ = player.communicate(timeout=PATIENCE_S)
            self.assertEqual(said.splitlines(), [f"{game} ['dice', 'own_bytes', 'seals']" for game in games])
            self.assertEqual(player.returncode, 0)


if __name__ == "__main__":
    unittest.main()
