"""record_test.py: what `arbiter serve --record` leaves behind, and how its exit code tells how it ended."""
import json
import pathlib
import signal
import subprocess
import tempfile
import unittest

from classrooms import ARBITER, BROKEN_OFF, CONFIG, NOT_BEGUN, PATIENCE, Classroom, dead, nim, plain
import zmq


class Record(Classroom):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "kept"

    def kept(self, game, config, *words, **more):
        return self.serve(game, config, "--record", self.folder, *words, **more)

    def index(self):
        return [json.loads(line) for line in (self.folder / "index.jsonl").read_text().splitlines()]

    def lines(self, name="0001"):
        return [json.loads(line) for line in (self.folder / f"{name}.jsonl").read_text().splitlines()]

    def agrees(self, *words):
        done = subprocess.run([ARBITER, *words], capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def test_a_game_of_the_dead_is_kept_as_a_recording_that_conforms(self):
        server = self.kept("dead", CONFIG, "--set", "edition=equipment")
        stranger = self.client(server, dead)
        stranger.say(start_game=dead.Command.StartGame())
        stranger.until("command_failed")
        clients = self.register(server, "Ada", "Cem")
        clients[1].say(register=dead.Command.Register(player_name="Bob"))
        clients[1].until("command_failed")
        clients[1].socket.send(b"nonsense")      # The recordings have no line for it.
        clients[1].until("command_failed")
        clients[0].say(start_game=dead.Command.StartGame())
        clients[0].until("characters")
        clients[0].say(end_turn=dead.Command.EndTurn())
        clients[0].until("command_failed")
        offer = next(event for name, event in clients[0].heard if name == "characters")
        clients[0].say(select_characters=dead.Command.SelectCharacters(character_id0=offer.character_id0,
                                                                       character_id1=offer.character_id1))
        self.prepare(clients[1:])
        stranger.say(end_turn=dead.Command.EndTurn())
        clients[0].until("act_now")
        clients[0].say(search=dead.Command.Search(character_id=99999))
        clients[0].until("command_failed")
        clients[1].until("die_rolled")
        clients[1].say(end_turn=dead.Command.EndTurn())
        clients[1].until("command_failed")
        self.end_turns(clients)
        self.assertEqual(server.end(), (0, ""))
        self.assertEqual(self.agrees("conform", "dead", str(self.folder)), "1 agreed, 0 disagreed\n")
        self.agrees("verify", str(self.folder / "0001.match"))
        header, *lines = self.lines()
        self.assertEqual((header["edition"], header["seed"]), ("equipment", -42))
        self.assertEqual([player["name"] for player in header["players"]], ["Ada", "Cem"])
        self.assertEqual(sum(line.get("ev") == "CommandFailed" for line in lines), 5)
        self.assertIn({"from": header["players"][0]["comm"], "cmd": "Search", "args": {"characterId": 99999}}, lines)
        result, = self.index()
        self.assertEqual((result["end"], result["why"], result["file"], result["match"]),
                         ("lose", "finished", "0001.jsonl", "0001.match"))
        self.assertEqual(result["outcome"], [-1, -1])
        self.assertEqual((self.folder / "0001.json").read_text(), CONFIG.read_text())

    def test_silence_stands_in_the_recording(self):
        server = self.kept("dead", CONFIG, "--exit-codes", "each", timeout=1)
        ada, = self.register(server, "Ada")
        ada.say(start_game=dead.Command.StartGame())
        ada.until("left")
        self.assertEqual(server.end()[0], 12)
        self.assertEqual(self.agrees("conform", "dead", str(self.folder)), "1 agreed, 0 disagreed\n")
        self.assertEqual(self.lines().count({"timeout": True}), 4)
        self.assertEqual([(line["end"], line["why"]) for line in self.index()], [("all-left", "time ran out")])

    def test_a_registration_that_ends_is_kept_and_has_codes_of_its_own(self):
        for codes, broken, late in (("original", 0, 0), ("each", 10, 11)):
            server = self.kept("dead", CONFIG, "--exit-codes", codes)
            ada, = self.register(server, "Ada")
            self.client(server, dead).say(end_turn=dead.Command.EndTurn())
            ada.until("registration_aborted")
            self.assertEqual(server.end(), (broken, BROKEN_OFF))
            server = self.kept("dead", CONFIG, "--exit-codes", codes, timeout=1)
            self.register(server, "Ada")
            self.assertEqual(server.end(), (late, NOT_BEGUN))
        self.assertEqual(self.agrees("conform", "dead", str(self.folder)), "4 agreed, 0 disagreed\n")
        self.assertEqual([line["why"] for line in self.index()],
                         ["registration broken off", "nobody began in time"] * 2)
        self.assertEqual({line["end"] for line in self.index()}, {"aborted"})
        self.assertFalse(list(self.folder.glob("*.match")))

    def test_an_interrupted_game_is_kept_as_far_as_it_came(self):
        server = self.kept("dead", CONFIG)
        ada, = self.register(server, "Ada")
        ada.say(start_game=dead.Command.StartGame())
        self.prepare([ada])
        ada.until("act_now")
        server.child.send_signal(signal.SIGINT)
        code, complaints = server.end()
        self.assertEqual(code, 130)
        self.assertIn("has no end yet", complaints)
        self.assertEqual(self.agrees("conform", "dead", str(self.folder)), "1 agreed, 0 disagreed\n")
        self.assertEqual([(line["end"], line["why"]) for line in self.index()], [("open", "interrupted")])

    def test_nim_is_kept_too(self):
        server = self.kept("nim", "classic", "--seats", 2)
        players = [self.client(server, nim) for _ in range(2)]
        for player, name in zip(players, ("Ada", "Bob")):
            player.up(sit_down=plain.SitDown(name=name))
            if name == "Ada":
                player.up(sit_down=plain.SitDown(name=name))
                player.until("refused")
        self.play_nim(players)
        self.assertEqual(server.end(), (0, ""))
        self.agrees("verify", str(self.folder / "0001.match"))
        result, = self.index()
        self.assertEqual((result["end"], result["players"]),
                         ("over", [{"comm": 0, "name": "Ada"}, {"comm": 1, "name": "Bob"}]))
        self.assertEqual(sorted(result["outcome"]), [-1, 1])

    def test_a_folder_that_cannot_be_written_is_said_and_nothing_opens(self):
        done = subprocess.run([ARBITER, "serve", "dead", "--config", CONFIG, "--port", "0", "--seed", "7", "--timeout", "5",
                               "--record", "/proc/nowhere"], capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertRegex(done.stderr, "cannot record into /proc/nowhere: ")
        with Client_router() as port:
            done = subprocess.run([ARBITER, "serve", "dead", "--config", CONFIG, "--port", str(port), "--seed", "7",
                                   "--timeout", "5", "--record", str(self.folder)], capture_output=True, text=True,
                                  timeout=PATIENCE, check=False)
            self.assertEqual(done.returncode, 3)
        self.assertEqual(list(self.folder.iterdir()), [])


class Client_router:
    """A port that is taken."""

    def __enter__(self):
        self.socket = zmq.Context.instance().socket(zmq.ROUTER)
        return self.socket.bind_to_random_port("tcp://127.0.0.1")

    def __exit__(self, *_):
        self.socket.close()


if __name__ == "__main__":
    unittest.main()
