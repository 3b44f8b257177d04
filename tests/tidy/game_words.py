"""game_words.py: the words.json of a game: its shape, and whether its sentences name kinds and fields that the game's .proto has."""
import json
import re

from contract import FIELD, statements

WORDS_BYTES_MAX = 64 * 1024


def shapes(repo, path):
    """What common/games/README.md describes otherwise."""
    raw = (repo.root / path).read_bytes()
    if len(raw) > WORDS_BYTES_MAX:
        return [f"{path}:1: a reader takes at most {WORDS_BYTES_MAX} bytes of words"]
    try:
        words = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as fault:   # RecursionError: it is nested too deep for any reader.
        return [f"{path}:{getattr(fault, 'lineno', 1)}: it is no JSON: {fault}"]
    findings = [f"{path}:1: {place} is not {shape}" for place, shape in misshapen(words)]
    if not findings and "title" not in words.get("words", {}).get("en", {}):
        findings.append(f"{path}:1: the game has no title in English")
    return findings


TEXT, TEXTS = "a text", "an object of texts"
WORD_SHAPES = {"title": TEXT, "about": TEXT, "rules": "a list of texts", "commands": TEXTS, "events": TEXTS, "fields": TEXTS,
               "values": "an object of objects of texts", "refusals": TEXTS, "setups": TEXTS}


def is_shaped(value, shape):
    if shape == TEXT:
        return isinstance(value, str)
    kind, _, inner = shape.partition(" of ")
    if not isinstance(value, list if kind == "a list" else dict):
        return False
    inner = {"texts": TEXT, "objects of texts": TEXTS}.get(inner)
    return inner is None or all(is_shaped(one, inner) for one in (value if kind == "a list" else value.values()))


def misshapen(words):
    """(what, what it should be) of everything in a words.json that common/games/README.md describes otherwise."""
    if not isinstance(words, dict):
        return [("the whole", "an object")]
    shapes = {"play_now": TEXT, "fields": "an object", "words": "an object"}
    faults = [(key, shape) for key, shape in shapes.items() if key in words and not is_shaped(words[key], shape)]
    languages = words.get("words", {})
    for language, said in languages.items() if isinstance(languages, dict) else ():
        if not isinstance(said, dict):
            faults.append((f"words.{language}", "an object"))
            continue
        faults += [(f"words.{language}.{key}", shape) for key, shape in WORD_SHAPES.items()
                   if key in said and not is_shaped(said[key], shape)]
    return faults


PLACEHOLDER = re.compile(r"\{([\w.]+)(\|[^|{}]*\|[^|{}]*)?\}")


def messages_of(text):
    """Full name of each message -> {field: its type}, in the words of the file."""
    messages = {}
    for _, message, in_enum, code, _ in statements(text):
        opened = re.match(r"\s*message\s+(\w+)", code)
        if opened:
            messages[".".join(filter(None, (message, opened.group(1))))] = {}
        field = FIELD.match(code)
        if field and message and not in_enum:
            messages.setdefault(message, {})[field.group(3)] = field.group(2)
    return messages


def message_of(messages, inside, kind):
    """The message that a type means there, the innermost scope first; None: it is no message of this file."""
    scope = inside.split(".")
    names = [".".join([*scope[:n], kind]) for n in range(len(scope), -1, -1)]
    return next((name for name in names if name in messages), None)


def has_field(messages, message, path):
    first, _, rest = path.partition(".")
    if message is None or first not in messages[message]:
        return False
    return not rest or has_field(messages, message_of(messages, message, messages[message][first]), rest)


def sentence_faults(messages, root, kind, sentence):
    """What is wrong with a sentence for this kind of command or event."""
    if kind not in messages.get(root, {}):
        return [f"there is no {root.lower()} {kind}"]
    message = message_of(messages, root, messages[root][kind])
    plain = re.sub(r"\[[^\[\]]*\]", "", PLACEHOLDER.sub("", sentence))
    return [f"{kind} has no field {path}" for path, _ in PLACEHOLDER.findall(sentence) if not has_field(messages, message, path)] + \
        ([f"the signs of {kind} do not match"] if re.search(r"[][{}|]", plain) else [])


def unfit(repo, name):
    """What a game's words name and its messages have not. Shapes are judged elsewhere."""
    path = f"common/games/{name}/words.json"
    proto = next((one for one in (f"common/games/{name}/{name}.proto", f"proto/{name}.proto") if one in repo.paths), None)
    try:
        words = json.loads(repo.text(path))
    except (ValueError, RecursionError):
        return []
    if misshapen(words):
        return []
    messages = messages_of(repo.text(proto)) if proto else {}
    fields = {field for message in messages.values() for field in message}
    faults = [f"fields: no message has {field}" for field in words.get("fields", {}) if field not in fields]
    for language, said in words.get("words", {}).items():
        for key, root in (("commands", "Command"), ("events", "Event")):
            faults += [f"{language}.{key}: {fault}" for kind, sentence in said.get(key, {}).items()
                       for fault in sentence_faults(messages, root, kind, sentence)]
    return [f"{path}:1: {fault}" for fault in faults]
