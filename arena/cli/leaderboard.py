"""`arena leaderboard`: a ladder's table, or all about one bot."""

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import screen
from arena.cli.arguments import HomeOption, JsonOption, complete_player
from arena.cli.ladder import LadderGameOption, LadderNumberOption, PracticeOption, TableOption
from arena.cli.match import OptionOption, VariantOption
from arena.errors import UserError, unknown
from arena.home import Home

if TYPE_CHECKING:  # the database is for those who read it
    from ladder.report import Page
    from ladder.store import Ladder, Standing, Views

BotOption = Annotated[
    str | None,
    typer.Option(
        help="All about one bot.", autocompletion=complete_player, metavar="NAME[:VERSION]", show_default=False
    ),
]
CsvOption = Annotated[bool, typer.Option("--csv", help="Comma-separated values, for spreadsheets.")]
MarkdownOption = Annotated[bool, typer.Option("--markdown", help="A table for a web page or an issue.")]


def leaderboard(
    *,
    game: LadderGameOption = None,
    variant: VariantOption = "base",
    option: OptionOption = None,
    seats: TableOption = None,
    seed: PracticeOption = None,
    number: LadderNumberOption = None,
    bot: BotOption = None,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
    as_markdown: MarkdownOption = False,
    home: HomeOption = None,
) -> None:
    """Show a ladder's table, or all about one bot.

    A bot's page has its opponents, seats, faults, thinking time and rating over time.
    Without --game it lists the ladders that were played here, each with a number for --ladder.

    \b
    Examples:
      arena leaderboard --game party-bugs
      arena leaderboard --game party-bugs --bot greedy
    """  # noqa: D301 - the mark keeps the lines below it as they are
    if as_json + as_csv + as_markdown > 1:
        raise UserError("--json, --csv and --markdown: expected one of them at most, got several")
    from arena.cli import reading  # noqa: PLC0415 - help need not wait for it
    from ladder.store import Views  # noqa: PLC0415

    with Views.open(Home.find(home)) as views:
        if game is None and number is None:
            _list(views, as_json=as_json)
            return
        ladder = reading.chosen(views, reading.Choice(game, variant, tuple(option or ()), seats, seed, number))
        standings = views.standings(ladder)
        if bot is not None:
            _show_bot(_page(views, ladder, standings, bot), as_json=as_json)
        else:
            _show(views, ladder, standings, _form(as_json=as_json, as_csv=as_csv, as_markdown=as_markdown))


def _form(*, as_json: bool, as_csv: bool, as_markdown: bool) -> str:
    return "json" if as_json else "csv" if as_csv else "markdown" if as_markdown else "table"


def _show(views: "Views", ladder: "Ladder", standings: "list[Standing]", form: str) -> None:
    from arena.cli import ladder_view, reading  # noqa: PLC0415
    from ladder import report  # noqa: PLC0415

    if form == "json":
        screen.print_json(report.plain(standings))
    elif form != "table":
        typer.echo(report.as_csv(standings) if form == "csv" else report.as_markdown(standings), nl=False)
    else:
        out = screen.out()
        out.print(reading.title(ladder))
        out.print()
        out.print(report.leaderboard(standings))
        out.print()
        out.print(report.caption())
        ladder_view.show_others(out, views, ladder)


def _list(views: "Views", *, as_json: bool) -> None:
    """The ladders of this home, with the words that choose each."""
    from arena.cli import reading  # noqa: PLC0415
    from ladder import report  # noqa: PLC0415

    found = [(one, reading.settings(one), views.last_played(one)) for one in views.ladders()]
    if as_json:
        rows = [
            {
                "number": one.id,
                "ladder": reading.words(one),
                "sandbox": one.spec.level,
                "settings": settings,
                "last_played": last,
            }
            for one, settings, last in found
        ]
        screen.print_json(rows)
        return
    unusual = any(settings for _, settings, _ in found)
    listed = screen.table("#", "ladder", *(["settings"] if unusual else []), "sandbox", "last played")
    for one, settings, last in found:
        played = report.when(last) if last else "never"
        listed.add_row(
            str(one.id), reading.words(one), *([settings or "as usual"] if unusual else []), one.spec.level, played
        )
    screen.out().print(listed)


def _page(views: "Views", ladder: "Ladder", standings: "list[Standing]", reference: str) -> "Page":
    from ladder import report  # noqa: PLC0415

    ordered = report.ranked(standings)
    found = _found([one for one in ordered if not one.player.anchor], reference)
    player = found.player.id
    rated = [one for one in ordered if one.rating is not None]
    return report.Page(
        standing=found,
        rank=rated.index(found) + 1 if found in rated else None,
        of=len(rated),
        versus=views.versus(ladder, player),
        by_seat=views.by_seat(ladder, player),
        by_seat_count=views.by_seat_count(ladder, player),
        faults=views.faults(ladder, player),
        micros=views.micros(ladder, player),
        history=views.history(ladder, player),
        movers=views.movers(ladder, player),
    )


def _found(standings: "list[Standing]", reference: str) -> "Standing":
    """The bot of this name, in the version that is named or in its newest one."""
    name, _, version = reference.partition(":")
    versions = [one for one in standings if one.player.name == name and version in ("", str(one.player.version))]
    if not versions:
        raise unknown("bot of this ladder", reference, {one.player.name for one in standings})
    return max(versions, key=lambda one: one.player.version)


def _show_bot(page: "Page", *, as_json: bool) -> None:
    from ladder import report  # noqa: PLC0415

    if as_json:
        screen.print_json(report.plain_page(page))
        return
    out = screen.out()
    for part in report.page(page, width=out.width):
        out.print(part)
        out.print()
    if page.movers:
        out.print(f"Watch one: {screen.command(f'replay {page.movers[0].match_id}')}", style="dim")
