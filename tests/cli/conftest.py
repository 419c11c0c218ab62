"""The command line as users have it: a process of its own, or the same code called here where that is enough."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena import cli
from arena.home import Home

ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True)
class Ended:
    """What a command left behind."""

    code: int
    out: str
    err: str


Arena = Callable[..., Ended]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture(scope="session")
def lasting_home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """One home for all real matches, so that the bots' runtime is made once."""
    return Home(tmp_path_factory.mktemp("home"))


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    """Runs `python -m arena` in an empty folder."""

    def run(*arguments: str, **variables: str) -> Ended:
        environment = {**os.environ, "ARENA_HOME": str(tmp_path / "home"), "COLUMNS": "80", **variables}
        environment.pop("FORCE_COLOR", None)
        command = [sys.executable, "-m", "arena", *arguments]
        ended = subprocess.run(
            command,
            cwd=tmp_path,
            env={**environment, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
            timeout=90,
        )
        return Ended(ended.returncode, ended.stdout, ended.stderr)

    return run


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Arena:
    """Runs a command inside this process, which is quicker."""
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments: str) -> Ended:
        capsys.readouterr()
        code = cli.run(arguments)
        captured = capsys.readouterr()
        return Ended(code, captured.out, captured.err)

    return run
