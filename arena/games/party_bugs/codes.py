"""What the numbers of Party Bugs mean: actions (also as typed values), phases, events."""

from dataclasses import dataclass
from typing import Final

KING: Final = 13  # the Party King, and the highest value

# An action's code is kind * 16 + value. Both are stable: records and bots rely on them.
HIDE: Final = 1
PLAY: Final = 2
TAKE: Final = 3
TAKE_AND_PAIR: Final = 4
HAUL: Final = 5
HAUL_AND_PAIR: Final = 6
KEEP_MIRROR: Final = 7
MIRROR: Final = 8
MIRROR_HIDDEN: Final = 9

PHASE_HIDE: Final = 1
PHASE_PLAY: Final = 2
PHASE_PICK: Final = 3
PHASE_HAUL: Final = 4
PHASE_MIRROR: Final = 5
PHASE_OVER: Final = 6
PHASES: Final = ("", "hide", "play", "pick", "haul", "mirror", "over")

# An event's code has a byte for each part: value, player, kind, and 1 when the player is Paul.
EVENT_GAME: Final = 1
EVENT_LAID_OUT: Final = 2
EVENT_KING_RETURNED: Final = 3
EVENT_TIED: Final = 4
EVENT_MIRROR_GIVEN: Final = 5
EVENT_DREW: Final = 6
EVENT_HID: Final = 7
EVENT_PLAYED: Final = 8
EVENT_TOOK: Final = 9
EVENT_HAULED: Final = 10
EVENT_PAIRED: Final = 11
EVENT_PAIRED_HIDDEN: Final = 12
EVENT_MIRRORED: Final = 13
EVENT_MIRRORED_HIDDEN: Final = 14
EVENT_MIRROR_LOST: Final = 15
EVENT_REVEALED: Final = 16
EVENT_SCORED: Final = 17
PAUL_MARK: Final = 1 << 24


@dataclass(frozen=True)
class Hide:
    """Put this card face down in the display."""

    card: int


@dataclass(frozen=True)
class Play:
    """Play this card."""

    card: int


@dataclass(frozen=True)
class Take:
    """Take a card of this value off the dance floor, perhaps to discard it with the hidden card."""

    card: int
    pair_hidden: bool


@dataclass(frozen=True)
class Haul:
    """The Party King: take the whole dance floor, perhaps to discard one card with the hidden card."""

    pair_hidden: bool


@dataclass(frozen=True)
class KeepMirror:
    """Keep the mirror for later."""


@dataclass(frozen=True)
class UseMirror:
    """Discard the mirror with this card of the display; None is the hidden card."""

    card: int | None


Action = Hide | Play | Take | Haul | KeepMirror | UseMirror


def decoded(code: int) -> Action:
    """What an action's code means."""
    kind, value = code >> 4, code & 15
    if kind in (HIDE, PLAY, TAKE, TAKE_AND_PAIR, MIRROR) and 1 <= value <= KING:
        return _card_action(kind, value)
    if kind in (HAUL, HAUL_AND_PAIR) and value == 0:
        return Haul(pair_hidden=kind == HAUL_AND_PAIR)
    if kind in (KEEP_MIRROR, MIRROR_HIDDEN) and value == 0:
        return KeepMirror() if kind == KEEP_MIRROR else UseMirror(None)
    raise ValueError(f"party-bugs: expected the code of an action, got {code}")


def coded(action: Action) -> int:
    """The code that means this action: the inverse of `decoded`."""
    match action:
        case Hide(card):
            return HIDE * 16 + card
        case Play(card):
            return PLAY * 16 + card
        case Take(card, pair_hidden):
            return (TAKE_AND_PAIR if pair_hidden else TAKE) * 16 + card
        case Haul(pair_hidden):
            return (HAUL_AND_PAIR if pair_hidden else HAUL) * 16
        case UseMirror(card):
            return MIRROR_HIDDEN * 16 if card is None else MIRROR * 16 + card
        case KeepMirror():
            return KEEP_MIRROR * 16


def event_code(kind: int, player: int, value: int, *, paul: bool) -> int:
    """The code of an event."""
    return (PAUL_MARK if paul else 0) | kind << 16 | player << 8 | value


def event_parts(code: int) -> tuple[int, int, int]:
    """An event's kind, player and value."""
    return code >> 16 & 255, code >> 8 & 255, code & 255


def _card_action(kind: int, card: int) -> Action:
    if kind == HIDE:
        return Hide(card)
    if kind == PLAY:
        return Play(card)
    return UseMirror(card) if kind == MIRROR else Take(card, pair_hidden=kind == TAKE_AND_PAIR)
