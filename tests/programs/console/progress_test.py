"""progress_test.py: the bar of long runs, on terminals as they are: narrow, wide, dumb and nameless."""
import fcntl
import os
import pathlib
import signal
import struct
import termios
import tty
import unittest

ARBITER = str(pathlib.Path(os.environ["ARBITER_BUILD"]) / "arbiter")
ENDLESS = [ARBITER, "simulate", "nim", "--games", "4000000000", "--json"]
ERASE = "\r\x1b[K"


class Run:
    """A run without an end, whose complaints and bars go to a terminal of ours."""

    def __init__(self, columns, term, words):
        self.master, slave = os.openpty()
        self.written = ""
        tty.setraw(slave)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        environment = {name: value for name, value in os.environ.items() if name != "TERM"}
        if term is not None:
            environment["TERM"] = term
        self.child = os.fork()
        if self.child == 0:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(slave, 2)
            os.execve(words[0], words, environment)
        os.close(slave)

    def read(self):
        try:
            more = os.read(self.master, 65536).decode()
        except OSError:  # Nobody holds the other side any more.
            more = ""
        self.written += more
        return more != ""

    def end(self):
        """Reads until its end; returns how it ended."""
        while self.read():
            pass
        os.close(self.master)
        status = os.waitpid(self.child, 0)[1]
        self.child = 0
        return os.waitstatus_to_exitcode(status)

    def stop(self):
        if self.child != 0:
            os.kill(self.child, signal.SIGTERM)
            self.end()


class Progress(unittest.TestCase):
    def begin(self, words, *terminals):
        runs = []
        for columns, term in terminals:
            runs.append(Run(columns, term, words))
            self.addCleanup(runs[-1].stop)  # Nothing is left behind, whatever fails.
        return runs

    def bars(self, *widths):
        """For each width the lines that were drawn until the bar was drawn at least twice."""
        for run in self.begin(ENDLESS, *((columns, "xterm") for columns in widths)):
            while run.written.count(ERASE) < 2:
                self.assertTrue(run.read())
            os.kill(run.child, signal.SIGTERM)
            self.assertEqual(run.end(), 130)
            drawn, _, last = run.written.rpartition(ERASE)  # It takes itself away before the last sentence.
            self.assertRegex(last, r"^arbiter: it was interrupted: \d+ of 4000000000 games were played\.\s+$")
            self.assertNotIn("\n", drawn)
            yield [line for line in drawn.split(ERASE) if line]

    def test_no_line_is_wider_than_its_terminal_less_one(self):
        shapes = {100: r"^\[[#.]{30}\] \d+ of 4000000000 games, \d+ s to go$",
                  60: r"^\[[#.]{10,}\] \d+ of 4000000000( games, \d+ s to go)?$",
                  39: r"^(\[[#.]{10,}\] )?\d+ of 4000000000( games, \d+ s to go)?$",
                  24: r"^\d+ of 4000000000$",
                  0: r"^\[[#.]{10,}\] \d+ of 4000000000 games, \d+ s to go$"}  # Nobody knows: 80.
        for (columns, shape), lines in zip(shapes.items(), self.bars(*shapes)):
            self.assertTrue(lines)
            for line in lines:
                self.assertRegex(line, shape)
                self.assertLess(len(line), columns or 80)

    def test_where_not_even_the_count_fits_nothing_is_written(self):
        self.assertEqual(list(self.bars(12)), [[]])

    def test_what_cannot_redraw_a_line_is_left_alone(self):
        """When a terminal that can has been drawn on twice, those that were there before it would have been."""
        runs = self.begin(ENDLESS, *((80, term) for term in ("dumb", "", None, "xterm")))
        while runs[3].written.count(ERASE) < 2:
            self.assertTrue(runs[3].read())
        for run in runs:
            os.kill(run.child, signal.SIGTERM)
        self.assertEqual([run.end() for run in runs], [130] * 4)
        for run in runs[:3]:
            self.assertNotRegex(run.written, r"[\r\x1b#]")


if __name__ == "__main__":
    unittest.main()
