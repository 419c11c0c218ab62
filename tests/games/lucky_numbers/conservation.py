"""A set of twenty tiles for each seat, from setup to the end: each lies in one place (N15: without colours)."""

from collections import Counter
from typing import Any


def check(dump: dict[str, Any]) -> None:
    """Raises AssertionError if a tile is missing or doubled."""
    expected = Counter(dict.fromkeys(range(1, 21), dump["seats"]))
    found = Counter(tiles(dump))
    assert found == expected, f"missing {expected - found}, surplus {found - expected}"


def tiles(dump: dict[str, Any]) -> list[int]:
    """Every tile of the game, wherever it lies."""
    lying = dump["pool"] + dump["face_up"] + dump["set_aside"] + [tile for tiles in dump["open"] for tile in tiles]
    planted = [tile for garden in dump["gardens"] for tile in garden if tile]
    return [*lying, *planted, *([dump["drawn"]] if dump["drawn"] else [])]
