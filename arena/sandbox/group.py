"""One control group for one agent: its limits, what it has used, and its end."""

import asyncio
import os
import signal
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.limits import Limits

_PERIOD: Final = 100_000  # microseconds over which a share of the CPU is granted
# The least that the kernel grants. A longer period would make it less, and go on for so long after the waking.
_TRICKLE: Final = 1_000
_TRIES: Final = 500
_RETRY_SECONDS: Final = 0.01

_OF_SWAP: Final = {"memory.memsw.limit_in_bytes", "memory.swappiness", "memory.swap.max"}  # not in every kernel

_HUGE_PAGES: Final = 4 << 20  # so much less than its limit a group may have when it is refused more

JOIN: Final = 'while [ "$1" != -- ]; do echo 0 >"$1" || exit 1; shift; done; shift; exec "$@"'


@dataclass(frozen=True)
class Count:
    """A number that the kernel keeps: in a file, after a key if there are several."""

    controller: str
    file: str
    key: str = ""
    per: int = 1  # how many make one of ours


@dataclass(frozen=True)
class Version:
    """What a version of control groups calls its files."""

    controllers: tuple[str, ...]
    threads: str  # the file that lists them
    cpu: Count  # microseconds
    throttled: Count  # microseconds in which its own limit kept it from running
    memory: Count  # bytes at the most
    kills: Count  # processes that were killed for memory: the group's own, or that of all around it
    refused: Count | None  # kills for the group's own limit; where nobody counts them, its peak tells
    processes: Count  # at the most
    now: Count  # processes now, for kernels that do not keep the most
    weight: str  # the file that says how a group counts beside others of the CPU
    usual: int  # weight, which is also that of a process without a group
    heaviest: int


V1: Final = Version(
    ("cpu", "cpuacct", "memory", "pids"),
    "tasks",
    cpu=Count("cpuacct", "cpuacct.usage", per=1000),
    throttled=Count("cpu", "cpu.stat", "throttled_time", per=1000),
    memory=Count("memory", "memory.max_usage_in_bytes"),
    kills=Count("memory", "memory.oom_control", "oom_kill"),
    refused=None,
    processes=Count("pids", "pids.peak"),
    now=Count("pids", "pids.current"),
    weight="cpu.shares",
    usual=1024,
    heaviest=1 << 18,
)
V2: Final = Version(
    ("cpu", "memory", "pids"),
    "cgroup.threads",
    cpu=Count("cpu", "cpu.stat", "usage_usec"),
    throttled=Count("cpu", "cpu.stat", "throttled_usec"),
    memory=Count("memory", "memory.peak"),
    kills=Count("memory", "memory.events", "oom_kill"),
    refused=Count("memory", "memory.events", "oom"),
    processes=Count("pids", "pids.peak"),
    now=Count("pids", "pids.current"),
    weight="cpu.weight",
    usual=100,
    heaviest=10_000,
)


_LIMIT: Final = Count("memory", "memory.limit_in_bytes")


class Group:
    """The group of one agent; in version 1 one folder for each controller, in version 2 one for all."""

    def __init__(self, version: Version, folders: Mapping[str, Path], monitors: int) -> None:
        self.version = version
        self.monitors = monitors  # processes that hold the agent, and are no part of it
        self._folders = folders
        self._every = [*dict.fromkeys(folders.values())]

    def make(self, limits: Limits) -> None:
        """Make the folders and set the limits."""
        for folder in self._every:
            folder.mkdir()
        settings = _first(limits) if self.version is V1 else _second(limits)
        settings["pids", "pids.max"] = str(limits.processes + self.monitors)
        for (controller, file), value in settings.items():
            path = self._folders[controller] / file
            if path.exists() or file not in _OF_SWAP:
                path.write_text(value)
        self._weigh()

    def rest(self) -> None:
        """Let it have next to nothing of the CPU."""
        self._grant(_TRICKLE)

    def wake(self, limits: Limits) -> None:
        """Let it have its share of the CPU, at once."""
        self._grant(_share(limits))

    def _grant(self, micros: int) -> None:
        first = self.version is V1
        file, value = ("cpu.cfs_quota_us", f"{micros}") if first else ("cpu.max", f"{micros} {_PERIOD}")
        (self._folders["cpu"] / file).write_text(value)

    def joining(self, words: list[str]) -> list[str]:
        """A command that joins the group before it becomes the given one: nothing that it starts is outside."""
        return ["sh", "-c", JOIN, "sh", *(str(folder / "cgroup.procs") for folder in self._every), "--", *words]

    def path(self, count: Count) -> Path:
        """The file in which the kernel keeps a count."""
        return self._folders[count.controller] / count.file

    def read(self, count: Count) -> int | None:
        """A count; None if this kernel does not keep it."""
        try:
            return parsed(self.path(count).read_bytes(), count)
        except OSError:
            return None

    def over_memory(self) -> bool:
        """Whether a process of it was killed for its own limit, and not because the machine's memory was used up."""
        if not self.read(self.version.kills):
            return False
        if self.version.refused:
            return bool(self.read(self.version.refused))
        peak, limit = self.read(self.version.memory), self.read(_LIMIT)
        return peak is None or limit is None or peak >= limit - _HUGE_PAGES

    def threads(self) -> list[int]:
        """The threads in it now."""
        try:
            return [*map(int, (self._every[0] / self.version.threads).read_text().split())]
        except OSError:
            return []

    def remove_now(self) -> bool:
        """Kill what is in it and remove it; false if something is not gone yet."""
        left = [folder for folder in self._every if not remove(folder)]
        for folder in () if left else self._every:
            with suppress(OSError):  # other agents are in it
                folder.parent.rmdir()
        self._weigh()
        return not left

    def _weigh(self) -> None:
        """Let every agent count like one process, else all together would: the more agents, the less they got."""
        parent = self._folders["cpu"].parent
        with suppress(OSError):  # with the last agent it is gone
            agents = sum(path.is_dir() for path in parent.iterdir())
            weight = min(self.version.usual * max(1, agents), self.version.heaviest)
            (parent / self.version.weight).write_text(str(weight))

    async def remove(self) -> None:
        """Remove it as soon as it is empty; what refuses to die is left to the next start of an arena."""
        for _ in range(_TRIES):
            if self.remove_now():
                return
            await asyncio.sleep(_RETRY_SECONDS)

    def remove_soon(self) -> None:
        """The same, for whoever cannot await."""
        for _ in range(_TRIES):
            if self.remove_now():
                return
            time.sleep(_RETRY_SECONDS)


def parsed(content: bytes, count: Count) -> int:
    """The count that a file says."""
    if not count.key:
        return int(content) // count.per
    pairs = (line.split() for line in content.decode().splitlines())
    return next((int(value) // count.per for key, value in pairs if key == count.key), 0)


def remove(folder: Path) -> bool:
    """Kill what is in a group and remove it, if it is gone at once."""
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        _kill(folder)
        return False
    return True


def _kill(folder: Path) -> None:
    with suppress(OSError):
        for pid in map(int, (folder / "cgroup.procs").read_text().split()):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _share(limits: Limits) -> int:
    """The microseconds of CPU time in a period."""
    return limits.cpu_percent * _PERIOD // 100


def _first(limits: Limits) -> dict[tuple[str, str], str]:
    memory = str(limits.memory_mb << 20)
    return {
        ("memory", "memory.limit_in_bytes"): memory,
        ("memory", "memory.memsw.limit_in_bytes"): memory,
        ("memory", "memory.swappiness"): "0",
        ("cpu", "cpu.cfs_period_us"): str(_PERIOD),
        ("cpu", "cpu.cfs_quota_us"): str(_share(limits)),
    }


def _second(limits: Limits) -> dict[tuple[str, str], str]:
    return {
        ("memory", "memory.max"): str(limits.memory_mb << 20),
        ("memory", "memory.swap.max"): "0",
        ("memory", "memory.oom.group"): "1",
        ("cpu", "cpu.max"): f"{_share(limits)} {_PERIOD}",
    }
