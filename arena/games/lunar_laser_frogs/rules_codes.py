"""What the numbers of Lunar Laser Frogs mean: cards, actions, phases, events. Compiled, so that they cost nothing."""

from typing import Final

# Cards of a set, one of each. The first three are colours; a colour's bit on a die is 1 << (card - 1).
BLUE: Final = 1
PINK: Final = 2
YELLOW: Final = 3
BLANK: Final = 4
GREY: Final = 5
COLOURS: Final = 7  # the set of all colours, as on a die

DICE: Final = 6
PAIR_BITS: Final = 25  # for the numbers of two landing orders, each below 7! = 5040, multiplied
LAST_WINDOW: Final = 3  # after the third roll; window 0 is open before the first

# An action's code is kind << 10 | value. Both are stable: records and bots rely on them.
WAIT: Final = 1
THROW: Final = 2  # the value is the card
THROW_TWO: Final = 3  # first card << 3 | second card
ROLL: Final = 4  # dice of the three kinds, three bits for each, the first kind lowest
NAME: Final = 5  # the seat
CODE_BITS: Final = 10
VALUE_MASK: Final = 1023

PHASE_THROW: Final = 1
PHASE_ROLL: Final = 2
PHASE_NAME: Final = 3
PHASE_OVER: Final = 4

# An event's code is value << 16 | player << 8 | kind.
EVENT_TURN: Final = 1
EVENT_EXTRA_TURN: Final = 2
EVENT_THREW: Final = 3
EVENT_ROLLED: Final = 4
EVENT_LASERED: Final = 5
EVENT_REVEALED: Final = 6
EVENT_COPIED: Final = 7
