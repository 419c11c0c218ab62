"""Time as the referee sees it, injected, so that tests never depend on the speed of a machine."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Alarm(Protocol):
    """A call that is due at some time."""

    def cancel(self) -> None:
        """Forget it."""


class Clock(Protocol):
    """Tells the time in microseconds and calls back at one."""

    def now(self) -> int:
        """Microseconds since some fixed moment; never goes back."""

    def call_at(self, when: int, callback: Callable[[], None]) -> Alarm:
        """Call back once `when` has come, from the event loop."""


class LoopClock:
    """The machine's monotonic clock, with alarms on the running event loop."""

    def now(self) -> int:
        """Microseconds of the monotonic clock, which is the event loop's own."""
        return time.monotonic_ns() // 1_000

    def call_at(self, when: int, callback: Callable[[], None]) -> Alarm:
        """Call back once `when` has come."""
        return asyncio.get_running_loop().call_at(when / 1_000_000, callback)
