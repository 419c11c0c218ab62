"""What can be wrong with the ladder's database, each as one sentence."""

import errno
import sqlite3
from pathlib import Path

from arena.errors import UserError


class StoreError(UserError):
    """What the ladder keeps cannot be read or written; the sentence says why, and nothing was changed."""


NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
REASONS = {
    sqlite3.SQLITE_FULL: "was not written: the disk is full; free some space or choose another --home",
    sqlite3.SQLITE_IOERR: "cannot be used: the disk is full, or fails; free some space or choose another --home",
    sqlite3.SQLITE_CORRUPT: "is damaged: restore a copy of it, or move it away to begin anew",
    sqlite3.SQLITE_NOTADB: "is no ladder database: move it away or choose another --home",
    sqlite3.SQLITE_READONLY: "cannot be written: it is read-only; choose another --home",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened: check its permissions, or choose another --home",
    sqlite3.SQLITE_PERM: "cannot be opened: check its permissions, or choose another --home",
    sqlite3.SQLITE_BUSY: "is held by another process that writes for too long: try again later",
    sqlite3.SQLITE_LOCKED: "is held by another process that writes for too long: try again later",
}


def explained(path: Path, error: BaseException | None) -> StoreError:
    """The sentence for what the database's driver has said."""
    primary = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return StoreError(f"the ladder's database {path} {REASONS.get(primary, f'cannot be used: {error}')}")


def reason(error: OSError) -> str:
    """What the system has said, in words for a user."""
    if error.errno in NO_ROOM:
        return "the disk is full; free some space or choose another --home"
    return str(error.strerror or error)
