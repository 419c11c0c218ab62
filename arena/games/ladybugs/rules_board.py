"""The board of Ladybugs: what a board file holds, and the board that a match puts together from it.

A stack of tiles is one number, its top in the lowest five bits: 8 * seat + dots.
"""

from typing import Final

from mypy_extensions import i64

from arena.engine.rng import Rng
from arena.games.ladybugs.rules_codes import NOWHERE, SPACES

MEADOW: Final = "."
OPEN: Final = "?"  # a space that the square laid there decides
LETTERS: Final = ".#c "  # of a board file, and a blank for what is not on the board; below, their places here
BED: Final = 1
CLOVER: Final = 2


class Layout:
    """How squares, frame and starts lie for one number of seats."""

    def __init__(self, rows: list[str], inserts: list[int], starts: list[int], spiders: list[int], centre: int) -> None:
        self.rows = rows  # a letter for each space: bed, meadow, meadow with a clover, or open
        letters = "".join([row.ljust(16) for row in rows]).ljust(SPACES)
        self.kinds = [LETTERS.index(letter) for letter in letters.replace(OPEN, MEADOW)]  # by space, no square laid yet
        self.inserts = inserts  # where the upper left corner of each square lies
        self.starts = starts  # start spaces, by seat where they are not chosen
        self.spiders = spiders  # where the spider may start
        self.centre = centre  # a space of the bed that breaks ties, or nowhere


class Kit:
    """The content of a board file: squares with two faces each, layouts by number of seats, clover tiles."""

    def __init__(
        self, text: str, names: list[str], faces: list[list[str]], layouts: dict[int, Layout], clovers: list[int]
    ) -> None:
        self.text = text  # the option's value that stands for it
        self.names = names  # of the squares
        self.layouts = layouts
        self.clovers = clovers
        self.turned = [marked(turned(face, quarters)) for face in faces for quarters in range(4)]  # by what is laid


class Board:
    """A board as it lies on the table; it never changes, so states and views share it."""

    def __init__(self, kit: Kit, seats: int, laid: list[int]) -> None:
        layout = kit.layouts[seats]
        none: list[int] = []
        self.kit = kit
        self.seats = seats
        self.laid = laid  # by insert: square << 3 | face << 2 | quarter turns clockwise
        self.rows: i64 = len(layout.rows)
        self.columns: i64 = len(layout.rows[0])
        self.beds = [0] * SPACES  # by space: the number of its bed, 0 for meadow
        self.sizes = [0]  # by bed: how many spaces it has
        self.firsts = [NOWHERE]  # by bed: its first space
        self.clovers = none  # marked spaces, ascending
        self.marks = [NOWHERE] * SPACES  # by space: which marked space it is
        self.starts = layout.starts
        self.spiders = layout.spiders
        self._find(self._kinds(layout))
        self.centre: i64 = self.beds[layout.centre] if layout.centre != NOWHERE else 0  # the bed that breaks ties
        self.bed_bytes = bytes(self.beds[: self.rows * 16])  # as the wire has them

    def _kinds(self, layout: Layout) -> list[int]:
        """By space: what is there, the squares laid in."""
        found = layout.kinds[:]
        index: i64 = 0
        while index < len(self.laid):
            insert: i64 = layout.inserts[index]
            for code in self.kit.turned[self.laid[index]]:
                mark: i64 = code
                found[insert + (mark >> 2)] = mark & 3
            index += 1
        return found

    def _find(self, kinds: list[int]) -> None:
        """Number beds and marked spaces."""
        self.clovers = []
        space: i64 = 0
        while space < self.rows << 4:
            kind: i64 = kinds[space]
            if kind == BED:
                if not self.beds[space]:
                    self.firsts.append(space)
                    self.sizes.append(self._flood(kinds, space, len(self.sizes)))
            elif kind == CLOVER:
                self.marks[space] = len(self.clovers)
                self.clovers.append(space)
            space += 1

    def _flood(self, kinds: list[int], first: i64, bed: i64) -> i64:
        """Give the whole bed around a space its number; its size. Bed spaces that share an edge are one bed (L5)."""
        found = [first]
        self.beds[first] = bed
        size: i64 = 0
        while size < len(found):
            space: i64 = found[size]
            size += 1
            self._spread(kinds, space - 16, bed, found)
            self._spread(kinds, space - 1, bed, found)
            self._spread(kinds, space + 1, bed, found)
            self._spread(kinds, space + 16, bed, found)
        return size

    def _spread(self, kinds: list[int], near: i64, bed: i64, found: list[int]) -> None:
        if 0 <= near < SPACES and kinds[near] == BED and not self.beds[near]:
            self.beds[near] = bed
            found.append(near)


def marked(face: list[str]) -> list[int]:
    """The beds and marked spaces of a face: four times the way there from its first space, plus what is there."""
    found: list[int] = []
    for row, line in enumerate(face):
        for column, letter in enumerate(line):
            if letter != MEADOW:
                found.append((row << 4 | column) << 2 | LETTERS.index(letter))
    return found


def turned(face: list[str], quarters: int) -> list[str]:
    """A face after so many quarter turns clockwise."""
    for _ in range(quarters):
        face = ["".join([row[index] for row in reversed(face)]) for index in range(len(face))]
    return face


def shuffled(kit: Kit, seats: int, rng: Rng) -> list[int]:
    """Squares for a board by luck: any of them, any face up, any way round (L4)."""
    squares = list(range(len(kit.names)))
    rng.shuffle(squares)
    needed = len(kit.layouts[seats].inserts)
    return [square << 3 | rng.below(8) for square in squares[:needed]]


def height(stack: i64) -> i64:
    """How many tiles lie on each other."""
    if stack < 32:
        return 1 if stack else 0
    return 2 if stack < 1024 else 3


def stack_tiles(stack: i64) -> list[int]:
    """The tiles of a stack from the bottom up, each 8 * seat + dots."""
    tiles: list[int] = []
    while stack:
        tiles.append(stack & 31)
        stack >>= 5
    tiles.reverse()
    return tiles
