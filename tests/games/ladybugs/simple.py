"""A second Ladybugs, written from the rulebook as plainly as can be: sets of spaces, every combination tried.

It follows a match decision by decision and compares what the engine offers and shows with what it finds itself.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any

from arena.games.ladybugs.actions import Action, Begin, ChooseStart, MoveSpider, Place, Resign, SetSpider
from arena.games.ladybugs.boards import FILE

Spot = tuple[int, int]  # row and column
Tile = tuple[int, int]  # seat and dots

STEPS = [(0, 1), (0, -1), (1, 0), (-1, 0)]
BUGS = ("grasshopper", "rhinoceros", "stag")
DATA = json.loads(FILE.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Moment:
    """One decision of a match, or its end: the state before it, who may do what, and what they did."""

    dump: dict[str, Any]
    legal: dict[int, list[Action]]
    chosen: dict[int, Action]


def board_data(dump: dict[str, Any]) -> Any:
    """The board file that a match is played with."""
    text = dump["options"]["board"]
    return DATA if text == "standard" else json.loads(text)


def board_rows(dump: dict[str, Any]) -> list[list[str]]:
    """The board as it is put together from squares."""
    data = board_data(dump)
    layout = data["layouts"][str(dump["seats"])]
    rows = [list(row) for row in layout["rows"]]
    for (top, left), code in zip(layout["inserts"], dump["laid"], strict=True):
        face = [list(row) for row in data["squares"]["ABCD"[code // 8]][code // 4 % 2]]
        for _ in range(code % 4):
            face = [list(row) for row in zip(*reversed(face), strict=True)]
        for row in range(6):
            for column in range(6):
                rows[top + row][left + column] = face[row][column]
    return rows


def beds(rows: list[list[str]]) -> list[set[Spot]]:
    """Sets of bed spaces that hang together."""
    left = {(row, column) for row, line in enumerate(rows) for column, letter in enumerate(line) if letter == "#"}
    found: list[set[Spot]] = []
    while left:
        bed = {left.pop()}
        while grown := {(row + down, column + right) for row, column in bed for down, right in STEPS} & left:
            bed |= grown
            left -= grown
        found.append(bed)
    return found


def spot(space: int) -> Spot:
    return space // 16, space % 16


def space_of(spot: Spot) -> int:
    return 16 * spot[0] + spot[1]


def count(dump: dict[str, Any]) -> tuple[list[int], list[int]]:
    """Points and places of a finished match."""
    seats, top = dump["seats"], {spot(space): (seat, dots) for space, seat, dots in dump["tiles"]}
    points, centre = [0] * seats, [0] * seats
    for bed in beds(board_rows(dump)):
        within = [tile for at, tile in top.items() if at in bed]
        totals = [sum(dots for owner, dots in within if owner == seat) for seat in range(seats)]
        prizes = [len(bed), len(bed) // 2 if seats > 2 else 0]
        for total, prize in zip(sorted({total for total in totals if total}, reverse=True), prizes, strict=False):
            points = [old + prize * (totals[seat] == total) for seat, old in enumerate(points)]
        if tuple(board_data(dump)["layouts"][str(seats)]["centre"] or ()) in bed:
            centre = totals
    for seat in range(seats):
        if dump["options"]["action_tiles"]:
            points[seat] += sum(dump["unused"][seat] // bit % 2 for bit in (1, 2, 4))
        points[seat] += sum(dump["clovers"][mark] for mark, taker in enumerate(dump["taken"]) if taker == seat + 1)
    keys = list(zip(points, centre, strict=True))
    return points, [1 + sum(other > key for other in keys) for key in keys]


class SimpleMatch:
    """One match, told the luck and the choices, and nothing else."""

    def __init__(self, moments: Iterator[Moment]) -> None:
        self.moments = moments
        self.moment = next(moments)
        dump = self.moment.dump
        self.options, self.seats = dump["options"], dump["seats"]
        self.first, self.draws, self.clovers = dump["first"], dump["draws"], dump["clovers"]
        self.rows = board_rows(dump)
        self.layout = board_data(dump)["layouts"][str(self.seats)]
        self.stacks: dict[Spot, list[Tile]] = {}
        self.starts: dict[int, Spot] = {}
        self.spider: Spot | None = None
        self.hands: list[list[int]] = [[] for _ in range(self.seats)]
        self.supplies = [list(tiles) for tiles in self.draws]
        self.bugs = [set(BUGS) if self.options["action_tiles"] else set() for _ in range(self.seats)]
        self.extra = [True] * self.seats  # rule 7
        self.out: set[int] = set()
        marks = [(row, column) for row, line in enumerate(self.rows) for column, one in enumerate(line) if one == "c"]
        self.marks = marks if self.options["lucky_clover"] else []
        self.takers: dict[Spot, int] = {}
        self.asked = 0

    def play(self) -> None:
        """The whole match."""
        self.set_up()
        seat = self.first
        while len(self.out | self.finished()) < self.seats:
            if seat not in self.out | self.finished():
                self.turn(seat)
            seat = (seat + 1) % self.seats
        assert not self.moment.legal, f"expected the end, but {self.moment.legal}"
        self.compare(self.moment.dump)

    def finished(self) -> set[int]:
        """Seats with one tile and nothing to draw."""
        return {seat for seat in range(self.seats) if len(self.hands[seat]) == 1 and not self.supplies[seat]}

    def set_up(self) -> None:
        places = [(row, column) for row, column in self.layout["starts"]]
        for index in range(self.seats):
            seat = (self.first + index) % self.seats if self.seats == 3 else index
            free = [place for place in places if place not in self.starts.values()]
            self.starts[seat] = free[0]
            if self.seats == 3 and len(free) > 1:
                action = self.ask({seat: [ChooseStart(space_of(place)) for place in free]}, skip="starts")[seat]
                assert isinstance(action, ChooseStart)
                self.starts[seat] = spot(action.space)
        if self.options["spider"]:
            self.spider = self.spider_start()
        for seat in range(self.seats):
            self.hands[seat] = [self.supplies[seat].pop(0), self.supplies[seat].pop(0)]
        chosen = self.ask({seat: [Begin(dots) for dots in set(hand)] for seat, hand in enumerate(self.hands)})
        for seat, action in chosen.items():
            assert isinstance(action, Begin)
            self.hands[seat].remove(action.dots)
            self.stacks[self.starts[seat]] = [(seat, action.dots)]
            self.hands[seat].append(self.supplies[seat].pop(0))

    def spider_start(self) -> Spot:
        places = [(row, column) for row, column in self.layout["spider"]]
        if len(places) == 1:
            return places[0]
        other = 1 - self.first
        action = self.ask({other: [SetSpider(space_of(place)) for place in places]})[other]
        assert isinstance(action, SetSpider)
        return spot(action.space)

    def turn(self, seat: int) -> None:
        actions = self.actions(seat)
        if not actions:
            self.out.add(seat)
            return
        known = {*self.hands[seat], *self.supplies[seat]}
        action = self.ask({seat: actions})[seat] if len(actions) > 1 or len(known) > 1 else actions[0]
        if isinstance(action, Resign):
            self.out.add(seat)
            return
        assert isinstance(action, Place | MoveSpider)
        self.hands[seat].remove(action.dots)
        if isinstance(action, MoveSpider):
            self.spider = spot(action.space)
            if self.stacks.get(self.spider):
                self.stacks[self.spider].pop()
        else:
            self.place(seat, action)
        if self.supplies[seat]:
            self.hands[seat].append(self.supplies[seat].pop(0))

    def place(self, seat: int, action: Place) -> None:
        target = spot(action.space)
        self.stacks.setdefault(target, []).append((seat, action.dots))
        self.bugs[seat] -= {bug for bug in BUGS if getattr(action, bug)}
        self.extra[seat] = self.extra[seat] and not action.start
        if target in self.marks:
            self.takers.setdefault(target, seat)

    def actions(self, seat: int) -> list[Action]:
        """Everything the seat may do in its turn."""
        ways = self.ways(seat)
        found: list[Action] = []
        for dots in sorted(set(self.hands[seat])):
            found += [Place(dots, space_of(target), **dict.fromkeys(way, True)) for target, way in ways]
        if self.spider:
            for dots in set(self.hands[seat]):
                ends = [(self.spider[0] + dots * down, self.spider[1] + dots * right) for down, right in STEPS]
                found += [MoveSpider(dots, space_of(end)) for end in ends if self.is_on(end)]
        if not found and self.extra[seat] and len(self.stacks.get(self.starts[seat], [])) <= 2:
            return [Place(dots, space_of(self.starts[seat]), start=True) for dots in set(self.hands[seat])]
        flips = [isinstance(one, Place) and (one.stag or one.grasshopper or one.rhinoceros) for one in found]
        if found and all(flips) and self.options["may_resign"]:
            found.append(Resign())
        return found

    def ways(self, seat: int) -> set[tuple[Spot, frozenset[str]]]:
        """Targets with what is needed to get there, without those that need more than others (L43)."""
        choices = [frozenset(way) for size in range(4) for way in combinations(sorted(self.bugs[seat]), size)]
        own = [at for at, stack in self.stacks.items() if stack and stack[-1][0] == seat]
        paths = chain.from_iterable(self.targets(at, step, way) for at in own for step in STEPS for way in choices)
        found = {(target, way) for target, way in paths if self.is_allowed(seat, target, way)}
        start = self.starts[seat]
        if self.extra[seat] and len(self.stacks.get(start, [])) <= 1 and self.spider != start:
            found.add((start, frozenset({"start"})))
        return {(target, way) for target, way in found if not any(to == target and less < way for to, less in found)}

    def targets(self, at: Spot, step: Spot, way: frozenset[str]) -> Iterator[tuple[Spot, frozenset[str]]]:
        """Where one counts to from a tile in one direction with these action tiles."""
        dots = self.stacks[at][-1][1]
        for distance in (dots - 1, dots + 1) if "rhinoceros" in way else (dots,):
            path = [(at[0] + step[0] * n, at[1] + step[1] * n) for n in range(1, distance + 1)]
            if path and self.is_on(path[-1]) and ("grasshopper" in way or not any(map(self.stacks.get, path[:-1]))):
                yield path[-1], way

    def is_allowed(self, seat: int, target: Spot, way: frozenset[str]) -> bool:
        """Rules 4 to 6, the stag beetle, and the note on the spider."""
        if target == self.spider or any(target == start for other, start in self.starts.items() if other != seat):
            return False
        height = len(self.stacks.get(target, []))
        return height == 2 if "stag" in way else height <= 1

    def is_on(self, at: Spot) -> bool:
        return 0 <= at[0] < len(self.rows) and 0 <= at[1] < len(self.rows[0])

    def ask(self, choices: "dict[int, Any]", skip: str = "") -> dict[int, Action]:
        """What these seats decided, after comparing the engine with what is known here."""
        moment = self.moment
        assert sorted(moment.legal) == sorted(choices), f"asked {sorted(moment.legal)}, not {sorted(choices)}"
        for seat, actions in choices.items():
            assert set(moment.legal[seat]) == set(actions), f"{set(moment.legal[seat]) ^ set(actions)} in one only"
        if not skip:
            self.compare(moment.dump)
        self.asked += 1
        self.moment = next(self.moments)
        return moment.chosen

    def compare(self, dump: dict[str, Any]) -> None:
        """The engine's tiles are those here."""
        tiles = [[space_of(at), *tile] for at in sorted(self.stacks) for tile in self.stacks[at]]
        assert dump["tiles"] == tiles
        assert dump["hands"] == [sorted(hand) for hand in self.hands]
        assert dump["drawn"] == [24 - len(supply) for supply in self.supplies]
        assert dump["out"] == sorted(self.out)
        assert dump["taken"] == [self.takers.get(mark, -1) + 1 for mark in self.marks]
        bits = {"grasshopper": 1, "rhinoceros": 2, "stag": 4}
        unused = [sum(bits[bug] for bug in self.bugs[seat]) + 8 * self.extra[seat] for seat in range(self.seats)]
        assert dump["unused"] == unused
        if dump["phase"] == "play":
            assert dump["spider"] == (space_of(self.spider) if self.spider else -1)
