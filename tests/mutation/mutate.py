#!/usr/bin/env python3
"""mutate.py: plants small bugs in a game's rules, one at a time, and counts how many the tests catch.

A mutant is one changed token or one dropped statement. It is compiled alone, linked with the rest of
the rules, and must make one of the programs that test the game fail (or hang). What
survives is either a hole in the tests or a change that means the same; `survivors.txt` beside this
file lists each accepted survivor with its reason.

    tests/mutation/mutate.py --sample 200
    tests/mutation/mutate.py --source common/games/nim

Not mutated: what maps to messages and recordings, which is held to other tests, and a game's `judge`,
which is taste and no rule.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent

SWAPS = {
    "==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "&&": "||", "||": "&&",
    "+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "++": "--", "--": "++", "+=": "-=", "-=": "+=",
    "<<": ">>", ">>": "<<", "|": "&", "true": "false", "false": "true",
}
TOKEN = re.compile(
    r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[A-Za-z_]\w*|0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*'
    r'|->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%|&^]=|\S')
# What leaves its array is a bug that check sees, which runs all tests under this sanitizer; here it needs no library.
SANITIZED = ("-fsanitize=undefined", "-fsanitize-undefined-trap-on-error")
BEFORE_BINARY = re.compile(r"[\w)\]]$")


def blank_comments(text):
    """The text with comments blanked, every offset kept."""
    pattern = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|/\*.*?\*/|//[^\n]*', re.S)
    keep = lambda m: m[0] if m[0][0] in "\"'" else re.sub(r"[^\n]", " ", m[0])
    return pattern.sub(keep, text)


def function_ranges(code):
    """Offsets of function bodies: a brace in the first column opens one, the next closes it."""
    ranges, start = [], None
    for match in re.finditer(r"^([{}])", code, re.M):
        if match[1] == "{":
            start = match.end()
        elif start is not None:
            ranges.append((start, match.start()))
            start = None
    return ranges


def is_assert(line):
    return re.match(r"\s*(assert|static_assert)\b", line) is not None


def statement_on(line):
    """A whole statement on one line that may be dropped without making the file another program."""
    bare = line.strip()
    if not bare.endswith(";") or bare.startswith(("return", "break", "continue", "goto", "case", "default")):
        return False
    if is_assert(line) or bare.startswith(("}", "{", "for", "while", "do ", "const ", "static ", "struct ")):
        return False
    return re.match(r"(\*|\()*[A-Za-z_][\w.\[\]>()+*\s-]*?(\(.*\);|([-+*/|&^%]|<<|>>)?=[^=].*;|\+\+;|--;)$", bare) \
        is not None and not re.match(r"[A-Za-z_]\w*(\s+\*?|\s*\*\s*)[A-Za-z_]\w*(\[.*\])?\s*(=|;)", bare)


def number_shift(token):
    digits = re.match(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)", token)
    value = int(digits[1], 0)
    return f"{value + 1 if value != 1 else 0}{digits[2]}"


def token_mutant(token, before):
    if token[0].isdigit():
        return number_shift(token)
    if token in ("+", "-", "*", "|", "<", ">", "&") and not BEFORE_BINARY.search(before.rstrip()):
        return None  # a sign, a pointer or an address
    if token == "*" and re.search(r"\b(struct\s+\w+|word|int|char|void|u?int\d+_t|bool)\s*$", before.rstrip()):
        return None  # a pointer's declaration
    return SWAPS.get(token)


def mutants_of(path):
    text = path.read_text()
    code = blank_comments(text)
    for start, end in function_ranges(code):
        name = re.findall(r"([A-Za-z_]\w*)\s*\(", code[:start].rsplit("\n\n", 1)[-1] or " f(")
        if name and name[0] == "judge":   # Taste, where it has no file of its own.
            continue
        offset = start
        for line in code[start:end].split("\n"):
            if not is_assert(line) and not line.lstrip().startswith("#"):
                if statement_on(line):
                    yield offset, offset + len(line), ";", "drop", name[0] if name else "?"
                for match in TOKEN.finditer(line):
                    if match[0] == "!" :
                        yield offset + match.start(), offset + match.end(), " ", "! -> nothing", name[0] if name else "?"
                        continue
                    other = token_mutant(match[0], line[:match.start()])
                    if other is not None:
                        yield (offset + match.start(), offset + match.end(), other,
                               f"{match[0]} -> {other}", name[0] if name else "?")
            offset += len(line) + 1


class Mutant:
    def __init__(self, path, text, start, end, other, what, function):
        self.path, self.text, self.what, self.function = path, text, what, function
        self.start, self.end, self.other = start, end, other
        self.line = text.count("\n", 0, start) + 1
        self.row = text.split("\n")[self.line - 1].strip()
        column = start - text.rfind("\n", 0, start)
        seed = f"{path.name}|{function}|{self.row}|{what}|{text.split(chr(10))[self.line - 1][:column].strip()}"
        self.key = hashlib.sha256(seed.encode()).hexdigest()[:12]
        self.again = 0  # How many of the same key stand before it in the file.

    def source(self):
        return self.text[:self.start] + self.other + self.text[self.end:]


def collect(folder):
    found = []
    for path in sorted(folder.glob("*.c")):
        if re.search(r"_(test|wire|conform|foresight|judge|judge_[a-z]+)\.c$", path.name):
            continue
        text = path.read_text()
        found += [Mutant(path, text, *each) for each in mutants_of(path)]
    seen = collections.Counter()
    for mutant in found:
        mutant.again = seen[mutant.key]
        seen[mutant.key] += 1
    return found


def sample_of(mutants, count, seed):
    """As good as drawn at random, but by the mutants' keys: a line that is edited changes no more of the sample
    than what stands in that line."""
    drawn = sorted(mutants, key=lambda m: hashlib.sha256(f"{seed}|{m.key}|{m.again}".encode()).digest())[:count]
    return sorted(drawn, key=mutants.index)


class Bench:
    """Compiles, links and runs one mutant; knows the build's own commands.

    The library that holds the rules is linked as a shared one and the tests once against it, so that a mutant costs
    one compilation and one link however many tests it is shown to.
    """

    def __init__(self, build, tests, game, library, timeout, home):
        self.build, self.tests, self.timeout, self.home = build, tests, timeout, home
        self.game, self.name = game, f"lib{library}"
        self.took, self.catches = {}, collections.Counter()
        rows = json.loads((build / "compile_commands.json").read_text())
        self.commands = {pathlib.Path(row["file"]).resolve(): row for row in rows}
        self.objects = self.objects_of_library()
        self.library(home, list(self.objects.values()))
        for test in tests:
            self.relink(f"tests/{test}.test" if not test.endswith(".py") else "arbiter",
                        home / test if not test.endswith(".py") else home / "arbiter")

    def relink(self, target, output):
        command = self.commands_for(target)[-1].replace(f"-o {target} ", f"-o {output} ")
        command = re.sub(rf"\S*{self.name}\.a", str(self.home / f"{self.name}.so"), command)
        subprocess.run(command, shell=True, cwd=self.build, check=True, capture_output=True)

    def program(self, test):
        return [sys.executable, "-B", str(TOP / test)] if test.endswith(".py") else [str(self.home / test)]

    def environment(self, test, room):
        """What check's own run gives, but the general tests play this game alone, and ten matches of a
        set-up instead of fifty: what they have not found by then they hardly find at all."""
        fewer = {"ARBITER_GAMES": "10"} if test == "tests.conformance.games" else {}
        return {**fewer, **os.environ, "LD_LIBRARY_PATH": str(room), "ARBITER_ONLY": self.game,
                "ARBITER_SOURCE": str(TOP), "ARBITER_BUILD": str(self.home)}

    def commands_for(self, target):
        return subprocess.run(["ninja", "-C", str(self.build), "-t", "commands", "-s", target],
                              capture_output=True, text=True, check=True).stdout.strip().split("\n")

    def objects_of_library(self):
        """A copy of each source's object in the library, so that the tree may be built on meanwhile."""
        library = next(self.build.rglob(f"{self.name}.a")).relative_to(self.build)
        words = shlex.split(self.commands_for(str(library))[-1])
        paths = [self.build / word for word in words if word.endswith(".o")]
        return {path.name[:-len(".o")]: pathlib.Path(shutil.copy(path, self.home)) for path in paths}

    def library(self, room, objects):
        subprocess.run(["gcc", "-shared", f"-Wl,-soname,{self.name}.so", "-o", str(room / f"{self.name}.so"),
                        *map(str, objects)],
                       check=True, capture_output=True)

    def compile(self, mutant, room):
        row = self.commands[mutant.path.resolve()]
        words = [w for w in shlex.split(row["command"]) if not w.endswith("ccache")]
        changed = room / mutant.path.name
        changed.write_text(mutant.source())
        target = room / (mutant.path.name + ".o")
        words = [str(changed) if pathlib.Path(w).name == mutant.path.name and w.endswith(".c") else w for w in words]
        words[words.index("-o") + 1] = str(target)
        words += [f"-I{mutant.path.parent}", "-w", "-g0", "-O0", *SANITIZED]
        words = [w for w in words if w != "-Werror" and not w.startswith("-MF") and w not in ("-MD",)]
        for flag in ("-MT", "-MF"):
            while flag in words:
                at = words.index(flag)
                del words[at:at + 2]
        if subprocess.run(words, cwd=row["directory"], capture_output=True).returncode != 0:
            return False
        self.library(room, [target, *(path for name, path in self.objects.items() if name != mutant.path.name)])
        return True

    def caught(self, test, room):
        """True if the test fails, crashes or hangs with the rules in that room."""
        work = int(2 + 4 * self.took.get(test, self.timeout))  # Of the processor: a busy machine kills nobody.
        run = subprocess.Popen(["prlimit", f"--cpu={work}", *self.program(test)], cwd=self.build,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
                               env=self.environment(test, room))
        try:
            return run.wait(self.timeout + 10 * work) != 0
        except subprocess.TimeoutExpired:
            return True
        finally:  # Also when somebody ends the whole run: a mutant may loop for ever.
            if run.poll() is None:
                os.killpg(run.pid, signal.SIGKILL)
                run.wait()

    def time_tests(self):
        """Runs every test once without a mutant: it must pass."""
        for test in self.tests:
            begun = self.worked()
            if self.caught(test, self.home):
                sys.exit(f"mutate: {test} fails without any mutant; make it pass first")
            self.took[test] = self.worked() - begun

    @staticmethod
    def worked():
        """Seconds of the processor that all programs run so far have taken."""
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    def likeliest_first(self, mutant):
        """A quick test is worth more than a slow one, and one that has caught many more than one that has not.
        Whether a schema agrees is only asked where faults of a set-up are told."""
        asked = [test for test in self.tests if not test.endswith("_schema_test.py") or "struct faults" in mutant.text]
        return sorted(asked, key=lambda test: (0.01 + self.took[test]) / (1 + self.catches[test]))

    def judge(self, mutant):
        with tempfile.TemporaryDirectory(prefix="mutant.") as folder:
            room = pathlib.Path(folder)
            if not self.compile(mutant, room):
                return "invalid"
            for test in self.likeliest_first(mutant):
                if self.caught(test, room):
                    self.catches[test] += 1
                    return "killed"
            return "survived"


def tests_of(folder):
    """The programs that test a game, as CTest knows them: those beside its rules, those that bear its name
    elsewhere, what every game is asked; and, by their paths, scripts that ask the console. Not those that
    measure bots and set-ups."""
    game = folder.resolve().name
    paths = [*folder.resolve().glob("tests/*_test.c"), *(TOP / "tests/unit").rglob(f"*_{game}_test.c"),
             TOP / "tests/conformance/contract_test.c", TOP / "tests/conformance/games_test.c"]
    names = [".".join(path.relative_to(TOP).parts)[:-len("_test.c")].removeprefix("tests.unit.").replace(f".{game}.tests.", f".{game}.")
             for path in sorted(paths)]
    scripts = [path for path in sorted((TOP / "tests/conformance").glob(f"{game}_*_test.py"))
               if not path.name.endswith(("_judge_test.py", "_setups_test.py"))]
    return names + [str(path.relative_to(TOP)) for path in scripts]


def accepted_survivors():
    listed = {}
    path = HERE / "survivors.txt"
    for row in path.read_text().split("\n") if path.exists() else []:
        match = re.match(r"([0-9a-f]{12})\s+.*? \| (.+)", row)
        if match:
            listed[match[1]] = match[2]
    return listed


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=TOP / ".build/dev", help="a built preset (no sanitizers)")
    parser.add_argument("--source", type=pathlib.Path, default=TOP / "common/games/dead", help="the folder of rules")
    parser.add_argument("--library", default="game_rules", help="the library the sources are in (default: game_rules)")
    parser.add_argument("--test", help="test programs, comma-separated (default: all that test the game)")
    parser.add_argument("--sample", type=int, default=0, help="this many mutants, drawn at random (0: all)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the sample")
    parser.add_argument("--least", type=float, default=95.0, help="the least percentage of mutants that tests must kill (default 95)")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds a test may wait, besides its computing time (default 60)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--file", help="only mutants of these files, comma-separated names")
    parser.add_argument("--log", type=pathlib.Path, help="keep each verdict here; a later run goes on from there")
    parser.add_argument("--list", action="store_true", help="print the mutants and stop")
    return parser.parse_args()


def report(survivors, listed):
    for mutant in survivors:
        reason = listed.get(mutant.key)
        print(f"{mutant.key}  {mutant.path.name}:{mutant.line} {mutant.function}: {mutant.what}: {mutant.row}"
              + (f"\n              accepted: {reason}" if reason else ""))


class Log:
    """Verdicts that outlive an ended run: a mutant and its verdict a line. Good for one state of the sources."""

    def __init__(self, path):
        self.path, self.known = path, {}
        if path is not None and path.exists():
            rows = [row.split() for row in path.read_text().split("\n")]
            self.known = {row[0]: row[1] for row in rows if len(row) == 2}

    @staticmethod
    def place(mutant):
        return f"{mutant.key}:{mutant.again}"

    def keep(self, mutant, verdict):
        if self.path is not None and self.place(mutant) not in self.known:
            with self.path.open("a") as out:
                out.write(f"{self.place(mutant)} {verdict}\n")


def run(bench, mutants, jobs, log):
    counts, survivors, lock, begun = {"killed": 0, "survived": 0, "invalid": 0}, [], threading.Lock(), time.time()

    def one(mutant):
        verdict = log.known.get(log.place(mutant)) or bench.judge(mutant)
        with lock:
            log.keep(mutant, verdict)
            counts[verdict] += 1
            if verdict == "survived":
                survivors.append(mutant)
            done = sum(counts.values())
            if sys.stderr.isatty() or done % 100 == 0:
                left = (time.time() - begun) / done * (len(mutants) - done)
                end = "\r" if sys.stderr.isatty() else "\n"
                print(f"{done}/{len(mutants)} mutants, {counts['survived']} survive, {left:.0f} s left ",
                      end=end, file=sys.stderr, flush=True)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for future in [pool.submit(one, mutant) for mutant in mutants]:
            future.result()
    return counts, sorted(survivors, key=lambda m: (m.path.name, m.line))


def main():
    options = arguments()
    mutants = collect(options.source)
    if options.file:
        mutants = [m for m in mutants if m.path.name in options.file.split(",")]
    if options.sample and options.sample < len(mutants):
        mutants = sample_of(mutants, options.sample, options.seed)
    if options.list:
        for mutant in mutants:
            print(f"{mutant.key}  {mutant.path.name}:{mutant.line} {mutant.function}: {mutant.what}: {mutant.row}")
        return 0
    tests = options.test.split(",") if options.test else tests_of(options.source)
    with tempfile.TemporaryDirectory(prefix="mutants.") as home:
        bench = Bench(options.build.resolve(), tests, options.source.resolve().name, options.library,
                      options.timeout, pathlib.Path(home))
        bench.time_tests()
        counts, survivors = run(bench, mutants, options.jobs, Log(options.log))
    listed = accepted_survivors()
    report(survivors, listed)
    valid = counts["killed"] + counts["survived"]
    rate = 100.0 * counts["killed"] / valid if valid else 0.0
    unlisted = sum(m.key not in listed for m in survivors)
    print(f"{valid} mutants, {counts['killed']} killed ({rate:.1f} %), {counts['survived']} survive, "
          f"{unlisted} of them without a reason; {counts['invalid']} did not compile")
    return 0 if rate >= options.least else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
