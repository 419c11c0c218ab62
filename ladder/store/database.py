"""The ladder's database file: found sound or refused in one sentence, brought up to date, read and written.

All that is SQLite's own is in here: a reading transaction sees one moment, a writing one is on the disk when it ends.
Nobody but SQLite may open the file: closing it once would end all locks that this process has on it, and the next
reader elsewhere would take the write-ahead log of a ladder that plays for a dead one's, and remove it.
"""

import contextlib
import io
import os
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DatabaseError as AnyError
from sqlalchemy.exc import IntegrityError, ProgrammingError

from arena.home import Home
from ladder.store.errors import StoreError, explained, reason
from ladder.store.migrations import PREFIX, REVISIONS

PATIENCE_MS = 20_000  # for another process that writes; each of its transactions takes milliseconds
PRAGMAS = ("foreign_keys=ON", "synchronous=FULL", f"busy_timeout={PATIENCE_MS}")


class Database:
    """One database file and its connections; for one thread at a time."""

    def __init__(self, path: Path, engine: Engine) -> None:
        self.path = path
        self._engine = engine

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees the database as it is at its first query, whoever writes meanwhile."""
        with self._explaining(), self._engine.connect() as connection, connection.begin():
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is on the disk when this ends, or has changed nothing."""
        writing = {"writes": True}
        with self._explaining(), self._engine.execution_options(**writing).begin() as connection:
            yield connection

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    @contextlib.contextmanager
    def _explaining(self) -> Iterator[None]:
        try:
            yield
        except (IntegrityError, ProgrammingError):
            raise  # a mistake of this program, not of its user
        except AnyError as error:
            self._engine.dispose()  # what failed to write is opened anew
            raise explained(self.path, error.orig) from None


def create(home: Home) -> Database:
    """The database of a home, made if it is missing and brought up to date."""
    _check_writable(home)
    path = home.ladders
    revision = _revision(path)
    with _said(path), contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    database = Database(path, _engine(path))
    if revision is None:
        _use_wal(database)
    if revision != REVISIONS[-1]:
        _migrate(database)
    return database


def existing(home: Home) -> Database:
    """The database of a home for those who only look; StoreError if nothing is there."""
    found = if_there(home)
    if found is None:
        raise StoreError(f"expected a ladder in {home.path}, got none: no ladder was played there yet")
    return found


def if_there(home: Home) -> Database | None:
    """The database of a home, brought up to date; None if nothing is there."""
    revision = _revision(home.ladders)
    if revision is None:
        return None
    return create(home) if revision != REVISIONS[-1] else Database(home.ladders, _engine(home.ladders))


# Whether a file is ours


def _revision(path: Path) -> str | None:
    """Which of our revisions a file is at; None where nothing is yet, StoreError if it is not for us."""
    if _is_missing(path):
        return None
    try:
        with contextlib.closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not tables:
                return None
            found = connection.execute("SELECT version_num FROM alembic_version") if "alembic_version" in tables else []
            return _known(path, [str(name) for (name,) in found])
    except sqlite3.Error as error:
        raise explained(path, error) from None


def _is_missing(path: Path) -> bool:
    with _said(path):
        found = path.stat() if path.exists() else None
    if found is not None and not stat.S_ISREG(found.st_mode):
        raise explained_as_foreign(path)
    return found is None or found.st_size == 0


def _known(path: Path, names: list[str]) -> str:
    if len(names) != 1 or not names[0].startswith(PREFIX):
        raise explained_as_foreign(path)
    if names[0] not in REVISIONS:
        raise StoreError(
            f"the ladder's database {path} is of a newer arena: expected {REVISIONS[-1]} or older, "
            f"got {names[0]}; use that arena, or another --home"
        )
    return names[0]


def explained_as_foreign(path: Path) -> StoreError:
    """The sentence for a file that somebody else has made."""
    return StoreError(f"{path} is no ladder database: move it away or choose another --home")


def _check_writable(home: Home) -> None:
    home.folder("records")  # says what is wrong with a home in its own words
    if not os.access(home.path, os.W_OK | os.X_OK):
        raise StoreError(
            f"expected a writable folder for the ladder's database, got {home.path}: choose another --home"
        )


@contextlib.contextmanager
def _said(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"the ladder's database {path} cannot be used: {reason(error)}") from None


# SQLite as we want it


def _engine(path: Path) -> Engine:
    engine = create_engine(URL.create("sqlite", database=str(path)))
    event.listen(engine, "connect", _connected)
    event.listen(engine, "begin", _begun)
    return engine


def _connected(connection: Any, _: object) -> None:
    connection.isolation_level = None  # the driver begins no transactions of its own
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def _begun(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _use_wal(database: Database) -> None:
    """Readers and the one writer then do not wait for each other; the file remembers it."""
    try:
        with contextlib.closing(sqlite3.connect(database.path)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
    except sqlite3.Error as error:
        raise explained(database.path, error) from None


def _migrate(database: Database) -> None:
    """Run what is missing, in one transaction; whoever comes second finds it done."""
    from alembic import command  # noqa: PLC0415 - takes a third of a second, and is seldom needed
    from alembic.config import Config  # noqa: PLC0415

    config = Config(stdout=io.StringIO())
    folder = Path(__file__).parent / "migrations"
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    with database.writing() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, REVISIONS[-1])
