"""Six dice and a set of five cards for each seat, in every turn; points that come from cards shown in view."""

from collections import Counter
from typing import Any

from arena.games.lunar_laser_frogs import codes
from arena.games.lunar_laser_frogs.rules_codes import EVENT_COPIED, EVENT_EXTRA_TURN, EVENT_REVEALED, EVENT_TURN

ROLLED = {0: {0}, 1: {1, 2, 3, 4}, 2: {2, 3, 4, 5}, 3: {6}}  # dice by rolls made: each roll takes one at least


def check(dump: dict[str, Any]) -> None:
    """Raises AssertionError if a die or card is missing or doubled, or points come from nowhere."""
    check_dice(dump)
    check_cards(dump)
    if any(codes.event_parts(code)[0] == EVENT_TURN for code in dump["log"][:1]):
        check_points(dump)  # an imagined world remembers no cards


def check_dice(dump: dict[str, Any]) -> None:
    """Every die lies as it was drawn, or is still in the roller's hand."""
    faces = dump["faces"]
    assert len(faces) == 6, f"expected six dice, got {faces}"
    if dump["phase"] == "over":
        assert not any(faces), f"expected no dice after the end, got {faces}"
        return
    drawn = dump["rolls"][dump["turn"] % dump["seats"]]
    rolled = [face for face in faces if face]
    assert len(rolled) in ROLLED[dump["window"]], f"{len(rolled)} dice after {dump['window']} rolls"
    assert all(face in (0, roll) for face, roll in zip(faces, drawn, strict=True)), f"drawn {drawn}, got {faces}"
    for order in dump["orders"]:
        assert len(set(order)) == dump["seats"] - 1, f"expected every other seat once, got {order}"


def check_cards(dump: dict[str, Any]) -> None:
    """Nobody throws a card twice or more than is due; the roller throws none; at the end of a turn all are thrown."""
    due = 2 if dump["seats"] == 3 else 1
    cards = list(zip(dump["pile_seats"], dump["pile_cards"], strict=True))
    assert len(set(cards)) == len(cards), f"a card twice: {cards}"
    threw = Counter(dump["pile_seats"])
    assert all(count <= due for count in threw.values()), f"more than {due} of a seat: {cards}"
    assert dump["roller"] not in threw or dump["phase"] == "over", f"the roller threw: {cards}"
    assert dump["pile_windows"] == sorted(dump["pile_windows"]), f"windows out of order: {dump['pile_windows']}"
    assert all(window <= dump["window"] for window in dump["pile_windows"])
    if dump["phase"] == "name":
        assert len(cards) == due * (dump["seats"] - 1), f"expected all cards, got {cards}"
    if dump["last_roller"] >= 0:
        assert len(dump["last_cards"]) == due * (dump["seats"] - 1), f"expected all cards, got {dump['last_cards']}"


def check_points(dump: dict[str, Any]) -> None:
    """Points are those of the cards shown and of the copies, and turns are those announced."""
    points, turns = [0] * dump["seats"], 0
    for code in dump["log"]:
        kind, player, value = codes.event_parts(code)
        if kind in (EVENT_REVEALED, EVENT_COPIED):
            points[player] += value >> 3
        turns += kind in (EVENT_TURN, EVENT_EXTRA_TURN)
    assert points == dump["points"], f"shown {points}, counted {dump['points']}"
    assert turns == dump["turn"] + (dump["phase"] != "over"), f"{turns} turns announced, {dump['turn']} over"
