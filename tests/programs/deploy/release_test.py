"""release_test.py: what deploy/release refuses, and the list of parts; the nightly suite `release` makes whole releases."""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE, BUILD = (pathlib.Path(os.environ[name]) for name in ("ARBITER_SOURCE", "ARBITER_BUILD"))
WEB = "services/gateway/web"


class Release(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="release-")))

    def refused(self, words, *asked):
        ran = subprocess.run([SOURCE / "deploy/release", *asked], capture_output=True, text=True, timeout=120)
        self.assertEqual(ran.returncode, 2, ran.stdout + ran.stderr)
        self.assertIn(words, ran.stderr)

    def test_nobody_signs_by_mistake(self):
        self.refused("who signs this release?")
        self.refused("the key /nowhere/a.key cannot be read", "--key", "/nowhere/a.key")
        self.refused("--unsigned needs no key", "--unsigned", "--key", "/nowhere/a.key")
        self.refused("whose signature is it to be?", "--verify", self.folder)
        key = self.folder / "a.key"
        key.write_text("untrusted comment: a\n")
        self.refused("a.pub cannot be read", "--key", key)

    def test_it_knows_its_options(self):
        self.refused("there is no option '--sign'", "--sign")
        self.refused("--out needs a value", "--unsigned", "--out")

    def published(self):
        """A release of one file."""
        (self.folder / "a.deb").write_bytes(b"a")
        (self.folder / "SHA256SUMS").write_text(f"{hashlib.sha256(b'a').hexdigest()}  a.deb\n")

    def test_a_folder_that_is_none(self):
        self.refused("is no release", "--verify", self.folder, "--unsigned")

    def test_a_file_that_was_changed(self):
        self.published()
        (self.folder / "a.deb").write_bytes(b"b")
        self.refused("is not the one that was published", "--verify", self.folder, "--unsigned")

    def test_a_file_that_was_added(self):
        self.published()
        (self.folder / "b.deb").write_bytes(b"b")
        self.refused("holds what SHA256SUMS does not name: b.deb", "--verify", self.folder, "--unsigned")

    def test_a_signature_that_is_missing(self):
        self.published()
        public = self.folder.parent / f"{self.folder.name}.pub"
        public.write_text("untrusted comment: minisign public key\n")
        self.addCleanup(public.unlink)
        self.refused("has no signature", "--verify", self.folder, "--public", public)


class Parts(unittest.TestCase):
    """The list of a tree in which only `arbiter` was built."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="parts-")))
        tree = cls.folder / "tree"
        for path in ("deploy/lib/packages.sh", f"{WEB}/package-lock.json"):
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).symlink_to(SOURCE / path)
        (tree / ".build/release").mkdir(parents=True)
        shutil.copy(BUILD / "arbiter", tree / ".build/release/arbiter")
        cls.tree, cls.file = tree, cls.folder / "parts.json"
        cls.sbom("make", tree, cls.file, "1.2.3", "f" * 40, "1700000000", check=True)
        cls.listed = json.loads(cls.file.read_text())
        cls.parts = {part["name"]: part for part in cls.listed["packages"]}

    @staticmethod
    def sbom(*words, check=False):
        return subprocess.run(["/usr/bin/python3", "-B", SOURCE / "deploy/lib/sbom.py", *words], capture_output=True, text=True, check=check, timeout=120)

    def found(self):
        """What the check says of the list as it is now."""
        changed = self.folder / "changed.json"
        changed.write_text(json.dumps(self.listed))
        return self.sbom("check", changed, self.tree)

    def setUp(self):
        self.listed = json.loads(self.file.read_text())

    def test_libraries_and_page_are_named_with_versions_and_licences(self):
        self.assertEqual(self.found().returncode, 0, self.found().stderr)
        self.assertEqual(self.parts["libjansson4"]["licenseDeclared"], "MIT")
        self.assertRegex(self.parts["libzmq5"]["externalRefs"][0]["referenceLocator"], r"^pkg:deb/debian/libzmq5@4\S+\?arch=\w+$")
        locked = json.loads((SOURCE / WEB / "package-lock.json").read_text())["packages"]["node_modules/preact"]
        self.assertEqual((self.parts["preact"]["versionInfo"], self.parts["preact"]["licenseDeclared"]), (locked["version"], "MIT"))
        kinds = {(row["relationshipType"], row["relatedSpdxElement"]) for row in self.listed["relationships"]}
        self.assertIn(("DEPENDS_ON", "SPDXRef-deb-libzmq5"), kinds)
        self.assertIn(("CONTAINS", self.parts["preact"]["SPDXID"]), kinds)

    def test_the_same_tree_gives_the_same_list(self):
        again = self.folder / "again.json"
        self.sbom("make", self.tree, again, "1.2.3", "f" * 40, "1700000000", check=True)
        self.assertEqual(again.read_bytes(), self.file.read_bytes())

    def test_a_library_that_is_not_named_is_found(self):
        self.listed["packages"] = [part for part in self.listed["packages"] if part["name"] != "libsodium23"]
        said = self.found()
        self.assertEqual(said.returncode, 1)
        self.assertIn("loads a library of libsodium23, which is not listed", said.stderr)

    def test_a_part_without_a_version_is_found(self):
        self.listed["packages"][3]["versionInfo"] = ""
        self.assertIn("has no version, or no licence", self.found().stderr)


if __name__ == "__main__":
    unittest.main()
