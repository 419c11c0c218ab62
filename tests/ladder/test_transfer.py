"""Ladders travel whole from home to home, once, and only where they fit."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena import record
from arena.errors import UserError
from arena.home import Home
from ladder.model import Block
from ladder.store import (
    Ladder,
    Lock,
    LockError,
    Store,
    StoreError,
    Views,
    Wanted,
    export_ladders,
    import_ladders,
    secret,
)
from tests.ladder.exports import members, pack
from tests.ladder.synthetic import NOW, SPEC, Scene, block, fill, played, rated, scene

BLOCKS = 6


@pytest.fixture
def here(tmp_path: Path) -> Scene:
    found = scene(tmp_path / "here")
    with Store.open(found.home) as store:
        store.secret(found.ladder)
    fill(found, range(BLOCKS), faulty=[2])
    return found


@pytest.fixture
def file(here: Scene, tmp_path: Path) -> Path:
    export_ladders(here.home, tmp_path / "file")
    return tmp_path / "file"


@pytest.fixture
def there(tmp_path: Path) -> Home:
    return Home(tmp_path / "there")


def bring(home: Home, path: Path) -> tuple[int, int]:
    brought = import_ladders(home, path, now=NOW + 9)
    return brought.new, brought.known


def seen(home: Home) -> dict[str, Any]:
    """Everything that a home shows, without the numbers that it has given to players."""
    with Views.open(home) as views:
        told: dict[str, Any] = {"players": {_who(row.player): (row.author, row.first_seen) for row in views.players()}}
        for ladder in views.ladders():
            by_id = {row.player.id: row.player for row in views.players()}
            told[ladder.spec.key] = (
                ladder.created,
                {_who(one.player): (one.tally, one.rating, one.change) for one in views.standings(ladder)},
                [_plain(row) for row in views.matches(Wanted(ladder=ladder))],
                {_who(by_id[player]): views.history(ladder, player) for player in by_id},
                {_who(by_id[player]): sorted(views.micros(ladder, player)) for player in by_id},
            )
    told["records"] = {path.name: path.read_bytes() for path in record.stored(home)}
    return told


def _who(player: Any) -> tuple[Any, ...]:
    return player.name, player.version, player.sha256, player.anchor


def _plain(row: Any) -> tuple[Any, ...]:
    seats = [(_who(seat.player), seat.place, seat.score, seat.fault) for seat in row.seats]
    return row.match_id, row.block, row.rotation, row.ended, row.decisions, row.attempts, row.level, seats


def everything(home: Home) -> dict[str, bytes]:
    """Every file of a home but those that reading alone touches."""
    return {
        path.relative_to(home.path).as_posix(): path.read_bytes()
        for path in home.path.rglob("*")
        if path.is_file() and not path.name.endswith(("-shm", "-wal", ".lock"))
    }


# There and back


def test_a_ladder_is_the_same_elsewhere(here: Scene, file: Path, there: Home) -> None:
    assert bring(there, file) == (18, 0)
    assert seen(there) == seen(here.home)
    with Views.open(there) as views:
        assert all(one.rating for one in views.standings(views.ladders()[0]))


def test_importing_twice_changes_nothing(here: Scene, file: Path, there: Home) -> None:
    bring(there, file)
    before = everything(there)
    assert bring(there, file) == (0, 18)
    assert bring(here.home, file) == (0, 18)
    assert everything(there).keys() == before.keys()
    assert seen(there) == seen(here.home)


def test_a_lost_record_comes_back(here: Scene, file: Path) -> None:
    path = next(record.stored(here.home))
    before = path.read_bytes()
    path.unlink()
    assert bring(here.home, file) == (0, 18)
    assert path.read_bytes() == before


def test_ids_of_players_are_those_of_the_new_home(here: Scene, file: Path, there: Home) -> None:
    with Store.open(there) as store:
        for number in range(9):
            store.enter(f"native-{number}", f"{number + 100:064x}", now=NOW)
        other = store.enter("bot-3", "f" * 64, now=NOW)
        same = store.enter(here.players[1].name, here.players[1].sha256, now=NOW)
    bring(there, file)
    with Store.open(there) as store:
        ladder = store.ladder(SPEC, now=NOW)
        found = {player.name: player for player in store.players().values() if player.id != other.id}
        assert found["bot-1"] == same
        assert (found["bot-3"].version, other.version) == (2, 1)
        names = {player.id: player.name for player in here.players}
        for one in store.blocks(ladder):
            lineup = block(here, one.number).lineup
            assert one.lineup == tuple(found[names[player]].id for player in lineup)


def test_a_later_export_adds_what_is_new(here: Scene, file: Path, there: Home, tmp_path: Path) -> None:
    bring(there, file)
    fill(here, range(BLOCKS, BLOCKS + 2))
    export_ladders(here.home, tmp_path / "later")
    assert bring(there, tmp_path / "later") == (6, 18)
    assert bring(there, file) == (0, 18)
    assert seen(there) == seen(here.home)


def test_all_ladders_of_a_home_or_the_wanted_ones(here: Scene, tmp_path: Path) -> None:
    other = scene(here.home.path, spec=replace(SPEC, seats=2, seed=7))
    fill(other, range(3), seats=2)
    assert export_ladders(here.home, tmp_path / "all").ladders == (here.ladder, other.ladder)
    assert export_ladders(here.home, tmp_path / "one", wanted=[other.ladder]).matches == 6
    assert bring(Home(tmp_path / "there"), tmp_path / "one") == (6, 0)
    assert bring(Home(tmp_path / "there"), tmp_path / "all") == (18, 6)
    assert seen(Home(tmp_path / "there")) == seen(here.home)


def test_a_running_ladder_is_exported_up_to_its_first_gap(here: Scene, there: Home, tmp_path: Path) -> None:
    with Store.open(here.home) as store, Lock.take(here.home, "plays party-bugs", now=NOW):
        gap, after = block(here, BLOCKS), block(here, BLOCKS + 1)
        store.plan(here.ladder, [gap, after], now=NOW)
        store.keep(here.ladder, [played(here, gap, 1), *(played(here, after, rotation) for rotation in range(3))])
        told = export_ladders(here.home, tmp_path / "file")
        assert (told.matches, told.left_out) == (18, 4)
    assert bring(there, tmp_path / "file") == (18, 0)
    with Store.open(there) as store:
        ladder = store.ladder(SPEC, now=NOW)
        assert len(store.blocks(ladder)) == BLOCKS
        assert store.unfinished(ladder) == []


def test_a_ladder_without_blocks_travels_too(tmp_path: Path, there: Home) -> None:
    export_ladders(scene(tmp_path / "here").home, tmp_path / "file")
    assert bring(there, tmp_path / "file") == (0, 0)
    with Views.open(there) as views:
        assert [one.spec for one in views.ladders()] == [SPEC]


def test_how_deals_are_given_travels_too(tmp_path: Path, there: Home) -> None:
    own = replace(SPEC, own_deals=True)
    export_ladders(scene(tmp_path / "here", spec=own).home, tmp_path / "file")
    bring(there, tmp_path / "file")
    with Views.open(there) as views:
        assert [one.spec for one in views.ladders()] == [own]


def test_an_export_of_an_older_arena_says_nothing_of_deals(file: Path, there: Home) -> None:
    content = members(file)
    assert b'"own_deals":false' in content["ladders.jsonl"]
    pack(file, content | {"ladders.jsonl": content["ladders.jsonl"].replace(b'"own_deals":false,', b"")})
    assert bring(there, file) == (18, 0)
    with Views.open(there) as views:
        assert [one.spec for one in views.ladders()] == [SPEC]


def test_no_checkpoint_travels(file: Path, there: Home) -> None:
    bring(there, file)
    with Store.open(there) as store:
        assert store.checkpoint(store.ladder(SPEC, now=NOW)) is None


BRING = """
import sys
from pathlib import Path
from arena.home import Home
from ladder.store import import_ladders
import_ladders(Home(Path(sys.argv[1])), Path(sys.argv[2]), now=1.0)
"""


def test_an_import_that_is_killed_can_be_repeated(here: Scene, file: Path, there: Home, tmp_path: Path) -> None:
    root, log = Path(__file__).parents[2], tmp_path / "log"
    killing = {"ARENA_FAILPOINT": "in the import", "ARENA_FAILPOINT_LOG": str(log), "PYTHONPATH": str(root)}
    command = [sys.executable, "-c", BRING, str(there.path), str(file)]
    killed = subprocess.run(command, env={**os.environ, **killing}, cwd=root, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert log.read_text() == "in the import\n"
    with Views.open(there) as views:
        assert (views.ladders(), views.players()) == ([], [])
    assert bring(there, file) == (18, 0)
    assert seen(there) == seen(here.home)


# Secrets


def test_a_secret_stays_at_home_unless_asked_for(here: Scene, file: Path, there: Home, tmp_path: Path) -> None:
    with Store.open(here.home) as store:
        known = store.secret(here.ladder)
    assert file.stat().st_mode & 0o777 == 0o600
    assert known.encode() not in b"".join(members(file).values())
    bring(there, file)
    with Store.open(there) as store:
        ladder = store.ladder(SPEC, now=NOW)
        with pytest.raises(StoreError, match="secret of this ladder is missing"):
            store.secret(ladder)
    export_ladders(here.home, tmp_path / "whole", with_secret=True)
    bring(there, tmp_path / "whole")
    with Store.open(there) as store:
        assert store.secret(ladder) == known
    assert secret.path_of(there, SPEC).stat().st_mode & 0o777 == 0o600


def test_another_secret_is_not_replaced(here: Scene, there: Home, tmp_path: Path) -> None:
    export_ladders(here.home, tmp_path / "whole", with_secret=True)
    secret.write(there, SPEC, "0" * 32)
    _refused(there, tmp_path / "whole", "this home has another secret for its ladder of party-bugs")
    assert secret.read(there, SPEC) == "0" * 32


# Homes that disagree


def test_another_result_of_the_same_match_is_refused(here: Scene, file: Path, tmp_path: Path) -> None:
    other = scene(tmp_path / "other")
    with Store.open(other.home) as store:
        of = block(other, 0)
        store.plan(other.ladder, [of], now=NOW)
        mine = played(other, of, 0, faulty=[0])
        store.keep(other.ladder, [mine], rated=rated(mine, of))
    _refused(other.home, file, f"this home has another result of match {mine.result.spec.match_id}")


def test_other_blocks_are_refused(here: Scene, file: Path, tmp_path: Path) -> None:
    other = scene(tmp_path / "other")
    with Store.open(other.home) as store:
        store.plan(other.ladder, [Block(0, tuple(player.id for player in other.players[:3]))], now=NOW)
    _refused(other.home, file, "this home has other blocks .block 0 is planned for other players")


def test_a_home_in_which_a_ladder_runs_is_left_alone(file: Path, there: Home) -> None:
    with Lock.take(there, "plays party-bugs", now=NOW), pytest.raises(LockError, match="is in use by plays party-bugs"):
        import_ladders(there, file, now=NOW)


def _refused(home: Home, path: Path, words: str) -> None:
    with Store.open(home) as store:
        players = store.players()
    before = everything(home)
    with pytest.raises(UserError, match=words):
        import_ladders(home, path, now=NOW)
    after = everything(home)
    assert after.pop("ladder.db") is not None
    assert before.pop("ladder.db") is not None
    assert after == before
    with Store.open(home) as store:
        assert store.players() == players


# Exporting


def test_what_cannot_be_exported_is_told(here: Scene, file: Path, tmp_path: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(StoreError, match="expected a new file to export to"):
        export_ladders(here.home, file)
    assert file.read_bytes() == before
    with pytest.raises(StoreError, match="was not written: No such file or directory"):
        export_ladders(here.home, tmp_path / "no" / "folder")
    with pytest.raises(StoreError, match="no ladder was played there yet"):
        export_ladders(Home(tmp_path / "nowhere"), tmp_path / "new")
    next(record.stored(here.home)).unlink()
    with pytest.raises(StoreError, match="cannot be exported without its records"):
        export_ladders(here.home, tmp_path / "new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "here"]
    assert isinstance(here.ladder, Ladder)
