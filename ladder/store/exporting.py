"""Ladders into a file, to be taken to another home: results with their records, ratings, and who played.

Of a ladder that runs, what is written is one moment: all blocks up to the first that is not complete.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, select

from arena import __version__, record
from arena.home import Home
from ladder.store import archive, database, secret
from ladder.store.archive import Fields
from ladder.store.errors import StoreError
from ladder.store.rows import Ladder
from ladder.store.store import as_ladder
from ladder.store.tables import blocks, ladders, matches, players, ratings


@dataclass(frozen=True)
class Exported:
    """What an export holds."""

    path: Path
    ladders: tuple[Ladder, ...]
    matches: int
    left_out: int  # results of blocks that are not complete, or come after one that is not


@dataclass
class _Snapshot:
    """All rows to be written, as they were at one moment."""

    ladders: list[Ladder]
    rows: dict[str, list[Fields]]
    names: list[str]  # of the matches
    left_out: int = 0


def export_ladders(
    home: Home, path: Path, *, wanted: Sequence[Ladder] | None = None, with_secret: bool = False
) -> Exported:
    """Write ladders, or all of a home, into a new file; their secrets only if asked for."""
    base = database.existing(home)
    try:
        with base.reading() as connection:
            snapshot = _snapshot(connection, wanted)
    finally:
        base.close()
    snapshot.rows["secrets"] = [*_secrets(home, snapshot.ladders)] if with_secret else []
    manifest = {"arena": __version__, **{kind: len(snapshot.rows[kind]) for kind in archive.ROWS}}
    archive.write(path, manifest, snapshot.rows, _records(home, snapshot.names))
    return Exported(path, tuple(snapshot.ladders), len(snapshot.names), snapshot.left_out)


def _snapshot(connection: Connection, wanted: Sequence[Ladder] | None) -> _Snapshot:
    found = [as_ladder(row) for row in connection.execute(select(ladders).order_by(ladders.c.id))]
    chosen = found if wanted is None else [one for one in found if one in wanted]
    snapshot = _Snapshot(chosen, {kind: [] for kind in archive.ROWS}, [])
    for number, ladder in enumerate(chosen):
        snapshot.rows["ladders"].append(_ladder_row(ladder))
        _add_ladder(connection, snapshot, number, ladder)
    playing = {player for row in snapshot.rows["blocks"] for player in row["lineup"]}
    everybody = connection.execute(select(players).order_by(players.c.id)).mappings()
    snapshot.rows["players"] = [dict(row) for row in everybody if row["id"] in playing]
    return snapshot


def _ladder_row(ladder: Ladder) -> Fields:
    spec = ladder.spec
    return {
        "game": spec.game,
        "options": dict(spec.options),
        "seats": spec.seats,
        "allowance_ms": spec.time.allowance_ms,
        "bank_ms": spec.time.bank_ms,
        "level": spec.level,
        "seed": None if spec.seed is None else str(spec.seed),
        "limits": spec.limits.plain(),
        "own_deals": spec.own_deals,
        "created": ladder.created,
    }


def _add_ladder(connection: Connection, snapshot: _Snapshot, number: int, ladder: Ladder) -> None:
    end = _first_incomplete(connection, ladder)
    for row in _ordered(connection, blocks, ladder, end, blocks.c.number):
        snapshot.rows["blocks"].append(
            {"ladder": number, "number": row.number, "lineup": json.loads(row.lineup), "planned": row.planned}
        )
    for row in _ordered(connection, matches, ladder, end, matches.c.block, matches.c.rotation):
        snapshot.names.append(row.match_id)
        fields = {name: getattr(row, name) for name in ("block", "rotation", "ended", "attempts")}
        snapshot.rows["matches"].append({"ladder": number, "match": row.match_id, **fields})
    for row in _ordered(connection, ratings, ladder, end, ratings.c.block, ratings.c.rotation, ratings.c.player_id):
        fields = {
            name: getattr(row, name) for name in ("block", "rotation", "mu_before", "sigma_before", "mu", "sigma")
        }
        snapshot.rows["ratings"].append({"ladder": number, "player": row.player_id, **fields})
    beyond = select(func.count()).where(matches.c.ladder_id == ladder.id, matches.c.block >= end)
    snapshot.left_out += connection.scalar(beyond) or 0


def _first_incomplete(connection: Connection, ladder: Ladder) -> int:
    """The number after the last block that is complete together with all before it."""
    of_ladder = blocks.c.ladder_id == ladder.id
    first = connection.scalar(select(func.min(blocks.c.number)).where(of_ladder, ~blocks.c.complete))
    count = connection.scalar(select(func.count()).select_from(blocks).where(of_ladder)) or 0
    return count if first is None else first


def _ordered(connection: Connection, table: Any, ladder: Ladder, end: int, *order: Any) -> Any:
    return connection.execute(select(table).where(table.c.ladder_id == ladder.id, order[0] < end).order_by(*order))


def _secrets(home: Home, chosen: Sequence[Ladder]) -> Iterator[Fields]:
    for number, ladder in enumerate(chosen):
        found = secret.read(home, ladder.spec)
        if found is not None and not ladder.practice:
            yield {"ladder": number, "secret": found}


def _records(home: Home, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    for name in names:
        path = record.path_of(home, name)
        try:
            yield name, path.read_bytes()
        except FileNotFoundError:
            raise StoreError(f"a ladder cannot be exported without its records: expected {path}, got none") from None
