"""`arena ladder`: plays a ladder, goes on with it, and folds its ratings anew."""

from typing import Annotated

import typer

from arena.cli.arguments import HomeOption, JsonOption, complete_bots, complete_game
from arena.cli.match import (
    DEFAULT_TIME,
    AllowanceOption,
    BankOption,
    LimitsOption,
    OptionOption,
    SandboxOption,
    SeedOption,
    UnsafeOption,
    VariantOption,
)
from arena.errors import UserError
from arena.home import Home

DEFAULT_MINUTES = 1.0

app = typer.Typer(name="ladder", invoke_without_command=True)

LadderGameOption = Annotated[
    str | None,
    typer.Option(
        "--game",
        help="The game; `arena games` lists them.",
        autocompletion=complete_game,
        metavar="GAME",
        show_default=False,
    ),
]
LadderBotsOption = Annotated[
    str | None,
    typer.Option(
        "--bots",
        help="Names, NAME@VERSION, folders; else all shipped and submitted.",
        metavar="BOT,BOT,...",
        autocompletion=complete_bots,
        show_default=False,
    ),
]
TableOption = Annotated[
    int | None,
    typer.Option("--seats", help="Of every table; else any number.", metavar="N", show_default=False),
]
MatchCountOption = Annotated[
    int | None,
    typer.Option(
        "--matches",
        help="Play so many more; deals are completed.",
        metavar="N",
        min=1,
        max=10_000_000,
        show_default=False,
    ),
]
MinutesOption = Annotated[
    float | None,
    typer.Option(help="Play for so long; else one minute.", metavar="M", min=0.01, max=100_000, show_default=False),
]
PracticeOption = Annotated[
    int | None,
    typer.Option("--seed", help="The practice ladder with this seed.", metavar="N", show_default=False),
]
OwnDealsOption = Annotated[
    bool,
    typer.Option("--own-deals", help="One for each match, not one for all rotations: see SECURITY.md."),
]
LadderNumberOption = Annotated[
    int | None,
    typer.Option(
        "--ladder", help="One by its number; `arena leaderboard` lists them.", metavar="N", show_default=False
    ),
]
LadderJobsOption = Annotated[
    int | None,
    typer.Option("--jobs", help="Matches at once; else 16 per core.", metavar="N", min=1, max=1024, show_default=False),
]


@app.callback()
def ladder(
    context: typer.Context,
    *,
    game: LadderGameOption = None,
    variant: VariantOption = "base",
    option: OptionOption = None,
    seats: TableOption = None,
    bots: LadderBotsOption = None,
    matches: MatchCountOption = None,
    minutes: MinutesOption = None,
    jobs: LadderJobsOption = None,
    seed: SeedOption = None,
    allowance: AllowanceOption = DEFAULT_TIME.allowance_ms / 1e3,
    bank: BankOption = DEFAULT_TIME.bank_ms / 1e3,
    sandbox: SandboxOption = None,
    limit: LimitsOption = None,
    own_deals: OwnDealsOption = False,
    unsafe: UnsafeOption = False,
    as_json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """Play a ladder, and say who is how good and how sure that is.

    Everybody meets everybody, each deal once for every rotation of the seats, and TrueSkill rates the results.
    Unless --bots says who, all shipped bots play, and the newest version of every submitted one. Whatever has
    ended is on the disk: stop it with Ctrl-C whenever you like, and start it again to go on. With --seed the
    deals can be repeated, so such a ladder is for practice.

    \b
    Examples:
      arena ladder --game party-bugs
      arena ladder --game party-bugs --bots ./my-bot,greedy,random --minutes 5
      arena leaderboard --game party-bugs
    """  # noqa: D301 - the mark keeps the lines below it as they are
    if context.invoked_subcommand is not None:
        return
    if matches is not None and minutes is not None:
        raise UserError("--matches and --minutes: expected one of them, got both")
    from arena.cli import laddering, orders, playing, reading  # noqa: PLC0415 - gRPC and asyncio are for those who play

    folder = Home.find(home)
    order = laddering.order(
        folder,
        game_name=reading.named(game),
        variant=variant,
        option_texts=option or [],
        seats=seats,
        bot_names=bots,
        seed=seed,
        time=orders.time_control(allowance, bank),
        own_deals=own_deals,
    )
    seconds = None if matches is not None else 60 * (DEFAULT_MINUTES if minutes is None else minutes)
    place = playing.Place(folder, sandbox, unsafe=unsafe, jobs=jobs, limits=orders.limits_of(limit or []))
    laddering.play(order, place, matches=matches, seconds=seconds, as_json=as_json)


@app.command("recompute")
def recompute(
    *,
    game: LadderGameOption = None,
    variant: VariantOption = "base",
    option: OptionOption = None,
    seats: TableOption = None,
    seed: PracticeOption = None,
    number: LadderNumberOption = None,
    as_json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """Fold all results into ratings again, and compare.

    Nothing but the stored results counts. The exit code is 1 if any rating differs from the table's, even in
    its last bit; the new ratings are stored then.

    \b
    Example:
      arena ladder recompute --game party-bugs
    """  # noqa: D301 - the mark keeps the lines below it as they are
    from arena.cli import laddering, reading  # noqa: PLC0415 - help need not wait for it

    choice = reading.Choice(game, variant, tuple(option or ()), seats, seed, number)
    raise typer.Exit(laddering.recompute(Home.find(home), choice, as_json=as_json))
