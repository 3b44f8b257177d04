"""handbook.py: the operator's handbook, deploy/README.md, as tasks: what somebody wants, and the chapter that says how."""
import pathlib
import re

PAGE = pathlib.Path(__file__).resolve().parents[2] / "deploy/README.md"
HEADING = re.compile(r"^(#+) (.+)$")
# A row of a table whose first column is "I want to".
ROW = re.compile(r"^\| (?P<task>[^|]+?) \| \[[^]]+\]\(#(?P<anchor>[\w-]+)\) \|$")


def task(wanted, *typed):
    """Marks a step of the week: what the operator wants, in the handbook's words, and what he types."""
    def mark(step):
        step.task, step.typed = wanted, typed
        return step
    return mark


def anchor(heading):
    """What a link to it ends with."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


class Handbook:
    def __init__(self, text=None):
        self.chapters, self.tasks = {}, {}   # anchor -> text, that of the chapters below it, too; task -> anchor
        above, is_code = [], False
        for line in (PAGE.read_text() if text is None else text).splitlines(keepends=True):
            is_code ^= line.startswith("```")
            heading = None if is_code else HEADING.match(line)
            if heading:
                depth, name = len(heading[1]), anchor(heading[2])
                above = [*(one for one in above if one[0] < depth), (depth, name)]
                self.chapters[name] = ""
            for _, name in above:
                self.chapters[name] += line
            row = ROW.match(line.rstrip())
            if row:
                self.tasks[row["task"]] = row["anchor"]

    def chapter(self, wanted):
        """The chapter of a task; None: the handbook has no such task, or no such chapter."""
        return self.chapters.get(self.tasks.get(wanted))

    def faults(self, steps):
        """What steps do that the handbook does not tell."""
        for step in steps:
            chapter = self.chapter(step.task)
            if chapter is None:
                yield f"{step.__name__}: no table \"I want to\" leads from \"{step.task}\" to a chapter"
                continue
            yield from (f"{step.__name__}: the chapter of \"{step.task}\" does not say \"{words}\""
                        for words in step.typed if words not in chapter)

    def block(self, wanted, begins):
        """The indented lines of a task's chapter that begin with these words, up to the next empty line, as they would be typed."""
        blocks = re.findall(r"(?:^    .*\n)+", self.chapter(wanted), re.M)
        found = [block for block in blocks if block.strip().startswith(begins)]
        assert len(found) == 1, f"{len(found)} blocks of \"{wanted}\" begin with \"{begins}\""
        return re.sub(r"^    ", "", found[0], flags=re.M)
