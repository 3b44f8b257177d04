"""declared.py: what is declared where: a function or variable of another file is known by its header, never by a line written by hand.

layers.py judges includes. A prototype that somebody writes into a .c file would pass it by, and so would one in a header of another layer.
"""
import re

from layers import layer_of
from repository import found

# At the beginning of a statement: words of a type, a name, and an open bracket. After these words stands no declaration, or one of
# this file's own.
PROTOTYPE = re.compile(r"(?!(?:return|else|case|goto|sizeof|do|if|while|for|switch|typedef|static|static_assert|_Static_assert)\b)"
                       r"(?:__attribute__\s*\(\([^;]*?\)\)\s*)?(?:\w+[\s*]+)+\(?\s*(\w+)\s*\)?\s*\(")
EXTERN = re.compile(r"extern\b[^();{]*?(\w+)\s*(?:\[[^;]*)?$", re.S)

# These declare by a macro what stands in a list that CMake writes.
LISTS = ("common/games/registry.c", "services/console/faces/face.c")


def statements(code):
    """(line, text, ends with) of each statement, at whatever depth; directives are left out."""
    code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda found: "\n" * found.group().count("\n"), code, flags=re.M)
    line, begins, depth = 1, 0, 0
    for at, sign in enumerate(code):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign in ";{}" and depth <= 0:
            text = code[begins:at]
            yield line + text[:len(text) - len(text.lstrip())].count("\n"), text.strip(), sign
            line, begins, depth = line + code.count("\n", begins, at + 1), at + 1, 0


def declared(code):
    """(line, name) of each function and variable that is declared and not defined here."""
    seen, own = [], set()
    for line, text, sign in statements(code):
        prototype, extern = PROTOTYPE.match(text), EXTERN.match(text)
        if prototype and sign == "{":
            own.add(prototype.group(1))
        elif sign == ";" and (prototype or extern) and "=" not in text:
            seen.append((line, (prototype or extern).group(1)))
    return [(line, name) for line, name in seen
            if name not in own and not re.search(rf"^(?!extern\b)[^#\n]*\b{name}\s*(\[[^=;]*\]\s*)*=", code, re.M)]


def defined(code):
    """Names of the functions that are defined here."""
    for _, text, sign in statements(code):
        prototype = PROTOTYPE.match(text)
        if prototype and sign == "{":
            yield prototype.group(1)


def hand_written(repo):
    """Declarations in a .c file of what another file defines; and in a header, of what another layer defines."""
    findings = []
    sources = [path for path in repo.ending(".c", ".h") if layer_of(path) != "tests"]
    homes = {}   # Of each function: the layers that define one of this name.
    for path in sources:
        for name in defined(repo.code(path)) if path.endswith(".c") else ():
            homes.setdefault(name, set()).add(layer_of(path))
    for path in sources:
        for line, name in declared(repo.code(path)):
            if path.endswith(".c"):
                findings.append(f"{path}:{line}: {name} is declared by hand; include the header that has it")
            elif layer_of(path) not in homes.get(name, {layer_of(path)}):
                findings.append(f"{path}:{line}: {name} is a function of {min(homes[name])}, whose header declares it")
    return findings + found(repo, [path for path in sources if path not in LISTS], r"^\s*#.*\bextern\b.*",
                            "a macro declares nothing of another file: {0}", repo.code)
