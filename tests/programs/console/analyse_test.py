"""analyse_test.py: `arbiter analyse`: what it says of matches of every game, held to its schema."""
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

import jsonschema

from tournaments import ARBITER, ENV

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
SCHEMA = json.loads((SOURCE / "services/console/records/analysis.schema.json").read_text(encoding="utf-8"))
# How a short match of each game is played, with seats of unlike strength.
GAMES = {
    "dead": ("--seats", "2", "--policy", "greedy,random", "--most", "24"),
    "four": ("--policy", "greedy,random"),
    "nim": ("--seats", "2", "--policy", "random,greedy"),
    "objectron": ("--policy", "greedy", "--most", "24"),
    "quests": ("--policy", "greedy", "--most", "24"),
    "treasure": ("--policy", "greedy", "--most", "24"),
}


def arbiter(*words):
    return subprocess.run([ARBITER, *words], env=ENV, capture_output=True, text=True, timeout=300)


class Analyses(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="analyse-")
        cls.addClassCleanup(cls.folder.cleanup)
        jsonschema.Draft7Validator.check_schema(SCHEMA)
        cls.schema = jsonschema.Draft7Validator(SCHEMA)

    def match(self, game):
        """A match of the game, played once for all tests."""
        file = pathlib.Path(self.folder.name) / f"{game}.match"
        if not file.exists():
            ran = arbiter("simulate", game, "--seed", "3", "--trace", str(file), *GAMES[game])
            self.assertEqual(ran.returncode, 0, ran.stderr)
        return str(file)

    def lines(self, *words):
        ran = arbiter("analyse", *words, "--json")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        lines = [json.loads(line) for line in ran.stdout.splitlines()]
        for line in lines:
            self.schema.validate(line)
        return lines

    def test_every_game_is_judged_and_each_line_is_as_the_schema_says(self):
        for game in GAMES:
            with self.subTest(game):
                first, *acts, last = self.lines(self.match(game), "--nodes", "16")
                self.assertEqual((first["kind"], first["game"], last["kind"]), ("match", game, "summary"))
                self.assertTrue(last["complete"])
                self.assertGreater(sum(seat["decisions"] for seat in last["seats"]), 0)
                for seat in last["seats"]:
                    mine = [act for act in acts if act["seat"] == seat["seat"]]
                    judged = [act for act in mine if act["kind"] == "decision"]
                    lucks = [act["luck"] for act in mine if act["kind"] == "chance"]
                    self.assertEqual(len(judged), seat["decisions"])
                    self.assertEqual(sum(act.get("called") == "blunder" for act in judged), seat["blunders"])
                    self.assertAlmostEqual(sum(lucks), seat["luck"], places=3)
                    for act in judged:
                        self.assertAlmostEqual(max(act["value"] - act["given"], 0), act["loss"], delta=0.002)
                        self.assertGreaterEqual(act["value"], act["given"])

    def test_who_never_errs_in_nim_is_not_blamed_and_who_plays_at_random_is(self):
        *_, last = self.lines(self.match("nim"), "--nodes", "200")
        bad, good = last["seats"]
        self.assertEqual((good["mean_loss"], good["blunders"]), (0, 0))
        self.assertGreater(bad["blunders"], 0)
        self.assertEqual((good["chances"], bad["chances"]), (0, 0), "there are no dice in nim")

    def test_cards_and_dice_are_luck_and_not_skill(self):
        for game in ("quests", "dead"):
            with self.subTest(game):
                acts = self.lines(self.match(game), "--nodes", "16")
                self.assertGreater(sum(act["kind"] == "chance" for act in acts), 0)

    def test_half_a_map_cannot_be_judged_and_is_counted(self):
        *_, last = self.lines(self.match("treasure"), "--nodes", "16")
        self.assertEqual([seat["unjudged"] for seat in last["seats"]], [1, 1])

    def test_the_same_words_for_the_same_seed_and_nodes(self):
        file = self.match("quests")
        once, again, other = (arbiter("analyse", file, "--nodes", "16", "--json", "--seed", seed).stdout
                              for seed in ("5", "5", "6"))
        self.assertEqual(once, again)
        self.assertNotEqual(once, other)

    def test_one_seat_alone_is_judged_as_among_all(self):
        file = self.match("quests")
        both = self.lines(file, "--nodes", "16")
        alone = self.lines(file, "--nodes", "16", "--seat", "1")
        self.assertEqual([act for act in both[1:-1] if act["seat"] == 1], alone[1:-1])

    def test_people_read_of_blunders_and_see_a_picture(self):
        file = self.match("nim")
        ran = arbiter("analyse", file, "--nodes", "200")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        for words in ("better:", "mean loss", "the match turned at act"):
            self.assertIn(words, ran.stdout)
        self.assertNotIn("\x1b", ran.stdout)
        plain = subprocess.run([ARBITER, "analyse", file, "--nodes", "16"], env={**ENV, "LC_ALL": "C"},
                               capture_output=True, timeout=60)
        self.assertTrue(plain.stdout.isascii())

    def test_what_is_no_match_is_refused(self):
        file = self.match("nim")
        broken = pathlib.Path(self.folder.name) / "broken.match"
        whole = pathlib.Path(file).read_bytes()
        broken.write_bytes(whole[:-20])
        for words, code in (((file, "--seat", "9"), 2), ((file, "--nodes", "3"), 2), ((file, "--seed", "x"), 2),
                            ((str(broken),), 1), ((__file__,), 3), (("/nowhere.match",), 3)):
            with self.subTest(words):
                ran = arbiter("analyse", *words)
                self.assertEqual((ran.returncode, ran.stdout), (code, ""))
                self.assertRegex(ran.stderr, r"^arbiter: ")

    def test_what_was_found_is_said_after_an_interrupt(self):
        file = self.match("quests")
        with subprocess.Popen([ARBITER, "analyse", file, "--nodes", "2000", "--json"], env=ENV, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as ran:
            self.assertTrue(any('"decision"' in line for line in iter(ran.stdout.readline, "")))  # And many more are to come.
            ran.send_signal(signal.SIGINT)
            said, complaint = ran.communicate(timeout=120)
        self.assertEqual(ran.returncode, 130)
        self.assertIn("it was interrupted", complaint)
        last = json.loads(said.splitlines()[-1])
        self.schema.validate(last)
        self.assertFalse(last["complete"])


if __name__ == "__main__":
    unittest.main()
