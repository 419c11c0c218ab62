"""The store: what is kept comes back exactly, once, in order, and nothing that does not belong is taken."""

import random
import sqlite3
import struct
import subprocess
import sys
from array import array
from dataclasses import replace
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from arena import record
from arena.home import Home
from arena.limits import Limits
from arena.match import MatchSpec, TimeControl
from ladder.model import Block, Rating, in_order
from ladder.store import Checkpoint, LadderSpec, Played, Rated, Store, StoreError, Views, match_id, migrations, tables
from ladder.store.results import packed, unpacked
from ladder.store.rows import ALPHABET
from tests.ladder.synthetic import NOW, SPEC, Scene, block, fill, played, scene, sha256
from tests.ladder.synthetic import rated as rated_of


@pytest.fixture
def here(tmp_path: Path) -> Scene:
    return scene(tmp_path / "home")


# The file


def test_the_file_is_its_owners_and_survives_a_crash(here: Scene) -> None:
    path = here.home.path / "ladder.db"
    assert path.stat().st_mode & 0o777 == 0o600
    with Store.open(here.home) as store, store._base.writing() as connection:
        pragmas = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")
        }
        assert pragmas == {"journal_mode": "wal", "synchronous": 2}
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
        assert (path.parent / "ladder.db-wal").stat().st_mode & 0o777 == 0o600


def test_the_migrations_make_the_tables(here: Scene) -> None:
    engine = create_engine(f"sqlite:///{here.home.path / 'ladder.db'}")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, tables.metadata) == []
        assert context.get_current_revision() == migrations.REVISIONS[-1]
    engine.dispose()


def test_every_migration_is_listed_in_order() -> None:
    folder = Path(migrations.__file__).parent / "versions"
    texts = [path.read_text() for path in sorted(folder.glob("v*.py"))]
    named = [next(line for line in text.splitlines() if line.startswith("revision")) for text in texts]
    assert named == [f'revision = "{name}"' for name in migrations.REVISIONS]
    assert all(name.startswith(migrations.PREFIX) for name in migrations.REVISIONS)


READER = """
import sys
from pathlib import Path
from arena.home import Home
from ladder.store import Store, Views
with getattr(sys.modules["ladder.store"], sys.argv[2]).open(Home(Path(sys.argv[1]))) as there:
    print(len(there.players()))
"""


@pytest.mark.parametrize("kind", ["Views", "Store"])
def test_readers_come_and_go_while_a_ladder_writes(here: Scene, kind: str) -> None:
    def seen_elsewhere() -> int:
        command = [sys.executable, "-c", READER, str(here.home.path), kind]
        return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    wal = here.home.path / "ladder.db-wal"
    with Store.open(here.home) as store:
        store.enter("one", sha256(101), now=NOW)
        log = wal.stat().st_ino
        with Views.open(here.home) as views:  # as the live table does: this must end no lock of the store
            assert len(views.players()) == 6
        assert seen_elsewhere() == 6
        assert wal.stat().st_ino == log, "the log of a ladder that still writes was removed"
        store.enter("two", sha256(102), now=NOW)
        assert seen_elsewhere() == 7


# Ladders and their secrets


OTHERS = [
    replace(SPEC, game="chess"),
    replace(SPEC, options={**SPEC.options, "hidden_card": True}),
    replace(SPEC, options={**SPEC.options, "hidden_card": 0}),
    replace(SPEC, seats=None),
    replace(SPEC, seats=4),
    replace(SPEC, time=TimeControl(1, 10_000)),
    replace(SPEC, time=TimeControl(1_000, 1)),
    replace(SPEC, level="none"),
    replace(SPEC, limits=Limits(memory_mb=64)),
    replace(SPEC, seed=0),
    replace(SPEC, seed=10**30),
]


def test_whatever_differs_is_another_ladder(here: Scene) -> None:
    with Store.open(here.home) as store:
        found = [store.ladder(spec, now=NOW + 1) for spec in (SPEC, *OTHERS)]
        assert found[0] == here.ladder
        assert [one.spec for one in found] == [SPEC, *OTHERS]
        assert len({one.id for one in found}) == len(found)
        assert [one.practice for one in found] == [False] * 10 + [True] * 2


def test_the_order_of_options_makes_no_other_ladder() -> None:
    swapped = dict(reversed(list(SPEC.options.items())))
    assert list(swapped) != list(SPEC.options)
    assert replace(SPEC, options=swapped).key == SPEC.key


def test_a_secret_is_made_once_and_is_its_owners(here: Scene) -> None:
    with Store.open(here.home) as store:
        secret = store.secret(here.ladder)
        assert len(bytes.fromhex(secret)) == 16
        assert store.secret(here.ladder) == secret
        assert store.secret(store.ladder(OTHERS[0], now=NOW)) != secret
    (path, _) = sorted((here.home.path / "secrets").iterdir(), key=lambda path: path.read_text().strip() != secret)
    assert path.stat().st_mode & 0o777 == 0o600
    assert (here.home.path / "secrets").stat().st_mode & 0o777 == 0o700
    assert secret.encode() not in (here.home.path / "ladder.db").read_bytes()


def test_a_practice_ladder_has_the_secret_of_its_seed(tmp_path: Path) -> None:
    found = set()
    for folder, seed in (("a", 7), ("b", 7), ("c", 8)):
        one = scene(tmp_path / folder, spec=replace(SPEC, seed=seed))
        with Store.open(one.home) as store:
            found.add(store.secret(one.ladder))
        assert not (one.home.path / "secrets").exists()
    assert len(found) == 2


def test_a_lost_secret_is_told_not_remade(here: Scene) -> None:
    with Store.open(here.home) as store:
        store.secret(here.ladder)
        store.plan(here.ladder, [block(here, 0)], now=NOW)
        (path,) = (here.home.path / "secrets").iterdir()
        path.write_text("0123")
        with pytest.raises(StoreError, match="is damaged: expected 32"):
            store.secret(here.ladder)
        path.unlink()
        with pytest.raises(StoreError, match="secret of this ladder is missing"):
            store.secret(here.ladder)
        assert not path.exists()


# Players


def test_a_player_is_entered_once_and_versions_count_contents(here: Scene) -> None:
    with Store.open(here.home) as store:
        first = store.enter("mine", "a" * 64, now=1, author="me")
        second = store.enter("mine", "b" * 64, now=2)
        anchor = store.enter("mine", "b" * 64, now=3, anchor=True)
        assert store.enter("mine", "a" * 64, now=4, author="you") == first
        assert [one.version for one in (first, second, anchor)] == [1, 2, 2]
        assert store.enter("mine", "c" * 64, now=5, anchor=True).version == 3
        assert store.enter("other", "a" * 64, now=6).version == 1
        assert len({one.id for one in (first, second, anchor)}) == 3
        assert store.players()[anchor.id] == anchor
        assert len(store.players()) == len(here.players) + 5


# Blocks


def test_blocks_are_planned_in_order_and_once(here: Scene) -> None:
    planned = [block(here, number) for number in range(4)]
    with Store.open(here.home) as store:
        store.plan(here.ladder, planned[:2], now=NOW)
        store.plan(here.ladder, planned, now=NOW + 5)
        store.plan(here.ladder, [planned[1]], now=NOW)
        assert store.blocks(here.ladder) == planned
        assert store.blocks(here.ladder, from_block=3) == planned[3:]


def test_what_cannot_be_planned_is_told(here: Scene) -> None:
    ids = [player.id for player in here.players]
    wrong = [
        (Block(2, (ids[0], ids[1])), "expected block 1 to be planned next, got 2"),
        (Block(0, (ids[1], ids[0])), "planned for other players"),
        (Block(1, (ids[0], ids[0])), "nobody twice"),
        (Block(1, (ids[0],)), "two players or more"),
        (Block(1, (ids[0], 999)), "expected players of this home, got .999."),
    ]
    with Store.open(here.home) as store:
        store.plan(here.ladder, [Block(0, (ids[0], ids[1]))], now=NOW)
        for one, words in wrong:
            with pytest.raises(StoreError, match=words):
                store.plan(here.ladder, [one], now=NOW)
        assert [one.number for one in store.blocks(here.ladder)] == [0]


def test_what_is_left_to_play_is_planned_minus_stored(here: Scene) -> None:
    planned = [block(here, number) for number in range(3)]
    with Store.open(here.home) as store:
        store.plan(here.ladder, planned, now=NOW)
        store.keep(here.ladder, [played(here, planned[0], rotation) for rotation in range(3)])
        store.keep(here.ladder, [played(here, planned[2], 1)])
        left = [(one.block, one.missing) for one in store.unfinished(here.ladder)]
        assert left == [(planned[1], (0, 1, 2)), (planned[2], (0, 2))]


# Results


def test_results_come_back_in_the_canonical_order(here: Scene) -> None:
    planned = [block(here, number) for number in range(6)]
    batch = [
        played(here, of, rotation, faulty=[1] if of.number == 2 else []) for of in planned for rotation in range(3)
    ]
    random.Random(1).shuffle(batch)
    with Store.open(here.home) as store:
        store.plan(here.ladder, planned, now=NOW)
        for start in range(0, len(batch), 4):
            store.keep(here.ladder, batch[start : start + 4])
        found = store.finished(here.ladder)
        assert found == in_order(found)
        assert store.finished(here.ladder, from_block=4) == [one for one in found if one.block >= 4]
        assert store.unfinished(here.ladder) == []
    by_key = {(one.block, one.rotation): one.result for one in batch}
    for one in found:
        assert one.places == by_key[one.block, one.rotation].places
        assert one.players == planned[one.block].seated(one.rotation)
        assert one.faulty == ((1,) if one.block == 2 else ())
    assert len(found) == 18


def test_a_result_is_kept_once_with_its_record(here: Scene) -> None:
    of = block(here, 0)
    first, second = played(here, of, 0), played(here, of, 1)
    names = [one.result.spec.match_id for one in (first, second)]
    with Store.open(here.home) as store:
        store.plan(here.ladder, [of], now=NOW)
        assert store.keep(here.ladder, [first]).new == (names[0],)
        before = store.finished(here.ladder)
        other = replace(first, result=replace(first.result, places=(3, 2, 1), scores=(9, 9, 9)))
        kept = store.keep(here.ladder, [other, second])
        assert (kept.new, kept.known) == ((names[1],), (names[0],))
        assert store.finished(here.ladder)[:1] == before
    assert record.read(record.path_of(here.home, names[0])) == first.result
    assert record.read(record.path_of(here.home, names[1])) == second.result


def test_what_does_not_belong_is_not_kept(here: Scene) -> None:
    of = block(here, 0)
    good = played(here, of, 0)
    spec = good.result.spec
    strange = replace(spec.entrants[0], sha256="f" * 64)
    wrong = [
        (replace(good, block=1), "expected a planned block, got 1"),
        (replace(good, rotation=3), "expected a rotation below 3, got 3"),
        (replace(good, rotation=1), "rotation 1: expected match"),
        (_with(good, replace(spec, game="chess")), "expected the ladder's game"),
        (_with(good, replace(spec, options={})), "expected the ladder's game, options"),
        (_with(good, replace(spec, time=TimeControl(1, 2))), "expected the ladder's game, options and time"),
        (_with(good, replace(spec, entrants=(strange, *spec.entrants[1:]))), "expected the bots of block 0"),
        (_with(good, replace(spec, match_id="elsewhere")), "got elsewhere"),
    ]
    with Store.open(here.home) as store:
        store.plan(here.ladder, [of], now=NOW)
        for one, words in wrong:
            with pytest.raises(StoreError, match=words):
                store.keep(here.ladder, [played(here, of, 1), one])
        assert store.finished(here.ladder) == []
    assert list(record.stored(here.home)) == []


def _with(one: Played, spec: MatchSpec) -> Played:
    return replace(one, result=replace(one.result, spec=spec))


def test_match_ids_are_fixed_short_and_lie_together() -> None:
    ids = [match_id(SPEC, number, rotation) for number in range(128) for rotation in range(6)]
    assert len(set(ids)) == len(ids)
    assert all(len(one) == 12 and set(one) <= set(ALPHABET) for one in ids)
    assert len({one[:2] for one in ids}) == 2
    assert match_id(SPEC, 77, 2) == "7bn9x4spdgw5"
    assert match_id(replace(SPEC, seats=4), 0, 0) not in ids


def test_thinking_times_are_packed_exactly() -> None:
    times = [0, 1, 2**32 - 1, 2**40, 77]
    assert packed(times) == struct.pack("<5I", 0, 1, 2**32 - 1, 2**32 - 1, 77)
    assert unpacked(packed(times)) == array("I", [0, 1, 2**32 - 1, 2**32 - 1, 77])


def test_a_seats_own_decisions_are_timed_the_substitutes_are_not(here: Scene) -> None:
    of = block(here, 0)
    one = played(here, of, 0, faulty=[1])
    with Store.open(here.home) as store:
        store.plan(here.ladder, [of], now=NOW)
        store.keep(here.ladder, [one])
    with sqlite3.connect(here.home.path / "ladder.db") as connection:
        rows = connection.execute(
            "SELECT seat, micros, fault_kind, fault_decision, fault_sentence FROM seats"
        ).fetchall()
    connection.close()
    for seat, data, *fault in rows:
        own = [each.micros for each in one.result.decisions if each.seat == seat and not each.substitute]
        assert list(unpacked(data)) == own
        assert fault == (["illegal", 2, "answered nonsense"] if seat == 1 else [None] * 3)
    assert [len(data) for _, data, *_ in rows] == [24, 8, 24]


# Ratings


def test_ratings_are_kept_to_the_last_bit(here: Scene) -> None:
    of = block(here, 0)
    batch = [played(here, of, rotation) for rotation in range(3)]
    values = [0.1 + 0.2, 25 / 3, 5e-324, 1e308, -7.1, 2**-40]
    with Store.open(here.home) as store:
        store.plan(here.ladder, [of], now=NOW)
        told = [
            Rated(0, rotation, player, Rating(values[rotation], 1.0), Rating(values[rotation + 3], values[rotation]))
            for rotation in range(3)
            for player in of.lineup
        ]
        store.keep(here.ladder, batch, rated=told, checkpoint=Checkpoint(0, "a"))
        assert store.ratings(here.ladder) == {player: Rating(values[5], values[2]) for player in of.lineup}
        assert store.checkpoint(here.ladder) == Checkpoint(0, "a")


def test_a_repeated_fold_replaces_what_it_said(here: Scene) -> None:
    of = block(here, 0)
    batch = [played(here, of, rotation) for rotation in range(3)]
    told = [change for one in batch for change in rated_of(one, of)]
    with Store.open(here.home) as store:
        store.plan(here.ladder, [of], now=NOW)
        store.keep(here.ladder, batch[:2], rated=told[:6])
        store.keep(here.ladder, batch[2:], rated=told, checkpoint=Checkpoint(0, "a"))
        store.keep(here.ladder, [], rated=told[-3:], checkpoint=Checkpoint(0, "b"))
        assert store.ratings(here.ladder) == {one.player: one.after for one in told[-3:]}
        assert store.checkpoint(here.ladder) == Checkpoint(0, "b")


def test_recomputed_ratings_take_the_place_of_all(here: Scene) -> None:
    fill(here, range(150))
    with Store.open(here.home) as store:
        last = store.checkpoint(here.ladder)
        assert last is not None
        assert last.block == 149
        earlier = store.checkpoint(here.ladder, up_to=148)
        assert earlier is not None
        assert earlier.block == 99
        assert store.checkpoint(here.ladder, up_to=98) is None
        told = [Rated(0, 0, block(here, 0).lineup[0], Rating(1, 2), Rating(3, 4))]
        store.replace_ratings(here.ladder, told, [Checkpoint(0, "new")])
        assert store.ratings(here.ladder) == {told[0].player: Rating(3, 4)}
        assert store.checkpoint(here.ladder) == Checkpoint(0, "new")


def test_a_rating_of_no_match_is_refused_whole(here: Scene) -> None:
    of = block(here, 0)
    with Store.open(here.home) as store:
        store.plan(here.ladder, [of], now=NOW)
        with pytest.raises(Exception, match="FOREIGN KEY"):
            store.keep(here.ladder, [played(here, of, 0)], rated=rated_of(played(here, of, 1), of))
        assert store.finished(here.ladder) == []
        assert store.keep(here.ladder, [played(here, of, 0)]).new


# Ladders beside each other


def test_ladders_of_one_home_do_not_mix(here: Scene) -> None:
    fill(here, range(2))
    other = scene(here.home.path, spec=replace(SPEC, seats=2))
    fill(other, range(3), seats=2)
    with Store.open(here.home) as store:
        assert len(store.finished(here.ladder)) == 6
        assert len(store.finished(other.ladder)) == 6
        assert len(store.blocks(other.ladder)) == 3
        store.replace_ratings(other.ladder, [])
        assert store.ratings(other.ladder) == {}
        assert store.ratings(here.ladder) != {}


def test_a_home_that_was_made_by_hand_can_be_used(tmp_path: Path) -> None:
    home = Home(tmp_path / "per%cent 'quoted' ünïcode?#")
    home.path.mkdir()
    with Store.open(home) as store:
        assert store.enter("a", sha256(1), now=NOW).version == 1
    with Store.open(home) as store:
        assert len(store.players()) == 1
    assert sorted(path.name for path in home.path.iterdir()) == ["ladder.db", "records"]
    assert [path.name for path in tmp_path.iterdir()] == [home.path.name]


def test_a_key_reads_well() -> None:
    assert LadderSpec("g", {}).key == "g {} seats:any time:1000+10000 sandbox:none"
    assert '"memory_mb":64' in LadderSpec("g", {}, limits=Limits(memory_mb=64)).key
