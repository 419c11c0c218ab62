"""`arena bots`: who is known here, all about one of them, and the end of one."""

import time
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from arena import bots as registry
from arena.bots import Bot
from arena.cli import screen
from arena.cli.arguments import HomeOption, JsonOption, complete_bots, complete_submission
from arena.home import Home

if TYPE_CHECKING:  # the database is for those who look into it
    from ladder.store import Submission

app = typer.Typer(name="bots", invoke_without_command=True)

BotArgument = Annotated[
    str,
    typer.Argument(help="A name, or NAME@VERSION.", metavar="NAME", autocompletion=complete_bots, show_default=False),
]
RetiredArgument = Annotated[
    str,
    typer.Argument(
        help="All versions of a bot, or one.",
        metavar="NAME[@VERSION]",
        autocompletion=complete_submission,
        show_default=False,
    ),
]


@app.callback()
def bots(context: typer.Context, *, as_json: JsonOption = False, home: HomeOption = None) -> None:
    """List the bots that are known here and the games they play.

    Those that came with arena, which need no sandbox, and those that were submitted, which run only in one. A bot
    of your own is a folder with a bot.toml in it; name its path, with a slash.

    \b
    Examples:
      arena bots
      arena bots show my-bot
      arena bots retire my-bot@1
    """  # noqa: D301 - the mark keeps the lines below it as they are
    if context.invoked_subcommand is not None:
        return
    from arena.cli import describing  # noqa: PLC0415 - help need not wait for the database
    from ladder.store import submitted  # noqa: PLC0415

    shipped, known = registry.shipped().values(), submitted(Home.find(home))
    if as_json:
        screen.print_json([*map(describing.plain, shipped), *describing.plain_submissions(known)])
        return
    out = screen.out()
    listed = screen.table("bot", "games", "version", "what it does", numbers=("version",))
    for bot in shipped:
        listed.add_row(bot.name, _games(bot), str(bot.version), bot.description)
    out.print(listed)
    out.print()
    if known:
        out.print(describing.table(known))
        out.print()
        out.print(Text("submitted bots run only in a sandbox, or with --unsafe", style="dim"))
    else:
        out.print(Text(f"nobody has submitted a bot yet: {screen.command('submit ./my-bot')}", style="dim"))


@app.command("show")
def show(bot: BotArgument, *, as_json: JsonOption = False, home: HomeOption = None) -> None:
    """Tell all about one bot.

    What its bot.toml says, where its content and its archive lie, and the logs of fetching its packages and of
    building it.

    \b
    Examples:
      arena bots show my-bot
      arena bots show my-bot@1
    """  # noqa: D301 - the mark keeps the lines below it as they are
    from arena.cli import describing, naming  # noqa: PLC0415 - help need not wait for the database
    from ladder.store import submitted  # noqa: PLC0415

    folder = Home.find(home)
    if bot in registry.shipped():
        described = describing.Description(folder, registry.shipped()[bot])
    else:
        known = submitted(folder)
        versions = naming.versions_of(known, bot.partition(naming.MARK)[0])
        one = naming.version_of(known, bot) if naming.MARK in bot else naming.latest(versions)
        described = describing.Description(folder, registry.recall(folder, one.player.sha256), one, tuple(versions))
    if as_json:
        screen.print_json(described.plain())
    else:
        described.show()


@app.command("retire")
def retire(bot: RetiredArgument, *, as_json: JsonOption = False, home: HomeOption = None) -> None:
    """Let a bot play in no further ladder.

    Its results stay, and deals that are planned with it are played to their end. Of a single version, the one
    before it plays again. To bring one back, submit it again.

    \b
    Examples:
      arena bots retire my-bot
      arena bots retire my-bot@2
    """  # noqa: D301 - the mark keeps the lines below it as they are
    from arena.cli import naming  # noqa: PLC0415 - help need not wait for the database
    from ladder import store  # noqa: PLC0415

    folder = Home.find(home)
    known = store.submitted(folder)
    named = [naming.version_of(known, bot)] if naming.MARK in bot else naming.versions_of(known, bot)
    ending = [one for one in named if one.retired is None]
    store.retire(folder, [one.player.id for one in ending], now=time.time())
    left = store.newest(store.submitted(folder)).get(named[0].player.name)
    if as_json:
        numbers = [one.player.version for one in ending]
        plays = left.player.version if left else None
        screen.print_json({"name": named[0].player.name, "retired": numbers, "plays": plays})
    else:
        screen.out().print(_ended(named, ending, left))


def _ended(named: "list[Submission]", ending: "list[Submission]", left: "Submission | None") -> Text:
    told = ending or named
    numbers = ", ".join(str(one.player.version) for one in told)
    sentence = f" version{'s'[: len(told) != 1]} {numbers} {'are' if len(told) != 1 else 'is'} retired"
    before = "" if ending else " already"
    after = f"; version {left.player.version} plays in the next ladder" if left else "; its results stay"
    return Text(named[0].player.name, style="bold").append(f"{sentence}{before}{after}", style="not bold")


def _games(bot: Bot) -> str:
    return "all" if "*" in bot.games else ", ".join(bot.games)
