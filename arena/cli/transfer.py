"""`arena export` and `arena import`: ladders as one file, from one machine to another."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import screen
from arena.cli.arguments import HomeOption, JsonOption
from arena.cli.ladder import LadderGameOption
from arena.home import Home

if TYPE_CHECKING:  # the database is for those who read it
    from ladder.store import Ladder

FileArgument = Annotated[Path, typer.Argument(help="The file.", metavar="FILE", show_default=False)]
SecretOption = Annotated[
    bool, typer.Option("--with-secret", help="Also what the deals are made from, to go on elsewhere.")
]


def export_file(
    file: FileArgument,
    *,
    game: LadderGameOption = None,
    with_secret: SecretOption = False,
    as_json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """Write ladders into one file.

    Players, results, ratings and records of all ladders, or those of one game; a ladder may run meanwhile.
    Whoever has the secret knows every deal to come,
    so it is left out unless you ask for it; without it, a ladder can be read elsewhere but not continued.

    \b
    Example:
      arena export league.arena-ladders
    """  # noqa: D301 - the mark keeps the lines below it as they are
    from arena import games  # noqa: PLC0415 - help need not wait for it
    from ladder.store import Views, export_ladders  # noqa: PLC0415

    if game is not None:
        games.load(game)
    folder = Home.find(home)
    with Views.open(folder) as views:
        wanted = views.ladders(game)
    with screen.err().status("exporting"):
        found = export_ladders(folder, file, wanted=wanted, with_secret=with_secret)
    if as_json:
        screen.print_json({"file": str(file), "matches": found.matches, "left_out": found.left_out} | _plain(wanted))
        return
    screen.out().print(f"{_counted(len(found.ladders), found.matches)} in {file}")
    if found.left_out:
        screen.out().print(f"{found.left_out} matches of deals that are not complete were left out", style="dim")


def import_file(file: FileArgument, *, as_json: JsonOption = False, home: HomeOption = None) -> None:
    """Bring ladders from a file into this home.

    Importing the same again changes nothing.

    \b
    Example:
      arena import league.arena-ladders
    """  # noqa: D301 - the mark keeps the lines below it as they are
    from arena.cli import reading  # noqa: PLC0415 - help need not wait for it
    from ladder.store import import_ladders  # noqa: PLC0415

    with screen.err().status("importing"):
        found = import_ladders(Home.find(home), file, now=time.time())
    if as_json:
        screen.print_json({"new": found.new, "known": found.known} | _plain(found.ladders))
        return
    known = f"; {found.known:,} were here before" if found.known else ""
    screen.out().print(f"{_counted(len(found.ladders), found.new)} imported{known}")
    for ladder in found.ladders:
        screen.out().print(f"  {screen.command('leaderboard ' + reading.words(ladder))}", style="dim")


def _counted(ladders: int, matches: int) -> str:
    return f"{ladders} ladder{'s'[: ladders != 1]} with {matches:,} matches"


def _plain(ladders: "list[Ladder] | tuple[Ladder, ...]") -> dict[str, object]:
    from arena.cli import reading  # noqa: PLC0415

    return {"ladders": [reading.words(one) for one in ladders]}
