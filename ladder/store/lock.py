"""One ladder plays in a home at a time: a lock that ends with its process, however that ends.

The lock is the kernel's, on an open file; what the file says is for the sentence that refuses a second ladder.
"""

import fcntl
import json
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from arena.errors import UserError
from arena.home import Home
from ladder.store.errors import reason

FILE = "ladder.lock"
MOST = 4096  # bytes that are read of it


class LockError(UserError):
    """Somebody else plays in this home."""


@dataclass(frozen=True)
class Lock:
    """A held lock; for as long as this process lives, or until it is released."""

    path: Path
    descriptor: int

    @classmethod
    def take(cls, home: Home, what: str, *, now: float) -> Self:
        """The lock of a home; LockError names who has it. `what` says what for, as in "the ladder of party-bugs"."""
        home.folder("records")  # says what is wrong with a home in its own words
        path = home.path / FILE
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise LockError(f"the lock {path} cannot be used: {reason(error)}") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _write(descriptor, what, now)
        except BlockingIOError:
            said = os.pread(descriptor, MOST, 0)
            os.close(descriptor)
            raise LockError(_refusal(home, said)) from None
        except OSError as error:
            os.close(descriptor)
            raise LockError(f"the lock {path} cannot be used: {reason(error)}") from None
        return cls(path, descriptor)

    def release(self) -> None:
        """Let others play; the file stays, since removing it would let two in at once."""
        os.close(self.descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def _write(descriptor: int, what: str, now: float) -> None:
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, json.dumps({"pid": os.getpid(), "what": what, "since": now}).encode(), 0)


def _refusal(home: Home, said: bytes) -> str:
    return f"{home.path} is in use by {_holder(said)}: wait for it, stop it, or choose another --home"


def _holder(said: bytes) -> str:
    """Who holds the lock, as far as its file tells."""
    try:
        fields = json.loads(said)
        since = datetime.fromtimestamp(float(fields["since"]), UTC)
        return f"{str(fields['what'])[:200]}, process {int(fields['pid'])}, since {since:%Y-%m-%d %H:%M:%S} UTC"
    except (ValueError, TypeError, KeyError, OverflowError, OSError):
        return "another ladder"  # it has just begun, and has not said who it is
