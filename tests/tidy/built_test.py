"""built_test.py: asks what was built: what pure code calls, and whether every test became a program.

CTest runs it; TIDY_LAYERS names a file that says where the archive of each layer lies, TIDY_BUILD the folder of the build.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import layers
import repository

ROOT = pathlib.Path(__file__).resolve().parents[2]
# All that pure code may ask for; everything else reaches it as an argument. (bcmp is how clang spells a
# memcmp that is only asked whether it is zero, memmove how gcc spells a loop that shifts a list.)
ALLOWED = {"memcpy", "memmove", "memset", "memcmp", "bcmp", "__assert_fail", "_GLOBAL_OFFSET_TABLE_"}

DESCRIPTOR = re.compile(r"arbiter__\w+__descriptor")  # Of a message: data that protoc-c wrote.
COUNTERS = ("__gcov_", "__profc_")  # What the coverage preset puts into everything.
# Arithmetic that the dice leave to libsodium, and names of their kinds.
OF_DICE = re.compile(r"crypto_\w+|sodium_\w+|strcmp|strlen")

# Of these all is pure; of others that a core may know (wire, match, client) what it reaches.
PURE = {"base", "dice", "rules", "search", "mind", "game", "core", "schema", "history", "console/classroom", *layers.CORES}

ALONE = ("json", "decimal.c.o")   # No core reaches it today; it is pure all the same.


def not_built():
    """What there is to build before anything can be asked, as a sentence; None if all is there."""
    listed, build = os.environ.get("TIDY_LAYERS"), os.environ.get("TIDY_BUILD")
    if listed is None or build is None:
        return "CTest says what it reads: ctest --test-dir .build/PRESET -R '^tidy.built$'"
    wanted = [listed, f"{build}/compile_commands.json"]
    if os.path.exists(listed):
        wanted += json.loads(pathlib.Path(listed).read_text()).values()
    absent = [path for path in wanted if not os.path.exists(path)]
    if absent:
        return f"not built yet: {', '.join(absent)}; cmake --build {build} builds it"
    return None


def symbols(archive, flag):
    """(member, symbol) of an archive or object."""
    listed = subprocess.run(["nm", "-A", "-g", flag, str(archive)], capture_output=True, text=True, check=True)
    for line in listed.stdout.splitlines():
        place, rest = line.rsplit(":", 1)
        yield place.rsplit(":", 1)[-1].rsplit("/", 1)[-1], rest.split()[-1]


def row_of(layer):
    """The layers that one may call. Each game has an archive of its own, and knows no other."""
    return layers.LAYERS[layer_in_table(layer)]


def layer_in_table(layer):
    return "game" if layer.startswith("game/") else layer


def impure(archives):
    """Calls that pure code may not make, itself or by what it reaches; `archives` is {layer: path}.

    A layer may call itself, base, and what its row in the table of layers names.
    """
    defined = {layer: {name: member for member, name in symbols(path, "--defined-only")}
               for layer, path in archives.items()}
    calls = {layer: {} for layer in archives}
    for layer, path in archives.items():
        for member, name in symbols(path, "--undefined-only"):
            calls[layer].setdefault(member, set()).add(name)
    waiting = [(layer, member) for layer in archives for member in calls[layer]
               if layer_in_table(layer) in PURE or (layer, member) == ALONE]
    reached, findings = set(waiting), []
    while waiting:
        layer, member = waiting.pop()
        for name in sorted(calls[layer].get(member, ())):
            known = [other for other in (layer, "base", *row_of(layer)) if name in defined.get(other, {})]
            if known:
                callee = (known[0], defined[known[0]][name])
                if callee not in reached:
                    reached.add(callee)
                    waiting.append(callee)
            elif not is_allowed(layer, name):
                findings.append(f"{layer}: {member} calls {name}, and may not")
    return sorted(findings)


def is_allowed(layer, name):
    if layer == "dice" and OF_DICE.fullmatch(name):
        return True
    return name in ALLOWED or name.startswith(COUNTERS) or \
        (layer_in_table(layer) not in ("base", "rules", "game", "dice") and DESCRIPTOR.fullmatch(name) is not None)


def unbuilt(tests, build):
    """Tests that the build does not compile."""
    commands = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
    compiled = {os.path.realpath(command["file"]) for command in commands}
    return [test for test in tests if os.path.realpath(test) not in compiled]


class WhatWasBuilt(unittest.TestCase):
    def setUp(self):
        self.archives = json.loads(pathlib.Path(os.environ["TIDY_LAYERS"]).read_text())
        self.build = pathlib.Path(os.environ["TIDY_BUILD"])

    def planted(self, **sources):
        """What is found where these layers are all there is, each of one line of C ("__" for a slash)."""
        with tempfile.TemporaryDirectory() as folder:
            archives = {}
            for layer, text in sources.items():
                source = pathlib.Path(folder) / f"{layer}.c"
                source.write_text(text)
                subprocess.run(["cc", "-c", "-o", source.with_suffix(".o"), source], check=True)
                archives[layer.replace("__", "/")] = source.with_suffix(".o")
            return impure(archives)

    def test_every_pure_layer_is_asked(self):
        self.assertEqual({layer_in_table(layer) for layer in self.archives}, PURE | {"wire", "json", "match", "client"})
        members = {member for path in self.archives.values() for member, _ in symbols(path, "--defined-only")}
        self.assertLessEqual({"legal.c.o", "engine.c.o", "history.c.o", "outbox.c.o", "peers.c.o"}, members)
        self.assertGreater(len([layer for layer in self.archives if layer.startswith("game/")]), 4)

    def test_pure_code_calls_nothing(self):
        self.assertEqual(impure(self.archives), [])

    def test_a_call_in_pure_code_is_seen(self):
        luck = "long time(long *); long luck(void); long luck(void) { return time(0); }\n"
        for layer in ("base", "game__nim", "lobby", "gateway__rest", "console__classroom"):
            with self.subTest(layer):
                found = self.planted(**{layer: luck})
                self.assertEqual(len(found), 1)
                self.assertIn("calls time", found[0])

    def test_a_call_of_another_core_is_seen(self):
        found = self.planted(lobby="int seats(void); int sit(void); int sit(void) { return seats(); }\n",
                             engine="int seats(void); int seats(void) { return 4; }\n")
        self.assertEqual(found, ["lobby: lobby.o calls seats, and may not"])

    def test_a_call_of_another_game_is_seen(self):
        found = self.planted(game__chess="int roll(void); int move(void); int move(void) { return roll(); }\n",
                             game__go="int roll(void); int roll(void) { return 4; }\n")
        self.assertEqual(found, ["game/chess: game__chess.o calls roll, and may not"])

    def test_a_call_by_way_of_another_layer_is_seen(self):
        pack = "long time(long *); long pack(void); long pack(void) { return time(0); }\n"
        self.assertEqual(self.planted(wire=pack), [])   # The wire may, as long as no core asks it.
        found = self.planted(wire=pack, core="long pack(void); long step(void); long step(void) { return pack(); }\n")
        self.assertEqual(found, ["wire: wire.o calls time, and may not"])

    def test_only_dice_leave_hashing_to_a_library(self):
        hashing = "int crypto_hash(void); int draw(void); int draw(void) { return crypto_hash(); }\n"
        self.assertEqual(self.planted(dice=hashing), [])
        self.assertEqual(len(self.planted(engine=hashing)), 1)

    def test_every_test_became_a_program(self):
        tests = [ROOT / path for path in repository.Repository(ROOT).ending("_test.c")]
        self.assertGreater(len(tests), 3)
        self.assertEqual(unbuilt(tests, self.build), [])

    def test_a_forgotten_test_is_seen(self):
        forgotten = ROOT / "tests" / "unit" / "forgotten_test.c"
        self.assertEqual(unbuilt([forgotten], self.build), [forgotten])

    def test_of_half_a_build_it_is_said_what_is_missing(self):
        for lacks, said in (({"TIDY_LAYERS": "/absent/layers.json"}, "not built yet: /absent/layers.json; cmake --build"),
                            ({"TIDY_BUILD": "/absent"}, "not built yet: /absent/compile_commands.json; cmake --build"),
                            ({"TIDY_LAYERS": None}, "CTest says what it reads")):
            with self.subTest(lacks=lacks):
                given = {name: value for name, value in {**os.environ, **lacks}.items() if value is not None}
                run = subprocess.run([sys.executable, "-B", __file__], env=given, capture_output=True, text=True,
                                     timeout=60, check=False)
                self.assertEqual((run.returncode, run.stdout), (1, ""))
                self.assertTrue(run.stderr.startswith(f"tidy.built: {said}"), run.stderr)
                self.assertEqual(run.stderr.count("\n"), 1)


if __name__ == "__main__":
    if wanting := not_built():
        sys.exit(f"tidy.built: {wanting}")
    unittest.main()
