"""Seat folders: where the socket between the referee and one agent lies.

They lie under $XDG_RUNTIME_DIR or the temp folder, never under the home: the path of a socket must be short.
"""

import os
import tempfile
from pathlib import Path

from arena.errors import UserError
from arena.sandbox.contract import SOCKET, TEMP

LONGEST = 103  # characters of a socket's path; macOS takes no more
_PREFIX = "arena-"


def new() -> Path:
    """A new folder that only its owner can enter."""
    for place in _places():
        short = len(os.fsencode(f"{place}/{_PREFIX}12345678/{SOCKET}")) <= LONGEST
        if short and os.access(place, os.W_OK | os.X_OK):
            return Path(tempfile.mkdtemp(prefix=_PREFIX, dir=place))
    tried = ", ".join(_places())
    raise UserError(f"expected a writable temp folder with a short path for sockets, got {tried}: set TMPDIR")


def _places() -> list[str]:
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return [*([runtime] if runtime and Path(runtime).is_absolute() else []), tempfile.gettempdir(), TEMP]
