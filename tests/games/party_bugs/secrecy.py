"""Who may see what in Party Bugs (P36): all but others' hands and hidden cards, and what lies in the piles."""

from itertools import combinations
from typing import Any

from arena.engine.rng import Rng
from arena.games.party_bugs import codes
from tests.games.party_bugs.conservation import deal_of, pile

PRIVATE = (codes.EVENT_DREW, codes.EVENT_HID)
OPEN = ("options", "seats", "game", "round", "tied", "mirror", "floor", "played", "displays", "totals", "points")


def visible(dump: dict[str, Any], seat: int) -> Any:
    """The table as the seat sees it: open cards, its own ones, where others hold or hide some, the discards."""
    table = {name: dump[name] for name in OPEN}
    counts = [(len(hand), hidden > 0) for hand, hidden in zip(dump["hands"], dump["hidden"], strict=True)]
    shown = [sorted(set(deck) - out_of_sight(dump, player)) for player, deck in enumerate(dump["decks"])]
    return table, counts, shown, dump["hands"][seat], dump["hidden"][seat]


def out_of_sight(dump: dict[str, Any], player: int) -> set[int]:
    """The cards of a colour that were never shown, told by where they lie and not by what the engine remembers."""
    return {*dump["hands"][player], *pile(dump, player), dump["hidden"][player]}


def swap(dump: dict[str, Any], seat: int, rng: Rng) -> dict[str, Any] | None:
    """Two unseen cards of one colour change places, in hand, face down, in the pile, and in private events."""
    pairs = [
        (player, one, other)
        for player in range(len(dump["decks"]))
        for one, other in combinations(secret(dump, player, seat), 2)
        if not is_same_hand(dump, player, one, other) and may_hide(dump, player, one, other)
    ]
    return exchanged(dump, *pairs[rng.below(len(pairs))]) if pairs else None


def secret(dump: dict[str, Any], player: int, seat: int) -> list[int]:
    """The values of a player's colour whose places the seat does not know."""
    own = [*dump["hands"][seat], dump["hidden"][seat]] if player == seat else []
    return [value for value in dump["unseen"][player] if value not in own]


def is_same_hand(dump: dict[str, Any], player: int, one: int, other: int) -> bool:
    """Whether both lie in one hand, where a swap would change nothing."""
    return one in dump["hands"][player] and other in dump["hands"][player]


def may_hide(dump: dict[str, Any], player: int, one: int, other: int) -> bool:
    """Whether the hidden card may become what the swap makes of it: no King, and nothing that came and stayed."""
    after = {one: other, other: one}.get(dump["hidden"][player])
    barred = dump["excluded"][player] if player < len(dump["excluded"]) else []
    return after is None or (after != codes.KING and after not in barred)


def exchanged(dump: dict[str, Any], player: int, one: int, other: int) -> dict[str, Any]:
    """The same state with the two cards of this player exchanged wherever they lie out of sight."""
    turn = {one: other, other: one}
    hands, decks = list(dump["hands"]), list(dump["decks"])
    hidden, log = list(dump["hidden"]), list(dump["log"])
    hands[player] = sorted(turn.get(value, value) for value in hands[player])
    if {one, other} & set(pile(dump, player)):  # the order of what was drawn is past
        decks[player] = [turn.get(value, value) for value in decks[player]]
    hidden[player] = turn.get(hidden[player], hidden[player])
    for index in range(deal_of(log) or 0, len(log)):
        kind, who, value = codes.event_parts(log[index])
        if kind in PRIVATE and who == player:
            log[index] += turn.get(value, value) - value
    return dump | {"hands": hands, "decks": decks, "hidden": hidden, "log": log}
