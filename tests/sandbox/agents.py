"""What the tests of the sandbox share: how to ask the machine what still runs."""

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from arena.sandbox import Agent, Sandbox


class Begin(Protocol):
    """Starts a program as bot.py with words after it, or a command of its own."""

    async def __call__(
        self, box: Sandbox, program: str = "", *words: str, command: tuple[str, ...] = ()
    ) -> Agent: ...


def running(mark: str) -> list[int]:
    """The processes of this machine that have `mark` on their command line; zombies have none."""
    return [int(entry) for entry in os.listdir("/proc") if entry.isdigit() and mark in _command_line(entry)]


def _command_line(pid: str) -> str:
    try:
        return Path("/proc", pid, "cmdline").read_text(errors="replace")
    except OSError:
        return ""


async def eventually(holds: Callable[[], object], seconds: float = 20) -> None:
    """Wait until something holds; fail if it never does."""
    limit = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < limit, "it never came true"
        await asyncio.sleep(0.01)
