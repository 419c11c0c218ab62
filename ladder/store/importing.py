"""What an export holds becomes part of a home, in one transaction, records first; where both disagree, nothing does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, insert, select

from arena import failpoints, record
from arena.home import Home
from ladder.model import Block, PlayerId
from ladder.store import arrival, database, results, secret
from ladder.store.arrival import Arriving, Content
from ladder.store.errors import StoreError
from ladder.store.lock import Lock
from ladder.store.results import Fields
from ladder.store.rows import Ladder, Rated
from ladder.store.store import entered, ladder_of, put_blocks, rating_row
from ladder.store.tables import matches, ratings, seats

SEAT = [seats.c[name] for name in ("seat", "player_id", "place", "score", "fault_kind", "fault_decision", "micros")]


@dataclass(frozen=True)
class Imported:
    """What an import has brought."""

    ladders: tuple[Ladder, ...]
    new: int  # matches
    known: int  # matches that were here before


def import_ladders(home: Home, path: Path, *, now: float) -> Imported:
    """Bring the ladders of an export into a home; importing one again changes nothing."""
    content = arrival.read(path)
    with Lock.take(home, f"an import of {path.name}", now=now):
        base = database.create(home)
        try:
            with base.writing() as connection:
                return _put(connection, home, content)
        finally:
            base.close()


def _put(connection: Connection, home: Home, content: Content) -> Imported:
    ids = {
        one.id: entered(
            connection,
            one.name,
            one.sha256,
            one.first_seen,
            anchor=one.anchor,
            author=one.author,
            description=one.description,
        ).id
        for one in content.players.values()
    }
    before = results.known(connection, content.records)
    found = [_put_ladder(connection, home, content.path, arriving, ids) for arriving in content.ladders]
    _write_files(home, content, before)
    failpoints.reach("in the import")
    return Imported(tuple(found), len(content.records) - len(before), len(before))


def _put_ladder(
    connection: Connection, home: Home, path: Path, arriving: Arriving, ids: Mapping[PlayerId, PlayerId]
) -> Ladder:
    ladder = ladder_of(connection, arriving.ladder.spec, now=arriving.ladder.created)
    if arriving.secret is not None and secret.read(home, ladder.spec) not in (None, arriving.secret):
        raise _disagree(path, ladder, "another secret")
    planned = [Block(one.number, tuple(ids[player] for player in one.lineup)) for one in arriving.blocks]
    try:
        put_blocks(connection, ladder, planned, arriving.planned)
    except StoreError as error:
        raise _disagree(path, ladder, f"other blocks ({error})") from None
    found = [
        (row, [{**seat, "player_id": ids[seat["player_id"]]} for seat in taken]) for row, taken in arriving.matches
    ]
    known = results.known(connection, (row["match_id"] for row, _ in found))
    _compare(connection, path, ladder, [one for one in found if one[0]["match_id"] in known])
    results.store_rows(connection, ladder, [one for one in found if one[0]["match_id"] not in known])
    _put_ratings(connection, ladder, arriving.rated, ids)
    return ladder


def _compare(connection: Connection, path: Path, ladder: Ladder, found: Sequence[tuple[Fields, list[Fields]]]) -> None:
    """StoreError unless these matches are here with the same results."""
    for piece in results.pieces(found):
        names = [row["match_id"] for row, _ in piece]
        query = select(matches.c.match_id, *SEAT).join(seats, seats.c.match == matches.c.id)
        stored: dict[str, list[Fields]] = {name: [] for name in names}
        for seat in connection.execute(query.where(matches.c.match_id.in_(names)).order_by(seats.c.seat)).mappings():
            stored[seat["match_id"]].append({column.name: seat[column.name] for column in SEAT})
        for row, taken in piece:
            if stored[row["match_id"]] != [{column.name: seat[column.name] for column in SEAT} for seat in taken]:
                raise _disagree(path, ladder, f"another result of match {row['match_id']}")


def _put_ratings(
    connection: Connection, ladder: Ladder, rated: Sequence[Rated], ids: Mapping[PlayerId, PlayerId]
) -> None:
    """Add those that are not here: what this home has folded itself stays."""
    columns = (ratings.c.player_id, ratings.c.block, ratings.c.rotation)
    there = {tuple(row) for row in connection.execute(select(*columns).where(ratings.c.ladder_id == ladder.id))}
    mapped = [Rated(one.block, one.rotation, ids[one.player], one.before, one.after) for one in rated]
    new = [rating_row(ladder, one) for one in mapped if (one.player, one.block, one.rotation) not in there]
    if new:
        connection.execute(insert(ratings), new)


def _write_files(home: Home, content: Content, before: set[str]) -> None:
    """Records that are new or were lost, then the secrets: the last thing before all of it counts."""
    paths = {record.path_of(home, name): (name, data) for name, data in content.records.items()}
    missing = {path: data for path, (name, data) in paths.items() if name not in before or not path.exists()}
    try:
        record.replace_files(missing)
    except record.RecordError as error:
        raise StoreError(str(error)) from None
    for arriving in content.ladders:
        if arriving.secret is not None:
            secret.write(home, arriving.ladder.spec, arriving.secret)


def _disagree(path: Path, ladder: Ladder, what: str) -> StoreError:
    return StoreError(
        f"{path} was not imported: this home has {what} for its ladder of {ladder.spec.game}; "
        "import it into another --home"
    )
