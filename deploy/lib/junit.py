#!/usr/bin/env python3
"""junit.py: reads what a suite left as JUnit, completes it, and counts.

    junit.py case FILE NAME STATUS SECONDS
    junit.py close FILE SUITE STATUS SECONDS
    junit.py words FILE LINES
    junit.py failed FILE
    junit.py again FILE ALONE
    junit.py unsteady FILE

`case` adds one case, for suites whose programs CTest does not run. `close` ends a suite: if it left no FILE, one case with its result is written; if it failed although no case did (the
build broke after the tests, the time ran out), a failing case is added, so that a red suite never
counts as green. Prints `PASSED FAILED` and then the names of the failed cases, one to a line.
`words` prints the last LINES that each failed case said, if it is known. `failed` prints the names of failed cases.
`again` reads what failed cases did when they ran once more, alone: a case that passed counts as passed, and is marked.
It ends with 0 if no failed case is left. `unsteady` prints the names of the marked ones.
"""
import pathlib
import sys
import xml.etree.ElementTree as xml

# The status of a case that failed among others, and passed alone.
UNSTEADY = "unsteady"


def read(file):
    try:
        return xml.parse(file).getroot()
    except (OSError, xml.ParseError):
        return None


def is_failed(case):
    return case.find("failure") is not None or case.find("error") is not None


def add_case(root, name, failed, seconds, said=""):
    case = xml.SubElement(root, "testcase", name=name, classname=name, time=str(seconds))
    if said:
        xml.SubElement(case, "system-out").text = said
    if failed:
        xml.SubElement(case, "failure", message="the suite ended with a failure; see its log")


def write(root, file):
    cases = list(root.iter("testcase"))
    root.set("tests", str(len(cases)))
    root.set("failures", str(sum(map(is_failed, cases))))
    pathlib.Path(file).parent.mkdir(parents=True, exist_ok=True)
    xml.ElementTree(root).write(file, encoding="utf-8", xml_declaration=True)


def case(file, name, status, seconds, said=""):
    root = read(file)
    if root is None:
        root = xml.Element("testsuite", name=pathlib.Path(file).stem)
    add_case(root, name, status != 0, seconds, said)
    write(root, file)


def close(file, suite, status, seconds):
    root = read(file)
    if root is None:
        root = xml.Element("testsuite", name=suite)
        add_case(root, suite, status != 0, seconds)
    failed = [case.get("name") for case in root.iter("testcase") if is_failed(case)]
    if status != 0 and not failed:
        add_case(root, suite, True, seconds)
        failed.append(suite)
    total = len(list(root.iter("testcase")))
    write(root, file)
    print(total - len(failed), len(failed))
    print("\n".join(failed))


def names(file, wanted):
    root = read(file)
    return [] if root is None else [case.get("name") for case in root.iter("testcase") if wanted(case)]


def is_unsteady(case):
    return case.get("status") == UNSTEADY


def again(file, alone):
    root = read(file)
    passed = set(names(alone, lambda case: not is_failed(case)))
    for case in root.iter("testcase"):
        if is_failed(case) and case.get("name") in passed:
            for fault in [*case.findall("failure"), *case.findall("error")]:
                case.remove(fault)
            case.set("status", UNSTEADY)
    write(root, file)
    return 1 if names(file, is_failed) else 0


def words(file, lines):
    root = read(file)
    for case in [] if root is None else root.iter("testcase"):
        said = (case.findtext("system-out") or "").rstrip().splitlines()
        if is_failed(case) and said:
            print(f"---- what {case.get('name')} said last")
            print("\n".join(said[-lines:]))


def main(arguments):
    match arguments:
        case ["case" | "close" as deed, file, name, status, seconds]:
            {"case": case, "close": close}[deed](file, name, int(status), int(seconds))
        case ["words", file, lines]:
            words(file, int(lines))
        case ["failed" | "unsteady" as which, file]:
            for name in names(file, is_failed if which == "failed" else is_unsteady):
                print(name)
        case ["again", file, alone]:
            return again(file, alone)
        case _:
            return __doc__
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
