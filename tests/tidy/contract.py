"""contract.py: what every .proto keeps to, so that messages stay small to read and bounded to decode."""
import re

from repository import found

SCALARS = {"double", "float", "int32", "int64", "uint32", "uint64", "sint32", "sint64", "fixed32", "fixed64",
           "sfixed32", "sfixed64", "bool", "string", "bytes"}
FIELD = re.compile(r"^\s*(?:(optional|repeated|required)\s+)?([\w.]+)\s+(\w+)\s*=\s*(\d+)\s*(?:\[[^]]*\])?;")
BANNED = r"^\s*(required|extensions|extend|group|map\s*<)|^\s*(optional|repeated)\s+group\b"


def statements(text):
    """(line, enclosing message or None, inside an enum, code, has a comment) of every line with code."""
    nest, above = [], False
    in_block = False
    for number, line in enumerate(text.split("\n"), 1):
        code = re.sub(r"//.*|/\*.*?\*/", "", line)
        commented = "//" in line or "/*" in line or in_block
        if in_block or "/*" in code:
            in_block = "*/" not in line
            code = "" if in_block or "*/" in line else code
        opens = re.match(r"\s*(message|enum|oneof)\s+(\w+)\s*\{", code)
        if code.strip():
            message = ".".join(name for kind, name in nest if kind == "message") or None
            yield number, message, bool(nest and nest[-1][0] == "enum"), code, commented or above
        if opens and "}" not in code:
            nest.append(opens.groups())
        elif re.match(r"\s*\}", code) and nest:
            nest.pop()
        above = commented and not code.strip()


def contracts(repo):
    """What travels; not the messages that tests make up."""
    return [path for path in repo.ending(".proto") if not path.startswith("tests/")]


def contract_rules(repo):
    findings, uses = [], {}
    for path in contracts(repo):
        text = repo.text(path)
        if not re.search(r'^syntax = "proto2";', text, re.M):
            findings.append(f'{path}:1: it says syntax = "proto2";')
        described = {name for _, name, in_enum, code, commented in statements(text)
                     for name in re.findall(r"^\s*message\s+(\w+)", code) if commented}
        for number, message, in_enum, code, commented in statements(text):
            if re.match(BANNED, code):
                findings.append(f"{path}:{number}: only optional and repeated fields: {code.strip()}")
            field = FIELD.match(code)
            if not field or in_enum or message is None:
                continue
            # What a message is, its own comment says; a field of that type may rest on it.
            if not commented and field.group(2) not in described:
                findings.append(f"{path}:{number}: the field {field.group(3)} has no comment")
            if field.group(2) not in SCALARS:
                here = f"{path}:{message.split('.')[-1]}"
                uses.setdefault(here, set()).add(f"{path}:{field.group(2).split('.')[-1]}")
    return findings + [f"{name}: a message must not contain itself" for name in sorted(uses)
                       if reaches(uses, name, name)]


def reaches(uses, start, goal):
    """Whether a message, through whatever it contains, contains the goal."""
    seen, waiting = set(), list(uses.get(start, ()))
    while waiting:
        name = waiting.pop()
        if name == goal:
            return True
        if name not in seen:
            seen.add(name)
            waiting.extend(uses.get(name, ()))
    return False


# Where the number of a field may stand: compared with one that was read, before what is written, in a tag, in a question.
LITERAL = r"\(?\b(?:[1-9]|0[xX])"
NUMBERED = r"(?:\.|->)number\s*[!=]=\s*" + LITERAL + \
           r"|" + LITERAL + r"[\da-fA-F]*[uUlL]*\)?\s*[!=]=\s*[\w.>\[\]-]*(?:\.|->)number\b" \
           r"|\b(?:field|down)_(?:bytes|number|signed|text)\((?:[^(),]|\([^()]*\))+,\s*\(?\d" \
           r"|\b\d\w*\)?\s*<<\s*3[uUlL]*\b|\b(?:BYTES|NUMBER)_TAG\(\s*\d" \
           r"|message_descriptor_get_field\([^,]+,\s*\d|\bfields?(?:\[[^]]*\])?(?:\.|->)id\s*[!=]=\s*" + LITERAL


def field_numbers(repo):
    """Numbers of fields have names in C: contract/NAME_fields.h has all of them."""
    sources = [path for path in repo.ending(".c", ".h") if path.startswith(("common/", "services/")) and "/tests/" not in path]
    return found(repo, sources, NUMBERED, "the number of a field is its name, FIELD_..., not: {0}", text=repo.code)


# What these begin with, wire/names.h says in a word. The native peer is written from proto/ alone, and so has names of its own.
NAMED = {"ARBITER__WIRE__KIND__KIND_": "KIND", "ARBITER__WIRE__REFUSAL__REFUSAL_": "REFUSAL", "ARBITER__DIRECTORY__ROLE__ROLE_": "ROLE"}
NAMERS = ("common/wire/names.h", "tests/process/native/peer.c")


def long_names(repo):
    """Kinds, refusals and roles are said by the macros that there are for them."""
    sources = [path for path in repo.ending(".c", ".h") if path not in NAMERS]
    return [finding for prefix, macro in NAMED.items()
            for finding in found(repo, sources, prefix + r"\w*", "{0} is said " + macro + "(...), of wire/names.h", text=repo.code)]
