"""A finished match as rows, and the one way in which rows of results come into the database."""

import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import Connection, and_, func, insert, select, update

from arena.match import Fault, MatchResult
from ladder.model import Block
from ladder.store.errors import StoreError
from ladder.store.rows import Ladder, Played, match_id
from ladder.store.tables import blocks, matches, seats

MOST_MICROS = 2**32 - 1
AT_ONCE = 500  # values in one IN (...); every database takes so many
Item = TypeVar("Item")
Fields = dict[str, Any]


def packed(micros: Iterable[int]) -> bytes:
    """Thinking times as little-endian uint32."""
    times = array("I", (min(one, MOST_MICROS) for one in micros))
    if sys.byteorder == "big":
        times.byteswap()
    return times.tobytes()


def unpacked(data: bytes) -> "array[int]":
    """The times that were packed."""
    times = array("I")
    times.frombytes(data)
    if sys.byteorder == "big":
        times.byteswap()
    return times


def pieces(items: Iterable[Item], size: int = AT_ONCE) -> Iterator[list[Item]]:
    """The items in short lists."""
    left = iter(items)
    while piece := list(islice(left, size)):
        yield piece


def known(connection: Connection, ids: Iterable[str]) -> set[str]:
    """Which of these matches are stored."""
    return {
        found
        for piece in pieces(ids)
        for found in connection.scalars(select(matches.c.match_id).where(matches.c.match_id.in_(piece)))
    }


def check(ladder: Ladder, block: Block, played: Played, contents: dict[int, str]) -> None:
    """StoreError unless a result is of the match that it is said to be; `contents` are the players' sha256."""
    spec, rotation = played.result.spec, played.rotation
    if rotation not in block.rotations:
        raise StoreError(f"block {block.number}: expected a rotation below {len(block.lineup)}, got {rotation}")
    wanted = match_id(ladder.spec, block.number, rotation)
    if spec.match_id != wanted:
        raise StoreError(f"block {block.number}, rotation {rotation}: expected match {wanted}, got {spec.match_id}")
    if (spec.game, dict(spec.options), spec.time) != (ladder.spec.game, dict(ladder.spec.options), ladder.spec.time):
        raise StoreError(f"match {wanted}: expected the ladder's game, options and time, got others")
    if [one.sha256 for one in spec.entrants] != [contents[player] for player in block.seated(rotation)]:
        raise StoreError(f"match {wanted}: expected the bots of block {block.number}, got others in its seats")


def store(connection: Connection, ladder: Ladder, lineups: dict[int, Block], played: Sequence[Played]) -> None:
    """Put checked results that are new into the database, and mark the blocks that they complete."""
    store_rows(
        connection,
        ladder,
        [(match_row(one), seat_rows(one.result, lineups[one.block].seated(one.rotation))) for one in played],
    )


def store_rows(connection: Connection, ladder: Ladder, found: Sequence[tuple[Fields, list[Fields]]]) -> None:
    """Put rows of matches, each with those of its seats, into the database, and mark the blocks that they complete."""
    if not found:
        return
    connection.execute(insert(matches), [{"ladder_id": ladder.id, **row} for row, _ in found])
    ids = {
        name: number
        for piece in pieces(row["match_id"] for row, _ in found)
        for name, number in connection.execute(
            select(matches.c.match_id, matches.c.id).where(matches.c.match_id.in_(piece))
        )
    }
    taken = [{"match": ids[row["match_id"]], **seat} for row, of_match in found for seat in of_match]
    connection.execute(insert(seats), taken)
    _complete(connection, ladder, {row["block"] for row, _ in found})


def match_row(played: Played) -> Fields:
    """What a match came to, without its ladder."""
    result = played.result
    return {
        "match_id": result.spec.match_id,
        "block": played.block,
        "rotation": played.rotation,
        "ended": played.ended,
        "decisions": len(result.decisions),
        "attempts": played.attempts,
        "level": ",".join(sorted({one.level for one in result.spec.entrants})),
        "faults": len(result.faults),
    }


def seat_rows(result: MatchResult, players: Sequence[int]) -> list[Fields]:
    """What each seat came to, without the number of the match."""
    faults = {fault.seat: fault for fault in result.faults}
    times: list[list[int]] = [[] for _ in players]
    for one in result.decisions:
        if not one.substitute:
            times[one.seat].append(one.micros)
    return [
        {
            "seat": seat,
            "player_id": player,
            "place": result.places[seat],
            "score": result.scores[seat],
            **_fault_columns(faults.get(seat)),
            "micros": packed(times[seat]),
        }
        for seat, player in enumerate(players)
    ]


def _fault_columns(fault: Fault | None) -> Fields:
    return {
        "fault_kind": fault and fault.kind.value,
        "fault_decision": fault and fault.decision,
        "fault_sentence": fault and fault.sentence,
    }


def _complete(connection: Connection, ladder: Ladder, numbers: Iterable[int]) -> None:
    stored = (
        select(func.count())
        .select_from(matches)
        .where(and_(matches.c.ladder_id == blocks.c.ladder_id, matches.c.block == blocks.c.number))
        .scalar_subquery()
    )
    for piece in pieces(numbers):
        connection.execute(
            update(blocks)
            .where(blocks.c.ladder_id == ladder.id, blocks.c.number.in_(piece), stored == blocks.c.seats)
            .values(complete=True)
        )
