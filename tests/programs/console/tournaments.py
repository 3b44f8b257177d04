"""tournaments.py: runs of `arbiter tournament` in a folder of their own, for its tests."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
ARBITER = str(pathlib.Path(os.environ["ARBITER_BUILD"]) / "arbiter")
ENV = dict(os.environ, ARBITER_CONFIGS=os.environ["ARBITER_SOURCE"] + "/configs")
TWO = [{"name": "a", "bot": "greedy"}, {"name": "b", "bot": "random"}]


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tournament-")
        self.addCleanup(folder.cleanup)
        self.folder = folder
        self.played = folder.name + "/played"
        self.entrants = folder.name + "/entrants.json"

    def words(self, game, entrants, *more):
        pathlib.Path(self.entrants).write_text(entrants if isinstance(entrants, str) else json.dumps(entrants))
        return [ARBITER, "tournament", game, "--entrants", self.entrants, "--played", self.played, *more]

    def run_it(self, game, entrants, *more):
        return subprocess.run(self.words(game, entrants, *more), env=ENV, capture_output=True, text=True)

    def head(self):
        return json.loads(pathlib.Path(self.played).read_text().splitlines()[0])

    def lines(self):
        """The games that were played."""
        return [json.loads(line) for line in pathlib.Path(self.played).read_text().splitlines()[1:]]
