"""`arena check`: whether a bot builds, connects, answers, keeps time and survives, in all that it claims to play."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from arena.cli import screen
from arena.cli.arguments import HomeOption, JsonOption, complete_bots, complete_game
from arena.cli.match import DEFAULT_TIME, AllowanceOption, BankOption, LimitsOption, SandboxOption, UnsafeOption
from arena.home import Home

if TYPE_CHECKING:  # gRPC and asyncio are for those who play
    from arena.cli.checking import Again, Checked
    from arena.cli.making_ready import Ready, Refused

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

    First its packages are brought and it is built, as when it is submitted. Tells decision times, and for every
    failure what happened, what the bot saw, and the command that plays just that match again. The exit code is 1 if
    the bot failed anywhere.

    \b
    Examples:
      arena check ./my-bot
      arena check ./my-bot --game party-bugs
    """  # noqa: D301 - the mark keeps the lines below it as they are
    from arena import sandbox as sandboxes  # noqa: PLC0415 - gRPC and asyncio are for those who play
    from arena.cli import checking, making_ready, orders, playing  # noqa: PLC0415

    time = orders.time_control(allowance, bank)
    place = playing.Place(Home.find(home), sandbox, unsafe=unsafe, jobs=None, limits=orders.limits_of(limit or []))
    box = sandboxes.choose(sandbox)
    ready = making_ready.ready(bot, game, place.home, box, unsafe=unsafe)
    if isinstance(ready, making_ready.Refused):
        show_refused(ready, as_json=as_json)
        raise typer.Exit(1)
    again = checking.Again(ready.reference, _options(allowance, bank, sandbox, limit or [], unsafe=unsafe, home=home))
    todo = checking.cases(ready.bot, game)
    checked = checking.run(ready.bot, todo, place, box, time)
    if as_json:
        screen.print_json({**checking.plain(checked, again), "build": ready.plain()})
    else:
        show(ready, checked, again)
    raise typer.Exit(int(any(one.fault for one in checked)))


def _options(
    allowance: float, bank: float, sandbox: str | None, limits: list[str], *, unsafe: bool, home: Path | None
) -> tuple[str, ...]:
    """The words with which the check was asked for, so that a match comes again as it was."""
    usual = DEFAULT_TIME
    return (
        *(("--allowance", f"{allowance:g}") if allowance * 1e3 != usual.allowance_ms else ()),
        *(("--bank", f"{bank:g}") if bank * 1e3 != usual.bank_ms else ()),
        *(("--sandbox", sandbox) if sandbox else ()),
        *(word for limit in limits for word in ("--limit", limit)),
        *(("--unsafe",) if unsafe else ()),
        *(("--home", str(home)) if home else ()),
    )


def show(ready: "Ready", checked: "Sequence[Checked]", again: "Again") -> None:
    """How a check went: the table, and all about failures."""
    from arena.cli import checking  # noqa: PLC0415 - help need not wait for it

    out = screen.out()
    titles = ("game", "matches", "decisions", "p50", "p99", "max", "faults")
    shown = screen.table(*titles, numbers=titles[1:])
    for line in checking.summaries(checked):
        times = [screen.duration(micros) if micros is not None else "-" for micros in line.times()]
        row = (line.game, str(line.matches), f"{len(line.micros):,}", *times, str(line.faults or "-"))
        shown.add_row(*row, style="red" if line.faults else "")
    out.print(shown)
    failed = [one for one in checked if one.fault]
    for one in failed[:SHOWN]:
        _explain(one, again)
    for one in failed[SHOWN:]:
        out.print(f"\nalso: {screen.command(one.case.command(again))}", soft_wrap=True)
    out.print()
    out.print(_verdict(ready.bot.name, len(failed), len(checked)))


def _explain(one: "Checked", again: "Again") -> None:
    from arena.cli import checking, faults  # noqa: PLC0415 - help need not wait for it

    out = screen.out()
    if one.fault:
        out.print()
        out.print(faults.explained(one.result, one.fault))
        if saw := " ".join(checking.seen(one).split()):
            out.print(Text(f"  it saw: {screen.clean(saw)}", style="dim"))
        out.print(f"  again: {screen.command(one.case.command(again))}", soft_wrap=True)


def show_refused(refused: "Refused", *, as_json: bool) -> None:
    """Why a bot cannot be played."""
    if as_json:
        screen.print_json({"games": [], "faults": [], "build": refused.plain()})
        return
    out = screen.out()
    out.print(Text(screen.clean(refused.sentence)), soft_wrap=True)
    if refused.lines:
        lines = "".join(f"\n    | {screen.clean(line)}" for line in refused.lines)
        out.print(Text(f"  its last lines:{lines}", style="dim"), soft_wrap=True)
    if refused.log:
        out.print(Text(f"  its log: {refused.log}"), soft_wrap=True)
    out.print()
    out.print(Text(f"{refused.name} could not be made ready to play and would be refused.", style="red"))


def _verdict(name: str, failed: int, matches: int) -> Text:
    if failed:
        return Text(f"{name} failed in {failed} of {matches} matches and would be refused.", style="red")
    return Text(f"{name} played {matches} matches without a fault: it is ready.", style="green")
