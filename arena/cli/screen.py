"""What commands share when they show something: consoles, JSON, times, and text that is safe for a terminal."""

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator

from rich import box
from rich.console import Console
from rich.table import Table


def out() -> Console:
    """For what was asked for."""
    return Console(highlight=False, markup=False, emoji=False)


def err() -> Console:
    """For everything else, so that a script can read standard output."""
    return Console(stderr=True, highlight=False, markup=False, emoji=False)


def print_json(data: object) -> None:
    """One JSON value on a line of its own."""
    sys.stdout.write(json.dumps(data, separators=(", ", ": ")) + "\n")


def table(*columns: str, numbers: tuple[str, ...] = ()) -> Table:
    """An empty table in the one style of all commands; columns of numbers stand to the right."""
    made = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    for column in columns:
        made.add_column(column, justify="right" if column in numbers else "left")
    return made


@contextlib.contextmanager
def progress(matches: int) -> Iterator[Callable[[], None]]:
    """A bar on standard error, while a terminal is there to see it; it goes on by one at each call."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn  # noqa: PLC0415 - slow

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = err()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("matches", total=matches)
        yield lambda: bar.advance(task)


def clean(text: str) -> str:
    """Text of unknown origin without what could move a cursor or change a colour."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def duration(micros: float) -> str:
    """A time for people: 0.4 ms, 12 ms, 1.2 s."""
    if micros < 9_950:
        return f"{micros / 1e3:.1f} ms"
    return f"{micros / 1e3:.0f} ms" if micros < 999_500 else f"{micros / 1e6:.1f} s"


def command(words: str) -> str:
    """A command line as this user types it: `arena ...`, or through run.py, which says so."""
    return f"{os.environ.get('ARENA_COMMAND', 'arena')} {words}"
