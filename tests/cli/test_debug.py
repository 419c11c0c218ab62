"""`arena match --debug`: what bots print, with their names before each line."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from arena.cli.echo import LONGEST, Echo
from arena.home import Home
from tests.cli.conftest import Arena

LOUD = """
import sys
from arena.sdk import play

def choose(turn):
    print(f"decision {turn.decision}")
    print("\\x1b[31mred\\x1b[0m", file=sys.stderr)
    return turn.legal[0]

play(choose)
print("the end", end="")
"""


@pytest.fixture
def loud(tmp_path: Path) -> Path:
    folder = tmp_path / "loud"
    folder.mkdir()
    (folder / "bot.py").write_text(LOUD)
    (folder / "bot.toml").write_text('name = "loud"\ngames = ["*"]\nrun = ["python", "bot.py"]')
    return folder


@pytest.mark.parametrize("level", ["bubblewrap", "none"])
def test_every_line_has_the_bots_name(level: str, loud: Path, arena: Arena, lasting_home: Home) -> None:
    words = ("match", "--game", "party-bugs", "--bots", "./loud,./loud", "--seed", "3", "--unsafe", "--json")
    ended = arena(*words, "--debug", "--sandbox", level, "--home", str(lasting_home.path))
    if level == "bubblewrap" and "expected a working bubblewrap" in ended.err:
        pytest.skip("needs bubblewrap")
    assert ended.code == 0, ended.err
    lines = ended.err.splitlines()
    decisions = [seat["decisions"] for seat in json.loads(ended.out)["matches"][0]["seats"]]
    for name, count in zip(("loud", "loud#2"), decisions, strict=True):
        own = [line.removeprefix(f"{name} | ") for line in lines if line.startswith(f"{name} | ")]
        assert [line for line in own if line.startswith("decision")] == [
            f"decision {number}" for number in range(count)
        ]
        assert own.count("\ufffd[31mred\ufffd[0m") == count
        assert own[-1] == "the end"
    assert len(lines) == sum(2 * count + 1 for count in decisions)


def test_without_it_bots_are_silent(loud: Path, arena: Arena, lasting_home: Home) -> None:
    words = ("match", "--game", "party-bugs", "--bots", "./loud,./loud", "--unsafe", "--json")
    ended = arena(*words, "--home", str(lasting_home.path))
    assert (ended.code, ended.err) == (0, "")


def test_lines_come_whole_from_pieces_and_long_ones_in_pieces() -> None:
    told = io.StringIO()
    echo = Echo(Console(file=told, width=80))
    one, other = echo("one"), echo("other")
    one(b"a b")
    other(b"x\r\ny")
    one(b"c\nd\xff")
    one(b"z" * (2 * LONGEST))
    assert told.getvalue().startswith("other | x\none | a bc\none | d\ufffdz")
    echo.end()
    lines = told.getvalue().splitlines()
    assert [len(line) for line in lines[2:5]] == [LONGEST + len("one | ")] * 2 + [2 + len("one | ")]
    assert lines[5:] == ["other | y"]
