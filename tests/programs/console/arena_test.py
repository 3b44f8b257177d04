"""arena_test.py: an arena of objectron out of a few words: a drawn grid, or a size, without JSON."""
import json
import pathlib
import re
import subprocess
import unittest

from tournaments import ARBITER, ENV, SOURCE, TWO, Runs

MILL = str(SOURCE / "configs/objectron/grids/mill.txt")


class Arena(Runs):
    def simulate(self, *words):
        return subprocess.run([ARBITER, "simulate", "objectron", "--policy", "greedy", *words], env=ENV, capture_output=True,
                              text=True, timeout=120, check=False)

    def test_a_drawn_grid_is_played_as_the_set_up_that_holds_it(self):
        drawn = json.loads(self.simulate("--grid", MILL, "--mode", "ctf", "--json").stdout)
        whole = pathlib.Path(self.folder.name) / "mill.json"
        whole.write_text(json.dumps({"mode": "ctf", "players": 4, "grid": pathlib.Path(MILL).read_text().splitlines()}))
        told = json.loads(self.simulate("--config", str(whole), "--json").stdout)
        self.assertEqual([drawn[key] for key in ("seats", "commands", "per_seat")],
                         [told[key] for key in ("seats", "commands", "per_seat")])

    def test_what_the_generator_prints_is_playable(self):
        grid = pathlib.Path(self.folder.name) / "mine.txt"
        for players in ("2", "3", "4"):
            made = subprocess.run([ARBITER, "grid", "generate", "--size", "14x12", "--seed", "3", "--players", players],
                                  capture_output=True, text=True, check=True)
            grid.write_text(made.stdout)
            said = re.search(r"played with: .* play (objectron --grid) FILE (--mode \w+)\n", made.stderr)
            for words in ((), said[2].split()):   # Also by what the output says.
                ran = self.simulate("--grid", str(grid), *words)
                self.assertEqual(ran.returncode, 0, ran.stderr)
                self.assertIn(f"objectron, rules 1, {players} seats", ran.stdout)

    def test_a_size_is_enough(self):
        ran = self.simulate("--size", "14x12", "--mode", "ctf", "--players", "3")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("3 seats", ran.stdout)

    def test_each_fault_of_a_grid_is_named_with_line_and_column(self):
        grid = pathlib.Path(self.folder.name) / "bad.txt"
        grid.write_text("1 x\n 7 \n")
        ran = self.simulate("--grid", str(grid))
        self.assertEqual((ran.returncode, ran.stdout), (3, ""))
        self.assertIn(f"{grid}:1:3: ", ran.stderr)

    def test_words_that_do_not_belong_together_are_refused(self):
        for words, why in ((("--grid", MILL, "--size", "12x12"), "choose --grid or --size"),
                           (("--mode", "ctf"), "belong to --grid FILE"), (("--players", "3"), "belong to --grid FILE"),
                           (("--size", "12"), "such as 20x15"), (("--size", "12x12", "--config", "duel"), "leave out --grid"),
                           (("--size", "12x12", "--mode", "war"), "--mode")):
            ran = self.simulate(*words)
            self.assertEqual((ran.returncode, ran.stdout), (2, ""), ran.stderr)
            self.assertIn(why, ran.stderr)
        ran = subprocess.run([ARBITER, "simulate", "nim", "--size", "12x12"], env=ENV, capture_output=True, text=True,
                             check=False)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("are for objectron", ran.stderr)

    def test_a_tournament_takes_the_same_words(self):
        ran = self.run_it("objectron", TWO, "--games", "1", "--size", "12x12", "--most", "300")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(len(self.lines()), 2)


if __name__ == "__main__":
    unittest.main()
