"""One player's garden, 4 x 4 spaces, made to tell fast where a tile fits (N8).

Sets of spaces have a bit for each space, row by row. A tile's five binary digits are kept in five such sets, one for
each digit: comparing a number with all sixteen spaces is then a handful of operations, whatever lies there.
"""

from typing import Final

from mypy_extensions import i64, mypyc_attr

ALL_SPACES: Final = 0xFFFF


@mypyc_attr(acyclic=True)
class Garden:
    """What lies on the sixteen spaces; it never changes, so that states and views can share it."""

    def __init__(self, filled: i64, empty: i64, ones: i64, twos: i64, fours: i64, eights: i64, sixteens: i64) -> None:
        self.filled = filled  # the set of spaces with a tile
        self.empty = empty  # how many have none
        self.ones = ones  # the set of spaces whose tile has this digit; likewise the others
        self.twos = twos
        self.fours = fours
        self.eights = eights
        self.sixteens = sixteens

    def tile(self, space: i64) -> i64:
        """The tile on a space, 0 if it is empty."""
        low: i64 = (self.ones >> space & 1) | (self.twos >> space & 1) << 1 | (self.fours >> space & 1) << 2
        return low | (self.eights >> space & 1) << 3 | (self.sixteens >> space & 1) << 4

    def tiles(self) -> list[int]:
        """The tiles of all spaces, 0 where there is none."""
        return [self.tile(space) for space in range(16)]

    def placed(self, tile: i64, space: i64) -> "Garden":
        """The garden with this tile on this space, whatever lay there."""
        bit: i64 = 1 << space
        rest: i64 = ~bit
        return Garden(
            self.filled | bit,
            self.empty - 1 + (self.filled >> space & 1),
            self.ones & rest | (tile & 1) << space,
            self.twos & rest | (tile >> 1 & 1) << space,
            self.fours & rest | (tile >> 2 & 1) << space,
            self.eights & rest | (tile >> 3 & 1) << space,
            self.sixteens & rest | (tile >> 4) << space,
        )

    def fitting(self, tile: i64) -> i64:
        """The set of spaces, empty or not, where the tile would stand in ascending order with all others (N8)."""
        more: i64 = 0  # spaces whose tile is higher
        less: i64 = 0
        same: i64 = self.filled  # those that are equal as far as compared, from the highest digit down
        differ: i64 = same & (self.sixteens ^ -(tile >> 4))
        more |= differ & self.sixteens
        less |= differ & ~self.sixteens
        same ^= differ
        differ = same & (self.eights ^ -(tile >> 3 & 1))
        more |= differ & self.eights
        less |= differ & ~self.eights
        same ^= differ
        differ = same & (self.fours ^ -(tile >> 2 & 1))
        more |= differ & self.fours
        less |= differ & ~self.fours
        same ^= differ
        differ = same & (self.twos ^ -(tile >> 1 & 1))
        more |= differ & self.twos
        less |= differ & ~self.twos
        same ^= differ
        differ = same & (self.ones ^ -(tile & 1))
        more |= differ & self.ones
        less |= differ & ~self.ones
        same ^= differ
        return ALL_SPACES & ~(after(more | same) | before(less | same))


EMPTY_GARDEN: Final = Garden(0, 16, 0, 0, 0, 0, 0)


def garden_of(tiles: list[int]) -> Garden:
    """The garden with these tiles on its spaces, 0 where there is none."""
    garden = EMPTY_GARDEN
    for space, tile in enumerate(tiles):
        if tile:
            garden = garden.placed(tile, space)
    return garden


def after(spaces: i64) -> i64:
    """All spaces to the right of these in their rows, and below them in their columns."""
    right: i64 = spaces << 1 & 0xEEEE | spaces << 2 & 0xCCCC | spaces << 3 & 0x8888
    return right | spaces << 4 | spaces << 8 | spaces << 12


def before(spaces: i64) -> i64:
    """All spaces to the left of these in their rows, and above them in their columns."""
    left: i64 = spaces >> 1 & 0x7777 | spaces >> 2 & 0x3333 | spaces >> 3 & 0x1111
    return left | spaces >> 4 | spaces >> 8 | spaces >> 12


def is_ascending(garden: Garden) -> bool:
    """Whether every tile fits where it lies."""
    return all(garden.fitting(garden.tile(space)) >> space & 1 for space in range(16) if garden.filled >> space & 1)
