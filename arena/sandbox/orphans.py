"""Processes of agents whose parent has gone before them: this process adopts and buries them.

The first process of a jail would else stay behind as a zombie wherever the machine's first process does not look
after strangers, as in many containers. What this process has started itself is left to whoever waits for it.
"""

import asyncio
import ctypes
import os
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

_PR_SET_CHILD_SUBREAPER: Final = 36
_TRIES: Final = 50
_RETRY_SECONDS: Final = 0.01
_ZOMBIE: Final = "Z"


@cache
def adopt() -> None:
    """Become the parent of descendants that lose theirs; once is enough for a process."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


async def bury() -> None:
    """Take the exit codes of orphans, and wait a little for those of ended jails."""
    for _ in range(_TRIES):
        if not reap():
            return
        await asyncio.sleep(_RETRY_SECONDS)


def reap() -> list[int]:
    """Take the exit codes of orphans that have ended; the first processes of jails that have not."""
    left = []
    own = _facts(os.getpid())[2]  # 0 if it cannot be told: then nobody is taken for a stranger
    for pid in _children():
        state, session, depth = _facts(pid)
        jailed = 0 < own < depth
        if state == _ZOMBIE and (jailed or session not in {pid, os.getsid(0)}):
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        elif jailed:
            left.append(pid)
    return left


def _children() -> Iterator[int]:
    for thread in Path("/proc/self/task").iterdir():
        with suppress(OSError):
            yield from map(int, (thread / "children").read_text().split())


def _facts(pid: int) -> tuple[str, int, int]:
    """The state of a process, its session, and how many pid namespaces it is in."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        status = Path(f"/proc/{pid}/status").read_text(errors="replace").splitlines()
    except OSError:
        return "", 0, 0
    depth = next((len(line.split()) - 1 for line in status if line.startswith("NSpid:")), 0)
    return fields[0], int(fields[3]), depth
