"""Twenty-four tiles of each colour and all clovers, from setup to the end: each is in one place or left in view."""

from collections import Counter
from typing import Any

from arena.games.ladybugs import rules_codes as codes
from arena.games.ladybugs.boards import kit
from arena.games.ladybugs.words import event_parts

FOUR_OF_EACH = Counter(dict.fromkeys(range(1, 7), 4))


def check(dump: dict[str, Any]) -> None:
    """Raises AssertionError if a tile or a clover is missing or doubled."""
    for seat in range(dump["seats"]):
        check_colour(dump, seat)
    stacks = Counter(space for space, _, _ in dump["tiles"])
    assert all(high <= 3 for high in stacks.values()), f"a stack of more than three: {stacks}"
    check_clovers(dump)


def check_colour(dump: dict[str, Any], seat: int) -> None:
    """What was drawn is in hand, on the board, or was eaten or discarded in view."""
    assert Counter(dump["draws"][seat]) == FOUR_OF_EACH, f"tiles of seat {seat}: {dump['draws'][seat]}"
    gone, there = shown(dump, seat), Counter(dots for _, owner, dots in dump["tiles"] if owner == seat)
    assert not Counter(dump["hands"][seat]) - Counter(dump["draws"][seat][: dump["drawn"][seat]])
    if is_whole(dump["log"]):
        assert gone == there + left(dump["log"], seat), f"seat {seat}: shown {gone}, on the board {there}"
    else:  # an imagined world does not remember what left
        assert not there - gone, f"seat {seat}: shown {gone}, on the board {there}"


def shown(dump: dict[str, Any], seat: int) -> Counter[int]:
    """The tiles of a seat that everybody has seen: drawn, and not in hand."""
    return Counter(dump["draws"][seat][: dump["drawn"][seat]]) - Counter(dump["hands"][seat])


def left(log: list[int], seat: int) -> Counter[int]:
    """The tiles of a seat that the spider ate or that moved it."""
    gone: Counter[int] = Counter()
    for code in log:
        kind, owner, _, dots, _ = event_parts(code)
        if owner == seat and kind in (codes.EVENT_EATEN, codes.EVENT_SPIDER_MOVED):
            gone[dots] += 1
    return gone


def check_clovers(dump: dict[str, Any]) -> None:
    is_on = dump["options"]["lucky_clover"]
    wanted = kit(dump["options"]["board"]).clovers if is_on else []
    assert sorted(dump["clovers"]) == sorted(wanted), f"clovers: {dump['clovers']}"
    if is_whole(dump["log"]):
        events = [event_parts(code) for code in dump["log"]]
        took = Counter(seat + 1 for kind, seat, _, _, _ in events if kind == codes.EVENT_CLOVER)
        assert took == Counter(taker for taker in dump["taken"] if taker), f"took {took}, but {dump['taken']}"


def is_whole(log: list[int]) -> bool:
    """Whether a log has its beginning."""
    return bool(log) and event_parts(log[0])[0] == codes.EVENT_FIRST
