"""The actions of Ladybugs as typed values, and the names of spaces: a column's letter and a row's number, from a1."""

from dataclasses import dataclass

from arena.games.ladybugs.rules_codes import (
    BEGIN,
    CHOOSE_START,
    DOTS,
    GRASSHOPPER,
    MOST_LINES,
    MOVE_SPIDER,
    PLACE,
    RESIGN,
    RHINOCEROS,
    SET_SPIDER,
    STAG,
    START,
)

LETTERS = "abcdefghijklmno"
MEANS = {GRASSHOPPER: "grasshopper", RHINOCEROS: "rhinoceros beetle", STAG: "stag beetle", START: "start space"}
USES = (*range(8), START)  # rule 7 goes with no action tile (L12, L43)


@dataclass(frozen=True)
class ChooseStart:
    """Take this start space."""

    space: int


@dataclass(frozen=True)
class SetSpider:
    """Put the spider here before the match."""

    space: int


@dataclass(frozen=True)
class Begin:
    """Begin with this tile on the own start space."""

    dots: int


@dataclass(frozen=True)
class Place:
    """Place a tile, by plain counting or with what it uses: action tiles, or rule 7 for the own start space."""

    dots: int
    space: int
    grasshopper: bool = False
    rhinoceros: bool = False
    stag: bool = False
    start: bool = False


@dataclass(frozen=True)
class MoveSpider:
    """Send a tile back to the box and move the spider here."""

    dots: int
    space: int


@dataclass(frozen=True)
class Resign:
    """Be eliminated instead of flipping an action tile (L45)."""


Action = ChooseStart | SetSpider | Begin | Place | MoveSpider | Resign


def decoded(code: int) -> Action:
    """What an action's code means."""
    kind, dots, space, uses = code >> 16, code >> 12 & 15, code >> 4 & 255, code & 15
    if kind == PLACE and 1 <= dots <= DOTS and is_space(space) and uses in USES:
        flags = [bool(uses & bit) for bit in (GRASSHOPPER, RHINOCEROS, STAG, START)]
        return Place(dots, space, *flags)
    if kind == MOVE_SPIDER and 1 <= dots <= DOTS and is_space(space) and not uses:
        return MoveSpider(dots, space)
    if kind == BEGIN and 1 <= dots <= DOTS and not space and not uses:
        return Begin(dots)
    if kind in (CHOOSE_START, SET_SPIDER) and not dots and is_space(space) and not uses:
        return ChooseStart(space) if kind == CHOOSE_START else SetSpider(space)
    if code == RESIGN << 16:
        return Resign()
    raise ValueError(f"ladybugs: expected the code of an action, got {code}")


def coded(action: Action) -> int:
    """The code that means this action: the inverse of `decoded`."""
    match action:
        case ChooseStart(space):
            return CHOOSE_START << 16 | space << 4
        case SetSpider(space):
            return SET_SPIDER << 16 | space << 4
        case Begin(dots):
            return BEGIN << 16 | dots << 12
        case Place(dots, space, grasshopper, rhinoceros, stag, start):
            uses = grasshopper * GRASSHOPPER | rhinoceros * RHINOCEROS | stag * STAG | start * START
            return PLACE << 16 | dots << 12 | space << 4 | uses
        case MoveSpider(dots, space):
            return MOVE_SPIDER << 16 | dots << 12 | space << 4
        case Resign():
            return RESIGN << 16


def is_space(space: int) -> bool:
    """Whether a board can have this space."""
    return 0 <= space >> 4 < MOST_LINES and space & 15 < MOST_LINES


def space_name(space: int) -> str:
    """A space as people call it: h8."""
    return f"{LETTERS[space & 15]}{(space >> 4) + 1}"


def space_named(name: str) -> int:
    """The space of this name: the inverse of `space_name`."""
    return (int(name[1:]) - 1) << 4 | LETTERS.index(name[0])


def means(uses: int) -> list[str]:
    """What a placement uses, in words."""
    return [name for bit, name in MEANS.items() if uses & bit]
