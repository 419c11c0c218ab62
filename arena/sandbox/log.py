"""The end of what an agent printed: a few kilobytes are kept, and a flood is read slowly.

Reading as fast as a bot can print would cost the referee a core. So as much as it may print is read at once and
the rest at a trickle: a bot that prints on fills the pipe and waits, on its own time.
"""

import asyncio
import os

from arena.sandbox.contract import Hear

TAIL = 4096  # bytes of an agent's that are kept
CHUNK = 1 << 16
PAUSE = 0.1  # seconds between chunks after that

_INSIDE = bytes(range(0x80, 0xC0))  # of characters, behind their first bytes
_STRANGE = "\N{REPLACEMENT CHARACTER}"


class Log:
    """The reading end of an agent's standard output and error."""

    def __init__(self, source: int, *, free: int, tail: int = TAIL, hear: Hear | None = None) -> None:
        os.set_blocking(source, False)
        self._free = free  # bytes that are read at once
        self._most = tail
        self._hear = hear
        self.seen = 0  # bytes read so far
        self._source: int | None = source
        self._tail = b""
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._loop.add_reader(source, self._readable)

    @property
    def flooded(self) -> bool:
        """Whether what follows is read at a trickle."""
        return self.seen > self._free

    def text(self, since: int = 0) -> str:
        """What was printed last, after so many bytes, without anything that could move a terminal's cursor."""
        count = max(0, min(len(self._tail), self.seen - since))
        tail = self._tail[len(self._tail) - count :]
        if count < self.seen - since:
            tail = tail.lstrip(_INSIDE)
        text = tail.decode("utf-8", errors="replace").replace("\r\n", "\n")
        return "".join(letter if letter.isprintable() or letter in "\n\t" else _STRANGE for letter in text)

    def catch_up(self) -> int:
        """Read what has been printed up to now, unless that is too much already; how much it is in all."""
        while self.seen < self._free and self._take():
            pass
        return self.seen

    def close(self) -> None:
        """Take what is left in the pipe, and no more."""
        limit = self.seen + self._free
        while self.seen < limit and self._take():
            pass
        self._drop()

    def _readable(self) -> None:
        if self._take() == 0:
            self._drop()
        elif self.flooded and self._source is not None:
            self._loop.remove_reader(self._source)
            self._timer = self._loop.call_later(PAUSE, self._resume)

    def _resume(self) -> None:
        if self._source is not None:
            self._loop.add_reader(self._source, self._readable)

    def _take(self) -> int | None:
        """Read one chunk; its length, 0 at the end, None if all has been read that was printed up to now."""
        try:
            chunk = os.read(self._source, CHUNK) if self._source is not None else b""
        except BlockingIOError:
            return None
        self.seen += len(chunk)
        self._tail = (self._tail + chunk)[-self._most :]
        if chunk and self._hear:
            self._hear(chunk)
        return len(chunk)

    def _drop(self) -> None:
        if self._timer:
            self._timer.cancel()
        if self._source is not None:
            self._loop.remove_reader(self._source)
            os.close(self._source)
            self._source = None
