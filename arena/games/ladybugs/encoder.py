"""Ladybugs to the wire, the way that is hot: one observation as the bytes of its message. Compiled by mypyc."""

from mypy_extensions import i64

from arena.games.ladybugs.rules_board import stack_tiles
from arena.games.ladybugs.rules_codes import DOTS, SPACES
from arena.games.ladybugs.rules_views import Observation, hand_tiles
from arena.wire.writer import Writer


def encoded(view: Observation, legal: list[int], events: list[int]) -> bytes:
    """An `Observation` of the proto, field by field in the order of their numbers."""
    writer = Writer()
    _write_options(writer, view)
    _write_board(writer, view)
    _write_tiles(writer, view)
    _write_seats(writer, view)
    _write_clovers(writer, view)
    writer.packed(22, view.points)
    for action in legal:
        _write_action(writer, action)
    if events:
        _write_events(writer, events)
    return writer.written()


def _write_options(writer: Writer, view: Observation) -> None:
    options = view.options
    mark = writer.begin(1)
    writer.number(1, 1 if options.action_tiles else 0)
    writer.number(2, 1 if options.lucky_clover else 0)
    writer.number(3, 1 if options.spider else 0)
    writer.number(4, 1 if options.may_resign else 0)
    writer.data(5, options.board_bytes)
    writer.end(mark)


def _write_board(writer: Writer, view: Observation) -> None:
    board = view.board
    writer.number(2, view.seats)
    writer.number(3, view.seat)
    writer.number(4, view.phase)  # the rules count phases as the proto does
    writer.number(5, view.first)
    writer.number(6, view.current)
    writer.number(7, board.rows)
    writer.number(8, board.columns)
    writer.packed(9, board.laid)
    writer.data(10, board.bed_bytes)
    writer.packed(11, [start + 1 for start in view.starts])
    writer.signed(12, view.spider)


def _write_tiles(writer: Writer, view: Observation) -> None:
    """Parallel lists: spaces, seats and dots."""
    spaces: list[int] = []
    seats: list[int] = []
    dots: list[int] = []
    space: i64 = 0
    while space < SPACES:
        stack: i64 = view.stacks[space]
        if stack:
            for tile in stack_tiles(stack):
                spaces.append(space)
                seats.append(tile >> 3)
                dots.append(tile & 7)
        space += 1
    mark = writer.begin(13)
    writer.packed(1, spaces)
    writer.packed(2, seats)
    writer.packed(3, dots)
    writer.end(mark)


def _write_seats(writer: Writer, view: Observation) -> None:
    writer.packed(14, hand_tiles(view.hand_pair))
    writer.packed(15, view.drawn)
    for row in view.unseen_rows:
        mark = writer.begin(16)
        writer.packed(1, [row >> (dots << 2) & 15 for dots in range(1, DOTS + 1)])
        writer.end(mark)
    writer.packed(17, view.unused)
    writer.packed(18, [seat for seat in range(view.seats) if view.out >> seat & 1])


def _write_clovers(writer: Writer, view: Observation) -> None:
    if view.options.lucky_clover:
        writer.packed(19, view.board.clovers)
        writer.packed(20, view.taken)
        writer.packed(21, view.values)


def _write_action(writer: Writer, code: i64) -> None:
    mark = writer.begin(100)
    writer.number(1, code >> 16)
    writer.number(2, code >> 12 & 15)
    writer.number(3, code >> 4 & 255)
    writer.number(4, code & 15)
    writer.end(mark)


def _write_events(writer: Writer, events: list[int]) -> None:
    """Parallel lists: kinds, seats, uses, values and spaces, which are the parts of an event's code."""
    mark = writer.begin(101)
    writer.packed(1, [code >> 24 for code in events])
    writer.packed(2, [code >> 22 & 3 for code in events])
    writer.packed(3, [code >> 18 & 15 for code in events])
    writer.packed(4, [code >> 8 & 1023 for code in events])
    writer.packed(5, [code & 255 for code in events])
    writer.end(mark)
