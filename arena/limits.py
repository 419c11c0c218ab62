"""What an agent may use of the machine, and what it has used: plain values for settings, sandboxes and faults."""

from collections.abc import Mapping
from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Limits:
    """What one agent process, with all that it starts, may use; whole numbers, since records know no others."""

    memory_mb: int = 512  # heap, stacks, shared memory and files in its own /tmp together
    cpu_percent: int = 100  # of one core
    processes: int = 128  # threads count
    disk_mb: int = 64  # in /tmp, and again in /dev/shm
    output_kb: int = 1024  # of its log at full speed; after that it is read at a trickle

    def plain(self) -> dict[str, int]:
        """By name, in a fixed order."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def lowered(self, asked: Mapping[str, int]) -> "Limits":
        """With what a bot asked for: it may ask for less than it would get, never for more."""
        return Limits(**{name: min(value, asked.get(name, value)) for name, value in self.plain().items()})


LEAST = Limits(memory_mb=16, cpu_percent=1, processes=1, disk_mb=1, output_kb=1)
MOST = Limits(memory_mb=1 << 20, cpu_percent=6_400, processes=1 << 15, disk_mb=1 << 20, output_kb=1 << 20)


@dataclass(frozen=True)
class Usage:
    """What an agent has used so far; None where nothing on this machine could tell."""

    peak_memory: int | None = None  # bytes
    cpu_micros: int | None = None
    processes: int | None = None  # the most at once; threads count
