"""Submissions in the store: versions, owners, retirement, and databases that are older than they are."""

import contextlib
import dataclasses
import sqlite3
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config

from arena.home import Home
from ladder.store import (
    Ladder,
    Offer,
    Store,
    StoreError,
    Views,
    check_name,
    database,
    export_ladders,
    import_ladders,
    migrations,
    newest,
    retire,
    submit,
    submitted,
)
from ladder.store.rows import canonical
from tests.ladder.synthetic import NOW, SPEC, fill, scene, sha256

OFFER = Offer("my-bot", sha256(1), sha256(101), "ada", "Plays", ("party-bugs", "ladybugs"))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def offer(number: int, **changes: object) -> Offer:
    plain = dataclasses.replace(OFFER, sha256=sha256(number), source=sha256(100 + number))
    return dataclasses.replace(plain, **changes)  # type: ignore[arg-type]


def versions(home: Home) -> list[tuple[str, bool]]:
    return [(one.reference, one.retired is not None) for one in submitted(home)]


def test_versions_count_the_contents_of_a_name(home: Home) -> None:
    first = submit(home, offer(1), now=NOW)
    assert (first.new, first.submission.reference) == (True, "my-bot@1")
    assert first.submission.games == ("party-bugs", "ladybugs")
    assert submit(home, offer(2), now=NOW + 1).submission.player.version == 2
    assert submit(home, offer(3, name="other"), now=NOW).submission.player.version == 1
    again = submit(home, offer(1), now=NOW + 2)
    assert (again.new, again.revived, again.submission) == (False, False, first.submission)
    assert versions(home) == [("my-bot@1", False), ("my-bot@2", False), ("other@1", False)]


def test_what_is_built_otherwise_from_the_same_source_is_the_same_version(home: Home) -> None:
    submit(home, offer(1), now=NOW)
    again = submit(home, offer(1, sha256=sha256(9)), now=NOW)
    assert (again.new, again.submission.player.sha256) == (False, sha256(1))


def test_a_version_is_the_number_that_tables_show(home: Home) -> None:
    with Store.open(home) as store:
        played = store.enter("my-bot", sha256(7), now=NOW)
    assert submit(home, offer(7), now=NOW).submission.player == played
    assert submit(home, offer(8), now=NOW).submission.player.version == 2


def test_a_name_belongs_to_whoever_had_it_first(home: Home) -> None:
    check_name(home, "my-bot", "eve")
    submit(home, offer(1), now=NOW)
    check_name(home, "my-bot", "ada")
    with pytest.raises(StoreError, match="expected a name of your own, got my-bot, which ada has submitted"):
        check_name(home, "my-bot", "eve")
    with pytest.raises(StoreError, match="which ada has submitted"):
        submit(home, offer(2, author="eve"), now=NOW)
    assert versions(home) == [("my-bot@1", False)]


def test_the_newest_version_that_is_not_retired_plays(home: Home) -> None:
    one, two = (submit(home, offer(number), now=NOW).submission for number in (1, 2))
    assert newest(submitted(home)) == {"my-bot": two}
    retire(home, [two.player.id], now=NOW + 5)
    assert newest(submitted(home)) == {"my-bot": one}
    retire(home, [one.player.id, two.player.id], now=NOW + 9)
    assert newest(submitted(home)) == {}
    assert [found.retired for found in submitted(home)] == [NOW + 9, NOW + 5]
    back = submit(home, offer(2), now=NOW + 10)
    assert (back.new, back.revived, back.submission) == (False, True, two)
    assert newest(submitted(home)) == {"my-bot": two}


def test_nothing_is_made_by_looking(home: Home) -> None:
    assert submitted(home) == []
    assert not home.path.exists()


def test_retiring_takes_no_result_away(home: Home) -> None:
    here = scene(home.path)
    fill(here, range(3))
    with Views.open(home) as views:
        before = views.standings(here.ladder)
    for player in here.players:
        submit(home, offer(1, name=player.name, sha256=player.sha256, source=player.sha256), now=NOW)
    retire(home, [player.id for player in here.players], now=NOW)
    with Views.open(home) as views:
        assert views.standings(here.ladder) == before


def test_players_travel_with_an_export_and_submissions_stay(home: Home, tmp_path: Path) -> None:
    here = scene(home.path)
    fill(here, range(3))
    player = here.players[0]
    submit(home, offer(1, name=player.name, sha256=player.sha256), now=NOW)
    export_ladders(home, tmp_path / "file")
    elsewhere = Home(tmp_path / "elsewhere")
    import_ladders(elsewhere, tmp_path / "file", now=NOW)
    assert submitted(elsewhere) == []
    with Views.open(elsewhere) as views:
        assert views.players(player.name)[0].player.sha256 == player.sha256
    import_ladders(home, tmp_path / "file", now=NOW)
    assert len(submitted(home)) == 1


def as_of(home: Home, revision: str) -> None:
    """Make a database as an older arena left it."""
    home.folder("records")
    base = database.Database(home.ladders, database._engine(home.ladders))
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    config.set_main_option("path_separator", "os")
    with base.writing() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    base.close()


def test_a_database_without_submissions_gets_their_table_and_keeps_what_it_has(home: Home) -> None:
    as_of(home, "ladder_0001")
    with contextlib.closing(sqlite3.connect(home.ladders)) as connection, connection:
        connection.execute("INSERT INTO players VALUES (1, 'old', 1, ?, 0, 'ada', '', 5.0)", (sha256(1),))
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    assert "submissions" not in tables
    assert submitted(home) == []
    assert submit(home, offer(1, name="old"), now=NOW).submission.player.version == 1
    assert submit(home, offer(2, name="old"), now=NOW).submission.player.version == 2
    with Store.open(home) as store:
        assert [player.name for player in store.players().values()] == ["old", "old"]
        assert store.ladder(SPEC, now=NOW).id == 1


def test_ladders_of_an_older_database_share_their_deals(home: Home) -> None:
    as_of(home, "ladder_0002")
    row = (SPEC.key, SPEC.game, canonical(SPEC.options), SPEC.seats, SPEC.level, canonical(SPEC.limits.plain()))
    with contextlib.closing(sqlite3.connect(home.ladders)) as connection, connection:
        connection.execute("INSERT INTO ladders VALUES (1, ?, ?, ?, ?, 1000, 10000, ?, NULL, ?, 5.0)", row)
    with Store.open(home) as store:
        assert store.ladder(SPEC, now=NOW) == Ladder(1, SPEC, 5.0)
