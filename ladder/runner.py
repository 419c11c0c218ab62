"""Keeps matches in flight: plays what is planned, stores what has ended, and plans more, until it is enough.

The event loop plays; one worker thread owns the book and the store, so that no match waits for a disk. A match counts
when it is on the disk, not before.
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar

from arena.match import Entrant, MatchResult, MatchSpec, MatchVoid
from ladder.book import Book, Due
from ladder.model import Player, PlayerId
from ladder.store import Played

MOST_ATTEMPTS = 3  # at a match that the host may have spoilt
AHEAD = 2  # planned matches for each one that may be in flight: nobody waits for a plan

T = TypeVar("T")


class House(Protocol):
    """Who has the bots and plays their matches: the referee, with the ladder's players."""

    def seat(self, player: Player, process: int) -> Entrant:
        """An entrant for this process of a player's bot."""

    async def play(self, spec: MatchSpec) -> MatchResult:
        """The result of one match; MatchVoid if the host failed."""


@dataclass(frozen=True)
class Goal:
    """When a run ends: after so many more matches, or when so much time has gone; blocks are always completed."""

    matches: int | None = None
    seconds: float | None = None


@dataclass
class Progress:
    """How far a run is, for whoever shows it."""

    goal: Goal
    started: float  # by the monotonic clock
    stored: int = 0  # matches of this run that are on the disk
    in_flight: int = 0
    left: int = 0  # planned matches that have not begun
    dropped: int = 0  # matches that were under way when the run was stopped
    faults: int = 0
    repeated: int = 0  # matches that were played again because the host may have spoilt them


class Runner:
    """One run of a ladder."""

    def __init__(
        self,
        book: Book,
        players: dict[PlayerId, Player],
        house: House,
        goal: Goal,
        *,
        jobs: int,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.progress = Progress(goal, time.monotonic())
        self._book = book
        self._players = players
        self._house = house
        self._jobs = jobs
        self._now = now
        self._due: deque[Due] = deque()
        self._playing: set[asyncio.Task[Played | None]] = set()
        self._ended: list[Played] = []  # not stored yet
        self._attempts: Counter[Due] = Counter()  # at matches that the host may have spoilt
        self._planned = 0  # matches of this run, with those that were left over
        self._spoilt = False  # the disk refused something that the book in memory counts on already

    async def run(self) -> None:
        """Play until the goal is reached; when cancelled, drop what is in flight and keep all that has ended."""
        with ThreadPoolExecutor(1, "ladder-store") as worker:
            try:
                await self._run(worker)
            finally:
                await self._drop_all()
                await _uncancelled(worker, partial(self._keep, self._take_ended()))

    async def _run(self, worker: ThreadPoolExecutor) -> None:
        loop = asyncio.get_running_loop()
        self._add(await loop.run_in_executor(worker, self._book.unfinished))
        while True:
            if missing := self._missing():
                self._add(await loop.run_in_executor(worker, self._plan, missing))
            self._start_matches()
            if not self._playing:
                return
            await self._some_end()
            self._start_matches()  # before the disk is waited for
            await loop.run_in_executor(worker, self._keep, self._take_ended())

    def _missing(self) -> int:
        """How many matches should be planned now."""
        goal = self.progress.goal
        if goal.seconds is not None and time.monotonic() - self.progress.started >= goal.seconds:
            return 0
        wanted = AHEAD * self._jobs - len(self._due) - len(self._playing)
        if goal.matches is not None:
            wanted = min(wanted, goal.matches - self._planned)
        # Plans are written in batches: one for every match that ends would keep the disk busy for nothing.
        return max(wanted, 0) if wanted >= self._jobs // 2 or not self._due else 0

    def _plan(self, matches: int) -> list[Due]:
        with self._spoilt_by_failure():
            return self._book.plan(matches, now=self._now())

    def _add(self, due: list[Due]) -> None:
        self._due.extend(due)
        self._planned += len(due)

    def _start_matches(self) -> None:
        while self._due and len(self._playing) < self._jobs:
            task = asyncio.create_task(self._play(self._due.popleft()))
            self._playing.add(task)
        self._count()

    def _count(self) -> None:
        self.progress.in_flight = len(self._playing)
        self.progress.left = len(self._due)

    async def _play(self, due: Due) -> Played | None:
        """Play one match; None for what the host may have spoilt: nobody's fault, and played again later."""
        seated = [self._players[player] for player in due.block.seated(due.rotation)]
        # Process j plays rotation j: no process meets the same deal twice.
        spec = self._book.spec(due, [self._house.seat(player, due.rotation) for player in seated])
        self._attempts[due] += 1
        last = self._attempts[due] >= MOST_ATTEMPTS
        try:
            result = await self._house.play(spec)
        except MatchVoid:
            if last:
                raise
            result = None
        if not last and (result is None or result.spoilt):
            self._due.append(due)
            self.progress.repeated += 1
            return None
        assert result is not None
        return Played(result, due.block.number, due.rotation, self._now(), self._attempts.pop(due))

    async def _some_end(self) -> None:
        """Wait until a match has ended, and take all that have."""
        done, self._playing = await asyncio.wait(self._playing, return_when=asyncio.FIRST_COMPLETED)
        failures = [error for task in done if (error := task.exception())]
        self._ended += _results(done)
        self._count()
        if failures:
            raise failures[0]

    def _take_ended(self) -> list[Played]:
        ended, self._ended = self._ended, []
        return ended

    def _keep(self, batch: list[Played]) -> None:
        """Store what has ended; in the worker thread."""
        if self._spoilt:
            return  # it would build on what is not on the disk; the next run plays these again
        with self._spoilt_by_failure():
            self._book.keep(batch)
        self.progress.stored += len(batch)
        self.progress.faults += sum(len(one.result.faults) for one in batch)

    @contextmanager
    def _spoilt_by_failure(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self._spoilt = True
            raise

    async def _drop_all(self) -> None:
        self._ended += _results(task for task in self._playing if task.done() and not task.cancelled())
        playing = [task for task in self._playing if not task.done()]
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        self.progress.dropped = len(playing)
        self._playing = set()
        self._count()


def _results(done: Iterable["asyncio.Task[Played | None]"]) -> list[Played]:
    """What came of matches, without those that failed or are put off."""
    return [played for task in done if not task.exception() and (played := task.result())]


async def _uncancelled(worker: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    """The worker's answer, even when whoever waits for it is cancelled meanwhile."""
    future = asyncio.get_running_loop().run_in_executor(worker, work)
    with suppress(asyncio.CancelledError):
        return await asyncio.shield(future)
    return await future
