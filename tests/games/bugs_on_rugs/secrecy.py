"""Who may see what in Bugs on Rugs (B43): all but the deck, others' first bugs and draws, and passes between others."""

from itertools import groupby
from typing import Any

from arena.engine.rng import Rng
from arena.games.bugs_on_rugs import rules_codes as codes
from tests.games.bugs_on_rugs.table import CAME, PASSED, hands_after, hidden_from, parts, remembered

OPEN = ("options", "seats", "round", "last_round", "start", "floor", "wall", "discards", "points", "offered")
TRIES = 12


def visible(dump: dict[str, Any], seat: int) -> Any:
    """The table as the seat sees and remembers it; once hands are revealed, all of them."""
    table = {name: dump[name] for name in OPEN}
    sizes = [len(hand) for hand in dump["hands"]], len(dump["deck"])
    revealed = dump["phase"] in ("break", "over")
    secret = (dump["hands"], dump["groups"]) if revealed else (dump["hands"][seat], dump["groups"][seat : seat + 1])
    return table, sizes, secret, remembered(dump["history"], seat, dump["seats"])


def swap(dump: dict[str, Any], seat: int, rng: Rng) -> dict[str, Any] | None:
    """Another order of the deck, another unseen bug in a hand, or another bug in a hidden pass."""
    for _ in range(TRIES):
        way = (swapped_deck, swapped_draw, swapped_pass)[rng.below(3)]
        other = way(dump, seat, rng)
        if other is not None:
            return other
    return swapped_deck(dump, seat, rng)


def swapped_deck(dump: dict[str, Any], seat: int, rng: Rng) -> dict[str, Any] | None:
    """Two different cards of the deck change places."""
    deck = list(dump["deck"])
    if len(set(deck)) < 2:
        return None
    one = rng.below(len(deck))
    others = [place for place, bug in enumerate(deck) if bug != deck[one]]
    other = others[rng.below(len(others))]
    deck[one], deck[other] = deck[other], deck[one]
    return dump | {"deck": deck}


def swapped_draw(dump: dict[str, Any], seat: int, rng: Rng) -> dict[str, Any] | None:
    """A bug that another seat drew unseen changes places with one of the deck."""
    hidden = [place for place in secrets(dump, seat) if parts(dump["history"][place])[0] in CAME]
    if not hidden or not dump["deck"]:
        return None
    place, card = hidden[rng.below(len(hidden))], rng.below(len(dump["deck"]))
    bug, deck = dump["history"][place] & 0xFFF, list(dump["deck"])
    if deck[card] == bug:
        return None
    other = rewritten(dump, place, deck[card])
    deck[card] = bug
    return other and other | {"deck": deck}


def swapped_pass(dump: dict[str, Any], seat: int, rng: Rng) -> dict[str, Any] | None:
    """Another bug of the giver's hand went to a third seat."""
    passes = [place for place in secrets(dump, seat) if parts(dump["history"][place])[0] in PASSED]
    if not passes:
        return None
    place = passes[rng.below(len(passes))]
    _, giver, bug = parts(dump["history"][place])
    held = hands_after(dump["history"][: first_of_run(dump["history"], place)], dump["seats"])[giver]
    others = sorted(set(held) - {bug})
    return rewritten(dump, place, others[rng.below(len(others))]) if others else None


def secrets(dump: dict[str, Any], seat: int) -> list[int]:
    """Places in the history where the seat did not see the bug."""
    return [place for place, code in enumerate(dump["history"]) if hidden_from(code, seat, dump["seats"])]


def first_of_run(history: list[int], place: int) -> int:
    """Where the passes began that happened at once with this one."""
    runs = groupby(enumerate(history), key=lambda item: item[1] >> 16)
    starts = [next(run)[0] for _, run in runs]
    return max(start for start in starts if start <= place)


def rewritten(dump: dict[str, Any], place: int, bug: int) -> dict[str, Any] | None:
    """The same state with another bug in one event of the past and all that follows; None if that could not be."""
    history = list(dump["history"])
    history[place] = history[place] >> 12 << 12 | bug
    try:
        hands = hands_after(history, dump["seats"])
    except AssertionError:
        return None
    if not still_possible(dump, hands):
        return None
    return dump | {"history": history, "hands": hands, "log": rewritten_log(dump["log"], history)}


def rewritten_log(log: list[int], history: list[int]) -> list[int]:
    """The log with the changed past; it tells of hands in the same order, as far as it reaches."""
    places = [place for place, code in enumerate(log) if code >> 16 <= codes.LAST_OF_HANDS]
    changed = list(log)
    for place, code in zip(reversed(places), reversed(history), strict=False):
        changed[place] = code
    return changed


def still_possible(dump: dict[str, Any], hands: list[list[int]]) -> bool:
    """Whether sealed choices of grouping so far fit these hands (B30)."""
    for hand, group in zip(hands, dump["groups"], strict=False):
        copied = [type_ for type_ in range(1, 9) if group >> 4 * (type_ - 1) & 15]
        pairs = sum(group >> 4 * (type_ - 1) & 15 for type_ in copied)
        held = {(bug + 6) // 7 for bug in hand}
        if not set(copied) <= held or hand.count(codes.MOSQUITO) < 2 * pairs:
            return False
    return True
