"""What fetches find again: an author who changes a line of code need not wait for the same packages once more.

Everything here came from registries, checked as ever, and is only copied out; it may be deleted at any time.
"""

import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MOST: Final = 8  # of those that were used last
_PREFIX: Final = "kept-"
_UNFINISHED: Final = "work-"  # as all that is under way: whoever is alone here removes it


@dataclass(frozen=True)
class Kept:
    """Folders by name."""

    folder: Path

    def lend(self, name: str, target: Path) -> bool:
        """Copy a folder to a place where there is none; false if it is not here."""
        place = self.folder / f"{_PREFIX}{name}"
        if not place.is_dir():
            return False
        shutil.copytree(place, target, symlinks=True)
        with suppress(OSError):
            place.touch()
        return True

    def keep(self, name: str, made: Path) -> None:
        """Keep a copy, unless there is one."""
        place = self.folder / f"{_PREFIX}{name}"
        if place.is_dir():
            return
        unfinished = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=self.folder))
        with suppress(OSError):  # another arena may be quicker, or the disk full: then it is not kept
            shutil.copytree(made, unfinished, symlinks=True, dirs_exist_ok=True)
            unfinished.rename(place)
        shutil.rmtree(unfinished, ignore_errors=True)


def forget(folder: Path) -> None:
    """Remove all but those that were used last; nobody else may be at work here."""
    places = sorted(folder.glob(f"{_PREFIX}*"), key=lambda place: place.stat().st_mtime_ns, reverse=True)
    for place in places[MOST:]:
        shutil.rmtree(place, ignore_errors=True)
