"""before.py: builds of before, taken out of git."""
import pathlib
import shutil
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parents[2]
COMMIT = "28291aa8c17b8f28891882b5febddd55f946b979"   # The last one whose lobby keeps version 5 of its tables.
GIT = ["git", "-c", f"safe.directory={SOURCE}", "-C", SOURCE]  # In a container the tree may be another's.


def is_known(commit=COMMIT):
    return subprocess.run([*GIT, "cat-file", "-e", f"{commit}^{{commit}}"], capture_output=True).returncode == 0


def build_before(folder, programs, commit=COMMIT):
    """Where its programs are, behind some minutes; AssertionError: it cannot be built."""
    assert is_known(commit), f"the history of this repository lacks {commit}: git fetch --unshallow"
    before, log = folder / "before", folder / "build.log"
    before.mkdir()
    archive = subprocess.run([*GIT, "archive", commit], check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", before], input=archive, check=True)
    launcher = ["-DCMAKE_C_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    with open(log, "wb") as out:
        for words in (["cmake", "--preset", "dev", *launcher], ["cmake", "--build", ".build/dev", "--target", *programs]):
            done = subprocess.run(words, cwd=before, stdout=out, stderr=out)
            assert done.returncode == 0, log.read_text()[-2000:]
    return before / ".build/dev"
