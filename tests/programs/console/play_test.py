"""play_test.py: a person plays, through the program itself: against a bot, with a friend, and back again.

Everything is real: `arbiter up` runs all processes in a folder of its own, and the players are `arbiter play`
with pipes for terminals. Nothing is asserted about time; what must come is waited for.
"""
import json
import os
import pathlib
import re
import select
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import termios
import threading
import time
import unittest
import urllib.error
import urllib.request

BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
ARBITER = str(BUILD / "arbiter")
SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
PATIENCE_S = 120


class Terminal:
    """A program with pipes for its lines, or what it takes for a terminal; what it says is gathered."""

    def __init__(self, *words, language="en", is_typed=False):
        env = dict(os.environ, LANG="C.UTF-8", LC_ALL="")
        env["ARBITER_CONFIGS"] = str(SOURCE / "configs")
        if language != "en":
            words += ("--language", language)
        ours, theirs = os.openpty() if is_typed else (None, subprocess.PIPE)
        self.process = subprocess.Popen([ARBITER, *words], env=env, stdin=theirs,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        start_new_session=True)
        self.lines = self.process.stdin if ours is None else os.fdopen(ours, "wb")
        if is_typed:
            os.close(theirs)
        self.said = ""
        self.read_to = 0
        self.news = threading.Condition()
        self.is_ended = False
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        while True:
            piece = os.read(self.process.stdout.fileno(), 65536)
            with self.news:
                self.said += piece.decode()
                self.is_ended = not piece
                self.news.notify_all()
            if not piece:
                return

    def type(self, line):
        self.lines.write((line + "\n").encode())
        self.lines.flush()

    def wait_for(self, pattern):
        """The next place behind the last one found that matches; what was said up to it is read."""
        def found():
            return re.compile(pattern).search(self.said, self.read_to) or self.is_ended
        with self.news:
            self.news.wait_for(found, PATIENCE_S)
            match = re.compile(pattern).search(self.said, self.read_to)
        if match is None:
            raise AssertionError(f"never said {pattern!r}, but:\n{self.said[self.read_to:]}")
        self.read_to = match.end()
        return match

    def end(self):
        """No more lines; returns the exit code."""
        self.lines.close()
        code = self.process.wait(PATIENCE_S)
        self.reader.join()
        self.process.stdout.close()
        return code

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.end()


class House(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.mkdtemp(prefix="arbiter-play-")
        cls.up = Terminal("up", "--home", cls.home, "--http", "0", "--allow-rigged")
        cls.http = cls.up.wait_for(r"http://127\.0\.0\.1:\d+").group()
        cls.up.wait_for(r"bot-1 +runs")

    @classmethod
    def tearDownClass(cls):
        code = cls.up.stop()
        shutil.rmtree(cls.home)
        assert code == 0, cls.up.said

    def play(self, *words, **more):
        terminal = Terminal("play", *words, "--home", self.home, **more)
        self.addCleanup(terminal.stop)
        return terminal

    def conform(self, game, *lines):
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
            file.flush()
            return subprocess.run([ARBITER, "conform", game, file.name, "--live", "--home", self.home],
                                  capture_output=True, text=True, timeout=PATIENCE_S)

    def test_what_a_recording_says_falsely_is_found_with_processes_between_too(self):
        grid = {"config": {"mode": "race", "players": 2, "power_failure_bp": 0}, "grid": ["  2", "   ", "1  "],
                "placements": [], "name": "small"}
        step = {"player": 1, "cmd": "move", "dir": "N"}
        true = self.conform("objectron", {**grid, "commands": [step], "facts": [{"player": 1, "at": [0, 1]}]},
                            {**grid, "config": {**grid["config"], "players": 3}, "setup_error": "INVALID_PLAYER_COUNT"})
        self.assertEqual((true.returncode, true.stdout), (0, "2 agreed, 0 disagreed\n"), true)
        false = self.conform("objectron", {**grid, "commands": [step], "facts": [{"player": 1, "at": [0, 0]}]},
                             {**grid, "commands": [{**step, "error": "WALL"}]},
                             {**grid, "commands": [{**step, "events": [{"ev": "turn_ended"}]}]},
                             {**grid, "setup_error": "GRID_EMPTY"},
                             {**grid, "config": {**grid["config"], "players": 3}, "setup_error": "GRID_EMPTY"})
        self.assertEqual((false.returncode, false.stdout), (1, "0 agreed, 5 disagreed\n"), false)
        with open(SOURCE / "common/games/quests/recorded/scenarios.jsonl", encoding="utf-8") as file:
            quest = json.loads(file.readline())
        quest["expect"]["final"]["adventure_discard"].append("F5")  # Nobody at the table sees it.
        hidden = self.conform("quests", quest)
        self.assertEqual((hidden.returncode, hidden.stdout), (1, "0 agreed, 1 disagreed\n"), hidden)

    def test_whoever_types_is_asked_again_after_every_line_and_whatever_the_lobby_says(self):
        ada = self.play("nim", "--bots", "1", "--name", "Typist", is_typed=True)
        ada.wait_for(r"\n> ")
        ada.type("/bots 3")
        ada.wait_for(r"\n> \narbiter: The match has begun\.\n\n> ")
        ada.type("")
        ada.wait_for(r"\n> ")
        ada.type("/nonsense")
        ada.wait_for(r"There is no /nonsense\.\n")
        ada.wait_for(r"  /hint  ")
        ada.wait_for(r"\n> ")
        ada.type("/quit")

    def test_bots_play_at_the_level_that_was_asked_for(self):
        lea = self.play("nim", "--create", "--seats", "4", "--name", "Lea")
        lea.wait_for(r"It begins when all seats are taken")
        lea.type("/bots 1 3")
        lea.wait_for(r"nim has 2 levels")
        lea.type("/bots 1 1")
        lea.wait_for(r"bot-\d+, level 1 sits down")
        lea.type("/bots 1 2")
        lea.wait_for(r"bot-\d+, level 2 sits down")
        lea.type("/start")
        lea.wait_for(r"\n +1 +Take")
        lea.type("/hint")
        lea.wait_for(r"A bot would do: Take")
        lea.type("/quit")
        too_good = self.play("nim", "--level", "3")
        too_good.wait_for(r"nim has 2 levels")
        self.assertEqual(too_good.end(), 2)

    def test_a_bot_of_a_level_thinks_ahead(self):
        bot = Terminal("bot", "four", "--bots", "1", "--level", "2", "--show", "--name", "Level", "--home", self.home)
        self.addCleanup(bot.stop)
        bot.wait_for(r"Level: (won|lost|drew)")

    def test_at_a_terminal_a_line_is_edited_and_comes_back_and_the_terminal_is_left_as_it_was(self):
        ours, theirs = os.openpty()
        before = termios.tcgetattr(theirs)
        with subprocess.Popen([ARBITER, "play", "nim", "--bots", "1", "--home", self.home, "--name", "Editor"], stdin=theirs,
                              stdout=theirs, stderr=theirs, start_new_session=True,
                              env={**os.environ, "LANG": "C.UTF-8", "TERM": "xterm", "ARBITER_CONFIGS": str(SOURCE / "configs")}) as run:
            said = b""

            def wait_for(pattern):
                nonlocal said
                end = time.monotonic() + PATIENCE_S
                while (found := re.search(pattern, said)) is None:
                    self.assertTrue(select.select([ours], [], [], end - time.monotonic())[0], said)
                    said += os.read(ours, 65536)
                said = said[found.end():]

            try:
                wait_for(rb"\r\n> ")
                self.assertFalse(termios.tcgetattr(theirs)[3] & termios.ICANON)
                for typed in (b"/whoo\x7f\r",              # Rubbed out.
                              b"\x1b[A\r",                 # The arrow up: the line before.
                              b"ho\x01/w\r"):              # At its beginning.
                    os.write(ours, typed)
                    wait_for(rb"\r\n  Editor \(you\)\r\n  bot-\d+\r\n\r\n> ")
                os.write(ours, b"/quit\r")
                wait_for(rb"Come back with:")
                self.assertEqual(run.wait(20), 0)
            finally:
                run.kill()
        after = termios.tcgetattr(theirs)
        os.close(ours)
        os.close(theirs)
        self.assertEqual(after[:4], before[:4])

    def test_an_arena_is_opened_with_its_size_alone(self):
        eve = self.play("objectron", "--size", "12x12", "--mode", "race", "--bots", "1", "--name", "Eve")
        eve.wait_for(r"Type the number of what you want to do")
        eve.type("/quit")

    def test_a_person_plays_against_a_bot_leaves_the_terminal_and_comes_back(self):
        ada = self.play("dead", "--bots", "1", "--name", "Ada")
        ada.wait_for(r"The First Night\n")
        match = ada.wait_for(r"arbiter watch ([0-9a-f]{32})").group(1)
        ada.wait_for(r"Two of these four will be yours:")
        ada.wait_for(r"   6  .* and ")
        ada.type("1")
        ada.wait_for(r"\n  .* joins Ada\n  .* joins Ada\n  Ada draws ")
        ada.wait_for(r"Crisis: .* \(\d × ")
        ada.wait_for(r"\n  Ada rolls \d, \d, \d")
        ada.wait_for(r"Round 1 of 5   You are on turn")
        ada.wait_for(r"\d+  End the turn")
        ada.type("/hint")
        ada.wait_for(r"A bot would do: .+\n")
        leave = ada.said.rsplit("  Leave the match for good", 1)[0].rsplit("\n", 1)[1].strip()
        ada.type("l")
        ada.wait_for(r"That cannot be taken back")
        self.assertTrue(leave.isdigit())        # The same can be done by its number, which is another one each time.
        ada.type("99")
        ada.wait_for(r"Type one of the numbers")
        ada.type("/best")
        ada.wait_for(r"You do: .+\n")
        ada.wait_for(r"(\d+)  End the turn")
        ada.type("e")
        ada.wait_for(r"e: End the turn\. Type it again if you mean it\.\n")
        ada.type("e")
        ada.wait_for(r"\n  bot-\d+ .*|\n  It is bot-\d+'s turn")
        ada.wait_for(r"It is your turn")
        ada.wait_for(r"End the turn")
        self.assertEqual(ada.end(), 0)
        back = shlex.split(ada.said.rsplit("Come back with:  ", 1)[1])
        self.assertEqual(back, [ARBITER, "play", "--rejoin", "--home", self.home, "--name", "Ada"])
        again = Terminal(*back[1:], language="de")
        self.addCleanup(again.stop)
        again.wait_for(r"Tisch [A-Z0-9]{8}:  Ada, bot-\d+\n")
        self.assertEqual(again.wait_for(r"arbiter watch ([0-9a-f]{32})").group(1), match)
        again.wait_for(r"Du bist am Zug")
        again.wait_for(r"Den Zug beenden")
        again.type("/quit")
        self.assertEqual(again.end(), 0)

    def short_evening(self):
        """The first set-up, but for two rounds: bots take their time."""
        setup = json.loads((SOURCE / "configs/dead/intro.json").read_text())
        setup["goal"]["rounds"] = 2
        path = pathlib.Path(self.home) / "short.json"
        path.write_text(json.dumps(setup))
        return str(path)

    def test_who_watches_sees_what_all_may_see_and_the_end(self):
        gil = self.play("dead", "--bots", "2", "--name", "Gil", "--config", self.short_evening())
        match = gil.wait_for(r"arbiter watch ([0-9a-f]{32})").group(1)
        gil.wait_for(r"   6  .* and ")
        listed = Terminal("watch", "--home", self.home)
        listed.wait_for(match + r"  dead.*: Gil, bot-\d+, bot-\d+\n")
        self.assertEqual(listed.end(), 0)
        watcher = Terminal("watch", match, "--home", self.home)
        self.addCleanup(watcher.stop)
        watcher.wait_for(r"Gil chooses survivors")
        self.assertNotIn("attack", watcher.said)
        gil.type("1")
        watcher.wait_for(r"joins Gil")
        for _ in range(2000):
            if gil.wait_for(r"\d  End the turn|: (won|lost)").group(1):
                break
            gil.type("/best")
        watcher.wait_for(r"All is lost|has held: you have won")
        self.assertEqual(watcher.end(), 0)
        self.assertEqual(gil.end(), 0)
        self.assertIn("\nThe dice were honest", gil.said)
        check = re.search(r"^Check all of it:  (.+)$", gil.said, re.M).group(1)
        with tempfile.TemporaryDirectory() as folder:
            checked = subprocess.run(check, shell=True, cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S)
        self.assertRegex(checked.stdout, rf"^{match}\.match: holds: dead", checked.stderr)
        once = Terminal("watch", match, "--once", "--home", self.home)
        once.wait_for(r"Morale \d")
        self.assertEqual(once.end(), 0)

    def test_programs_without_a_key_find_the_door_that_is_said(self):
        end = time.monotonic() + 30
        while time.monotonic() < end:
            try:
                with urllib.request.urlopen(f"{self.http}/readyz", timeout=10) as answer:
                    self.assertEqual(answer.read(), b"ready gateway-1\n")
                    return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.05)
        self.fail("the gateway is not ready")

    def test_the_operator_sees_how_everybody_does(self):
        told = Terminal("top", "--once", "--json", "--home", self.home)
        self.assertEqual(told.end(), 0)
        services = {service["name"]: service for service in json.loads(told.said)["services"]}
        self.assertEqual(set(services),
                         {"lobby", "engine-1", "fanout-1", "watchdog-1", "gateway-1", "bot-1"})
        self.assertEqual(services["engine-1"]["slots"], 256)
        for name in ("lobby", "engine-1", "fanout-1", "watchdog-1"):
            self.assertEqual(services[name]["state"], "well", told.said)
            self.assertIn("ping_ms", services[name])
        self.assertGreater(services["engine-1"]["memory_bytes"], 1 << 20)
        self.assertGreaterEqual(services["engine-1"]["matches"], 0)
        self.assertEqual(services["fanout-1"]["slots_behind"], 0)
        self.assertEqual(services["fanout-1"]["lag_s"], 0)
        table = (SOURCE / "common/core/figures.h").read_text()
        figures = set(re.findall(r"FIGURE\((\w+), \"arbiter_", table))
        self.assertGreaterEqual(len(figures), 16)
        for name in ("engine-1", "fanout-1"):
            self.assertEqual(set(services[name]["figures"]), figures, told.said)
        table = Terminal("top", "--once", "--home", self.home)
        table.wait_for(r"slots owned: 256 of 256; clocks that run: \d+")
        table.wait_for(r"SERVICE +STATE")
        table.wait_for(r"engine-1 +well +\d+:\d\d:\d\d +\d+ +\d")
        self.assertEqual(table.end(), 0)
        nobody = Terminal("top", "--once", "--home", self.home + "-empty")
        self.assertEqual(nobody.end(), 3)

    def test_friends_sit_down_by_a_code_and_talk(self):
        cleo = self.play("dead", "--create", "--seats", "2", "--name", "Cleo")
        code = cleo.wait_for(r"arbiter play --join ([A-Z0-9]+)").group(1)
        watcher = Terminal("watch", code, "--name", "Wes", "--home", self.home)
        self.addCleanup(watcher.stop)
        watcher.wait_for(r"It has not begun; waiting\.\n")
        dora = self.play("--join", code, "--name", "Dora")
        cleo.wait_for(r"Dora sits down")
        cleo.wait_for(r"   6  .* and ")
        dora.wait_for(r"The match begins")
        cleo.type("/say good evening")
        dora.wait_for(r"Cleo: good evening")
        watcher.wait_for(r"The First Night")    # Who comes later sees what has happened, and not that it happens.
        cleo.type("2")
        dora.wait_for(r"joins Cleo")
        watcher.wait_for(r"joins Cleo")
        once = Terminal("watch", code, "--name", "Wes", "--once", "--home", self.home)
        once.wait_for(r"Morale \d")
        self.assertEqual(once.end(), 0)
        dora.wait_for(r"   6  .* and ")
        dora.type("3")
        cleo.wait_for(r"Dora rolls")
        cleo.wait_for(r"End the turn")
        self.assertEqual(cleo.end(), 0)
        dora.process.send_signal(signal.SIGINT)
        dora.wait_for(r"Your seat stays yours")
        self.assertEqual(dora.end(), 130)

    def duel_without_items(self):
        """Where they lie is luck, and one beside the start changes what its line and the first step look like."""
        setup = json.loads((SOURCE / "configs/objectron/duel.json").read_text())
        path = pathlib.Path(self.home) / "bare.json"
        path.write_text(json.dumps({**setup, "placements": [], "power_failure_bp": 0}))
        return str(path)

    def test_a_race_is_raced_to_its_end(self):
        ida = self.play("objectron", "--bots", "1", "--name", "Ida", "--config", self.duel_without_items())
        ida.wait_for(r"You win at 12,1, the start of bot-\d")
        ida.wait_for(r"\n 12 1 ")
        ida.wait_for(r"May go: north northeast east")
        end = ida.wait_for(r"   (\d)  End the turn\n").group(1)
        ida.type(end)
        ida.wait_for(r"Who ends this turn has lost\.")
        ida.wait_for(r"again")
        ida.type("1")
        ida.wait_for(r"\n   1  north\n")
        ida.type("n")
        ida.wait_for(r"\n  Ida goes north, to 1,11\n")
        for _ in range(500):
            if ida.wait_for(r"May go: |wins\n").group(0) == "wins\n":
                break
            ida.type("/best")
        ida.wait_for(r"(Ida|bot-\d): won\b")
        self.assertEqual(ida.end(), 0)

    def test_whoever_sits_down_sees_that_the_cards_are_laid(self):
        setup = pathlib.Path(self.home) / "laid.json"
        setup.write_text(json.dumps({"shields": {"P1": 7}, "event_deck": ["PLAGUE"]}))
        rigged = r"This table is rigged: its host has laid the cards"
        eva = self.play("quests", "--create", "--name", "Eva", "--config", str(setup),
                        "--set", "rigged=true")
        eva.wait_for(rigged)
        code = eva.wait_for(r"arbiter play --join ([A-Z0-9]+)").group(1)
        fay = self.play("--join", code, "--name", "Fay")
        fay.wait_for(rigged)
        again = self.play("nim", "--name", "Eva")
        again.wait_for(r"You are seated at a table")
        again.wait_for(r"this leads back to it: \S*arbiter play --rejoin --home \S+ --name Eva; ")
        self.assertEqual(again.end(), 1)
        eva.type("/bots")
        fay.wait_for(r"The match begins|A game of Quests")
        listed = Terminal("watch", "--home", self.home)
        listed.wait_for(r": Eva, Fay, bot-\d+, bot-\d+  \(rigged\)\n")
        self.assertEqual(listed.end(), 0)
        eva.wait_for(r"Eva loses 2 shields and has 5")

    def test_a_game_without_a_board_is_played_by_what_its_messages_say(self):
        ben = self.play("nim", "--bots", "1", "--name", "Ben")
        for _ in range(200):
            said = ben.wait_for(r"   1  Take .*\n|won|lost").group(0)  # Not the first heap of the board.
            if said in ("won", "lost"):
                break
            ben.type("/best")
        ben.wait_for(r"won|lost")
        self.assertEqual(ben.end(), 0)

    def test_a_port_of_somebody_elses_is_said_before_anything_is_started(self):
        with socket.create_server(("127.0.0.1", 0)) as taken, tempfile.TemporaryDirectory() as home:
            port = taken.getsockname()[1]
            up = Terminal("up", "--home", home, "--http", "0", "--port", str(port))
            self.addCleanup(up.stop)
            up.wait_for(rf"something else listens at port {port} of this machine")
            self.assertEqual(up.end(), 3)
            self.assertNotIn("runs", up.said)

    def test_what_cannot_be_is_said_and_nothing_hangs(self):
        self.assertEqual(self.play("dead", "--config", "nowhere").end(), 3)
        self.assertEqual(self.play("--create", "--rejoin").end(), 2)
        self.assertEqual(self.play("--join", "NOSUCHCODE", "--name", "Emil").end(), 1)
        idle = self.play("--rejoin", "--name", "Idle")
        idle.wait_for(r"arbiter: Idle has no seat in a running match")
        self.assertEqual(idle.end(), 1)
        nobody = Terminal("play", "dead", "--home", self.home + "-empty")
        self.assertEqual(nobody.end(), 3)
        self.assertIn("no Arbiter runs in", nobody.said)


if __name__ == "__main__":
    unittest.main()
