"""`arena match`: what the user asked for, checked word by word before any process starts."""

from typing import Annotated

import typer

from arena.cli.arguments import (
    HomeOption,
    JsonOption,
    complete_bots,
    complete_game,
    complete_option,
    complete_sandbox,
    complete_variant,
)
from arena.home import Home
from arena.match import TimeControl

DEFAULT_TIME = TimeControl()


GameOption = Annotated[
    str,
    typer.Option(
        help="The game; `arena games` lists them.",
        autocompletion=complete_game,
        metavar="GAME",
        show_default=False,
    ),
]
BotsOption = Annotated[
    str,
    typer.Option(
        help="One for each seat: names, NAME@VERSION, folders.",
        metavar="BOT,BOT,...",
        autocompletion=complete_bots,
        show_default=False,
    ),
]
VariantOption = Annotated[
    str, typer.Option(help="A named set of options.", autocompletion=complete_variant, metavar="NAME")
]
OptionOption = Annotated[
    list[str] | None,
    typer.Option(
        help="One option of the game; may be repeated. @FILE is a file's content.",
        autocompletion=complete_option,
        metavar="NAME=VALUE",
        show_default=False,
    ),
]
SeedOption = Annotated[
    int | None, typer.Option(help="Luck that can be repeated; else new luck.", metavar="N", show_default=False)
]
MatchesOption = Annotated[int, typer.Option(help="How many; seats rotate.", metavar="N", min=1, max=1_000_000)]
ShowOption = Annotated[bool, typer.Option("--show", help="Tell every decision in words.")]
AllowanceOption = Annotated[float, typer.Option(help="Seconds for each decision.", metavar="SECONDS")]
BankOption = Annotated[float, typer.Option(help="Seconds for a whole match on top.", metavar="SECONDS")]
SandboxOption = Annotated[
    str | None,
    typer.Option(
        help="bubblewrap or none; else the best here.",
        autocompletion=complete_sandbox,
        metavar="LEVEL",
        show_default=False,
    ),
]
LimitsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        help="What an agent may use: memory_mb, cpu_percent, processes, disk_mb, output_kb; may be repeated.",
        metavar="NAME=NUMBER",
        show_default=False,
    ),
]
DebugOption = Annotated[bool, typer.Option("--debug", help="Show what the bots print, on standard error.")]
UnsafeOption = Annotated[bool, typer.Option("--unsafe", help="Run foreign bots even without a sandbox.")]
JobsOption = Annotated[
    int | None,
    typer.Option(help="Matches at once; else one per core.", metavar="N", min=1, max=1024, show_default=False),
]


def match(
    *,
    game: GameOption,
    bots: BotsOption,
    variant: VariantOption = "base",
    option: OptionOption = None,
    seed: SeedOption = None,
    matches: MatchesOption = 1,
    show: ShowOption = False,
    allowance: AllowanceOption = DEFAULT_TIME.allowance_ms / 1e3,
    bank: BankOption = DEFAULT_TIME.bank_ms / 1e3,
    sandbox: SandboxOption = None,
    limit: LimitsOption = None,
    unsafe: UnsafeOption = False,
    jobs: JobsOption = None,
    debug: DebugOption = False,
    as_json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """Play matches between bots and show how they went.

    Every bot runs in a process of its own; a name given twice is two processes. Each match leaves a record for
    `arena replay` and `arena verify`. The exit code is 1 if a bot failed.

    \b
    Examples:
      arena match --game party-bugs --bots random,greedy,party-bugs --show
      arena match --game party-bugs --bots ./my-bot,greedy --matches 100
    """  # noqa: D301 - the mark keeps the lines below it as they are
    from arena.cli import orders, playing, results  # noqa: PLC0415 - gRPC and asyncio are for those who play

    folder = Home.find(home)
    order = playing.order(
        folder,
        game_name=game,
        bot_names=bots,
        variant=variant,
        option_texts=option or [],
        seed=seed,
        matches=matches,
        time=orders.time_control(allowance, bank),
    )
    limits = orders.limits_of(limit or [])
    place = playing.Place(folder, sandbox, unsafe=unsafe, jobs=jobs, limits=limits, debug=debug)
    played = playing.play(order, place)
    if as_json:
        results.print_plain(played)
    else:
        results.show(played, moves=show)
    raise typer.Exit(int(played.failed))
