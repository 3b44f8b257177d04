"""words.py: what stands in files: first sentences, leftovers, machine paths, sizes, shapes of names."""
import ast
import collections
import re

from repository import found, functions

FUNCTION_LINES_MAX = 70
FILE_LINES_MAX = 500
FOLDER_SOURCES_MAX = 45
# Where a comment opens a file, and how it looks there.
OPENINGS = {
    (".c", ".h"): r"/\* ?(.*?)\*/",
    (".proto",): r"((?://[^\n]*\n)+)|/\*(.*?)\*/",
    (".py",): r'"""(.*?)"""',
    (".sh", ".cmake", "CMakeLists.txt"): r"((?:#[^\n]*\n)+)",
    (".ts", ".tsx", ".mjs"): r"((?://[^\n]*\n)+)|/\*(.*?)\*/",
    (".css",): r"/\* ?(.*?)\*/",
    ("README.md",): r"# [^\n]+\n+((?:[^\n#|][^\n]*\n)+)",
}


def first_sentences(repo):
    findings = []
    for path in repo.paths:
        pattern = opening_of(repo, path)
        if pattern is None:
            continue
        text = re.sub(r"\A#!.*\n", "", repo.text(path))
        text = re.sub(r"\A# shellcheck .*\n", "", text)
        match = re.match(pattern, text, re.S)
        words = " ".join(group for group in match.groups() if group) if match else ""
        header = re.match(r"\w+\.c: see (\w+\.h)\. $", words)
        if header and repo.exists(f"{path.rsplit('/', 1)[0]}/{header.group(1)}"):
            continue    # Its header has said it.
        if len(re.findall(r"[A-Za-z]{2,}", words)) < 4 or not re.search(r"\w[.:!?)`*]", words):
            findings.append(f"{path}:1: a file opens with a sentence that says what it is")
    return findings


def first_names(repo):
    """A first line that begins with a file's name names its own file: others were moved, and their line was not."""
    findings = []
    for path in repo.paths:
        pattern, name = opening_of(repo, path), path.rsplit("/", 1)[-1]
        if pattern is None:
            continue
        named = re.match(r"(?:#!.*\n)?\W*([\w.-]+\.(?:c|h|py|sh|cmake|proto|tsx?|mjs|css)\b|\w+(?=:))", repo.text(path))
        is_script = "." not in name
        if named and ("." in named.group(1) or is_script) and named.group(1) != name:
            findings.append(f"{path}:1: it calls itself {named.group(1)}")
    return findings


def opening_of(repo, path):
    for endings, pattern in OPENINGS.items():
        if path.endswith(endings):
            return pattern
    is_script = "." not in path.rsplit("/", 1)[-1] and re.match(r"#!.*[/ ](ba)?sh\b", repo.text(path)[:80])
    return OPENINGS[".sh", ".cmake", "CMakeLists.txt"] if is_script else None


def texts(repo):
    """Everything people wrote; not the recorded games and corpora, which are data."""
    return [path for path in repo.paths
            if not re.search(r"/(recorded|corpus|corpora)/|\.(jsonl|bin|png|svg)$|package-lock", path)
            and repo.is_text(path)]


def leftovers(repo):
    words = "|".join(("TO" + "DO", "FIX" + "ME", "X" * 3))
    return found(repo, texts(repo), rf"\b({words})\b", "{0}: do it, or write down why not") + \
        found(repo, texts(repo), r"^(<{7}|>{7}) .*", "{0}: a merge was left half done")


def machine_paths(repo):
    folders = "|".join(("work", "root", "home"))
    return found(repo, [path for path in repo.paths if repo.is_text(path)],
                 rf"(?<![\w.$}}*~-])/({folders})/\w+", "{0}: a path of somebody's machine")


def sizes(repo):
    findings = []
    for path in repo.paths:
        if not path.endswith((".c", ".h", ".py", ".sh", ".proto", ".cmake", "CMakeLists.txt",
                             ".ts", ".tsx", ".mjs", ".css")) \
                and not is_script(repo, path):
            continue
        lines = repo.text(path).count("\n")
        # All messages of a game are one conversation, and a conversation is one file.
        if lines > FILE_LINES_MAX and not path.endswith(".proto"):
            findings.append(f"{path}:{lines}: a file has at most {FILE_LINES_MAX} lines")
        for name, first, length in functions_of(repo, path):
            if length > FUNCTION_LINES_MAX:
                findings.append(f"{path}:{first}: {name} has {length} lines; a function has at most "
                                f"{FUNCTION_LINES_MAX}")
    return findings


def crowds(repo):
    """Folders with more sources than somebody looks through: such a folder holds two ideas, and each gets a room."""
    folders = collections.Counter(path.rpartition("/")[0] for path in
                                  repo.ending(".c", ".h", ".ts", ".tsx", ".py", ".sh", ".mjs"))
    return [f"{folder}:1: it holds {count} sources; a folder has at most {FOLDER_SOURCES_MAX}"
            for folder, count in sorted(folders.items()) if count > FOLDER_SOURCES_MAX]


def is_script(repo, path):
    return "." not in path.rsplit("/", 1)[-1] and repo.is_text(path) and repo.text(path).startswith("#!")


def functions_of(repo, path):
    if path.endswith((".c", ".h")):
        yield from functions(repo.code(path))
    elif path.endswith(".py"):
        for node in ast.walk(ast.parse(repo.text(path))):
            if isinstance(node, ast.FunctionDef):
                yield node.name, node.lineno, node.end_lineno - node.lineno + 1
    elif path.endswith((".ts", ".tsx", ".mjs")):
        # A function begins at its name and ends with the first brace in its own column.
        for match in re.finditer(r"^( *)(?:export )?(?:default )?(?:async )?function\*? (\w+).*?\n\1\}", repo.text(path), re.S | re.M):
            first = repo.text(path).count("\n", 0, match.start()) + 1
            yield match.group(2), first, match.group().count("\n") + 1
    else:
        for match in re.finditer(r"^(\w+)\(\) \{\n.*?^\}", repo.text(path), re.S | re.M):
            first = repo.text(path).count("\n", 0, match.start()) + 1
            yield match.group(1), first, match.group().count("\n") + 1


def struct_names(repo):
    """Structs go by their tag: a typedef is for a number with a meaning, and _t is the C library's."""
    sources = repo.ending(".c", ".h")
    return found(repo, sources, r"\btypedef\s+(struct|union|enum)\b(?!.*\(\*)", "{0}: name it by its tag",
                 repo.code) + \
        found(repo, sources, r"\b(struct|union|enum)\s+\w+_t\b", "{0}: _t belongs to the C library",
              repo.code)
