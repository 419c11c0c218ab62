"""Lunar Laser Frogs to the wire, the way that is hot: an observation as the bytes of its message. Compiled by mypyc."""

from mypy_extensions import i64

from arena.games.lunar_laser_frogs.rules_codes import CODE_BITS, DICE, NAME, ROLL, THROW, THROW_TWO, VALUE_MASK
from arena.games.lunar_laser_frogs.rules_dice import THE_DICE
from arena.games.lunar_laser_frogs.rules_views import Observation, Pile
from arena.wire.writer import Writer


def encoded(view: Observation, legal: list[int], events: list[int]) -> bytes:
    """An `Observation` of the proto, field by field in the order of their numbers."""
    writer = Writer()
    _write_options(writer, view)
    _write_numbers(writer, view)
    writer.packed(8, THE_DICE.kinds)
    writer.packed(9, THE_DICE.listed_sides)
    writer.packed_row(10, view.face_row, DICE)
    _write_pile(writer, 11, view.pile)
    writer.packed(12, view.points)
    if view.last_roller >= 0:
        _write_last(writer, view)
    for code in legal:
        _write_action(writer, code)
    if events:
        _write_events(writer, events)
    return writer.written()


def _write_options(writer: Writer, view: Observation) -> None:
    options = view.options
    mark = writer.begin(1)
    writer.number(1, options.turns)
    writer.number(2, 1 if options.roller_sees_order else 0)
    writer.number(3, 2 if options.by_arrival else 1)
    writer.end(mark)


def _write_numbers(writer: Writer, view: Observation) -> None:
    writer.number(2, view.seats)
    writer.number(3, view.seat)
    writer.number(4, view.turn)
    writer.number(5, view.roller)
    writer.number(6, view.phase)  # the rules count phases as the proto does
    writer.number(7, view.window)


def _write_pile(writer: Writer, field: i64, pile: Pile) -> None:
    mark = writer.begin(field)
    seats: i64 = 0  # the same row, with seats that count from 0
    at: i64 = 0
    while at < pile.size:
        seats |= ((pile.seats >> (at << 2) & 15) - 1) << (at << 2)
        at += 1
    writer.packed_row(1, seats, pile.size)
    writer.packed_row(2, pile.cards, pile.size)
    writer.packed_row(3, pile.windows, pile.size)
    writer.end(mark)


def _write_last(writer: Writer, view: Observation) -> None:
    mark = writer.begin(13)
    writer.number(1, view.last_roller)
    writer.number(2, view.last_named)
    writer.packed_row(3, view.last_face_row, DICE)
    _write_pile(writer, 4, view.last_pile)
    writer.end(mark)


def _write_action(writer: Writer, code: i64) -> None:
    kind: i64 = code >> CODE_BITS
    value: i64 = code & VALUE_MASK
    mark = writer.begin(100)
    writer.number(1, kind)
    if kind == THROW:
        writer.packed_row(2, value, 1)
    elif kind == THROW_TWO:
        writer.packed_row(2, value >> 3 | (value & 7) << 4, 2)
    elif kind == ROLL:
        writer.packed_row(3, value & 7 | (value >> 3 & 7) << 4 | (value >> 6) << 8, 3)
    elif kind == NAME:
        writer.number(4, value)
    writer.end(mark)


def _write_events(writer: Writer, events: list[int]) -> None:
    """Parallel lists: kinds, players and values, the parts of an event's code."""
    mark = writer.begin(101)
    writer.packed(1, [code & 255 for code in events])
    writer.packed(2, [code >> 8 & 255 for code in events])
    writer.packed(3, [code >> 16 for code in events])
    writer.end(mark)
