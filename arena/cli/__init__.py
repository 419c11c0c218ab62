"""The `arena` command. Each command has a module; what it needs is imported when it runs, so that help is quick."""

import gc
import sys
from collections.abc import Sequence
from typing import Annotated

import typer
import typer.core
import typer.main

from arena import __version__
from arena.cli import (
    bench,
    bench_bots,
    bench_safety,
    bots,
    check,
    doctor,
    failures,
    games,
    init,
    ladder,
    leaderboard,
    match,
    matches,
    play,
    replay,
    submit,
    transfer,
    verify,
)

app = typer.Typer(
    name="arena",
    help="Tournaments for game AIs: exact rules, fair clocks, ratings you can check.",
    epilog="Start with:  arena ladder --game party-bugs",
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,  # plain help is half as long, and comes sooner
    pretty_exceptions_enable=False,  # failures.py says it in one sentence
)
app.add_typer(ladder.app, name="ladder")
app.command("leaderboard")(leaderboard.leaderboard)
app.command("matches")(matches.matches)
app.command("match")(match.match)
app.command("play")(play.play)
app.command("replay")(replay.replay)
app.command("verify")(verify.verify)
app.command("games")(games.games)
app.add_typer(bots.app, name="bots")
app.command("init")(init.init)
app.command("check")(check.check)
app.command("submit")(submit.submit)
app.command("export")(transfer.export_file)
app.command("import")(transfer.import_file)
app.command("doctor")(doctor.doctor)
bench_safety.add_to(bench.app)
bench_bots.add_to(bench.app)
app.add_typer(bench.app, name="bench")

# As help lists them; typer by itself would put the two with commands of their own last.
ORDER = (
    *("ladder", "leaderboard", "matches", "match", "play", "replay", "verify"),
    *("games", "bots", "init", "check", "submit", "export", "import", "doctor", "bench"),
)

# New objects between two collections. With Python's own number a command that imports a database collects two hundred
# times and finds nothing; `arena bench store` shows the difference.
GARBAGE = 50_000


@app.callback(invoke_without_command=True)
def _arena(
    context: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    if version:
        typer.echo(f"arena {__version__}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


def run(arguments: Sequence[str]) -> int:
    """Carry out one command line; the exit code is 0, 1 (a bot or a check failed) or 2 (bad input)."""
    command = typer.main.get_command(app)
    if isinstance(command, typer.core.TyperGroup):
        command.commands = {name: command.commands[name] for name in ORDER}
    for parameter in command.params:
        if parameter.name == "show_completion" and isinstance(parameter, typer.core.TyperOption):
            parameter.hidden = True  # works, but --help has one screen, and --install-completion does for nearly all
    return failures.told(lambda: command(args=list(arguments), prog_name="arena", standalone_mode=False), arguments)


def main() -> None:
    """The command's entry point."""
    gc.set_threshold(GARBAGE)
    sys.exit(run(sys.argv[1:]))
