"""types_test.py: every build type of CMake's keeps assertions, with Ninja and with Make, and warnings are errors only when asked."""
import json
import os
import pathlib
import shlex
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
# The type that is asked for, and what the compiler is told to optimize for.
TYPES = {"": "-O2", "None": None, "Debug": None, "Release": "-O3", "RelWithDebInfo": "-O2", "MinSizeRel": "-Os"}


class BuildTypes(unittest.TestCase):
    def setUp(self):
        self.build = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="arbiter-types-")))
        self.environment = {name: value for name, value in os.environ.items()
                            if name not in ("CFLAGS", "CMAKE_BUILD_TYPE", "CMAKE_GENERATOR")}

    def run_cmake(self, *words):
        ran = subprocess.run(["cmake", *words], capture_output=True, text=True, check=False, env=self.environment)
        self.assertEqual(ran.returncode, 0, ran.stdout[-2000:] + ran.stderr)

    def configured(self, build_type, *words):
        """The flags with which common/base/text.c is compiled."""
        asked = [f"-DCMAKE_BUILD_TYPE={build_type}"] if build_type else []
        self.run_cmake("-S", SOURCE, "-B", self.build, "-DBUILD_TESTING=OFF", *asked, *words)
        commands = json.loads((self.build / "compile_commands.json").read_text())
        return next(shlex.split(entry["command"]) for entry in commands if entry["file"].endswith("/common/base/text.c"))

    def test_assertions_stay_on_in_every_type(self):
        for build_type, level in TYPES.items():
            with self.subTest(build_type), tempfile.TemporaryDirectory(prefix="arbiter-types-") as folder:
                self.build = pathlib.Path(folder)
                flags = self.configured(build_type, "-G", "Ninja")
                self.assertEqual([flag for flag in flags if "NDEBUG" in flag], [])
                self.assertEqual([flag for flag in flags if flag.startswith("-O")], [level] if level else [])

    def test_assertions_stay_on_with_flags_of_ones_own(self):
        flags = self.configured("Release", "-G", "Ninja", "-DCMAKE_C_FLAGS=-DNDEBUG -DNDEBUGGING=1 -march=native -D NDEBUG=1")
        self.assertEqual([flag for flag in flags if "NDEBUG" in flag], ["-DNDEBUGGING=1"])
        self.assertIn("-march=native", flags)

    def test_a_build_anywhere_finds_what_programs_look_for(self):
        self.configured("Release", "-G", "Ninja")
        self.assertTrue((self.build / "share/arbiter/configs/dead/standard.json").exists())
        self.assertTrue(list((self.build / "share/arbiter/setups/nim").glob("*.json")))

    def test_warnings_are_errors_when_asked(self):
        self.assertNotIn("-Werror", self.configured("Release", "-G", "Ninja"))
        self.assertIn("-Werror", self.configured("Release", "-DARBITER_WERROR=ON"))

    def test_make_builds_what_ninja_builds(self):
        self.configured("Release", "-G", "Unix Makefiles")
        self.run_cmake("--build", self.build, "--target", "base", "dice")
        asked = subprocess.run(["nm", "-u", self.build / "libdice.a"], capture_output=True, text=True, check=True).stdout
        self.assertIn("__assert_fail", asked)


if __name__ == "__main__":
    unittest.main()
