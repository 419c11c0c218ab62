"""Lucky Numbers once more, written from the rulebook alone: slow, plain lists of numbers, no cleverness.

It draws nothing and decides nothing. It is told which tiles were revealed and what was decided, works out everything
else, and says at every question what it expects the engine to say.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from arena.games.lucky_numbers import rules_codes as codes
from arena.games.lucky_numbers.rules_codes import Action, Discard, Draw, Lay, Place, Take

Garden = list[list[int]]
CORNERS = range(4)  # the diagonal's spaces, by row


@dataclass
class Moment:
    """The engine at a decision: its dump, what each seat may do, and what each seat did."""

    dump: dict[str, Any]
    legal: dict[int, list[Action]]
    chosen: dict[int, Action]


@dataclass
class Reveals:
    """The luck of one game: who began, and the tiles in the order in which they were turned over."""

    start: int = 0
    setup: list[list[int]] = field(default_factory=lambda: [[] for _ in range(4)])  # by seat, with those set aside
    aside: list[list[int]] = field(default_factory=lambda: [[] for _ in range(4)])  # by seat
    drawn: list[int] = field(default_factory=list)


def reveals(log: list[int], setup: str) -> list[Reveals]:
    """By game: the luck that showed itself."""
    games: list[Reveals] = []
    for code in log:
        kind, seat, tile, _, _ = codes.event_parts(code)
        if kind == codes.EVENT_GAME:
            games.append(Reveals())
        elif kind == codes.EVENT_START:
            games[-1].start = seat
        elif kind == codes.EVENT_OPENED or (kind == codes.EVENT_LAID and setup == "sorted"):
            games[-1].setup[seat].append(tile)
        elif kind == codes.EVENT_SET_ASIDE:
            games[-1].aside[seat].append(tile)
        elif kind == codes.EVENT_DREW:
            games[-1].drawn.append(tile)
    return games


class SimpleMatch:
    """A match that follows the engine's moments and compares itself with each of them."""

    def __init__(self, options: dict[str, Any], seats: int, luck: list[Reveals], moments: Iterator[Moment]) -> None:
        self.options = options
        self.seats = seats
        self.luck = luck
        self.moments = moments
        self.moment = next(moments)
        self.asked = 0
        self.totals = [0] * seats

    def play(self) -> list[int]:
        """The points of all games together (N16)."""
        games = self.seats if self.options["tournament"] else 1
        assert len(self.luck) == games
        for number, luck in enumerate(self.luck):
            self.reveals = luck
            assert self.reveals.start == (self.luck[0].start + number) % self.seats
            self.gardens: list[Garden] = [[[0] * 4 for _ in range(4)] for _ in range(self.seats)]
            self.middle: list[int] = []
            self.idle = 0
            self.lay_out()
            self.take_turns(iter(self.reveals.drawn))
            self.totals = [total + more for total, more in zip(self.totals, self.points(), strict=True)]
        return self.totals

    # Setup

    def lay_out(self) -> None:
        for seat in range(self.seats):
            self.check_hand(self.reveals.setup[seat], self.reveals.aside[seat])
        if self.options["setup"] == "sorted":
            for seat in range(self.seats):
                for row, tile in enumerate(sorted(self.reveals.setup[seat])):
                    self.gardens[seat][row][row] = tile
        elif self.options["setup"] == "arrange":
            self.arrange()
        else:
            self.one_by_one()

    def check_hand(self, hand: list[int], aside: list[int]) -> None:
        assert len(hand) == 4
        if self.options["distinct_diagonal"]:
            assert len(set(hand)) == 4
            assert set(aside) <= set(hand)
        else:
            assert aside == []

    def arrange(self) -> None:
        """All at once, the lowest tile first; the last has one space left (N20)."""
        for number in range(4):
            everybody = range(self.seats)
            chosen = self.ask({seat: self.free_corners(seat) for seat in everybody})
            for seat in everybody:
                action = chosen[seat]
                assert isinstance(action, Lay)
                self.gardens[seat][action.row][action.row] = sorted(self.reveals.setup[seat])[number]

    def one_by_one(self) -> None:
        """Four rounds from the start player on (N4)."""
        for number in range(4):
            for distance in range(self.seats):
                seat = (self.reveals.start + distance) % self.seats
                action = self.ask({seat: self.free_corners(seat)})[seat]
                assert isinstance(action, Lay)
                self.gardens[seat][action.row][action.row] = self.reveals.setup[seat][number]

    def free_corners(self, seat: int) -> list[Action]:
        return [Lay(row) for row in CORNERS if not self.gardens[seat][row][row]]

    # Turns

    def take_turns(self, pool: Iterator[int]) -> None:
        """Turn by turn until a garden is full, the last tile is played, or nothing happens (N11-N13)."""
        left, seat = 16 * self.seats, self.reveals.start
        while True:
            left -= self.take_turn(seat, pool)
            if self.empty(seat) == 0 or left == 0 or self.idle == 20 * self.seats:
                break
            seat = (seat + 1) % self.seats
        assert not list(pool), "more tiles were drawn than the game lasted"

    def take_turn(self, seat: int, pool: Iterator[int]) -> int:
        """One turn; how many tiles were drawn."""
        takes: list[Action] = [
            Take(tile, row, column) for tile in sorted(set(self.middle)) for row, column in self.places(seat, tile)
        ]
        action = self.ask({seat: [Draw(), *takes]})[seat]
        if isinstance(action, Take):
            self.middle.remove(action.tile)
            filled = self.plant(seat, action.tile, action.row, action.column)
            self.idle = 0 if filled else self.idle + 1
            return 0
        self.idle = 0
        tile = next(pool)
        offered: list[Action] = [Place(row, column) for row, column in self.places(seat, tile)]
        placed = self.ask({seat: [*offered, Discard()]})[seat]
        if isinstance(placed, Place):
            self.plant(seat, tile, placed.row, placed.column)
        else:
            self.middle.append(tile)
        return 1

    def plant(self, seat: int, tile: int, row: int, column: int) -> bool:
        """Whether the space was empty; else what lay there goes to the middle (N9)."""
        before = self.gardens[seat][row][column]
        self.gardens[seat][row][column] = tile
        if before:
            self.middle.append(before)
        return not before

    def places(self, seat: int, tile: int) -> list[tuple[int, int]]:
        """Where the tile may go: row and column must ascend with it there (N8)."""
        return [(row, column) for row in range(4) for column in range(4) if self.ascends(seat, tile, row, column)]

    def ascends(self, seat: int, tile: int, row: int, column: int) -> bool:
        across = [tile if at == column else self.gardens[seat][row][at] for at in range(4)]
        down = [tile if at == row else self.gardens[seat][at][column] for at in range(4)]
        for line in (across, down):
            there = [one for one in line if one]
            if any(one >= other for one, other in pairwise(there)):
                return False
        return True

    # Points

    def empty(self, seat: int) -> int:
        return sum(row.count(0) for row in self.gardens[seat])

    def points(self) -> list[int]:
        """Two for each with the fewest empty spaces, else minus one for each (N13, N16)."""
        fewest = min(self.empty(seat) for seat in range(self.seats))
        return [2 if self.empty(seat) == fewest else -self.empty(seat) for seat in range(self.seats)]

    # Questions

    def ask(self, expected: dict[int, list[Action]]) -> dict[int, Action]:
        """What was decided; where nobody has a choice, nobody is asked."""
        if all(len(actions) == 1 for actions in expected.values()):
            return {seat: actions[0] for seat, actions in expected.items()}
        self.asked += 1
        assert self.moment.legal == expected, f"expected {expected}, got {self.moment.legal}"
        self.compare(self.moment.dump)
        chosen = self.moment.chosen
        self.moment = next(self.moments)
        return chosen

    def compare(self, dump: dict[str, Any]) -> None:
        """The table as the engine has it."""
        mine = [[tile for row in garden for tile in row] for garden in self.gardens]
        assert dump["gardens"] == mine, f"expected gardens {mine}, got {dump['gardens']}"
        assert dump["face_up"] == sorted(self.middle), f"expected {self.middle} face up, got {dump['face_up']}"
        assert dump["idle"] == self.idle, f"expected {self.idle} idle turns, got {dump['idle']}"
        assert dump["totals"] == self.totals
