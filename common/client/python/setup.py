"""setup.py: what pyproject.toml cannot say: the library and the messages that the wheel brings along.

The library is that of .build/release in this checkout, else of .build/dev. ARBITER_BUILD names another folder. The
wheel is then for machines of this kind, with libprotobuf-c1, libjansson4 and libsodium23.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
WORK = pathlib.Path(os.environ.get("ARBITER_BUILD", ROOT / ".build")) / "wheel"    # Nothing is written beside the sources.
LIBRARY = "libarbiter-games.so.0"
HOW = "cmake --preset release && cmake --build --preset release --target games_library"


def built_library():
    builds = [os.environ["ARBITER_BUILD"]] if "ARBITER_BUILD" in os.environ else []
    found = [path for path in (pathlib.Path(build) / LIBRARY for build in
                               (*builds, ROOT / ".build/release", ROOT / ".build/dev")) if path.exists()]
    if not found:
        sys.exit(f"{LIBRARY} is not built yet. In {ROOT}: {HOW}")
    return found[0]


class Build(build_py):
    """The modules, and beside them what was built."""

    def run(self):
        super().run()
        package = pathlib.Path(self.build_lib) / "arbiter"
        shutil.copy(built_library(), package / "env" / LIBRARY)
        (package / "generated").mkdir(exist_ok=True)
        for proto in sorted([*ROOT.glob("proto/*.proto"), *ROOT.glob("common/games/*/*.proto")]):
            subprocess.run(["protoc", f"--proto_path={proto.parent}", f"--proto_path={ROOT / 'proto'}",
                            f"--python_out={package / 'generated'}", proto], check=True)


class Wheel(bdist_wheel):
    """For any Python 3, on machines of this kind."""

    def get_tag(self):
        return "py3", "none", sysconfig.get_platform().replace("-", "_").replace(".", "_")


class Platform(Distribution):
    def has_ext_modules(self):
        return True


WORK.mkdir(parents=True, exist_ok=True)
setup(cmdclass={"build_py": Build, "bdist_wheel": Wheel}, distclass=Platform,
      options={"build": {"build_base": str(WORK / "build")}, "egg_info": {"egg_base": str(WORK)}})
