"""rules.py: every numbered rule of a game's text has a row in its RULES.md, and the row has a living test.

The ids of each text are kept in rule_ids.json. A row that goes is missed there; so is an id that no text has."""
import json
import re

from documents import tables, test_names

IDS = "tests/tidy/rule_ids.json"


def rows_of(repo, path):
    """(line, id, tests that it names) of each row with an id."""
    for number, header, cells in tables(repo.text(path)):
        names = [name.lower() for name in header]
        if "id" in names:
            tests = cells[names.index("test")] if "test" in names and names.index("test") < len(cells) else ""
            yield number, cells[names.index("id")], re.findall(r"`([^`]+)`", tests)


def of_game(repo, path, wanted, known):
    findings, seen = [], set()
    for number, rule, tests in rows_of(repo, path):
        if rule in seen:
            findings.append(f"{path}:{number}: rule {rule} has a row already")
        elif rule not in wanted:
            findings.append(f"{path}:{number}: the text has no rule {rule}")
        seen.add(rule)
        if not tests:
            findings.append(f"{path}:{number}: rule {rule} has no test")
        findings += [f"{path}:{number}: rule {rule}: there is no test `{name}`" for name in tests if name not in known]
    return findings + [f"{path}:1: rule {rule} has no row" for rule in wanted if rule not in seen]


def every_rule_has_its_test(repo):
    if not repo.exists(IDS):
        return [f"{IDS}:1: the ids of the rules are kept here"]
    findings = []
    for game, wanted in json.loads(repo.text(IDS)).items():
        folder = f"common/games/{game}/"
        if folder + "RULES.md" not in repo.paths:
            findings.append(f"{folder}RULES.md:1: it is missing")
        else:
            findings += of_game(repo, folder + "RULES.md", wanted, test_names(repo, folder))
    return findings
