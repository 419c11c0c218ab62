"""Time and CPU time that go only as a test says."""

from collections.abc import Callable
from dataclasses import dataclass, field

from arena.limits import Usage


@dataclass
class FakeAlarm:
    when: int
    callback: Callable[[], None]
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


@dataclass
class FakeClock:
    """A clock that goes only when it is told to, from alarm to alarm."""

    time: int = 0
    alarms: list[FakeAlarm] = field(default_factory=list)

    def now(self) -> int:
        return self.time

    def call_at(self, when: int, callback: Callable[[], None]) -> FakeAlarm:
        self.alarms.append(FakeAlarm(when, callback))
        return self.alarms[-1]

    def advance(self, micros: int) -> None:
        end = self.time + micros
        while due := [alarm for alarm in self.alarms if not alarm.cancelled and alarm.when <= end]:
            first = min(due, key=lambda alarm: alarm.when)
            self.time = max(self.time, first.when)
            first.cancel()
            first.callback()
        self.time = end


@dataclass
class FakeMeter:
    """An agent that uses a share of the wall's time, and waits for a core in another share of it."""

    clock: FakeClock
    runs: float = 0.0
    waits: float = 0.0
    exact: bool = True

    def cpu_micros(self) -> int:
        return int(self.clock.now() * self.runs)

    def starved_micros(self) -> int:
        return int(self.clock.now() * self.waits)

    def usage(self) -> Usage:
        return Usage(peak_memory=1 << 20, cpu_micros=self.cpu_micros(), processes=3)

    def over_limit(self) -> str:
        return ""
