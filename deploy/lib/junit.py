#!/usr/bin/env python3
"""junit.py: reads what a suite left as JUnit, completes it, and counts.

    junit.py close FILE SUITE STATUS SECONDS

If the suite left no FILE, one case with its result is written; if it failed although no case did (the
build broke after the tests, the time ran out), a failing case is added, so that a red suite never
counts as green. Prints `PASSED FAILED` and then the names of the failed cases, one to a line.
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
    root.set("tests", str(total))
    root.set("failures", str(len(failed)))
    pathlib.Path(file).parent.mkdir(parents=True, exist_ok=True)
    xml.ElementTree(root).write(file, encoding="utf-8", xml_declaration=True)
    print(total - len(failed), len(failed))
    print("\n".join(failed))


if __name__ == "__main__":
    if len(sys.argv) != 6 or sys.argv[1] != "close":
        sys.exit(__doc__)
    close(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
