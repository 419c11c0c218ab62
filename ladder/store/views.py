"""What people want to read of a ladder: standings, one player's results, matches.

Only matches of complete blocks are published: a deal is played once per rotation, and whoever saw one of its matches
would know the cards of the others.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from sqlalchemy import ColumnElement, and_, case, func, select

from arena.home import Home
from arena.match import Fault, FaultKind
from ladder.model import Player, PlayerId, Rating
from ladder.store import database
from ladder.store.results import pieces, unpacked
from ladder.store.rows import Ladder, PlayerRow, match_id
from ladder.store.store import all_players, as_ladder, as_player
from ladder.store.tables import blocks, ladders, matches, players, ratings, seats

Query = Any  # a Select of whatever columns: what its rows hold is checked where they become values
AnyRow = Any


@dataclass(frozen=True)
class Tally:
    """How somebody fared in some matches."""

    games: int
    wins: int  # first places, shared ones too
    average_place: float
    faults: int


@dataclass(frozen=True)
class Standing:
    """One player's line in the table."""

    player: Player
    tally: Tally
    rating: Rating | None  # None: not rated, as an anchor or one whose matches were not folded yet
    change: float | None  # of mu, by the last match


@dataclass(frozen=True)
class Versus:
    """How a player fared against one opponent, over all matches that both played."""

    opponent: Player
    games: int
    ahead: int
    level: int
    place_difference: float  # own place minus the opponent's, on average: negative is better

    @property
    def share(self) -> float:
        """The share of matches in which the player was ahead, level ones counting half."""
        return (self.ahead + self.level / 2) / self.games


@dataclass(frozen=True)
class FaultRow:
    """A fault, and where to look it up."""

    match_id: str
    ended: float
    fault: Fault


@dataclass(frozen=True)
class RatingPoint:
    """A player's rating around one match."""

    match_id: str
    block: int
    rotation: int
    ended: float
    before: Rating
    after: Rating


@dataclass(frozen=True)
class SeatRow:
    """A seat of a match that is over."""

    player: Player
    place: int
    score: int
    fault: Fault | None


@dataclass(frozen=True)
class MatchRow:
    """A match that is over."""

    match_id: str
    ladder: Ladder
    block: int
    rotation: int
    ended: float
    decisions: int
    attempts: int
    level: str
    seats: tuple[SeatRow, ...]


@dataclass(frozen=True)
class Wanted:
    """Which matches to list; the newest come first."""

    ladder: Ladder | None = None
    game: str | None = None
    bot: str | None = None  # the name of a player, in any of its versions
    only_faults: bool = False  # those in which somebody failed; with a bot, in which it failed
    since: float | None = None
    until: float | None = None
    limit: int | None = None


class Views:
    """Everything published in a home; works beside a ladder that runs."""

    def __init__(self, base: database.Database) -> None:
        self._base = base

    @classmethod
    def open(cls, home: Home) -> Self:
        """The views of a home; StoreError if no ladder was played there."""
        return cls(database.existing(home))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the database."""
        self._base.close()

    # Who and what there is

    def ladders(self, game: str | None = None) -> list[Ladder]:
        """All ladders, or those of one game, oldest first."""
        query = select(ladders).order_by(ladders.c.id)
        return [as_ladder(row) for row in self._rows(query if game is None else query.where(ladders.c.game == game))]

    def players(self, name: str | None = None) -> list[PlayerRow]:
        """Everybody, or all versions of one name, oldest first."""
        query = select(players).order_by(players.c.id)
        rows = self._rows(query if name is None else query.where(players.c.name == name))
        return [PlayerRow(as_player(row), row.author, row.description, row.first_seen) for row in rows]

    def published(self, name: str) -> bool | None:
        """Whether a match may be shown; None if it is no match of a ladder here."""
        with self._base.reading() as connection:
            complete = connection.scalar(
                select(blocks.c.complete).join(matches, _OF_BLOCK).where(matches.c.match_id == name)
            )
            if complete is not None:
                return bool(complete)
            open_blocks = connection.execute(
                select(blocks.c.ladder_id, blocks.c.number, blocks.c.seats).where(~blocks.c.complete)
            ).all()
            specs = {row.id: as_ladder(row).spec for row in connection.execute(select(ladders))}
        # A record is written before its result is: it may be there although no result is yet.
        planned = (
            match_id(specs[ladder], number, rotation)
            for ladder, number, count in open_blocks
            for rotation in range(count)
        )
        return False if name in planned else None

    def last_played(self, ladder: Ladder) -> float:
        """When the last match of a ladder ended; 0 if none has."""
        with self._base.reading() as connection:
            query = select(func.max(matches.c.ended)).where(matches.c.ladder_id == ladder.id)
            return float(connection.scalar(query) or 0)

    # The table

    def standings(self, ladder: Ladder) -> list[Standing]:
        """Everybody who has played on a ladder, by id; who comes first is for the ratings to say."""
        query = _published(ladder, seats.c.player_id, *_AGGREGATES).group_by(seats.c.player_id)
        with self._base.reading() as connection:
            rows = connection.execute(query.order_by(seats.c.player_id)).all()
            everybody = all_players(connection)
            latest = {row.player_id: row for row in connection.execute(_latest(ladder))}
        return [_standing(everybody[row.player_id], row, latest.get(row.player_id)) for row in rows]

    # One player

    def versus(self, ladder: Ladder, player: PlayerId) -> list[Versus]:
        """Results by opponent."""
        others = seats.alias()
        difference = seats.c.place - others.c.place
        query = (
            _published(
                ladder,
                others.c.player_id,
                func.count().label("games"),
                func.sum(case((difference < 0, 1), else_=0)).label("ahead"),
                func.sum(case((difference == 0, 1), else_=0)).label("level"),
                func.avg(difference * 1.0).label("difference"),
            )
            .join(others, and_(others.c.match == seats.c.match, others.c.seat != seats.c.seat))
            .where(seats.c.player_id == player)
            .group_by(others.c.player_id)
            .order_by(others.c.player_id)
        )
        with self._base.reading() as connection:
            rows = connection.execute(query).all()
            everybody = all_players(connection)
        return [
            Versus(everybody[row.player_id], row.games, row.ahead, row.level, float(row.difference)) for row in rows
        ]

    def by_seat(self, ladder: Ladder, player: PlayerId) -> dict[int, Tally]:
        """Results by seat, counted from 0."""
        return self._by(ladder, player, seats.c.seat)

    def by_seat_count(self, ladder: Ladder, player: PlayerId) -> dict[int, Tally]:
        """Results by the number of seats."""
        return self._by(ladder, player, blocks.c.seats)

    def _by(self, ladder: Ladder, player: PlayerId, column: ColumnElement[int]) -> dict[int, Tally]:
        query = _published(ladder, column.label("part"), *_AGGREGATES).where(seats.c.player_id == player)
        return {row.part: _tally(row) for row in self._rows(query.group_by(column).order_by(column))}

    def faults(self, ladder: Ladder, player: PlayerId) -> list[FaultRow]:
        """Everything a player did wrong, newest first."""
        query = _published(ladder, matches.c.match_id, matches.c.ended, *_FAULT).where(
            seats.c.player_id == player, seats.c.fault_kind.is_not(None)
        )
        rows = self._rows(query.order_by(matches.c.ended.desc(), matches.c.id.desc()))
        return [FaultRow(row.match_id, row.ended, fault) for row in rows if (fault := _fault(row)) is not None]

    def micros(self, ladder: Ladder, player: PlayerId) -> "array[int]":
        """The thinking times of all of a player's own decisions, in microseconds and in no order."""
        query = _published(ladder, seats.c.micros).where(seats.c.player_id == player)
        return unpacked(b"".join(row.micros for row in self._rows(query)))

    def history(self, ladder: Ladder, player: PlayerId) -> list[RatingPoint]:
        """A player's rating around each of its matches, in the order in which they were rated."""
        return self._points(_history(ladder, player).order_by(ratings.c.block, ratings.c.rotation))

    def movers(self, ladder: Ladder, player: PlayerId, limit: int = 5) -> list[RatingPoint]:
        """The matches that moved a player's mu the most."""
        moved = func.abs(ratings.c.mu - ratings.c.mu_before).desc()
        query = _history(ladder, player).order_by(moved, ratings.c.block, ratings.c.rotation)
        return self._points(query.limit(limit))

    def _points(self, query: Query) -> list[RatingPoint]:
        return [
            RatingPoint(
                row.match_id,
                row.block,
                row.rotation,
                row.ended,
                Rating(row.mu_before, row.sigma_before),
                Rating(row.mu, row.sigma),
            )
            for row in self._rows(query)
        ]

    # Matches

    def matches(self, wanted: Wanted = Wanted()) -> list[MatchRow]:
        """The matches that were asked for, newest first."""
        query = _matches(wanted)
        with self._base.reading() as connection:
            rows = connection.execute(query).all()
            everybody = all_players(connection)
            specs = {row.id: as_ladder(row) for row in connection.execute(select(ladders))}
            taken: dict[int, list[SeatRow]] = {}
            for piece in pieces(row.id for row in rows):
                query = select(seats.c.match, seats.c.player_id, seats.c.place, seats.c.score, *_FAULT)
                for seat in connection.execute(query.where(seats.c.match.in_(piece)).order_by(seats.c.seat)):
                    taken.setdefault(seat.match, []).append(
                        SeatRow(everybody[seat.player_id], seat.place, seat.score, _fault(seat))
                    )
        return [_match(row, specs[row.ladder_id], taken[row.id]) for row in rows]

    def _rows(self, query: Query) -> Sequence[AnyRow]:
        with self._base.reading() as connection:
            return connection.execute(query).all()


# Queries

_AGGREGATES = (
    func.count().label("games"),
    func.sum(case((seats.c.place == 1, 1), else_=0)).label("wins"),
    func.avg(seats.c.place * 1.0).label("average_place"),
    func.count(seats.c.fault_kind).label("faults"),
)
_FAULT = (seats.c.seat, seats.c.fault_kind, seats.c.fault_decision, seats.c.fault_sentence)
_OF_BLOCK = and_(blocks.c.ladder_id == matches.c.ladder_id, blocks.c.number == matches.c.block)


def _published(ladder: Ladder, *columns: ColumnElement[Any]) -> Query:
    """Columns of seats, matches and blocks, over all seats of a ladder's published matches."""
    return (
        select(*columns)
        .select_from(seats)
        .join(matches, matches.c.id == seats.c.match)
        .join(blocks, _OF_BLOCK)
        .where(matches.c.ladder_id == ladder.id, blocks.c.complete)
    )


def _latest(ladder: Ladder) -> Query:
    """The last rating of everybody, among those of complete blocks."""
    earlier, later = ratings.alias(), ratings.alias()
    last_block = (
        select(func.max(earlier.c.block))
        .join(blocks, and_(blocks.c.ladder_id == earlier.c.ladder_id, blocks.c.number == earlier.c.block))
        .where(earlier.c.ladder_id == ladder.id, earlier.c.player_id == ratings.c.player_id, blocks.c.complete)
        .scalar_subquery()
    )
    last_rotation = (
        select(func.max(later.c.rotation))
        .where(
            later.c.ladder_id == ladder.id,
            later.c.player_id == ratings.c.player_id,
            later.c.block == ratings.c.block,
        )
        .scalar_subquery()
    )
    return select(ratings).where(
        ratings.c.ladder_id == ladder.id, ratings.c.block == last_block, ratings.c.rotation == last_rotation
    )


def _history(ladder: Ladder, player: PlayerId) -> Query:
    of_match = and_(
        matches.c.ladder_id == ratings.c.ladder_id,
        matches.c.block == ratings.c.block,
        matches.c.rotation == ratings.c.rotation,
    )
    return (
        select(ratings, matches.c.match_id, matches.c.ended)
        .join(matches, of_match)
        .join(blocks, _OF_BLOCK)
        .where(ratings.c.ladder_id == ladder.id, ratings.c.player_id == player, blocks.c.complete)
    )


def _matches(wanted: Wanted) -> Query:
    query = select(matches).join(blocks, _OF_BLOCK).where(blocks.c.complete)
    if wanted.ladder is not None:
        query = query.where(matches.c.ladder_id == wanted.ladder.id)
    if wanted.game is not None:
        query = query.join(ladders, ladders.c.id == matches.c.ladder_id).where(ladders.c.game == wanted.game)
    if wanted.since is not None:
        query = query.where(matches.c.ended >= wanted.since)
    if wanted.until is not None:
        query = query.where(matches.c.ended < wanted.until)
    query = _of_players(query, wanted)
    return query.order_by(matches.c.ended.desc(), matches.c.id.desc()).limit(wanted.limit)


def _of_players(query: Query, wanted: Wanted) -> Query:
    if wanted.bot is None:
        return query.where(matches.c.faults > 0) if wanted.only_faults else query
    sat = select(seats.c.match).join(players, players.c.id == seats.c.player_id).where(players.c.name == wanted.bot)
    return query.where(matches.c.id.in_(sat.where(seats.c.fault_kind.is_not(None)) if wanted.only_faults else sat))


# Rows


def _tally(row: AnyRow) -> Tally:
    return Tally(row.games, row.wins, float(row.average_place), row.faults)


def _standing(player: Player, row: AnyRow, latest: AnyRow | None) -> Standing:
    if latest is None:
        return Standing(player, _tally(row), None, None)
    return Standing(player, _tally(row), Rating(latest.mu, latest.sigma), latest.mu - latest.mu_before)


def _fault(row: AnyRow) -> Fault | None:
    if row.fault_kind is None:
        return None
    return Fault(FaultKind(row.fault_kind), row.seat, row.fault_decision, row.fault_sentence)


def _match(row: AnyRow, ladder: Ladder, taken: Sequence[SeatRow]) -> MatchRow:
    return MatchRow(
        row.match_id,
        ladder,
        row.block,
        row.rotation,
        row.ended,
        row.decisions,
        row.attempts,
        row.level,
        tuple(taken),
    )
