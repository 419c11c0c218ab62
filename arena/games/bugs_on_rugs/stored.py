"""A match of Bugs on Rugs as plain JSON data, and back again, read strictly."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from arena.engine import plain
from arena.games.bugs_on_rugs.deck import CARDS
from arena.games.bugs_on_rugs.rules_choices import most_pairs
from arena.games.bugs_on_rugs.rules_codes import (
    HIGHEST_BUG,
    PHASE_BREAK,
    PHASE_GROUP,
    PHASE_OVER,
    PHASE_PICK,
    PHASE_SWAP,
    PHASES,
)

if TYPE_CHECKING:  # the rules use this module, so it cannot wait for them
    from arena.games.bugs_on_rugs.rules import BugsOnRugsState

FIELDS = (
    *("options", "seats", "rng", "round", "last_round", "phase", "start", "turn", "offered", "steps"),
    *("deck", "floor", "wall", "discards", "hands", "groups", "points", "history", "log"),
)
MOST_ROUNDS = 99
LAST_GROUP = (1 << 32) - 1
LAST_EVENT = (1 << 24) - 1
MOST_POINTS = 999


def dumped(state: "BugsOnRugsState") -> dict[str, object]:
    """The whole state; of the deck only what is left, top first."""
    return {
        "options": state.options.plain(),
        "seats": state.seats,
        "rng": f"{state.key:032x}",
        "round": state.round,
        "last_round": state.last_round,
        "phase": PHASES[state.phase],
        "start": state.start,
        "turn": state.turn,
        "offered": state.offered,
        "steps": state.steps,
        "deck": state.deck[state.drawn :],
        "floor": state.floor[:],
        "wall": state.wall[:],
        "discards": state.discards[:],
        "hands": [hand[:] for hand in state.hands],
        "groups": state.groups[:],
        "points": [row[:] for row in state.points],
        "history": state.history[:],
        "log": state.log[:],
    }


def fill(state: "BugsOnRugsState", data: Mapping[str, object]) -> None:
    """Give a blank state what was dumped; its options, seats and generator are there already."""
    _fill_cards(state, data)
    _fill_numbers(state, data)
    _check_cards(state)


def _fill_numbers(state: "BugsOnRugsState", data: Mapping[str, object]) -> None:
    seats = state.seats
    state.round = plain.number(data, "round", 1, MOST_ROUNDS)
    state.last_round = plain.number(data, "last_round", 0, state.round + 1)
    state.phase = PHASES.index(plain.word(data, "phase", PHASES[1:]))
    state.start = plain.number(data, "start", 0, seats - 1)
    state.turn = plain.number(data, "turn", 0, _last_turn(state))
    waits = state.phase == PHASE_SWAP
    state.offered = plain.number(data, "offered", 1 if waits else 0, HIGHEST_BUG if waits else 0)
    groups = state.phase == PHASE_GROUP
    state.steps = plain.number(data, "steps", int(groups), most_pairs(state.wall, state.discards) if groups else 0)
    state.groups = plain.numbers(data, "groups", [seats if state.phase >= PHASE_GROUP else 0], 0, LAST_GROUP)
    state.points = _rows(data, "points", seats if state.phase == PHASE_OVER else 0, [8], MOST_POINTS)
    state.history = plain.numbers(data, "history", _lengths(state.phase), 0, LAST_EVENT)
    state.log = plain.numbers(data, "log", range(1 << 20), 0, LAST_EVENT)


def _last_turn(state: "BugsOnRugsState") -> int:
    if state.phase > PHASE_SWAP:
        return 0
    return 2 * state.seats - 1 if state.phase <= PHASE_PICK + 1 else state.seats - 1


def _lengths(phase: int) -> range:
    return range(1 << 20) if phase < PHASE_BREAK else range(1)


def _fill_cards(state: "BugsOnRugsState", data: Mapping[str, object]) -> None:
    size = range(len(CARDS) + 1)
    state.deck = plain.numbers(data, "deck", size, 1, HIGHEST_BUG)
    state.floor = plain.numbers(data, "floor", size, 1, HIGHEST_BUG)
    state.wall = plain.numbers(data, "wall", size, 1, HIGHEST_BUG)
    state.discards = plain.numbers(data, "discards", size, 1, HIGHEST_BUG)
    state.hands = _rows(data, "hands", state.seats, size, HIGHEST_BUG)


def _rows(data: Mapping[str, object], name: str, length: int, lengths: range | list[int], high: int) -> list[list[int]]:
    rows = [plain.sequence(row, name, lengths) for row in plain.sequence(data[name], name, [length])]
    return [[plain.checked(value, name, 0, high) for value in row] for row in rows]


def _check_cards(state: "BugsOnRugsState") -> None:
    """Refuse lists out of order, cards that are not those of the game, and an offer of what is not held."""
    hands = [("hands", hand) for hand in state.hands]
    for name, bugs in (("discards", state.discards), *hands):
        if bugs != sorted(bugs):
            raise ValueError(f"{name}: expected ascending bugs, got {bugs}")
    cards = state.deck + state.floor + state.wall + state.discards + [bug for hand in state.hands for bug in hand]
    if sorted(cards) != list(CARDS):
        raise ValueError(f"cards: expected each of the {len(CARDS)} in one place, got {len(cards)}, perhaps others")
    if state.offered and not any(state.offered in hand for hand in state.hands):
        raise ValueError(f"offered: expected a bug that is held, got number {state.offered}")
