"""`arena bench attack`: what honest agents feel while another agent attacks the referee, beside a run without attack.

At one table two honest bots play all the time; at another the hostile bot sits with a third. What counts is the
time that the honest bots were charged for a decision: whatever keeps the referee busy shows there.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path

from rich import box
from rich.table import Table

from arena import bots, games
from arena.attack import intruders
from arena.bots import Bot
from arena.home import Home
from arena.match import Entrant, MatchResult, MatchSpec, TimeControl
from arena.referee.agents import REST_SECONDS
from arena.referee.runner import Referee
from arena.sandbox import Sandbox

GAME = "party-bugs"
BOT = "random"  # thinks next to nothing, so that what is measured is what others do to it
GOAL = 50_000  # microseconds that an honest decision may take at most
TIME = TimeControl(allowance_ms=1_000, bank_ms=1_000)
STARTUP_SECONDS = 10.0
NOBODY = "nobody"  # attacks in the run beside


@dataclass(frozen=True)
class Felt:
    """What honest agents felt of one attack."""

    attack: str
    title: str
    decisions: int  # of the honest agents
    median: int  # microseconds
    slowest: int  # microseconds
    attempts: int  # matches of the hostile bot
    fault: str  # the first of the hostile bot's; empty if it got away with it
    honest_faults: int

    def plain(self) -> dict[str, object]:
        """As JSON data."""
        return {**asdict(self), "goal": GOAL, "met": self.slowest < GOAL}


async def run(
    home: Home,
    sandbox: Sandbox,
    *,
    seconds: float = 2.0,
    ways: Sequence[str] = tuple(intruders.ATTACKS),
    say: Callable[[str], None] = lambda _: None,
) -> list[Felt]:
    """What is felt of each attack, after what is felt of none; each measure takes so many seconds or a little more."""
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        os.chmod(folder, 0o755)  # noqa: PTH101, S103 - agents have uids of their own
        async with Referee(home, sandbox, unsafe=True, startup_seconds=STARTUP_SECONDS) as referee:
            house = _House(referee)
            felt = []
            for way in (NOBODY, *ways):
                say(way)
                felt.append(await house.felt(way, None if way == NOBODY else intruders.bot(Path(folder), way), seconds))
    return felt


class _House:
    """Two tables: one of honest bots, one with a guest."""

    def __init__(self, referee: Referee) -> None:
        rules, honest = games.load(GAME), bots.shipped()[BOT]
        self._referee = referee
        self._options = rules.plain_options(rules.options({}))
        self._honest = tuple(referee.seat(honest, process) for process in range(2))
        self._third = referee.seat(honest, 2)
        self._numbers = count(1)

    async def felt(self, way: str, guest: Bot | None, seconds: float) -> Felt:
        """Both tables for so long; the guest comes back as often as it fails."""
        await self._play((*self._honest, self._third))  # all of them are up
        end = time.perf_counter() + seconds
        attack = self._until(end, (self._third, self._referee.seat(guest))) if guest else _none()
        quiet, attacks = await asyncio.gather(self._until(end, self._honest), attack)
        await asyncio.sleep(2 * REST_SECONDS)  # the next is not to be charged for what this one still does
        return _summed(way, quiet, attacks)

    async def _until(self, end: float, entrants: tuple[Entrant, ...]) -> list[MatchResult]:
        results = [await self._play(entrants)]
        while time.perf_counter() < end:
            results.append(await self._play(entrants))
        return results

    async def _play(self, entrants: tuple[Entrant, ...]) -> MatchResult:
        number = next(self._numbers)
        return await self._referee.play(MatchSpec(f"m{number}", GAME, self._options, entrants, number, TIME))


async def _none() -> list[MatchResult]:
    return []


def _summed(way: str, quiet: Sequence[MatchResult], attacks: Sequence[MatchResult]) -> Felt:
    honest = [one.micros for result in quiet for one in result.decisions]
    honest += [one.micros for result in attacks for one in result.decisions if one.seat == 0]
    faults = [fault for result in attacks for fault in result.faults]
    hostile = [f"{fault.kind}: {fault.sentence}" for fault in faults if fault.seat == 1]
    spoilt = [fault for result in quiet for fault in result.faults] + [fault for fault in faults if fault.seat == 0]
    ordered = sorted(honest)
    title = intruders.ATTACKS.get(way, "nobody attacks")
    return Felt(
        *(way, title, len(honest), ordered[len(honest) // 2], ordered[-1], len(attacks)),
        *(hostile[0] if hostile else "", len(spoilt)),
    )


def table(felt: Sequence[Felt]) -> Table:
    """The delays for people."""
    shown = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    shown.add_column("a bot")
    shown.add_column("comes to")
    for name in ("decisions", "median ms", "slowest ms"):
        shown.add_column(name, justify="right")
    for one in felt:
        times = (f"{one.median / 1e3:.1f}", f"{one.slowest / 1e3:.1f}")
        shown.add_row(one.title, one.fault.partition(":")[0], f"{one.decisions:,}", *times)
    return shown


def summary(felt: Sequence[Felt]) -> str:
    """The worst of all beside the run without attack, and the goal."""
    worst, quiet = max(felt[1:] or felt, key=lambda one: one.slowest), felt[0]
    met = "met" if worst.slowest < GOAL else "missed"
    return (
        f"An honest decision took at most {worst.slowest / 1e3:.1f} ms ({worst.attack}), {quiet.slowest / 1e3:.1f} ms "
        f"without attack (under {GOAL // 1000} ms wanted: {met})."
    )
