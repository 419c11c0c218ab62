"""`arena verify`: plays recorded matches again and compares everything that their records say."""

from pathlib import Path
from typing import Annotated

import typer

from arena import __version__
from arena.cli import screen
from arena.cli.arguments import HomeOption, JsonOption, complete_match
from arena.home import Home

MOST_SHOWN = 10

MatchesArgument = Annotated[
    list[str],
    typer.Argument(
        help="Match ids or their beginnings, 'last', or files.",
        autocompletion=complete_match,
        metavar="MATCH",
        show_default=False,
    ),
]


def verify(matches: MatchesArgument, *, as_json: JsonOption = False, home: HomeOption = None) -> None:
    """Check that recorded matches can be replayed exactly.

    Every action, clock, fault, place and score is compared with what the rules and the seed say. The exit code
    is 1 if anything differs, 2 if a record cannot be read.

    \b
    Example:
      arena verify last
    """  # noqa: D301 - the mark keeps the lines below it as they are
    from arena import record  # noqa: PLC0415 - help need not wait for it
    from arena.cli import records  # noqa: PLC0415 - likewise

    folder = Home.find(home)
    checked = []
    for path in [records.find(folder, match) for match in matches]:
        result = record.read(path)
        problems = record.verify(result)
        checked.append(
            {"match": result.spec.match_id, "record": str(path), "exact": not problems, "problems": problems}
        )
        if not as_json:
            _show(path, result.spec.match_id, len(result.decisions), problems)
    if as_json:
        screen.print_json(checked)
    raise typer.Exit(int(any(one["problems"] for one in checked)))


def _show(path: Path, match_id: str, decisions: int, problems: list[str]) -> None:
    console = screen.out()
    if not problems:
        console.print(f"{match_id}: exact, {decisions} decisions replayed", style="green")
        return
    console.print(f"{match_id}: not what happened by the rules", style="red")
    for problem in problems[:MOST_SHOWN]:
        console.print(f"  {screen.clean(problem)}")
    if len(problems) > MOST_SHOWN:
        console.print(f"  ... and {len(problems) - MOST_SHOWN} more")
    _blame_version(path)


def _blame_version(path: Path) -> None:
    from arena import record  # noqa: PLC0415 - help need not wait for it

    writer = record.written_by(path)
    if writer != __version__:
        screen.out().print(screen.clean(f"  arena {writer} wrote it; this is {__version__}, whose rules may differ"))
