"""serve_test.py: `arbiter serve` as a classroom meets it: a command line, a port, frames of plain.proto."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from classrooms import ARBITER, BROKEN_OFF, CONFIG, FOR_ONE, NOT_BEGUN, PATIENCE, SOURCE, Classroom, Client, dead, failed, nim, plain
import zmq


# A program of its own, so that all of it can be stopped: registers, waits to be told, begins.
STUDENT = """
import sys, zmq
door = zmq.Context().socket(zmq.DEALER)
door.linger = 0
door.connect(sys.argv[1])
door.send(bytes.fromhex(sys.argv[2]))
door.recv()
print("seated", flush=True)
sys.stdin.readline()
door.send(bytes.fromhex(sys.argv[3]))
print(door.recv().hex() if door.poll(20000) else "", flush=True)
"""

class Together(unittest.TestSuite):
    """Tests that spend their time waiting for somebody else's to run out do so side by side."""

    def run(self, result, debug=False):
        heard = [(test, unittest.TestResult()) for test in self]
        threads = [threading.Thread(target=test.run, args=(own,)) for test, own in heard]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for _, own in heard:
            result.testsRun += own.testsRun
            result.failures += own.failures
            result.errors += own.errors
        return result


def load_tests(loader, _tests, _pattern):
    """What waits, first."""
    return unittest.TestSuite([Together(loader.loadTestsFromTestCase(Waits)), loader.loadTestsFromTestCase(Serve)])


class Waits(Classroom):
    def test_a_registration_ends_when_its_time_is_over(self):
        for resets in ("accepted", "any"):
            server = self.serve("dead", CONFIG, "--timeout-resets", resets, timeout=2)
            client, = self.register(server, "Ada")
            client.until("registration_aborted")
            self.assertEqual(server.end(), (0, NOT_BEGUN))

    def silent(self, *words):
        """A server in whose preparation nobody speaks; its player."""
        server = self.serve("dead", CONFIG, *words, timeout=1)
        ada, = self.register(server, "Ada")
        ada.say(start_game=dead.Command.StartGame())
        ada.until("characters")
        return server, ada

    def test_silence_in_the_preparation_ends_after_three_times(self):
        server, ada = self.silent("--bind", "localhost")
        for _ in range(2):
            self.assertEqual(ada.next(), ("command_failed", failed("Your time is up.", 0)))
        self.assertEqual(ada.next()[0], "character_spawned")
        ada.until("left")
        self.assertEqual(server.end(), (0, 2 * 'arbiter: all wait for "Ada" at seat 0, whose time ran out.\n'))

    def test_silence_in_the_preparation_lasts_if_it_is_to(self):
        for words in (("--set", "patience=0"), ("--options", '{"patience": 0}')):
            server, ada = self.silent(*words)
            for _ in range(4):
                self.assertEqual(ada.next(), ("command_failed", failed("Your time is up.", 0)))
            server.child.send_signal(signal.SIGINT)
            self.assertEqual(server.end()[0], 130)

    def test_games_without_a_registration_wait_no_longer(self):
        for resets in ("accepted", "any"):
            self.assertEqual(self.serve("nim", "classic", "--timeout-resets", resets, timeout=2).end(), (11, NOT_BEGUN))

    def test_time_runs_out_in_a_match(self):
        server = self.serve("nim", "classic", "--seats", 2, timeout=2)
        players = [self.client(server, nim) for _ in range(2)]
        for player in players:
            player.up(sit_down=plain.SitDown())
        for player in players:
            player.until("out")
            player.until("over")
        self.assertEqual(server.end(), (0, ""))

    def babble(self, server):
        """Who is not on turn is refused again and again, for longer than a turn may last; then nobody speaks."""
        players = [self.client(server, nim) for _ in range(2)]
        for player in players:
            player.up(sit_down=plain.SitDown())
        for player in players:
            player.until("begins")
        other, = (player for player in players if player.seat != player.until("turn").seat)   # They sit as they came.
        for _ in range(10):
            time.sleep(0.5)
            other.say(take=nim.Take(heap=0, count=1))
        other.until("over")
        self.assertEqual(server.end(), (0, ""))
        return other.names()

    def test_the_originals_clock_hears_everything(self):
        names = self.babble(self.serve("nim", "classic", "--seats", 2, timeout=3))    # It is the usual one.
        self.assertEqual(names[-12:], ["refused"] * 10 + ["out", "over"])

    def test_the_houses_clock_hears_what_is_accepted(self):
        names = self.babble(self.serve("nim", "classic", "--seats", 2, "--timeout-resets", "accepted", timeout=3))
        self.assertEqual(names[-2:], ["out", "over"])
        self.assertLess(names.count("refused"), 10)

    def test_a_client_in_a_debugger_keeps_its_seat(self):
        server = self.serve("dead", CONFIG)
        command = dead.Command(register=dead.Command.Register(player_name="Ada"))
        student = subprocess.Popen([sys.executable, "-c", STUDENT, server.address,
                                    plain.Up(command=command.SerializeToString()).SerializeToString().hex(),
                                    plain.Up(command=dead.Command(start_game=dead.Command.StartGame())
                                             .SerializeToString()).SerializeToString().hex()],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.assertEqual(student.stdout.readline(), b"seated\n")
        student.send_signal(signal.SIGSTOP)
        time.sleep(4)       # Twice as long as services wait for each other.
        student.send_signal(signal.SIGCONT)
        heard, _ = student.communicate(b"go on\n", timeout=PATIENCE)
        self.assertEqual(plain.Down.FromString(bytes.fromhex(heard.decode().strip())).WhichOneof("kind"), "begins")
        server.child.send_signal(signal.SIGINT)
        self.assertEqual(server.end()[0], 130)   # That he has gone since may have been noticed, or not.


class Serve(Classroom):
    def test_a_whole_match_of_nim(self):
        server = self.serve("nim", "classic", "--seats", 2)
        players = [self.client(server, nim) for _ in range(2)]
        for player, name in zip(players, ("Ada", "Bob")):
            player.up(sit_down=plain.SitDown(name=name))
            if name == "Ada":       # Who comes first sits first; a refusal says that he sits.
                player.up(sit_down=plain.SitDown(name=name))
                self.assertEqual(player.next()[0], "refused")
        self.play_nim(players)
        self.assertEqual(players[0].names()[2:], players[1].names()[1:])
        self.assertEqual(server.end(), (0, ""))

    def test_a_game_of_the_dead_with_its_registration(self):
        server = self.serve("dead", CONFIG)
        clients = self.register(server, "Ada", "", "Cem")
        clients[1].say(register=dead.Command.Register(player_name="Bob"))
        self.assertEqual(clients[1].next(), ("command_failed", failed("You have registered already.")))
        stranger = self.client(server, dead)
        stranger.say(start_game=dead.Command.StartGame())
        self.assertEqual(stranger.next(), ("command_failed", failed("Register first.")))
        clients[0].say(start_game=dead.Command.StartGame())
        self.prepare(clients)
        stranger.say(end_turn=dead.Command.EndTurn())
        self.assertGreater(self.end_turns(clients), 2)
        for client in clients:
            if "game_end" not in client.names():
                client.until("game_end")
        self.assertEqual([client.seat for client in clients], [0, 1, 2])
        self.assertEqual(server.end(), (0, ""))
        for client in clients:
            self.assertEqual({event.player for name, event in client.heard if name == "act_now"}, {client.seat})
        people = [(event.player, event.player_name) for name, event in clients[2].heard if name == "player"]
        self.assertEqual(people, [(0, "Ada"), (1, ""), (2, "Cem")])
        # Everybody hears the same in the same order, but for what is one player's alone.
        public = [[told for told in client.heard if told[0] not in FOR_ONE]
                  for client in clients]
        self.assertEqual(public[0], public[1])
        self.assertEqual(public[0], public[2])
        for client in clients:
            self.assertEqual(client.names().count("characters"), 1)
            self.assertIsNone(client.next(0))
        self.assertIsNone(stranger.next(0))
        self.assertEqual(stranger.names(), ["command_failed"])

    def test_what_fails_is_an_event_and_the_question_comes_again(self):
        server = self.serve("dead", CONFIG)
        ada, bob = self.register(server, "Ada", "Bob")
        ada.socket.send(b"nonsense")
        self.assertEqual(ada.next(), ("command_failed", failed("This frame is no Up of plain.proto.")))
        ada.say(start_game=dead.Command.StartGame())
        ada.until("characters")
        for say, message in (("end_turn", "The players still choose their characters."),
                             ("vote", "Nobody is asked to vote now."),
                             ("register", "Registration is over: players enter and begin before the match.")):
            ada.say(**{say: getattr(dead.Command, "".join(part.title() for part in say.split("_")))()})
            self.assertEqual(ada.next(), ("command_failed", failed(message, 0)))
        bob.until("begins")
        bob.say(select_characters=dead.Command.SelectCharacters(character_id0=1, character_id1=2))
        self.assertEqual(bob.until("command_failed"), failed("Another player chooses characters now.", 1))
        ada.up(command=b"")
        self.assertEqual(ada.next(), ("command_failed", failed("This is no command of the game.", 0)))
        self.assertEqual(ada.names().count("characters"), 1)
        offer = next(event for name, event in ada.heard if name == "characters")
        ada.say(select_characters=dead.Command.SelectCharacters(character_id0=offer.character_id0,
                                                                character_id1=offer.character_id1))
        self.prepare([bob])
        ada.until("act_now")
        for say, message in ((lambda who: who.socket.send(b"\xff" * 9), "This frame is no Up of plain.proto."),
                             (lambda who: who.up(command=b"\xff"), "This is no command of the game."),
                             (lambda who: who.up(start=plain.Start()), "The match has begun."),
                             (lambda who: who.say(vote=dead.Command.Vote(answer=True)), "Nobody is asked to vote now."),
                             (lambda who: who.say(select_characters=dead.Command.SelectCharacters()),
                              "Characters are chosen before the first round only."),
                             (lambda who: who.say(start_game=dead.Command.StartGame()),
                              "Registration is over: players enter and begin before the match."),
                             (lambda who: who.say(search=dead.Command.Search(character_id=99999)), None)):
            say(ada)
            name, event = ada.next()
            self.assertEqual((name, event.player, event.message), ("command_failed", 0, message or event.message))
            self.assertTrue(event.message)
            self.assertEqual(ada.next(), ("act_now", dead.Event.ActNow(player=0)))
        bob.until("die_rolled")
        bob.say(end_turn=dead.Command.EndTurn())       # It is not Bob's turn: nobody asks Bob.
        self.assertEqual(bob.until("command_failed"), failed("It is another player's turn.", 1))
        bob.socket.send(b"nonsense")
        self.assertEqual(bob.next(), ("command_failed", failed("This frame is no Up of plain.proto.", 1)))
        ada.say(end_turn=dead.Command.EndTurn())
        self.assertEqual(bob.next(), ("act_now", dead.Event.ActNow(player=1)))
        self.assertNotIn("act_now", [ada.next(0.2) and ada.heard[-1][0]])
        server.child.send_signal(signal.SIGINT)
        self.assertEqual(server.end(), (130, ""))

    def test_who_has_left_hears_nothing_more_and_the_last_one_ends_it(self):
        server = self.serve("dead", CONFIG)
        clients = self.register(server, "Ada", "Bob")
        clients[0].say(start_game=dead.Command.StartGame())
        self.prepare(clients)
        for client in clients:
            self.assertEqual(client.until("act_now").player, client.seat)
            client.say(leave=dead.Command.Leave())
            self.assertEqual(client.until("left").player, client.seat)
            client.say(end_turn=dead.Command.EndTurn())
        self.assertEqual(server.end(), (0, ""))
        for client in clients:
            self.assertIsNone(client.next(0))

    def test_anything_else_breaks_the_registration_off(self):
        server = self.serve("dead", CONFIG)
        clients = self.register(server, "Ada", "Bob")
        stranger = self.client(server, dead)
        stranger.say(end_turn=dead.Command.EndTurn())
        for client in clients:
            client.until("registration_aborted")
        self.assertEqual(server.end(), (0, BROKEN_OFF))
        self.assertIsNone(stranger.next(0))

    def test_what_is_no_message_is_refused_and_disturbs_nobody(self):
        server = self.serve("nim", "classic", "--seats", 2)
        players = [self.client(server, nim) for _ in range(2)]
        hostile = self.client(server, nim)
        for frame in (b"", b"\xff" * 9, b"\x0a\x05ab"):
            hostile.socket.send(frame)
            self.assertIn("no Up", hostile.next()[1].sentence)
        hostile.socket.send_multipart([b"two", b"frames"])
        self.assertIn("one frame for each message", hostile.next()[1].sentence)
        for what in ({"command": b"\xff\xff"}, {"start": plain.Start()}, {"sit_down": plain.SitDown(name="x" * 256)}):
            hostile.up(**what)
            self.assertEqual(hostile.next()[0], "refused")
        hostile.socket.send(bytes(200000))     # No message is so long.
        self.assertIn("more than 64 KiB", hostile.next()[1].sentence)
        hostile.socket.send(bytes(200000))     # It was told so: the connection is cut.
        for player, name in zip(players, ("Ada", "Bob")):
            player.up(sit_down=plain.SitDown(name=name))
            if name == "Ada":
                player.up(sit_down=plain.SitDown(name=name))
                self.assertEqual(player.next()[1].sentence, "You sit already.")
        self.play_nim(players)
        code, complaints = server.end()
        self.assertEqual(code, 0)
        self.assertEqual([line.split(":")[1] for line in complaints.splitlines()],
                         [" a client sends messages of several frames", " a client sends a frame of more than 64 KiB",
                          " a client sends frames of more than 64 KiB"])

    def test_a_req_client_is_told_what_to_use(self):
        server = self.serve("dead", CONFIG)
        with Client.context.socket(zmq.REQ) as pupil:
            pupil.linger = 0
            pupil.connect(server.address)
            for _ in range(2):
                pupil.send(plain.Up(command=dead.Command(register=dead.Command.Register(player_name="Ada"))
                                    .SerializeToString()).SerializeToString())
                self.assertTrue(pupil.poll(PATIENCE * 1000))
                told = dead.Event.FromString(plain.Down.FromString(pupil.recv()).event)
                self.assertIn("Use a DEALER", told.command_failed.message)
        server.child.send_signal(signal.SIGINT)
        code, complaints = server.end()
        self.assertEqual(code, 130)
        self.assertRegex(complaints, "^arbiter: a client sends an empty frame in front .* as a REQ does: .*\n$")

    def test_what_is_longer_than_a_megabyte_is_cut_off_and_said(self):
        server = self.serve("dead", CONFIG)
        hostile = self.client(server, dead)
        hostile.socket.send(bytes(3 << 20))
        self.assertIn("a client was cut off", server.child.stderr.readline())
        server.child.send_signal(signal.SIGINT)
        self.assertEqual(server.end()[0], 130)

    def test_who_never_reads_holds_up_nobody_and_hears_no_more(self):
        server = self.serve("dead", CONFIG)
        ada, = self.register(server, "Ada")
        bob = self.client(server, dead)
        bob.socket.rcvhwm, bob.socket.rcvbuf = 1, 4096
        bob.socket.disconnect(server.address)
        bob.socket.connect(server.address)
        bob.say(register=dead.Command.Register(player_name="Bob"))
        for _ in range(300000):     # Each is refused, and the refusals are never taken.
            bob.socket.send(b"nonsense")
        ada.say(start_game=dead.Command.StartGame())
        self.prepare([ada])
        self.assertIn('"Bob", has gone or does not read: it is told nothing more', server.child.stderr.readline())
        server.child.send_signal(signal.SIGINT)
        self.assertEqual(server.end(), (130, ""))

    def test_an_engine_that_is_killed_costs_nobody_his_match(self):
        server = self.serve("nim", "classic", "--seats", 2)
        players = [self.client(server, nim) for _ in range(2)]
        players[0].up(sit_down=plain.SitDown(name="Ada"))
        players[0].up(sit_down=plain.SitDown(name="Ada"))
        players[0].until("refused")
        players[1].up(sit_down=plain.SitDown(name="Bob"))
        for player in players:
            player.until("begins")
        engine, = [pid for pid in server.families() if b"arbiter-engine" in
                   pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()]
        os.kill(engine, signal.SIGKILL)
        self.play_nim_on(players)
        code, complaints = server.end()
        self.assertEqual(code, 0)
        self.assertIn("engine-1 was killed", complaints)

    def test_every_game_opens_with_the_same_command(self):
        listed = json.loads(subprocess.run([ARBITER, "games", "--json"], capture_output=True, check=True).stdout)
        for name in {game["name"] for game in listed} - {"nim", "dead"}:
            setup = sorted((SOURCE / "common/games" / name / "setups").glob("*.json"))[0].stem
            server = self.serve(name, setup)
            stranger = self.client(server, nim)
            stranger.socket.send(b"no message")
            self.assertEqual(stranger.next()[0], "refused", name)
            server.child.send_signal(signal.SIGINT)
            self.assertEqual(server.end(), (130, ""), name)

    def test_strangers_cost_one_player(self):
        server = self.serve("dead", CONFIG)
        for _ in range(20):
            stranger = self.client(server, dead)
            stranger.say(start_game=dead.Command.StartGame())
            self.assertNotIn("room", stranger.next()[1].message)
        self.register(server, "Ada")
        server.child.send_signal(signal.SIGINT)
        self.assertEqual(server.end(), (130, ""))

    def test_an_interrupt_ends_everything(self):
        server = self.serve("dead", CONFIG)
        self.register(server, "Ada")
        family = server.families()
        self.assertGreaterEqual(len(family), 4)
        server.child.send_signal(signal.SIGINT)
        self.assertEqual(server.end(), (130, ""))
        for pid in family:
            self.assertFalse(pathlib.Path(f"/proc/{pid}").exists(), pid)

    def refused(self, code, sentence, *words):
        """Ends with this code and one sentence of complaint, and has listened nowhere."""
        done = subprocess.run([ARBITER, "serve", *map(str, words)], capture_output=True, text=True, timeout=PATIENCE,
                              cwd=SOURCE, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, sentence)

    def test_a_wrong_command_line_is_one_sentence(self):
        good = ["--config", CONFIG, "--port", 0, "--seed", 7, "--timeout", 5]
        for at in range(0, 8, 2):
            self.refused(2, f"{good[at]} is missing", "dead", *good[:at], *good[at + 2:])
        self.refused(2, "--sead; did you mean --seed", "dead", *good, "--sead", 7)
        self.refused(2, "--port takes a whole number", "dead", *good, "--port", "x")
        self.refused(2, "--timeout takes a whole number", "dead", *good, "--timeout", "soon")
        for seed in ("", "7x", "1.5", " 7", "9223372036854775808"):
            self.refused(2, "--seed takes a whole number", "dead", *good, "--seed", seed)
        self.refused(2, "no game", "deaf", *good)
        self.refused(2, "serve", *good)

    def test_every_fault_of_a_set_up_is_said(self):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            setup = json.loads(CONFIG.read_text())
            setup["goal"]["rounds"] = -1
            setup["maxPlayers"] = "many"
            json.dump(setup, file)
            file.flush()
            self.refused(3, r"/maxPlayers: .*\n.*/goal/rounds: ", "dead", "--config", file.name, "--port", 0, "--seed", 7,
                         "--timeout", 5)
        self.refused(3, "no-such-file", "dead", "--config", "/no-such-file.json", "--port", 0, "--seed", 7,
                     "--timeout", 5)

    def test_a_port_in_use_is_said(self):
        with Client.context.socket(zmq.ROUTER) as other:
            port = other.bind_to_random_port("tcp://127.0.0.1")
            self.refused(3, f"cannot listen on tcp://127.0.0.1:{port}", "dead", "--config", CONFIG, "--port", port,
                         "--seed", 7, "--timeout", 5)


if __name__ == "__main__":
    unittest.main()
