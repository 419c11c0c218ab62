"""Ninety cards, from setup to the end: each lies in one place, and the hands are what their history makes of them."""

from collections import Counter
from typing import Any

from arena.games.bugs_on_rugs import rules_codes as codes
from tests.games.bugs_on_rugs.table import hands_after

# The rulebook's list of components, and the split over rugs of the rulings (4.2): two of each kind but for these.
FLIES_ON_RUGS = (3, 3, 2, 2, 2)
SPIDERS_ON_RUGS = (1, 1, 2, 2, 2)


def deck() -> Counter[int]:
    """How many cards there are of each bug."""
    cards: Counter[int] = Counter({codes.MOSQUITO: 10})
    for type_ in range(codes.BUTTERFLY, codes.MOSQUITO_TYPE):
        split = {codes.FLY: FLIES_ON_RUGS, codes.SPIDER: SPIDERS_ON_RUGS}.get(type_, (2, 2, 2, 2, 2))
        cards.update({7 * (type_ - 1) + rug: number for rug, number in enumerate(split, 1)})
    return cards


def check(dump: dict[str, Any]) -> None:
    """Raises AssertionError if a card is missing or doubled."""
    places = [dump["deck"], dump["floor"], dump["wall"], dump["discards"], *dump["hands"]]
    cards = Counter(bug for place in places for bug in place)
    assert cards == deck(), f"too many {cards - deck()}, missing {deck() - cards}"
    if dump["history"]:
        hands = hands_after(dump["history"], dump["seats"])
        assert hands == dump["hands"], f"the history makes {hands}, but the hands are {dump['hands']}"
    if dump["log"] and dump["log"][0] >> 16 == codes.EVENT_DEALT:  # an imagined world remembers no draws
        check_drawn(dump)


def check_drawn(dump: dict[str, Any]) -> None:
    """What was drawn in the match and what is left of the deck are all cards."""
    drawn = Counter(bug for _, bug in draws(dump["log"]))
    assert drawn + Counter(dump["deck"]) == deck(), f"drawn {drawn}, left {dump['deck']}"


def draws(log: list[int]) -> list[tuple[int, int]]:
    """Each card that came from the deck, in order, with the kind of event that told of it."""
    kinds = (codes.EVENT_DEALT, codes.EVENT_DREW, codes.EVENT_FLOOR, codes.EVENT_WALL)
    return [(code >> 16, code & 0xFFF) for code in log if code >> 16 in kinds]
