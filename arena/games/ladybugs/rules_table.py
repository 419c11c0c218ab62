"""What lies on the board of Ladybugs, and which spaces can be counted to from where.

A stack is one number (`rules_board`). Each seat's tiles in view are a sorted list of spaces, and a word of bits for
each row and column tells where tiles lie, so a path is free if some bits are 0.
"""

from mypy_extensions import i64

from arena.games.ladybugs.rules_board import Board, stack_tiles
from arena.games.ladybugs.rules_codes import DOTS, GRASSHOPPER, MOST_LINES, NOWHERE, RHINOCEROS, SPACES, STAG


class Table:
    """Tiles, start spaces and spider on a board. Sets of means are bits: bit n for the set n of rules_codes."""

    def __init__(self, board: Board) -> None:
        none: list[int] = []
        self.board = board
        self.spider: i64 = NOWHERE
        self.homes = none  # by space: 1 + the seat whose start space it is; replaced, never changed
        self.stacks = none  # by space
        self.rows = none  # by row: the columns where tiles lie, as bits
        self.columns = none
        self.tops: list[list[int]] = []  # by seat: the spaces where its tile lies on top, ascending
        self.sets = none  # by space: what `reach` found; all 0 but between `reach` and `forget`

    def clear(self) -> None:
        """Nothing lies there yet."""
        self.homes = [0] * SPACES
        self.stacks = [0] * SPACES
        self.rows, self.columns = [0] * MOST_LINES, [0] * MOST_LINES
        self.tops = [[] for _ in range(self.board.seats)]

    def copy(self) -> "Table":
        """A table that changes independently."""
        copied = Table(self.board)
        copied.spider = self.spider
        copied.homes = self.homes
        copied.stacks = self.stacks[:]
        copied.rows = self.rows[:]
        copied.columns = self.columns[:]
        copied.tops = [spaces[:] for spaces in self.tops]
        return copied

    # Tiles come and go

    def claim(self, seat: i64, space: i64) -> None:
        """Make this the seat's start space."""
        homes = self.homes[:]
        homes[space] = seat + 1
        self.homes = homes

    def lay(self, seat: i64, dots: i64, space: i64) -> None:
        """Put a tile on top of what lies there."""
        stack: i64 = self.stacks[space]
        self.stacks[space] = stack << 5 | seat << 3 | dots
        if not stack:
            self._mark(space, 1)
        elif stack >> 3 & 3 == seat:
            return
        else:
            self.tops[stack >> 3 & 3].remove(space)
        insert(self.tops[seat], space)

    def eat(self, space: i64) -> i64:
        """Take the top tile away: 8 * seat + dots, or 0 where none lies (L32)."""
        stack: i64 = self.stacks[space]
        if not stack:
            return 0
        self.tops[stack >> 3 & 3].remove(space)
        below: i64 = stack >> 5
        self.stacks[space] = below
        if below:
            insert(self.tops[below >> 3 & 3], space)
        else:
            self._mark(space, 0)
        return stack & 31

    def _mark(self, space: i64, there: i64) -> None:
        """Note in the row and the column whether tiles lie on this space."""
        row: i64 = space >> 4
        column: i64 = space & 15
        across: i64 = self.rows[row]
        down: i64 = self.columns[column]
        self.rows[row] = across & ~(1 << column) | there << column
        self.columns[column] = down & ~(1 << row) | there << row

    # Counting on

    def is_open(self, seat: i64, unused: i64, target: i64) -> bool:
        """Whether the seat may place a tile there at all: stacks, start spaces, spider (L10, L23, L30)."""
        stack: i64 = self.stacks[target]
        if stack >= 32 and (stack >= 1024 or not unused & STAG):
            return False
        home: i64 = self.homes[target]
        return target != self.spider and (not home or home == seat + 1)

    def reach(self, seat: i64, unused: i64, enough: i64) -> list[int]:
        """Spaces that the seat can count to, so many at least; `sets` has the sets of means for each until `forget`."""
        found: list[int] = []
        if not self.sets:  # made once, since it is larger than all else here
            self.sets = [0] * SPACES
        more: i64 = 1 if unused & RHINOCEROS else 0
        stacks = self.stacks
        for space in self.tops[seat]:
            at: i64 = space
            stack: i64 = stacks[at]
            dots: i64 = stack & 7
            distance: i64 = dots - more if dots > 1 else 1
            while distance <= dots + more:
                needs: i64 = 0 if distance == dots else RHINOCEROS
                self._reach_from(at, distance, seat, unused, needs, found)
                distance += 1
            if len(found) >= enough:
                break
        return found

    def forget(self, found: list[int]) -> None:
        """Make `sets` ready for the next time."""
        sets = self.sets
        for space in found:
            at: i64 = space
            sets[at] = 0

    def _reach_from(self, at: i64, distance: i64, seat: i64, unused: i64, needs: i64, found: list[int]) -> None:
        """The four spaces at this distance, as far as they are on the board (L8)."""
        between: i64 = (1 << (distance - 1)) - 1
        row: i64 = at >> 4
        column: i64 = at & 15
        line: i64 = self.rows[row]
        if column >= distance:
            blocked: i64 = line >> (column - distance + 1) & between
            self._touch(at - distance, blocked, seat, unused, needs, found)
        if column + distance < self.board.columns:
            blocked = line >> (column + 1) & between
            self._touch(at + distance, blocked, seat, unused, needs, found)
        line = self.columns[column]
        if row >= distance:
            blocked = line >> (row - distance + 1) & between
            self._touch(at - (distance << 4), blocked, seat, unused, needs, found)
        if row + distance < self.board.rows:
            blocked = line >> (row + 1) & between
            self._touch(at + (distance << 4), blocked, seat, unused, needs, found)

    def _touch(self, target: i64, blocked: i64, seat: i64, unused: i64, needs: i64, found: list[int]) -> None:
        """Note that the target can be counted to, if the seat has the means and may place there."""
        if blocked:
            needs |= GRASSHOPPER
        if needs & ~unused or not self.is_open(seat, unused, target):
            return
        sets = self.sets
        before: i64 = sets[target]
        if not before:
            found.append(target)
        sets[target] = before | 1 << needs

    def sets_to(self, seat: i64, unused: i64, target: i64) -> i64:
        """The sets of means for one space alone, as `reach` would find them."""
        if not self.is_open(seat, unused, target):
            return 0
        row: i64 = target >> 4
        column: i64 = target & 15
        sets: i64 = self._sets_along(seat, target, -1, column)
        sets |= self._sets_along(seat, target, 1, self.board.columns - 1 - column)
        sets |= self._sets_along(seat, target, -16, row)
        sets |= self._sets_along(seat, target, 16, self.board.rows - 1 - row)
        if not unused & GRASSHOPPER:
            sets &= 5
        return sets if unused & RHINOCEROS else sets & 3

    def _sets_along(self, seat: i64, target: i64, way: i64, most: i64) -> i64:
        """Look away from the target for own tiles that would count back to it."""
        stacks = self.stacks
        sets: i64 = 0
        blocked: i64 = 0
        at: i64 = target
        distance: i64 = 1
        while distance <= most and distance <= DOTS + 1:
            at += way
            tile: i64 = stacks[at]
            if tile:
                if tile >> 3 & 3 == seat:
                    over: i64 = (tile & 7) - distance
                    if over == 0:
                        sets |= 1 << blocked
                    elif over == 1 or over == -1:  # noqa: PLR1714 - a set would be made each time
                        sets |= 4 << blocked
                blocked = 1
            distance += 1
        return sets


def laid_out(board: Board, spider: i64, starts: list[int], stacks: list[int]) -> Table:
    """A table as everybody sees it."""
    table = Table(board)
    table.clear()
    table.spider = spider
    for seat, start in enumerate(starts):
        if start != NOWHERE:
            table.claim(seat, start)
    for space, stack in enumerate(stacks):
        for tile in stack_tiles(stack):
            table.lay(tile >> 3, tile & 7, space)
    return table


def insert(spaces: list[int], space: i64) -> None:
    """Put a space into an ascending list."""
    place: i64 = len(spaces)
    while place > 0 and spaces[place - 1] > space:
        place -= 1
    spaces.insert(place, space)
