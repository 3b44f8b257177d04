"""utf8_ranges_test.py: the table of what stands in no name is the one that its rule makes; a newer Unicode only adds to it."""
import pathlib
import re
import unicodedata
import unittest

import utf8_ranges

TABLE = pathlib.Path(__file__).parents[4] / "common/wire/utf8_ranges.h"


def codes(text, name):
    inside = re.search(rf"{name}\[\] = \{{(.*?)\n\}};", text, re.S).group(1)
    ranges = [(int(first, 16), int(last, 16)) for first, last in re.findall(r"\{ (0x\w+), (0x\w+) \}", inside)]
    return {code for first, last in ranges for code in range(first, last + 1)}


class Ranges(unittest.TestCase):
    def test_the_table_is_what_the_rule_makes(self):
        written = TABLE.read_text()
        self.assertGreater(len(codes(written, "unseen")), 4096)
        self.assertGreater(len(codes(written, "marks")), 2000)
        if f"Unicode {unicodedata.unidata_version}." in written:
            self.assertEqual(written, utf8_ranges.header())
            return
        for name, rule in (("unseen", utf8_ranges.unseen), ("marks", utf8_ranges.mark)):
            wrong = [hex(code) for code in codes(written, name) if not rule(code) and unicodedata.category(chr(code)) != "Cn"]
            self.assertLessEqual(len(wrong), 8, wrong)


if __name__ == "__main__":
    unittest.main()
