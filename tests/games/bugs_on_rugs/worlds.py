"""Every world that fits what a seat saw, by brute force and forward in time: no engine, no cleverness.

Hands are kept with 0 for a bug that nobody can name yet; each step replaces every table by all that may follow.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import groupby, product

from arena.games.bugs_on_rugs import rules_codes as codes
from tests.games.bugs_on_rugs.table import CAME, PASSED, WENT, parts, receiver

Hand = tuple[int, ...]
World = tuple[Hand, ...]  # all hands by seat


@dataclass(frozen=True)
class Table:
    """Hands, and the unseen bugs that were named since; both ascending."""

    hands: World
    named: Hand


class TooMany(Exception):
    """More tables than brute force should follow."""


class Worlds:
    """What one seat can make of its memory. `unseen` are the bugs that it never saw come out of the deck."""

    def __init__(self, seat: int, seats: int, unseen: Counter[int], most: int) -> None:
        self.seat = seat
        self.seats = seats
        self.unseen = unseen
        self.most = most
        self.tables = {Table(((),) * seats, ())}

    def watch(self, history: list[int]) -> None:
        """Follow what was seen, from the beginning."""
        for kind, run in groupby(history, key=lambda code: code >> 16):
            events = [parts(code) for code in run]
            if kind in PASSED:
                self.follow_all(events)
            elif kind == codes.EVENT_SHOWED_HAND:
                for seat, shown in groupby(events, key=lambda event: event[1]):
                    self.expand(seat, [bug for _, _, bug in shown])
            else:
                for event in events:
                    self.replace(partial(self.after, event))

    def replace(self, follow: Callable[[Table], Iterator[Table]]) -> None:
        self.tables = {later for table in self.tables for later in follow(table)}
        if len(self.tables) > self.most:
            raise TooMany

    def after(self, event: tuple[int, int, int], table: Table) -> Iterator[Table]:
        """What one event makes of a table."""
        kind, seat, bug = event
        if kind in CAME:
            yield with_hand(table, seat, (*table.hands[seat], bug))
        else:
            for held in self.having(table, seat, bug):
                yield with_hand(held, seat, without(held.hands[seat], bug)) if kind in WENT else held

    def having(self, table: Table, seat: int, bug: int) -> Iterator[Table]:
        """The ways in which this bug may be in that hand."""
        hand = table.hands[seat]
        if bug in hand:
            yield table
        if 0 in hand and table.named.count(bug) < self.unseen[bug]:
            named = tuple(sorted((*table.named, bug)))
            yield with_hand(Table(table.hands, named), seat, (*without(hand, 0), bug))

    def expand(self, seat: int, shown: list[int]) -> None:
        """A whole hand was shown: name what had no name until it is that hand."""
        wanted = Counter(shown)

        def matches(table: Table) -> Iterator[Table]:
            missing = wanted - Counter(table.hands[seat])
            tables = [table]
            for bug in missing.elements():
                named = [later for one in tables for later in self.having(one, seat, bug)]
                tables = [one for one in named if one.hands[seat].count(bug) <= wanted[bug]]
            yield from (one for one in tables if Counter(one.hands[seat]) == wanted)

        self.replace(matches)

    def follow_all(self, events: list[tuple[int, int, int]]) -> None:
        """Passes at once; what was not seen may have been any bug of the giver."""

        def passed(table: Table) -> Iterator[Table]:
            choices = [[bug] if bug else sorted(set(table.hands[seat])) for _, seat, bug in events]
            for bugs in product(*choices):
                yield from self.passed(table, events, bugs)

        self.replace(passed)

    def passed(self, table: Table, events: list[tuple[int, int, int]], bugs: Hand) -> Iterator[Table]:
        """Passes of these bugs, some of which are seen by one who knows the giver's hand no better."""
        tables = [table]
        for (_, seat, _), bug in zip(events, bugs, strict=True):
            tables = [held for one in tables for held in self.having(one, seat, bug)] if bug else tables
            tables = [with_hand(one, seat, without(one.hands[seat], bug)) for one in tables]
        for (kind, seat, _), bug in zip(events, bugs, strict=True):
            to = receiver(kind, seat, self.seats)
            tables = [with_hand(one, to, (*one.hands[to], bug)) for one in tables]
        yield from tables

    def all(self) -> set[World]:
        """Every world, with a name for each bug."""
        worlds: set[World] = set()
        for table in self.tables:
            left = self.unseen - Counter(table.named)
            blanks = sum(hand.count(0) for hand in table.hands)
            for names in arrangements(left, blanks):
                worlds.add(filled(table.hands, names))
                if len(worlds) > self.most:
                    raise TooMany
        return worlds


def with_hand(table: Table, seat: int, hand: Hand) -> Table:
    hands = (*table.hands[:seat], tuple(sorted(hand)), *table.hands[seat + 1 :])
    return Table(hands, table.named)


def without(hand: Hand, bug: int) -> Hand:
    place = hand.index(bug)
    return hand[:place] + hand[place + 1 :]


def arrangements(left: Counter[int], number: int) -> Iterator[Hand]:
    """All ordered choices of so many bugs."""
    if number == 0:
        yield ()
        return
    for bug in left:
        for rest in arrangements(left - Counter([bug]), number - 1):
            yield (bug, *rest)


def filled(hands: World, names: Hand) -> World:
    """The hands with these names for what had none."""
    names_left = list(names)
    return tuple(tuple(sorted(bug or names_left.pop() for bug in hand)) for hand in hands)
