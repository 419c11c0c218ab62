"""`arena bench`: measurements that anybody can repeat."""

import contextlib
import secrets
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from arena.bots import Bot
from arena.cli import screen
from arena.cli.arguments import HomeOption, JsonOption, complete_bots, complete_game
from arena.cli.match import GameOption, OptionOption, SandboxOption, SeedOption, UnsafeOption, VariantOption
from arena.errors import UserError
from arena.home import Home
from arena.match import MatchVoid, TimeControl

if TYPE_CHECKING:  # gRPC and asyncio are for those who play
    from arena.bench.strength import Plan, Report

FAULTS_SHOWN = 3  # of each bot

app = typer.Typer(name="bench", help="Measure how strong bots and how fast games are.", no_args_is_help=True)

StrengthBotsOption = Annotated[
    str,
    typer.Option("--bots", help="Different bots, one for each seat, with commas.", autocompletion=complete_bots),
]
StrengthMatchesOption = Annotated[
    int, typer.Option("--matches", help="At least so many; deals are always completed.", min=1, max=1_000_000)
]

AnyGameOption = Annotated[
    str | None,
    typer.Option(
        "--game",
        help="One game; else all for the engine, party-bugs for the referee.",
        autocompletion=complete_game,
        metavar="GAME",
        show_default=False,
    ),
]
SeatsOption = Annotated[
    int | None,
    typer.Option("--seats", help="How many; else four or nearest.", metavar="N", show_default=False),
]
SecondsOption = Annotated[
    float, typer.Option("--seconds", help="For each measure.", metavar="SECONDS", min=0.01, max=3600)
]


@app.command("strength")
def strength(
    *,
    game: GameOption,
    bots: StrengthBotsOption = "random,greedy,party-bugs",
    matches: StrengthMatchesOption = 402,
    variant: VariantOption = "base",
    option: OptionOption = None,
    seed: SeedOption = None,
    sandbox: SandboxOption = None,
    unsafe: UnsafeOption = False,
    as_json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """Play bots against each other, and say which one beats which clearly.

    Every deal is played once for each rotation of the seats. A bot beats another clearly if, after at least
    400 matches, the 99 % intervals of their average places are apart. The exit code is 1 if a bot failed.

      arena bench strength --game party-bugs --bots random,greedy,party-bugs --matches 402
    """
    from arena.cli import playing  # noqa: PLC0415 - help need not wait for it

    order = playing.order(
        game_name=game,
        bot_names=bots,
        variant=variant,
        option_texts=option or [],
        seed=seed,
        matches=1,
        time=TimeControl(),
    )
    _check_different(order.bots)
    from arena.bench.strength import Plan  # noqa: PLC0415

    chosen = secrets.randbits(playing.SEED_BITS) if seed is None else seed
    plan = Plan(order.game, order.options, order.bots, matches, chosen, order.time)
    measured = _measured(plan, Home.find(home), sandbox, unsafe=unsafe)
    _show(measured, as_json=as_json)
    raise typer.Exit(int(measured.failed))


@app.command("engine")
def engine(
    *,
    game: AnyGameOption = None,
    seats: SeatsOption = None,
    seconds: SecondsOption = 1.0,
    as_json: JsonOption = False,
) -> None:
    """Measure how fast games run by themselves, without bots.

    Random matches in the base variant, with and without what the seats see, beside the bare luck they draw.

      arena bench engine --game party-bugs --seats 4
    """
    from arena import games  # noqa: PLC0415
    from arena.bench import engine as bench  # noqa: PLC0415

    speeds = bench.run([game] if game else games.names(), seats, seconds)
    if as_json:
        screen.print_json([one.plain() for one in speeds])
        return
    screen.out().print(bench.table(speeds))
    screen.out().print(bench.built())


@app.command("referee")
def referee(
    *,
    game: AnyGameOption = None,
    seats: SeatsOption = None,
    seconds: SecondsOption = 3.0,
    sandbox: SandboxOption = None,
    as_json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """Measure how many decisions a second the referee gets from real bot processes.

    With 1, 8, 64 and 256 matches at once, beside one gRPC message per decision and a bare socket. The exit code
    is 1 if a bot failed.

      arena bench referee --seconds 5
    """
    import asyncio  # noqa: PLC0415

    from arena import sandbox as sandboxes  # noqa: PLC0415
    from arena.bench import referee as bench  # noqa: PLC0415

    chosen, place = game or bench.GAME, Home.find(home)
    with screen.err().status("starting") as status:
        measure = bench.run(
            place, sandboxes.choose(sandbox), game=chosen, seats=seats, seconds=seconds, say=status.update
        )
        speeds = asyncio.run(measure)
    if as_json:
        screen.print_json(speeds.plain())
    else:
        screen.out().print(bench.table(speeds))
        for sentence in bench.summary(speeds):
            screen.out().print(sentence)
    raise typer.Exit(int(speeds.faults > 0))


def _check_different(bots: tuple[Bot, ...]) -> None:
    names = [bot.name for bot in bots]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"--bots: expected different bots, got {name} {names.count(name)} times")


def _measured(plan: "Plan", home: Home, sandbox: str | None, *, unsafe: bool) -> "Report":
    import asyncio  # noqa: PLC0415

    from arena import sandbox as sandboxes  # noqa: PLC0415
    from arena.bench import strength as bench  # noqa: PLC0415
    from arena.referee.runner import Referee  # noqa: PLC0415

    async def play(advance: Callable[[], None]) -> "Report":
        async with Referee(home, sandboxes.choose(sandbox), unsafe=unsafe) as referee:
            return await bench.run(referee, plan, advance)

    try:
        with _progress(plan.blocks * len(plan.bots)) as advance:
            return asyncio.run(play(advance))
    except MatchVoid as void:
        screen.err().print(f"arena: this machine failed, so there is no result: {screen.clean(str(void))}")
        raise typer.Exit(1) from void


def _show(report: "Report", *, as_json: bool) -> None:
    from arena.bench import strength as bench  # noqa: PLC0415

    if as_json:
        screen.print_json(bench.plain(report))
        return
    screen.out().print(bench.table(report))
    for line in report.lines:
        for sentence in line.faults[:FAULTS_SHOWN]:
            screen.out().print(f"{line.bot} failed: {screen.clean(sentence)}")


@contextlib.contextmanager
def _progress(matches: int) -> Iterator[Callable[[], None]]:
    """A bar on standard error while a terminal is there to see it."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn  # noqa: PLC0415

    console = screen.err()
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("matches", total=matches)
        yield lambda: bar.advance(task)
