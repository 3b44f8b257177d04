"""contract_test.py: a changed .proto is made into C anew together with those that import it, and no other is."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])


class Contract(unittest.TestCase):
    def setUp(self):
        self.tree = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="arbiter-contract-")))
        leave = shutil.ignore_patterns("node_modules", "__pycache__", "recorded", "corpus")
        for name in ("common", "services", "proto", "configs", "deploy"):
            shutil.copytree(SOURCE / name, self.tree / name, ignore=leave)
        for name in ("CMakeLists.txt", "LICENSE"):
            shutil.copy(SOURCE / name, self.tree)
        self.build = self.tree / "build"
        self.run_words("cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja", "-DBUILD_TESTING=OFF",
                       "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_C_COMPILER_LAUNCHER=")
        self.run_words("ninja", "-C", self.build, *self.generated())

    def run_words(self, *words):
        ran = subprocess.run(words, capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stdout[-2000:] + ran.stderr)
        return ran.stdout

    def generated(self):
        protos = [*self.tree.glob("proto/*.proto"), *self.tree.glob("common/games/*/*.proto")]
        self.assertGreater(len(protos), 10)
        return [f"contract/{proto.stem}.pb-c.h" for proto in protos]

    def made_anew(self, path, line=""):
        """The files that are made into C when a line comes to this one."""
        with open(self.tree / path, "a") as proto:
            proto.write(f"\n{line or '// A remark.'}\n")
        said = self.run_words("ninja", "-v", "-C", self.build, *self.generated())
        return {pathlib.Path(name).stem for name in re.findall(r"--dependency_out=\S+ (\S+\.proto)", said)}

    def test_only_what_imports_it_is_made_anew(self):
        self.assertEqual(self.made_anew("common/games/nim/nim.proto"), {"nim"})
        self.assertEqual(self.made_anew("proto/directory.proto"), {"directory", "lobby", "watchdog", "browser"})

    def test_an_import_that_is_new_counts(self):
        self.assertEqual(self.made_anew("common/games/nim/nim.proto", 'import "directory.proto";'), {"nim"})
        self.assertIn("nim", self.made_anew("proto/directory.proto"))


if __name__ == "__main__":
    unittest.main()
