"""hotseat_test.py: the hot seat against the recordings of the course's text interface, byte for byte."""
import fcntl
import json
import os
import pathlib
import re
import signal
import struct
import subprocess
import tempfile
import termios
import unittest

BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
ROOT = pathlib.Path(os.environ["ARBITER_SOURCE"])
RECORDED = ROOT / "common/games/quests/recorded/hotseat"
HOUSE = {**os.environ, "ARBITER_CONFIGS": str(ROOT / "configs")}


def arbiter(*words, typed=b""):
    """What `arbiter hotseat` says to these lines, and how it ends."""
    run = subprocess.run([BUILD / "arbiter", "hotseat", *words], input=typed, capture_output=True,
                         timeout=60, env=HOUSE)
    return run.returncode, run.stdout, run.stderr


def on_terminal(columns, *words):
    """What it shows on a terminal so wide, until it has asked for something."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen([BUILD / "arbiter", "hotseat", *words], stdin=subprocess.DEVNULL, stdout=theirs,
                          env={**os.environ, "TERM": "xterm"}) as run:
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 4096):
                shown += piece
        except OSError:
            pass  # The other side is closed.
        run.wait(60)
    os.close(ours)
    return shown.decode().replace("\r\n", "\n")


class HotSeat(unittest.TestCase):
    def test_every_recorded_evening_is_the_same_byte_for_byte(self):
        evenings = sorted(RECORDED.glob("*.in"))
        self.assertEqual(len(evenings), 60)
        for evening in evenings:
            with self.subTest(evening.stem):
                status, said, _ = arbiter("quests", "--config", evening.with_suffix(".json"),
                                          typed=evening.read_bytes())
                self.assertEqual(said.decode(), evening.with_suffix(".out").read_text())
                self.assertEqual(status, int(evening.with_suffix(".status").read_text()))

    def test_a_guide_names_the_ways_out_of_a_dead_end_and_without_it_nothing_is_added(self):
        setup = json.dumps({"hands": {"P1": ["F5", "F10"]}, "event_deck": ["Q2"]})
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "dead_end.json"
            path.write_text(setup)
            typed = b"y\n?\n2\nquit\n1\nquit\nclear\nrestart\n1\nquit\n1\nquit\n"
            guided = arbiter("quests", "--config", path, "--guide", typed=typed)[1].decode()
            plain = arbiter("quests", "--config", path, typed=typed)[1].decode()
        self.assertIn("Stage 1: position of the next card, or 'quit', 'clear', 'restart', '?'\n", guided)
        self.assertIn("Invalid input; '?' explains\n", arbiter("quests", "--guide", typed=b"help\n")[1].decode())
        self.assertIn("\nrestart: takes the cards of all stages back, to begin with stage 1.\n", guided)
        stuck = guided.index("No quest can be completed on these stages. 'restart' takes all cards back.\n")
        self.assertLess(guided.index("Stage 1 is built: F10 (10).\n"), stuck)
        self.assertLess(stuck, guided.index("Insufficient value for this stage\n"))
        self.assertLess(guided.rindex("No quest can be completed"), guided.index("P1 starts building the quest again."))
        self.assertIn("The quest is ready.\n", guided)
        self.assertNotIn("'clear'", plain)
        self.assertNotIn("No quest can", plain)
        self.assertIn("Invalid input\nHand of P1: 1:F5 2:F10\n", plain)  # "?" is no word of the course.
        self.assertIn("The quest is ready.\n", plain)                    # The two words are known all the same.

    def test_a_guide_says_that_a_stage_has_no_way_to_its_end(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "stuck.json"
            path.write_text(json.dumps({"hands": {"P1": ["F5", "F10", "F15"]}, "event_deck": ["Q2"]}))
            guided = arbiter("quests", "--config", path, "--guide", typed=b"y\n2\nquit\n1\nclear\n2\nquit\n")[1].decode()
        self.assertEqual(guided.count("This stage cannot be completed. 'clear' takes its cards back.\n"), 1)
        self.assertIn("The quest is ready.\n", guided)

    def test_a_seed_on_the_command_line_comes_before_the_set_ups(self):
        evening = RECORDED / "deal_seed_1.json"
        recorded = arbiter("quests", "--config", evening)[1]
        self.assertEqual(arbiter("quests", "--config", evening, "--seed", "1")[1], recorded)
        self.assertNotEqual(arbiter("quests", "--config", evening, "--seed", "-1")[1], recorded)

    def test_without_a_seed_each_evening_is_another(self):
        self.assertNotEqual(arbiter("quests")[1], arbiter("quests")[1])

    def test_what_is_no_seed_and_no_game_for_one_terminal_is_said(self):
        for words, said in ((("quests", "--seed", "1x"), b"--seed"), (("quests", "--seed", ""), b"--seed"),
                            (("quests", "--seed", " 1"), b"--seed"), (("quests", "--seed", "+1"), b"--seed"),
                            (("nim",), b"one terminal")):
            status, out, complaint = arbiter(*words)
            self.assertEqual((status, out), (2, b""))
            self.assertIn(said, complaint)

    def test_a_line_without_an_end_counts_and_a_nul_is_no_answer(self):
        evening = RECORDED / "text_invalid_words.json"
        _, said, _ = arbiter("quests", "--config", evening, typed=b"n\0\nn")
        self.assertIn(b"Invalid input\n", said)
        self.assertEqual(said.count(b"do you sponsor"), 2)
        self.assertTrue(said.endswith(b"press <return> to leave the hot seat\nEnd of input\n"), said)

    def test_a_line_of_any_length_is_one_answer_and_takes_no_room(self):
        evening = RECORDED / "text_invalid_words.json"
        for typed, is_answer in ((b" " * 9000 + b"n" + b" " * 9000, True), (b"n" + b" " * 9000 + b"n", False),
                                 (b"n" * 9000, False)):
            said = arbiter("quests", "--config", evening, typed=typed + b"\n")[1]
            self.assertEqual(b"P1 declines to sponsor." in said, is_answer)
            self.assertEqual(b"Invalid input" in said, not is_answer)
        with subprocess.Popen([BUILD / "arbiter", "hotseat", "quests", "--config", evening], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, env=HOUSE) as run:
            for _ in range(256):
                run.stdin.write(bytes(1 << 20))
            run.stdin.write(b"\n")
            run.stdin.flush()
            while b"Invalid input" not in run.stdout.readline():
                pass
            status = pathlib.Path(f"/proc/{run.pid}/status").read_text()
            run.stdin.close()
            run.stdout.read()
            self.assertEqual(run.wait(60), 1)
        self.assertLess(int(re.search(r"VmHWM:\s+(\d+) kB", status).group(1)), 200 << 10)

    def test_it_ends_when_it_is_told_to_and_when_nobody_reads_whatever_is_still_typed(self):
        for told, status in ((True, 130), (False, -signal.SIGPIPE)):
            with subprocess.Popen(["yes"], stdout=subprocess.PIPE) as typist, \
                    subprocess.Popen([BUILD / "arbiter", "hotseat", "quests", "--seed", "1"], stdin=typist.stdout,
                                     stdout=subprocess.PIPE, env=HOUSE) as run:
                typist.stdout.close()
                try:
                    self.assertEqual(run.stdout.read(4), b"=== ")
                    if told:
                        run.terminate()
                        rest = run.stdout.read(1 << 24)  # Far more than it says before it looks.
                        self.assertLess(len(rest), 1 << 24)
                    run.stdout.close()
                    self.assertEqual(run.wait(20), status)
                finally:
                    run.kill()
                    typist.kill()

    def test_on_a_terminal_a_hand_goes_on_below_before_it_would_break_within_a_card(self):
        for columns in (80, 40, 8):
            shown = on_terminal(columns, "quests", "--config", RECORDED / "deal_seed_1.json", "--seed", "42")
            hand = shown[shown.index("Hand of P1:"):].split("A game of Quests")[0]
            lines = [re.sub(r"\033\[\d*m", "", line) for line in hand.splitlines()]
            self.assertEqual(len(re.findall(r"\d+:[A-Z]\d+", hand.replace("\033[2m", "").replace("\033[0m", ""))), 12)
            self.assertLessEqual(max(map(len, lines)), max(columns, 11 + len(" 12:B15")))
            self.assertGreater(len(lines), 1)
            for line in lines[1:]:
                self.assertRegex(line, r"^ {12}\d+:")


if __name__ == "__main__":
    unittest.main()
