"""`arena check`: whether a bot starts, connects, answers, keeps time and survives, in all that it claims to play."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from arena.cli import screen
from arena.cli.arguments import HomeOption, JsonOption, complete_bots, complete_game
from arena.cli.match import DEFAULT_TIME, AllowanceOption, BankOption, LimitsOption, SandboxOption, UnsafeOption
from arena.errors import UserError
from arena.home import Home

if TYPE_CHECKING:  # gRPC and asyncio are for those who play
    from arena.bots import Bot
    from arena.cli.checking import Checked

SHOWN = 5  # faults with all that is known of them; the others in a line each

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

    Tells decision times, and for every failure what happened, what the bot saw, and the command that plays just
    that match again. The exit code is 1 if the bot failed anywhere.

    \b
    Examples:
      arena check ./my-bot
      arena check ./my-bot --game party-bugs
    """  # noqa: D301 - the mark keeps the lines below it as they are
    import asyncio  # noqa: PLC0415 - gRPC and asyncio are for those who play

    from arena import bots as registry  # noqa: PLC0415
    from arena import games  # noqa: PLC0415
    from arena.cli import checking, orders, playing  # noqa: PLC0415
    from arena.match import MatchVoid  # noqa: PLC0415

    found = registry.find(bot)
    if game is not None and not found.plays(games.load(game).name):
        raise UserError(f"expected a game that {found.name} plays, got {game}: it plays {', '.join(found.games)}")
    todo = checking.cases(found, game)
    time = orders.time_control(allowance, bank)
    place = playing.Place(Home.find(home), sandbox, unsafe=unsafe, jobs=None, limits=orders.limits_of(limit or []))
    try:
        with screen.progress(len(todo)) as advance:
            checked = asyncio.run(checking.play(found, todo, place, time, advance))
    except MatchVoid as void:
        raise UserError(f"this machine failed, so nothing is known of the bot: {void}") from None
    if as_json:
        screen.print_json(checking.plain(checked, bot))
    else:
        _show(found, checked, bot)
    raise typer.Exit(int(any(one.fault for one in checked)))


def _show(bot: "Bot", checked: "list[Checked]", reference: str) -> None:
    from arena.cli import checking  # noqa: PLC0415 - help need not wait for it

    out = screen.out()
    titles = ("game", "matches", "decisions", "median", "p99", "slowest", "faults")
    shown = screen.table(*titles, numbers=titles[1:])
    for line in checking.summaries(checked):
        times = [screen.duration(micros) if micros is not None else "-" for micros in line.times()]
        row = (line.game, str(line.matches), f"{len(line.micros):,}", *times, str(line.faults or "-"))
        shown.add_row(*row, style="red" if line.faults else "")
    out.print(shown)
    failed = [one for one in checked if one.fault]
    for one in failed[:SHOWN]:
        _explain(one, reference)
    for one in failed[SHOWN:]:
        out.print(f"\nalso: {screen.command(one.case.command(reference))}", soft_wrap=True)
    out.print()
    out.print(_verdict(bot, len(failed), len(checked)))


def _explain(one: "Checked", reference: str) -> None:
    from arena.cli import checking, faults  # noqa: PLC0415 - help need not wait for it

    out = screen.out()
    if one.fault:
        out.print()
        out.print(faults.explained(one.result, one.fault))
        out.print(Text(f"  it saw: {screen.clean(' '.join(checking.seen(one).split()))}", style="dim"))
        out.print(f"  again: {screen.command(one.case.command(reference))}", soft_wrap=True)


def _verdict(bot: "Bot", failed: int, matches: int) -> Text:
    if failed:
        return Text(f"{bot.name} failed in {failed} of {matches} matches and would be refused.", style="red")
    return Text(f"{bot.name} played {matches} matches without a fault: it is ready.", style="green")
