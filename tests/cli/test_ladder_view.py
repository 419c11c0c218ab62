"""What people see while a ladder runs: a live table in a terminal of 80 columns, log lines elsewhere."""

import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from arena.home import Home
from ladder import report
from ladder.model import Player, Rating
from ladder.store import Standing, Tally
from tests.cli.conftest import ROOT

LADDER = ["ladder", "--game", "party-bugs", "--seed", "3", "--bots", "random,greedy", "--seats", "2"]
COLUMNS = ["#", "bot", "v", "rating", "games", "wins", "avg", "place", "faults", "change"]
COUNTS = r"\d+ played, \d+ in flight, \d+\.\d/s, \d+:\d\d left"


@contextmanager
def ladder(home: Home, *arguments: str, stderr: int) -> Iterator["subprocess.Popen[str]"]:
    environment = {**os.environ, "ARENA_HOME": str(home.path), "PYTHONPATH": str(ROOT), "TERM": "xterm"}
    environment |= {"COLUMNS": "80", "LINES": "30"}
    command = [sys.executable, "-m", "arena", *LADDER, *arguments]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=stderr, text=True) as process:
        try:
            yield process
        finally:
            process.terminate()


def read_until(terminal: int, pattern: str) -> str:
    shown, limit = "", time.monotonic() + 90
    while not re.search(pattern, shown):
        assert select.select([terminal], [], [], max(0, limit - time.monotonic()))[0], shown
        shown += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", os.read(terminal, 4096).decode(errors="replace"))
    return shown


def test_a_terminal_has_a_live_table_with_all_that_is_promised(lasting_home: Home) -> None:
    ours, theirs = pty.openpty()
    with ladder(lasting_home, "--matches", "100000", stderr=theirs):
        os.close(theirs)
        shown = read_until(ours, r"2  random .*[-+]\d\.\d\d")
    os.close(ours)
    lines = [line.rstrip() for line in re.split(r"[\r\n]+", shown)]
    assert "party-bugs · base · 2 seats · sandbox" in shown
    assert re.search(rf"━ {COUNTS}", shown)
    assert COLUMNS in [line.split() for line in lines]
    row = next(line for line in reversed(lines) if line.startswith("1  greedy"))
    assert re.fullmatch(r"1  greedy +1 +\d+\.\d\d ±\d\.\d\d +[\d,]+ +[\d,]+ +\d\.\d\d +- +[-+]\d\.\d\d", row), row
    assert max(map(len, lines)) <= 80


def test_elsewhere_there_is_a_log_line_now_and_then(lasting_home: Home) -> None:
    with ladder(lasting_home, "--minutes", "0.15", "--json", stderr=subprocess.PIPE) as process:
        out, err = process.communicate(timeout=100)
    title, *log = err.splitlines()
    assert title.startswith("party-bugs · base · 2 seats")
    assert log
    for line in log:
        assert re.fullmatch(rf"\d\d:\d\d:\d\d  {COUNTS}; (no rating yet|\w+ \d+\.\d, \w+ \d+\.\d)", line), line
    assert out.startswith("{")
    assert out.count("\n") == 1


def standing(number: int) -> Standing:
    """One of very many that have played for very long."""
    name = f"a-bot-whose-name-is-forty-letters-{number:06}"
    player = Player(number, name, 100 + number, f"{number:064x}")
    return Standing(player, Tally(9_999_999, 9_999_999, 5.55, 99_999), Rating(-10.0 - number / 100, 8.3), -4.567)


def test_the_widest_table_fits_80_columns(tmp_path: Path) -> None:
    with (tmp_path / "shown").open("w+") as file:
        console = Console(file=file, width=80)
        console.print(report.leaderboard([standing(number) for number in range(500)]))
        file.seek(0)
        lines = file.read().splitlines()
    assert len(lines) == 500 + 2, "no line is broken"
    assert max(map(len, lines)) <= 80
    assert lines[-1].split()[0] == "500"
    assert lines[-1].split()[-5:] == ["9,999,999", "9,999,999", "5.55", "99999", "-4.57"]
