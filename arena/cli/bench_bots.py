"""`arena bench bots`: what each language costs, by its template or by any bot."""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import screen
from arena.cli.arguments import HomeOption, JsonOption, complete_bots
from arena.cli.match import SandboxOption, UnsafeOption
from arena.errors import UserError
from arena.home import Home

if TYPE_CHECKING:  # help need not wait for it
    from arena.bench.bots import Contender
    from arena.sandbox import Sandbox

TITLES = {"awk": "AWK", "cpp": "C++", "typescript": "TypeScript"}  # of languages, by folder; others are capitalized

MeasuredBotsOption = Annotated[
    str | None,
    typer.Option(
        "--bots",
        help="Names or folders, with commas; else every template and the examples of docs/stdio.md.",
        metavar="BOT,BOT,...",
        autocompletion=complete_bots,
        show_default=False,
    ),
]
GameMatchesOption = Annotated[
    int, typer.Option("--matches", help="Of every game that it plays.", metavar="N", min=1, max=10_000)
]
MarkdownOption = Annotated[bool, typer.Option("--markdown", help="The table for a document.")]


def bots(
    *,
    bots: MeasuredBotsOption = None,
    matches: GameMatchesOption = 5,
    sandbox: SandboxOption = None,
    unsafe: UnsafeOption = False,
    markdown: MarkdownOption = False,
    as_json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """Measure start-up, time per decision and memory of bots.

    Folders are made ready first as `arena submit` does it. Each bot plays one match at a time, on an otherwise idle
    machine if it can be. The exit code is 1 if one failed or could not be made ready.

    \b
    Examples:
      arena bench bots
      arena bench bots --bots ./my-bot,greedy
    """  # noqa: D301 - the mark keeps the lines below it as they are
    import asyncio  # noqa: PLC0415 - help need not wait for it

    from arena import sandbox as sandboxes  # noqa: PLC0415
    from arena.bench import bots as bench  # noqa: PLC0415

    place, box = Home.find(home), sandboxes.choose(sandbox)
    with screen.err().status("starting") as status, tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:

        def say(text: str) -> None:
            status.update(screen.clean(text))

        found = _named(bots, place, box, say, unsafe=unsafe) if bots else _languages(Path(folder), place, box, say)
        for one in found:
            if one.bot:
                sandboxes.check_allowed(one.bot, box, unsafe=unsafe)
        measured = asyncio.run(bench.run(place, box, found, matches=matches, say=say))
    if as_json:
        screen.print_json([one.plain() for one in measured])
    elif markdown:
        typer.echo(bench.markdown(measured))
    else:
        screen.out().print(bench.table(measured))
    for sentence in () if as_json else bench.sentences(measured):
        screen.err().print(screen.clean(sentence), soft_wrap=True)
    raise typer.Exit(int(any(one.failed for one in measured)))


def _languages(folder: Path, home: Home, sandbox: "Sandbox", say: Callable[[str], None]) -> "list[Contender]":
    """The templates and the examples over stdio, each made ready; or why it cannot be here."""
    from arena.submission import templates  # noqa: PLC0415

    found = []
    for language in templates.languages():
        place = folder / language
        templates.create(place, language, games=["*"], author="arena")
        found.append(_ready(_title(language), place, home, sandbox, say))
    for language, place in templates.examples().items():
        found.append(_ready(f"{_title(language)}, stdio", place, home, sandbox, say))
    return found


def _title(language: str) -> str:
    return TITLES.get(language, language.capitalize())


def _ready(
    label: str, source: Path, home: Home, sandbox: "Sandbox", say: Callable[[str], None], *, unsafe: bool = False
) -> "Contender":
    from arena.bench.bots import Contender  # noqa: PLC0415
    from arena.submission.prepare import prepared  # noqa: PLC0415

    say(label)
    try:
        bot = prepared(home, source, sandbox, unsafe=unsafe, say=lambda text: say(f"{label}: {text}")).bot
    except UserError as error:
        return Contender(label, None, str(error))
    return Contender(label, bot)


def _named(
    text: str, home: Home, sandbox: "Sandbox", say: Callable[[str], None], *, unsafe: bool
) -> "Sequence[Contender]":
    from arena.bench.bots import Contender  # noqa: PLC0415
    from arena.cli import naming  # noqa: PLC0415

    found = []
    for name in text.split(","):
        if naming.is_folder(name):
            place = Path(name).expanduser()
            found.append(_ready(place.resolve().name, place, home, sandbox, say, unsafe=unsafe))
        else:
            found.append(Contender(name, naming.bot_of(home, name)))
    return found


def add_to(app: typer.Typer) -> None:
    """Make it a command of `arena bench`."""
    app.command("bots")(bots)
