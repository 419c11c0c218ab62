"""How long threads have been ready to run without running.

The kernel adds a wait to its count when it is over: of a thread that gets no core at all it tells nothing. Such a one
is known by counts that stand still while it is ready, from one look to the next.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass


class Waits:
    """The waits of an agent's threads, seen again and again."""

    def __init__(self) -> None:
        self.micros = 0  # of all threads so far, also of those that have ended
        self._seen: dict[str, _Thread] = {}
        self._excused = 0

    def look(self, threads: Iterable[str], excused: int = 0) -> int:
        """Count what these threads, folders of /proc, have waited by now; `excused` of it was their own limit."""
        now = time.monotonic_ns() // 1_000
        before, self._seen = self._seen, {}
        own, self._excused = excused - self._excused, excused
        for folder in threads:
            counts = text(f"{folder}/schedstat")
            known = before.get(folder, _Thread("", now, 0))
            since = known.since if counts == known.counts and _ready(folder) else now
            fields = counts.split()
            waited = (int(fields[1]) // 1_000 if len(fields) > 1 else 0) + now - since
            self._seen[folder] = _Thread(counts, since, waited)
            self.micros += max(0, waited - known.waited - own)
        return self.micros


@dataclass(frozen=True)
class _Thread:
    counts: str
    since: int  # when they have stood still
    waited: int  # microseconds in all


def _ready(thread: str) -> bool:
    return text(f"{thread}/stat").rpartition(")")[2].split()[:1] == ["R"]


def text(path: str) -> str:
    """What a file of /proc says; nothing if its process is gone."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123 - twice as quick as pathlib
            return file.read()
    except OSError:
        return ""
