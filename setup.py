"""The build: engine and rules compiled by mypyc as one group, and bot folders and protos shipped as data of `arena`.

ARENA_COMPILE says whether: `auto` (the default) goes on interpreted where compiling fails, `must` fails then, and
`never` does not try. It is all or nothing: a part left out would be a shim without the library behind it.
What was built from which sources is written to arena/_build_stamp.json, which arena.build reads.
"""

import contextlib
import hashlib
import io
import json
import os
import shutil
import sys
import tomllib
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import CompileError, LinkError

ROOT = Path(__file__).parent
MODES = ("auto", "must", "never")
COMPILED = ("engine/*.py", "games/*/encoder.py", "games/*/rules*.py", "wire/writer.py")  # below arena/
GROUP = "arena.compiled"
CACHES = ("__pycache__", ".git", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".DS_Store")
FETCHED = ("vendor", "node_modules")
STAMP = "_build_stamp.json"


def mode() -> str:
    """How much the caller wants the compiled build."""
    wanted = os.environ.get("ARENA_COMPILE") or "auto"
    if wanted not in MODES:
        sys.exit(f"ARENA_COMPILE: expected one of {', '.join(MODES)}, got {wanted!r}.")
    return wanted


def sources() -> list[str]:
    """The files that are compiled, as paths from the root; arena.build looks for the same ones."""
    found = [path for pattern in COMPILED for path in ROOT.glob(f"arena/{pattern}")]
    return sorted(path.relative_to(ROOT).as_posix() for path in found if path.name != "__init__.py")


def hashes(paths: list[str]) -> dict[str, str]:
    """The sha256 of each of these files."""
    return {path: hashlib.sha256((ROOT / path).read_bytes()).hexdigest() for path in paths}


def generate(folder: str) -> list[Any]:
    """The C sources of the compiled build, written to this folder."""
    from mypyc.build import mypycify  # noqa: PLC0415 - without mypy the build goes on interpreted

    # The project's own mypy settings stay out: bad style alone must not cost a user the compiled build.
    arguments = ["--config-file=", "--python-executable", sys.executable, *sources()]
    extensions = mypycify(arguments, opt_level="3", debug_level="0", group_name=GROUP, target_dir=folder)
    for extension in extensions if os.name == "posix" else []:
        extension.extra_compile_args.append("-fvisibility=hidden")  # calls inside the library may be inlined: 8 %
    return extensions


class CompileOrGoOn(build_ext):
    """Builds every extension, or none of them."""

    def run(self) -> None:
        """Compile as ARENA_COMPILE asks, and leave a stamp that tells the result."""
        homes = [Path(self.build_lib), *([ROOT] if self.inplace else [])]
        remove_old(homes)
        before = hashes(sources())
        reason = "" if mode() != "never" else "switched off by ARENA_COMPILE=never"
        reason = reason or self.attempt()
        if reason:
            self.extensions = self.distribution.ext_modules = []
            remove_old(homes)
        write_stamp(homes[-1], before, reason)

    def attempt(self) -> str:
        """Compile; the reason why it could not be, or nothing."""
        said = io.StringIO()  # mypyc prints what it finds, then ends the process
        try:
            with contextlib.redirect_stdout(said):
                self.distribution.ext_modules = generate(self.build_temp)
            self.swig_opts = None  # type: ignore[assignment] # it alone stands in the way of a second time
            self.finalize_options()  # takes up the extensions, which were not there the first time
            super().run()
        except (Exception, SystemExit) as error:
            reason = said.getvalue().strip() or explained(error)
            print(f"arena is not compiled: {reason}", file=sys.stderr)
            if mode() == "must":
                raise
            return reason.splitlines()[0]
        return ""


def explained(error: BaseException) -> str:
    """Why the build failed, in words; the compiler's own command line is long and has been shown."""
    if isinstance(error, CompileError | LinkError):
        return "the C compiler is missing, or failed"
    return f"{type(error).__name__}: {error}"


def remove_old(homes: list[Path]) -> None:
    """Take away what an earlier build left, so that no old code can run."""
    for home in homes:
        for suffix in (".so", ".pyd"):
            for path in (home / "arena").rglob(f"*{suffix}"):
                path.unlink()
        (home / "arena" / STAMP).unlink(missing_ok=True)


def write_stamp(home: Path, built: dict[str, str], reason: str) -> None:
    """Say what was built from what, or why nothing was."""
    stamp = {"compiled": not reason, "reason": reason, "sources": {} if reason else built}
    (home / "arena").mkdir(parents=True, exist_ok=True)
    (home / "arena" / STAMP).write_text(json.dumps(stamp, indent=1) + "\n", encoding="utf-8")


def unshipped(folder: str, names: list[str]) -> set[str]:
    """What caches, builds and fetched packages have left among the bots; files with a dot may well be a template's."""
    manifest = Path(folder, "bot.toml")
    made = tomllib.loads(manifest.read_text(encoding="utf-8")).get("leftovers", []) if manifest.is_file() else []
    left = {*CACHES, *made, *(FETCHED if manifest.is_file() else ())}
    return {name for name in names if name in left or name.endswith(".pyc")}


class BuildWithBots(build_py):
    """Adds bot folders and protos: as data, since the top-level name `agents` is not ours to take."""

    def run(self) -> None:
        """Copy the packages, then bots and protos, into an empty folder."""
        if self.editable_mode:
            super().run()
            return
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        if (ROOT / "agents").is_dir():
            shutil.copytree(ROOT / "agents", Path(self.build_lib, "arena", "agents"), ignore=unshipped)
        if (ROOT / "proto").is_dir():
            only = shutil.ignore_patterns("*.py", "*.lock", "__pycache__")
            shutil.copytree(ROOT / "proto", Path(self.build_lib, "arena", "proto"), ignore=only)


class WheelAsBuilt(bdist_wheel):
    """Names the wheel by what was built: for every platform if nothing was compiled."""

    def run(self) -> None:
        """Build first, then pack what came of it."""
        self.run_command("build")
        self.skip_build = True
        self.root_is_pure = not self.distribution.has_ext_modules()
        super().run()


setup(
    cmdclass={"build_ext": CompileOrGoOn, "build_py": BuildWithBots, "bdist_wheel": WheelAsBuilt},
    # A placeholder, so that build_ext runs: the real ones are made there, not each time this file is read.
    ext_modules=[Extension(f"{GROUP}__mypyc", [])],
)
