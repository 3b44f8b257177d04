"""terminal_test.py: a person plays ten turns of the dead in a terminal of 80 x 24; whenever he is asked, he sees the round,
morale, the crisis and every row of the menu at once."""
import codecs
import fcntl
import os
import pathlib
import pty
import random
import re
import select
import struct
import tempfile
import termios
import time
import unittest

from up_test import PROGRAM, Up

SOURCE = pathlib.Path(__file__).resolve().parents[2]
ROWS, COLUMNS = 24, 80
TURNS = 10
PATIENCE_S = 120.0
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
ENTRY = re.compile(r"(?:^| {2,})(\d+)  (?=\S)")
HEADS = {"en": (r"Round (\d+) of \d+   You ", r"^Morale \d+   Food \d+   Waste \d+", r"^Crisis: "),
         "de": (r"Runde (\d+) von \d+   Du ", r"^Moral \d+   Essen \d+   Müll \d+", r"^Krise: ")}


class Screen:
    """What a terminal shows of lines, colours and no other sequences."""

    def __init__(self):
        self.rows, self.at, self.held = [""], 0, ""

    def put(self, text):
        text = self.held + text
        cut = re.search(r"\x1b(\[[\d;]*)?$", text)
        self.held = cut.group() if cut else ""
        text = re.sub(r"\x1b\[[\d;]*m", "", text[:len(text) - len(self.held)])
        for letter in text:
            if letter == "\n":
                self.rows = (self.rows + [""])[-ROWS:]
            elif letter == "\r":
                self.at = 0
            elif letter >= " ":
                self.put_letter(letter)
            else:
                raise AssertionError(f"{letter!r} is nothing that is meant for every terminal")

    def put_letter(self, letter):
        if self.at == COLUMNS:
            self.put("\r\n")
        self.rows[-1] = self.rows[-1][:self.at].ljust(self.at) + letter + self.rows[-1][self.at + 1:]
        self.at += 1

    def __str__(self):
        return "\n".join(self.rows)


class Player:
    """`arbiter play` at the other end of a pseudo-terminal."""

    def __init__(self, home, *words):
        self.screen, self.heard = Screen(), ""
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        pid, self.file = pty.fork()
        if pid == 0:
            os.environ.update(LANG="C.UTF-8", LC_ALL="", TERM="xterm", ARBITER_CONFIGS=str(SOURCE / "configs"))
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
            os.execv(PROGRAM, [PROGRAM, "play", *words, "--home", home])
        self.pid = pid

    def is_asked(self):
        return self.screen.rows[-1] == "> "

    def listen(self, quiet_s):
        """Until nothing has come for so long. False: the program has ended."""
        while select.select([self.file], [], [], quiet_s)[0]:
            try:
                text = self.decoder.decode(os.read(self.file, 65536))
            except OSError:
                return False
            self.heard += text
            self.screen.put(text)
        return True

    def await_question(self):
        """False: the match is over, and the program with it."""
        end = time.monotonic() + PATIENCE_S
        while not self.is_asked():
            if not self.listen(0.1):
                return False
            if time.monotonic() > end:
                raise AssertionError(f"nothing more happens:\n{self.screen}")
        return True

    def type(self, line):
        self.heard = ""
        os.write(self.file, (line + "\n").encode())
        end = time.monotonic() + PATIENCE_S
        while "\n" not in self.heard:  # The echo.
            if not self.listen(0.01) or time.monotonic() > end:
                return

    def close(self):
        os.close(self.file)  # It hangs up.
        os.waitpid(self.pid, 0)


class Terminal(unittest.TestCase):
    def setUp(self):
        self.home = self.enterContext(tempfile.TemporaryDirectory(prefix="arbiter-terminal-"))
        self.up = Up(self.home)
        self.addCleanup(self.up.stop)
        end = time.monotonic() + PATIENCE_S
        while not self.up.runs("bot"):
            self.assertLess(time.monotonic(), end, self.up.said())
            time.sleep(0.05)

    def entries(self, screen):
        """The menu's numbers: those behind the last line that is no entry, down to the prompt."""
        rows = screen.rows[:-2]
        numbers = []
        for row in reversed(rows):
            found = [int(number) for number in ENTRY.findall(row)]
            if not row.startswith(" " * 2) or (not found and not row.startswith(" " * 6)):
                break
            numbers = found + numbers
            if 1 in found:
                break
        return numbers

    def look(self, player, head):
        """What must be there; the menu's numbers."""
        screen = player.screen
        for pattern in head:
            self.assertRegex("\n".join(screen.rows), re.compile(pattern, re.M), f"out of sight:\n{screen}")
        for line in COLOUR.sub("", player.heard).split("\r\n"):  # Words are not torn at the edge, nor commas from them.
            self.assertLessEqual(len(line), COLUMNS, line)
            self.assertNotRegex(line, r"^\s*,")
        numbers = self.entries(screen)
        self.assertEqual([number for number in numbers if number > 0], list(range(1, max(numbers, default=1) + 1)),
                         f"not the whole menu:\n{screen}")
        self.screens += 1
        return numbers

    def turn_number(self, player, head):
        return re.search(head[0], str(player.screen)).group(1)

    def play(self, language, setup, luck):
        """One match, or what is left of ten turns."""
        player = Player(self.home, "dead", "--bots", "2", "--name", f"Ada-{language}", "--config", setup, "--language",
                        language)
        self.addCleanup(player.close)
        self.assertTrue(player.await_question(), player.screen)
        player.type("1")  # Two survivors.
        head, last, moves = HEADS[language], None, 0
        while self.turns < TURNS and player.await_question():
            numbers = self.look(player, head)
            turn = self.turn_number(player, head)
            self.turns, moves, last = self.turns + (turn != last), 0 if turn != last else moves + 1, turn
            if 0 in numbers:  # A row's choices.
                player.type(str(luck.choice([number for number in numbers if number > 0])))
            elif moves < 8:
                player.type(str(luck.choice(numbers[:-1] or numbers)))
            else:
                player.type(str(numbers[-2:][0]))  # The end of the turn; the last row leaves the match.

    def test_ten_turns_in_sight(self):
        luck, self.turns, self.screens = random.Random(5), 0, 0
        for language, setup in (("en", "intro"), ("de", "standard"), ("en", "standard-crossroads"), ("de", "intro")):
            if self.turns < TURNS:
                self.play(language, setup, luck)
        self.assertEqual(self.turns, TURNS)
        self.assertGreater(self.screens, 3 * TURNS)
        print(f"{self.screens} screens in {self.turns} turns")


if __name__ == "__main__":
    unittest.main()
