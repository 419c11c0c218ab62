"""A started agent as the referee sees it, whatever it was started with."""

import asyncio
import os
import signal
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any

from arena.sandbox.log import Log


async def spawn(
    command: Sequence[str], environment: Mapping[str, str], folder: Path, keep: Sequence[int] = ()
) -> tuple[Process, Log]:
    """A process in a session of its own; of ours it has a pipe to print to and the descriptors in `keep`."""
    source, sink = os.pipe()
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=DEVNULL,
            stdout=sink,
            stderr=sink,
            env=environment,
            cwd=folder,
            pass_fds=keep,
            start_new_session=True,  # Ctrl-C in the terminal is for the referee alone
        )
    except BaseException:
        os.close(source)
        raise
    finally:
        os.close(sink)
    return process, Log(source)


class RunningAgent:
    """An agent whose tree `stop` ends; `leave` tidies up after it, `code` makes sense of its exit code."""

    def __init__(
        self,
        process: Process,
        log: Log,
        *,
        pid: int,
        level: str,
        stop: Callable[[], None],
        leave: Callable[[], None] = lambda: None,
        code: Callable[[int], int] = int,
    ) -> None:
        self.pid = pid
        self.level = level
        self._log = log
        self._stop = stop
        self._code = code
        self._over = asyncio.create_task(self._watch(process, leave))

    async def wait(self) -> int:
        """The exit code, or minus the number of the signal that ended it."""
        return await asyncio.shield(self._over)

    def kill(self) -> None:
        """End the whole tree at once."""
        if not self._over.done():
            self._stop()

    def log(self) -> str:
        """The last lines that it printed."""
        return self._log.text()

    async def _watch(self, process: Process, leave: Callable[[], None]) -> int:
        try:
            return self._code(await process.wait())
        finally:
            # Also when the referee itself is being cancelled: no agent outlives it, nor a child its agent.
            self._stop()
            self._log.close()
            leave()


async def whole(starting: Coroutine[Any, Any, RunningAgent]) -> RunningAgent:
    """Start an agent; a start that is cancelled is first finished, since half a jail cannot be ended cleanly."""
    task = asyncio.ensure_future(starting)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        for agent in await asyncio.gather(task, return_exceptions=True):
            if isinstance(agent, RunningAgent):
                agent.kill()
                await agent.wait()
        raise


def as_signal(code: int) -> int:
    """A shell's way to say that signal n ended a process, 128 + n, as -n; other codes as they are."""
    return 128 - code if code > 128 and code - 128 in {*signal.Signals} else code
