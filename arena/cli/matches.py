"""`arena matches`: lists the matches of the ladders played here."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from arena.cli import screen
from arena.cli.arguments import HomeOption, JsonOption, complete_player
from arena.cli.ladder import LadderGameOption
from arena.errors import UserError, unknown
from arena.home import Home

MatchBotOption = Annotated[
    str | None,
    typer.Option(
        "--bot", help="Only those of this bot.", autocompletion=complete_player, metavar="NAME", show_default=False
    ),
]
FaultsOption = Annotated[bool, typer.Option("--faults", help="Only those in which somebody failed, with the reason.")]
SinceOption = Annotated[
    str | None, typer.Option(help="From this day or time on (UTC).", metavar="YYYY-MM-DD[THH:MM]", show_default=False)
]
UntilOption = Annotated[
    str | None, typer.Option(help="Up to this day or time (UTC).", metavar="YYYY-MM-DD[THH:MM]", show_default=False)
]
LimitOption = Annotated[int, typer.Option(help="The newest so many.", metavar="N", min=1, max=1_000_000)]


def matches(
    *,
    game: LadderGameOption = None,
    bot: MatchBotOption = None,
    faults: FaultsOption = False,
    since: SinceOption = None,
    until: UntilOption = None,
    limit: LimitOption = 20,
    as_json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """List the matches of ladders, the newest first.

    Each can be replayed by its name. A match is
    listed once its deal has been played in all rotations: before, it would give the cards away.

    \b
    Examples:
      arena matches --game party-bugs --bot greedy
      arena matches --faults
    """  # noqa: D301 - the mark keeps the lines below it as they are
    from arena import games  # noqa: PLC0415 - help need not wait for it
    from arena.cli import faults as stories  # noqa: PLC0415
    from ladder import report  # noqa: PLC0415
    from ladder.store import Views, Wanted  # noqa: PLC0415

    if game is not None:
        games.load(game)
    wanted = Wanted(
        game=game,
        bot=bot,
        only_faults=faults,
        since=_seconds("--since", since),
        until=_seconds("--until", until),
        limit=limit,
    )
    place = Home.find(home)
    with Views.open(place) as views:
        if bot is not None and not views.players(bot):
            raise unknown("bot that played here", bot, {one.player.name for one in views.players()})
        rows = views.matches(wanted)
    if as_json:
        screen.print_json([stories.with_evidence(place, report.plain_match(row)) for row in rows])
        return
    out = screen.out()
    out.print(report.match_table(rows))
    for story in stories.of_rows(place, rows) if faults else ():
        out.print(story)
    if rows:
        out.print(f"\nWatch one: {screen.command(f'replay {rows[0].match_id}')}", style="dim")
    else:
        out.print("no such match", style="dim")


def _seconds(name: str, text: str | None) -> float | None:
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()
    except ValueError:
        raise UserError(
            f"{name}: expected a day or time such as 2026-01-31 or 2026-01-31T18:00, got {text!r}"
        ) from None
