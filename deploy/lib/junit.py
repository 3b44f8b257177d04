#!/usr/bin/env python3
"""junit.py: reads what a suite left as JUnit, completes it, and counts.

    junit.py case FILE NAME STATUS SECONDS
    junit.py close FILE SUITE STATUS SECONDS
    junit.py words FILE LINES

`case` adds one case, for suites whose programs CTest does not run. `close` ends a suite: if it left no FILE, one case with its result is written; if it failed although no case did (the
build broke after the tests, the time ran out), a failing case is added, so that a red suite never
counts as green. Prints `PASSED FAILED` and then the names of the failed cases, one to a line.
`words` prints the last LINES that each failed case said, if it is known.
"""
import pathlib
import sys
import xml.etree.ElementTree as xml


def read(file):
    try:
        return xml.parse(file).getroot()
    except (OSError, xml.ParseError):
        return None


def is_failed(case):
    return case.find("failure") is not None or case.find("error") is not None


def add_case(root, name, failed, seconds):
    case = xml.SubElement(root, "testcase", name=name, classname=name, time=str(seconds))
    if failed:
        xml.SubElement(case, "failure", message="the suite ended with a failure; see its log")


def write(root, file):
    cases = list(root.iter("testcase"))
    root.set("tests", str(len(cases)))
    root.set("failures", str(sum(map(is_failed, cases))))
    pathlib.Path(file).parent.mkdir(parents=True, exist_ok=True)
    xml.ElementTree(root).write(file, encoding="utf-8", xml_declaration=True)


def case(file, name, status, seconds):
    root = read(file)
    if root is None:
        root = xml.Element("testsuite", name=pathlib.Path(file).stem)
    add_case(root, name, status != 0, seconds)
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


def words(file, lines):
    root = read(file)
    for case in [] if root is None else root.iter("testcase"):
        said = (case.findtext("system-out") or "").rstrip().splitlines()
        if is_failed(case) and said:
            print(f"---- what {case.get('name')} said last")
            print("\n".join(said[-lines:]))


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "words":
        words(sys.argv[2], int(sys.argv[3]))
        sys.exit()
    if len(sys.argv) != 6 or sys.argv[1] not in ("case", "close"):
        sys.exit(__doc__)
    {"case": case, "close": close}[sys.argv[1]](sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
