"""A match of Ladybugs as plain JSON data, tiles as lists of [space, seat, dots], and back again, read strictly."""

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from arena.engine import plain
from arena.games.ladybugs.rules_board import Board, stack_tiles
from arena.games.ladybugs.rules_codes import (
    ACTION_TILES,
    DOTS,
    EACH,
    NOWHERE,
    PHASE_BEGIN,
    PHASE_OVER,
    PHASE_PLAY,
    PHASE_SPIDER,
    PHASES,
    SPACES,
    START,
    TILES,
)
from arena.games.ladybugs.rules_views import Options, hand_tiles, row_counts, with_tile

if TYPE_CHECKING:  # the rules use this module, so it cannot wait for them
    from arena.games.ladybugs.rules import LadybugsState

FIELDS = (
    *("options", "seats", "laid", "rng", "phase", "first", "current", "spider", "out", "starts"),
    *("draws", "drawn", "hands", "tiles", "unused", "clovers", "taken", "points", "log"),
)
MOST_POINTS = 1023


def dumped(state: "LadybugsState") -> dict[str, object]:
    """The whole state."""
    return {
        "options": state.options.plain(),
        "seats": state.seats,
        "laid": state.board.laid[:],
        "rng": f"{state.rng.key:032x}",
        "phase": PHASES[state.phase],
        "first": state.first,
        "current": state.current,
        "spider": state.table.spider,
        "out": [seat for seat in range(state.seats) if state.out >> seat & 1],
        "starts": state.starts[:],
        "draws": [tiles[:] for tiles in state.draws],
        "drawn": state.drawn[:],
        "hands": [hand_tiles(pair) for pair in state.hands],
        "tiles": _tiles(state),
        "unused": state.unused[:],
        "clovers": state.clovers[:],
        "taken": state.taken[:],
        "points": state.points[:],
        "log": state.log[:],
    }


def board(options: Options, data: Mapping[str, object]) -> Board:
    """The board that was dumped."""
    seats = plain.number(data, "seats", 2, 4)
    needed = len(options.kit.layouts[seats].inserts)
    laid = plain.numbers(data, "laid", [needed], 0, 8 * len(options.kit.names) - 1)
    if len({code >> 3 for code in laid}) < needed:
        raise ValueError(f"laid: expected different squares, got {laid}")
    return Board(options.kit, seats, laid)


def fill(state: "LadybugsState", data: Mapping[str, object]) -> None:
    """Give a blank state what was dumped; its options, board and generator are there already."""
    _fill_numbers(state, data)
    _fill_tiles(state, data)
    _fill_table(state, data)
    _fill_clovers(state, data)


def _fill_numbers(state: "LadybugsState", data: Mapping[str, object]) -> None:
    seats = state.seats
    state.phase = PHASES.index(plain.word(data, "phase", PHASES[1:]))
    state.first = plain.number(data, "first", 0, seats - 1)
    state.current = plain.number(data, "current", 0, seats - 1)
    for seat in plain.numbers(data, "out", range(seats + 1), 0, seats - 1):
        state.out |= 1 << seat
    state.points = plain.numbers(data, "points", [seats if state.phase == PHASE_OVER else 0], 0, MOST_POINTS)
    unused = START | ACTION_TILES if state.options.action_tiles else START
    state.unused = plain.numbers(data, "unused", [seats], 0, unused)
    if any(bits & ~unused for bits in state.unused):
        raise ValueError(f"unused: expected sets of {unused}, got {state.unused}")
    state.log = plain.numbers(data, "log", range(1 << 20), 0, 1 << 29)


def _fill_tiles(state: "LadybugsState", data: Mapping[str, object]) -> None:
    """Draws, hands, and what follows from them: a tile that was drawn and is not in hand has been shown."""
    seats = state.seats
    state.draws = [_dots(row, "draws", [TILES]) for row in plain.sequence(data["draws"], "draws", [seats])]
    state.drawn = plain.numbers(data, "drawn", [seats], 0, TILES)
    hands = [_dots(row, "hands", range(3)) for row in plain.sequence(data["hands"], "hands", [seats])]
    state.hands, state.unseen = [], []
    for seat, tiles in enumerate(state.draws):
        drawn, hand = Counter(tiles[: state.drawn[seat]]), Counter(hands[seat])
        if Counter(tiles) != Counter(dict.fromkeys(range(1, DOTS + 1), EACH)):
            raise ValueError(f"draws: expected {EACH} tiles of each number of dots, got {tiles}")
        if hand - drawn or hands[seat] != sorted(hands[seat]):
            raise ValueError(f"hands: expected tiles that were drawn, ascending, got {hands[seat]}")
        pair = 0
        for dots in hands[seat]:
            pair = with_tile(pair, dots)
        state.hands.append(pair)
        state.unseen.append(row_counts([*hands[seat], *tiles[state.drawn[seat] :]]))
    _check_hands(state, hands)


def _check_hands(state: "LadybugsState", hands: list[list[int]]) -> None:
    most = 0 if state.phase <= PHASE_SPIDER else 2
    least = most if state.phase <= PHASE_BEGIN else 1
    if any(not least <= len(hand) <= most for hand in hands):
        raise ValueError(f"hands: expected {least} to {most} tiles in each at this time, got {hands}")
    if state.phase == PHASE_PLAY and len(hands[state.current]) < 2:
        raise ValueError(f"hands: expected two tiles for the seat to act, got {hands[state.current]}")


def _fill_table(state: "LadybugsState", data: Mapping[str, object]) -> None:
    table, seats = state.table, state.seats
    table.clear()
    table.spider = plain.number(data, "spider", NOWHERE, SPACES - 1 if state.options.spider else NOWHERE)
    state.starts = plain.numbers(data, "starts", [seats], NOWHERE, SPACES - 1)
    chosen = [space for space in state.starts if space != NOWHERE]
    if len(set(chosen)) < len(chosen) or not set(chosen) <= set(state.board.starts):
        raise ValueError(f"starts: expected different ones of {state.board.starts}, got {state.starts}")
    if len(chosen) < seats and PHASES[state.phase] != "start":
        raise ValueError(f"starts: expected one for each seat at this time, got {state.starts}")
    for seat, space in enumerate(state.starts):
        if space != NOWHERE:
            table.claim(seat, space)
    for given in plain.sequence(data["tiles"], "tiles", range(seats * TILES + 1)):
        _lay(state, plain.sequence(given, "tiles", [3]))
    if table.spider != NOWHERE and not _is_on(state.board, table.spider):
        raise ValueError(f"spider: expected a space of the board, got {table.spider}")


def _lay(state: "LadybugsState", tile: list[object]) -> None:
    space = plain.checked(tile[0], "tiles", 0, SPACES - 1)
    if not _is_on(state.board, space) or state.table.stacks[space] >= 1024:
        raise ValueError(f"tiles: expected spaces of the board with three tiles at most, got {space}")
    seat, dots = plain.checked(tile[1], "tiles", 0, state.seats - 1), plain.checked(tile[2], "tiles", 1, DOTS)
    state.table.lay(seat, dots, space)


def _fill_clovers(state: "LadybugsState", data: Mapping[str, object]) -> None:
    is_on = state.options.lucky_clover
    marks = len(state.board.clovers) if is_on else 0
    wanted = state.board.kit.clovers if is_on else []
    state.clovers = plain.numbers(data, "clovers", [len(wanted)], 0, max(wanted, default=0))
    state.taken = plain.numbers(data, "taken", [marks], 0, state.seats)
    if sorted(state.clovers) != sorted(wanted):
        raise ValueError(f"clovers: expected the values {sorted(wanted)} in any order, got {state.clovers}")


def _is_on(on: Board, space: int) -> bool:
    return space >> 4 < on.rows and space & 15 < on.columns


def _dots(given: object, name: str, lengths: "range | list[int]") -> list[int]:
    return [plain.checked(dots, name, 1, DOTS) for dots in plain.sequence(given, name, lengths)]


def _tiles(state: "LadybugsState") -> list[list[int]]:
    """All tiles on the board, by space, each stack from the bottom up."""
    return [[space, tile >> 3, tile & 7] for space in range(SPACES) for tile in stack_tiles(state.table.stacks[space])]
