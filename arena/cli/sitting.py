"""A match with a person in one of its seats: set up, played through the referee, recorded like any other."""

import asyncio
import secrets
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from arena import games, record
from arena import sandbox as sandboxes
from arena.bots import Bot
from arena.cli import naming, orders, playing, results, screen, story, watching
from arena.cli.adviser import Adviser, adviser_for
from arena.cli.dialogue import Dialogue, EndOfInput, Left
from arena.cli.person import Person
from arena.cli.playing import Order, Place, Played
from arena.cli.typed import Typed
from arena.errors import UserError
from arena.home import Home
from arena.match import Entrant, MatchResult, MatchSpec, MatchVoid, TimeControl
from arena.referee.runner import Referee

LONGEST_NAME = 40


@dataclass(frozen=True)
class Sitting:
    """Which match is to be played, and where the person sits."""

    order: Order  # of one match; its bots are the others, in the order of their seats
    seat: int
    name: str


def order(
    home: Home,
    *,
    game_name: str,
    bot_names: str,
    seat: int,
    name: str,
    variant: str,
    option_texts: Sequence[str],
    seed: int | None,
) -> Sitting:
    """What the words of a command line ask for; UserError for whatever makes no sense."""
    game = games.load(game_name)
    options = orders.options_of(game, variant, option_texts)
    bots = naming.told_apart(home, naming.bots_of(home, bot_names))
    orders.check_players(game, bots)
    counts = game.seat_counts()
    if len(bots) + 1 not in counts:
        raise UserError(f"{game.name}: expected {counts[0] - 1} to {counts[-1] - 1} bots beside you, got {len(bots)}")
    if seat > len(bots) + 1:
        raise UserError(f"--seat: expected 1 to {len(bots) + 1}, got {seat}")
    _check_name(name, bots)
    seeds = (secrets.randbits(playing.SEED_BITS) if seed is None else seed,)
    return Sitting(Order(game.name, options, bots, seeds, TimeControl()), seat - 1, name)


def _check_name(name: str, bots: Sequence[Bot]) -> None:
    if not name.isprintable() or not 0 < len(name.strip()) <= LONGEST_NAME:
        raise UserError(f"--name: expected a name of at most {LONGEST_NAME} letters, got {name!r}")
    if name in {bot.name for bot in bots}:
        raise UserError(f"--name: expected another name than that of a bot, got {name!r}")


def sit(sitting: Sitting, place: Place, *, as_json: bool) -> int:
    """Play the match and show how it went; the exit code is 1 if a bot failed."""
    sandbox = sandboxes.choose(place.sandbox)
    for bot in sitting.order.bots:
        sandboxes.check_allowed(bot, sandbox, unsafe=place.unsafe)
    console = screen.err() if as_json else screen.out()
    try:
        ended = asyncio.run(playing.unless_stopped(_sit(sitting, place, sandbox, console)))
    except EndOfInput:
        raise UserError("expected the number of an action, got the end of the input: the match is dropped") from None
    except Left:
        console.print(Text("You have left; the match is dropped.", style="dim"))
        return 0
    except MatchVoid as void:
        raise UserError(f"no result, this machine failed: {void}") from None
    if isinstance(ended, signal.Signals):
        return 128 + ended
    _tell(sitting.order, *ended, console, as_json=as_json)
    return int(bool(ended[0].faults))


async def _sit(
    sitting: Sitting, place: Place, sandbox: sandboxes.Sandbox, console: Console
) -> tuple[MatchResult, Path]:
    adviser = Adviser(adviser_for(sitting.order.game), place.home, sandbox)
    try:
        async with Referee(place.home, sandbox, limits=place.limits, unsafe=place.unsafe) as referee:
            person = Person()
            spec = _spec(sitting, referee, person)
            if console.is_terminal:
                console.print(Text("The bots take their seats …", style="dim"))
            dialogue = Dialogue(console, Typed(sys.stdin.fileno()), spec, adviser)
            result = await _until_over(referee, spec, person, dialogue)
    finally:
        await adviser.stop()
    return result, await asyncio.to_thread(record.write, place.home, result)


def _spec(sitting: Sitting, referee: Referee, person: Person) -> MatchSpec:
    order = sitting.order
    entrants: list[Entrant] = [
        referee.seat(bot, order.bots[:number].count(bot)) for number, bot in enumerate(order.bots)
    ]
    entrants.insert(sitting.seat, referee.seat_guest(person, sitting.name))
    return MatchSpec(record.new_match_id(), order.game, order.options, tuple(entrants), order.seeds[0], order.time)


async def _until_over(referee: Referee, spec: MatchSpec, person: Person, dialogue: Dialogue) -> MatchResult:
    """Let the match and the dialogue go on side by side, until one of them ends."""
    match = asyncio.create_task(referee.play(spec))
    talk = asyncio.create_task(_talk(person, dialogue))
    try:
        await asyncio.wait([match, talk], return_when=asyncio.FIRST_COMPLETED)
        return match.result() if match.done() else talk.result()
    finally:
        match.cancel()
        talk.cancel()
        await asyncio.gather(match, talk, return_exceptions=True)


async def _talk(person: Person, dialogue: Dialogue) -> MatchResult:
    """Answer one question after the other; it ends when the person leaves."""
    while True:
        question = await person.questions.get()
        question.answer(await dialogue.choose(question))


def _tell(order: Order, result: MatchResult, path: Path, console: Console, *, as_json: bool) -> None:
    if as_json:
        results.print_plain(Played(order, (result,), (path,), ()))
        return
    if console.is_terminal:
        console.clear()
    console.print(story.last_picture(result))
    console.print()
    for line in watching.outcome(result):
        console.print(line)
    console.print()
    console.print(results.hints([result]))
