"""dead_diagrams_test.py: the drawn structure and beginning of the dead agree with headers, protocol and recordings."""
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
sys.path.insert(0, str(SOURCE / "deploy/lib"))
sys.dont_write_bytecode = True

import dead_diagrams  # pylint: disable=wrong-import-position

GAME = "common/games/dead/"
# Each: a file, what stands in it, what somebody makes of it.
CHANGES = (
    (GAME + "dead_state.h", "    uint32_t           hunger;", "    uint32_t           hunger, thirst;"),
    (GAME + "dead_state.h", "/* struct dead_person by rank.", "/* struct dead_seat by rank."),
    (GAME + "dead_state.h", "DEAD_VOTING, DEAD_OVER", "DEAD_OVER"),
    (GAME + "dead_setup.h", "    uint32_t required;", "    uint16_t required;"),
    (GAME + "dead_setup.h", "struct dead_consequence outcome[2]", "struct dead_consequence outcome[3]"),
    (GAME + "recorded/" + dead_diagrams.FULL, '"ev": "NextRound"', '"ev": "Crisis"'),
    (GAME + "recorded/" + dead_diagrams.STARTED, '"cmd": "StartGame"', '"cmd": "Leave"'),
    ("proto/dead.proto", "optional string player_name = 1;", "optional string player_alias = 1;"),
    ("proto/dead.proto", "message GameStarted", "message Begun"),
)


class Diagrams(unittest.TestCase):
    def test_the_page_is_what_headers_protocol_and_recordings_say(self):
        self.assertEqual((SOURCE / dead_diagrams.PAGE).read_text(encoding="utf-8"), dead_diagrams.page(SOURCE),
                         "deploy/lib/dead_diagrams.py draws it anew")

    def test_a_page_that_no_longer_agrees_is_noticed(self):
        drawn = dead_diagrams.page(SOURCE)
        for path, old, new in CHANGES:
            with self.subTest(new), tempfile.TemporaryDirectory() as folder:
                top = pathlib.Path(folder)
                for one in {change[0] for change in CHANGES}:
                    (top / one).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(SOURCE / one, top / one)
                text = (top / path).read_text(encoding="utf-8")
                self.assertIn(old, text)
                (top / path).write_text(text.replace(old, new, 1), encoding="utf-8")
                try:
                    self.assertNotEqual(dead_diagrams.page(top), drawn)
                except ValueError as error:  # What is no message of the protocol cannot be drawn.
                    self.assertRegex(str(error), "dead.proto has no|do not go on alike")

    def test_what_is_drawn_is_all_that_the_headers_declare(self):
        drawn = dead_diagrams.page(SOURCE)
        for header in ("dead_setup.h", "dead_state.h"):
            text = (SOURCE / GAME / header).read_text(encoding="utf-8")
            for name, _ in dead_diagrams.declared(text, "struct"):
                if name not in ("dead_array", "dead_row"):
                    self.assertIn(f"    class {name} {{\n", drawn)


if __name__ == "__main__":
    unittest.main()
