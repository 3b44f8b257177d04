"""utf8_ranges.py: writes common/wire/utf8_ranges.h from Unicode as Python knows it: python3 utf8_ranges.py > common/wire/utf8_ranges.h

unseen: the categories Cc, Cf, Zl, Zp, and Zs but the space; what Unicode names a filler, a selector, a joiner, an inherent
        vowel, blank or null; and what is kept free for characters that nobody is to see.
marks:  the categories Mn, Mc and Me. Characters of no meaning yet between two marks count as marks, so that the table is short.
"""
import re
import unicodedata

NAMES = re.compile(r"FILLER|VARIATION SELECTOR|GRAPHEME JOINER|INHERENT|PATTERN BLANK|NULL NOTEHEAD")
KEPT_FREE = ((0x2065, 0x2065), (0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF))  # Default_Ignorable_Code_Point, not assigned.


def unseen(code):
    letter = chr(code)
    return (unicodedata.category(letter) in ("Cc", "Cf", "Zl", "Zp") or unicodedata.category(letter) == "Zs" and letter != " "
            or bool(NAMES.search(unicodedata.name(letter, ""))) or any(first <= code <= last for first, last in KEPT_FREE))


def mark(code):
    return unicodedata.category(chr(code))[0] == "M"


def ranges(rule, bridges):
    found, is_open = [], False
    for code in range(0x110000):
        if rule(code):
            if is_open:
                found[-1][1] = code
            else:
                found.append([code, code])
            is_open = True
        elif not (bridges and unicodedata.category(chr(code)) == "Cn"):
            is_open = False
    return found


def table(name, found):
    lines = ["    " + " ".join(f"{{ 0x{first:x}, 0x{last:x} }}," for first, last in found[at:at + 4]) for at in range(0, len(found), 4)]
    return "\n".join([f"static const struct range {name}[] = {{", *lines, "};"])


def header():
    return "\n".join([
        f"/* utf8_ranges.h: characters that no name has, and marks that stand on another; Unicode {unicodedata.unidata_version}. Written by",
        " * tests/unit/common/wire/utf8_ranges.py, which states the rule. */",
        "#ifndef ARBITER_UTF8_RANGES_H", "#define ARBITER_UTF8_RANGES_H", "", "#include <stdint.h>", "",
        "struct range {", "    uint32_t first, last;", "};", "", "/* clang-format off */",
        table("unseen", ranges(unseen, False)), "", table("marks", ranges(mark, True)), "/* clang-format on */", "", "#endif", ""])


if __name__ == "__main__":
    print(header(), end="")
