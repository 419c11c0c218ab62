"""`arena bench bots`: what a bot's language costs: start-up, time per decision, memory; the referee's own numbers.

Start-up is the time from the start of the sandbox to the hello. The bot then plays every game that it claims, one match
at a time against luck that lives in this process, so that nobody else's work is on the machine or on its clock.
"""

import asyncio
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich import box
from rich.table import Table
from rich.text import Text

from arena import games, runtime
from arena.bots import Bot
from arena.engine.rng import seeded
from arena.home import Home
from arena.limits import Limits
from arena.match import ClockRule, Decided, Entrant, Evidence, MatchResult, MatchSpec, TimeControl
from arena.referee.agents import AgentProcess
from arena.referee.clock import LoopClock
from arena.referee.player import Place, Player
from arena.referee.table import Table as Match
from arena.sandbox import Sandbox

STARTS: Final = 3  # the middle one counts
STARTUP_SECONDS: Final = 30.0
SEATS: Final = 3  # every game has that many
PATIENT: Final = TimeControl(allowance_ms=20_000, bank_ms=60_000)  # slow is no fault here


@dataclass(frozen=True)
class Contender:
    """A bot to be measured, or why it cannot be."""

    label: str  # as the table calls it: a language, or the bot's name
    bot: Bot | None
    problem: str = ""


@dataclass(frozen=True)
class Measure:
    """What one bot came to."""

    label: str
    start_ms: float | None = None
    micros: tuple[int, ...] = ()  # charged for each decision, ascending
    memory: int | None = None  # bytes at the most
    faults: tuple[str, ...] = ()
    problem: str = ""  # why it was not measured

    @property
    def failed(self) -> bool:
        """Whether anything went wrong."""
        return bool(self.faults or self.problem)

    def micros_at(self, share: float) -> int | None:
        """The time that this share of the decisions did not exceed."""
        return self.micros[min(int(share * len(self.micros)), len(self.micros) - 1)] if self.micros else None

    def plain(self) -> dict[str, object]:
        """As JSON data."""
        return {
            "bot": self.label,
            "start_ms": self.start_ms,
            "micros_median": self.micros_at(0.5),
            "micros_p99": self.micros_at(0.99),
            "peak_memory": self.memory,
            "decisions": len(self.micros),
            "faults": list(self.faults),
            "problem": self.problem or None,
        }


class Luck:
    """A player without a process, which does whatever it may."""

    rule = ClockRule.FRAME

    def __init__(self, seed: int) -> None:
        self._rng = seeded(seed)

    def evidence(self) -> Evidence:
        """There is nothing to tell."""
        return Evidence()

    def begin(self, place: Place) -> None:
        """It needs no preparation."""

    def ask(
        self,
        place: Place,
        decision: int,  # noqa: ARG002 - of all that a player is told, it needs no more
        observation: Any,  # noqa: ARG002
        legal: list[int],
        events: list[int],  # noqa: ARG002
    ) -> None:
        """Answer soon, with any action."""
        index = int(self._rng.below(len(legal)))
        asyncio.get_running_loop().call_soon(place.answer, index, 0)

    def end(self, place: Place, result: MatchResult, observation: Any, events: list[int]) -> None:
        """It does not look back."""


async def run(
    home: Home,
    sandbox: Sandbox,
    contenders: Sequence[Contender],
    *,
    matches: int,
    say: Callable[[str], None] = lambda _: None,
) -> list[Measure]:
    """A measure of each, in their order; `matches` of every game."""
    found = []
    for one in contenders:
        say(one.label)
        if one.bot is None:
            found.append(Measure(one.label, problem=one.problem))
        else:
            found.append(await _measured(home, sandbox, one.label, one.bot, matches))
    return found


async def _measured(home: Home, sandbox: Sandbox, label: str, bot: Bot, matches: int) -> Measure:
    made, starts = runtime.prepare(home), list[float]()
    for _ in range(STARTS - 1):
        agent = _agent(bot, sandbox, made)
        starts.append(await _started(agent))
        await agent.stop()
    agent = _agent(bot, sandbox, made)
    try:
        starts.append(await _started(agent))
        if agent.session.failure:
            return Measure(label, faults=(agent.session.failure[1],))
        results = [await _played(agent, spec) for spec in _specs(bot, matches)]
        memory = agent.session.evidence().usage.peak_memory
    finally:
        await agent.stop()
    micros = sorted(one.micros for result in results for one in result.decisions if _is_its(one))
    faults = tuple(fault.sentence for result in results for fault in result.faults)
    return Measure(label, statistics.median(starts), tuple(micros), memory, faults)


async def _started(agent: AgentProcess) -> float:
    """The milliseconds up to its hello."""
    before = time.perf_counter()
    await agent.start(STARTUP_SECONDS)
    return 1000 * (time.perf_counter() - before)


def _is_its(decided: Decided) -> bool:
    return decided.seat == 0 and not decided.substitute


def _agent(bot: Bot, sandbox: Sandbox, made: runtime.Runtime) -> AgentProcess:
    game = next(name for name in games.names() if bot.plays(name))
    limits = Limits().lowered(bot.limits)
    return AgentProcess(bot, game, sandbox, made, LoopClock(), limits, asyncio.Semaphore())


def _specs(bot: Bot, matches: int) -> Iterator[MatchSpec]:
    for name in games.names():
        if bot.plays(name):
            game = games.load(name)
            options = game.plain_options(game.options({}))
            entrants = (Entrant(bot.name, bot.sha256), *(Entrant(f"luck-{seat}", "") for seat in range(1, SEATS)))
            for seed in range(matches):
                yield MatchSpec(f"bench-{name}-{seed}", name, options, entrants, seed, PATIENT)


async def _played(agent: AgentProcess, spec: MatchSpec) -> MatchResult:
    ended: asyncio.Future[MatchResult] = asyncio.get_running_loop().create_future()
    players: list[Player] = [agent.session, *(Luck(1000 * spec.seed + seat) for seat in range(1, SEATS))]
    Match(spec, players, ended.set_result).start()
    return await ended


# Shown


def table(found: Sequence[Measure]) -> Table:
    """For people."""
    shown = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    for name in COLUMNS:
        shown.add_column(name, justify="left" if name == COLUMNS[0] else "right", no_wrap=True)
    for one in found:
        shown.add_row(*map(Text, _row(one)))
    return shown


def markdown(found: Sequence[Measure]) -> str:
    """For a document."""
    rows = [COLUMNS, ("---", *["---:"] * (len(COLUMNS) - 1)), *map(_row, found)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


COLUMNS: Final = ("bot", "start-up", "decision p50", "p99", "memory", "decisions", "faults")


def _row(one: Measure) -> tuple[str, ...]:
    if one.start_ms is None:
        return (one.label, *["-"] * (len(COLUMNS) - 2), str(len(one.faults)) if one.faults else "-")
    memory = "-" if one.memory is None else f"{one.memory / (1 << 20):.0f} MB"
    times = (_milliseconds(one.micros_at(0.5)), _milliseconds(one.micros_at(0.99)))
    return (one.label, f"{one.start_ms:.0f} ms", *times, memory, f"{len(one.micros):,}", str(len(one.faults)))


def _milliseconds(micros: int | None) -> str:
    if micros is None:
        return "-"
    decimals = 2 if micros < 10_000 else 1 if micros < 100_000 else 0
    return f"{micros / 1000:.{decimals}f} ms"


def sentences(found: Sequence[Measure]) -> list[str]:
    """What went wrong, by bot."""
    return [f"{one.label}: {told}" for one in found for told in (one.problem, *dict.fromkeys(one.faults)) if told]
