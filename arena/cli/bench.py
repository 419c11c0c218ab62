"""`arena bench`: measurements that anybody can repeat."""

import dataclasses
import secrets
from collections.abc import Callable
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
    from ladder.order import Point, Setup

FAULTS_SHOWN = 3  # of each bot

app = typer.Typer(name="bench", help="Measure speeds, strength, and how soon the order is right.", no_args_is_help=True)

StrengthBotsOption = Annotated[
    str | None,
    typer.Option(
        "--bots",
        help="Different bots, one for each seat, with commas; else random, greedy and the game's own.",
        metavar="BOT,BOT,...",
        autocompletion=complete_bots,
        show_default=False,
    ),
]
StrengthMatchesOption = Annotated[
    int,
    typer.Option("--matches", help="At least so many; deals are completed.", metavar="N", min=1, max=1_000_000),
]

EngineGameOption = Annotated[
    str | None,
    typer.Option(
        "--game", help="One game; else all.", autocompletion=complete_game, metavar="GAME", show_default=False
    ),
]
PlayedGameOption = Annotated[
    str, typer.Option("--game", help="What is played.", autocompletion=complete_game, metavar="GAME")
]
SeatsOption = Annotated[
    int | None,
    typer.Option("--seats", help="How many; else four or nearest.", metavar="N", show_default=False),
]
StoredOption = Annotated[
    int, typer.Option("--matches", help="How many are stored.", metavar="N", min=10, max=1_000_000)
]
LadderMatchesOption = Annotated[
    int,
    typer.Option(
        "--matches", help="Of the shipped bots; ten times as many of the others.", metavar="N", min=3, max=1_000_000
    ),
]
SecondsOption = Annotated[
    float, typer.Option("--seconds", help="For each measure.", metavar="SECONDS", min=0.01, max=3600)
]
OrderSeatsOption = Annotated[int, typer.Option("--seats", help="Of every table.", metavar="N", min=2, max=8)]
RepetitionsOption = Annotated[
    int, typer.Option("--repetitions", help="Ladders of each kind.", metavar="N", min=2, max=10_000)
]
DealOption = Annotated[
    float, typer.Option("--deal", help="Luck of a deal; bots are 1 apart.", metavar="POINTS", min=0, max=1000)
]
NoiseOption = Annotated[
    float, typer.Option("--noise", help="Luck of each player in a match.", metavar="POINTS", min=0, max=1000)
]


@app.command("strength")
def strength(
    *,
    game: GameOption,
    bots: StrengthBotsOption = None,
    matches: StrengthMatchesOption = 402,
    variant: VariantOption = "base",
    option: OptionOption = None,
    seed: SeedOption = None,
    sandbox: SandboxOption = None,
    unsafe: UnsafeOption = False,
    as_json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """Play bots against each other to see which beats which.

    Every deal is played once for each rotation of the seats. A bot beats another clearly if, after at least
    400 matches, the 99 % intervals of their average places are apart. The exit code is 1 if a bot failed.

    \b
    Example:
      arena bench strength --game party-bugs --bots greedy,random --matches 400
    """  # noqa: D301 - the mark keeps the lines below it as they are
    from arena.cli import playing  # noqa: PLC0415 - help need not wait for it

    folder = Home.find(home)
    order = playing.order(
        folder,
        game_name=game,
        bot_names=bots or usual_bots(game),
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
    measured = _measured(plan, folder, sandbox, unsafe=unsafe)
    _show(measured, as_json=as_json)
    raise typer.Exit(int(measured.failed))


@app.command("engine")
def engine(
    *,
    game: EngineGameOption = None,
    variant: VariantOption = "base",
    seats: SeatsOption = None,
    seconds: SecondsOption = 1.0,
    as_json: JsonOption = False,
) -> None:
    """Measure how fast games run by themselves, without bots.

    Random matches, with and without what the seats see, beside the bare luck they draw.

    \b
    Example:
      arena bench engine --game party-bugs --seats 4
    """  # noqa: D301 - the mark keeps the lines below it as they are
    from arena import games  # noqa: PLC0415
    from arena.bench import engine as bench  # noqa: PLC0415

    speeds = bench.run([game] if game else games.names(), seats, seconds, variant)
    if as_json:
        screen.print_json([one.plain() for one in speeds])
        return
    screen.out().print(bench.table(speeds))
    screen.out().print(bench.built())


@app.command("ladder")
def ladder(
    *,
    game: PlayedGameOption = "party-bugs",
    matches: LadderMatchesOption = 300,
    sandbox: SandboxOption = None,
    as_json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """Measure a whole ladder beside the bare referee.

    Both play the same tables. Plans, ratings, storage and the live table are what the ladder adds. Twice: with the
    shipped bots, and with bots that think nothing, where these costs weigh the most.

    \b
    Example:
      arena bench ladder
    """  # noqa: D301 - the mark keeps the lines below it as they are
    from arena.cli import bench_ladder  # noqa: PLC0415

    with screen.err().status("starting") as status:
        speeds = bench_ladder.run(Home.find(home), sandbox, game, matches, status.update)
    if as_json:
        screen.print_json([one.plain() for one in speeds])
        return
    screen.out().print(bench_ladder.table(speeds))
    screen.out().print(bench_ladder.summary(speeds))


@app.command("store")
def store(*, matches: StoredOption = 10_000, as_json: JsonOption = False) -> None:
    """Measure how soon a ladder with many matches answers.

    The matches are made up and stored in a folder that is removed afterwards; both commands then run as a user
    starts them.

    \b
    Example:
      arena bench store
    """  # noqa: D301 - the mark keeps the lines below it as they are
    from arena.cli import bench_store  # noqa: PLC0415

    with screen.err().status(f"storing {matches:,} matches"):
        found = bench_store.run(matches)
    if as_json:
        screen.print_json(found.plain())
        return
    for sentence in bench_store.sentences(found):
        screen.out().print(sentence)


@app.command("referee")
def referee(
    *,
    game: PlayedGameOption = "party-bugs",
    seats: SeatsOption = None,
    seconds: SecondsOption = 3.0,
    sandbox: SandboxOption = None,
    as_json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """Measure how fast the referee plays real bot processes.

    Decisions and matches a second with 1, 8, 64 and 256 matches at once, beside one gRPC message per decision and
    a bare socket. The exit code is 1 if a bot failed.

    \b
    Example:
      arena bench referee --seconds 5
    """  # noqa: D301 - the mark keeps the lines below it as they are
    import asyncio  # noqa: PLC0415

    from arena import sandbox as sandboxes  # noqa: PLC0415
    from arena.bench import referee as bench  # noqa: PLC0415

    place = Home.find(home)
    with screen.err().status("starting") as status:
        measure = bench.run(
            place, sandboxes.choose(sandbox), game=game, seats=seats, seconds=seconds, say=status.update
        )
        speeds = asyncio.run(measure)
    if as_json:
        screen.print_json(speeds.plain())
    else:
        screen.out().print(bench.table(speeds))
        for sentence in bench.summary(speeds):
            screen.out().print(sentence)
    raise typer.Exit(int(speeds.faults > 0))


@app.command("order")
def order(
    *,
    seats: OrderSeatsOption = 4,
    deal: DealOption = 8.0,
    noise: NoiseOption = 4.0,
    repetitions: RepetitionsOption = 12,
    seed: SeedOption = None,
    as_json: JsonOption = False,
) -> None:
    """Measure how soon a ladder's order is right.

    Simulated bots, Kendall's tau against the number of matches: 1 is the true order, 0 is none. In rotated blocks
    everybody plays every seat of one deal; beside that as many matches with a deal each.

    \b
    Example:
      arena bench order --seats 4 --seed 1
    """  # noqa: D301 - the mark keeps the lines below it as they are
    from arena.cli import playing  # noqa: PLC0415
    from ladder import order as bench  # noqa: PLC0415

    chosen = secrets.randbits(playing.SEED_BITS) if seed is None else seed
    setup = bench.Setup(seats=seats, seed=chosen, repetitions=repetitions, deal=deal, noise=noise)
    with screen.progress(setup.ladders) as advance:
        points = bench.measure(setup, advance)
    if as_json:
        screen.print_json({**dataclasses.asdict(setup), "points": [dataclasses.asdict(point) for point in points]})
        return
    _show_order(setup, points)


def usual_bots(game: str) -> str:
    """The bots that a game is measured with: two that play any game, and those that came for this one alone."""
    from arena.bots import shipped  # noqa: PLC0415

    return ",".join(["random", "greedy", *(bot.name for bot in shipped().values() if bot.games == (game,))])


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
        with screen.progress(plan.blocks * len(plan.bots)) as advance:
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


def _show_order(setup: "Setup", points: "list[Point]") -> None:
    from ladder import order as bench  # noqa: PLC0415

    columns = ("matches", "rotated blocks", "a deal each", "as good as")
    table = screen.table(*columns, numbers=columns)
    for point in points:
        taus = [f"{one.mean:.2f} \N{PLUS-MINUS SIGN} {one.deviation:.2f}" for one in (point.rotated, point.independent)]
        worth = bench.worth(points, point.games)
        table.add_row(str(point.games), *taus, "" if worth is None else f"{worth:.0f}")
    screen.out().print(table)
    screen.out().print(
        f"Kendall's tau of {setup.bots} bots at tables of {setup.seats}: mean and deviation of {setup.repetitions}"
        f" ladders, seed {setup.seed}"
    )
    screen.out().print("as good as: matches with a deal each that order as well as these do in rotated blocks")
