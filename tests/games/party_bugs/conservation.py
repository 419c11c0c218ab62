"""Thirteen cards of each colour, from setup to the end: each lies in one place or has been discarded in view."""

from collections import Counter
from typing import Any

from arena.games.party_bugs import codes

# How many cards of the event's value leave the game with it.
DISCARDS = {
    codes.EVENT_PAIRED: 2,
    codes.EVENT_PAIRED_HIDDEN: 2,
    codes.EVENT_MIRRORED: 1,
    codes.EVENT_MIRRORED_HIDDEN: 1,
}


def check(dump: dict[str, Any]) -> None:
    """Raises AssertionError if a card is missing or doubled."""
    for player in range(len(dump["decks"])):
        check_colour(dump, player)
    if deal_of(dump["log"]) is not None:
        check_values(dump)  # an imagined world remembers no discards


def check_colour(dump: dict[str, Any], player: int) -> None:
    """What nobody has seen of a colour is just the hand, the hidden card and the pile (P36)."""
    hidden = [dump["hidden"][player]] if dump["hidden"][player] and dump["phase"] != "over" else []
    cards = dump["hands"][player] + hidden + pile(dump, player)
    assert sorted(dump["decks"][player]) == list(range(1, 14)), f"pile of player {player}: {dump['decks'][player]}"
    assert sorted(cards) == dump["unseen"][player], f"player {player}: {cards} but unseen {dump['unseen'][player]}"


def pile(dump: dict[str, Any], player: int) -> list[int]:
    """What is left of a player's pile: one card laid out, three or four dealt, one more for each round's end."""
    hides, ended = dump["options"]["hidden_card"], dump["round"] - 1
    if player == dump["seats"]:  # Paul's top card is revealed before the mirror is decided (P41)
        return list(dump["decks"][player][1 + ended + (dump["phase"] == "mirror") :])
    dealt, draws = (4, 8) if hides else (3, 9)
    return list(dump["decks"][player][1 + dealt + min(ended, draws) :])


def check_values(dump: dict[str, Any]) -> None:
    """Of each value, the cards seen are those on the table and those that left in view."""
    seen = Counter(value for unseen in dump["unseen"] for value in range(1, 14) if value not in unseen)
    table = Counter(value for value in dump["floor"] + dump["played"] if value)
    table.update(value for display in dump["displays"] for value in display)
    if dump["phase"] == "over":
        table.update(value for value in dump["hidden"] if value)
    left = discarded(dump["log"])
    assert seen == table + left, f"seen {seen}, but {table} on the table and {left} discarded"


def discarded(log: list[int]) -> Counter[int]:
    """By value, how many cards left the current game."""
    left: Counter[int] = Counter()
    for code in log[deal_of(log) :]:
        kind, _, value = codes.event_parts(code)
        left[value] += DISCARDS.get(kind, 0)
    return +left


def deal_of(log: list[int]) -> int | None:
    """Where the events of the current game begin; None in a log that does not have its beginning."""
    for index in range(len(log) - 1, -1, -1):
        if codes.event_parts(log[index])[0] == codes.EVENT_GAME:
            return index
    return None
