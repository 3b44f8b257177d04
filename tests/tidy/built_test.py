"""built_test.py: asks what was built: what pure code calls, and whether every test became a program.

CTest runs it; TIDY_PURE names the archive of all pure code, TIDY_CORES that of the services' cores, TIDY_DICE
that of the dice, TIDY_BUILD the folder of the build.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import repository

ROOT = pathlib.Path(__file__).resolve().parents[2]
# All that pure code may ask for; everything else reaches it as an argument. (bcmp is how clang spells a
# memcmp that is only asked whether it is zero, memmove how gcc spells a loop that shifts a list.)
ALLOWED = {"memcpy", "memmove", "memset", "memcmp", "bcmp", "__assert_fail", "_GLOBAL_OFFSET_TABLE_"}

DESCRIPTOR = re.compile(r"arbiter__\w+__descriptor")  # Of a message: data that protoc-c wrote.
COUNTERS = ("__gcov_", "__profc_")  # What the coverage preset puts into everything.


def not_built():
    """What there is to build before anything can be asked, as a sentence; None if all is there."""
    archives = [os.environ.get(name) for name in ("TIDY_PURE", "TIDY_CORES", "TIDY_DICE")]
    build = os.environ.get("TIDY_BUILD")
    if None in archives or build is None:
        return "CTest says what it reads: ctest --test-dir .build/PRESET -R '^tidy.built$'"
    absent = [path for path in (*archives, f"{build}/compile_commands.json") if not os.path.exists(path)]
    if absent:
        return f"not built yet: {', '.join(absent)}; cmake --build {build} builds it"
    return None


def symbols(archive, flag):
    """(member, symbol) of an archive or object."""
    listed = subprocess.run(["nm", "-A", flag, str(archive)], capture_output=True, text=True, check=True)
    for line in listed.stdout.splitlines():
        place, rest = line.rsplit(":", 1)
        yield place.rsplit(":", 1)[-1], rest.split()[-1]


def impure(archive, *others):
    """What the archive needs from outside itself, and from outside the others, and may not."""
    inside = {name for part in (archive, *others) for _, name in symbols(part, "--defined-only")}
    return sorted({f"{member} calls {name}, and pure code may not"
                   for member, name in symbols(archive, "--undefined-only")
                   if name not in inside | ALLOWED and not name.startswith(COUNTERS)
                   and not DESCRIPTOR.fullmatch(name)})


def unbuilt(tests, build):
    """Tests that the build does not compile."""
    commands = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
    compiled = {os.path.realpath(command["file"]) for command in commands}
    return [test for test in tests if os.path.realpath(test) not in compiled]


class WhatWasBuilt(unittest.TestCase):
    def setUp(self):
        self.pure = pathlib.Path(os.environ["TIDY_PURE"])
        self.cores = pathlib.Path(os.environ["TIDY_CORES"])
        self.dice = pathlib.Path(os.environ["TIDY_DICE"])
        self.build = pathlib.Path(os.environ["TIDY_BUILD"])

    def test_pure_code_calls_nothing(self):
        members = {member for member, _ in symbols(self.pure, "--defined-only")}
        self.assertIn("legal.c.o", members)
        self.assertEqual(impure(self.pure), [])

    def test_cores_call_only_what_is_pure(self):
        members = {member for member, _ in symbols(self.cores, "--defined-only")}
        self.assertLessEqual({"engine.c.o", "history.c.o", "outbox.c.o", "peers.c.o"}, members)
        self.assertEqual(impure(self.cores, self.pure, self.dice), [])

    def test_a_call_in_pure_code_is_seen(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "dishonest.c"
            source.write_text("long time(long *); long luck(void); long luck(void) { return time(0); }\n")
            planted = source.with_suffix(".o")
            subprocess.run(["cc", "-c", "-o", planted, source], check=True)
            self.assertEqual(len(impure(planted)), 1)
            self.assertIn("calls time", impure(planted)[0])

    def test_every_test_became_a_program(self):
        tests = [ROOT / path for path in repository.Repository(ROOT).ending("_test.c")]
        self.assertGreater(len(tests), 3)
        self.assertEqual(unbuilt(tests, self.build), [])

    def test_a_forgotten_test_is_seen(self):
        forgotten = ROOT / "tests" / "unit" / "forgotten_test.c"
        self.assertEqual(unbuilt([forgotten], self.build), [forgotten])

    def test_of_half_a_build_it_is_said_what_is_missing(self):
        for lacks, said in (({"TIDY_CORES": "/absent/libcores.a"}, "not built yet: /absent/libcores.a; cmake --build"),
                            ({"TIDY_BUILD": "/absent"}, "not built yet: /absent/compile_commands.json; cmake --build"),
                            ({"TIDY_PURE": None}, "CTest says what it reads")):
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
