"""The bot's own process: lines in, lines out, its standard error left as it is, and how it ended."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import Sequence
from contextlib import suppress
from typing import Self

from arena.sdk.bridge.lines import shown
from arena.sdk.bridge.trouble import Trouble

LONGEST_LINE = 64 << 10  # bytes of a bot's line; an answer needs a hundred
LEAVING_SECONDS = 0.3  # for a bot whose input has ended; the referee gives both of us half a second
DYING_SECONDS = 0.3  # between the end of a bot's output and its exit code, or the other way round
PYTHON = "python"  # as the first word: this very interpreter, as in any bot.toml

_OURS = ("ARENA_SOCKET", "ARENA_TOKEN")


class Command:
    """A running bot."""

    def __init__(self, process: Process, stdin: asyncio.StreamWriter, stdout: asyncio.StreamReader) -> None:
        self._process = process
        self._stdin = stdin
        self._stdout = stdout

    @classmethod
    async def start(cls, words: Sequence[str]) -> Self:
        """Start a bot in this folder; Trouble if it cannot be started."""
        # Plain pipes of our own: asyncio's may be sockets, which have no /dev/stdin, and it would not tell of the end
        # of a process before the end of whatever else holds its output.
        (its_input, to_bot), (from_bot, its_output) = os.pipe(), os.pipe()
        environment = {name: value for name, value in os.environ.items() if name not in _OURS}
        first = sys.executable if words[0] == PYTHON else words[0]
        try:
            process = await asyncio.create_subprocess_exec(
                first, *words[1:], stdin=its_input, stdout=its_output, env=environment
            )
        except OSError as error:
            reason = str(error.strerror or error).lower()
            raise Trouble(f"expected a command that can be run, got {words[0]!r}: {reason}") from None
        finally:
            os.close(its_input)
            os.close(its_output)
        return cls(process, await _writer(to_bot), await _reader(from_bot))

    async def tell(self, line: bytes) -> None:
        """Write a line; waits while the bot has not read those before it."""
        with suppress(BrokenPipeError, ConnectionResetError):  # its end is told by `line` and `exit`
            self._stdin.write(line)
            await self._stdin.drain()

    async def line(self) -> bytes:
        """The next line that it writes; Trouble when there will be none."""
        try:
            return await self._stdout.readuntil(b"\n")
        except asyncio.LimitOverrunError:
            raise Trouble(
                f"expected lines of at most {LONGEST_LINE} bytes from the bot, got more without a newline"
            ) from None
        except asyncio.IncompleteReadError as error:
            code = await _within(DYING_SECONDS, self._process)
            rest = f" after {shown(error.partial)} without a newline" if error.partial else ""
            what = "it closed its standard output" if code is None else _ending(code)
            raise Trouble(f"expected the bot to play on, but {what}{rest}", code or 1) from None

    async def exit(self) -> Trouble:
        """How it ended, once it has; what it wrote before that can be read meanwhile."""
        code = await self._process.wait()
        await asyncio.sleep(DYING_SECONDS)  # its output ends with it, unless it left somebody behind who holds it open
        return Trouble(f"expected the bot to play on, but {_ending(code)}", code or 1)

    async def leave(self) -> None:
        """Let it go: its input ends, and soon itself."""
        self._stdin.close()
        await _within(LEAVING_SECONDS, self._process)
        await self.end()

    async def end(self) -> None:
        """End it at once."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()


async def _writer(pipe: int) -> asyncio.StreamWriter:
    loop, file = asyncio.get_running_loop(), os.fdopen(pipe, "wb", buffering=0)
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, file)
    return asyncio.StreamWriter(transport, protocol, None, loop)


async def _reader(pipe: int) -> asyncio.StreamReader:
    loop, file = asyncio.get_running_loop(), os.fdopen(pipe, "rb", buffering=0)
    reader = asyncio.StreamReader(limit=LONGEST_LINE)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), file)
    return reader


async def _within(seconds: float, process: Process) -> int | None:
    """The exit code, None if it still runs after that time."""
    with suppress(TimeoutError):
        return await asyncio.wait_for(process.wait(), seconds)
    return None


def _ending(code: int) -> str:
    return f"it was killed by {signal.Signals(-code).name}" if code < 0 else f"it ended with exit code {code}"
