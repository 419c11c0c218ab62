"""The hands of Bugs on Rugs from what happened to them, followed in the plainest way; and who saw what."""

from collections import Counter
from itertools import groupby

from arena.games.bugs_on_rugs import rules_codes as codes

CAME = (codes.EVENT_DEALT, codes.EVENT_DREW, codes.EVENT_TOOK, codes.EVENT_TOOK_WALL)
WENT = (codes.EVENT_HATCHED, codes.EVENT_LAID, codes.EVENT_HUNG)
PASSED = (codes.EVENT_PASSED_RIGHT, codes.EVENT_PASSED_LEFT)


def parts(code: int) -> tuple[int, int, int]:
    """An event's kind, seat and value."""
    return code >> 16, code >> 12 & 15, code & 0xFFF


def receiver(kind: int, giver: int, seats: int) -> int:
    """Left is the next seat clockwise, right the one before (B6)."""
    return (giver + (1 if kind == codes.EVENT_PASSED_LEFT else -1)) % seats


def hands_after(history: list[int], seats: int) -> list[list[int]]:
    """By seat: the hand, ascending; AssertionError if something happened that could not."""
    hands: list[Counter[int]] = [Counter() for _ in range(seats)]
    for kind, run in groupby(history, key=lambda code: code >> 16):
        events = [parts(code) for code in run]
        if kind in PASSED:
            for _, seat, bug in events:
                lose(hands[seat], bug)
            for _, seat, bug in events:
                hands[receiver(kind, seat, seats)][bug] += 1
        elif kind == codes.EVENT_SHOWED_HAND:
            check_shown(events, hands)
        else:
            for _, seat, bug in events:
                follow(kind, hands[seat], bug)
    return [sorted(hand.elements()) for hand in hands]


def follow(kind: int, hand: Counter[int], bug: int) -> None:
    """One event of one hand."""
    if kind in CAME:
        hand[bug] += 1
    elif kind in WENT:
        lose(hand, bug)
    else:
        assert hand[bug], f"number {bug} was shown, but is not in {hand}"


def lose(hand: Counter[int], bug: int) -> None:
    assert hand[bug], f"number {bug} left, but was not in {hand}"
    hand[bug] -= 1


def check_shown(events: list[tuple[int, int, int]], hands: list[Counter[int]]) -> None:
    """Whole hands were shown."""
    for seat, run in groupby(events, key=lambda event: event[1]):
        shown = Counter(bug for _, _, bug in run)
        assert shown == +hands[seat], f"seat {seat} showed {shown}, but holds {hands[seat]}"


def hidden_from(code: int, seat: int, seats: int) -> bool:
    """Whether a seat does not see the bug of an event: others' first bugs, draws, and passes between others (B43)."""
    kind, who, _ = parts(code)
    if kind in (codes.EVENT_DEALT, codes.EVENT_DREW):
        return who != seat
    return kind in PASSED and seat not in (who, receiver(kind, who, seats))


def remembered(history: list[int], seat: int, seats: int) -> list[int]:
    """A history as this seat saw it."""
    return [code >> 12 << 12 if hidden_from(code, seat, seats) else code for code in history]
