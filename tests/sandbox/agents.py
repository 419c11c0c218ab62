"""What the tests of the sandbox share: how to ask the machine what still runs."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from arena.limits import Limits
from arena.sandbox import Agent, Sandbox


class Begin(Protocol):
    """Starts a program as bot.py with words after it, or a command of its own."""

    async def __call__(
        self,
        box: Sandbox,
        program: str = "",
        *words: str,
        command: tuple[str, ...] = (),
        limits: Limits | None = None,
    ) -> Agent: ...


def running(mark: str, *, from_start: bool = False) -> list[int]:
    """The processes of this machine that have `mark` on their command line; zombies have none."""
    lines = {int(path.name): _command_line(path) for path in Path("/proc").iterdir() if path.name.isdigit()}
    return [pid for pid, line in lines.items() if (line.startswith(mark) if from_start else mark in line)]


def is_jail(box: Sandbox) -> bool:
    return box.level.startswith("bubblewrap")


def exists(path: str) -> bool:
    return Path(path).exists()


def content(path: str) -> str:
    return Path(path).read_text()


def _command_line(process: Path) -> str:
    try:
        return (process / "cmdline").read_text(errors="replace")
    except OSError:
        return ""


async def eventually(holds: Callable[[], object], seconds: float = 20) -> None:
    """Wait until something holds; fail if it never does."""
    limit = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < limit, "it never came true"
        await asyncio.sleep(0.01)
