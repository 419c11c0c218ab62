"""Agents in bubblewrap: namespaces of their own, no network, a read-only system, a small private /tmp.

An agent is ended by killing the first process of its pid namespace: the kernel takes all the others along, and
that process is gone only when they are. bwrap itself may be gone before, so it is not enough to wait for it.
"""

import itertools
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from arena.bots import SEARCH_PATH
from arena.sandbox import seat
from arena.sandbox.contract import SOCKET, Launch, LaunchError, variables, words
from arena.sandbox.jail import Bind, interpreter, jailed
from arena.sandbox.process import ANNOUNCED, RunningAgent, Started, as_signal, spawn, whole

UIDS: Final = range(60_578, 61_184)  # for agents started by root; no distribution gives these to anybody

_AGENT: Final = "/agent"
_REFEREE: Final = "/run/referee"
_RUNTIME: Final = Path("/runtime")
_TRIAL_SECONDS: Final = 30


class Bubblewrap:
    """Starts every agent in a jail of its own."""

    level = "bubblewrap"

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

    async def start(self, launch: Launch) -> RunningAgent:
        """Start an agent in a new jail."""
        return await whole(_start(launch))


async def _start(launch: Launch) -> RunningAgent:
    runtime = launch.runtime
    python = _RUNTIME / runtime.python.relative_to(runtime.prefix)
    packages = _RUNTIME / runtime.packages.relative_to(runtime.prefix)
    command = [*ANNOUNCED, *words(launch, python)]
    binds, uid = _binds(launch), _uid(launch)
    environment = variables(launch, f"{_REFEREE}/{SOCKET}", packages)
    started = await spawn(
        launch.name,
        lambda status: jailed(command, binds, folder=_AGENT, uid=uid, status=status),
        environment,
        Path("/"),
    )
    return _running(started)


def why_not() -> str | None:
    """Why agents cannot be started in bubblewrap here, found out by starting one; None if they can."""
    if not sys.platform.startswith("linux"):
        return "bubblewrap needs Linux"
    root = os.geteuid() == 0
    tools = ["bwrap", "prlimit", *(["setpriv"] if root else [])]
    missing = [tool for tool in tools if shutil.which(tool, path=SEARCH_PATH) is None]
    if missing:
        return f"{' and '.join(missing)} not found on {SEARCH_PATH}: install bubblewrap and util-linux"
    if not hasattr(os, "pidfd_open"):
        return "a Python that knows pidfd_open is needed beside bubblewrap"
    return _trial(uid=UIDS[0] if root else None)


def _trial(*, uid: int | None) -> str | None:
    try:
        ended = _tried(uid)
        if as_signal(ended.returncode) == -signal.SIGKILL:  # by somebody else: that tells nothing
            ended = _tried(uid)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not start here: {error}"
    if ended.returncode == 0:
        return None
    said = ended.stderr.decode(errors="replace").strip().splitlines()
    return f"bubblewrap (0.8 or newer) does not work here: {said[-1] if said else 'it does not say why'}"


def _tried(uid: int | None) -> "subprocess.CompletedProcess[bytes]":
    trial = jailed(["true"], [], folder="/", uid=uid)
    clean = {"PATH": SEARCH_PATH}
    return subprocess.run(trial, capture_output=True, check=False, timeout=_TRIAL_SECONDS, env=clean)


def _uid(launch: Launch) -> int | None:
    """The uid that the agent runs as, which is the group of its seat folder; as a plain user, one's own."""
    if os.geteuid() != 0:
        return None
    closed = next(filter(_closed, [launch.folder, *launch.folder.rglob("*")]), None)
    if closed is not None:
        raise LaunchError(
            f"expected files that everybody may read in the bot {launch.name}, got {closed}: "
            f"the agent runs as a user of its own; chmod -R a+rX {launch.folder}"
        )
    return launch.seat_folder.stat().st_gid


def _closed(path: Path) -> bool:
    mode = path.lstat().st_mode
    needed = 0o005 if stat.S_ISDIR(mode) else 0o004
    return not stat.S_ISLNK(mode) and mode & needed != needed


def _binds(launch: Launch) -> list[Bind]:
    return [
        *interpreter(launch.runtime.base),
        Bind(str(launch.runtime.prefix), str(_RUNTIME)),
        Bind(str(launch.folder), _AGENT),
        Bind(str(launch.seat_folder), _REFEREE),
    ]


def _running(started: Started) -> RunningAgent:
    pid = int(json.loads(started.said)["child-pid"])
    try:
        first = os.pidfd_open(pid)
    except ProcessLookupError:
        first = None  # it has ended already

    def stop() -> None:
        with suppress(ProcessLookupError):
            if first is not None:
                signal.pidfd_send_signal(first, signal.SIGKILL)

    return RunningAgent(started, pid=pid, level=Bubblewrap.level, stop=stop, first=first, code=as_signal)
