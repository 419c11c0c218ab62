"""Named places where a test can let this process die as `kill -9` would: how nothing is lost is shown, not hoped for.

ARENA_FAILPOINT names one, or the N-th time that it is reached ("in the commit:3"); without it nothing happens here.
The count lives in that variable itself. ARENA_FAILPOINT_LOG names a file that is told of the death.
"""

import os
import signal
from pathlib import Path

VARIABLE = "ARENA_FAILPOINT"
LOG = "ARENA_FAILPOINT_LOG"


def reach(name: str) -> None:
    """Die here if the environment says so."""
    wanted, _, times = os.environ.get(VARIABLE, "").partition(":")
    if wanted != name:
        return
    left = int(times or 1) - 1
    if left > 0:
        os.environ[VARIABLE] = f"{name}:{left}"
        return
    _tell(name)
    os.kill(os.getpid(), signal.SIGKILL)


def _tell(name: str) -> None:
    if log := os.environ.get(LOG):
        with Path(log).open("a", encoding="utf-8") as file:
            file.write(f"{name}\n")
            file.flush()
            os.fsync(file.fileno())
