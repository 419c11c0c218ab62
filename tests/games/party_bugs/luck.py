"""The luck of Party Bugs as it showed itself: what was laid out and drawn, who got the Tied card among equals."""

from typing import Any

from arena.games.party_bugs import codes

SHOWN = {
    codes.EVENT_LAID_OUT: "laid out",
    codes.EVENT_KING_RETURNED: "King returned",
    codes.EVENT_TIED: "Tied card",
    codes.EVENT_DREW: "drawn",
}


def drawn(dump: dict[str, Any]) -> dict[str, list[Any]]:
    """Cards in the order in which they came, by game and player; the current game's whole piles too."""
    luck: dict[str, list[Any]] = {f"game {dump['game'] + 1}, piles": dump["decks"]}
    game = 0
    for code in dump["log"]:
        kind, player, value = codes.event_parts(code)
        game = value if kind == codes.EVENT_GAME else game
        if kind in SHOWN:
            luck.setdefault(f"game {game}, {SHOWN[kind]}, player {player}", []).append(value)
        elif kind == codes.EVENT_PLAYED and player == dump["seats"]:  # Paul's pile
            luck.setdefault(f"game {game}, Paul's pile", []).append(value)
    return luck
