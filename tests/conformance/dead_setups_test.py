"""dead_setups_test.py: the set-ups of configs/dead, held to what their README says of them.

Every one is accepted in its editions, has a text in both languages for everything in it and for nothing
else, is as hard as it claims to be, is played by the general tests, and is found by name: in the
tree, and where it is installed.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
FOLDER = SOURCE / "configs" / "dead"
LANGUAGES = {"en", "de"}

# Seats it is meant for, and the share of games, in percent, that greedy players are to win there.
WANTED = {"intro": (3, 60, 85), "standard": (4, 30, 60), "hard": (4, 10, 30), "big": (6, 30, 60)}
GAMES = 200

faults = []


def expect(is_so, what):
    if not is_so:
        faults.append(what)


def run(*words, program=BUILD / "arbiter"):
    # A set-up of the person who runs the tests is not what is asked for.
    own = {key: value for key, value in os.environ.items() if key != "ARBITER_CONFIGS"}
    return subprocess.run([str(program), *map(str, words)], capture_output=True, text=True, env=own)


def played(*words, program=BUILD / "arbiter"):
    """What a run of greedy games reports; nothing if it failed."""
    ran = run("simulate", "dead", "--json", "--policy", "greedy", *words, program=program)
    expect(ran.returncode == 0, f"simulate {' '.join(map(str, words))}: {ran.stderr}")
    return json.loads(ran.stdout) if ran.returncode == 0 else {}


def body(entry):
    """What stands in a one-key object: {"food": {...}}."""
    return next(iter(entry.values()))


def no_key_twice(pairs):
    keys = [key for key, _ in pairs]
    expect(len(keys) == len(set(keys)), f"one of these keys stands there twice: {keys}")
    return dict(pairs)


def read(path):
    try:
        return json.loads(path.read_text("utf-8"), object_pairs_hook=no_key_twice)
    except (OSError, ValueError) as error:
        expect(False, f"{path.name}: {error}")
        return {}


def tables():
    """Each set-up with each edition it is for: the file, the edition, seats and band."""
    for name, wanted in WANTED.items():
        yield FOLDER / f"{name}.json", "base", wanted
        yield FOLDER / f"{name}.json", "equipment", wanted
        yield FOLDER / f"{name}-crossroads.json", "crossroads", wanted


def no_file_is_forgotten():
    known = {path.name for path, _, _ in tables()}
    texts = {name.replace(".json", ".texts.json") for name in known}
    there = {path.name for path in FOLDER.glob("*.json")}
    expect(there == known | texts, f"missing or not known here: {sorted(there ^ (known | texts))}")


def every_set_up_is_accepted():
    for path, edition, _ in tables():
        ran = run("check-config", "dead", path, "--set", f"edition={edition}")
        expect(ran.returncode == 0, f"{path.name} in {edition}: {ran.stderr}")


def every_set_up_is_as_hard_as_it_says():
    for path, edition, (seats, least, most) in tables():
        report = played("--config", path, "--set", f"edition={edition}", "--seats", seats,
                        "--games", GAMES)
        won = 100 * report.get("won", -1) / GAMES
        expect(least <= won <= most and report.get("cut") == 0,
               f"{path.name} in {edition}: {won} % won, should be {least} to {most}")


def ids_of(config, language):
    """What wants a text: its keys by the parts of a texts file. Places have German names in the set-up itself."""
    parts = {
        "locations": {body(l)["identifier"] if "colony" in l else l["identifier"]
                      for l in config["locations"]},
        "characters": {c["identifier"] for c in config["characters"]},
        "cards": {kind for card in config["cards"] for kind in card},
        "crises": {body(crisis)["identifier"] for crisis in config["crises"]},
    }
    if language != "de":
        parts["places"] = {place["identifier"] for place in config["locations"] if "colony" not in place}
    if "crossroads" in config:
        parts["crossroads"] = {body(fate)["identifier"] for fate in config["crossroads"]}
    return {part: {str(key) for key in keys} for part, keys in parts.items()}


def entry_keys(config, part, key):
    """The texts one thing has: a place and a person one, a card two, a choice one more per answer."""
    if part in ("places", "locations", "characters"):
        return None
    if part == "crossroads":
        fate = next(body(f) for f in config["crossroads"] if str(body(f)["identifier"]) == key)
        if "choice" in fate["consequence"]:
            return {"title", "text", "yes", "no"}
    return {"title", "text"}


def is_text(value):
    return isinstance(value, str) and value.strip() == value and len(value) > 1


def check_part(where, config, part, wanted, said):
    expect(set(said) == wanted, f"{where}/{part}: missing or too many: {sorted(set(said) ^ wanted)}")
    for key in wanted & set(said):
        keys = entry_keys(config, part, key)
        texts = [said[key]] if keys is None else list(said[key].values())
        expect(keys is None or set(said[key]) == keys, f"{where}/{part}/{key}: wants {keys}")
        expect(all(map(is_text, texts)), f"{where}/{part}/{key}: an empty or untidy text")


def every_texts_file_covers_its_set_up():
    for path in sorted({path for path, _, _ in tables()}):
        config, texts = read(path), read(path.with_suffix(".texts.json"))
        expect(set(texts) == LANGUAGES, f"{path.stem}: texts in {sorted(texts)}")
        for language, said in texts.items():
            where, parts = f"{path.stem}.texts/{language}", ids_of(config, language)
            plain = {"title", "story", "goal", "colony"}
            expect(set(said) == plain | set(parts), f"{where}: has {sorted(said)}")
            expect(all(is_text(said.get(key)) for key in plain), f"{where}: no title, story, ...")
            for part, wanted in parts.items():
                check_part(where, config, part, wanted, said.get(part, {}))


def one_thing_is_called_the_same_everywhere():
    """The set-ups share a valley: whoever corrects a text must correct its copies."""
    seen = {}
    for path in sorted({path for path, _, _ in tables()}):
        for language, said in read(path.with_suffix(".texts.json")).items():
            for part in ("places", "locations", "characters", "cards", "crises", "crossroads"):
                for key, text in said.get(part, {}).items():
                    first = seen.setdefault((language, part, key), text)
                    expect(first == text, f"{path.stem}: {language}/{part}/{key} reads otherwise")


def crossroads_only_adds_fate():
    for name in WANTED:
        plain, fated = read(FOLDER / f"{name}.json"), read(FOLDER / f"{name}-crossroads.json")
        expect(fated.pop("crossroads", []) != [], f"{name}-crossroads has no fate cards")
        for config in (plain, fated):
            config.get("goal", {}).pop("moral", None)
        expect(plain == fated, f"{name}-crossroads differs in more than fate cards and morale")


def the_general_tests_play_them():
    setups = (SOURCE / "common" / "games" / "dead" / "setups").glob("*.json")
    pairs = {(name, bundle["options"]["edition"])
             for bundle in map(read, setups)
             if bundle.get("config_files", "").startswith("configs/dead/{")
             for name in bundle["config_files"].split("{")[1].split("}")[0].split(",")}
    for name in WANTED:
        for edition in ("base", "equipment", "crossroads"):
            expect((name, edition) in pairs, f"setups/ does not name {name} in {edition}")


def digest(*words, program=BUILD / "arbiter"):
    return played("--seats", 4, "--games", 3, *words, program=program).get("digest")


def they_are_found_by_name():
    standard = digest("--config", FOLDER / "standard.json")
    hard = digest("--config", FOLDER / "hard.json")
    expect(None not in (standard, hard) and standard != hard, "two set-ups play the same games")
    expect(digest() == standard, "without --config it is not the standard set-up of the tree")
    expect(digest("--config", "hard") == hard, "hard is not found by its name")
    with tempfile.TemporaryDirectory() as prefix:
        subprocess.run(["cmake", "--install", str(BUILD), "--prefix", prefix], check=True,
                       stdout=subprocess.DEVNULL)
        installed = pathlib.Path(prefix, "bin", "arbiter")
        expect(digest(program=installed) == standard, "installed, it is not the standard set-up")
        expect(digest("--config", "hard", program=installed) == hard, "installed, hard is lost")


def main():
    for test in (no_file_is_forgotten, every_set_up_is_accepted, every_set_up_is_as_hard_as_it_says,
                 every_texts_file_covers_its_set_up, one_thing_is_called_the_same_everywhere,
                 crossroads_only_adds_fate, the_general_tests_play_them, they_are_found_by_name):
        before = len(faults)
        test()
        print("ok    " if len(faults) == before else "FAILED", test.__name__.replace("_", " "))
    for what in faults:
        print(what, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
