"""A database that is newer, damaged or not ours is refused in one sentence, and stays as it is."""

import contextlib
import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.errors import UserError
from arena.home import Home
from ladder.store import Store, StoreError
from ladder.store.database import existing
from tests.ladder.synthetic import NOW, SPEC, Scene, block, fill, scene

ROOT = Path(__file__).parents[2]


def text(path: Path) -> None:
    path.write_text("Dear diary, today I played on a ladder.\n" * 100)


def somebodys(path: Path) -> None:
    _run(path, "CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')")


def somebodys_with_alembic(path: Path) -> None:
    _run(path, "CREATE TABLE alembic_version (version_num TEXT); INSERT INTO alembic_version VALUES ('ae1027a6acf')")


def without_revision(path: Path) -> None:
    _run(path, "CREATE TABLE alembic_version (version_num TEXT)")


def newer(path: Path) -> None:
    scene(path.parent)
    _run(path, "UPDATE alembic_version SET version_num = 'ladder_9999'")


def truncated(path: Path) -> None:
    fill(scene(path.parent), range(20))
    path.write_bytes(path.read_bytes()[:5000])


def header_alone(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + bytes(2000))


def noise(path: Path) -> None:
    fill(scene(path.parent), range(20))
    data = path.read_bytes()
    path.write_bytes(data[:100] + random.Random(1).randbytes(4000) + data[4100:])


def folder(path: Path) -> None:
    path.mkdir()


BAD = [
    (text, "is no ladder database"),
    (somebodys, "is no ladder database"),
    (somebodys_with_alembic, "is no ladder database"),
    (without_revision, "is no ladder database"),
    (newer, "is of a newer arena: expected ladder_0003 or older, got ladder_9999"),
    (truncated, "is damaged"),
    (header_alone, "is (damaged|no ladder database)"),
    (noise, "is damaged"),
    (folder, "is no ladder database"),
]


def _run(path: Path, script: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


@pytest.mark.parametrize(("make", "words"), BAD, ids=lambda value: getattr(value, "__name__", ""))
def test_a_bad_database_is_told_and_stays(make: Callable[[Path], None], words: str, tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.path.mkdir()
    path = home.path / "ladder.db"
    make(path)
    before = path.is_dir() or path.read_bytes()
    for use in (Store.open, existing):
        with pytest.raises(StoreError, match=words) as raised:
            use(home)
        assert str(path) in str(raised.value)
    assert (path.is_dir() or path.read_bytes()) == before


def test_damage_further_in_is_told_when_it_is_met(tmp_path: Path) -> None:
    here = scene(tmp_path / "home")
    fill(here, range(60))
    path = here.home.path / "ladder.db"
    data = path.read_bytes()
    path.write_bytes(data[:16384] + b"\x55" * (len(data) - 16384))
    with Store.open(here.home) as store, pytest.raises(StoreError, match="is damaged"):
        store.finished(here.ladder)


def test_an_empty_file_is_no_database_yet(tmp_path: Path) -> None:
    here = Home(tmp_path)
    (tmp_path / "ladder.db").touch()
    with pytest.raises(StoreError, match="no ladder was played there yet"):
        existing(here)
    with Store.open(here) as store:
        assert store.players() == {}


def test_who_only_looks_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no ladder was played there yet"):
        existing(Home(tmp_path / "nowhere"))
    assert list(tmp_path.iterdir()) == []


def test_a_writer_that_takes_too_long_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ladder.store.database.PRAGMAS", ("foreign_keys=ON", "busy_timeout=1"))
    here = scene(tmp_path / "home")
    with contextlib.closing(sqlite3.connect(here.home.path / "ladder.db")) as other, Store.open(here.home) as store:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="is held by another process"):
            store.plan(here.ladder, [block(here, 0)], now=NOW)
        assert store.blocks(here.ladder) == []
        other.rollback()
        store.plan(here.ladder, [block(here, 0)], now=NOW)


OPEN = """
import os, sys
from pathlib import Path
from arena.errors import UserError
from arena.home import Home
from ladder.store import Lock, Store
os.setgid(65534), os.setuid(65534)
for use in (Store.open, lambda home: Lock.take(home, "plays chess", now=1.0)):
    try:
        use(Home(Path(sys.argv[1])))
    except UserError as error:
        print(error)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become somebody else")
@pytest.mark.parametrize("mode", [0o755, 0o700])
def test_a_home_that_cannot_be_written_is_told(mode: int) -> None:
    """In a folder that others can reach, which pytest's own is not."""
    shell = (
        'mount -t tmpfs tmpfs /mnt && mkdir -p /mnt/home/records && chmod "$1" /mnt/home/records /mnt/home && '
        '"$2" -c "$3" /mnt/home'
    )
    unshared = ["unshare", "-m", "--propagation", "private", "sh", "-c", shell, "sh"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [*unshared, f"{mode:o}", sys.executable, OPEN]
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    said = ended.stdout.splitlines()
    assert len(said) == 2, ended
    assert all("expected a writable folder" in line for line in said)


def test_errors_are_for_users(tmp_path: Path) -> None:
    assert issubclass(StoreError, UserError)
    here: Scene = scene(tmp_path)
    with Store.open(here.home) as store:
        assert store.ladder(SPEC, now=NOW) == here.ladder
