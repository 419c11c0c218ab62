"""A match of Lucky Numbers as plain JSON data, and back again, read strictly."""

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from arena.engine import plain
from arena.games.lucky_numbers.rules_codes import (
    DIAGONAL,
    PHASE_ARRANGE,
    PHASE_LAY,
    PHASE_OVER,
    PHASE_PLACE,
    PHASES,
    SPACES,
    TILES,
)
from arena.games.lucky_numbers.rules_garden import garden_of, is_ascending
from arena.games.lucky_numbers.rules_views import counted_tiles, tile_counts

if TYPE_CHECKING:  # the rules use this module, so it cannot wait for them
    from arena.games.lucky_numbers.rules import LuckyNumbersState

FIELDS = (
    *("options", "seats", "rng", "game", "phase", "start", "turn", "drawn", "idle"),
    *("pool", "face_up", "gardens", "set_aside", "open", "totals", "log"),
)
MOST_POINTS = 4 * SPACES  # gained or lost in four games


def dumped(state: "LuckyNumbersState") -> dict[str, object]:
    """The whole state."""
    return {
        "options": state.options.plain(),
        "seats": state.seats,
        "rng": f"{state.key:032x}",
        "game": state.game,
        "phase": PHASES[state.phase],
        "start": state.start,
        "turn": state.turn,
        "drawn": state.drawn,
        "idle": state.idle,
        "pool": state.pool[state.next :],
        "face_up": counted_tiles(state.face_up),
        "gardens": [garden.tiles() for garden in state.gardens],
        "set_aside": state.set_aside[:],
        "open": [tiles[:] for tiles in state.open],
        "totals": state.totals[:],
        "log": state.log[:],
    }


def fill(state: "LuckyNumbersState", data: Mapping[str, object]) -> None:
    """Give a blank state what was dumped; its options, seats and generator are there already."""
    _fill_numbers(state, data)
    _fill_tiles(state, data)
    _check_tiles(state)
    _check_phase(state)


def _fill_numbers(state: "LuckyNumbersState", data: Mapping[str, object]) -> None:
    seats = state.seats
    state.game = plain.number(data, "game", 0, seats - 1 if state.options.tournament else 0)
    state.phase = PHASES.index(plain.word(data, "phase", PHASES[1:]))
    state.start = plain.number(data, "start", 0, seats - 1)
    state.turn = plain.number(data, "turn", 0, seats - 1)
    state.drawn = plain.number(data, "drawn", 0, TILES)
    state.idle = plain.number(data, "idle", 0, state.idle_limit)
    state.totals = plain.numbers(data, "totals", [seats], -MOST_POINTS, MOST_POINTS)
    state.log = plain.numbers(data, "log", range(1 << 20), 0, 1 << 20)


def _fill_tiles(state: "LuckyNumbersState", data: Mapping[str, object]) -> None:
    seats = state.seats
    state.pool = plain.numbers(data, "pool", range(TILES * seats + 1), 1, TILES)
    face_up = plain.numbers(data, "face_up", range(TILES * seats + 1), 1, TILES)
    if face_up != sorted(face_up) or any(count > seats for count in Counter(face_up).values()):
        raise ValueError(f"face_up: expected ascending tiles, each at most {seats} times, got {face_up}")
    state.face_up = tile_counts(face_up)
    state.gardens = [garden_of(tiles) for tiles in _lists(data, "gardens", [seats], [SPACES], 0)]
    state.set_aside = plain.numbers(data, "set_aside", range(TILES * seats + 1), 1, TILES)
    arranging = state.phase == PHASE_ARRANGE
    state.open = _lists(data, "open", [seats if arranging else 0], [2, 3, 4], 1)


def _check_tiles(state: "LuckyNumbersState") -> None:
    """Refuse tiles that are not just one set for each seat, and gardens that break the rules."""
    there = Counter(state.pool + counted_tiles(state.face_up) + state.set_aside)
    there.update(tile for garden in state.gardens for tile in garden.tiles() if tile)
    there.update(tile for tiles in state.open for tile in tiles)
    there.update([state.drawn] if state.drawn else [])
    wrong = [tile for tile in range(1, TILES + 1) if there[tile] != state.seats]
    if wrong:
        raise ValueError(f"tiles: expected each {state.seats} times, got {there[wrong[0]]} times the {wrong[0]}")
    for garden in state.gardens:
        if not is_ascending(garden):
            raise ValueError(f"gardens: expected ascending rows and columns, got {garden.tiles()}")


def _check_phase(state: "LuckyNumbersState") -> None:
    """Refuse tiles that cannot lie like this at this time."""
    if (state.drawn > 0) != (state.phase in (PHASE_LAY, PHASE_PLACE)):
        raise ValueError(f"drawn: expected a tile just where one must be placed, got {state.drawn}")
    setting_up = state.phase in (PHASE_ARRANGE, PHASE_LAY)
    if state.set_aside and not setting_up:
        raise ValueError(f"set_aside: expected none after setup, got {state.set_aside}")
    if not setting_up and not state.pool and state.phase not in (PHASE_PLACE, PHASE_OVER):
        raise ValueError("pool: expected a tile before the end, got none")
    if setting_up:
        _check_setup(state)


def _check_setup(state: "LuckyNumbersState") -> None:
    sizes = [SPACES - garden.empty for garden in state.gardens]
    sizes = [size + len(tiles) for size, tiles in zip(sizes, state.open, strict=True)] if state.open else sizes
    wanted = {4} if state.open else {sizes[state.turn], sizes[state.turn] + 1}
    off = [garden.filled & ~sum(1 << space for space in DIAGONAL) for garden in state.gardens]
    if not set(sizes) <= wanted or any(off) or max(sizes) > 4:
        raise ValueError(f"gardens: expected tiles on the diagonal, dealt in turn, got {sizes}")


def _lists(data: Mapping[str, object], name: str, lengths: list[int], inner: list[int], low: int) -> list[list[int]]:
    rows = [plain.sequence(row, name, inner) for row in plain.sequence(data[name], name, lengths)]
    return [[plain.checked(tile, name, low, TILES) for tile in row] for row in rows]
