#!/usr/bin/env python3
"""dead_diagrams.py: the structure of the dead, and how a game begins, drawn from headers, protocol and recordings.

    deploy/lib/dead_diagrams.py            # writes common/games/dead/STRUCTURE.md
    deploy/lib/dead_diagrams.py --print    # prints it instead

A structure is what dead_setup.h and dead_state.h declare. Arrays stand behind offsets there, so the comment of a
field names what the array holds. A beginning is what recordings hold, which the rules play to the letter; each
message of it must be one of dead.proto.
"""
import itertools
import json
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
PAGE = "common/games/dead/STRUCTURE.md"
FULL = "base/clearwin-base-12.jsonl"     # The table is full with its second player.
STARTED = "base/clearout-base-11.jsonl"  # One of two says that the game starts.
TEXT = """# The dead: structure and beginning

`deploy/lib/dead_diagrams.py` draws this page from the headers, the protocol and two recordings. The test
`tests/programs/deploy/dead_diagrams_test.py` is red when the page no longer agrees with them.

## What a table is made with

A set-up is one block of memory, which never changes. A filled diamond means: an array of these lies in the block.

{setup}
## What changes in a match

A state is one block, too. It refers to the set-up by index.

{state}
## How a game begins

From the registration to the first turn. A message with `×` comes so many times. Dashed arrows are events. An event
for everybody is drawn to the first client only, and marked `all`.

{beginning}"""


def declared(header, kind):
    """(name, body) of each struct or enum of a header."""
    return re.findall(rf"^{kind} (\w+) \{{(.*?)\}};", header, re.S | re.M)


def fields(body):
    """(type, name, comment) of each field; a comment alone on its line is that of the next field without one."""
    above = ""
    for comment, declaration, behind in re.findall(r"(/\*.*?\*/)|([^;/]+);[ \t]*(/\*.*?\*/)?", body, re.S):
        if comment:
            above = comment
            continue
        match = re.match(r"\s*((?:struct )?\w+)\s+(.*)", declaration, re.S)
        for name in match[2].split(","):
            yield match[1].removeprefix("struct "), name.strip(), behind or above


def values(body):
    return re.findall(r"\b([A-Z][A-Z_]+)\b", re.sub(r"/\*.*?\*/", "", body, flags=re.S))


def drawn_class(name, body):
    """Lines of a struct, and of what it consists of or refers to."""
    inside, relations = [], []
    for kind, field, comment in fields(body):
        if field.startswith("unused"):
            continue
        length = re.search(r"\[(\w+)\]", field)
        word, held = re.match(r"\w+", field)[0], re.search(r"\b(struct|enum) (dead_\w+)", comment)
        number = re.match(r"/\*\s*(u?int\d+_t)\b", comment)
        if kind == "dead_array" or number or (held and held[1] == "struct"):
            inside.append(f"{number[1] if number else held[2] if held else 'char'}[] {word}")
            if held:
                relations.append(f'{name} *-- "*" {held[2]} : {word}')
        elif kind.startswith("dead_"):
            inside.append(f"{kind} {word}" + (f"[{length[1]}]" if length else ""))
            relations.append(f'{name} *-- "{length[1] if length else 1}" {kind} : {word}')
        elif held:
            inside.append(f"{held[2]} {word}")
            relations.append(f"{name} --> {held[2]} : {word}")
        else:
            inside.append(f"{kind} {word}" + (f"[{length[1]}]" if length else ""))
    return [f"class {name} {{", *(f"    {line}" for line in inside), "}"], relations


def class_diagram(header):
    lines, relations = [], []
    for name, body in declared(header, "struct"):
        if name not in ("dead_array", "dead_row"):  # How arrays lie and are looked up in; not what there is.
            more, related = drawn_class(name, body)
            lines += more
            relations += related
    relations = [line for line in relations if "dead_row" not in line]
    for name, body in declared(header, "enum"):
        if any(f"--> {name} " in line for line in relations):
            lines += [f"class {name} {{", "    <<enumeration>>", *(f"    {value}" for value in values(body)), "}"]
    return mermaid("classDiagram", lines + relations)


def mermaid(kind, lines):
    return "\n".join(["```mermaid", kind, *(f"    {line}" for line in lines), "```", ""])


def messages(proto):
    """Fields of each message of the protocol, by name."""
    return {name: re.findall(r"(?:optional|repeated) \w+ (\w+) =", body)
            for name, body in re.findall(r"message (\w+) \{(.*?)\n? *\}", proto, re.S)}


def signature(kind, args, known):
    """"Player(player, playerName)", as the protocol has it."""
    snake = [re.sub(r"([A-Z])", lambda letter: "_" + letter[1].lower(), arg) for arg in args]
    strange = [arg for arg in snake if arg not in known.get(kind, ())]
    if kind not in known or strange:
        raise ValueError(f"dead.proto has no {kind} with {', '.join(snake) or 'nothing'}")
    return f"{kind}({', '.join(args)})"


def arrows(recording, known):
    """Lines of a recording until the first ActNow; equal ones that follow each other are one."""
    header, clients = recording[0], {}
    for player in header["players"]:
        clients[player["comm"]] = "AB"[len(clients)]
    said = []
    for line in recording[1:]:
        words = signature(line.get("cmd") or line["ev"], line["args"], known)
        if "cmd" in line:
            said.append(f"{clients[line['from']]}->>server: {words}")
        else:
            said.append(f"server-->>{clients.get(line['to'], 'A')}: {words}{' all' if line['to'] == 'all' else ''}")
        if line.get("ev") == "ActNow":
            break
    counted = [(arrow, len(list(run))) for arrow, run in itertools.groupby(said)]
    return [arrow + (f" ×{count}" if count > 1 else "") for arrow, count in counted]


def sequence_diagram(full, started, known):
    began = [lines.index("server-->>A: GameStarted() all") for lines in (full, started)]
    if full[began[0]:] != started[began[1]:]:
        raise ValueError("two games do not go on alike")
    common = next(at for at, (one, other) in enumerate(zip(full, started)) if one != other) if began[0] != began[1] else began[0]
    alternative = ["alt the table is full", "    Note over server: as many as maxPlayers", *(f"    {line}" for line in full[common:began[0]]),
                   "else somebody starts", *(f"    {line}" for line in started[common:began[1]]), "end"]
    return mermaid("sequenceDiagram", ["participant A as client A", "participant B as client B", "participant server",
                                       *full[:common], *alternative, *full[began[0]:]])


def page(top):
    def text(path):
        return (top / path).read_text(encoding="utf-8")

    def recorded(name):
        return [json.loads(line) for line in text(f"common/games/dead/recorded/{name}").splitlines()]

    known = messages(text("proto/dead.proto"))
    return TEXT.format(setup=class_diagram(text("common/games/dead/dead_setup.h")),
                       state=class_diagram(text("common/games/dead/dead_state.h")),
                       beginning=sequence_diagram(arrows(recorded(FULL), known), arrows(recorded(STARTED), known), known))


if __name__ == "__main__":
    if "--print" in sys.argv[1:]:
        sys.stdout.write(page(TOP))
    else:
        (TOP / PAGE).write_text(page(TOP), encoding="utf-8")
