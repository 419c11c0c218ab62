"""Plays what `arena match` was asked for: several matches at once, each recorded before it counts."""

import asyncio
import contextlib
import os
import secrets
import signal
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import typer

from arena import games, record
from arena import sandbox as sandboxes
from arena.bots import Bot
from arena.cli import naming, orders, screen
from arena.cli.echo import Echo
from arena.engine.contract import Game
from arena.engine.options import Value
from arena.errors import UserError
from arena.home import Home
from arena.limits import Limits
from arena.match import Entrant, MatchResult, MatchRunner, MatchSpec, MatchVoid, TimeControl
from arena.referee.runner import Referee

SEED_BITS = 53  # a seed survives JSON readers that know only floating point

T = TypeVar("T")


@dataclass(frozen=True)
class Order:
    """Which matches are to be played."""

    game: str
    options: dict[str, Value]
    bots: tuple[Bot, ...]  # by seat of the first match
    seeds: tuple[int, ...]  # one for each match
    time: TimeControl


@dataclass(frozen=True)
class Place:
    """Where and how they are played."""

    home: Home
    sandbox: str | None
    unsafe: bool
    jobs: int | None
    limits: Limits = field(default_factory=Limits)
    debug: bool = False  # whether all that bots print is shown


@dataclass(frozen=True)
class Played:
    """What became of an order."""

    order: Order
    results: tuple[MatchResult, ...]  # in the order of the seeds
    records: tuple[Path, ...]  # of the results
    voids: tuple[str, ...]  # why matches have no result

    @property
    def failed(self) -> bool:
        """Whether a bot or this machine failed."""
        return bool(self.voids) or any(result.faults for result in self.results)


# What the user asked for


def order(
    home: Home,
    *,
    game_name: str,
    bot_names: str,
    variant: str,
    option_texts: Sequence[str],
    seed: int | None,
    matches: int,
    time: TimeControl,
) -> Order:
    """The order behind the words of a command line; UserError for whatever makes no sense."""
    game = games.load(game_name)
    options = orders.options_of(game, variant, option_texts)
    bots = naming.told_apart(home, naming.bots_of(home, bot_names))
    _check_bots(game, bots)
    return Order(game.name, options, bots, _seeds(seed, matches), time)


def _check_bots(game: Game[Any, Any, Any], bots: Sequence[Bot]) -> None:
    counts = game.seat_counts()
    if len(bots) not in counts:
        raise UserError(f"{game.name}: expected {counts[0]} to {counts[-1]} bots, one for each seat, got {len(bots)}")
    orders.check_players(game, bots)


def _seeds(seed: int | None, matches: int) -> tuple[int, ...]:
    if seed is not None:
        return tuple(range(seed, seed + matches))
    return tuple(secrets.randbits(SEED_BITS) for _ in range(matches))


# Playing


def play(order: Order, place: Place) -> Played:
    """Play all matches; none is left half-recorded, whatever happens."""
    sandbox = sandboxes.choose(place.sandbox)
    for bot in order.bots:
        sandboxes.check_allowed(bot, sandbox, unsafe=place.unsafe)
    with _progress(order, place) as advance:
        played = asyncio.run(unless_stopped(_play(order, place, sandbox, advance)))
    if isinstance(played, signal.Signals):
        raise typer.Exit(128 + played)
    return played


def _progress(order: Order, place: Place) -> contextlib.AbstractContextManager[Callable[[], None]]:
    """A bar, unless what the bots print would go through it."""
    return contextlib.nullcontext(lambda: None) if place.debug else screen.progress(len(order.seeds))


async def unless_stopped(work: Coroutine[Any, Any, T]) -> T | signal.Signals:
    """The work's result, or the signal that stopped it; further signals do not disturb the tidying up."""
    task, loop = asyncio.create_task(work), asyncio.get_running_loop()
    caught: list[signal.Signals] = []

    def stop(number: signal.Signals) -> None:
        if not caught:
            task.cancel()
        caught.append(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop, number)
    try:
        return await task
    except asyncio.CancelledError:
        if not caught:
            raise
        return caught[0]


async def _play(order: Order, place: Place, sandbox: sandboxes.Sandbox, advance: Callable[[], None]) -> Played:
    numbers = iter(range(len(order.seeds)))
    ended: dict[int, tuple[MatchResult, Path] | MatchVoid] = {}

    async def keep_playing() -> None:
        for number in numbers:  # shared: whoever is free takes the next match
            ended[number] = await _play_one(referee, place.home, _spec(order, entrants, number))
            advance()

    heard = Echo(screen.err()) if place.debug else None
    async with Referee(place.home, sandbox, limits=place.limits, unsafe=place.unsafe, hear=heard) as referee:
        entrants = _seated(referee, order.bots)
        await _all_or_none([keep_playing() for _ in range(place.jobs or os.cpu_count() or 1)])
    if heard:
        heard.end()
    return _played(order, [ended[number] for number in sorted(ended)])


async def _all_or_none(work: Sequence[Coroutine[Any, Any, None]]) -> None:
    """Wait for all of it; when one part fails, the others stop."""
    tasks = [asyncio.create_task(each) for each in work]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _play_one(referee: MatchRunner, home: Home, spec: MatchSpec) -> tuple[MatchResult, Path] | MatchVoid:
    try:
        result = await referee.play(spec)
    except MatchVoid as void:
        return void
    # A slow disk must not cost bots their time.
    return result, await asyncio.to_thread(record.write, home, result)


def _played(order: Order, ended: Sequence[tuple[MatchResult, Path] | MatchVoid]) -> Played:
    sound = [one for one in ended if not isinstance(one, MatchVoid)]
    voids = tuple(str(one) for one in ended if isinstance(one, MatchVoid))
    return Played(order, tuple(one[0] for one in sound), tuple(one[1] for one in sound), voids)


def _seated(referee: Referee, bots: Sequence[Bot]) -> list[Entrant]:
    """An entrant for each bot; one that is named again sits there with another process."""
    return [referee.seat(bot, bots[:seat].count(bot)) for seat, bot in enumerate(bots)]


def _spec(order: Order, entrants: Sequence[Entrant], number: int) -> MatchSpec:
    """Match `number`: everybody moves on by one seat, so that nobody keeps a lucky one."""
    first = number % len(entrants)
    rotated = (*entrants[first:], *entrants[:first])
    return MatchSpec(record.new_match_id(), order.game, order.options, rotated, order.seeds[number], order.time)
