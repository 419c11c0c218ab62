"""Imagining a table of Bugs on Rugs: a past of all hands that fits what one seat saw (B47).

Most cards are picked in the open; hidden are first bugs, Ladybug draws and passes between two others. Going back in
time, each bug that was seen to leave a hand is traced: it was picked there, or came by a hidden pass, or was hidden
from the start. Where several ways fit, one is tried by luck and others if it fails. What no trace needs is free, and
is chosen going forward again: that cannot fail.
"""

from typing import Final

from mypy_extensions import i64

from arena.engine.rng import Rng
from arena.games.bugs_on_rugs import rules_codes as codes
from arena.games.bugs_on_rugs.rules_choices import put
from arena.games.bugs_on_rugs.rules_codes import HIGHEST_BUG
from arena.games.bugs_on_rugs.rules_views import Observation

# What happened to the hand of another seat.
ADD: Final = 1  # a known bug came
REMOVE: Final = 2  # a known bug left
BLANK: Final = 3  # an unseen bug came from the deck
MOVE: Final = 4  # an unseen bug went to a third seat
SHOW: Final = 5  # a bug was shown
HAND: Final = 6  # the whole hand was shown

SIZE: Final = HIGHEST_BUG + 1
FIRST_PATIENCE: Final = 128


class Step:
    """One thing that happened to a hand."""

    def __init__(self, kind: i64, seat: i64, bug: i64, event: i64) -> None:
        self.kind: i64 = kind
        self.seat: i64 = seat
        self.bug: i64 = bug  # filled in where it was not seen
        self.event: i64 = event  # its place in the history
        self.to: i64 = seat  # who got it, if it moved
        self.hand: list[int] = []  # what was shown; or, if a free bug moved, which bugs had to stay
        self.reach: i64 = 0  # if it moved: the set of bugs that the giver may have had
        self.before: i64 = 0  # the set of bugs that the hand may have had to which it came
        self.is_forced = False  # whether it left without having come in sight


class Past:
    """All hands with their history, and what is left for the deck."""

    def __init__(self, history: list[int], hands: list[list[int]], deck: list[int]) -> None:
        self.history = history
        self.hands = hands
        self.deck = deck


def imagined_past(view: Observation, rng: Rng, cards: list[int]) -> Past:
    """A past that fits the view; `cards` are all cards of the game."""
    pool = [0] * SIZE
    for bug in cards:
        pool[bug] += 1
    for bugs in (view.floor, view.wall, view.discards):
        take_out(pool, bugs)
    if view.phase >= codes.PHASE_BREAK:
        for hand in view.hands:
            take_out(pool, hand)
        deck = listed(pool)
        rng.shuffle(deck)
        return Past([], [hand[:] for hand in view.hands], deck)
    take_out(pool, view.hand)
    trace = Trace(view, pool, rng)
    return trace.past(view)


def take_out(pool: list[int], bugs: list[int]) -> None:
    """Count these bugs as seen."""
    for bug in bugs:
        pool[bug] -= 1


def listed(pool: list[int]) -> list[int]:
    """The bugs of a pool one by one; ValueError if one was seen too often."""
    bugs: list[int] = []
    for bug in range(SIZE):
        if pool[bug] < 0:
            raise ValueError(f"an observation: expected no more bugs than there are, got too many of number {bug}")
        bugs += [bug] * pool[bug]
    return bugs


class Ledger:
    """Where a search stands, going back: what hands must hold, and what is left that could have come there."""

    def __init__(self, sizes: list[int], pool: list[int]) -> None:
        self.sizes = sizes  # of the hands
        self.pool = pool  # unseen bugs by number: in the deck, or hidden in a hand from the start
        self.demands = [[0] * SIZE for _ in range(len(sizes))]  # by seat and bug
        self.totals = [0] * len(sizes)  # of the demands
        self.wanted = [0] * len(sizes)  # the set of bugs that are demanded
        self.asked = [0] * SIZE  # demands of all seats by bug
        self.supply = [0] * SIZE  # bugs that are known to be in one of the hands
        self.lack: i64 = 0  # demands beyond the supply
        self.forced: i64 = 0  # earlier bugs that came from no known supply
        self.blanks: i64 = 0  # unseen bugs that came from the deck

    def copy(self) -> "Ledger":
        """An independent copy."""
        copy = Ledger([], self.pool[:])
        copy.sizes, copy.totals, copy.wanted = self.sizes[:], self.totals[:], self.wanted[:]
        copy.demands = [row[:] for row in self.demands]
        copy.asked, copy.supply = self.asked[:], self.supply[:]
        copy.lack, copy.forced, copy.blanks = self.lack, self.forced, self.blanks
        return copy

    def demand(self, seat: i64, bug: i64) -> None:
        """The seat must hold one more of this bug."""
        self.demands[seat][bug] += 1
        self.totals[seat] += 1
        self.wanted[seat] |= bit_of(bug)
        self.asked[bug] += 1
        if self.asked[bug] > self.supply[bug]:
            self.lack += 1

    def meet(self, seat: i64, bug: i64) -> None:
        """One demand of this bug has found its origin."""
        if self.asked[bug] > self.supply[bug]:
            self.lack -= 1
        self.asked[bug] -= 1
        self.demands[seat][bug] -= 1
        self.totals[seat] -= 1
        if not self.demands[seat][bug]:
            self.wanted[seat] ^= bit_of(bug)

    def supply_more(self, bug: i64) -> None:
        """Before it left, this bug was there."""
        if self.asked[bug] > self.supply[bug]:
            self.lack -= 1
        self.supply[bug] += 1

    def supply_less(self, bug: i64) -> None:
        """Before it came, this bug was not there."""
        self.supply[bug] -= 1
        if self.asked[bug] > self.supply[bug]:
            self.lack += 1

    def shrink(self, step: Step) -> bool:
        """The hand without the bug that came; whether it still can have had all that is demanded."""
        seat: i64 = step.to
        self.sizes[seat] -= 1
        wanted: i64 = self.wanted[seat]
        if self.totals[seat] > self.sizes[seat] or wanted & ~step.before:
            return False
        return self.is_possible()

    def is_possible(self) -> bool:
        """Whether enough unseen bugs came for all that has no other origin."""
        return self.lack + self.forced <= self.blanks


class Trace:
    """The search for a past: demands are bugs that a hand must hold, found going back in time."""

    def __init__(self, view: Observation, pool: list[int], rng: Rng) -> None:
        self.rng = rng
        self.steps = steps_of(view)
        self.patience: i64 = 0  # how many ways may still be tried
        self.ledger = Ledger(view.hand_sizes[:], pool)
        for step in self.steps:
            self._enter(step)
        mark_reach(self.steps, pool_set(pool), view.seats)

    def _enter(self, step: Step) -> None:
        """Count a step into the ledger, going forward."""
        ledger = self.ledger
        if step.kind == ADD:
            ledger.pool[step.bug] -= 1
            ledger.supply[step.bug] += 1
        elif step.kind == REMOVE:
            ledger.pool[step.bug] += 1
            step.is_forced = ledger.supply[step.bug] == 0
            if step.is_forced:
                ledger.forced += 1
            else:
                ledger.supply[step.bug] -= 1
        elif step.kind == BLANK:
            ledger.blanks += 1

    def past(self, view: Observation) -> Past:
        """Search back, then go forward."""
        self._find()
        rest = listed(self.ledger.pool)
        self.rng.shuffle(rest)
        used: i64 = 0
        history = view.history[:]
        hands: list[list[int]] = [[] for _ in range(view.seats)]
        for step in self.steps:
            if step.kind == BLANK and not step.bug:
                step.bug = rest[used]
                used += 1
            self._forward(step, hands)
            if step.kind in (BLANK, MOVE):
                history[step.event] |= step.bug
        hands[view.seat] = view.hand[:]
        return Past(history, hands, rest[used:])

    def _forward(self, step: Step, hands: list[list[int]]) -> None:
        """Let a step happen to the hands; a free bug that moves is any that need not stay."""
        if step.kind in (ADD, BLANK):
            put(hands[step.seat], step.bug)
        elif step.kind == REMOVE:
            hands[step.seat].remove(step.bug)
        elif step.kind == MOVE:
            if not step.bug:
                step.bug = self.rng.choice(spare(hands[step.seat], step.hand))
            hands[step.seat].remove(step.bug)
            put(hands[step.to], step.bug)

    # Back in time

    def _find(self) -> None:
        """Search until a past is found, beginning anew with other luck when one search takes long."""
        begun = self.ledger
        patience: i64 = FIRST_PATIENCE
        while True:
            self.ledger = begun.copy()
            self.patience = patience
            if self._search(len(self.steps) - 1):
                return
            if self.patience > 0:
                raise ValueError("an observation: expected one of a possible match, got a past that cannot be")
            patience *= 2

    def _search(self, index: i64) -> bool:
        """Whether all steps up to this one can be traced back; if so, each has what it needs."""
        while index >= 0:
            step = self.steps[index]
            if step.kind in (BLANK, MOVE):
                ways = self._ways(step)
                if len(ways) > 1:
                    return self._try(index, ways)
                if not self._back_hidden(step, 0):
                    return False
            elif not self._back(step):
                return False
            index -= 1
        return not sum(self.ledger.totals)

    def _try(self, index: i64, ways: list[int]) -> bool:
        """One way after the other, each from the same point."""
        point = self.ledger
        for way in ways:
            self.patience -= 1
            if self.patience <= 0:
                return False
            self.ledger = point.copy()
            if self._back_hidden(self.steps[index], way) and self._search(index - 1):
                return True
        return False

    def _ways(self, step: Step) -> list[int]:
        """What a hidden bug may have been: one that is demanded where it came to, or, as 0, any other."""
        ledger = self.ledger
        if not ledger.totals[step.to]:
            return [0]
        demand = ledger.demands[step.to]
        wanted = [bug for bug in range(1, SIZE) if demand[bug] and self._may_be(step, bug)]
        self.rng.shuffle(wanted)
        # Any bug seldom is the one that is wanted; if it has to be, the search comes back to it.
        place: i64 = 0
        while place < len(wanted) and self.rng.below(3) == 0:
            place += 1
        wanted.insert(place, 0)
        return wanted

    def _may_be(self, step: Step, bug: i64) -> bool:
        """Whether a hidden bug may have been this one: the giver could have it, or it is not all seen."""
        if step.kind == MOVE:
            return step.reach >> bug & 1 != 0
        return self.ledger.pool[bug] > 0

    def _back_hidden(self, step: Step, bug: i64) -> bool:
        """Undo a hidden bug's coming, as the demanded one or, with 0, as a free one."""
        ledger = self.ledger
        step.bug = bug
        if bug:
            ledger.meet(step.to, bug)
        if step.kind == BLANK:
            ledger.blanks -= 1
            if bug:
                ledger.pool[bug] -= 1
            return ledger.shrink(step)
        if bug:
            ledger.demand(step.seat, bug)
        else:
            step.hand = ledger.demands[step.seat][:]
        ledger.sizes[step.seat] += 1
        return ledger.shrink(step)

    def _back(self, step: Step) -> bool:
        """Undo a step that was seen."""
        ledger = self.ledger
        seat: i64 = step.seat
        bug: i64 = step.bug
        if step.kind == ADD:
            if ledger.demands[seat][bug]:
                ledger.meet(seat, bug)
            ledger.supply_less(bug)
            return ledger.shrink(step)
        if step.kind == REMOVE:
            if step.is_forced:
                ledger.forced -= 1
            else:
                ledger.supply_more(bug)
            ledger.demand(seat, bug)
            ledger.sizes[seat] += 1
            return True
        if step.kind == SHOW:
            if not ledger.demands[seat][bug]:
                ledger.demand(seat, bug)
            return ledger.totals[seat] <= ledger.sizes[seat] and ledger.is_possible()
        return self._back_hand(step)

    def _back_hand(self, step: Step) -> bool:
        """A hand that was shown must have been just that."""
        demand = self.ledger.demands[step.seat]
        shown = [0] * SIZE
        for bug in step.hand:
            shown[bug] += 1
            if demand[bug] < shown[bug]:
                self.ledger.demand(step.seat, bug)
        return self.ledger.totals[step.seat] == len(step.hand) and self.ledger.is_possible()


def spare(hand: list[int], staying: list[int]) -> list[int]:
    """The bugs of a hand without those that must stay."""
    left = staying[:]
    free: list[int] = []
    for bug in hand:
        if left[bug]:
            left[bug] -= 1
        else:
            free.append(bug)
    return free


def pool_set(pool: list[int]) -> i64:
    """The set of bugs in a pool."""
    bugs: i64 = 0
    for bug in range(1, SIZE):
        if pool[bug] > 0:
            bugs |= bit_of(bug)
    return bugs


def bit_of(bug: i64) -> i64:
    """The set of one bug."""
    highest: i64 = 0x4000000000000000  # compiled, 1 << bug would be a shift of 32 bits
    return highest >> (62 - bug)


def mark_reach(steps: list[Step], pool: i64, seats: i64) -> None:
    """Note which bugs a hand may have had before a step: what ever came there, in any way."""
    reach = [0] * seats
    for step in steps:
        step.before = reach[step.to]
        if step.kind == BLANK:
            reach[step.seat] |= pool
        elif step.kind == ADD:
            reach[step.seat] |= bit_of(step.bug)
        elif step.kind == MOVE:
            step.reach = reach[step.seat]
            reach[step.to] |= step.reach


# From a seat's history to steps


def steps_of(view: Observation) -> list[Step]:
    """What happened to others' hands, in order."""
    steps: list[Step] = []
    index: i64 = 0
    while index < len(view.history):
        kind: i64 = view.history[index] >> 16
        if kind in (codes.EVENT_PASSED_LEFT, codes.EVENT_PASSED_RIGHT):
            index = append_passes(steps, view, index)
        elif kind == codes.EVENT_SHOWED_HAND:
            index = append_shown(steps, view, index)
        else:
            append_step(steps, view, index)
            index += 1
    return steps


def append_step(steps: list[Step], view: Observation, index: i64) -> None:
    """One event of one seat."""
    code: i64 = view.history[index]
    kind: i64 = code >> 16
    seat: i64 = code >> 12 & 15
    if seat == view.seat:
        return
    bug: i64 = code & 0xFFF
    if kind <= codes.EVENT_DREW:
        steps.append(Step(BLANK, seat, 0, index))
    elif kind in (codes.EVENT_TOOK, codes.EVENT_TOOK_WALL):
        steps.append(Step(ADD, seat, bug, index))
    elif kind >= codes.EVENT_OFFERED:
        steps.append(Step(SHOW, seat, bug, index))
    else:
        steps.append(Step(REMOVE, seat, bug, index))


def append_shown(steps: list[Step], view: Observation, index: i64) -> i64:
    """A hand that was shown bug by bug; gives the index after it."""
    seat: i64 = view.history[index] >> 12 & 15
    step = Step(HAND, seat, 0, index)
    while index < len(view.history) and view.history[index] >> 12 == codes.EVENT_SHOWED_HAND << 4 | seat:
        step.hand.append(view.history[index] & 0xFFF)
        index += 1
    if seat != view.seat:
        steps.append(step)
    return index


def append_passes(steps: list[Step], view: Observation, index: i64) -> i64:
    """Passes that happened at once, so that each hand gives before it gets; gives the index after them."""
    first: i64 = index
    kind: i64 = view.history[index] >> 16
    giver: i64 = -1
    while index < len(view.history) and view.history[index] >> 16 == kind and view.history[index] >> 12 & 15 > giver:
        giver = view.history[index] >> 12 & 15
        index += 1
    to: i64 = view.seat
    for _ in range(view.seats):  # from the one who gives to this seat, back to this seat itself
        other: i64 = codes.receiver(codes.EVENT_PASSED_LEFT + codes.EVENT_PASSED_RIGHT - kind, to, view.seats)
        for event in range(first, index):
            if view.history[event] >> 12 & 15 == other:
                append_pass(steps, view, event, to)
        to = other
    return index


def append_pass(steps: list[Step], view: Observation, event: i64, to: i64) -> None:
    code: i64 = view.history[event]
    giver: i64 = code >> 12 & 15
    if to == view.seat:
        steps.append(Step(REMOVE, giver, code & 0xFFF, event))
    elif giver == view.seat:
        steps.append(Step(ADD, to, code & 0xFFF, event))
    else:
        step = Step(MOVE, giver, 0, event)
        step.to = to
        steps.append(step)
