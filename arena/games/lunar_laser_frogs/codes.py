"""Actions of Lunar Laser Frogs as typed values, and the way from codes to them and back."""

from dataclasses import dataclass
from typing import Final

from arena.games.lunar_laser_frogs.rules_codes import (
    CODE_BITS,
    DICE,
    EVENT_COPIED,
    EVENT_TURN,
    GREY,
    NAME,
    ROLL,
    THROW,
    THROW_TWO,
    VALUE_MASK,
    WAIT,
)

PHASES: Final = ("", "throw", "roll", "name", "over")
MOST_SEATS: Final = 8


@dataclass(frozen=True)
class Wait:
    """Throw nothing in this window."""


@dataclass(frozen=True)
class Throw:
    """Throw this card, or two of them at once, the first one below the second."""

    cards: tuple[int, ...]


@dataclass(frozen=True)
class Roll:
    """Roll so many dice of each kind."""

    dice: tuple[int, int, int]


@dataclass(frozen=True)
class Name:
    """Copy the points of this seat."""

    seat: int


Action = Wait | Throw | Roll | Name


def decoded(code: int) -> Action:
    """What an action's code means."""
    kind, value = code >> CODE_BITS, code & VALUE_MASK
    if kind == WAIT and value == 0:
        return Wait()
    if kind == THROW and 1 <= value <= GREY:
        return Throw((value,))
    if kind == THROW_TWO and _are_two_cards(value >> 3, value & 7):
        return Throw((value >> 3, value & 7))
    if kind == ROLL and value < 512 and 1 <= sum(_dice(value)) <= DICE:
        return Roll(_dice(value))
    if kind == NAME and value < MOST_SEATS:
        return Name(value)
    raise ValueError(f"lunar-laser-frogs: expected the code of an action, got {code}")


def coded(action: Action) -> int:
    """The code that means this action: the inverse of `decoded`."""
    match action:
        case Wait():
            return WAIT << CODE_BITS
        case Throw((card,)):
            return THROW << CODE_BITS | card
        case Throw((first, second)):
            return THROW_TWO << CODE_BITS | first << 3 | second
        case Roll((one, two, three)):
            return ROLL << CODE_BITS | one | two << 3 | three << 6
        case Name(seat):
            return NAME << CODE_BITS | seat
    raise ValueError(f"lunar-laser-frogs: expected an action of one or two cards, got {action}")


def event_code(kind: int, player: int, value: int) -> int:
    """The code of an event."""
    return value << 16 | player << 8 | kind


def event_parts(code: int) -> tuple[int, int, int]:
    """An event's kind, player and value."""
    kind, player, value = code & 255, code >> 8 & 255, code >> 16
    if not EVENT_TURN <= kind <= EVENT_COPIED:
        raise ValueError(f"lunar-laser-frogs: expected the code of an event, got {code}")
    return kind, player, value


def _are_two_cards(first: int, second: int) -> bool:
    return 1 <= first <= GREY and 1 <= second <= GREY and first != second


def _dice(value: int) -> tuple[int, int, int]:
    return value & 7, value >> 3 & 7, value >> 6
