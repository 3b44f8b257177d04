"""wheel_test.py: a stranger builds the package of Python as a wheel, offline, and plays with it in a venv of their own."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"]).resolve()
PACKAGE = SOURCE / "common/client/python"


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="arbiter-wheel-")))
        cls.before = cls.sources()
        subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", cls.folder / "venv"], check=True)
        cls.run_line("-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-index", PACKAGE)

    @classmethod
    def sources(cls):
        return sorted(path for path in PACKAGE.rglob("*") if "__pycache__" not in path.parts)

    @classmethod
    def run_line(cls, *words):
        bare = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        ran = subprocess.run([cls.folder / "venv/bin/python", *words], cwd=cls.folder, text=True, capture_output=True,
                             check=False, env={**bare, "ARBITER_BUILD": str(BUILD)})
        if ran.returncode != 0:
            raise AssertionError(ran.stdout + ran.stderr)
        return ran.stdout

    def test_it_brings_its_library_and_its_messages(self):
        where = self.run_line("-c", "import arbiter.env.library as l; from arbiter import messages as m; print(l.library.path, m.FOLDER)")
        for path in where.split():
            self.assertTrue(pathlib.Path(path).is_relative_to(self.folder / "venv"), where)

    def test_the_agent_on_one_screen_plays(self):
        said = self.run_line(SOURCE / "common/client/examples/agent.py", "nim", "greedy", "3")
        self.assertIn("nim against greedy: won", said)

    def test_nothing_is_written_beside_the_sources(self):
        self.assertEqual(self.sources(), self.before)


if __name__ == "__main__":
    unittest.main()
