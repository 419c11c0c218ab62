"""What a person types, line by line, while the match goes on: from a terminal, a pipe or a file."""

import asyncio
import os
import threading
import time
from contextlib import suppress

LONGEST = 1_000  # bytes of a line that are worth keeping
AHEAD = 16  # lines that are read before somebody wants them


class Typed:
    """The lines of a descriptor; make it on the event loop that waits for them."""

    def __init__(self, source: int) -> None:
        self._source = source
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[tuple[float, str | None]] = asyncio.Queue()  # with the time when each was read
        self._room = threading.Semaphore(AHEAD)
        self._since = 0.0  # what was typed before is forgotten
        # A thread, since a file cannot be waited for; a daemon, since a read of a terminal cannot be called off. It
        # reads without Python's own buffer, whose lock it would take along when it is left behind at the end.
        threading.Thread(target=self._read, daemon=True).start()

    async def line(self) -> str | None:
        """The next line, None at the end."""
        while True:
            when, line = await self._lines.get()
            self._room.release()
            if line is None:
                self._lines.put_nowait((when, None))
            if line is None or when >= self._since:
                return line

    def forget(self) -> None:
        """Drop what was typed before it was asked for: a move cannot be taken back."""
        self._since = time.monotonic()

    def _read(self) -> None:
        rest = b""
        with suppress(OSError):  # the terminal is gone
            while chunk := os.read(self._source, 4096):
                when = time.monotonic()
                *whole, rest = (rest + chunk).split(b"\n")
                rest = rest[:LONGEST]
                for line in whole:
                    self._put(when, line)
        if rest:
            self._put(time.monotonic(), rest)
        self._put(time.monotonic(), None)

    def _put(self, when: float, line: bytes | None) -> None:
        text = None if line is None else line[:LONGEST].decode(errors="replace")
        self._room.acquire()
        with suppress(RuntimeError):  # the loop is gone: nobody waits any more
            self._loop.call_soon_threadsafe(self._lines.put_nowait, (when, text))
