"""A command that is run to its end in a jail, in a folder that it may write to: how bots are built."""

import asyncio
import errno
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from arena.limits import Limits
from arena.runtime import Runtime
from arena.sandbox.contract import Agent, LaunchError
from arena.sandbox.jail import Bind

LOG_BYTES: Final = 1 << 16  # of the end of a job's log that are kept
FILES: Final = 4096  # that each process of a job may have open: linkers and installers need many

_LOOK_SECONDS: Final = 0.5  # between looks at what it has written
_BLOCK: Final = 512
_LEAST_BLOCKS: Final = 8  # an empty file takes something too
_ENDLESS: Final = 1 << 62


@dataclass(frozen=True)
class Job:
    """What is to be run."""

    name: str  # of the bot
    folder: Path  # where it stands and may write, at most as much as the disk limit; nobody else uses it meanwhile
    command: tuple[str, ...]
    seconds: float  # that it may take
    runtime: Runtime
    environment: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    binds: Sequence[Bind] = ()  # what else it sees
    network: bool = False  # for programs that we trust, and that run no code of a bot


@dataclass(frozen=True)
class Finished:
    """How it ended."""

    code: int  # or minus the number of the signal that ended it
    log: str
    over_limit: str  # empty, or why it was ended: "its time limit of 60 s"


async def finish(job: Job, agent: Agent) -> Finished:
    """Wait for a job, no longer than it may take and while it keeps to its limits."""
    ending = asyncio.ensure_future(agent.wait())
    filling = asyncio.ensure_future(_too_full(job))
    try:
        done, _ = await asyncio.wait({ending, filling}, timeout=job.seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        filling.cancel()
        agent.kill()
        code = await ending
    over = agent.meter.over_limit() if agent.meter else ""
    if filling in done:
        over = f"its disk limit of {job.limits.disk_mb} MB"
    elif not done:
        over = f"its time limit of {job.seconds:g} s"
    return Finished(code, agent.log(), over)


async def _too_full(job: Job) -> None:
    while True:
        if await asyncio.to_thread(size, job.folder) > job.limits.disk_mb << 20:
            return
        await asyncio.sleep(_LOOK_SECONDS)


def size(folder: Path) -> int:
    """The bytes that a folder takes on the disk; endless if it is closed to us, or too deep."""
    try:
        return _BLOCK * sum(_LEAST_BLOCKS + facts.st_blocks for facts, _, _ in _entries(folder))
    except (OSError, RecursionError):
        return _ENDLESS


@contextmanager
def lend(folder: Path, uid: int | None) -> Iterator[None]:
    """Let a uid own a folder for a while; what comes back gives nobody its owner's rights."""
    if uid is None:
        yield
        return
    owner = folder.stat()
    _give(folder, uid, uid)
    try:
        yield
    finally:
        try:
            _give(folder, owner.st_uid, owner.st_gid)
        except (OSError, RecursionError) as error:
            raise LaunchError(f"expected a folder of some depth from the job, got too deep a one: {folder}") from error


def _give(folder: Path, uid: int, gid: int) -> None:
    for facts, name, place in _entries(folder):
        os.chown(name, uid, gid, dir_fd=place, follow_symlinks=False)
        if not stat.S_ISLNK(facts.st_mode) and facts.st_mode & (stat.S_ISUID | stat.S_ISGID):
            os.chmod(name, stat.S_IMODE(facts.st_mode) & 0o777, dir_fd=place)
    os.chown(folder, uid, gid)


def _entries(folder: Path) -> Iterator[tuple[os.stat_result, str, int]]:
    """Everything below a folder: its facts, its name, and a descriptor of the folder that it is in."""
    for _, folders, names, place in os.fwalk(folder, onerror=_unless_gone):
        for name in (*folders, *names):
            with suppress(FileNotFoundError):
                yield os.stat(name, dir_fd=place, follow_symlinks=False), name, place


def _unless_gone(error: OSError) -> None:
    if error.errno not in {errno.ENOENT, errno.ENOTDIR}:
        raise error
