"""What is played and what a seat may know of it: the options and the observation of Ladybugs."""

from mypy_extensions import i64

from arena.engine.options import Value
from arena.games.ladybugs import boards
from arena.games.ladybugs.rules_board import Board, stack_tiles
from arena.games.ladybugs.rules_codes import DOTS, NOWHERE, PHASE_START, SPACES, TILES


class Options:
    """What is played: the three modules, the switch of L45, and the board."""

    def __init__(
        self,
        *,
        action_tiles: bool = False,
        lucky_clover: bool = False,
        spider: bool = False,
        may_resign: bool = False,
        board: str = "standard",
    ) -> None:
        self.action_tiles = action_tiles
        self.lucky_clover = lucky_clover
        self.spider = spider
        self.may_resign = may_resign
        self.board = board  # "standard", or a board file's content in its canonical form
        self.board_bytes = board.encode()  # as the wire has it
        self.kit = boards.kit(board)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Options) and self.plain() == other.plain()

    def __hash__(self) -> int:
        return hash((self.action_tiles, self.lucky_clover, self.spider, self.may_resign, self.board))

    def plain(self) -> dict[str, Value]:
        """The options as plain values."""
        return {
            "action_tiles": self.action_tiles,
            "lucky_clover": self.lucky_clover,
            "spider": self.spider,
            "may_resign": self.may_resign,
            "board": self.board,
        }


class Observation:
    """All that one seat may know. Stacks and counts are kept packed; the properties give them as lists."""

    def __init__(self, options: Options, board: Board, seat: int) -> None:
        none: list[int] = []
        self.options = options
        self.board = board
        self.seats = board.seats
        self.seat = seat  # whose view this is
        self.phase = PHASE_START
        self.first = 0  # the start player
        self.current = 0  # whose turn it is; while all choose at once, the start player
        self.spider = NOWHERE
        self.out = 0  # the set of seats that are eliminated
        self.hand_pair: i64 = 0  # own tiles, packed as the state has them
        self.starts = none  # by seat: the start space, or nowhere while it is not chosen
        self.stacks = none  # by space
        self.drawn = none  # by seat: how many of its tiles it has drawn so far
        self.unseen_rows = none
        self.unused = none  # by seat: action tiles and rule 7, as a set of bits
        self.taken = none  # by marked space: 1 + the seat that took the clover, 0 while it lies there
        self.values = none  # by marked space: 1 + the clover's value, 0 where this seat does not know it
        self.points = none  # by seat, only when the match is over

    @property
    def hand(self) -> list[int]:
        """Own tiles, ascending."""
        return hand_tiles(self.hand_pair)

    @property
    def supply(self) -> list[int]:
        """By seat: how many tiles lie face down."""
        return [TILES - drawn for drawn in self.drawn]

    @property
    def unseen(self) -> list[list[int]]:
        """By seat: tiles not shown to all yet, hand and supply together; one's own too."""
        return [row_tiles(row) for row in self.unseen_rows]

    @property
    def tiles(self) -> list[tuple[int, int, int]]:
        """All tiles on the board as (space, seat, dots), by space, each stack from the bottom up."""
        found: list[tuple[int, int, int]] = []
        for space in range(SPACES):
            found += [(space, tile >> 3, tile & 7) for tile in stack_tiles(self.stacks[space])]
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Observation) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(repr(self._key()[1:]))

    def _key(self) -> tuple[object, ...]:
        numbers = (self.seats, self.seat, self.phase, self.first, self.current, self.spider, self.out, self.hand_pair)
        table = (self.board.laid, self.starts, self.stacks, self.drawn, self.unseen_rows, self.unused)
        return self.options, numbers, table, self.taken, self.values, self.points


def hand_tiles(pair: i64) -> list[int]:
    """The tiles of a packed hand: none, one, or two of ascending dots."""
    if not pair:
        return []
    return [pair & 7, pair >> 3] if pair >> 3 else [pair & 7]


def with_tile(pair: i64, dots: i64) -> i64:
    """A packed hand of at most one tile, and another tile."""
    return dots << 3 | pair if pair and pair <= dots else pair << 3 | dots


def without_tile(pair: i64, dots: i64) -> i64:
    """A packed hand with such a tile, without it."""
    return pair >> 3 if pair & 7 == dots else pair & 7


def row_tiles(row: i64) -> list[int]:
    """The tiles that a row counts, four bits for each number of dots, ascending."""
    tiles: list[int] = []
    for dots in range(1, DOTS + 1):
        many: i64 = row >> (dots << 2) & 15
        tiles += [dots] * many
    return tiles


def row_counts(tiles: list[int]) -> i64:
    """A row that counts these tiles."""
    row: i64 = 0
    for dots in tiles:
        wide: i64 = dots
        row += 1 << (wide << 2)
    return row
