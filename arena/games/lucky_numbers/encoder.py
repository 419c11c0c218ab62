"""Lucky Numbers to the wire, the way that is hot: one observation as the bytes of its message. Compiled by mypyc."""

from typing import Final

from mypy_extensions import i64

from arena.games.lucky_numbers import rules_codes as codes
from arena.games.lucky_numbers.rules_views import Observation
from arena.wire.writer import Writer

# The proto's kinds of action and setup; phases and kinds of events are counted alike.
DRAW: Final = 1
PLACE: Final = 2
DISCARD: Final = 3
TAKE: Final = 4
LAY: Final = 5
SETUPS: Final = ("", "sorted", "arrange", "michael")


def encoded(view: Observation, legal: list[int], events: list[int]) -> bytes:
    """An `Observation` of the proto, field by field in the order of their numbers."""
    writer = Writer()
    _write_options(writer, view)
    _write_numbers(writer, view)
    writer.packed(12, view.face_up)
    for garden in view.gardens:
        _write_tiles(writer, 13, garden.tiles())
    writer.packed(14, view.set_aside)
    for tiles in view.open:
        _write_tiles(writer, 15, tiles)
    writer.packed(16, [zigzag(total) for total in view.totals])
    for code in legal:
        _write_action(writer, code)
    if events:
        _write_events(writer, events)
    return writer.written()


def zigzag(value: int) -> int:
    """A number of either sign as protobuf packs it."""
    return 2 * value if value >= 0 else -2 * value - 1


def _write_options(writer: Writer, view: Observation) -> None:
    mark = writer.begin(1)
    writer.number(1, SETUPS.index(view.options.setup))
    writer.number(2, 1 if view.options.distinct_diagonal else 0)
    writer.number(3, 1 if view.options.tournament else 0)
    writer.end(mark)


def _write_numbers(writer: Writer, view: Observation) -> None:
    writer.number(2, view.seats)
    writer.number(3, view.seat)
    writer.number(4, view.game)
    writer.number(5, view.phase)
    writer.number(6, view.start)
    writer.number(7, view.turn)
    writer.number(8, view.drawn)
    writer.number(9, view.idle)
    writer.number(10, view.idle_limit)
    writer.number(11, view.face_down)


def _write_tiles(writer: Writer, field: i64, tiles: list[int]) -> None:
    mark = writer.begin(field)
    writer.packed(1, tiles)
    writer.end(mark)


def _write_action(writer: Writer, code: i64) -> None:
    mark = writer.begin(100)
    if code < codes.LAY:
        tile: i64 = code >> 4
        writer.number(1, TAKE if tile else PLACE)
        writer.number(2, tile)
        writer.number(3, code & 15)
    elif code < codes.DRAW:
        writer.number(1, LAY)
        writer.number(3, code - codes.LAY)
    else:
        writer.number(1, DRAW if code == codes.DRAW else DISCARD)
    writer.end(mark)


def _write_events(writer: Writer, events: list[int]) -> None:
    """Parallel lists of the parts of each event's code."""
    mark = writer.begin(101)
    writer.packed(1, [code >> 16 for code in events])
    writer.packed(2, [code >> 14 & 3 for code in events])
    writer.packed(3, [code & 31 for code in events])
    writer.packed(4, [code >> 10 & 15 for code in events])
    writer.packed(5, [code >> 5 & 31 for code in events])
    writer.end(mark)
