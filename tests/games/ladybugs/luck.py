"""The luck of Ladybugs as it showed itself: who begins, the board, tiles in the order of drawing, clovers."""

from typing import Any

from arena.games.ladybugs import rules_codes as codes
from arena.games.ladybugs.words import event_parts


def drawn(dump: dict[str, Any]) -> dict[str, list[Any]]:
    """What was drawn, by purpose; tiles also as the events tell them."""
    luck: dict[str, list[Any]] = {"start player": [dump["first"]], "board": dump["laid"], "clovers": dump["clovers"]}
    for seat, tiles in enumerate(dump["draws"]):
        luck[f"tiles of seat {seat}"] = tiles
    for code in dump["log"]:
        kind, seat, _, dots, _ = event_parts(code)
        if kind == codes.EVENT_DREW:
            luck.setdefault(f"drawn by seat {seat}", []).append(dots)
    return luck
