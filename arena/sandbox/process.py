"""A started agent as the referee sees it, whatever it was started with.

The last program before the agent's own, which we trust, says "up" over a pipe that it has as its standard input. So a
start is over when the agent is about to run; and if the referee died meanwhile the pipe is closed, and it goes no
further: what makes an agent die with its referee might have come into force too late to notice.
"""

import asyncio
import os
import signal
import threading
from asyncio.subprocess import Process
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arena import failpoints
from arena.sandbox import orphans
from arena.sandbox.contract import Hear, LaunchError, LaunchKilled
from arena.sandbox.log import TAIL, Log
from arena.sandbox.meter import Keeper

ANNOUNCED: Final = ("sh", "-c", 'echo up >&0 && exec "$@" </dev/null', "sh")  # to stand before the agent's command
START_SECONDS: Final = 30.0

_UP: Final = b"up\n"
_TOO_LONG: Final = b"nothing for too long"


@dataclass(frozen=True)
class Order:
    """What is to be started; `command` is told a descriptor for reports, which is also the process's input."""

    name: str
    command: Callable[[int], Sequence[str]]
    environment: Mapping[str, str]
    folder: Path
    output: int  # bytes that it may print at full speed
    tail: int = TAIL  # bytes of it that are kept
    passed: tuple[int, ...] = ()  # descriptors that it inherits
    hear: Hear | None = None


@dataclass(frozen=True)
class Started:
    """A process that has come to the agent's own command."""

    process: Process
    log: Log
    status: int  # where it said "up"; to be kept open, since bwrap writes there to the end
    said: bytes  # before that


async def spawn(order: Order) -> Started:
    """A process in a session of its own."""
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("expected a start from the main thread: an agent dies with the thread that started it")
    status, report = os.pipe()
    source, sink = os.pipe()
    try:
        process = await asyncio.create_subprocess_exec(
            *order.command(report),
            stdin=report,
            stdout=sink,
            stderr=sink,
            env=order.environment,
            cwd=order.folder,
            pass_fds=[report, *order.passed],
            start_new_session=True,  # Ctrl-C in the terminal is for the referee alone
        )
    except BaseException as error:
        os.close(status)
        os.close(source)
        if isinstance(error, OSError):
            raise LaunchError(f"expected the bot {order.name} to start, got: {error.strerror}") from error
        raise
    finally:
        os.close(report)
        os.close(sink)
    failpoints.reach("while spawning")
    log = Log(source, free=order.output, tail=order.tail, hear=order.hear)
    return await _until_up(order.name, process, log, status)


async def _until_up(name: str, process: Process, log: Log, status: int) -> Started:
    said, up = b"", b""
    try:
        said = await asyncio.wait_for(_reports(status), START_SECONDS)
        before, up, _ = said.partition(_UP)  # an agent that ends at once is reported in the same breath
        if up:
            return Started(process, log, status, before)
    except TimeoutError:
        said = _TOO_LONG
    finally:
        if not up:
            with suppress(ProcessLookupError):
                process.kill()
            os.close(status)
            log.close()
    code = as_signal(await process.wait())
    if code == -signal.SIGKILL and said != _TOO_LONG:
        raise LaunchKilled(f"expected the bot {name} to start, got: it was killed by SIGKILL from outside")
    raise LaunchError(f"expected the bot {name} to start, got: {log.text().strip() or said.decode()}")


async def _reports(status: int) -> bytes:
    """All that is said up to the word that it is up, or to the end."""
    loop = asyncio.get_running_loop()
    over: asyncio.Future[bytes] = loop.create_future()
    said = bytearray()

    def readable() -> None:
        chunk = os.read(status, 4096)
        said.extend(chunk)
        if not over.done() and (not chunk or _UP in said):
            over.set_result(bytes(said))

    loop.add_reader(status, readable)
    try:
        return await over
    finally:
        loop.remove_reader(status)


class RunningAgent:
    """An agent whose tree `stop` ends; `first` is a pidfd of its first process, `code` reads its exit code."""

    def __init__(
        self,
        started: Started,
        *,
        pid: int,
        level: str,
        stop: Callable[[], None],
        first: int | None = None,
        code: Callable[[int], int] = int,
        meter: Keeper | None = None,
    ) -> None:
        self.pid = pid
        self.level = level
        self.meter = meter
        self._log = started.log
        self._stop = stop
        self._code = code
        self._over = asyncio.create_task(self._watch(started, first))

    async def wait(self) -> int:
        """The exit code, or minus the number of the signal that ended it."""
        return await asyncio.shield(self._over)

    def kill(self) -> None:
        """End the whole tree at once."""
        if not self._over.done():
            self.wake()  # on some kernels even dying takes CPU time
            self._stop()

    def rest(self) -> None:
        """Give it next to no CPU time, if its meter can."""
        if self.meter and not self._over.done():
            self.meter.rest()

    def wake(self) -> None:
        """Give it its share again."""
        if self.meter and not self._over.done():
            self.meter.wake()

    def printed(self) -> int:
        """How many bytes it has printed up to now."""
        return self._log.catch_up()

    def log(self, since: int = 0) -> str:
        """The last lines that it printed, after so many bytes."""
        return self._log.text(since)

    def flooded(self) -> bool:
        """Whether it has printed more than is read at full speed."""
        return self._log.flooded

    async def _watch(self, started: Started, first: int | None) -> int:
        attending = asyncio.create_task(self.meter.attend(self._stop)) if self.meter else None
        try:
            code = self._code(await started.process.wait())
            self._stop()
            if first is not None:
                await _gone(first)
                await orphans.bury()
            return code
        finally:
            # Also when the referee itself is being cancelled: no agent outlives it, nor a child its agent.
            self._stop()
            if attending:
                attending.cancel()
            self._log.close()
            os.close(started.status)
            if first is not None:
                os.close(first)
            if self.meter:
                await self.meter.close()


async def _gone(first: int) -> None:
    """Wait for the end of a process that need not be our child."""
    loop = asyncio.get_running_loop()
    gone = asyncio.Event()
    loop.add_reader(first, gone.set)
    try:
        await gone.wait()
    finally:
        loop.remove_reader(first)


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
