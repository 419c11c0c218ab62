"""Ladders out of a file, into a home: everything is checked before anything is changed, and twice is as once.

What can be told from a record is told from it alone, so that no row can say otherwise. Checkpoints do not travel:
they belong to the ids of one home, and are made again by folding.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena import record
from arena.limits import LEAST, MOST, Limits
from arena.match import MatchResult, TimeControl
from ladder.model import Block, PlayerId, Rating
from ladder.store import archive, results
from ladder.store.archive import Row, damaged
from ladder.store.errors import StoreError
from ladder.store.results import Fields
from ladder.store.rows import Ladder, LadderSpec, Played, Rated, match_id

NAME = r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}|anchor [0-9]{1,2}"  # as bots and anchors are called
WORD = r"[a-z0-9][a-z0-9 -]{0,63}"
DIGITS = r"-?[0-9]{1,1000}"
MOST_SEATS = 64


@dataclass(frozen=True)
class Entry:
    """A player as its own home knew it."""

    id: PlayerId
    name: str
    sha256: str
    anchor: bool
    author: str
    description: str
    first_seen: float


@dataclass
class Arriving:
    """A ladder from elsewhere; players are named by the ids that they had there."""

    ladder: Ladder
    blocks: list[Block]
    planned: dict[int, float]
    matches: list[tuple[Fields, list[Fields]]]
    rated: list[Rated]
    secret: str | None = None


@dataclass
class Content:
    """A whole export, in which everything fits together."""

    path: Path
    players: dict[PlayerId, Entry]
    ladders: list[Arriving]
    records: dict[str, bytes]  # by match


@dataclass(frozen=True)
class _Match:
    """Which match comes next."""

    ladder: Arriving
    block: Block
    rotation: int
    ended: float
    attempts: int
    name: str


def read(path: Path) -> Content:
    """An export, checked to the last row; StoreError for anything else."""
    members = archive.read(path)
    rows = _rows(path, members)
    content = Content(path, _players(path, rows["players"]), [_ladder(row) for row in rows["ladders"]], {})
    for row in rows["blocks"]:
        _add_block(content, row)
    expected = [_match(content, row) for row in rows["matches"]]
    _check_complete(content, expected)
    for row in rows["ratings"]:
        _add_rating(content, row)
    for row in rows["secrets"]:
        _of(content, row).secret = row.text("secret", r"[0-9a-f]{32}")
    _check_single(content)
    _add_records(content, expected, members)
    return content


def _rows(path: Path, members: Iterator[tuple[str, bytes]]) -> dict[str, list[Row]]:
    """All rows by kind, as many as the manifest promises."""
    manifest = _manifest(path, _next(path, members, archive.MANIFEST))
    rows = {kind: archive.rows_of(path, kind, _next(path, members, f"{kind}.jsonl")) for kind in archive.ROWS}
    for kind, found in rows.items():
        if len(found) != manifest.whole(kind):
            raise damaged(path, f"{kind}: expected {manifest.whole(kind)} rows, got {len(found)}")
    return rows


def _manifest(path: Path, data: bytes) -> Row:
    rows = archive.rows_of(path, "manifest", data)
    if len(rows) != 1:
        raise damaged(path, "its manifest is not one line")
    rows[0].text("format", archive.FORMAT)
    if (version := rows[0].whole("version")) != archive.VERSION:
        raise StoreError(
            f"{path}: expected an export of version {archive.VERSION}, got {version}; a newer arena may read it"
        )
    return rows[0]


def _next(path: Path, members: Iterator[tuple[str, bytes]], wanted: str) -> bytes:
    name, data = next(members, ("nothing more", b""))
    if name != wanted:
        raise damaged(path, f"expected {wanted}, got {name}")
    return data


# Rows into values


def _players(path: Path, rows: Sequence[Row]) -> dict[PlayerId, Entry]:
    found = {}
    for row in rows:
        entry = Entry(
            row.whole("id", 1),
            row.text("name", NAME),
            row.text("sha256", r"[0-9a-f]{64}"),
            row.switch("anchor"),
            row.text("author"),
            row.text("description"),
            row.real("first_seen"),
        )
        found[entry.id] = entry
    if len({(one.name, one.sha256, one.anchor) for one in found.values()}) != len(rows):
        raise damaged(path, "players: expected everybody once")
    return found


def _ladder(row: Row) -> Arriving:
    spec = LadderSpec(
        game=row.text("game", WORD),
        options=row.table("options"),
        seats=None if row.is_none("seats") else row.whole("seats", 2, MOST_SEATS),
        time=TimeControl(row.whole("allowance_ms"), row.whole("bank_ms")),
        level=row.text("level", WORD),
        seed=None if row.is_none("seed") else int(row.text("seed", DIGITS)),
        limits=_limits(row),
        own_deals=row.has("own_deals") and row.switch("own_deals"),  # older exports know of none
    )
    return Arriving(Ladder(0, spec, row.real("created")), [], {}, [], [])


def _limits(row: Row) -> Limits:
    given, least, most = row.table("limits"), LEAST.plain(), MOST.plain()
    numbers = {name: value for name, value in given.items() if type(value) is int}
    if {*numbers} != {*given} or {*given} != {*least}:
        row.wrong("limits", f"whole numbers for {', '.join(least)}")
    if any(not least[name] <= value <= most[name] for name, value in numbers.items()):
        row.wrong("limits", "numbers within bounds")
    return Limits(**numbers)


def _of(content: Content, row: Row) -> Arriving:
    """The ladder that a row belongs to."""
    number = row.whole("ladder")
    if number >= len(content.ladders):
        row.wrong("ladder", "one of this file")
    return content.ladders[number]


def _block_of(content: Content, row: Row) -> Block:
    found, number = _of(content, row).blocks, row.whole("block")
    if number >= len(found):
        row.wrong("block", "one of its ladder")
    return found[number]


def _add_block(content: Content, row: Row) -> None:
    arriving = _of(content, row)
    lineup = row.wholes("lineup", 2, MOST_SEATS)
    if len(set(lineup)) != len(lineup) or not set(lineup) <= set(content.players):
        row.wrong("lineup", "players of this file, nobody twice")
    if arriving.ladder.spec.seats not in (None, len(lineup)):
        row.wrong("lineup", f"{arriving.ladder.spec.seats} players")
    if row.whole("number") != len(arriving.blocks):
        row.wrong("number", str(len(arriving.blocks)))
    block = Block(len(arriving.blocks), tuple(lineup))
    arriving.blocks.append(block)
    arriving.planned[block.number] = row.real("planned")


def _match(content: Content, row: Row) -> _Match:
    arriving, block = _of(content, row), _block_of(content, row)
    rotation = row.whole("rotation", 0, len(block.lineup) - 1)
    name = match_id(arriving.ladder.spec, block.number, rotation)
    if row.text("match") != name:
        row.wrong("match", name)
    return _Match(arriving, block, rotation, row.real("ended"), row.whole("attempts", 1), name)


def _check_complete(content: Content, expected: Sequence[_Match]) -> None:
    names = {match.name for match in expected}
    count = sum(len(block.lineup) for one in content.ladders for block in one.blocks)
    if not len(names) == len(expected) == count:
        raise damaged(content.path, f"expected each rotation of every block once, {count} matches, got {len(expected)}")


def _check_single(content: Content) -> None:
    keys = {one.ladder.spec.key for one in content.ladders}
    told = [(id(one), rated.player, rated.block, rated.rotation) for one in content.ladders for rated in one.rated]
    if len(keys) != len(content.ladders) or len(set(told)) != len(told):
        raise damaged(content.path, "expected each ladder and each rating once")


def _add_rating(content: Content, row: Row) -> None:
    block = _block_of(content, row)
    rotation, player = row.whole("rotation", 0, len(block.lineup) - 1), row.whole("player")
    if player not in block.lineup:
        row.wrong("player", "one of its block")
    before = Rating(row.real("mu_before"), row.real("sigma_before"))
    after = Rating(row.real("mu"), row.real("sigma"))
    _of(content, row).rated.append(Rated(block.number, rotation, player, before, after))


def _add_records(content: Content, expected: Sequence[_Match], members: Iterator[tuple[str, bytes]]) -> None:
    """Read every match from its record; they come in the order of the matches, and nothing comes after them."""
    contents = {one.id: one.sha256 for one in content.players.values()}
    for match in expected:
        data = _next(content.path, members, f"records/{match.name}.arena")
        try:
            result = record.parse(data, Path(match.name))
            played = Played(result, match.block.number, match.rotation, match.ended, match.attempts)
            results.check(match.ladder.ladder, match.block, played, contents)
        except (record.RecordError, StoreError) as error:
            raise damaged(content.path, str(error)) from None
        _check_bounds(content.path, result)
        seated = results.seat_rows(result, match.block.seated(match.rotation))
        match.ladder.matches.append((results.match_row(played), seated))
        content.records[match.name] = data
    if (surplus := next(members, None)) is not None:
        raise damaged(content.path, f"it holds {surplus[0]}, which is not expected there")


def _check_bounds(path: Path, result: MatchResult) -> None:
    """What a record may say, but a database cannot hold."""
    seats = len(result.places)
    sound = (
        all(1 <= place <= seats for place in result.places)
        and all(-(2**63) <= score < 2**63 for score in result.scores)
        and all((fault.decision or 0) < 2**31 for fault in result.faults)
        and all(re.fullmatch(WORD, one.level) for one in result.spec.entrants)
    )
    if not sound:
        raise damaged(path, f"match {result.spec.match_id}: expected places, scores, faults and levels within bounds")
