"""Bugs on Rugs to the wire, the way that is hot: one observation as the bytes of its message. Compiled by mypyc."""

from mypy_extensions import i64

from arena.games.bugs_on_rugs import rules_codes as codes
from arena.games.bugs_on_rugs.rules_codes import LARVA, bug_of
from arena.games.bugs_on_rugs.rules_views import Observation
from arena.wire.writer import Writer


def encoded(view: Observation, legal: list[int], events: list[int]) -> bytes:
    """An `Observation` of the proto, field by field in the order of their numbers."""
    writer = Writer()
    _write_options(writer, view)
    _write_numbers(writer, view)
    _write_cards(writer, view)
    for group in view.groups:
        _write_group(writer, group)
    for hand in view.hands:
        _write_list(writer, 18, hand)
    for row in view.points:
        _write_list(writer, 19, row)
    if view.history:
        _write_events(writer, 20, view.history)
    for code in legal:
        _write_action(writer, code)
    if events:
        _write_events(writer, 101, events)
    return writer.written()


def _write_options(writer: Writer, view: Observation) -> None:
    options = view.options
    mark = writer.begin(1)
    writer.number(1, 1 if options.final_firefly else 0)
    writer.number(2, 1 if options.breaking_pairs else 0)
    writer.number(3, 1 if options.mosquito_is_type else 0)
    writer.end(mark)


def _write_numbers(writer: Writer, view: Observation) -> None:
    writer.number(2, view.seats)
    writer.number(3, view.seat)
    writer.number(4, view.round)
    writer.number(5, view.last_round)
    writer.number(6, view.phase)  # the rules count phases as the proto does
    writer.number(7, view.start)
    writer.number(8, view.turn)
    writer.number(9, view.deck_size)
    writer.number(10, view.offered)
    writer.number(11, view.steps)


def _write_cards(writer: Writer, view: Observation) -> None:
    writer.packed(12, view.hand)
    writer.packed(13, view.hand_sizes)
    writer.packed(14, view.floor)
    writer.packed(15, view.wall)
    writer.packed(16, view.discards)


def _write_group(writer: Writer, group: i64) -> None:
    types: list[int] = []
    pairs: list[int] = []
    type_: i64 = 1
    while group:
        if group & 15:
            types.append(type_)
            pairs.append(group & 15)
        group >>= 4
        type_ += 1
    mark = writer.begin(17)
    writer.packed(1, types)
    writer.packed(2, pairs)
    writer.end(mark)


def _write_list(writer: Writer, field: i64, numbers: list[int]) -> None:
    mark = writer.begin(field)
    writer.packed(1, numbers)
    writer.end(mark)


def _write_action(writer: Writer, code: i64) -> None:
    kind: i64 = code >> 16
    value: i64 = code & 0xFFFF
    mark = writer.begin(100)
    writer.number(1, kind)
    if kind == codes.HATCH:
        writer.number(2, bug_of(LARVA, value >> 9))
        writer.number(3, bug_of(LARVA, value >> 6 & 7))
        writer.number(4, value & 63)
    elif kind == codes.SWAP:
        writer.number(4, value)
    elif kind == codes.COPY:
        writer.number(5, value)
    elif kind == codes.BREAK:
        writer.packed(6, [value % 6, value // 6 % 6, value // 36 % 6, value // 216 % 6, value // 1296])
    else:
        writer.number(2, value)
    writer.end(mark)


def _write_events(writer: Writer, field: i64, events: list[int]) -> None:
    """Parallel lists: kinds, seats and values, the parts of an event's code."""
    mark = writer.begin(field)
    writer.packed(1, [code >> 16 for code in events])
    writer.packed(2, [code >> 12 & 15 for code in events])
    writer.packed(3, [code & 0xFFF for code in events])
    writer.end(mark)
