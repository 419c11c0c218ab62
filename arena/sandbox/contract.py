"""What every way to start an agent offers: one interface, so that the referee knows none of them by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from arena.bots import PYTHON, SEARCH_PATH, locate
from arena.errors import UserError
from arena.limits import Limits, Usage
from arena.runtime import Runtime

SOCKET = "agent.sock"  # the referee's socket in a seat folder
VENDOR = "vendor"  # where a bot's Python packages lie in its folder
TEMP = "/tmp"  # noqa: S108 - in a jail it is the agent's own

Hear = Callable[[bytes], None]  # gets what an agent prints, piece by piece, as it is read


class LaunchError(UserError):
    """An agent that could not be started."""


class LaunchKilled(LaunchError):
    """An agent that was killed while it started, by somebody else: that says nothing about the bot."""


@dataclass(frozen=True)
class Launch:
    """What is to be started."""

    name: str  # of the bot
    folder: Path  # the bot's; the agent stands in it and cannot change it
    command: tuple[str, ...]  # as in bot.toml
    seat_folder: Path  # private to referee and agent; holds the socket
    environment: Mapping[str, str]  # on top of what every agent gets
    runtime: Runtime
    limits: Limits = field(default_factory=Limits)
    hear: Hear | None = None


class Meter(Protocol):
    """What the kernel counts of one agent with all that it has started; it still answers once the agent is gone."""

    @property
    def exact(self) -> bool:
        """Whether nothing escapes it: only then may an agent be charged for its CPU time."""

    def cpu_micros(self) -> int:
        """The CPU time used so far; cheap, for it is read twice a decision."""

    def starved_micros(self) -> int:
        """How long its threads that run now have waited for a core, ready to run, since each was started."""

    def usage(self) -> Usage:
        """All that was used so far."""

    def over_limit(self) -> str:
        """Empty, or the limit for which the kernel or a watchdog has ended it: "its memory limit of 256 MB"."""


class Agent(Protocol):
    """A started process with all that it starts in turn."""

    @property
    def pid(self) -> int:
        """The process at the root of the agent's tree."""

    @property
    def level(self) -> str:
        """The level of the sandbox that it runs in."""

    @property
    def meter(self) -> Meter | None:
        """What it uses; None where nothing counts it."""

    async def wait(self) -> int:
        """The exit code, or minus the number of the signal that ended it; any number may wait."""

    def kill(self) -> None:
        """End the whole tree at once; harmless when it is gone. It is gone for certain after `wait`."""

    def rest(self) -> None:
        """It has nothing to do: it gets next to no CPU time from now on, where anything can see to that."""

    def wake(self) -> None:
        """It has: it gets its share again."""

    def printed(self) -> int:
        """How many bytes it has printed up to now, as far as they could be read."""

    def log(self, since: int = 0) -> str:
        """The last lines of its standard output and error, after so many bytes, clean enough for a terminal."""

    def flooded(self) -> bool:
        """Whether it has printed more than is read at full speed: it may have to wait whenever it prints."""


class Sandbox(Protocol):
    """A way to start agents."""

    @property
    def level(self) -> str:
        """What tables show: how much this way enforces."""

    def seat_folder(self) -> Path:
        """A new private folder for a socket; whoever asked removes it."""

    def admit(self, seat_folder: Path) -> None:
        """Let the agent of a seat folder, and nobody else, use the socket that was made there."""

    async def start(self, launch: Launch) -> Agent:
        """Start an agent; call it on the main thread, for an agent dies with the thread that started it."""


def words(launch: Launch, python: Path) -> list[str]:
    """The command with its first word as the agent calls it."""
    if not launch.folder.is_dir():
        raise LaunchError(f"expected the folder of {launch.name}, got {launch.folder}, which is no folder")
    first = locate(launch.folder, launch.command[0])
    if first is None:
        wanted = launch.command[0]
        raise LaunchError(f"expected a command to start {launch.name}, got {wanted!r}, which cannot be run")
    return [str(python) if first == PYTHON else first, *launch.command[1:]]


def variables(launch: Launch, socket: str, packages: Path) -> dict[str, str]:
    """The whole environment of an agent."""
    # Packages that the bot brings itself are found where it stands, after our own.
    found = [str(packages), *([VENDOR] if (launch.folder / VENDOR).is_dir() else [])]
    return {
        "PATH": SEARCH_PATH,
        "HOME": TEMP,
        "LANG": "C.UTF-8",
        "PYTHONPATH": ":".join(found),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
        "PYTHONUNBUFFERED": "1",  # what a bot printed last is in the log even if it is killed
        "PYTHONHASHSEED": "0",  # sets are walked in the same order whenever a match is repeated
        "ARENA_SOCKET": socket,
        **launch.environment,
    }
