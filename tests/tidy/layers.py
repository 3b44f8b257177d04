"""layers.py: who may include whom. A layer knows only those that the table names beside it."""
import posixpath
import re

from repository import found

# Every folder below common/ and services/ is a layer, and what it may include stands beside it: ours by its layer's
# name. All of that stands above it, so that no two know each other; base is known to all. Four layers are no folder:
# "game" is a game's rules (common/games/NAME), "games" what maps games to messages and recordings, "game tests" what tries
# a game out, and "NAME main" the program around a core.
LAYERS = {
    "base": [],
    "clock": [],
    "options": [],
    "dice": [],
    "rules": ["dice"],
    "game": ["dice", "rules"],
    "wire": ["dice", "rules"],
    "json": ["rules", "wire"],
    "games": ["dice", "rules", "game", "wire", "json"],
    "match": ["dice", "rules", "wire", "json", "games"],
    "core": ["wire"],
    "schema": ["rules", "wire", "games", "core"],   # Rows of stores, for who writes them and who reads them.
    "history": ["wire", "match", "schema"],
    "bus": ["clock", "wire"],
    "store": ["clock", "core"],
    "shell": ["clock", "options", "wire", "json", "core", "bus", "store"],
    "client": ["clock", "rules", "wire", "games", "core", "bus"],
    "client/example": ["client"],
    # A game's own tests. Those of treasure read the rows it keeps where they are kept.
    "game tests": ["dice", "rules", "game", "wire", "json", "games", "schema", "store"],

    # Cores: none knows another, a socket, a store or a shell.
    "lobby": ["dice", "rules", "wire", "core", "schema"],
    "engine": ["dice", "rules", "wire", "match", "core", "schema", "history"],
    "fanout": ["wire", "core"],
    "watchdog": ["wire", "core", "schema"],
    "bot": ["dice", "rules", "wire", "core", "client"],
    "gateway/archive": ["wire", "core", "client"],
    "gateway/browser": ["wire", "core", "client"],
    "gateway/rest": ["wire", "core", "schema", "client"],
    "gateway": ["core", "schema", "client", "gateway/archive", "gateway/browser", "gateway/rest"],

    # What stands around them.
    "gateway/shell/xml": ["clock", "gateway/rest", "gateway"],
    "gateway/shell/ws": ["clock", "wire", "json", "games", "shell", "gateway/browser"],
    "gateway/shell/http": ["clock", "rules", "game", "wire", "json", "games", "match", "core", "shell", "gateway/rest",
                           "gateway", "gateway/shell/xml", "gateway/shell/ws"],
    "lobby main": ["wire", "json", "games", "bus", "store", "shell", "lobby"],
    "engine main": ["json", "games", "schema", "shell", "engine"],
    "fanout main": ["wire", "shell", "fanout"],
    "watchdog main": ["shell", "watchdog"],
    "bot main": ["wire", "games", "shell", "bot"],
    "gateway main": ["wire", "shell", "gateway", "gateway/shell/http", "gateway/shell/ws"],

    # The console's rooms.
    "console/command": ["clock", "options", "wire", "json", "games", "match"],
    "console/faces": ["rules", "game", "wire", "json", "games", "match", "console/command"],
    "console/home": ["json", "bus", "shell", "console/command"],
    "console/trial": ["dice", "rules", "game", "wire", "games", "match", "bus", "client", "console/command",
                      "console/faces", "console/home"],
    "console/records": ["game", "match", "schema", "history", "store", "console/command", "console/faces",
                        "console/home"],
    "console/play": ["options", "rules", "game", "wire", "json", "client", "console/command", "console/faces", "console/home",
                     "console/trial"],
    "console/care": ["clock", "rules", "wire", "games", "match", "core", "schema", "bus", "store", "client",
                     "console/command", "console/home", "console/records", "console/play"],
    "console/classroom": ["wire", "games", "bus", "client", "console/command", "console/home", "console/trial"],
    # A tournament opens the doors of programs that know no other: the classroom's, and that of 2017.
    "console/tournament": ["clock", "rules", "game", "wire", "json", "match", "bus", "gateway/rest", "gateway/shell/xml",
                           "console/command", "console/trial", "console/classroom"],
    "console main": ["console/command"],
}

CORES = ["lobby", "engine", "fanout", "watchdog", "bot", "gateway/archive", "gateway/browser", "gateway/rest", "gateway"]
PURE = ["base", "dice", "rules", "game", "core", "schema", "history", *CORES]
IMPURE = [layer for layer in LAYERS if layer not in PURE]
MAINS = [layer for layer in LAYERS if layer.endswith(" main")]
DOORS = ["gateway/shell/xml", "gateway/shell/ws", "gateway/shell/http"]
CONSOLE = [layer for layer in LAYERS if layer.startswith("console")]
EVERYBODY = list(LAYERS)

# Headers that are not ours: the layers that may include them. The first line that knows a header decides.
LIBRARIES = {
    r"(assert|limits|stdalign|stdbool|stddef|stdint|string)\.h": EVERYBODY,   # They give pure code what it needs.
    r"registry_list\.h": ["games"],
    r"(faces|words)_list\.h": ["console/faces"],
    r"protobuf-c/.*|.*\.pb-c\.h|contract/\w+_fields\.h": ["wire", "json", "games", "match", "core", "schema", "history", "shell", "client",
                                  "client/example", "game tests", *CORES, *MAINS, *DOORS, *CONSOLE],
    r"(c?zmq|z(actor|auth|cert|clock|config|frame|loop|monitor|msg|poller|proxy|sock|str|sys))\w*\.h": ["bus"],
    r"sys/(socket|un|epoll)\.h|netinet/.*|arpa/.*|netdb\.h|linux/(filter|sock_diag)\.h": ["bus", "shell", *DOORS],
    r"poll\.h": ["bus", "shell", "store", *DOORS],   # A database is waited for, but not for ever.
    r"cmocka\.h|setjmp\.h": ["game tests"],
    r"sqlite3\.h": ["store", "game tests"],
    r"libpq.*\.h": ["store"],
    r"libwebsockets\.h|libxml/.*|zlib\.h": DOORS,
    # Recordings that conform reads are JSON.
    r"jansson\.h": ["json", "match", "games", "game tests", "gateway/shell/http", *CONSOLE],
    r"sodium\.h": ["dice", *IMPURE],
    r"time\.h": ["clock", "store", "shell", *CONSOLE],
    r"(ctype|dirent|errno|fcntl|fts|ftw|inttypes|libgen|math|pthread|signal|stdarg|stdatomic|stdio|stdlib|strings"
    r"|unistd)\.h|sys/\w+\.h": IMPURE,
}


def layer_of(path):
    """The layer of a source file, by where it stands: "tests" may know all, and no table has what is unknown."""
    folder, name = posixpath.split(path)
    if path.startswith("tests/"):
        return "tests"
    if re.match(r"common/games/\w+/tests/", path):
        return "game tests"
    if re.match(r"common/games/\w+/conform/|common/games/\w+/\w+_wire\.[ch]$", path):
        return "games"
    if re.fullmatch(r"common/games/\w+", folder):
        return "game"
    if re.fullmatch(r"main(_\w+)?\.[ch]", name):
        return folder.removeprefix("services/") + " main"
    return re.sub(r"^(common|services)/", "", folder)


def includes(repo, path):
    for number, line in enumerate(repo.text(path).split("\n"), 1):
        match = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
        if match:
            yield number, match.group(1)


def ours(repo, path, header):
    """The file of ours that an include means, or None."""
    for folder in (posixpath.dirname(path), "common", ""):
        file = posixpath.normpath(posixpath.join(folder, header))
        if file in repo.known:
            return file
    return None


def _of_ours(path, layer, file):
    """What is wrong with including one of our files, or None."""
    target = layer_of(file)
    if {layer, target} <= {"game", "game tests"} and path.split("/")[2] != file.split("/")[2]:
        return f"a game does not know the game {file.split('/')[2]}"
    if target not in ("base", layer, *LAYERS[layer]):
        return f"{layer} may not know {target}"
    return None


def _of_library(layer, header):
    for pattern, allowed in LIBRARIES.items():
        if re.fullmatch(pattern, header):
            return None if layer in allowed else f"<{header}> is not for {layer}"
    return f"nobody has said who may include <{header}>"


def layers_by_includes(repo):
    findings = []
    for path in repo.ending(".c", ".h"):
        layer = layer_of(path)
        if layer == "tests":
            continue
        if layer not in LAYERS:
            findings.append(f"{path}:1: the table of layers has no \"{layer}\"")
            continue
        for number, header in includes(repo, path):
            file = ours(repo, path, header)
            wrong = _of_ours(path, layer, file) if file else _of_library(layer, header)
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
    return re.match(r"tests/|services/console/|services/\w+/(main\.c|shell/)|common/(shell|clock)/", path)
