"""How long an agent has thought about what it was asked last, by the rule of its clock.

By the frame rule a bot pays the wall's time. By the CPU rule it pays its own CPU time, so that nobody pays for others'
load; a quarter of the wall's time is the least, or a bot that sleeps could keep everybody waiting.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from arena.match import ClockRule
from arena.referee.clock import Alarm, Clock
from arena.sandbox import Meter

BACKSTOP: Final = 4  # times its allowance is the most wall time that the CPU rule gives
SHORTEST: Final = 1_000  # microseconds between two looks at a clock
LONGEST: Final = 100_000  # the same in the second half

Late = Callable[["Lateness"], None]


@dataclass(frozen=True)
class Lateness:
    """What is known of an agent that was too late; microseconds."""

    wall: int
    charged: int
    paid: bool  # it has had all of its CPU time, however long that took: so it has not starved
    starved: bool  # it was ready to run, and the host had no core for it


@dataclass(frozen=True)
class _Sample:
    """What an agent had used at some moment; microseconds."""

    now: int
    cpu: int
    waited: int  # for a core


class Stopwatch:
    """Measures one agent; it runs while a question is open."""

    def __init__(self, clock: Clock) -> None:
        self.rule = ClockRule.FRAME
        self._clock = clock
        self._meter: Meter | None = None
        self._alarm: Alarm | None = None
        self._since = 0  # wall
        self._cpu = 0  # used before
        self._half: _Sample | None = None  # taken at half of the time

    def measure(self, meter: Meter | None, *, alone: bool) -> None:
        """Use a meter; a bot that plays one match at a time pays by it, if nothing escapes it."""
        self._meter = meter
        self.rule = ClockRule.CPU if meter and meter.exact and alone else ClockRule.FRAME

    def start(self) -> None:
        """Begin to measure."""
        self._since = self._clock.now()
        if self._meter and self.rule is ClockRule.CPU:
            self._cpu = self._meter.cpu_micros()

    def lap(self) -> int:
        """What is charged since the start or the last lap."""
        charged = self.charged()
        self.start()
        return charged

    def charged(self) -> int:
        """What would be charged now."""
        wall = self._clock.now() - self._since
        return max(self._paid(), wall // BACKSTOP) if self.rule is ClockRule.CPU else wall

    def _paid(self) -> int:
        """The CPU time used since the start; 0 where it is not what counts."""
        return self._meter.cpu_micros() - self._cpu if self._meter and self.rule is ClockRule.CPU else 0

    def call_when_late(self, limit: int, late: Late) -> None:
        """Call back when so much has been charged, unless it is stopped before."""
        self.stop()
        self._half = None
        self._look_at(limit // 2, limit, late)

    def stop(self) -> None:
        """Forget the callback."""
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None

    def _look_at(self, when: int, limit: int, late: Late) -> None:
        self._alarm = self._clock.call_at(self._since + when, lambda: self._look(limit, late))

    def _look(self, limit: int, late: Late) -> None:
        wall, charged = self._clock.now() - self._since, self.charged()
        if charged >= limit:
            self._alarm = None
            paid = self._paid() >= limit
            late(Lateness(wall, charged, paid, not paid and self._starved()))
            return
        sample = self._sample()  # each time: a wait that is not over yet shows only from one look to the next
        self._half = self._half or sample
        self._look_at(wall + min(max(limit - charged, SHORTEST), LONGEST), limit, late)

    def _sample(self) -> _Sample | None:
        if self._meter is None:
            return None
        return _Sample(self._clock.now(), self._meter.cpu_micros(), self._meter.starved_micros())

    def _starved(self) -> bool:
        """Whether it waited for a core for most of the second half, and had one for little of it."""
        before, now = self._half, self._sample()
        if before is None or now is None:
            return False
        half = (now.now - before.now) // 2
        # Both, since a bot may have many threads: one that waits for another of its own is not starved.
        return now.waited - before.waited >= half > 0 and now.cpu - before.cpu <= half
