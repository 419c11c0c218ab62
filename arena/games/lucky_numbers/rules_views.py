"""What is played and what a seat may know of it: the options and the observation of Lucky Numbers."""

from typing import Final

from mypy_extensions import i64

from arena.engine.options import Value
from arena.games.lucky_numbers import facts
from arena.games.lucky_numbers import rules_codes as codes
from arena.games.lucky_numbers.rules_garden import Garden

ONE_MORE: Final = 1 << 60  # one of a tile beyond the last; to mypyc a bare 1 is a C int, too short for such shifts


class Options:
    """What is played: the kind of setup, the switch of N3, one game or a tournament."""

    def __init__(self, *, setup: str = "sorted", distinct_diagonal: bool = False, tournament: bool = False) -> None:
        self.setup = setup  # sorted, arrange or michael
        self.distinct_diagonal = distinct_diagonal
        self.tournament = tournament

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Options) and self.plain() == other.plain()

    def __hash__(self) -> int:
        return hash((self.setup, self.distinct_diagonal, self.tournament))

    def plain(self) -> dict[str, Value]:
        """The options as plain values."""
        return {"setup": self.setup, "distinct_diagonal": self.distinct_diagonal, "tournament": self.tournament}


class Observation:
    """All that one seat may know: everything but the order of the face-down tiles (N18)."""

    def __init__(self, options: Options, seats: int, seat: int) -> None:
        none: list[int] = []
        self.options = options
        self.seats = seats
        self.seat = seat  # whose view this is
        self.game = 0  # of the tournament, from 0
        self.phase = codes.PHASE_TURN
        self.start = 0  # who began this game
        self.turn = 0  # whose turn it is
        self.drawn = 0  # the tile just drawn, 0 for none
        self.idle = 0  # turns in a row without a draw or a newly filled space (N11)
        self.face_down = 0  # how many tiles
        self.face_up_counts: i64 = 0  # three bits for each tile, from tile 1 on
        self.gardens: list[Garden] = []  # by seat
        self.set_aside = none  # tiles set aside at setup, until they are shuffled back
        self.open: list[list[int]] = []  # by seat: tiles still to be laid out, only while all arrange theirs
        self.totals = none  # by seat: points of the games that are over

    @property
    def face_up(self) -> list[int]:
        """The tiles that lie face up in the middle, ascending."""
        return counted_tiles(self.face_up_counts)

    @property
    def idle_limit(self) -> int:
        """So many idle turns end the game."""
        return self.seats * facts.IDLE_TURNS

    def unseen(self) -> list[int]:
        """The tiles that lie face down, ascending: all that lie nowhere else."""
        left = self.unseen_counts()
        return [tile for tile in range(1, codes.TILES + 1) for _ in range(left[tile])]

    def unseen_counts(self) -> list[int]:
        """By number: how many such tiles lie face down; the first is no tile."""
        left = [self.seats] * (codes.TILES + 1)
        for garden in self.gardens:
            for tile in garden.tiles():
                left[tile] -= 1
        for tile in self.face_up + self.set_aside:
            left[tile] -= 1
        for tiles in self.open:
            for tile in tiles:
                left[tile] -= 1
        left[self.drawn] -= 1
        left[0] = 0
        return left

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Observation) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(repr(self._key()[1:]))

    def _key(self) -> tuple[object, ...]:
        numbers = (self.seats, self.seat, self.game, self.phase, self.start, self.turn, self.drawn, self.idle)
        tiles = (self.face_down, self.face_up_counts, self.set_aside, self.open)
        return self.options, numbers, tiles, [garden.tiles() for garden in self.gardens], self.totals


def counted_tiles(counts: i64) -> list[int]:
    """The tiles that are counted in three bits each, ascending."""
    tiles: list[int] = []
    tile: i64 = 1
    while counts:
        tiles.extend([tile] * (counts & 7))
        counts >>= 3
        tile += 1
    return tiles


def tile_counts(tiles: list[int]) -> i64:
    """The inverse of `counted_tiles`; no tile may be there more than seven times."""
    counts: i64 = 0
    for tile in tiles:
        counts += one_of(tile)
    return counts


def one_of(tile: i64) -> i64:
    """One tile with this number, as it is counted in three bits."""
    return ONE_MORE >> 3 * (21 - tile)
