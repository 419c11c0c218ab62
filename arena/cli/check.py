"""`arena check`: whether a bot starts, connects, answers, keeps time and survives, in all that it claims to play."""

from typing import Annotated

import typer

from arena.cli import screen
from arena.cli.arguments import HomeOption, JsonOption, complete_bots, complete_game
from arena.cli.match import DEFAULT_TIME, AllowanceOption, BankOption, LimitsOption, SandboxOption, UnsafeOption
from arena.home import Home

BotArgument = Annotated[
    str, typer.Argument(help="A folder, or a name.", metavar="BOT", autocompletion=complete_bots, show_default=False)
]
CheckGameOption = Annotated[
    str | None,
    typer.Option(
        "--game",
        help="One game; else all that it claims.",
        autocompletion=complete_game,
        metavar="GAME",
        show_default=False,
    ),
]


def check(
    bot: BotArgument,
    *,
    game: CheckGameOption = None,
    allowance: AllowanceOption = DEFAULT_TIME.allowance_ms / 1e3,
    bank: BankOption = DEFAULT_TIME.bank_ms / 1e3,
    sandbox: SandboxOption = None,
    limit: LimitsOption = None,
    unsafe: UnsafeOption = False,
    as_json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """Check a bot: every game, variant and number of seats that it claims, against shipped bots.

    A folder is made ready first as `arena submit` does it: packages fetched, built. Then decision times are told,
    and for every failure what happened, what the bot saw, and the command that plays just that match again. The
    exit code is 1 if the bot would be refused.

    \b
    Examples:
      arena check ./my-bot
      arena check ./my-bot --game party-bugs
    """  # noqa: D301 - the mark keeps the lines below it as they are
    from arena.cli import checked, checking, orders, playing, submitting  # noqa: PLC0415 - gRPC is for those who play

    folder = Home.find(home)
    time, limits = orders.time_control(allowance, bank), orders.limits_of(limit or [])
    place = playing.Place(folder, sandbox, unsafe=unsafe, jobs=None, limits=limits)
    found, reference = submitting.ready_to_check(bot, place)
    todo = checking.cases(found, game)
    results = checking.run(found, todo, place, time)
    if as_json:
        screen.print_json(checking.plain(results, reference))
    else:
        checked.show(found, results, reference)
    raise typer.Exit(int(any(one.fault for one in results)))
