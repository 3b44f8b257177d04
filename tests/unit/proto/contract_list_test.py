"""contract_list_test.py: the list of messages, and the names of their fields, forget a .proto that is gone, though its C is still there."""
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
                pathlib.Path(folder, f"{name}.pb-c.c").write_text(
                    f"static const ProtobufCFieldDescriptor arbiter__{name}__field_descriptors[1] =\n{{\n  {{\n    \"seat\",\n    7,\n")
            pathlib.Path(folder, "headers.txt").write_text("here.pb-c.h\n")
            subprocess.run(["cmake", "-D", f"FOLDER={folder}", "-P", SCRIPT], check=True)
            listed = pathlib.Path(folder, "contract_list.h").read_text()
            fields = pathlib.Path(folder, "here_fields.h").read_text()
            self.assertFalse(pathlib.Path(folder, "gone_fields.h").exists())
        self.assertIn('#include "here.pb-c.h"', listed)
        self.assertIn("MESSAGE(arbiter__here__descriptor)", listed)
        self.assertNotIn("gone", listed)
        self.assertIn("FIELD_HERE_SEAT = 7,", fields)


if __name__ == "__main__":
    unittest.main()
