"""What an agent in a container uses, read from the control groups that the engine has made for it.

They vanish with the container, so the last figures are kept. The engine says afterwards whether memory ran out.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from arena.limits import Limits, Usage
from arena.sandbox.container_command import MONITORS
from arena.sandbox.group import V1, V2, Count, Group
from arena.sandbox.meter import memory_limit
from arena.sandbox.waits import Waits

_LOOK_SECONDS: Final = 0.2
_MOUNTS: Final = Path("/proc/self/mounts")


class ContainerMeter:
    """The counts of one container; `group` is None if it had ended before anybody could look."""

    exact = True

    def __init__(self, group: Group | None, limits: Limits) -> None:
        self._group = group
        self._limits = limits
        self._micros = 0
        self._waits = Waits()
        self._memory: int | None = None
        self._processes: int | None = None
        self._out_of_memory = False

    def cpu_micros(self) -> int:
        """The CPU time used so far."""
        if self._group:
            self._micros = max(self._micros, self._read(self._group.version.cpu) or 0)
        return self._micros

    def starved_micros(self) -> int:
        """How long its threads have waited for a core that others had; its own CPU limit is not counted."""
        threads = self._group.threads() if self._group else []
        if self._group and threads:
            throttled = self._read(self._group.version.throttled) or 0
            self._waits.look((f"/proc/{thread}" for thread in threads), throttled)
        return self._waits.micros

    def usage(self) -> Usage:
        """All that was seen so far."""
        self.look()
        return Usage(self._memory, self._micros, self._processes)

    def over_limit(self) -> str:
        """The memory limit, once the kernel has killed any of its processes for it."""
        return memory_limit(self._limits) if self._out_of_memory else ""

    def rest(self) -> None:
        """Its group is granted next to nothing, if it is ours to write to."""
        if self._group:
            with suppress(OSError):
                self._group.rest()

    def wake(self) -> None:
        """Its group is granted all of its share."""
        if self._group:
            with suppress(OSError):
                self._group.wake(self._limits)

    async def attend(self, stop: Callable[[], None]) -> None:
        """Look again and again; where the kernel kills one process of an agent for memory, the others follow."""
        while True:
            self.look()
            if self.over_limit():
                return stop()
            await asyncio.sleep(_LOOK_SECONDS)

    async def close(self) -> None:
        """The engine has removed its groups itself."""
        self._group = None

    def look(self) -> None:
        """Keep the figures of this moment, for later there may be nothing left to look at."""
        if self._group is None:
            return
        counts = self._group.version
        self.cpu_micros()
        self._memory = _most(self._memory, self._read(counts.memory))
        now = self._read(counts.now)  # the most that the kernel has seen were the engine's own, at the start
        self._processes = _most(self._processes, None if now is None else max(0, now - MONITORS))
        if self._group.over_memory():
            self.killed_for_memory()

    def killed_for_memory(self) -> None:
        """Note that the kernel has killed a process of the container because its memory was used up."""
        self._out_of_memory = True
        self._memory = _most(self._memory, self._limits.memory_mb << 20)

    def _read(self, count: Count) -> int | None:
        return self._group.read(count) if self._group else None


def group_of(pid: int, container: str) -> Group | None:
    """The control group of a process, if it is the container's and can be seen from here."""
    own = {name: path for name, path in _paths(pid).items() if container in path}
    folders = {name: place / own[name].lstrip("/") for name, place in _mounted().items() if name in own}
    first = {name: folders[name] for name in V1.controllers if name in folders}
    if len(first) == len(V1.controllers):
        group = Group(V1, first, MONITORS)
    elif "" in folders:
        group = Group(V2, dict.fromkeys(V2.controllers, folders[""]), MONITORS)
    else:
        return None
    return None if group.read(group.version.cpu) is None else group


def is_of(pid: int, container: str) -> bool:
    """Whether a process belongs to the container; its number may be another machine's, or used again."""
    return any(container in path for path in _paths(pid).values())


def _paths(pid: int) -> Mapping[str, str]:
    """The groups that a process is in, by controller; the empty name is version 2."""
    try:
        lines = Path(f"/proc/{pid}/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    return {name: path for _, names, path in (line.split(":", 2) for line in lines) for name in names.split(",")}


def _mounted() -> Mapping[str, Path]:
    """Where the tree of each controller is mounted; the empty name is version 2."""
    mounted: dict[str, Path] = {}
    for line in _MOUNTS.read_text(encoding="utf-8").splitlines():
        _, folder, kind, options, *_ = line.split()
        names = options.split(",") if kind == "cgroup" else [""] if kind == "cgroup2" else []
        mounted |= dict.fromkeys(names, Path(folder))
    return mounted


def _most(one: int | None, other: int | None) -> int | None:
    return max((each for each in (one, other) if each is not None), default=None)
