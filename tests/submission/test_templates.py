"""Templates and what becomes of them: manifests keep their layout, folders are whole, and nothing is overwritten."""

import stat
import tomllib
from pathlib import Path

import pytest

from arena import bots
from arena.bots import BotError
from arena.submission import templates

ROOT = Path(__file__).parents[2]
MANIFEST = """# What arena reads.
name = "my-bot"   # yours, "really" #1
author = 'you'
games = [
    "*",  # all of them
]
run = ["python", "bot.py"]

[limits]
name = "not this one"
"""


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Templates of our own, in the place of those that are shipped."""
    folder = tmp_path / "shelf"
    monkeypatch.setattr(templates, "_shipped", lambda place: folder if place.startswith("agents") else ROOT / place)
    for name in ("python", "cpp"):
        (folder / name / "src").mkdir(parents=True)
        (folder / name / "bot.toml").write_text(MANIFEST.replace("[limits]", 'leftovers = ["target"]\n[limits]'))
    return folder


def test_values_change_and_nothing_else_does() -> None:
    wanted = MANIFEST.replace('name = "my-bot"', 'name = "fox"').replace("'you'", '"Ada \\"A\\" Löw"')
    wanted = wanted.replace('[\n    "*",  # all of them\n]', '["party-bugs"]')
    values: dict[str, str | list[str]] = {"name": "fox", "author": 'Ada "A" Löw', "games": ["party-bugs"]}
    assert templates.changed(MANIFEST, values) == wanted
    assert tomllib.loads(wanted)["author"] == 'Ada "A" Löw'


def test_a_missing_key_is_added_above_the_tables() -> None:
    text = templates.changed(MANIFEST.replace("author = 'you'\n", ""), {"author": "Ada"})
    assert tomllib.loads(text) == tomllib.loads(MANIFEST) | {"author": "Ada"}
    assert text.endswith(MANIFEST.split("author")[1].partition("\n")[2])


@pytest.mark.parametrize("language", templates.languages())
def test_every_template_becomes_a_bot_of_its_own_name(language: str, tmp_path: Path) -> None:
    made = templates.create(tmp_path / "fox-1", language, games=["ladybugs"], author="Ada")
    manifest = tomllib.loads((made.folder / "bot.toml").read_text())
    source = tomllib.loads((templates.languages()[language] / "bot.toml").read_text())
    assert manifest == source | {"name": "fox-1", "author": "Ada", "games": ["ladybugs"]}
    assert made.strategy is not None
    assert made.strategy.is_file()
    copied = {path.relative_to(made.folder) for path in made.folder.glob("proto/**/*.proto")}
    assert copied == {path.relative_to(ROOT) for path in ROOT.glob("proto/**/*.proto")}
    if not manifest.get("build"):
        assert bots.read(made.folder).games == ("ladybugs",)


def test_dotfiles_and_rights_come_along_and_leftovers_stay(shelf: Path, tmp_path: Path) -> None:
    source = shelf / "cpp"
    (source / ".clang-format").write_text("ColumnLimit: 100\n")
    (source / "generate").write_text("#!/bin/sh\n")
    (source / "generate").chmod(0o555)
    (source / "src" / "Strategy.cpp").write_text("// here\n")
    for left in ("target", "vendor", "node_modules", "__pycache__"):
        (source / left).mkdir()
        (source / left / "file").write_text("large")
    made = templates.create(tmp_path / "fox", "C++", games=["*"], author="")
    assert sorted(path.name for path in made.folder.iterdir()) == [
        ".clang-format",
        "bot.toml",
        "generate",
        "proto",
        "src",
    ]
    assert stat.S_IMODE((made.folder / "generate").stat().st_mode) == 0o755
    assert made.strategy == made.folder / "src" / "Strategy.cpp"


@pytest.mark.parametrize("name", ["a.b", "-x", "x" * 41, "ä"])
def test_a_name_that_no_bot_may_have_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(BotError, match="expected a bot's name of at most 40 letters"):
        templates.create(tmp_path / name, "python", games=["*"], author="")
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_stays(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    templates.create(tmp_path / "empty", "python", games=["*"], author="")
    before = (tmp_path / "empty" / "bot.toml").read_text()
    with pytest.raises(BotError, match=r"expected a new or empty folder, got .*empty, in which there is something"):
        templates.create(tmp_path / "empty", "python", games=["ladybugs"], author="")
    assert (tmp_path / "empty" / "bot.toml").read_text() == before
    (tmp_path / "file").write_text("")
    with pytest.raises(BotError, match="which is a file"):
        templates.create(tmp_path / "file", "python", games=["*"], author="")
    with pytest.raises(BotError, match=r"expected to make .*, got: not a directory"):
        templates.create(tmp_path / "file" / "bot", "python", games=["*"], author="")


@pytest.mark.parametrize(
    ("language", "words"),
    [("pyton", "did you mean 'python'"), ("cobol", "known here: cpp, python"), ("c", "docs/stdio.md")],
)
def test_an_unknown_language_gets_the_nearest_or_the_bridge(language: str, words: str, shelf: Path) -> None:
    with pytest.raises(BotError, match="expected a language with a template, got") as caught:
        templates.template(language)
    assert words in str(caught.value)
    assert "lines of JSON" in str(caught.value)
