"""How strong bots are against each other: real processes, rotated deals, and intervals that say how sure it is.

A block is one deal played once for each rotation of the seats, so that everybody has had the same luck; blocks
are independent of each other, matches of one block are not, so the intervals are taken over blocks.
"""

import asyncio
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist, fmean, stdev
from typing import Protocol

from rich import box
from rich.table import Table
from rich.text import Text

from arena.bots import Bot
from arena.engine.options import Value
from arena.engine.rng import seeded
from arena.match import Entrant, MatchResult, MatchRunner, MatchSpec, TimeControl

ENOUGH_MATCHES = 400  # fewer prove nothing, however far apart the intervals are
CONFIDENCE = 0.99
IN_FLIGHT = 64


class SeatingRunner(MatchRunner, Protocol):
    """What plays the matches: the referee."""

    def seat(self, bot: Bot, process: int = 0) -> Entrant:
        """An entrant for this process of a bot."""


@dataclass(frozen=True)
class Plan:
    """What is to be measured."""

    game: str
    options: Mapping[str, Value]  # all of the game's options
    bots: tuple[Bot, ...]  # one for each seat, all different
    matches: int  # rounded up to whole blocks
    seed: int
    time: TimeControl = field(default_factory=TimeControl)

    @property
    def blocks(self) -> int:
        """How many deals; two at least, since one alone says nothing of the spread."""
        return max(2, math.ceil(self.matches / len(self.bots)))


@dataclass(frozen=True)
class Line:
    """What is known of one bot."""

    bot: str
    place: float  # the average
    margin: float  # the average place is within this distance, with 99 % confidence
    wins: int
    faults: tuple[str, ...]  # the sentence of each

    def ahead_of(self, other: "Line") -> bool:
        """Whether the whole interval is better than the whole interval of the other."""
        return self.place + self.margin < other.place - other.margin


@dataclass(frozen=True)
class Report:
    """What came of a plan: the bots, the best first."""

    plan: Plan
    matches: int
    lines: tuple[Line, ...]

    @property
    def is_proof(self) -> bool:
        """Whether there were enough matches to speak of beating clearly."""
        return self.matches >= ENOUGH_MATCHES

    @property
    def failed(self) -> bool:
        """Whether any bot failed in any match."""
        return any(line.faults for line in self.lines)

    def beaten_by(self, line: Line) -> list[str]:
        """The bots that this one beats clearly: enough matches, and their interval lies wholly behind."""
        return [other.bot for other in self.lines if self.is_proof and line.ahead_of(other)]


async def run(referee: SeatingRunner, plan: Plan, advance: Callable[[], None] = lambda: None) -> Report:
    """Play the plan, many matches at once; `advance` is called after each."""
    entrants = [[referee.seat(bot, rotation) for bot in plan.bots] for rotation in range(len(plan.bots))]
    free = asyncio.Semaphore(IN_FLIGHT)
    specs = specs_of(plan, entrants)
    playing = [asyncio.create_task(_played(referee, spec, free, advance)) for spec in specs]
    try:
        return report(plan, await asyncio.gather(*playing))
    finally:
        for task in playing:
            task.cancel()


def specs_of(plan: Plan, entrants: Sequence[Sequence[Entrant]]) -> Iterator[MatchSpec]:
    """The matches, block by block. Process j of every bot plays rotation j: it never meets the same deal twice."""
    root = seeded(plan.seed)
    for block in range(plan.blocks):
        deal = root.fork(f"block {block}").key
        for rotation, row in enumerate(entrants):
            seated = (*row[rotation:], *row[:rotation])
            match_id = f"strength-{block}-{rotation}"
            yield MatchSpec(match_id, plan.game, plan.options, seated, deal, plan.time)


def report(plan: Plan, results: Sequence[MatchResult]) -> Report:
    """The report on a plan's results, which come in the order of `specs_of`."""
    lines = [_line(bot.name, index, len(plan.bots), results) for index, bot in enumerate(plan.bots)]
    return Report(plan, len(results), tuple(sorted(lines, key=lambda line: line.place)))


def plain(report: Report) -> dict[str, object]:
    """The report as plain data."""
    plan = report.plan
    return {
        "game": plan.game,
        "options": dict(plan.options),
        "seed": plan.seed,
        "matches": report.matches,
        "blocks": plan.blocks,
        "confidence": CONFIDENCE,
        "enough_matches": report.is_proof,
        "bots": [_plain_line(report, line) for line in report.lines],
    }


def table(report: Report) -> Table:
    """The report for a terminal."""
    made = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    made.caption, made.caption_justify = _caption(report), "left"
    for name in ("bot", "matches", "place", "99 % interval", "wins", "faults", "clearly beats"):
        made.add_column(name, justify="left" if name in ("bot", "clearly beats") else "right")
    for line in report.lines:
        interval = f"{line.place - line.margin:.3f}-{line.place + line.margin:.3f}"
        counts = str(line.wins), str(len(line.faults))
        beaten = ", ".join(report.beaten_by(line)) or "-"
        made.add_row(Text(line.bot), str(report.matches), f"{line.place:.3f}", interval, *counts, Text(beaten))
    return made


async def _played(
    referee: MatchRunner, spec: MatchSpec, free: asyncio.Semaphore, advance: Callable[[], None]
) -> MatchResult:
    async with free:
        result = await referee.play(spec)
    advance()
    return result


def _line(name: str, index: int, seats: int, results: Sequence[MatchResult]) -> Line:
    held = [(index - number) % seats for number in range(len(results))]  # the seat in each match
    places = [result.places[seat] for result, seat in zip(results, held, strict=True)]
    blocks = [fmean(places[first : first + seats]) for first in range(0, len(places), seats)]
    faults = [
        fault.sentence
        for result, seat in zip(results, held, strict=True)
        for fault in result.faults
        if fault.seat == seat
    ]
    return Line(name, fmean(blocks), margin(blocks), places.count(1), tuple(faults))


def margin(values: Sequence[float]) -> float:
    """Half the width of the 99 % interval of the mean of independent values."""
    return _student(len(values) - 1) * stdev(values) / math.sqrt(len(values))


def _student(freedom: int) -> float:
    """The two-sided quantile of Student's t; the expansion is good to 1 % from eight degrees of freedom on."""
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def _plain_line(report: Report, line: Line) -> dict[str, object]:
    return {
        "bot": line.bot,
        "average_place": round(line.place, 6),
        "low": round(line.place - line.margin, 6),
        "high": round(line.place + line.margin, 6),
        "wins": line.wins,
        "faults": list(line.faults),
        "clearly_beats": report.beaten_by(line),
    }


def _caption(report: Report) -> Text:
    what = f"{report.plan.game}, {report.plan.blocks} deals, each played once for every rotation of the seats"
    caption = Text(f"{what}; seed {report.plan.seed}")
    if not report.is_proof:
        caption.append(f"\n{report.matches} matches are too few to prove anything; expected {ENOUGH_MATCHES} or more")
    return caption
