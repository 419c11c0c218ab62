"""The luck of Lucky Numbers as it showed itself: who began, and the tiles in the order in which they were revealed."""

from typing import Any

from arena.games.lucky_numbers import rules_codes as codes

AT_SETUP = (codes.EVENT_OPENED, codes.EVENT_SET_ASIDE)


def drawn(dump: dict[str, Any]) -> dict[str, list[Any]]:
    """By game: the start player, the tiles of setup by seat, the tiles revealed later, and the current pool's rest."""
    luck: dict[str, list[Any]] = {}
    is_sorted, game = dump["options"]["setup"] == "sorted", 0
    for code in dump["log"]:
        kind, seat, tile, _, _ = codes.event_parts(code)
        game = tile if kind == codes.EVENT_GAME else game
        if kind == codes.EVENT_START:
            luck[f"game {game}, start"] = [seat]
        elif kind in AT_SETUP or (kind == codes.EVENT_LAID and is_sorted):
            luck.setdefault(f"game {game}, setup of seat {seat}", []).append((kind, tile))
        elif kind == codes.EVENT_DREW:
            luck.setdefault(f"game {game}, revealed", []).append(tile)
    luck.setdefault(f"game {game}, revealed", []).extend(dump["pool"])
    return luck
