"""Who an agent is on this machine: as root a uid of its own for each, else the user who runs the arena.

The uid is told by the group of the seat folder: referee, socket and agent then agree on it without a table.
"""

import asyncio
import itertools
import os
import stat
from functools import cache
from pathlib import Path
from typing import Final

from arena.sandbox import seat
from arena.sandbox.contract import SOCKET, Launch, LaunchError

UIDS: Final = range(60_578, 61_184)  # for agents started by root; no distribution gives these to anybody


class Identities:
    """Seat folders, each of them open to one agent alone."""

    def __init__(self) -> None:
        # A uid for each agent, in turn; another arena on the same machine begins elsewhere.
        self._turns = itertools.count(os.getpid())

    def seat_folder(self) -> Path:
        """A new private folder for a socket; as root, it is open to the uid of one agent."""
        folder = seat.new()
        if os.geteuid() == 0:
            os.chown(folder, 0, UIDS[next(self._turns) % len(UIDS)])
            folder.chmod(0o750)
        return folder

    def admit(self, seat_folder: Path) -> None:
        """Open the socket to the uid that the folder is open to."""
        socket = seat_folder / SOCKET
        if os.geteuid() == 0:
            os.chown(socket, 0, seat_folder.stat().st_gid)
        socket.chmod(0o660 if os.geteuid() == 0 else 0o600)


def uid_of(seat_folder: Path) -> int | None:
    """The uid that an agent runs as, which is the group of its seat folder; None as a plain user: one's own."""
    return seat_folder.stat().st_gid if os.geteuid() == 0 else None


async def check_readable(launch: Launch) -> None:
    """Refuse a bot that an agent with a uid of its own could not read; beside the event loop, for it may be large."""
    await asyncio.to_thread(_check_readable, launch.name, launch.folder)


@cache  # an error is not kept: it may be mended before the next start
def _check_readable(name: str, folder: Path) -> None:
    closed = next(filter(_closed, [folder, *folder.rglob("*")]), None)
    if closed is not None:
        raise LaunchError(
            f"expected files that everybody may read in the bot {name}, got {closed}: "
            f"the agent runs as a user of its own; chmod -R a+rX {folder}"
        )


def _closed(path: Path) -> bool:
    mode = path.lstat().st_mode
    needed = 0o005 if stat.S_ISDIR(mode) else 0o004
    return not stat.S_ISLNK(mode) and mode & needed != needed
