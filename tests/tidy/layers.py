"""layers.py: who may include whom. A layer knows only those that the table names beside it."""
import re

from repository import found

# Layer: the layers whose headers it may include, besides its own.
LAYERS = {
    "base": [],
    "dice": ["base"],
    "rules": ["base", "dice", "games"],
    "games": ["base", "dice", "wire"],
    "wire": ["base", "dice", "games"],
    "match": ["base", "dice", "games", "wire"],
    "core": ["base", "wire"],
    "schema": ["base", "wire", "core", "games"],
    "history": ["base", "dice", "games", "wire", "match", "core", "schema"],
    "bus": ["base", "wire"],
    "store": ["base", "core"],
    "shell": ["base", "wire", "core", "bus", "store"],
    "client": ["base", "dice", "games", "wire", "match", "core", "bus"],
}

# Processes whose cores read and write messages.
SERVICES = ["lobby", "engine", "fanout", "watchdog", "gateway", "bot"]

# Headers of libraries: the layers that may include them. What is not named here is a question of taste.
LIBRARIES = {
    r"(c?zmq|zsock|zactor)\w*\.h": ["bus"],
    r"sys/(socket|un|epoll)\.h|netinet/.*|arpa/.*|netdb\.h": ["bus", "shell", "gateway shell"],
    r"poll\.h": ["bus", "shell", "gateway shell", "store"],   # A database is waited for, but not for ever.
    r"sqlite3\.h|libpq.*\.h": ["store"],
    r"libwebsockets\.h|libxml/.*": ["gateway shell"],
    r"jansson\.h": ["wire", "match", "console", "games", "gateway shell"],   # Recordings that conform reads are JSON.
    r"protobuf-c/.*|.*\.pb-c\.h": ["wire", "games", "match", "core", "history", "shell", "client", "console"]
                              + SERVICES + ["gateway shell"],
}

# All that pure code may include of the C library.
PURE_HEADERS = {"assert.h", "limits.h", "stdalign.h", "stdbool.h", "stddef.h", "stdint.h", "string.h"}


def layer_of(path):
    """The layer of a source file; None where no rule applies (tests)."""
    part = path.split("/")
    if part[0] == "services" and len(part) > 3 and part[2] == "shell":
        return f"{part[1]} shell"
    if part[0] == "services" and len(part) > 2:
        return part[1]
    if part[0] != "common" or len(part) < 3 or re.search(r"_test(_\w+)?\.[ch]$", path):
        return None
    if part[1] != "games":
        return part[1]
    is_wire = re.search(r"_(wire|conform)\.[ch]$", path) or part[2] in ("registry.c", "registry.h")
    return "games" if is_wire else "rules"


def includes(repo, path):
    for number, line in enumerate(repo.text(path).split("\n"), 1):
        match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if match:
            yield number, match.group(1) == "<", match.group(2)


def is_ours(repo, header):
    return repo.exists(f"common/{header}") or repo.exists(header)


def _of_ours(path, layer, header):
    """What is wrong with including one of our headers, or None."""
    part = header.removeprefix("common/").split("/")
    if part[0] == "services" or layer not in LAYERS:
        return None
    target = part[0]
    if layer == "rules" and target == "games" and len(part) > 2 and part[1] != path.split("/")[2]:
        return f"a game does not know the game {part[1]}"
    if layer == "rules" and re.search(r"_(wire|conform)\.h$|games/registry\.h", header):
        return "rules do not know their own mapping"
    if target in ("games", layer) and layer in ("rules", "games", target):
        return None
    if target not in LAYERS[layer]:
        return f"{layer} may not know {target}"
    return None


def _of_library(layer, header):
    for pattern, allowed in LIBRARIES.items():
        if re.fullmatch(pattern, header) and layer not in allowed:
            return f"<{header}> belongs to {' and '.join(allowed)}, not to {layer}"
    if layer == "rules" and header not in PURE_HEADERS:
        return f"rules are pure: they include nothing of <{header}>"
    return None


def layers_by_includes(repo):
    findings = []
    for path in repo.ending(".c", ".h"):
        layer = layer_of(path)
        if layer is None:
            continue
        for number, angled, header in includes(repo, path):
            ours = is_ours(repo, header) or f"{path.rsplit('/', 1)[0]}/{header}" in repo.paths
            wrong = _of_ours(path, layer, header) if ours else _of_library(layer, header)
            if wrong:
                findings.append(f"{path}:{number}: {wrong}")
    return findings


BANNED = {
    r"strcpy|strcat|stpcpy|strncpy|strncat": "use memcpy with a length, or text_put",
    r"sprintf|vsprintf": "use snprintf",
    r"gets|strtok|atoi|atol|atoll|atof": "it cannot report an error",
    r"rand|srand|random|drand48": "dice are handed in (common/dice)",
    r"alloca": "sizes are bounded and placed at start",
    r"system|popen": "no shell between us and the system",
    r"tmpnam|tempnam|mktemp": "use mkstemp",
    r"setjmp|longjmp": "errors are returned",
}
CLOCKS = r"(?<![\w.>])(time|gettimeofday|clock_gettime|clock|localtime|gmtime)\s*\("


def banned_calls(repo):
    findings = []
    sources = [path for path in repo.ending(".c", ".h")]
    for names, remedy in BANNED.items():
        findings += found(repo, sources, rf"(?<![\w.>])({names})\s*\(",
                          "{0}...) is not used here: " + remedy, repo.code)
    return findings + found(repo, [path for path in sources if not may_read_clocks(path)], CLOCKS,
                            "{0}...): only shells, the console and tests read a clock", repo.code)


def may_read_clocks(path):
    return re.match(r"tests/|services/console/|services/\w+/(main\.c|shell/)|common/(shell|base/clock)", path)
