"""hardened_test.py: reads back from programs how they were hardened, and that they do not name the folder they were built in.

    TIDY_BUILD=.build/release python3 -B tests/tidy/hardened_test.py             # the programs of a hardened build
    python3 -B tests/tidy/hardened_test.py Planted                               # only that each check can fail
    python3 -B tests/tidy/hardened_test.py --stripped PROGRAM...                 # programs of a package
"""
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What Debian's hardening=+all adds, and where only some processors have it.
COMPILED = ["-fstack-protector-strong", "-fstack-clash-protection", *(["-fcf-protection"] if platform.machine() == "x86_64" else [])]
FORTIFY = "-D_FORTIFY_SOURCE=2"
LINKED = {"-pie": "-no-pie", "-Wl,-z,relro": "-Wl,-z,norelro", "-Wl,-z,now": "-Wl,-z,lazy", "-Wl,-z,noexecstack": "-Wl,-z,execstack"}

# A program with an array and a call that the C library can check.
SOURCE = """#include <stdio.h>
int main(int count, char **words)
{
    char text[64];
    sprintf(text, "%s %d", words[0], count);
    return puts(text) < 0;
}
"""


def readelf(*words):
    return subprocess.run(["readelf", "-W", *words], capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C"}).stdout


def linked(program):
    """What the loader is told, and is not told."""
    told = readelf("-h", "-l", "-d", program)
    is_library = "(SONAME)" in told
    if not re.search(r"Type: +DYN", told) or not (is_library or re.search(r"\(FLAGS_1\).* PIE", told)):
        yield "is at the same address each time: no PIE"
    if "GNU_RELRO" not in told:
        yield "has tables of addresses that stay writable: no RELRO"
    if not re.search(r"\(FLAGS\).*BIND_NOW|\(FLAGS_1\).* NOW|\(BIND_NOW\)", told):
        yield "binds as it goes, so RELRO is not full: no -z now"
    if not re.search(r"GNU_STACK .* RW +0x", told):
        yield "has a stack that can be executed"
    if re.search(r"\((RPATH|RUNPATH)\)", told):
        yield "says itself where its libraries lie"


def called(program):
    """What the C library is asked to check."""
    names = set(re.findall(r" UND (\w+)", readelf("--dyn-syms", program)))
    if "__stack_chk_fail" not in names:
        yield "has no stack protector"
    if not any(name.endswith("_chk") for name in names):
        yield "has no call that FORTIFY checks"


def compiled(program):
    """Of each file it was made of, the flags, which gcc keeps in debug information."""
    units = re.findall(r"DW_AT_producer .*: (GNU C\d.*)", readelf("--debug-dump=info", "--dwarf-depth=1", program))
    if not units:
        yield "has no debug information of gcc's, so nobody knows its flags"
    for flag in COMPILED:
        without = sum(re.search(rf"{flag}(=full)?( |$)", unit) is None for unit in units)
        if without:
            yield f"has {without} files of {len(units)} without {flag}"


def placed(program, folder):
    if os.fsencode(folder) in pathlib.Path(program).read_bytes():
        yield f"names {folder}, where it was built"


def findings(program, folder, is_stripped=False):
    found = [*linked(program), *placed(program, folder)]
    if ".so." not in pathlib.Path(program).name:   # A library of pure code calls nobody.
        found += called(program)
    return [f"{pathlib.Path(program).name} {words}" for words in found + ([] if is_stripped else [*compiled(program)])]


class Planted(unittest.TestCase):
    """A program lacks one of them, and is found."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="hardened-")))
        (self.folder / "a.c").write_text(SOURCE)

    def built(self, *changed):
        """What is found of a program; of `changed`, flags to leave out, or pairs of one and what stands in its place."""
        other = dict(change if isinstance(change, tuple) else (change, None) for change in changed)
        flags = ["-g", "-O2", "-fPIE", "-U_FORTIFY_SOURCE", FORTIFY, *COMPILED, *LINKED, f"-ffile-prefix-map={self.folder}=."]
        flags = [other.get(flag, flag) for flag in flags]
        subprocess.run(["gcc", *filter(None, flags), "-o", self.folder / "a", self.folder / "a.c"], check=True, cwd=self.folder)
        return findings(self.folder / "a", self.folder)

    def test_a_hardened_program_passes(self):
        self.assertEqual(self.built(), [])

    def test_each_flag_that_is_missing_is_found(self):
        said = {"-pie": "no PIE", "-Wl,-z,relro": "no RELRO", "-Wl,-z,now": "no -z now", "-Wl,-z,noexecstack": "a stack that can be executed",
                FORTIFY: "no call that FORTIFY checks"}
        for flag, words in said.items():
            with self.subTest(flag):
                found = self.built((flag, LINKED.get(flag)))
                self.assertEqual(len(found), 1, found)
                self.assertIn(words, found[0])

    def test_each_flag_of_the_compiler_that_is_missing_is_found(self):
        for flag in COMPILED:
            with self.subTest(flag):
                off = {"-fstack-protector-strong": "-fno-stack-protector", "-fcf-protection": "-fcf-protection=none"}.get(flag, flag.replace("-f", "-fno-", 1))
                self.assertIn(f"a has 1 files of 1 without {flag}", self.built((flag, off)))

    def test_a_folder_that_is_named_is_found(self):
        found = self.built(f"-ffile-prefix-map={self.folder}=.")
        self.assertEqual(found, [f"a names {self.folder}, where it was built"])

    def test_a_place_for_libraries_is_found(self):
        self.assertEqual(self.built(("-Wl,-z,now", "-Wl,-z,now,-rpath,/nowhere")), ["a says itself where its libraries lie"])


class Programs(unittest.TestCase):
    def test_every_program_is_hardened(self):
        build = pathlib.Path(os.environ["TIDY_BUILD"])
        names = ["arbiter", *(f"arbiter-{main.parent.name}" for main in ROOT.glob("services/*/main.c") if main.parent.name != "console")]
        libraries = [path for path in build.glob("libarbiter-*.so.*") if not path.is_symlink()]
        self.assertEqual(len(names), 7)
        for program in [*(build / name for name in names), *libraries]:
            with self.subTest(program.name):
                self.assertEqual(findings(program, ROOT), [])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--stripped"]:
        sys.exit("\n".join(words for program in sys.argv[2:] for words in findings(program, ROOT, is_stripped=True)))
    unittest.main()
