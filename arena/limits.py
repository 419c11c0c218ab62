"""What an agent may use of the machine, and what it has used: plain values for settings, sandboxes and faults."""

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Limits:
    """What one agent process, with all that it starts, may use; whole numbers, since records know no others."""

    memory_mb: int = 512  # heap, stacks, shared memory and files in its own /tmp together
    cpu_percent: int = 100  # of one core
    processes: int = 128  # threads count
    disk_mb: int = 64  # in /tmp, and again in /dev/shm
    output_kb: int = 1024  # of its log at full speed; after that it is read at a trickle

    def least(self, other: "Limits") -> "Limits":
        """The stricter of the two in everything: a bot may ask for less than it would get, never for more."""
        pairs = ((field.name, getattr(self, field.name), getattr(other, field.name)) for field in fields(Limits))
        return Limits(**{name: min(one, two) for name, one, two in pairs})


@dataclass(frozen=True)
class Usage:
    """What an agent has used so far; None where nothing on this machine could tell."""

    peak_memory: int | None = None  # bytes
    cpu_micros: int | None = None
    processes: int | None = None  # the most at once; threads count
