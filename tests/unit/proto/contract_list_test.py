"""contract_list_test.py: the list of messages forgets those of a .proto that is gone, though their C is still there."""
import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(os.environ["ARBITER_SOURCE"]) / "deploy/cmake/ContractList.cmake"


class ContractList(unittest.TestCase):
    def test_only_headers_of_protos_that_are_there_are_listed(self):
        with tempfile.TemporaryDirectory(prefix="contract-") as folder:
            for name in ("here", "gone"):
                pathlib.Path(folder, f"{name}.pb-c.h").write_text(
                    f"extern const ProtobufCMessageDescriptor arbiter__{name}__descriptor;\n")
            pathlib.Path(folder, "headers.txt").write_text("here.pb-c.h\n")
            subprocess.run(["cmake", "-D", f"FOLDER={folder}", "-P", SCRIPT], check=True)
            listed = pathlib.Path(folder, "contract_list.h").read_text()
        self.assertIn('#include "here.pb-c.h"', listed)
        self.assertIn("MESSAGE(arbiter__here__descriptor)", listed)
        self.assertNotIn("gone", listed)


if __name__ == "__main__":
    unittest.main()
