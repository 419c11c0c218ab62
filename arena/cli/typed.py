"""What a person types, line by line, while the match goes on: from a terminal, a pipe or a file."""

import asyncio
import contextlib
import os
import termios
import threading

LONGEST = 1_000  # bytes of a line that are worth keeping
AHEAD = 16  # lines that are read before somebody wants them


class Typed:
    """The lines of a descriptor; make it on the event loop that waits for them."""

    def __init__(self, source: int) -> None:
        self._source = source
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue(AHEAD)
        # A thread, since a file cannot be waited for; a daemon, since a read of a terminal cannot be called off. It
        # reads without Python's own buffer, whose lock it would take along when it is left behind at the end.
        threading.Thread(target=self._read, daemon=True).start()

    async def line(self) -> str | None:
        """The next line, None at the end."""
        line = await self._lines.get()
        if line is None:
            self._lines.put_nowait(None)
        return line

    def forget(self) -> None:
        """Drop what was typed before it was asked for: a move cannot be taken back."""
        with contextlib.suppress(termios.error):
            termios.tcflush(self._source, termios.TCIFLUSH)
        while not self._lines.empty():
            if self._lines.get_nowait() is None:
                self._lines.put_nowait(None)
                return

    def _read(self) -> None:
        rest = b""
        with contextlib.suppress(RuntimeError, OSError):  # the loop is gone, or the terminal
            while chunk := os.read(self._source, 4096):
                *whole, rest = (rest + chunk).split(b"\n")
                rest = rest[:LONGEST]
                for line in whole:
                    self._put(line.decode(errors="replace"))
            if rest:
                self._put(rest.decode(errors="replace"))
        with contextlib.suppress(RuntimeError):
            self._put(None)

    def _put(self, line: str | None) -> None:
        asyncio.run_coroutine_threadsafe(self._lines.put(line), self._loop).result()
