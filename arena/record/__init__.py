"""One match as a file: written, found again, read strictly, replayed and verified exactly."""

from arena.record.file import (
    RecordError,
    find,
    new_match_id,
    parse,
    path_of,
    read,
    replace_files,
    stored,
    write,
    write_all,
    write_file,
    written_by,
)
from arena.record.replay import Moment, ReplayError, replay, verify

__all__ = [
    "Moment",
    "RecordError",
    "ReplayError",
    "find",
    "new_match_id",
    "parse",
    "path_of",
    "read",
    "replace_files",
    "replay",
    "stored",
    "verify",
    "write",
    "write_all",
    "write_file",
    "written_by",
]
