"""Party Bugs to the wire, the way that is hot: one observation as the bytes of its message. Compiled by mypyc."""

from mypy_extensions import i64

from arena.engine.packed import Sets
from arena.games.party_bugs.rules_views import Observation
from arena.wire.writer import Writer


def encoded(view: Observation, legal: list[int], events: list[int]) -> bytes:
    """An `Observation` of the proto, field by field in the order of their numbers."""
    writer = Writer()
    _write_options(writer, view)
    _write_numbers(writer, view)
    _write_cards(writer, view)
    writer.signed(16, view.mirror)
    writer.packed(17, view.totals)
    writer.packed(18, view.points)
    for code in legal:
        mark = writer.begin(100)
        writer.number(1, code >> 4)
        writer.number(2, code & 15)
        writer.end(mark)
    if events:
        _write_events(writer, events)
    return writer.written()


def _write_options(writer: Writer, view: Observation) -> None:
    options = view.options
    mark = writer.begin(1)
    writer.number(1, 1 if options.hidden_card else 0)
    writer.number(2, 1 if options.mirror_series else 0)
    writer.number(3, 2 if options.must else 1)
    writer.end(mark)


def _write_numbers(writer: Writer, view: Observation) -> None:
    writer.number(2, view.seats)
    writer.number(3, view.seat)
    writer.number(4, view.game)
    writer.number(5, view.round)
    writer.number(6, view.phase)  # the rules count phases as the proto does
    writer.number(7, view.tied)


def _write_cards(writer: Writer, view: Observation) -> None:
    writer.packed_set(8, view.hand_bits)
    writer.number(9, view.hidden_value)
    players: i64 = len(view.totals)
    writer.packed_row(10, view.floor_row, players)
    writer.packed_row(11, view.played_row, view.seats if view.played_row else 0)
    _write_waiting(writer, view.waiting_row)
    _write_displays(writer, view, players)
    _write_sets(writer, 14, view.unseen_sets, players)
    _write_sets(writer, 15, view.excluded_sets, view.seats if view.options.must else 0)


def _write_displays(writer: Writer, view: Observation, players: i64) -> None:
    player: i64 = 0
    while player < players:
        mark = writer.begin(13)
        writer.packed_set(1, view.display_sets.of(player))
        writer.number(2, view.hidden_bits >> player & 1)
        writer.end(mark)
        player += 1


def _write_waiting(writer: Writer, row: i64) -> None:
    seats: i64 = 0  # the same row, with seats that count from 0
    length: i64 = 0
    while row:
        seats |= ((row & 15) - 1) << (length << 2)
        row >>= 4
        length += 1
    writer.packed_row(12, seats, length)


def _write_sets(writer: Writer, field: i64, sets: Sets, count: i64) -> None:
    index: i64 = 0
    while index < count:
        mark = writer.begin(field)
        writer.packed_set(1, sets.of(index))
        writer.end(mark)
        index += 1


def _write_events(writer: Writer, events: list[int]) -> None:
    """Parallel lists: kinds, players and values, which are the bytes of an event's code."""
    mark = writer.begin(101)
    writer.packed(1, [code >> 16 & 255 for code in events])
    writer.packed(2, [code >> 8 & 255 for code in events])
    writer.packed(3, [code & 255 for code in events])
    writer.end(mark)
