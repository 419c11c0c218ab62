"""Arguments that several commands take, and what a shell offers when the user presses the tab key."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from arena import bots, games
from arena.errors import UserError
from arena.home import Home

MAX_COMPLETIONS = 50


def complete_game(incomplete: str) -> list[str]:
    """Games that begin so."""
    return [name for name in games.names() if name.startswith(incomplete)]


def complete_bots(context: typer.Context, incomplete: str) -> list[str]:
    """Bots that continue a list such as random,gre; versions are offered behind an @."""
    before, comma, last = incomplete.rpartition(",")
    names = [*bots.shipped(), *_submissions(context, versions="@" in last)]
    return [f"{before}{comma}{name}" for name in names if name.startswith(last)]


def complete_submission(context: typer.Context, incomplete: str) -> list[str]:
    """Submitted bots that begin so, or their versions."""
    return [name for name in _submissions(context, versions="@" in incomplete) if name.startswith(incomplete)]


def _submissions(context: typer.Context, *, versions: bool) -> list[str]:
    from ladder.store import submitted  # noqa: PLC0415 - help need not wait for it

    try:
        known = submitted(Home.find(context.params.get("home")))
    except UserError:
        return []
    return list(dict.fromkeys(one.reference if versions else one.player.name for one in known))


def complete_variant(context: typer.Context, incomplete: str) -> list[str]:
    """Variants of the game that the line names."""
    name = context.params.get("game")
    known = games.load(name).variants() if name in games.names() else {}
    return [variant for variant in known if variant.startswith(incomplete)]


def complete_option(context: typer.Context, incomplete: str) -> list[str]:
    """Options of the game with their values: hidden_card=true."""
    name = context.params.get("game")
    known = games.load(name).option_list() if name in games.names() else ()
    pairs = [f"{option.name}={str(value).lower()}" for option in known for value in option.values]
    return [pair for pair in pairs if pair.startswith(incomplete)]


def complete_match(context: typer.Context, incomplete: str) -> list[str]:
    """Matches that were played here."""
    from arena import record  # noqa: PLC0415 - help need not wait for it

    try:
        found = record.stored(Home.find(context.params.get("home")))
        return sorted(_first(path.stem for path in found if path.stem.startswith(incomplete)))
    except UserError:
        return []


def complete_player(context: typer.Context, incomplete: str) -> list[str]:
    """Bots that have played ladders here."""
    from ladder.store import Views  # noqa: PLC0415 - likewise

    try:
        with Views.open(Home.find(context.params.get("home"))) as views:
            names = {one.player.name for one in views.players() if not one.player.anchor}
    except UserError:
        return []
    return _first(name for name in sorted(names) if name.startswith(incomplete))


def complete_sandbox(incomplete: str) -> list[str]:
    """Levels that can be chosen."""
    from arena import sandbox  # noqa: PLC0415 - likewise

    return [level for level in sandbox.levels() if level.startswith(incomplete)]


def _first(names: Iterator[str]) -> list[str]:
    return [name for name, _ in zip(names, range(MAX_COMPLETIONS), strict=False)]


HomeOption = Annotated[
    Path | None,
    typer.Option(
        "--home",
        help="Where data is kept; else ARENA_HOME, else your data folder.",
        show_default=False,
        metavar="FOLDER",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="JSON on standard output, the rest on standard error.")]
