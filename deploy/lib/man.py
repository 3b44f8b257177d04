#!/usr/bin/env python3
"""man.py: manual pages, made of what programs say of themselves (--help), so that nobody writes the same twice.

    man.py VERSION FOLDER PROGRAM...

`arbiter` becomes arbiter.1 and, for each of its commands, arbiter-COMMAND.1; every other program becomes PROGRAM.8.
Debian's help2man does not do: it wants an option and its sentence on one line, knows no commands, and is one package more
to build with. Our help is of one shape: paragraphs, lists whose items are indented, and examples, indented too.
"""
import os
import pathlib
import re
import subprocess
import sys

SECTIONS = {"usage": "SYNOPSIS", "options": "OPTIONS", "commands": "COMMANDS", "exit code": "EXIT STATUS"}
SPECIAL = {"\\": r"\e", "~": r"\(ti", "^": r"\(ha", "`": r"\(ga", "'": r"\(aq", '"': r"\(dq"}


def said(*words):
    # Nothing of whose machine this is gets into a page.
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    return subprocess.run(words, check=True, capture_output=True, text=True, env=environment).stdout


def escaped(text, is_code=False):
    """No line ends behind a hyphen: a name that holds one would be another."""
    text = "".join(SPECIAL.get(letter, letter) for letter in text)
    text = text.replace("-", r"\-") if is_code else re.sub(r"(?<![\w-])--?(?=\w)|(?<=\w)-(?=\w)", lambda dashes: r"\-" * len(dashes[0]), text)
    return r"\&" + text if text.startswith(".") else text


def blocks(lines):
    """(is_indented, lines) of each run of lines that are alike; an empty line ends a run."""
    run = []
    for line in [*lines, ""]:
        if run and (not line.strip() or line.startswith("  ") != run[0].startswith("  ")):
            yield run[0].startswith("  "), run
            run = []
        if line.strip():
            run.append(line)


def items(lines):
    """(words, sentence) of a list: "  --name N   A sentence.", or the sentence below it; None: it is none."""
    found = []
    for line in lines:
        match = re.match(r"  (\S.*?)(?:  +(\S.*))?$", line)
        if match:
            found.append([match[1], match[2] or ""])
        elif found:
            found[-1][1] = f"{found[-1][1]} {line.strip()}".strip()
    return found if found and all(sentence for _, sentence in found) else None


def listed(lines):
    for words, sentence in items(lines):
        # What a setting is unless it is told otherwise is not worth a word if it is nothing.
        sentence = re.sub(r'\s*Now: (""|no)\.$', "", sentence)
        sentence = re.sub(r'Now: "?(.*?)"?\.$', r"Default: \1.", sentence)
        yield f".TP\n.B {escaped(words, is_code=True)}\n{escaped(sentence)}"


def body(lines, is_list):
    for is_indented, run in blocks(lines):
        if is_indented and is_list and items(run):
            yield from listed(run)
        elif is_indented:
            yield ".PP\n.nf\n.RS 4\n" + "\n".join(escaped(line.strip(), is_code=True) for line in run) + "\n.RE\n.fi"
        else:
            yield ".PP\n" + "\n".join(escaped(line.strip()) for line in run)


def parts(text):
    """(section, its lines), in order; what stands below no heading is the description."""
    section, lines = "DESCRIPTION", []
    for line in text.splitlines():
        head = re.match(r"([A-Za-z]+(?: [a-z]+)?):(.*)", line)
        if head and head[1].lower() in SECTIONS:
            yield section, lines
            section, lines = SECTIONS[head[1].lower()], [head[2].strip()]
        elif section != "DESCRIPTION" and line and not line.startswith(" ") and lines != [""]:
            yield section, lines
            section, lines = "DESCRIPTION", [line]
        else:
            lines.append(line.strip() if section == "EXIT STATUS" else line)
    yield section, lines


def page(name, chapter, version, sentence, text, see):
    sections = {}
    for section, lines in parts(text):
        # Programs without a list of commands begin their settings behind the line of usage.
        if section == "SYNOPSIS" and len(lines) > 1:
            sections["OPTIONS"] = lines[1:]
            lines = lines[:1]
        sections.setdefault(section, []).extend([*lines, ""])
    out = [f'.TH {name.upper()} {chapter} "" "Arbiter {version}" "Arbiter"', ".nh", ".ad l", ".SH NAME",
           f"{escaped(name, is_code=True)} \\- {escaped(sentence)}"]
    for section in ("SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "EXIT STATUS"):
        text = list(body(sections.get(section, []), section in ("COMMANDS", "OPTIONS")))
        out += [f".SH {section}", *text] if text else []
    names = ",\n".join(f".BR {escaped(other, is_code=True)} ({number})" for other, number in see)
    return "\n".join([*out, ".SH SEE ALSO", names.replace("),\n", ") ,\n"), ""])


def phrase(sentence):
    """A sentence as it stands behind the name of a page: "makes a key pair"."""
    return sentence[0].lower() + sentence[1:].rstrip(".")


def pages(version, programs):
    """(chapter, name, text) of every page."""
    arbiter = next(program for program in programs if program.name == "arbiter")
    services = [program for program in programs if program != arbiter]
    main = said(arbiter, "--help")
    commands = items(next(lines for section, lines in parts(main) if section == "COMMANDS")[1:])
    see = [(service.name, 8) for service in services]
    sentence = "the one command of a server for turn-based games"
    yield 1, "arbiter", page("arbiter", 1, version, sentence, main, [(f"arbiter-{name}", 1) for name, _ in commands] + see)
    for name, sentence in commands:
        text = said(arbiter, name, "--help")
        yield 1, f"arbiter-{name}", page(f"arbiter-{name}", 1, version, phrase(sentence), text, [("arbiter", 1)])
    for service in services:
        title, _, text = said(service, "--help").partition("\n")
        sentence = phrase(title.split(": ", 1)[1])
        text = f"A service of Arbiter: {sentence}.\n{text.strip()}"
        yield 8, service.name, page(service.name, 8, version, sentence, text,
                                    [("arbiter", 1), *(other for other in see if other[0] != service.name)])


def main(version, folder, *programs):
    for chapter, name, text in pages(version, [pathlib.Path(program) for program in programs]):
        file = pathlib.Path(folder) / f"man{chapter}" / f"{name}.{chapter}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
