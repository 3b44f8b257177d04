#!/usr/bin/env python3
"""sbom.py: the list of parts of a release (SPDX 2.3, JSON): packages of Debian and of npm, with versions and licences.

    sbom.py make TREE FILE VERSION COMMIT SECONDS    TREE is built in .build/release; SECONDS is the commit's time
    sbom.py check FILE ROOT                          ROOT holds what packages install: every part of it must be named

A licence is what the package itself declares: `License:` lines of Debian's copyright files, `license` of npm's lock file.
"""
import base64
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid

WEB = "services/gateway/web"
# Debian's short names, where SPDX has another word for the same licence.
NAMES = {"apache-2.0": "Apache-2.0", "artistic": "Artistic-1.0-Perl", "beerware": "Beerware", "bsd-2-clause": "BSD-2-Clause",
         "bsd-3-clause": "BSD-3-Clause", "bsl-1.0": "BSL-1.0", "cc0": "CC0-1.0", "cc0-1.0": "CC0-1.0", "expat": "MIT", "gfdl-1.3": "GFDL-1.3-only",
         "isc": "ISC", "mit": "MIT", "mpl-2.0": "MPL-2.0", "postgresql": "PostgreSQL", "tcl": "TCL", "zlib": "Zlib"}


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C"}).stdout


def programs_of(folder):
    """Programs and libraries below a folder: what the loader would look at."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                head = file.read(18)
            if head[:4] == b"\x7fELF" and head[16] in (2, 3):   # To be run, or to be shared.
                yield path


def libraries_of(program):
    """Every library that is loaded with it, as the files that they are here."""
    return {os.path.realpath(path) for path in re.findall(r"(/\S+) \(0x", run("ldd", program))}


def packages_of(files):
    """{file: the package of Debian that brings it}. Its database may know the place from before /lib became a link."""
    places = {place: path for path in files for place in (path, path.removeprefix("/usr"))}
    said = subprocess.run(["dpkg-query", "-S", *places], capture_output=True, text=True).stdout   # It fails where one is unknown.
    rows = (line.rsplit(": ", 1) for line in said.splitlines() if ": " in line)
    return {places[place]: names.split(":")[0] for names, place in rows if place in places}


def spdx_name(word):
    """A licence as SPDX writes it; one that SPDX does not know is a reference of ours."""
    plain = NAMES.get(word.lower())
    if plain:
        return plain
    gnu = re.fullmatch(r"([AL]?GPL|GFDL)-(\d)(?:\.(\d))?(\+?)", word)
    if gnu:
        return f"{gnu[1]}-{gnu[2]}.{gnu[3] or 0}-{'or-later' if gnu[4] else 'only'}"
    return "LicenseRef-Debian-" + re.sub(r"[^A-Za-z0-9.]+", "-", word).strip("-")


def licences_of(package):
    """What its copyright file declares; NOASSERTION where that is prose."""
    place = pathlib.Path(f"/usr/share/doc/{package}/copyright")
    text = place.read_text(errors="replace") if place.exists() else ""
    if not re.match(r"Format(-Specification)?:", text):
        return "NOASSERTION"
    words = set()
    for line in re.findall(r"^License: *(\S.*)$", text, re.M):
        words.update(re.split(r",? +(?:and|or|and/or) +", line.strip()))
    return " AND ".join(sorted({spdx_name(word) for word in words})) or "NOASSERTION"


def debian_parts(packages):
    """A part for each that is installed; an architecture's name behind it would be this machine's."""
    asked = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status} ${Package} ${Version} ${Architecture} ${source:Package} ${source:Version}\n",
                            *sorted(packages)], capture_output=True, text=True).stdout
    for line in asked.splitlines():
        if line.startswith("installed "):
            _, package, version, architecture, source, source_version = line.split()
            yield {"name": package, "SPDXID": spdx_id("deb", package), "versionInfo": version, "supplier": "Organization: Debian",
                   "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
                   "licenseDeclared": licences_of(package), "copyrightText": "NOASSERTION", "sourceInfo": f"built from {source} {source_version}",
                   "externalRefs": [purl(f"pkg:deb/debian/{package}@{version.replace('+', '%2B')}?arch={architecture}")]}


def npm_parts(tree):
    """(part, is it only needed to build) of each row of the lock file that this machine would fetch, too."""
    rows = json.loads((tree / WEB / "package-lock.json").read_text())["packages"]
    for place, row in sorted(rows.items()):
        name = place.rpartition("node_modules/")[2]
        if not place or row.get("optional"):   # The tree itself; the binaries of every other machine.
            continue
        kind, _, digest = row["integrity"].partition("-")
        yield {"name": name, "SPDXID": spdx_id("npm", f"{name}-{row['version']}"), "versionInfo": row["version"],
               "downloadLocation": row.get("resolved", "NOASSERTION"), "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
               "licenseDeclared": row.get("license", "NOASSERTION"), "copyrightText": "NOASSERTION",
               "checksums": [{"algorithm": kind.upper(), "checksumValue": base64.b64decode(digest).hex()}],
               "externalRefs": [purl(f"pkg:npm/{name.replace('@', '%40')}@{row['version']}")]}, bool(row.get("dev"))


def purl(locator):
    return {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}


def spdx_id(kind, name):
    return f"SPDXRef-{kind}-" + re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-")


def needed_packages(programs):
    files = set().union(*(libraries_of(program) for program in programs))
    found = packages_of(files)
    if nobodys := sorted(files - set(found)):
        sys.exit(f"sbom: no package of Debian brings {', '.join(nobodys)}")
    return set(found.values())


def build_packages(tree):
    """The packages with which it was built: rows of packages.sh; node may come from elsewhere."""
    return run("bash", "-c", f"source '{tree}/deploy/lib/packages.sh' && packages_for build release").split()


def document(tree, version, commit, seconds):
    arbiter = spdx_id("package", "arbiter")
    parts, relations = {}, [("SPDXRef-DOCUMENT", "DESCRIBES", arbiter)]

    def add(part, kind):
        if part["SPDXID"] not in parts:
            parts[part["SPDXID"]] = part
            relations.append((arbiter, kind, part["SPDXID"]) if kind != "BUILD_DEPENDENCY_OF" else (part["SPDXID"], kind, arbiter))

    built = [path for path in programs_of(tree / ".build/release") if path.name.startswith(("arbiter", "libarbiter"))]
    for part in debian_parts(needed_packages(built)):
        add(part, "DEPENDS_ON")
    for part in debian_parts(build_packages(tree)):
        add(part, "BUILD_DEPENDENCY_OF")
    for part, is_tool in sorted(npm_parts(tree), key=lambda pair: pair[1]):
        add(part, "BUILD_DEPENDENCY_OF" if is_tool else "CONTAINS")
    itself = {"name": "arbiter", "SPDXID": arbiter, "versionInfo": version, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
              "licenseConcluded": "MIT", "licenseDeclared": "MIT", "copyrightText": "NOASSERTION", "sourceInfo": f"commit {commit}"}
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"arbiter-{version}",
            "documentNamespace": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'arbiter {version} {commit}')}",
            "creationInfo": {"created": datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                             "creators": ["Tool: arbiter-deploy-lib-sbom"]},
            "packages": [itself, *parts.values()], "hasExtractedLicensingInfos": references(parts.values()),
            "relationships": [{"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other} for one, kind, other in relations]}


def references(parts):
    """Each licence that SPDX has no name for: where its text stands."""
    where = {}
    for part in parts:
        for word in re.findall(r"LicenseRef-\S+", part["licenseDeclared"]):
            where.setdefault(word, part["name"])
    return [{"licenseId": word, "name": word.removeprefix("LicenseRef-Debian-"),
             "extractedText": f"See /usr/share/doc/{package}/copyright of Debian's package {package}."} for word, package in sorted(where.items())]


def faults(listed, root):
    """What is wrong with a list, or not in it, as sentences."""
    names = {part["name"] for part in listed["packages"]}
    known = {part["SPDXID"] for part in listed["packages"]} | {"SPDXRef-DOCUMENT"}
    if listed.get("spdxVersion") != "SPDX-2.3" or len(known) != len(listed["packages"]) + 1:
        yield "it is no list of SPDX 2.3 in which each part has a name of its own"
    for relation in listed["relationships"]:
        if not {relation["spdxElementId"], relation["relatedSpdxElement"]} <= known:
            yield f"{relation} names a part that is not there"
    for part in listed["packages"]:
        if not part.get("versionInfo") or not part.get("licenseDeclared"):
            yield f"{part['name']} has no version, or no licence"
    programs = list(programs_of(root))
    for package in sorted(needed_packages(programs) - names):
        yield f"a program loads a library of {package}, which is not listed"
    if not programs or not {"preact", "typescript"} <= names:
        yield "programs or the page's packages are missing"


def main(words):
    if words[:1] == ["make"] and len(words) == 6:
        listed = document(pathlib.Path(words[1]), words[3], words[4], int(words[5]))
        pathlib.Path(words[2]).write_text(json.dumps(listed, indent=1) + "\n")
        print(f"sbom: {len(listed['packages'])} parts")
        return 0
    if words[:1] == ["check"] and len(words) == 3:
        found = list(faults(json.loads(pathlib.Path(words[1]).read_text()), pathlib.Path(words[2])))
        print("\n".join(f"sbom: {words}" for words in found), file=sys.stderr)
        return 1 if found else 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
