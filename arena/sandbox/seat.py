"""Seat folders: where the socket between the referee and one agent lies.

They lie under $XDG_RUNTIME_DIR or the temp folder, never under the home: the path of a socket must be short.
"""

import os
import tempfile
from pathlib import Path

from arena.errors import UserError
from arena.sandbox.contract import SOCKET, TEMP

LONGEST = 103  # characters of a socket's path; macOS takes no more


def new() -> Path:
    """A new folder that only its owner can enter."""
    start = prefix(os.getpid())
    for place in places():
        short = len(os.fsencode(f"{place}/{start}12345678/{SOCKET}")) <= LONGEST
        if short and os.access(place, os.W_OK | os.X_OK):
            return Path(tempfile.mkdtemp(prefix=start, dir=place))
    tried = ", ".join(places())
    raise UserError(f"expected a writable temp folder with a short path for sockets, got {tried}: set TMPDIR")


def prefix(pid: int) -> str:
    """How the names of a process's folders begin."""
    return f"arena-{pid}-"


def places() -> list[str]:
    """Where folders may lie, the best place first."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return [*([runtime] if runtime and Path(runtime).is_absolute() else []), tempfile.gettempdir(), TEMP]
