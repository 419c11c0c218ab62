"""`arena init`: a new bot in a folder of its own, ready to play."""

import getpass
import shlex
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from arena import games
from arena.cli import screen
from arena.cli.arguments import JsonOption, complete_game
from arena.errors import UserError

if TYPE_CHECKING:
    from arena.submission.templates import NewBot

NOBODY = "you"


def complete_language(incomplete: str) -> list[str]:
    """Languages with a template that begin so."""
    from arena.submission import templates  # noqa: PLC0415 - help need not wait for it

    return [language for language in templates.languages() if language.startswith(incomplete)]


NameArgument = Annotated[
    Path, typer.Argument(help="A new folder; the bot is called like it.", metavar="NAME", show_default=False)
]
LanguageOption = Annotated[
    str | None,
    typer.Option(
        "--language",
        help="What to write it in.",
        autocompletion=complete_language,
        metavar="LANGUAGE",
        show_default=False,
    ),
]
InitGameOption = Annotated[
    str | None,
    typer.Option(
        "--game",
        help="The game it is for; else all.",
        autocompletion=complete_game,
        metavar="GAME",
        show_default=False,
    ),
]
AuthorOption = Annotated[
    str | None,
    typer.Option("--author", help="Your name; else what git or the system knows.", metavar="NAME", show_default=False),
]


def init(
    name: NameArgument,
    *,
    language: LanguageOption = None,
    game: InitGameOption = None,
    author: AuthorOption = None,
    as_json: JsonOption = False,
) -> None:
    """Begin a bot: a small whole one that plays already.

    It comes with the protos of all games, which say what a bot is told, and a README that says how to go on.

    \b
    Examples:
      arena init my-bot --language python --game party-bugs
      arena init my-bot --language rust
    """  # noqa: D301 - the mark keeps the lines below it as they are
    from arena.submission import templates  # noqa: PLC0415 - help need not wait for it

    if language is None:
        known = ", ".join(templates.languages())
        raise UserError(f"--language: expected one of {known}, got none; {templates.OTHERWISE}")
    wanted = ["*"] if game is None else [games.load(game).name]
    made = templates.create(name, language, games=wanted, author=_author() if author is None else author)
    if as_json:
        screen.print_json(_plain(made))
    else:
        _show(made)


def _author() -> str:
    """Who sits here, as git calls them, or else the system."""
    try:
        command = ["git", "config", "user.name"]
        asked = subprocess.run(command, capture_output=True, text=True, check=False, timeout=5).stdout.strip()
    except (OSError, ValueError, subprocess.TimeoutExpired):
        asked = ""
    try:
        found = asked or getpass.getuser()
    except (OSError, KeyError):  # nobody knows this user
        found = NOBODY
    return found if found.isprintable() else NOBODY


def _show(made: "NewBot") -> None:
    plays = "all games" if "*" in made.games else ", ".join(made.games)
    out = screen.out()
    out.print(Text(made.name, style="bold").append(f": a bot in {made.language} that plays {plays}", style="not bold"))
    out.print()
    reference = shlex.quote(_reference(made))
    game = "party-bugs" if "*" in made.games else made.games[0]
    seats = ",greedy" * (games.load(game).seat_counts()[0] - 1)
    steps = {
        "edit": str(made.strategy or made.folder),
        "build": f"cd {shlex.quote(str(made.folder))} && {shlex.join(made.build)}" if made.build else "",
        "play": screen.command(f"match --game {game} --bots {reference}{seats}"),
        "check": screen.command(f"check {reference}"),
        "submit": screen.command(f"submit {reference}"),
    }
    for title, words in steps.items():
        if words:
            out.print(Text(f"  {title:<8}", style="dim").append(words, style="not dim"), soft_wrap=True)


def _reference(made: "NewBot") -> str:
    """The folder as --bots takes it: with a slash, so that it is no name."""
    path = str(made.folder)
    return path if "/" in path else f"./{path}"


def _plain(made: "NewBot") -> dict[str, object]:
    return {
        "name": made.name,
        "folder": str(made.folder),
        "language": made.language,
        "games": list(made.games),
        "author": made.author,
        "edit": str(made.strategy or made.folder),
        "build": list(made.build),
    }
