"""Lucky Numbers: values a garden by how hard its empty spaces are to fill, and weighs a draw by what it may bring.

Each empty space has room for the numbers that its row and column still allow, with room left for the empty spaces
around it. The fewer such tiles are still to be had, the dearer the space. A draw is worth the mean, over all tiles that
may lie face down, of the best that can be done with each. It looks one move ahead and uses no luck.
"""

from collections import Counter
from functools import lru_cache

from arena.games.lucky_numbers import rules_codes as codes
from arena.games.lucky_numbers.rules_garden import Garden
from arena.games.lucky_numbers.rules_views import Observation
from arena.sdk import Turn, play

SPACE = 1.0  # what an empty space costs, however easy to fill
RARITY = 6.0  # what it costs more, divided by the tiles that fit
NO_TILE = 0.5  # counted as the tiles that fit where there are none

Counts = tuple[int, ...]  # by number: how many such tiles may still come, face up or face down


def choose(turn: Turn) -> int:
    """The action that leaves the best garden, a draw being worth what it may bring on average."""
    view: Observation = turn.observation
    if view.phase == codes.PHASE_ARRANGE:
        return turn.legal[0]  # the lowest tile as far to the upper left as possible
    garden, left = view.gardens[view.seat], tiles_left(view)
    worths = [worth_of(code, view, garden, left) for code in turn.legal]
    return turn.legal[worths.index(max(worths))]


def tiles_left(view: Observation) -> Counts:
    """By number: the tiles that lie face up or face down."""
    count = Counter(view.unseen() + view.face_up + view.set_aside)
    return tuple(count[tile] for tile in range(21))


def worth_of(code: int, view: Observation, garden: Garden, left: Counts) -> float:
    """What the garden is worth after an action."""
    if code == codes.DRAW:
        return worth_of_draw(view, garden, left)
    if code == codes.DISCARD:
        return worth(garden, left)
    if code >= codes.LAY:
        return worth(garden.placed(view.drawn, code - codes.LAY), left)
    return worth(garden.placed(code >> 4 or view.drawn, code & 15), left)


def worth_of_draw(view: Observation, garden: Garden, left: Counts) -> float:
    """The mean over the face-down tiles of the best that can be done with each."""
    unseen = Counter(view.unseen())
    stay = worth(garden, left)
    return sum(max(stay, best_place(garden, tile, left)) * count for tile, count in unseen.items()) / unseen.total()


def best_place(garden: Garden, tile: int, left: Counts) -> float:
    """The best garden that this tile can make."""
    fitting = garden.fitting(tile)
    return max(worth(garden.placed(tile, space), left) for space in range(16) if fitting >> space & 1)


def worth(garden: Garden, left: Counts) -> float:
    """Minus the cost of all empty spaces."""
    return worth_of_tiles(tuple(garden.tiles()), left)


@lru_cache(maxsize=20_000)
def worth_of_tiles(tiles: tuple[int, ...], left: Counts) -> float:
    """The same for a garden's tiles, remembered, since many actions lead to the same garden."""
    lowest, highest = room(tiles)
    cost = 0.0
    for space in range(16):
        if not tiles[space]:
            fitting = sum(left[lowest[space] : highest[space] + 1])
            cost += SPACE + RARITY / (fitting or NO_TILE)
    return -cost


def room(tiles: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """By space: the lowest and the highest number that leave room for all empty spaces before and after it."""
    lowest, highest = list(tiles), list(tiles)
    for space in range(16):
        if not tiles[space]:
            left = lowest[space - 1] if space % 4 else 0
            above = lowest[space - 4] if space > 3 else 0
            lowest[space] = 1 + max(left, above)
    for space in range(15, -1, -1):
        if not tiles[space]:
            right = highest[space + 1] if space % 4 < 3 else 21
            below = highest[space + 4] if space < 12 else 21
            highest[space] = min(right, below) - 1
    return lowest, highest


if __name__ == "__main__":
    play(choose)
