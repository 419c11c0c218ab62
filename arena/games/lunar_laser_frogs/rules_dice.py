"""The dice of Lunar Laser Frogs, read from a data file, what a roller may do with them, and what they are worth.

Dice of a kind have the same faces. Dice are numbered kind after kind; a face is a set of colours, and a row of faces
has 1 + that set for each die, 0 for one that is not rolled.
"""

import json
import pkgutil
from collections.abc import Mapping
from typing import Final

from mypy_extensions import i64

from arena.engine.rng import Rng
from arena.games.lunar_laser_frogs.rules_codes import BLANK, CODE_BITS, COLOURS, DICE, GREY, ROLL

COLOUR_NAMES: Final = ("blue", "pink", "yellow")
KINDS: Final = 3
FACES: Final = 6
ROWS: Final = 216  # ways in which three dice can fall


class Dice:
    """Six dice of three kinds."""

    def __init__(self, counts: list[int], sides: list[list[int]]) -> None:
        self.counts = counts  # by kind
        self.sides = sides  # by kind: six sets of colours
        self.kinds = [kind for kind in range(KINDS) for _ in range(counts[kind])]  # by die
        self.all: i64 = counts[0] | counts[1] << 3 | counts[2] << 6  # so many of each kind, as in an action
        self.listed_sides = [colours for faces in sides for colours in faces]
        self.shifts: i64 = sum(3 * kind << 4 * die for die, kind in enumerate(self.kinds))  # a row: where in `all`
        self.low = self._rows(self.kinds[:3])  # what three dice can show, all equally likely
        self.high = self._rows(self.kinds[3:])
        self.first_choices = [self._choices(left, 2) for left in range(512)]  # of roll 1, by what is left
        self.second_choices = [self._choices(left, 1) for left in range(512)]

    def shift(self, die: i64) -> i64:
        """Where the kind of this die stands in a number of dice of each kind."""
        return self.shifts >> (die << 2) & 15

    def drawn(self, rng: Rng) -> i64:
        """A row of what all dice show, each face as likely as the others."""
        number: i64 = rng.below(ROWS * ROWS)
        low: i64 = self.low[number % ROWS]
        high: i64 = self.high[number // ROWS]
        return low | high << 12

    def _rows(self, kinds: list[int]) -> list[int]:
        one, two, three = (self.sides[kind] for kind in kinds)
        return [a + 1 | (b + 1) << 4 | (c + 1) << 8 for a in one for b in two for c in three]

    def _choices(self, left: int, rest: int) -> list[int]:
        """Codes for all ways to roll some of the dice that are left, so that at least `rest` are left again."""
        most = [left & 7, left >> 3 & 7, left >> 6]
        return [
            ROLL << CODE_BITS | one | two << 3 | three << 6
            for one in range(most[0] + 1)
            for two in range(most[1] + 1)
            for three in range(most[2] + 1)
            if 1 <= one + two + three <= sum(most) - rest
        ]


def dice_of(data: Mapping[str, object]) -> Dice:
    """The dice that the data describes; ValueError if they are not six of three kinds with six faces each."""
    dice = data.get("dice")
    kinds = dice.get("kinds") if isinstance(dice, dict) else None
    if not isinstance(kinds, list) or len(kinds) != KINDS:
        raise ValueError(f"dice: expected a list of {KINDS} kinds, got {kinds!r}")
    counts = [_number(kind, "count", DICE) for kind in kinds]
    if sum(counts) != DICE:
        raise ValueError(f"dice: expected counts that make {DICE}, got {counts}")
    return Dice(counts, [_sides(kind) for kind in kinds])


def _number(data: object, name: str, most: int) -> int:
    value = data.get(name) if isinstance(data, dict) else None
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ValueError(f"{name}: expected a whole number up to {most}, got {value!r}")
    return value


def _sides(kind: object) -> list[int]:
    faces = kind.get("faces") if isinstance(kind, dict) else None
    if not isinstance(faces, list) or len(faces) != FACES:
        raise ValueError(f"faces: expected a list of {FACES}, got {faces!r}")
    return [_colours(face) for face in faces]


def _colours(face: object) -> int:
    if not isinstance(face, list) or len(set(face)) != len(face) or set(face) - set(COLOUR_NAMES):
        raise ValueError(f"a face: expected a list of different colours among {', '.join(COLOUR_NAMES)}, got {face!r}")
    return sum(1 << COLOUR_NAMES.index(colour) for colour in face)


def most_extra_turns_of(data: Mapping[str, object]) -> int:
    """After so many extra turns a tie for the lead stays (F23)."""
    return _number(data.get("extra_turns"), "most", 150)


def read() -> dict[str, object]:
    """The data file; it is asked of the package, because a compiled module does not know where it lies."""
    data: dict[str, object] = json.loads(pkgutil.get_data("arena.games.lunar_laser_frogs", "dice.json") or b"{}")
    return data


_DATA: Final = read()
THE_DICE: Final = dice_of(_DATA)
MOST_EXTRA_TURNS: Final = most_extra_turns_of(_DATA)


# Dice that are rolled and dice that are not


def with_shown(faces: i64, shown: i64) -> i64:
    """The row of faces, with those that are shown already instead of others."""
    die: i64 = 0
    while die < DICE:
        if shown >> (die << 2) & 15:
            faces = faces & ~(15 << (die << 2)) | shown & 15 << (die << 2)
        die += 1
    return faces


def unrolled(faces: i64) -> i64:
    """How many dice of each kind are not rolled yet."""
    left: i64 = 0
    die: i64 = 0
    while die < DICE:
        if not faces >> (die << 2) & 15:
            left += 1 << THE_DICE.shift(die)
        die += 1
    return left


# What dice and cards are worth


def missing_colours(faces: i64) -> i64:
    """The set of colours that no die of a whole row shows: they are lasered onto all dice (F9)."""
    shown: i64 = 0
    for _ in range(DICE):
        shown |= (faces & 15) - 1
        faces >>= 4
    return COLOURS & ~shown


def values(faces: i64) -> i64:
    """What the first card of each kind is worth, as a row by card; grey is worth 0 here (F9 to F13)."""
    worth: i64 = 0
    for _ in range(DICE):
        colours: i64 = (faces & 15) - 1
        worth += WORTH_OF_FACE[colours]
        faces >>= 4
    missing: i64 = _missing_in(worth)
    return worth & ~WORTH_LOST[missing] | WORTH_LASERED[missing]


def _missing_in(worth: i64) -> i64:
    missing: i64 = 0
    if not worth & 0xF0:
        missing |= 1
    if not worth & 0xF00:
        missing |= 2
    if not worth & 0xF000:
        missing |= 4
    return missing


def _worth_of_face(colours: int) -> int:
    """What one die adds to a row by card: 1 to each of its colours, 2 to blank if it has none (F12)."""
    if colours == 0:
        return 2 << (BLANK << 2)
    return sum(1 << (card << 2) for card in (1, 2, 3) if colours >> (card - 1) & 1)


def _lasered(missing: int) -> int:
    """A row with all dice for each missing colour."""
    return sum(DICE << (card << 2) for card in (1, 2, 3) if missing >> (card - 1) & 1)


WORTH_OF_FACE: Final = [_worth_of_face(colours) for colours in range(8)]
WORTH_LASERED: Final = [_lasered(missing) for missing in range(8)]
WORTH_LOST: Final = [15 << (BLANK << 2) if missing else 0 for missing in range(8)]  # blank dice that are none any more


def points(faces: i64, cards: i64, size: i64, scoring: i64) -> i64:
    """What the cards of a pile bring, in its order, as a row; the first `scoring` of a kind count (F14, F15, F19)."""
    worth: i64 = values(faces)
    seen: i64 = 0  # how often each card came before, as a row by card
    grey: i64 = -1  # where the last grey card lies
    brought: i64 = 0
    at: i64 = 0
    while at < size:
        card: i64 = cards >> (at << 2) & 15
        shift: i64 = card << 2
        if seen >> shift & 15 < scoring:
            one: i64 = at - 1 - grey if card == GREY else worth >> shift & 15
            brought |= one << (at << 2)
        if card == GREY:
            grey = at
        seen += 1 << shift
        at += 1
    return brought
