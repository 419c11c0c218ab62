"""What the numbers of Lucky Numbers mean: actions (also as typed values), phases, events. Compiled with the rules."""

from dataclasses import dataclass
from typing import Final

TILES: Final = 20  # tiles go from 1 to 20
SPACES: Final = 16  # spaces go from 0 to 15, row by row
DIAGONAL: Final = (0, 5, 10, 15)

# An action's code. All are stable: records and bots rely on them.
PLACE: Final = 0  # plus the space
TAKE: Final = 0  # plus 16 * tile + space, so that takes go from 16 to 335
LAY: Final = 336  # plus the space, one of the diagonal
DRAW: Final = 352
DISCARD: Final = 353

PHASE_ARRANGE: Final = 1
PHASE_LAY: Final = 2
PHASE_TURN: Final = 3
PHASE_PLACE: Final = 4
PHASE_OVER: Final = 5
PHASES: Final = ("", "arrange", "lay", "turn", "place", "over")

# An event's code has, from the lowest bit: 5 bits tile, 5 bits exchanged tile, 4 bits space, 2 bits seat, kind.
EVENT_GAME: Final = 1
EVENT_START: Final = 2
EVENT_OPENED: Final = 3
EVENT_SET_ASIDE: Final = 4
EVENT_LAID: Final = 5
EVENT_SHUFFLED_BACK: Final = 6
EVENT_DREW: Final = 7
EVENT_PLACED: Final = 8
EVENT_DISCARDED: Final = 9
EVENT_TOOK: Final = 10
EVENT_FILLED: Final = 11
EVENT_LAST_TILE: Final = 12
EVENT_STALLED: Final = 13
EVENT_WON: Final = 14
EVENT_LOST: Final = 15


@dataclass(frozen=True)
class Draw:
    """Reveal a face-down tile."""


@dataclass(frozen=True)
class Place:
    """Put the tile just drawn on this space; rows and columns count from 0."""

    row: int
    column: int


@dataclass(frozen=True)
class Discard:
    """Leave the tile just drawn face up in the middle."""


@dataclass(frozen=True)
class Take:
    """Put this face-up tile on this space; rows and columns count from 0."""

    tile: int
    row: int
    column: int


@dataclass(frozen=True)
class Lay:
    """At setup: put the next tile on the diagonal, in this row and the same column, from 0."""

    row: int


Action = Draw | Place | Discard | Take | Lay


def decoded(code: int) -> Action:
    """What an action's code means."""
    if PLACE <= code < PLACE + SPACES:
        return Place(code // 4, code % 4)
    if SPACES <= code < LAY:
        return Take(code // SPACES, code % SPACES // 4, code % 4)
    if code - LAY in DIAGONAL:
        return Lay((code - LAY) // 4)
    if code in (DRAW, DISCARD):
        return Draw() if code == DRAW else Discard()
    raise ValueError(f"lucky-numbers: expected the code of an action, got {code}")


def coded(action: Action) -> int:
    """The code that means this action: the inverse of `decoded`."""
    match action:
        case Draw():
            return DRAW
        case Place(row, column):
            return PLACE + 4 * row + column
        case Discard():
            return DISCARD
        case Take(tile, row, column):
            return TAKE + SPACES * tile + 4 * row + column
        case Lay(row):
            return LAY + DIAGONAL[row]


def event_code(kind: int, seat: int, tile: int, space: int, exchanged: int) -> int:
    """The code of an event."""
    return kind << 16 | seat << 14 | space << 10 | exchanged << 5 | tile


def event_parts(code: int) -> tuple[int, int, int, int, int]:
    """An event's kind, seat, tile, space and exchanged tile."""
    return code >> 16, code >> 14 & 3, code & 31, code >> 10 & 15, code >> 5 & 31
