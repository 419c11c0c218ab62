"""What the numbers of Ladybugs mean: spaces, actions, phases, events. Compiled, so rules have them as constants."""

from typing import Final

from mypy_extensions import i64

# A space is 16 * row + column; a board has 15 of each at most.
MOST_LINES: Final = 15
SPACES: Final = 240
NOWHERE: Final = -1

TILES: Final = 24  # of each colour: four of each number of dots
DOTS: Final = 6
EACH: Final = 4

# What a placement may need beyond plain counting (L43), as bits; a seat's unused ones are a set of them.
GRASSHOPPER: Final = 1
RHINOCEROS: Final = 2
STAG: Final = 4
START: Final = 8  # rule 7: once, onto the own start space
ACTION_TILES: Final = 7

# An action's code is kind << 16 | dots << 12 | space << 4 | uses. It is stable: records and bots rely on it.
CHOOSE_START: Final = 1
SET_SPIDER: Final = 2
BEGIN: Final = 3
PLACE: Final = 4
MOVE_SPIDER: Final = 5
RESIGN: Final = 6

PHASE_START: Final = 1
PHASE_SPIDER: Final = 2
PHASE_BEGIN: Final = 3
PHASE_PLAY: Final = 4
PHASE_OVER: Final = 5
PHASES: Final = ("", "start", "spider", "begin", "play", "over")

# An event's code is kind << 24 | seat << 22 | uses << 18 | value << 8 | space.
EVENT_FIRST: Final = 1
EVENT_SQUARE: Final = 2
EVENT_START: Final = 3
EVENT_SPIDER_SET: Final = 4
EVENT_DREW: Final = 5
EVENT_BEGAN: Final = 6
EVENT_PLACED: Final = 7
EVENT_CLOVER: Final = 8
EVENT_SPIDER_MOVED: Final = 9
EVENT_EATEN: Final = 10
EVENT_ELIMINATED: Final = 11
EVENT_RESIGNED: Final = 12
EVENT_BED: Final = 13
EVENT_UNUSED: Final = 14
EVENT_CLOVERS: Final = 15
EVENT_SCORED: Final = 16


def event_code(kind: i64, seat: i64, uses: i64, value: i64, space: i64) -> i64:
    """The code of an event."""
    return kind << 24 | seat << 22 | uses << 18 | value << 8 | space
