"""An option whose value is a file's content, `--option name=@FILE`: read once, checked in words, kept in the record."""

import json
from pathlib import Path

import pytest

from arena import record
from arena.games.ladybugs.boards import FILE
from arena.home import Home
from tests.cli.conftest import Arena

TWO = ("match", "--game", "ladybugs", "--bots", "random,random")


def own_board(folder: Path) -> Path:
    """A board file that differs from the shipped one."""
    data = json.loads(FILE.read_text(encoding="utf-8"))
    data["clovers"] = [5] * 12
    path = folder / "own.json"
    path.write_text(json.dumps(data, indent=2), encoding="utf-8")
    return path


def test_the_record_holds_the_content_and_needs_the_file_no_more(
    arena: Arena, lasting_home: Home, tmp_path: Path
) -> None:
    path, home = own_board(tmp_path), ("--home", str(lasting_home.path))
    ended = arena(*TWO, *home, "--variant", "lucky-clover", "--option", f"board=@{path}", "--seed", "3")
    assert ended.code == 0, ended.err
    assert max(map(len, ended.out.splitlines())) <= 200  # the headline does not show it all
    path.unlink()
    written = record.read(record.find(lasting_home, "last"))
    assert json.loads(str(written.spec.options["board"]))["clovers"] == [5] * 12
    assert str(path) not in json.dumps(dict(written.spec.options))
    assert arena("verify", "last", *home).code == 0
    assert arena("replay", "last", *home).code == 0


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"{}", "option board: expected standard or a text that fits; expected format 'ladybugs board'"),
        (b"\xff\xfe", "expected a text file"),
        (b" " * (65 << 10), "expected at most 64 KiB"),
        (b'{"format":\n"x"\n}\n!', "expected a board as JSON"),
    ],
)
def test_a_file_that_does_not_fit_is_one_sentence(content: bytes, words: str, arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "own.json").write_bytes(content)
    ended = arena(*TWO, "--option", "board=@own.json")
    assert words in ended.err
    assert (ended.code, ended.err.count("\n"), ended.out) == (2, 1, "")


def test_a_file_that_is_not_there_is_one_sentence(arena: Arena) -> None:
    ended = arena(*TWO, "--option", "board=@nowhere.json")
    assert ended.err == "arena: --option: cannot read nowhere.json: No such file or directory\n"
    assert ended.code == 2


def test_games_tells_that_the_option_takes_a_file(here: Arena) -> None:
    assert "standard, @FILE" in " ".join(here("games").out.split())
