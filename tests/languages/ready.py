"""Every template and every example over stdio as an author would get it: made by init, fetched, built in the sandbox.

All workers of a test run share one home, so that each bot is built once. ARENA_LANGUAGES names a folder that outlives
the run: a second run then builds only what was edited.
"""

import fcntl
import os
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.bots import MANIFEST, PYTHON, SEARCH_PATH, Bot
from arena.home import Home
from arena.sandbox import Sandbox
from arena.submission import templates, toolchains
from arena.submission.failure import BuildError
from arena.submission.prepare import prepared

ROOT = Path(__file__).parent.parent.parent
BRIDGES = {path.parent.name: path.parent for path in sorted((ROOT / "agents" / "bridges").glob(f"*/{MANIFEST}"))}
LANGUAGES = tuple(templates.languages())
ALL = (*LANGUAGES, *BRIDGES)

# What brings a bot's packages, by its `fetch`.
FETCHERS = {"cargo": "cargo", "go": "go", "maven": "mvn", "npm": "npm", "pip": PYTHON}
# What a build needs besides programs on the path: a command that fails where it is missing.
LIBRARIES = {
    "cpp": ("libgrpc++-dev", ["test", "-e", "/usr/include/grpcpp/grpcpp.h"]),
    "ruby": ("ruby-grpc", ["ruby", "-rgrpc", "-e", "0"]),
}


class Ready:
    """Makes bots ready to play, once for all workers."""

    def __init__(self, shared: Path, own: Path, sandbox: Sandbox) -> None:
        self.home = Home(shared / "home")
        self._shared = shared
        self._own = own
        self._sandbox = sandbox
        self._bots: dict[str, Bot] = {}

    def bot(self, name: str) -> Bot:
        """The bot of a language; skips where its compiler or its packages cannot be had."""
        if name not in self._bots:
            if problem := missing(name):
                pytest.skip(f"needs {problem}")
            with self._turn(name):
                self._bots[name] = self._made(name)
        return self._bots[name]

    def _made(self, name: str) -> Bot:
        try:
            return prepared(self.home, self._source(name), self._sandbox).bot
        except BuildError as error:
            if error.log.name.endswith("fetch.log"):
                pytest.skip(f"needs the packages of {name}: {error} {' | '.join(error.lines)}")
            raise AssertionError("\n".join([str(error), *error.lines])) from error

    def _source(self, name: str) -> Path:
        if name in BRIDGES:
            return BRIDGES[name]
        folder = self._own / name
        if not folder.exists():
            templates.create(folder, name, games=["*"], author="arena")
        return folder

    @contextmanager
    def _turn(self, name: str) -> Iterator[None]:
        with (self._shared / f"{name}.lock").open("wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def missing(name: str) -> str:
    """What this machine lacks for a language; empty if nothing."""
    folder = BRIDGES.get(name) or templates.languages()[name]
    manifest = tomllib.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    programs = [word for key in ("build", "run") if "/" not in (word := manifest.get(key, [PYTHON])[0])]
    if "fetch" in manifest:
        programs.append(FETCHERS[manifest["fetch"]])
    path = f"{toolchains.path(toolchains.found(), jailed=False)}:{SEARCH_PATH}"
    lacking = [word for word in programs if word != PYTHON and shutil.which(word, path=path) is None]
    if name in LIBRARIES and not lacking:
        library, command = LIBRARIES[name]
        if subprocess.run(command, capture_output=True, check=False).returncode != 0:
            lacking.append(library)
    return " and ".join(dict.fromkeys(lacking))


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """One for all workers of this run, or for many runs."""
    if named := os.environ.get("ARENA_LANGUAGES"):
        folder = Path(named).absolute()
    else:
        base = factory.getbasetemp()
        folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "languages"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
