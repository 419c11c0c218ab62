"""What was submitted in a home: players that take part in every ladder until somebody retires them.

A name belongs to whoever submits it first. Nothing is ever deleted: a retired version keeps its results.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from arena.home import Home
from ladder.model import Player, PlayerId
from ladder.store import database
from ladder.store.errors import StoreError
from ladder.store.store import as_player, entered
from ladder.store.tables import players, submissions


@dataclass(frozen=True)
class Offer:
    """What is handed in."""

    name: str
    sha256: str  # of what is played
    source: str  # sha256 of what was handed in, before it was built
    author: str
    description: str
    games: tuple[str, ...]  # ("*",) is every game


@dataclass(frozen=True)
class Submission:
    """One version of a bot as it was handed in."""

    player: Player
    author: str
    description: str
    games: tuple[str, ...]
    source: str
    submitted: float
    retired: float | None = None

    @property
    def reference(self) -> str:
        """What names this version on a command line."""
        return f"{self.player.name}@{self.player.version}"

    def plays(self, game: str) -> bool:
        """Whether it says that it can play the game."""
        return "*" in self.games or game in self.games


@dataclass(frozen=True)
class Submitted:
    """What came of handing something in."""

    submission: Submission
    new: bool  # else this content was here before
    revived: bool = False  # it was retired, and plays again


def submitted(home: Home) -> list[Submission]:
    """Everything that was ever submitted in a home, by name and version; nothing if there is no database yet."""
    there = database.if_there(home)
    if there is None:
        return []
    with _opened(there) as base, base.reading() as connection:
        return _all(connection)


def submit(home: Home, offer: Offer, *, now: float) -> Submitted:
    """Enter a submission; content that the name has had already stays the version that it is."""
    with _opened(database.create(home)) as base, base.writing() as connection:
        named = _of_name(connection, offer.name)
        _check_owner(offer, named)
        known = next((one for one in named if offer.source == one.source or offer.sha256 == one.player.sha256), None)
        if known is not None:
            _set_retired(connection, [known.player.id], None)
            return Submitted(_one(connection, known.player.id), new=False, revived=known.retired is not None)
        player = entered(
            connection,
            offer.name,
            offer.sha256,
            now,
            anchor=False,
            author=offer.author,
            description=offer.description,
        )
        connection.execute(insert(submissions).values({"player_id": player.id, **_fields(offer), "submitted": now}))
        return Submitted(_one(connection, player.id), new=True)


def check_name(home: Home, name: str, author: str) -> None:
    """StoreError if this author could not submit a bot of this name."""
    offer = Offer(name, "", "", author, "", ())
    _check_owner(offer, [one for one in submitted(home) if one.player.name == name])


def retire(home: Home, ids: Iterable[PlayerId], *, now: float) -> None:
    """Let these versions play in no further ladder; their results stay."""
    with _opened(database.create(home)) as base, base.writing() as connection:
        _set_retired(connection, list(ids), now)


def newest(found: Iterable[Submission]) -> dict[str, Submission]:
    """By name, the version that plays: the newest that is not retired."""
    playing = [one for one in found if one.retired is None]
    return {one.player.name: one for one in sorted(playing, key=lambda one: one.player.version)}


# Rows


@contextmanager
def _opened(base: database.Database) -> Iterator[database.Database]:
    try:
        yield base
    finally:
        base.close()


_QUERY = select(
    *(players.c[name] for name in ("id", "name", "version", "sha256", "anchor")),
    *(submissions.c[name] for name in ("source", "author", "description", "games", "submitted", "retired")),
).join(submissions, submissions.c.player_id == players.c.id)


def _all(connection: Connection) -> list[Submission]:
    return [_submission(row) for row in connection.execute(_QUERY.order_by(players.c.name, players.c.version))]


def _of_name(connection: Connection, name: str) -> list[Submission]:
    return [_submission(row) for row in connection.execute(_QUERY.where(players.c.name == name))]


def _one(connection: Connection, player: PlayerId) -> Submission:
    return _submission(connection.execute(_QUERY.where(players.c.id == player)).one())


def _submission(row: Row[Any]) -> Submission:
    games = tuple(json.loads(row.games))
    return Submission(as_player(row), row.author, row.description, games, row.source, row.submitted, row.retired)


def _fields(offer: Offer) -> dict[str, str]:
    return {
        "source": offer.source,
        "author": offer.author,
        "description": offer.description,
        "games": json.dumps(offer.games),
    }


def _check_owner(offer: Offer, named: Iterable[Submission]) -> None:
    owner = next((one.author for one in named), offer.author)
    if owner != offer.author:
        raise StoreError(
            f"expected a name of your own, got {offer.name}, which {owner} has submitted: choose another in bot.toml"
        )


def _set_retired(connection: Connection, ids: list[PlayerId], when: float | None) -> None:
    changed = submissions.c.retired.is_(None) if when is not None else submissions.c.retired.is_not(None)
    where = submissions.c.player_id.in_(ids) & changed
    connection.execute(update(submissions).where(where).values(retired=when))
