"""How long threads have been ready to run without running.

The kernel adds a wait to its count when it is over: of a thread that gets no core at all it tells nothing. Such a one
is known by counts that stand still while it is ready, from one look to the next.
"""

import time
from collections.abc import Iterable


class Waits:
    """The waits of some threads, seen again and again."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[str, int]] = {}  # by thread: its counts, and since when they have stood still

    def micros(self, threads: Iterable[str]) -> list[int]:
        """How long each of these threads, folders of /proc, has waited since it was started."""
        now = time.monotonic_ns() // 1_000
        before, self._seen = self._seen, {}
        waited = []
        for thread in threads:
            counts = _text(f"{thread}/schedstat")
            stands, since = before.get(thread, ("", now))
            if counts != stands or not _ready(thread):
                since = now
            self._seen[thread] = counts, since
            fields = counts.split()
            waited.append((int(fields[1]) // 1_000 if len(fields) > 1 else 0) + now - since)
        return waited


def _ready(thread: str) -> bool:
    return _text(f"{thread}/stat").rpartition(")")[2].split()[:1] == ["R"]


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123 - twice as quick as pathlib
            return file.read()
    except OSError:
        return ""
