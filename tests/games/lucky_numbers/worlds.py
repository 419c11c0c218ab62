"""Every world that fits what a seat saw, by brute force from its events alone: plain counts, no engine."""

from collections import Counter
from itertools import permutations
from math import factorial, prod

from arena.games.lucky_numbers import rules_codes as codes

World = tuple[int, ...]  # the face-down tiles, the next one first

SHOWN = (codes.EVENT_OPENED, codes.EVENT_SET_ASIDE, codes.EVENT_DREW)


def face_down(events: list[int], seats: int, setup: str) -> Counter[int]:
    """The tiles of the current game that nobody has seen, or that went back face down (N20)."""
    left: Counter[int] = Counter()
    aside: list[int] = []
    for code in events:
        kind, _, tile, _, _ = codes.event_parts(code)
        if kind == codes.EVENT_GAME:
            left = Counter(dict.fromkeys(range(1, 21), seats))
            aside = []
        elif kind in SHOWN or (kind == codes.EVENT_LAID and setup == "sorted"):
            left[tile] -= 1
            aside += [tile] * (kind == codes.EVENT_SET_ASIDE)
        elif kind == codes.EVENT_SHUFFLED_BACK:
            left.update(aside)
    return +left


def count(tiles: Counter[int]) -> int:
    """In how many orders these tiles can lie; equal ones cannot be told apart."""
    return factorial(tiles.total()) // prod(factorial(number) for number in tiles.values())


def worlds(tiles: Counter[int]) -> list[World]:
    """All of them, each once; each stands for equally many orders of the tiles themselves."""
    return sorted(set(permutations(tiles.elements())))
