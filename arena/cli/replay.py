"""`arena replay`: a recorded match again, scene by scene in a terminal, at once in a pipe, or as JSON lines."""

from typing import Annotated

import typer

from arena.cli.arguments import HomeOption, JsonOption, complete_match
from arena.home import Home

MatchArgument = Annotated[
    str,
    typer.Argument(
        help="A match id or its beginning, 'last', or a file.",
        autocompletion=complete_match,
        metavar="MATCH",
        show_default=False,
    ),
]
SeatOption = Annotated[
    int | None, typer.Option(help="Only what this seat saw; the first is 1.", min=1, metavar="N", show_default=False)
]


LogsOption = Annotated[bool, typer.Option("--logs", help="Only what the bots printed meanwhile.")]


def replay(
    match: MatchArgument,
    *,
    seat: SeatOption = None,
    logs: LogsOption = False,
    as_json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """Show a recorded match again, step by step.

    In a terminal Enter goes on, b goes back, q ends. Everything is shown, or only what one seat saw.
    With --json, one line for each moment: who acts, legal actions, actions, observations, the whole state.
    With --logs, the last 4 KB that each bot printed between the beginning and the end of the match.

    \b
    Examples:
      arena replay last
      arena replay last --seat 2
      arena replay last --logs
    """  # noqa: D301 - the mark keeps the lines below it as they are
    from arena import record  # noqa: PLC0415 - help need not wait for it
    from arena.cli import printed, records, watching  # noqa: PLC0415 - likewise

    result = record.read(records.find(Home.find(home), match))
    viewer = watching.viewer(result, seat)
    if logs:
        (printed.print_plain if as_json else printed.show)(result, viewer)
    elif as_json:
        watching.print_lines(result, viewer)
    else:
        watching.watch(result, viewer)
