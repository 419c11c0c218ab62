"""Where the home lies, who may read it, and what is said when it cannot be used."""

import stat
from pathlib import Path

import platformdirs
import pytest

from arena.errors import unknown
from arena.home import Home, HomeError


def test_the_option_goes_before_the_variable_before_the_platform(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "variable"))
    assert Home.find(tmp_path / "option").path == tmp_path / "option"
    assert Home.find().path == tmp_path / "variable"
    monkeypatch.setenv("ARENA_HOME", "")
    assert Home.find().path == Path(platformdirs.user_data_dir("arena", appauthor=False))


def test_a_relative_home_stays_where_it_was_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert Home.find(Path("here")).path == tmp_path / "here"


def test_folders_come_when_asked_for_and_are_private(tmp_path: Path) -> None:
    home = Home(tmp_path / "deep" / "home")
    assert not home.path.exists()
    for folder in (home.records, home.runtime, home.path):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert home.records == home.path / "records"


def test_a_home_that_is_a_file_is_told_with_a_way_out(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    with pytest.raises(HomeError, match=r"got .*/home \(file exists\): choose another with --home or ARENA_HOME"):
        _ = Home(tmp_path / "home").records


def test_a_home_that_cannot_be_written_is_told_with_a_way_out() -> None:
    with pytest.raises(HomeError, match="choose another with --home or ARENA_HOME"):
        _ = Home(Path("/proc/arena")).records


@pytest.mark.parametrize(
    ("name", "known", "sentence"),
    [
        ("ladybug", ["ladybugs", "party-bugs"], "expected an option, got 'ladybug': did you mean 'ladybugs'?"),
        ("zzz", ["b", "a"], "expected an option, got 'zzz': known here: a, b"),
        ("zzz", [], "expected an option, got 'zzz': none is known here"),
    ],
)
def test_an_unknown_name_gets_a_hint(name: str, known: list[str], sentence: str) -> None:
    assert str(unknown("option", name, known)) == sentence
