"""The one folder that holds all data of an arena: records, runtimes, and what later parts store.

Its place is --home, else ARENA_HOME, else the platform's user data directory. Folders come into being when
first asked for, readable by their owner alone.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import platformdirs

from arena.errors import UserError

VARIABLE = "ARENA_HOME"


class HomeError(UserError):
    """The home cannot be used."""


@dataclass(frozen=True)
class Home:
    """Where an arena keeps its data."""

    path: Path  # absolute; need not exist yet

    @classmethod
    def find(cls, given: Path | None = None) -> Self:
        """The home that the user means; `given` is the value of --home."""
        place = given or os.environ.get(VARIABLE) or platformdirs.user_data_dir("arena", appauthor=False)
        return cls(Path(place).expanduser().absolute())

    @property
    def records(self) -> Path:
        """The folder of match records."""
        return self.folder("records")

    @property
    def ladders(self) -> Path:
        """The database of all ladders; it need not exist."""
        return self.path / "ladder.db"

    @property
    def runtime(self) -> Path:
        """The folder of the runtimes that Python bots run on."""
        return self.folder("runtime")

    def folder(self, name: str) -> Path:
        """A folder of the home, made if it is missing."""
        folder = self.path / name
        _make(self.path)
        _make(folder)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise HomeError(_sentence(folder, "it is not writable"))
        return folder


def _make(folder: Path) -> None:
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise HomeError(_sentence(folder, str(error.strerror or error).lower())) from error


def _sentence(folder: Path, reason: str) -> str:
    return (
        f"expected a writable folder for arena's data, got {folder} ({reason}): "
        f"choose another with --home or {VARIABLE}"
    )
