"""Seat folders: where the socket between the referee and one agent lies.

They lie under $XDG_RUNTIME_DIR or the temp folder, never under the home: the path of a socket must be short.
"""

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from arena.errors import UserError
from arena.sandbox import owner
from arena.sandbox.contract import SOCKET, TEMP

_PREFIX = "arena"
LONGEST = 103  # characters of a socket's path; macOS takes no more


def new() -> Path:
    """A new folder that only its owner can enter."""
    start = prefix()
    for place in places():
        short = len(os.fsencode(f"{place}/{start}12345678/{SOCKET}")) <= LONGEST
        if short and os.access(place, os.W_OK | os.X_OK):
            return Path(tempfile.mkdtemp(prefix=start, dir=place))
    tried = ", ".join(places())
    raise UserError(f"expected a writable temp folder with a short path for sockets, got {tried}: set TMPDIR")


def prefix() -> str:
    """How the names of this process's folders begin."""
    return f"{_PREFIX}-{owner.mark(os.getpid())}-"


def sweep() -> None:
    """Remove the folders that killed referees of this user have left behind."""
    for place in map(Path, places()):
        for folder in place.glob(f"{_PREFIX}-{owner.pattern()}-*"):
            with suppress(OSError):
                own = folder.lstat().st_uid == os.geteuid()
                if own and owner.is_gone(folder.name.removeprefix(f"{_PREFIX}-")):
                    shutil.rmtree(folder, ignore_errors=True)


def places() -> list[str]:
    """Where folders may lie, the best place first."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return [*([runtime] if runtime and Path(runtime).is_absolute() else []), tempfile.gettempdir(), TEMP]
