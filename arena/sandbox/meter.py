"""What an agent uses: counted by its control group, or sampled from /proc where it has none.

A sample sees what runs at that moment, so a quick hog passes its limit for a while; and a process whose parent ignores
its end takes its CPU time along. Nothing is charged by samples: they end what is over its memory limit, and inform.
"""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

from arena.limits import Limits, Usage
from arena.sandbox.contract import Meter
from arena.sandbox.group import Count, Group, parsed
from arena.sandbox.waits import Waits, text

_LOOK_SECONDS: Final = 0.2  # between looks at a group, which the kernel itself holds to its limits
_SAMPLE_SECONDS: Final = 0.05
_PASSES: Final = 3
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_WRITABLE: Final = ("tmp", "dev/shm")  # the folders of a jail that are kept in memory


class Keeper(Meter, Protocol):
    """A meter that also holds its agent to what it may use, and ends what belongs to it after its end."""

    def rest(self) -> None:
        """Give the agent next to no CPU time."""

    def wake(self) -> None:
        """Give it its share again, at once."""

    async def attend(self, stop: Callable[[], None]) -> None:
        """Wait until the agent is over a limit, then stop it."""

    async def close(self) -> None:
        """The agent is gone: remember what it has used and let go of the rest."""


def memory_limit(limits: Limits) -> str:
    """The memory limit in words."""
    return f"its memory limit of {limits.memory_mb} MB"


class GroupMeter:
    """Counts an agent by its control group."""

    exact = True

    def __init__(self, group: Group, limits: Limits) -> None:
        self._group = group
        self._limits = limits
        self._counts = group.version
        self._cpu: int | None = os.open(group.path(self._counts.cpu), os.O_RDONLY)
        self._micros = 0
        self._waits = Waits()
        self._memory: int | None = None
        self._processes: int | None = None
        self._over = False

    def cpu_micros(self) -> int:
        """The CPU time used so far."""
        if self._cpu is not None:
            with suppress(OSError):  # somebody has removed the group
                self._micros = parsed(os.pread(self._cpu, 4096, 0), self._counts.cpu)
        return self._micros

    def starved_micros(self) -> int:
        """How long its threads have waited for a core that others had; its own CPU limit is not counted."""
        threads = self._group.threads()
        if threads:
            throttled = self._read(self._counts.throttled)
            self._waits.look((f"/proc/{thread}" for thread in threads), throttled)
        return self._waits.micros

    def usage(self) -> Usage:
        """All that was used so far."""
        self._look()
        return Usage(self._memory, self.cpu_micros(), self._processes)

    def over_limit(self) -> str:
        """The memory limit, once the kernel has killed any of its processes for it."""
        if self._cpu is not None:
            self._over = self._over or self._group.over_memory()
        return memory_limit(self._limits) if self._over else ""

    def rest(self) -> None:
        """Its group is granted next to nothing."""
        with suppress(OSError):  # somebody has removed the group
            self._group.rest()

    def wake(self) -> None:
        """Its group is granted all of its share."""
        with suppress(OSError):
            self._group.wake(self._limits)

    async def attend(self, stop: Callable[[], None]) -> None:
        """The first version of groups kills one process of an agent for memory: the others follow."""
        while True:
            if self.over_limit():
                return stop()
            self._look()
            await asyncio.sleep(_LOOK_SECONDS)

    async def close(self) -> None:
        """Read everything for the last time and remove the group."""
        if self._cpu is not None:
            self.usage(), self.over_limit(), self.starved_micros()
            os.close(self._cpu)
            self._cpu = None
        await self._group.remove()

    def _look(self) -> None:
        if self._cpu is None:
            return
        self._memory = self._group.read(self._counts.memory)
        most = self._group.read(self._counts.processes)
        if most is None:
            most = self._read(self._counts.now)
        self._processes = max(self._processes or 0, most - self._group.monitors)

    def _read(self, count: Count) -> int:
        return self._group.read(count) or 0


class TreeMeter:
    """Samples an agent's tree of processes, and ends it when that has more memory than it may."""

    exact = False

    def __init__(self, first: int, limits: Limits, *, monitors: int) -> None:
        self._first = first  # whoever loses its parent stays below it
        self._limits = limits
        self._monitors = monitors  # processes from the first on that hold the agent, and are no part of it
        self._micros = 0
        self._waits = Waits()
        self._memory = 0
        self._processes = 0
        self._over = ""

    def cpu_micros(self) -> int:
        """The CPU time of what runs, and of the children that it has waited for."""
        self._micros = max(self._micros, sum(map(_cpu_micros, tree(self._first))))
        return self._micros

    def starved_micros(self) -> int:
        """How long its threads have waited for a core."""
        threads = [thread for pid in tree(self._first) for thread in _tasks(pid)]
        self._waits.look(threads)
        return self._waits.micros

    def usage(self) -> Usage:
        """All that was seen so far."""
        return Usage(self._memory or None, self.cpu_micros(), self._processes or None)

    def over_limit(self) -> str:
        """The memory limit, once a sample was above it."""
        return self._over

    def rest(self) -> None:
        """Its processes are stopped; the passes are for what one of them starts before its turn comes."""
        for _ in range(_PASSES):
            self._signal(signal.SIGSTOP)

    def wake(self) -> None:
        """Its processes go on."""
        self._signal(signal.SIGCONT)

    async def attend(self, stop: Callable[[], None]) -> None:
        """Sample for as long as it is within its memory."""
        while True:
            if self._sample() > self._limits.memory_mb << 20:
                self._over = memory_limit(self._limits)
                return stop()
            await asyncio.sleep(_SAMPLE_SECONDS)

    async def close(self) -> None:
        """Nothing is left of a tree that is gone."""

    def _signal(self, number: signal.Signals) -> None:
        for pid in [*tree(self._first)][self._monitors :]:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def _sample(self) -> int:
        pids = list(tree(self._first))
        agent = pids[self._monitors :]
        in_folders = _in_folders(agent)
        self._processes = max(self._processes, sum(len(_tasks(pid)) for pid in agent))
        self.cpu_micros()
        limit = self._limits.memory_mb << 20
        memory = sum(map(_resident, agent)) + in_folders
        if memory > limit:  # perhaps not, for that counts shared pages again and again
            memory = shared_out(agent, in_folders)
        self._memory = max(self._memory, memory)
        return memory


def tree(first: int) -> Iterator[int]:
    """A process and all its descendants."""
    waiting = [first]
    while waiting:
        pid = waiting.pop(0)
        if Path(f"/proc/{pid}").exists():
            yield pid
            for task in _tasks(pid):
                waiting += [*map(int, text(f"{task}/children").split())]


def shared_out(pids: list[int], in_folders: int) -> int:
    """The memory of processes in bytes, every shared page counted once, with files that are kept in memory."""
    own = shared = 0
    for pid in pids:
        rows = dict(line.split()[:2] for line in text(f"/proc/{pid}/smaps_rollup").splitlines()[1:])
        mapped = int(rows.get("Pss_Shmem:", 0)) << 10
        own += (int(rows["Pss:"]) << 10) - mapped if "Pss:" in rows else _resident(pid)
        shared += mapped
    return own + max(shared, in_folders)  # what is mapped of those folders is in both


def _in_folders(agent: list[int]) -> int:
    """The bytes that lie in the folders of a jail that are kept in memory."""
    total = 0
    first = next(iter(agent), 0)
    for folder in _WRITABLE:
        with suppress(OSError):
            facts = os.statvfs(f"/proc/{first}/root/{folder}")
            total += (facts.f_blocks - facts.f_bfree) * facts.f_frsize
    return total


def _resident(pid: int) -> int:
    fields = text(f"/proc/{pid}/statm").split()
    return int(fields[1]) * _PAGE if fields else 0


def _cpu_micros(pid: int) -> int:
    fields = text(f"/proc/{pid}/stat").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) * 1_000_000 // _TICKS if fields else 0


def _tasks(pid: int) -> list[str]:
    folder = f"/proc/{pid}/task"
    with suppress(OSError):
        return [f"{folder}/{name}" for name in os.listdir(folder)]  # noqa: PTH208 - quicker than pathlib
    return []
