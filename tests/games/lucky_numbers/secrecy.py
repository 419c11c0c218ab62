"""Who may see what in Lucky Numbers (N18): everything lies open to everybody but the order of the face-down tiles."""

from typing import Any

from arena.engine.rng import Rng

OPEN = (
    *("options", "seats", "game", "phase", "start", "turn", "drawn", "idle"),
    *("face_up", "gardens", "set_aside", "open", "totals"),
)


def visible(dump: dict[str, Any], seat: int) -> Any:
    """The table as any seat sees it, with the face-down tiles as a heap; which ones they are can be counted."""
    return {name: dump[name] for name in OPEN}, sorted(dump["pool"])


def swap(dump: dict[str, Any], seat: int, rng: Rng) -> dict[str, Any] | None:
    """Two face-down tiles with different numbers change places."""
    pool = dump["pool"]
    others = [index for index in range(len(pool)) if pool[index] != pool[0]]
    if not others:
        return None
    one = rng.below(len(pool))
    different = [index for index in range(len(pool)) if pool[index] != pool[one]]
    return exchanged(dump, one, different[rng.below(len(different))])


def exchanged(dump: dict[str, Any], one: int, other: int) -> dict[str, Any]:
    """The same state with these two face-down tiles exchanged."""
    pool = list(dump["pool"])
    pool[one], pool[other] = pool[other], pool[one]
    return dump | {"pool": pool}
