"""`arena init`: a new bot, what to do with it next, and one sentence for whatever cannot be."""

import json
import tomllib
from pathlib import Path

import pytest

from tests.cli.conftest import Arena


def test_a_new_bot_plays_at_once_and_says_how_to_go_on(arena: Arena, tmp_path: Path) -> None:
    made = arena("init", "fox", "--language", "python", "--game", "party-bugs", "--author", "Ada")
    assert (made.code, made.err) == (0, "")
    assert made.out == (
        "fox: a bot in python that plays party-bugs\n\n"
        "  edit    fox/strategy.py\n"
        "  play    arena match --game party-bugs --bots ./fox,greedy\n"
        "  check   arena check ./fox\n"
        "  submit  arena submit ./fox\n"
    )
    manifest = tomllib.loads((tmp_path / "fox" / "bot.toml").read_text())
    assert (manifest["name"], manifest["author"], manifest["games"]) == ("fox", "Ada", ["party-bugs"])
    play = next(line.split("arena ")[1] for line in made.out.splitlines() if "arena match" in line)
    ended = arena(*play.split(), "--unsafe", "--seed", "1", "--json")
    assert ended.code == 0, ended.err
    again = arena("init", "fox", "--language", "python")
    assert (again.code, again.out, again.err) == (
        2,
        "",
        "arena: expected a new or empty folder, got fox, in which there is something\n",
    )


def test_a_script_reads_what_was_made(here: Arena, tmp_path: Path) -> None:
    plain = json.loads(here("init", str(tmp_path / "fox"), "--language", "py", "--author", "A", "--json").out)
    folder = str(tmp_path / "fox")
    assert plain == {
        "name": "fox",
        "folder": folder,
        "language": "python",
        "games": ["*"],
        "author": "A",
        "edit": f"{folder}/strategy.py",
        "build": [],
    }


def test_the_author_is_whom_git_knows(arena: Arena, tmp_path: Path) -> None:
    config = tmp_path / "gitconfig"
    config.write_text("[user]\n\tname = Grace Höpper\n")
    ended = arena("init", "fox", "--language", "python", GIT_CONFIG_GLOBAL=str(config))
    assert ended.code == 0, ended.err
    assert tomllib.loads((tmp_path / "fox" / "bot.toml").read_text())["author"] == "Grace Höpper"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["fox"], "--language: expected one of "),
        (["fox", "--language", "pythn"], "did you mean 'python'?"),
        (["f.x", "--language", "python"], "expected a bot's name of at most 40 letters"),
        (["fox", "--language", "python", "--game", "lady-bugs"], "did you mean 'ladybugs'?"),
        (["fox", "--language", "python", "--author", "two\nlines"], "expected an author's name on one line"),
    ],
)
def test_bad_input_is_one_sentence_and_makes_nothing(
    words: list[str], sentence: str, here: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = here("init", *words)
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert sentence in ended.err
    assert list(tmp_path.iterdir()) == []
