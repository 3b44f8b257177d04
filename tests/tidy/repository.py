"""repository.py: the tree as the checks see it: which files are ours, and C without its comments.

A check is a function that takes a Repository and returns its findings, one sentence each, beginning with
`path:line:` where it has one. An empty list is a clean tree. The same functions read the real repository
(repository_test.py) and small trees with a planted bug (planted_test.py).
"""
import os
import pathlib
import re
import subprocess

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


class Repository:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.paths = sorted(self._git_paths() or self._walked_paths())
        self.known = frozenset(self.paths)

    def _git_paths(self):
        """What git would carry: tracked files, and new ones that are not ignored."""
        if not (self.root / ".git").exists():
            return []
        command = ["git", "-c", f"safe.directory={self.root.resolve()}", "-C", str(self.root),
                   "ls-files", "-co", "--exclude-standard", "-z"]
        try:
            listed = subprocess.run(command, capture_output=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError):
            return []
        paths = [os.fsdecode(path) for path in listed.split(b"\0") if path]
        return [path for path in paths if (self.root / path).is_file()]

    def _walked_paths(self):
        """Without git (an unpacked archive): every file but what builds leave behind."""
        for folder, folders, files in os.walk(self.root):
            folders[:] = [name for name in folders
                          if name not in (".git", ".build", "__pycache__", "node_modules")]
            for name in files:
                yield (pathlib.Path(folder) / name).relative_to(self.root).as_posix()

    def ending(self, *endings):
        return [path for path in self.paths if path.endswith(endings)]

    def text(self, path):
        return (self.root / path).read_text(encoding="utf-8", errors="replace")

    def exists(self, path):
        return (self.root / path).exists()

    def is_text(self, path):
        with open(self.root / path, "rb") as file:
            return b"\0" not in file.read(4096)

    def code(self, path):
        """C with comments and strings blanked out; every line keeps its number."""
        return TOKEN.sub(_blank, self.text(path))


def _blank(match):
    token = match.group()
    if token[0] == '"':
        return '""'
    if token[0] == "'":
        return "' '"
    return "\n" * token.count("\n") + " "


def functions(code):
    """(name, first line, lines) of every C function: its brace and the closing one stand in column 0."""
    lines = code.split("\n")
    for at, line in enumerate(lines):
        if line.rstrip() != "{" or at == 0:
            continue
        first = at - 1
        while first > 0 and lines[first - 1].strip() and not re.search(r"[;}#]", lines[first - 1]):
            first -= 1
        end = next((to for to in range(at, len(lines)) if lines[to].startswith("}")), len(lines) - 1)
        name = re.search(r"(\w+)\s*\(", " ".join(lines[first:at]))
        yield (name.group(1) if name else "?", first + 1, end - first + 1)


def found(repo, paths, pattern, sentence, text=None):
    """Findings for every line of these files that matches; `sentence` is told what matched as {0}."""
    findings = []
    for path in paths:
        for number, line in enumerate((text or repo.text)(path).split("\n"), 1):
            for match in re.finditer(pattern, line):
                findings.append(f"{path}:{number}: {sentence.format(match.group().strip())}")
    return findings
