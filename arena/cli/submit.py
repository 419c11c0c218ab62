"""`arena submit`: a bot becomes an immutable version that plays in every ladder from the next one on."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from arena.cli import screen
from arena.cli.arguments import HomeOption, JsonOption
from arena.cli.match import DEFAULT_TIME, AllowanceOption, BankOption, SandboxOption, UnsafeOption
from arena.home import Home

if TYPE_CHECKING:  # gRPC and the database are for those who submit
    from arena.cli.submitting import Entered

SourceArgument = Annotated[
    Path, typer.Argument(help="A bot's folder, or an archive of one.", metavar="FOLDER|ARCHIVE", show_default=False)
]
SkipOption = Annotated[bool, typer.Option("--skip-check", help="Take it in without playing it first.")]


def submit(
    source: SourceArgument,
    *,
    skip_check: SkipOption = False,
    allowance: AllowanceOption = DEFAULT_TIME.allowance_ms / 1e3,
    bank: BankOption = DEFAULT_TIME.bank_ms / 1e3,
    sandbox: SandboxOption = None,
    unsafe: UnsafeOption = False,
    as_json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """Submit a bot, to play in every ladder from the next one on.

    Its packages are fetched, it is built in the sandbox, and checked as `arena check` does; the exit code is 1 if
    it is refused. Its content is then version 1 of its name for ever, and changed content is version 2. A name
    belongs to the author who had it first.

    \b
    Examples:
      arena submit ./my-bot
      arena submit my-bot.tar.gz
    """  # noqa: D301 - the mark keeps the lines below it as they are
    from arena.cli import orders, playing, submitting  # noqa: PLC0415 - gRPC and the database are for those who submit

    time = None if skip_check else orders.time_control(allowance, bank)
    place = playing.Place(Home.find(home), sandbox, unsafe=unsafe, jobs=None)
    entered = submitting.enter(source.expanduser(), place, time, as_json=as_json)
    if as_json:
        screen.print_json(_plain(entered))
    else:
        _show(entered)


def _show(entered: "Entered") -> None:
    bot, out = entered.ready.bot, screen.out()
    if entered.checks is not None:
        out.print()
    out.print(_headline(entered))
    game = "party-bugs" if "*" in bot.games else bot.games[0]
    steps = {
        "ladder": screen.command(f"ladder --game {game}"),
        "match": screen.command(f"match --game {game} --bots {bot.name},greedy,random"),
        "about it": screen.command(f"bots show {bot.name}"),
    }
    for title, words in steps.items():
        out.print(Text(f"  {title:<10}", style="dim").append(words, style="not dim"), soft_wrap=True)


def _headline(entered: "Entered") -> Text:
    result = entered.result
    player = result.submission.player
    name = Text(f"{player.name} version {player.version}", style="bold")
    playing = entered.playing.player.version if entered.playing else player.version
    if playing != player.version:
        return name.append(f" was in already, with this content; version {playing} plays", style="not bold")
    if result.new:
        return name.append(" is in; it plays in the next ladder", style="not bold green")
    if result.revived:
        return name.append(" was retired, and is back; it plays in the next ladder", style="not bold green")
    return name.append(" was in already, with this content; nothing has changed", style="not bold")


def _plain(entered: "Entered") -> dict[str, object]:
    submission, ready = entered.result.submission, entered.ready
    return {
        "accepted": True,
        "name": submission.player.name,
        "version": submission.player.version,
        "sha256": submission.player.sha256,
        "source_sha256": submission.source,
        "author": submission.author,
        "games": list(submission.games),
        "submitted": submission.submitted,
        "new": entered.result.new,
        "plays": entered.playing is not None and entered.playing.player == submission.player,
        "matches_checked": None if entered.checks is None else len(entered.checks),
        "logs": {phase: str(log) for phase, log in ready.logs.items()},
    }
