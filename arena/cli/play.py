"""`arena play`: a person takes a seat; what was asked for is checked before any process starts."""

from typing import Annotated

import typer

from arena.cli.arguments import HomeOption, JsonOption, complete_bots
from arena.cli.match import GameOption, OptionOption, SandboxOption, SeedOption, UnsafeOption, VariantOption
from arena.home import Home

OthersOption = Annotated[
    str,
    typer.Option(
        help="One bot for each other seat: names or folders.", metavar="BOT,BOT,...", autocompletion=complete_bots
    ),
]
OwnSeatOption = Annotated[int, typer.Option(help="Your seat; the first is 1.", metavar="N", min=1)]
NameOption = Annotated[str, typer.Option(help="What you are called at the table.", metavar="NAME")]


def play(
    *,
    game: GameOption,
    bots: OthersOption = "greedy,random",
    seat: OwnSeatOption = 1,
    name: NameOption = "person",
    variant: VariantOption = "base",
    option: OptionOption = None,
    seed: SeedOption = None,
    sandbox: SandboxOption = None,
    unsafe: UnsafeOption = False,
    as_json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """Take a seat yourself and play a match against bots.

    You see what a bot in your seat would see, and choose by number. ? asks a bot that knows the game what it would
    do, q leaves and drops the match. You have all the time you want. The match leaves a record like any other.

    \b
    Examples:
      arena play --game party-bugs
      arena play --game ladybugs --bots greedy,ladybugs --seat 2 --variant spider
    """  # noqa: D301 - the mark keeps the lines below it as they are
    from arena.cli import playing, sitting  # noqa: PLC0415 - gRPC and asyncio are for those who play

    folder = Home.find(home)
    order = sitting.order(
        folder,
        game_name=game,
        bot_names=bots,
        seat=seat,
        name=name,
        variant=variant,
        option_texts=option or [],
        seed=seed,
    )
    place = playing.Place(folder, sandbox, unsafe=unsafe, jobs=None)
    raise typer.Exit(sitting.sit(order, place, as_json=as_json))
