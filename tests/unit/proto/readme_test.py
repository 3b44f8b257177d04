"""readme_test.py: the programs of proto/README.md, as they stand there, print what stands below them."""
import os
import pathlib
import re
import subprocess
import sys
import unittest

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
EXAMPLE = re.compile(r"^```python\n(.*?)^```\n\n^```text\n(.*?)^```$", re.M | re.S)


class Readme(unittest.TestCase):
    def test_each_program_prints_what_stands_below_it(self):
        examples = EXAMPLE.findall((SOURCE / "proto" / "README.md").read_text(encoding="utf-8"))
        self.assertEqual(len(examples), 2)
        for program, wanted in examples:
            ran = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, cwd=SOURCE,
                                 env={**os.environ, "PYTHONPATH": str(SOURCE / "common" / "client" / "python")})
            self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, wanted, ""), program)


if __name__ == "__main__":
    unittest.main()
