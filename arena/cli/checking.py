"""Plays a bot through everything it claims to play, and finds out where and why it fails."""

import asyncio
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena import bots as registry
from arena import games, record
from arena.bots import Bot
from arena.cli import faults, screen
from arena.cli.playing import Place
from arena.engine.options import Value
from arena.errors import UserError
from arena.match import Entrant, Fault, MatchResult, MatchSpec, MatchVoid, TimeControl
from arena.referee.runner import Referee
from arena.sandbox import Sandbox

SEEDS = (11, 12)  # fixed, so that a failure comes again
OPPONENTS = ("random", "greedy")
AT_ONCE = 16  # matches; a bot that plays one at a time lets the others wait


@dataclass(frozen=True)
class Case:
    """One match of a check: everything that a command line needs to play it again."""

    game: str
    variant: str
    seats: int
    seed: int
    seat: int  # the bot's

    def bots(self, bot: str) -> list[str]:
        """Who sits where."""
        others = [OPPONENTS[number % len(OPPONENTS)] for number in range(self.seats - 1)]
        return [*others[: self.seat], bot, *others[self.seat :]]

    def command(self, again: "Again") -> str:
        """The command that plays this match alone."""
        variant = () if self.variant == "base" else ("--variant", self.variant)
        bots = ",".join(self.bots(again.reference))
        seed = str(self.seed)
        return shlex.join(["match", "--game", self.game, *variant, "--bots", bots, "--seed", seed, *again.options])


@dataclass(frozen=True)
class Again:
    """What the commands that play a match again have in common."""

    reference: str  # of the bot
    options: tuple[str, ...] = ()  # with which it was checked


@dataclass(frozen=True)
class Checked:
    """A case and how it went."""

    case: Case
    result: MatchResult
    path: Path  # of its record

    @property
    def fault(self) -> Fault | None:
        """What the bot did wrong."""
        return next((fault for fault in self.result.faults if fault.seat == self.case.seat), None)

    @property
    def micros(self) -> list[int]:
        """The bot's thinking times."""
        return [one.micros for one in self.result.decisions if one.seat == self.case.seat and not one.substitute]


@dataclass(frozen=True)
class Summary:
    """One game of a check."""

    game: str
    matches: int
    micros: tuple[int, ...]  # ascending
    faults: int

    def times(self) -> tuple[int | None, int | None, int | None]:
        """p50, p99 and max: the time that half, that 99 % and that all of the decisions did not exceed."""
        if not self.micros:
            return None, None, None
        last = len(self.micros) - 1
        return self.micros[last // 2], self.micros[min(last, len(self.micros) * 99 // 100)], self.micros[-1]


def cases(bot: Bot, wanted: str | None = None) -> list[Case]:
    """Every game, variant and seat count that a bot claims, each in another seat; UserError if it claims none."""
    names = [name for name in games.names() if bot.plays(name) and wanted in (None, name)]
    if not names:
        raise UserError(f"expected a bot for {' or '.join(games.names())}, got {bot.name} for {', '.join(bot.games)}")
    return [
        Case(name, variant, seats, seed, (number + seed) % seats)
        for name in names
        for variant in games.load(name).variants()
        for number, seats in enumerate(games.load(name).seat_counts())
        for seed in SEEDS
    ]


def run(bot: Bot, todo: Sequence[Case], place: Place, sandbox: Sandbox, time: TimeControl) -> list[Checked]:
    """Play all cases while somebody watches; UserError if this machine fails."""
    try:
        with screen.progress(len(todo)) as advance:
            return asyncio.run(play(bot, todo, place, sandbox, time, advance))
    except MatchVoid as void:
        raise UserError(f"this machine failed, so nothing is known of the bot: {void}") from None


async def play(
    bot: Bot, todo: Sequence[Case], place: Place, sandbox: Sandbox, time: TimeControl, advance: Callable[[], None]
) -> list[Checked]:
    """Play all cases, several at once; MatchVoid if this machine fails."""
    turns = asyncio.Semaphore(place.jobs or AT_ONCE)
    async with Referee(place.home, sandbox, limits=place.limits, unsafe=place.unsafe) as referee:

        async def one(case: Case) -> Checked:
            async with turns:
                result = await referee.play(_spec(referee, bot, case, time))
            path = await asyncio.to_thread(record.write, place.home, result)
            advance()
            return Checked(case, result, path)

        return await asyncio.gather(*map(one, todo))


def _spec(referee: Referee, bot: Bot, case: Case, time: TimeControl) -> MatchSpec:
    game, shipped = games.load(case.game), registry.shipped()
    options: dict[str, Value] = game.plain_options(game.variants()[case.variant])
    return MatchSpec(
        record.new_match_id(), case.game, options, tuple(_seated(referee, bot, case, shipped)), case.seed, time
    )


def _seated(referee: Referee, bot: Bot, case: Case, shipped: dict[str, Bot]) -> Iterator[Entrant]:
    names = case.bots(bot.name)
    for seat, name in enumerate(names):
        if seat == case.seat:
            yield referee.seat(bot)
        else:  # the bot that is checked may be called like one of ours
            process = names[:seat].count(name) + (name == bot.name)
            yield referee.seat(shipped[name], process)


# What came of it


def summaries(checked: Sequence[Checked]) -> list[Summary]:
    """A line for each game."""
    names = dict.fromkeys(one.case.game for one in checked)
    return [_summary(name, [one for one in checked if one.case.game == name]) for name in names]


def _summary(name: str, checked: Sequence[Checked]) -> Summary:
    micros = tuple(sorted(micros for one in checked for micros in one.micros))
    return Summary(name, len(checked), micros, sum(one.fault is not None for one in checked))


def plain(checked: Sequence[Checked], again: Again) -> dict[str, object]:
    """All of it for a script."""
    return {
        "games": [
            {
                "game": one.game,
                "matches": one.matches,
                "decisions": len(one.micros),
                **dict(zip(("micros_p50", "micros_p99", "micros_max"), one.times(), strict=True)),
                "faults": one.faults,
            }
            for one in summaries(checked)
        ],
        "faults": [
            {
                "match": one.result.spec.match_id,
                "again": one.case.command(again),
                "observation": seen(one),
                **faults.plain(one.fault),
            }
            for one in checked
            if one.fault
        ],
    }


def seen(checked: Checked) -> str:
    """What the bot saw at the decision at which it failed, in words; nothing if it failed before the first."""
    fault, seat = checked.fault, checked.case.seat
    game = games.load(checked.case.game)
    for moment in record.replay(checked.result):
        if fault and seat in moment.acting and moment.decisions[seat] == fault.decision:
            return game.text(moment.state.observe(seat))
    return ""
