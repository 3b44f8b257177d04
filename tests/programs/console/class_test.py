"""class_test.py: `arbiter serve --matches N`: a class at one house, a port for each match."""
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import unittest

from classrooms import ARBITER, CONFIG, FOR_ONE, PATIENCE, SOURCE, Classroom, dead, failed, nim, plain


class Door:
    """Where one match of a class is."""

    def __init__(self, address):
        self.address = address


class Class(Classroom):
    def setUp(self):
        super().setUp()
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def start_class(self, game, config, *words, matches, timeout, port):
        """What it says of each door: (match, address)."""
        self.child = subprocess.Popen([ARBITER, "serve", game, "--config", config, "--port", str(port), "--seed", "7",
                                       "--timeout", str(timeout), "--matches", str(matches), *map(str, words)],
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=SOURCE,
                                      env={**os.environ, "TMPDIR": self.folder.name})
        child = self.child
        self.addCleanup(lambda: child.poll() is None and (child.kill(), child.wait()))
        found = (re.search(r", match (\d+), at (tcp://\S+)\.$", child.stdout.readline()) for _ in range(matches))
        return sorted((int(one[1]), one[2]) for one in found if one)

    def open_class(self, game, config, *words, matches=3, timeout=30):
        """A class at free ports, and its doors in order of their matches."""
        said = self.start_class(game, config, *words, matches=matches, timeout=timeout, port=0)
        self.assertEqual([match for match, _ in said], list(range(1, matches + 1)))
        return [Door(address) for _, address in said]

    def end(self):
        complaints = self.child.communicate(timeout=PATIENCE)[1]
        self.assertEqual(list(pathlib.Path(self.folder.name).glob("arbiter*")), [])
        return self.child.returncode, complaints

    def test_three_matches_are_played_at_once_and_kept_apart(self):
        kept = pathlib.Path(self.folder.name) / "kept"
        doors = self.open_class("dead", CONFIG, "--record", kept)
        teams = [self.register(door, "Ada", "Bob") for door in doors]
        for team in teams:
            team[0].say(start_game=dead.Command.StartGame())
        for team in teams:
            self.prepare(team)
        for team in teams:
            self.assertEqual([client.until("act_now").player for client in team[:1]], [0])
        for team in teams[::-1]:
            self.end_turns_from(team)
        self.assertEqual(self.end(), (0, ""))
        done = subprocess.run([ARBITER, "conform", "dead", kept], capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout, "3 agreed, 0 disagreed\n", done.stderr)
        index = [json.loads(line) for line in (kept / "index.jsonl").read_text().splitlines()]
        self.assertEqual(sorted((line["file"], line["seed"]) for line in index),
                         [("0001.jsonl", 7), ("0002.jsonl", 8), ("0003.jsonl", 9)])
        offers = [next(event for name, event in team[0].heard if name == "characters") for team in teams]
        self.assertGreater(len({str(offer) for offer in offers}), 1)    # Other dice.

    def test_each_match_has_the_originals_clock(self):
        doors = self.open_class("dead", CONFIG, "--exit-codes", "each", matches=2, timeout=2)
        ada, = self.register(doors[0], "Ada")
        ada.say(start_game=dead.Command.StartGame())
        ada.until("left")
        code, complaints = self.end()
        self.assertEqual(code, 12)
        self.assertIn('arbiter: match 1: all wait for "Ada" at seat 0, whose time ran out.\n', complaints)
        self.assertIn("arbiter: match 2: no match began: nobody started it in time.\n", complaints)

    def test_games_without_a_registration_end_too(self):
        doors = self.open_class("nim", "classic", "--seats", 2, matches=2, timeout=3)
        players = [self.client(doors[1], nim) for _ in range(2)]
        for player, name in zip(players, ("Ada", "Bob")):
            player.up(sit_down=plain.SitDown(name=name))
            if name == "Ada":
                player.up(sit_down=plain.SitDown(name=name))
                player.until("refused")
        self.play_nim(players)
        self.assertEqual(self.end(), (11, "arbiter: match 1: no match began: nobody started it in time.\n"))

    def test_who_watches_hears_all_that_is_public_from_the_beginning(self):
        doors = self.open_class("dead", CONFIG, matches=2)
        early, late = self.client(doors[0], dead), self.client(doors[0], dead)
        early.up(watch=plain.Watch())
        ada, bob = self.register(doors[0], "Ada", "Bob")
        ada.say(start_game=dead.Command.StartGame())
        self.prepare([ada, bob])
        ada.until("act_now")
        late.up(watch=plain.Watch())
        self.end_turns_from([ada, bob])
        if "game_end" not in ada.names():
            ada.until("game_end")
        for watcher in (early, late):
            begins = watcher.until("begins")
            self.assertEqual((begins.HasField("seat"), list(begins.names)), (False, ["Ada", "Bob"]))
            watcher.until("game_end")
            watcher.say(end_turn=dead.Command.EndTurn())
        told = [[event for event in client.heard if event[0] not in FOR_ONE] for client in (ada, early, late)]
        self.assertEqual(told[0], told[1])
        self.assertEqual(told[0], told[2])
        self.assertEqual(set(early.names()) & set(FOR_ONE), {"begins"})
        self.child.send_signal(signal.SIGINT)
        self.assertEqual(self.end(), (130, ""))

    def test_who_comes_back_with_the_secret_goes_on_where_the_other_was(self):
        kept = pathlib.Path(self.folder.name) / "kept"
        doors = self.open_class("dead", CONFIG, "--record", kept, matches=2)
        ada = self.client(doors[1], dead)
        ada.up(command=dead.Command(register=dead.Command.Register(player_name="Ada")).SerializeToString(), secret=b"42")
        ada.until("config")
        bob, = self.register(doors[1], "Bob")
        bob.say(start_game=dead.Command.StartGame())
        self.prepare([ada, bob])
        ada.until("act_now")
        again = self.client(doors[1], dead)
        again.up(rejoin=plain.Rejoin(secret=b"43"))
        self.assertEqual(again.next(), ("command_failed", failed("No place has this secret.")))
        again.up(rejoin=plain.Rejoin(secret=b"42"))
        again.heard.clear()
        while again.names()[-1:] != ["act_now"]:
            again.next()
        self.assertEqual(again.heard, ada.heard)
        ada.say(end_turn=dead.Command.EndTurn())       # Nobody is there any more.
        self.assertIsNone(ada.next(0.5))
        self.end_turns_from([again, bob])
        self.assertIsNone(ada.next(0))
        self.child.send_signal(signal.SIGINT)
        self.end()
        done = subprocess.run([ARBITER, "conform", "dead", kept / "0002.jsonl"], capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout, "1 agreed, 0 disagreed\n", done.stderr)

    def end_turns_from(self, clients):
        """The first one has been asked already."""
        clients[0].say(end_turn=dead.Command.EndTurn())
        self.end_turns(clients)

    def test_sixty_teams_find_their_doors(self):
        doors = self.open_class("nim", "classic", "--seats", 2, matches=60)
        for door in (doors[0], doors[59]):
            team = self.client(door, nim)
            team.up(sit_down=plain.SitDown(name="Ada"))
            team.up(sit_down=plain.SitDown(name="Ada"))
            self.assertEqual(team.next()[1].sentence, "You sit already.")
        self.child.send_signal(signal.SIGINT)
        self.assertEqual(self.end(), (130, ""))

    def test_a_class_listens_at_one_port_after_the_other(self):
        for port in range(20000, 60000, 400):       # Others may have one of them.
            said = self.start_class("nim", "classic", "--seats", 2, matches=3, timeout=30, port=port)
            self.child.send_signal(signal.SIGINT)
            code, complaints = self.end()
            if "cannot listen on" not in complaints:
                break
        self.assertEqual((code, said), (130, [(i + 1, f"tcp://127.0.0.1:{port + i}") for i in range(3)]))

    def test_an_interrupt_ends_all_of_it(self):
        doors = self.open_class("dead", CONFIG, matches=2)
        self.register(doors[0], "Ada")
        self.child.send_signal(signal.SIGINT)
        self.assertEqual(self.end(), (130, ""))

    def test_a_door_that_cannot_open_is_named_and_the_others_serve(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            done = subprocess.run([ARBITER, "serve", "dead", "--config", CONFIG, "--port", str(port), "--seed", "7",
                                   "--timeout", "1", "--matches", "2"], capture_output=True, text=True, check=False,
                                  timeout=PATIENCE, cwd=SOURCE, env={**os.environ, "TMPDIR": self.folder.name})
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn(f"match 1: cannot listen on tcp://127.0.0.1:{port}", done.stderr)


if __name__ == "__main__":
    unittest.main()
