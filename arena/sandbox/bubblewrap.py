"""Agents in bubblewrap: namespaces of their own, a list of allowed system calls, limits, a read-only system.

An agent is ended by killing the first process of its pid namespace: the kernel takes all the others along, and
that process is gone only when they are. bwrap itself may be gone before, so it is not enough to wait for it.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from arena.bots import SEARCH_PATH
from arena.errors import UserError
from arena.limits import Limits
from arena.sandbox import cgroup, orphans, seccomp
from arena.sandbox.cgroup import Groups, NoGroups
from arena.sandbox.contract import SOCKET, Launch, LaunchError, variables, words
from arena.sandbox.group import Group
from arena.sandbox.identity import UIDS, Identities, check_readable, uid_of
from arena.sandbox.jail import MONITORS, MONITORS_OF_ROOT, Bind, Cell, hidden_of_proc, idle_cores, interpreter, jailed
from arena.sandbox.job import FILES, LOG_BYTES, Finished, Job, finish, lend
from arena.sandbox.log import TAIL
from arena.sandbox.meter import GroupMeter, Keeper, TreeMeter, memory_limit
from arena.sandbox.process import ANNOUNCED, Order, RunningAgent, Started, as_signal, spawn, whole

FULL: Final = "bubblewrap"
LITE: Final = "bubblewrap-lite"  # without control groups: memory is sampled, the share of the CPU is nobody's concern

_AGENT: Final = "/agent"
_REFEREE: Final = "/run/referee"
_RUNTIME: Final = Path("/runtime")
_TRIAL_SECONDS: Final = 30


class Unavailable(Exception):
    """Why a level cannot be had here."""


class Bubblewrap:
    """Starts every agent in a jail of its own, and in a control group where there are any."""

    def __init__(self, groups: Groups | None) -> None:
        self.level = FULL if groups else LITE
        self._groups = groups
        self._hidden = hidden_of_proc()
        self._identities = Identities()

    def seat_folder(self) -> Path:
        """A new private folder for a socket; as root, it is open to the uid of one agent."""
        return self._identities.seat_folder()

    def admit(self, seat_folder: Path) -> None:
        """Open the socket to the uid that the folder is open to."""
        self._identities.admit(seat_folder)

    async def start(self, launch: Launch) -> RunningAgent:
        """Start an agent in a new jail."""
        return await whole(self._begin(launch, self._variant(), Cell(_binds(launch, writable=False))))

    async def run(self, job: Job) -> Finished:
        """Run a command to its end; unlike an agent it may write to its folder, and lock files."""
        folder = self.seat_folder()
        launch = Launch(job.name, job.folder, job.command, folder, job.environment, job.runtime, job.limits)
        try:
            with lend(job.folder, uid_of(folder)):
                variant = replace(self._variant(), locks=True, network=job.network)
                cell = Cell([*_binds(launch, writable=True), *job.binds], network=job.network, files=FILES)
                return await finish(job, await whole(self._begin(launch, variant, cell, LOG_BYTES)))
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def shown(self, folder: Path) -> str:  # noqa: ARG002 - it is the same for all
        """Where a job sees its folder."""
        return _AGENT

    def trial(self) -> str | None:
        """Why a jail does not work here, found out by starting one; None if it does."""
        try:
            ended = self._tried()
            if as_signal(ended.returncode) == -signal.SIGKILL:  # by somebody else: that tells nothing
                ended = self._tried()
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"bubblewrap does not start here: {error}"
        if ended.returncode == 0:
            return None
        said = ended.stderr.decode(errors="replace").strip().splitlines()
        return f"bubblewrap (0.8 or newer) does not work here: {said[-1] if said else 'it does not say why'}"

    def _tried(self) -> "subprocess.CompletedProcess[bytes]":
        uid = UIDS[0] if os.geteuid() == 0 else None
        cell = Cell(uid=uid, hidden=self._hidden)
        with _supplied(cell, self._variant()) as (supplied, passed), self._trial_group() as group:
            return subprocess.run(
                _joined(["true"], supplied, group),
                capture_output=True,
                check=False,
                timeout=_TRIAL_SECONDS,
                env={"PATH": SEARCH_PATH},
                pass_fds=passed,
            )

    @contextmanager
    def _trial_group(self) -> Iterator[Group | None]:
        group = self._groups.make(Limits(), monitors=MONITORS_OF_ROOT) if self._groups else None
        try:
            yield group
        finally:
            if group:
                group.remove_soon()

    def _variant(self) -> seccomp.Variant:
        return seccomp.Variant(memfd=self._groups is not None)

    async def _begin(self, launch: Launch, variant: seccomp.Variant, cell: Cell, tail: int = TAIL) -> RunningAgent:
        orphans.adopt()
        command, environment, uid = _command(launch), _variables(launch), uid_of(launch.seat_folder)
        if uid is not None and not any(bind.writable for bind in cell.binds):
            await check_readable(launch)
        cell = replace(cell, folder=_AGENT, limits=launch.limits, uid=uid, hidden=self._hidden)
        monitors = MONITORS if uid is None else MONITORS_OF_ROOT
        group = self._groups.make(launch.limits, monitors=monitors) if self._groups else None
        try:
            with _supplied(cell, variant) as (supplied, passed):
                output = launch.limits.output_kb << 10

                def start(status: int) -> list[str]:
                    return _joined(command, replace(supplied, status=status), group)

                order = Order(launch.name, start, environment, Path("/"), output, tail, passed, launch.hear)
                started = await spawn(order)
        except BaseException as error:
            await _tidy(group, error, launch)
            raise
        return self._running(started, launch.limits, group, monitors)

    def _running(self, started: Started, limits: Limits, group: Group | None, monitors: int) -> RunningAgent:
        pid = int(json.loads(started.said)["child-pid"])
        try:
            first = os.pidfd_open(pid)
        except ProcessLookupError:
            first = None  # it has ended already

        def stop() -> None:
            with suppress(ProcessLookupError):
                if first is not None:
                    signal.pidfd_send_signal(first, signal.SIGKILL)

        # The first bwrap is above that process: of those that hold the agent, one less is below it.
        meter: Keeper = GroupMeter(group, limits) if group else TreeMeter(pid, limits, monitors=monitors - 1)
        return RunningAgent(started, pid=pid, level=self.level, stop=stop, first=first, code=as_signal, meter=meter)


@contextmanager
def _supplied(cell: Cell, variant: seccomp.Variant) -> Iterator[tuple[Cell, tuple[int, ...]]]:
    """A cell with the descriptors from which bwrap reads, and those to be passed on to it."""
    with _readable(seccomp.program(variant)) as calls, _readable(idle_cores()) as cores:
        yield replace(cell, seccomp=calls, stat=cores), (calls, cores)


@contextmanager
def _readable(content: bytes) -> Iterator[int]:
    """A descriptor from which something can be read, once."""
    source, sink = os.pipe()
    try:
        os.write(sink, content)  # far less than a pipe holds
        os.close(sink)
        yield source
    finally:
        os.close(source)


def _joined(command: Sequence[str], cell: Cell, group: Group | None) -> list[str]:
    words = jailed(command, cell)
    return group.joining(words) if group else words


async def _tidy(group: Group | None, error: BaseException, launch: Launch) -> None:
    """Leave nothing of a start that failed; the kernel may have ended it for its limit."""
    killed = group is not None and group.over_memory()
    if group:
        await group.remove()
    await orphans.bury()
    if killed and isinstance(error, LaunchError):
        limit = memory_limit(launch.limits)
        raise LaunchError(f"expected the bot {launch.name} to start, got: it needs more than {limit}") from error


def opened(level: str) -> Bubblewrap:
    """The sandbox of a level; Unavailable says why there is none."""
    problem = _missing()
    if problem:
        raise Unavailable(problem)
    try:
        box = Bubblewrap(cgroup.find() if level == FULL else None)
    except NoGroups as error:
        raise Unavailable(str(error)) from error
    problem = box.trial()
    if problem:
        raise Unavailable(problem)
    return box


def why_not(level: str = FULL) -> str | None:
    """Why agents cannot be started at a level, found out by trying; None if they can."""
    try:
        opened(level)
    except Unavailable as error:
        return str(error)
    return None


def _missing() -> str | None:
    if not sys.platform.startswith("linux"):
        return "bubblewrap needs Linux"
    tools = ["bwrap", "prlimit", *(["setpriv"] if os.geteuid() == 0 else [])]
    missing = [tool for tool in tools if shutil.which(tool, path=SEARCH_PATH) is None]
    if missing:
        return f"{' and '.join(missing)} not found on {SEARCH_PATH}: install bubblewrap and util-linux"
    if not hasattr(os, "pidfd_open"):
        return "a Python that knows pidfd_open is needed beside bubblewrap"
    try:
        seccomp.program(seccomp.Variant())
    except UserError as error:
        return str(error)
    return None


def _command(launch: Launch) -> list[str]:
    python = _RUNTIME / launch.runtime.python.relative_to(launch.runtime.prefix)
    return [*ANNOUNCED, *words(launch, python)]


def _variables(launch: Launch) -> Mapping[str, str]:
    packages = _RUNTIME / launch.runtime.packages.relative_to(launch.runtime.prefix)
    return variables(launch, f"{_REFEREE}/{SOCKET}", packages)


def _binds(launch: Launch, *, writable: bool) -> list[Bind]:
    return [
        *interpreter(launch.runtime.base),
        Bind(str(launch.runtime.prefix), str(_RUNTIME)),
        Bind(str(launch.folder), _AGENT, writable=writable),
        Bind(str(launch.seat_folder), _REFEREE),
    ]
