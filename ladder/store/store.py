"""Everything a ladder keeps: who plays, which blocks are planned, how their matches ended, and the ratings.

Results are append-only and idempotent by match id. A block is stored before it is played, a record before its result;
what a method has returned for is on the disk, so a ladder that is killed at any moment goes on from what it finds.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Connection, Row, delete, func, insert, select, tuple_, update

from arena import failpoints, record
from arena.home import Home
from arena.limits import Limits
from arena.match import TimeControl
from ladder.model import Block, Finished, Player, PlayerId, Rating
from ladder.store import database, results, secret
from ladder.store.errors import StoreError
from ladder.store.rows import Checkpoint, Kept, Ladder, LadderSpec, Played, Rated, Unfinished, canonical
from ladder.store.tables import blocks, checkpoints, ladders, matches, players, ratings, seats


class Store:
    """The store of one home, for those who play; for one thread at a time."""

    def __init__(self, home: Home, base: database.Database) -> None:
        self.home = home
        self._base = base

    @classmethod
    def open(cls, home: Home) -> Self:
        """The store of a home, made if it is missing; StoreError if something else is in its place."""
        return cls(home, database.create(home))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the database."""
        self._base.close()

    # Ladders and players

    def ladder(self, spec: LadderSpec, *, now: float) -> Ladder:
        """The ladder of this spec, entered if it is new."""
        with self._base.writing() as connection:
            return ladder_of(connection, spec, now=now)

    def secret(self, ladder: Ladder) -> str:
        """The 128 bits, in hexadecimal, that key the deals; made at the first use."""
        found = secret.read(self.home, ladder.spec)
        if found is not None:
            return found
        with self._base.reading() as connection:
            if connection.scalar(select(blocks.c.number).where(blocks.c.ladder_id == ladder.id).limit(1)) is not None:
                raise secret.lost(self.home, ladder.spec)
        return secret.make(self.home, ladder.spec)

    def enter(
        self, name: str, sha256: str, *, now: float, anchor: bool = False, author: str = "", description: str = ""
    ) -> Player:
        """The player that this content of a bot is; a content that the name has not had yet is its next version."""
        with self._base.writing() as connection:
            return entered(connection, name, sha256, now, anchor=anchor, author=author, description=description)

    def players(self) -> dict[PlayerId, Player]:
        """Everybody who has ever been entered."""
        with self._base.reading() as connection:
            return all_players(connection)

    # Blocks

    def plan(self, ladder: Ladder, planned: Sequence[Block], *, now: float) -> None:
        """Store the next blocks; those that are stored already with the same line-up stay as they are."""
        with self._base.writing() as connection:
            put_blocks(connection, ladder, planned, {block.number: now for block in planned})
        failpoints.reach("block planned")

    def blocks(self, ladder: Ladder, *, from_block: int = 0) -> list[Block]:
        """All planned blocks from this number on, in order."""
        with self._base.reading() as connection:
            return blocks_of(connection, ladder, from_block)

    def unfinished(self, ladder: Ladder) -> list[Unfinished]:
        """The blocks with rotations that have no result, in order: what is left to be played."""
        incomplete = (blocks.c.ladder_id == ladder.id) & ~blocks.c.complete
        stored = (
            select(matches.c.block, matches.c.rotation)
            .join(blocks, (blocks.c.ladder_id == matches.c.ladder_id) & (blocks.c.number == matches.c.block))
            .where(incomplete)
        )
        with self._base.reading() as connection:
            rows = connection.execute(select(blocks).where(incomplete).order_by(blocks.c.number)).all()
            there = {(block, rotation) for block, rotation in connection.execute(stored)}
        found = [_block(row) for row in rows]
        return [
            Unfinished(block, tuple(one for one in block.rotations if (block.number, one) not in there))
            for block in found
        ]

    def give_up(self, ladder: Ladder, numbers: Sequence[int]) -> None:
        """Nothing more will be played of these blocks; the results that they have stay, and count."""
        with self._base.writing() as connection:
            for piece in results.pieces(numbers):
                of_ladder = (blocks.c.ladder_id == ladder.id) & blocks.c.number.in_(piece)
                connection.execute(update(blocks).where(of_ladder).values(complete=True))

    # Results

    def keep(
        self,
        ladder: Ladder,
        played: Sequence[Played],
        *,
        rated: Sequence[Rated] = (),
        checkpoint: Checkpoint | None = None,
    ) -> Kept:
        """Keep a batch, records first; all of it is on the disk when this returns, else it can be tried again."""
        by_id = {one.result.spec.match_id: one for one in played}
        known, lineups = self._checked(ladder, by_id)
        new = [one for name, one in by_id.items() if name not in known]
        self._write_records(new)
        failpoints.reach("between record and commit")
        with self._base.writing() as connection:
            results.store(connection, ladder, lineups, new)
            put_ratings(connection, ladder, rated)
            if checkpoint is not None:
                put_checkpoints(connection, ladder, [checkpoint])
            failpoints.reach("in the commit")
        failpoints.reach("after the commit")
        return Kept(tuple(one.result.spec.match_id for one in new), tuple(sorted(known)))

    def _checked(self, ladder: Ladder, by_id: dict[str, Played]) -> tuple[set[str], dict[int, Block]]:
        """Which matches are stored already, and the blocks of all; StoreError for a result that does not belong."""
        with self._base.reading() as connection:
            known = results.known(connection, by_id)
            lineups = some_blocks(connection, ladder, {one.block for one in by_id.values()})
            wanted = {player for block in lineups.values() for player in block.lineup}
            contents = {
                row.id: row.sha256
                for piece in results.pieces(wanted)
                for row in connection.execute(select(players.c.id, players.c.sha256).where(players.c.id.in_(piece)))
            }
        for one in by_id.values():
            if one.block not in lineups:
                raise StoreError(f"expected a planned block, got {one.block}")
            results.check(ladder, lineups[one.block], one, contents)
        return known, lineups

    def _write_records(self, played: Sequence[Played]) -> None:
        try:
            record.write_all(self.home, [one.result for one in played])
        except record.RecordError as error:
            raise StoreError(str(error)) from None

    def finished(self, ladder: Ladder, *, from_block: int = 0) -> list[Finished]:
        """All results of blocks from this number on, in the canonical order, complete blocks or not."""
        query = (
            select(matches.c.block, matches.c.rotation, seats.c.player_id, seats.c.place, seats.c.fault_kind)
            .join(seats, seats.c.match == matches.c.id)
            .where(matches.c.ladder_id == ladder.id, matches.c.block >= from_block)
            .order_by(matches.c.block, matches.c.rotation, seats.c.seat)
        )
        with self._base.reading() as connection:
            rows = connection.execute(query).all()
        found: dict[tuple[int, int], list[tuple[int, int, bool]]] = {}
        for block, rotation, player, place, fault in rows:
            found.setdefault((block, rotation), []).append((player, place, fault is not None))
        return [_finished(block, rotation, taken) for (block, rotation), taken in found.items()]

    # Ratings, which are derived from the results

    def ratings(self, ladder: Ladder) -> dict[PlayerId, Rating]:
        """What is known of everybody who was rated, as far as results were folded."""
        ranked = select(
            ratings.c.player_id,
            ratings.c.mu,
            ratings.c.sigma,
            func.row_number()
            .over(partition_by=ratings.c.player_id, order_by=(ratings.c.block.desc(), ratings.c.rotation.desc()))
            .label("age"),
        ).where(ratings.c.ladder_id == ladder.id)
        newest = ranked.subquery()
        with self._base.reading() as connection:
            rows = connection.execute(select(newest).where(newest.c.age == 1)).all()
        return {row.player_id: Rating(row.mu, row.sigma) for row in rows}

    def rated(self, ladder: Ladder) -> list[Rated]:
        """All that matches did to ratings, in the order in which they were rated, then by player."""
        query = select(ratings).where(ratings.c.ladder_id == ladder.id)
        with self._base.reading() as connection:
            rows = connection.execute(query.order_by(ratings.c.block, ratings.c.rotation, ratings.c.player_id)).all()
        return [
            Rated(
                row.block,
                row.rotation,
                row.player_id,
                Rating(row.mu_before, row.sigma_before),
                Rating(row.mu, row.sigma),
            )
            for row in rows
        ]

    def checkpoint(self, ladder: Ladder, *, up_to: int | None = None) -> Checkpoint | None:
        """The last state of the fold, or the last one that includes no block after `up_to`."""
        query = select(checkpoints.c.block, checkpoints.c.state).where(checkpoints.c.ladder_id == ladder.id)
        if up_to is not None:
            query = query.where(checkpoints.c.block <= up_to)
        with self._base.reading() as connection:
            row = connection.execute(query.order_by(checkpoints.c.block.desc()).limit(1)).first()
        return None if row is None else Checkpoint(row.block, row.state)

    def replace_ratings(self, ladder: Ladder, rated: Sequence[Rated], states: Sequence[Checkpoint] = ()) -> None:
        """Put a recomputed history in the place of the stored one, at once."""
        with self._base.writing() as connection:
            connection.execute(delete(ratings).where(ratings.c.ladder_id == ladder.id))
            connection.execute(delete(checkpoints).where(checkpoints.c.ladder_id == ladder.id))
            put_ratings(connection, ladder, rated)
            put_checkpoints(connection, ladder, states)


# Rows in and out, on a connection of the caller's


def ladder_of(connection: Connection, spec: LadderSpec, *, now: float) -> Ladder:
    """The ladder of this spec, entered if it is new."""
    row = connection.execute(select(ladders).where(ladders.c.key == spec.key)).first()
    if row is None:
        values = {
            "key": spec.key,
            "game": spec.game,
            "options": canonical(spec.options),
            "seats": spec.seats,
            "allowance_ms": spec.time.allowance_ms,
            "bank_ms": spec.time.bank_ms,
            "level": spec.level,
            "seed": None if spec.seed is None else str(spec.seed),
            "limits": canonical(spec.limits.plain()),
            "own_deals": spec.own_deals,
            "created": now,
        }
        connection.execute(insert(ladders).values(values))
        row = connection.execute(select(ladders).where(ladders.c.key == spec.key)).one()
    return as_ladder(row)


def as_ladder(row: Row[Any]) -> Ladder:
    """The ladder of a row."""
    time = TimeControl(row.allowance_ms, row.bank_ms)
    seed = None if row.seed is None else int(row.seed)
    limits = Limits(**json.loads(row.limits))
    spec = LadderSpec(row.game, json.loads(row.options), row.seats, time, row.level, seed, limits, row.own_deals)
    return Ladder(row.id, spec, row.created)


def entered(
    connection: Connection, name: str, sha256: str, now: float, *, anchor: bool, author: str, description: str
) -> Player:
    """The player that this content of a bot is."""
    named = connection.execute(select(players).where(players.c.name == name)).all()
    for row in named:
        if row.sha256 == sha256 and row.anchor == anchor:
            return as_player(row)
    version = next((row.version for row in named if row.sha256 == sha256), None)
    values = {
        "name": name,
        "version": version or 1 + max((row.version for row in named), default=0),
        "sha256": sha256,
        "anchor": anchor,
        "author": author,
        "description": description,
        "first_seen": now,
    }
    wanted = (players.c.name == name) & (players.c.sha256 == sha256) & (players.c.anchor == anchor)
    connection.execute(insert(players).values(values))
    return as_player(connection.execute(select(players).where(wanted)).one())


def as_player(row: Row[Any]) -> Player:
    """The player of a row."""
    return Player(row.id, row.name, row.version, row.sha256, row.anchor)


def all_players(connection: Connection) -> dict[PlayerId, Player]:
    """Everybody, by id."""
    return {row.id: as_player(row) for row in connection.execute(select(players).order_by(players.c.id))}


def put_blocks(connection: Connection, ladder: Ladder, planned: Sequence[Block], times: Mapping[int, float]) -> None:
    """Store the next blocks; StoreError for a number that is not the next, or has another line-up."""
    stored = some_blocks(connection, ladder, {block.number for block in planned})
    last = connection.scalar(select(func.max(blocks.c.number)).where(blocks.c.ladder_id == ladder.id))
    due = 0 if last is None else last + 1
    new = [block for block in planned if block.number not in stored]
    for block in planned:
        if block.number in stored and stored[block.number] != block:
            raise StoreError(
                f"block {block.number} is planned for other players: expected {list(stored[block.number].lineup)}, "
                f"got {list(block.lineup)}"
            )
    for number, block in enumerate(new, start=due):
        if block.number != number:
            raise StoreError(f"expected block {number} to be planned next, got {block.number}")
        if len(block.lineup) < 2 or len(set(block.lineup)) != len(block.lineup):
            raise StoreError(f"block {number}: expected two players or more, nobody twice, got {list(block.lineup)}")
    _check_players(connection, {player for block in new for player in block.lineup})
    if new:
        connection.execute(insert(blocks), [_block_row(ladder, block, times[block.number]) for block in new])


def _check_players(connection: Connection, ids: set[PlayerId]) -> None:
    there = {
        found
        for piece in results.pieces(ids)
        for found in connection.scalars(select(players.c.id).where(players.c.id.in_(piece)))
    }
    if unknown := sorted(ids - there):
        raise StoreError(f"expected players of this home, got {unknown}")


def _block_row(ladder: Ladder, block: Block, now: float) -> dict[str, Any]:
    return {
        "ladder_id": ladder.id,
        "number": block.number,
        "lineup": json.dumps(block.lineup),
        "seats": len(block.lineup),
        "planned": now,
        "complete": False,
    }


def blocks_of(connection: Connection, ladder: Ladder, from_block: int = 0) -> list[Block]:
    """All blocks of a ladder from this number on."""
    query = select(blocks).where(blocks.c.ladder_id == ladder.id, blocks.c.number >= from_block)
    return [_block(row) for row in connection.execute(query.order_by(blocks.c.number))]


def some_blocks(connection: Connection, ladder: Ladder, numbers: Iterable[int]) -> dict[int, Block]:
    """Those of these blocks that are stored."""
    of_ladder = select(blocks).where(blocks.c.ladder_id == ladder.id)
    return {
        row.number: _block(row)
        for piece in results.pieces(numbers)
        for row in connection.execute(of_ladder.where(blocks.c.number.in_(piece)))
    }


def _block(row: Row[Any]) -> Block:
    return Block(row.number, tuple(json.loads(row.lineup)))


def _finished(block: int, rotation: int, taken: Sequence[tuple[int, int, bool]]) -> Finished:
    return Finished(
        block,
        rotation,
        players=tuple(player for player, _, _ in taken),
        places=tuple(place for _, place, _ in taken),
        faulty=tuple(seat for seat, (_, _, faulty) in enumerate(taken) if faulty),
    )


def put_ratings(connection: Connection, ladder: Ladder, rated: Sequence[Rated]) -> None:
    """Store what matches did to ratings; a fold that is repeated replaces what it said before."""
    if not rated:
        return
    key = tuple_(ratings.c.player_id, ratings.c.block, ratings.c.rotation)
    for piece in results.pieces(rated, 100):
        keys = [(one.player, one.block, one.rotation) for one in piece]
        connection.execute(delete(ratings).where(ratings.c.ladder_id == ladder.id, key.in_(keys)))
    connection.execute(insert(ratings), [rating_row(ladder, one) for one in rated])


def rating_row(ladder: Ladder, one: Rated) -> dict[str, Any]:
    """What a match did to a rating."""
    return {
        "ladder_id": ladder.id,
        "player_id": one.player,
        "block": one.block,
        "rotation": one.rotation,
        "mu_before": one.before.mu,
        "sigma_before": one.before.sigma,
        "mu": one.after.mu,
        "sigma": one.after.sigma,
    }


def put_checkpoints(connection: Connection, ladder: Ladder, states: Sequence[Checkpoint]) -> None:
    """Store states of the fold, in the place of earlier ones for the same blocks."""
    for one in states:
        of_block = (checkpoints.c.ladder_id == ladder.id) & (checkpoints.c.block == one.block)
        connection.execute(delete(checkpoints).where(of_block))
        connection.execute(insert(checkpoints).values(ladder_id=ladder.id, block=one.block, state=one.state))
