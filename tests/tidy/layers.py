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
    "search": ["dice", "rules"],
    "wire": ["dice", "rules"],
    "json": ["rules", "wire"],
    "games": ["dice", "rules", "game", "wire", "json"],
    "match": ["dice", "rules", "search", "wire", "json", "games"],
    "mind": ["dice", "rules", "search", "wire"],
    "env": ["dice", "rules", "search", "wire", "json", "games", "match"],
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
    "bot": ["dice", "rules", "search", "mind", "wire", "core", "client"],
    "gateway/archive": ["wire", "core", "client"],
    "gateway/browser": ["dice", "rules", "mind", "wire", "core", "client"],
    "gateway/rest": ["wire", "core", "schema", "client"],
    "gateway": ["core", "schema", "client", "gateway/archive", "gateway/browser", "gateway/rest"],

    # What stands around them.
    "gateway/shell/xml": ["clock", "gateway/rest", "gateway"],
    "gateway/shell/ws": ["clock", "wire", "json", "games", "mind", "shell", "gateway/browser"],
    "gateway/shell/http": ["clock", "rules", "game", "wire", "json", "games", "match", "core", "shell", "gateway/rest",
                           "gateway", "gateway/shell/xml", "gateway/shell/ws"],
    "lobby main": ["wire", "json", "games", "bus", "store", "shell", "lobby"],
    "engine main": ["wire", "json", "games", "schema", "shell", "engine"],
    "fanout main": ["wire", "shell", "fanout"],
    "watchdog main": ["wire", "core", "shell", "watchdog"],
    "bot main": ["wire", "json", "games", "shell", "bot"],
    "gateway main": ["rules", "wire", "shell", "gateway", "gateway/shell/http", "gateway/shell/ws"],

    # The console's rooms.
    "console/command": ["clock", "options", "wire", "json", "games", "match"],
    "console/faces": ["rules", "game", "wire", "json", "games", "match", "console/command"],
    "console/home": ["json", "bus", "shell", "console/command"],
    "console/trial": ["dice", "rules", "game", "wire", "games", "match", "bus", "client", "console/command",
                      "console/faces", "console/home"],
    "console/records": ["game", "json", "match", "schema", "history", "store", "console/command", "console/faces",
                        "console/home"],
    "console/play": ["options", "rules", "search", "game", "wire", "json", "client", "console/command", "console/faces", "console/home",
                     "console/trial"],
    "console/care": ["clock", "rules", "wire", "games", "match", "core", "schema", "bus", "store", "client",
                     "console/command", "console/home", "console/records", "console/play"],
    "console/classroom": ["dice", "wire", "games", "json", "match", "bus", "client", "console/command", "console/home",
                          "console/trial", "console/records"],
    # A judge is a client at others' doors, and its words are those of one game's recordings.
    "console/judge": ["rules", "game", "wire", "games", "json", "bus", "console/command"],
    # A tournament opens the doors of programs that know no other: the classroom's, and that of 2017.
    "console/tournament": ["clock", "rules", "game", "wire", "json", "match", "bus", "gateway/rest", "gateway/shell/xml",
                           "console/command", "console/trial", "console/classroom"],
    "console main": ["console/command"],
}

# Layers that are no folder of their name.
BY_PLACE = ["game", "game tests"]
# Who may know the messages of one game: its faces in the terminal, and the door that only treasure has, with who opens it.
KNOW_GAMES = ["console/faces", "gateway/rest", "console/tournament"]

CORES = ["lobby", "engine", "fanout", "watchdog", "bot", "gateway/archive", "gateway/browser", "gateway/rest", "gateway"]
PURE = ["base", "dice", "rules", "search", "game", "core", "schema", "history", *CORES]
IMPURE = [layer for layer in LAYERS if layer not in PURE]
MAINS = [layer for layer in LAYERS if layer.endswith(" main")]
DOORS = ["gateway/shell/xml", "gateway/shell/ws", "gateway/shell/http"]
CONSOLE = [layer for layer in LAYERS if layer.startswith("console")]
SERVICES = [layer.removesuffix(" main") for layer in MAINS]
EVERYBODY = list(LAYERS)

# Headers that are not ours: the layers that may include them. The first line that knows a header decides.
LIBRARIES = {
    r"(assert|limits|stdalign|stdbool|stddef|stdint|string)\.h": EVERYBODY,   # They give pure code what it needs.
    r"registry_list\.h": ["games"],
    r"env_setups_list\.h": ["env"],
    r"(faces|words)_list\.h": ["console/faces"],
    r"protobuf-c/.*|.*\.pb-c\.h|contract/\w+_fields\.h": ["wire", "json", "games", "match", "env", "core", "schema", "history", "shell", "client",
                                  "client/example", "game tests", *CORES, *MAINS, *DOORS, *CONSOLE],
    r"(c?zmq|z(actor|auth|cert|clock|config|frame|loop|monitor|msg|poller|proxy|sock|str|sys))\w*\.h": ["bus"],
    r"sys/(socket|un|epoll)\.h|netinet/.*|arpa/.*|netdb\.h|linux/(filter|sock_diag)\.h": ["bus", "shell", *DOORS],
    r"poll\.h": ["bus", "shell", "store", *DOORS],   # A database is waited for, but not for ever.
    r"cmocka\.h|setjmp\.h": ["game tests"],
    r"sqlite3\.h": ["store", "game tests"],
    r"libpq.*\.h": ["store"],
    r"libwebsockets\.h|openssl/(err|ssl)\.h|libxml/.*|zlib\.h": DOORS,
    # Recordings that conform reads are JSON.
    r"jansson\.h": ["json", "match", "games", "env", "game tests", "gateway/shell/http", *CONSOLE],
    r"sodium\.h": ["dice", *IMPURE],
    r"spawn\.h": CONSOLE,
    r"editline/readline\.h|locale\.h": ["console/play"],   # A line is edited where somebody types.
    r"time\.h": ["clock", "store", "shell", *CONSOLE],
    r"(ctype|dirent|errno|fcntl|fts|ftw|inttypes|libgen|math|pthread|signal|stdarg|stdatomic|stdio|stdlib|strings"
    r"|unistd)\.h|sys/\w+\.h": IMPURE,
}


def layer_of(path):
    """The layer of a source file, by where it stands: "tests" may know all, and no table has what is unknown."""
    folder, name = posixpath.split(path)
    if path.startswith("tests/"):
        return "tests"
    if re.match(r"common/games/(\w+/)?tests/", path):
        return "game tests"
    if re.match(r"common/games/\w+/conform/|common/games/\w+/\w+_wire\.[ch]$", path):
        return "games"
    if re.fullmatch(r"common/games/\w+", folder):
        return "game"
    if re.fullmatch(r"main(_\w+)?\.[ch]", name):
        return folder.removeprefix("services/") + " main"
    root, _, below = folder.partition("/")
    is_service = below.split("/")[0] in SERVICES
    if below in BY_PLACE or root != ("services" if is_service else "common"):
        return folder   # It borrows the name of a layer that stands elsewhere, and is not that layer.
    return below


# A directive, however it is spelled: # may be %: or ??=, and a name may go on in the next line.
DIRECTIVE = re.compile(r"[\ufeff\s]*(#|%:|\?\?=)\s*(\w*)")
PLAIN = re.compile(r'\s*#\s*include\s*[<"]([^<>"]+\.h)[>"]')
OTHERS = ["", "define", "undef", "if", "ifdef", "ifndef", "elif", "else", "endif", "error", "pragma", "line"]


def includes(repo, path):
    """(line, header) of every include; the header is None where the line does not say in plain text which .h it is."""
    lines = repo.text(path).split("\n")
    for number, code in enumerate(repo.code(path).split("\n"), 1):
        directive, plain = DIRECTIVE.match(code), PLAIN.match(lines[number - 1])
        is_continued = number > 1 and lines[number - 2].endswith("\\")   # So this is part of a macro.
        if directive and not is_continued and (plain or directive.group(1) != "#" or directive.group(2) not in OTHERS
                          or directive.group(2) == "" and code.rstrip().endswith("\\")):
            yield number, plain.group(1) if plain else None


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
    game, other = game_of(path), game_of(file)
    if game and other and game != other:
        return f"a game does not know the game {other}"
    if target not in ("base", layer, *LAYERS[layer]):
        return f"{layer} may not know {target}"
    return None


def game_of(path):
    """The game whose folder holds this file, or None."""
    match = re.match(r"common/games/(?!tests/)(\w+)/", path)   # What all their tests share is no game.
    return match.group(1) if match else None


def _of_messages(repo, path, layer, header):
    """What is wrong with including the messages of one game, or None."""
    match = re.fullmatch(r"(\w+)\.pb-c\.h|contract/(\w+)_fields\.h", header)
    name = match and (match.group(1) or match.group(2))
    if name is None or f"common/games/{name}/{name}.h" not in repo.known or layer in KNOW_GAMES:
        return None
    # An older version of its rules speaks in the same messages.
    if re.sub(r"_\d+$", "", game_of(path) or "") == name:
        return None
    return f"the messages of {name} are for {name}'s own folder"


def _of_library(layer, header):
    for pattern, allowed in LIBRARIES.items():
        if re.fullmatch(pattern, header) and ".." not in header:
            return None if layer in allowed else f"<{header}> is not for {layer}"
    return f"nobody has said who may include <{header}>"


def _of_include(repo, path, layer, header):
    if header is None:
        return 'an include is one line, #include "...h" or <...h>'
    file = ours(repo, path, header)
    if file:
        return _of_ours(path, layer, file)
    return _of_messages(repo, path, layer, header) or _of_library(layer, header)


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
            wrong = _of_include(repo, path, layer, header)
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
