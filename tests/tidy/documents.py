"""documents.py: what pages and tests promise each other: links, rows of tables, orphans, the top level."""
import functools
import pathlib
import re
import shutil
import subprocess

import game_words

LAYOUT_VERSION = "version 14."    # Debian 12's clang-format; another one lays out some lines otherwise.
TOP_LEVEL = {"CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md",
             "common", "configs", "deploy", "proto", "services", "tests"}


def top_level(repo):
    entries = {path.split("/")[0] for path in repo.paths}
    return [f"{entry}:1: the top level holds only what README.md explains"
            for entry in sorted(entries - TOP_LEVEL) if not entry.startswith(".")]


def links(repo):
    """Every relative link of a page leads to a file or a folder of ours."""
    findings = []
    for path in repo.ending(".md"):
        folder = repo.root / path
        for number, line in prose(repo.text(path)):
            for target in re.findall(r"\]\(([^)\s]+)\)", line):
                file = target.split("#")[0]
                if re.match(r"[a-z]+:", target) or not file:
                    continue
                if file.startswith("/") or not (folder.parent / file).exists():
                    findings.append(f"{path}:{number}: the link to {target} leads nowhere")
    return findings


def prose(text):
    """Numbered lines of a page, without blocks of code."""
    is_code = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code:
            yield number, line


def tables(text):
    """Rows of every table of a page: (line, header cells, cells)."""
    header = None
    for number, line in prose(text):
        if not line.lstrip().startswith("|"):
            header = None
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        if header is None:
            header = cells
        elif not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
            yield number, header, cells


@functools.lru_cache(maxsize=2)
def program_tests(repo):
    """Functions of the tree's test programs, in C and Python."""
    names = set()
    for path in repo.ending("_test.c"):
        names.update(re.findall(r"(?:cmocka_unit_test\w*|\b[A-Z_]*TEST)\(\s*(\w+)", repo.code(path)))
    for path in repo.ending("_test.py"):
        names.update(re.findall(r"^ +def (test_\w+)\(", repo.text(path), re.M))
    return names


@functools.lru_cache(maxsize=16)
def test_names(repo, folder):
    """Tests a page of this game may name: those of programs of the tree, and scenarios beside the game."""
    names = set(program_tests(repo))
    for path in repo.ending(".json", ".jsonl"):
        if path.startswith((folder, "tests/conformance/")):
            names.update(re.findall(r'"name"\s*:\s*"([^"]+)"', repo.text(path)))
            names.update(re.findall(r'^\{"id": ?"([^"]+)"', repo.text(path), re.M))
            names.add(path.rsplit("/", 1)[-1].rsplit(".", 1)[0])
    return names


def rows_name_tests(repo):
    """A row of a table with a column "test" is a promise; the test it names exists."""
    findings = []
    for path in repo.paths:
        match = re.fullmatch(r"(common/games/\w+/)README\.md", path)
        if match is None:
            continue
        known = test_names(repo, match.group(1))
        for number, header, cells in tables(repo.text(path)):
            columns = [at for at, name in enumerate(header) if name.lower() in ("test", "tests")]
            for at in columns:
                named = re.findall(r"`([^`]+)`", cells[at]) if at < len(cells) else []
                if not named:
                    findings.append(f"{path}:{number}: this row names no test")
                findings += [f"{path}:{number}: there is no test `{name}`"
                             for name in named if name not in known]
    return findings


def orphans(repo):
    """Every test is found by CMake, and every unit test stands where its subject does."""
    findings = []
    for path in repo.ending("_test.c"):
        is_found = re.match(r"tests/(unit|conformance|programs)/|common/games/\w+/tests/\w+_test\.c$", path)
        if not is_found and not is_listed(repo, path):
            findings.append(f"{path}:1: no CMakeLists.txt builds this test")
        mirror = re.match(r"tests/unit/((?:.*/)?)(\w+)_test\.c$", path)
        if mirror and not any(source.startswith(mirror.group(1) + mirror.group(2))
                              for source in repo.ending(".c", ".h", ".proto")):
            findings.append(f"{path}:1: it tests {mirror.group(1)}{mirror.group(2)}.c, which does not exist")
    for path in repo.ending("_test.py"):
        if not re.match(r"tests/(unit|conformance|programs)/", path) and not is_listed(repo, path):
            findings.append(f"{path}:1: no CMakeLists.txt runs this test")
    suites = repo.text("deploy/lib/run-suite") if repo.exists("deploy/lib/run-suite") else ""
    for path in repo.ending("_browser.py"):
        if not re.search(rf'["\s]{pathlib.PurePath(path).stem.removesuffix("_browser")}["\s]', suites):
            findings.append(f"{path}:1: no suite of deploy/lib/run-suite runs this test")
    return findings


def games(repo):
    """The folders of games; not older versions of their rules, which have everything beside the newest."""
    names = {match.group(1) for match in (re.fullmatch(r"common/games/(\w+)/\1_wire\.c", path) for path in repo.paths)
             if match}
    return sorted(name for name in names if re.sub(r"_\d+$", "", name) == name or re.sub(r"_\d+$", "", name) not in names)


def whole_games(repo):
    """A game tells people what it is, tests what only it knows, and brings words or a face of its own."""
    findings = []
    for name in games(repo):
        folder = f"common/games/{name}"
        if f"{folder}/README.md" not in repo.paths:
            findings.append(f"{folder}:1: a game has a README.md")
        if not any(re.fullmatch(rf"{folder}/tests/\w+_test\.c", path) for path in repo.paths):
            findings.append(f"{folder}:1: a game tests in tests/{name}_test.c what only it knows")
        if f"{folder}/words.json" in repo.paths:
            findings += game_words.shapes(repo, f"{folder}/words.json")
        elif f"services/console/faces/face_{name}.c" not in repo.paths:
            findings.append(f"{folder}:1: a game without a face brings a words.json")
    return findings


def words_fit(repo):
    """What the words of a game name stands in its messages."""
    return [finding for name in games(repo) if f"common/games/{name}/words.json" in repo.paths
            for finding in game_words.unfit(repo, name)]


def listed_games(repo):
    """The README's table of games has a row for each of them."""
    rows = re.findall(r"^\|.*\]\((common/games/\w+)/README\.md\)", repo.text("README.md"), re.M)
    return [f"README.md:1: the table of games has no row for {name}" for name in games(repo) if f"common/games/{name}" not in rows]


def can_lay_out():
    if shutil.which("clang-format") is None:
        return False
    return LAYOUT_VERSION in subprocess.run(["clang-format", "--version"], capture_output=True, text=True, check=True).stdout


def game_layouts(repo):
    """Sources of games are laid out as .clang-format says; where clang-format is missing, deploy/check sees to it."""
    sources = [path for path in repo.ending(".c", ".h") if re.match(r"common/games/\w+/", path)]
    if not sources or not can_lay_out():
        return []
    said = subprocess.run(["clang-format", "--dry-run", "--ferror-limit=1", *sources], cwd=repo.root,
                          capture_output=True, text=True, check=False).stderr
    places = re.findall(r"^([\w/.]+):(\d+):\d+: warning: ", said, re.M)
    first = {path: line for path, line in reversed(places)}
    return [f"{path}:{line}: clang-format -i {path}" for path, line in sorted(first.items())]


def is_listed(repo, path):
    folder, name = path.rsplit("/", 1)
    lists = f"{folder}/CMakeLists.txt"
    stem = name.rsplit(".", 1)[0]
    return lists in repo.paths and re.search(rf"\b{stem}\b", repo.text(lists)) is not None
