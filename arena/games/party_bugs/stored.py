"""A match of Party Bugs as plain JSON data, sets as lists of values, and back again, read strictly."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from arena.engine import plain
from arena.engine.packed import Sets, members, numbers_of, row_of, set_of, sets_of
from arena.games.party_bugs.codes import (
    KING,
    PHASE_HAUL,
    PHASE_HIDE,
    PHASE_MIRROR,
    PHASE_OVER,
    PHASE_PICK,
    PHASE_PLAY,
    PHASES,
)

if TYPE_CHECKING:  # the rules use this module, so it cannot wait for them
    from arena.games.party_bugs.rules import PartyBugsState

FIELDS = (
    *("options", "seats", "rng", "game", "round", "phase", "tied", "mirror"),
    *("decks", "hands", "hidden", "floor", "played", "waiting"),
    *("displays", "unseen", "excluded", "totals", "points", "log"),
)
HIGHEST_TOTAL = 6 * (91 + 12)  # six games, each with every value and a hidden card


def dumped(state: "PartyBugsState") -> dict[str, object]:
    """The whole state."""
    return {
        "options": state.options.plain(),
        "seats": state.seats,
        "rng": f"{state.rng.key:032x}",
        "game": state.game,
        "round": state.round,
        "phase": PHASES[state.phase],
        "tied": state.tied,
        "mirror": state.mirror,
        "decks": [deck[:] for deck in state.decks],
        "hands": _lists(state.hands, state.players),
        "hidden": numbers_of(state.hidden, state.players),
        "floor": numbers_of(state.floor, state.players),
        "played": numbers_of(state.played, state.seats if state.played else 0),
        "waiting": [seat - 1 for seat in numbers_of(state.waiting, 6) if seat],
        "displays": _lists(state.displays, state.players),
        "unseen": _lists(state.unseen, state.players),
        "excluded": _lists(state.excluded, state.seats if state.options.must else 0),
        "totals": state.totals[:],
        "points": state.points[:],
        "log": state.log.since(0),
    }


def fill(state: "PartyBugsState", data: Mapping[str, object]) -> None:
    """Give a blank state what was dumped; its options, seats and generator are there already."""
    _fill_numbers(state, data)
    _fill_cards(state, data)
    _check_cards(state)


def _fill_numbers(state: "PartyBugsState", data: Mapping[str, object]) -> None:
    options, seats, players = state.options, state.seats, state.players
    state.game = plain.number(data, "game", 0, seats - 1 if options.mirror_series else 0)
    state.round = plain.number(data, "round", 1, options.final_round)
    state.phase = PHASES.index(plain.word(data, "phase", PHASES[1:]))
    state.tied = plain.number(data, "tied", 0, seats - 1)
    state.mirror = plain.number(data, "mirror", -1, seats - 1 if options.mirror_series else -1)
    waiting = plain.numbers(data, "waiting", _waiting_lengths(state), 0, seats - 1)
    state.waiting = row_of([seat + 1 for seat in waiting])
    state.totals = plain.numbers(data, "totals", [players], 0, HIGHEST_TOTAL)
    state.points = plain.numbers(data, "points", [players if state.phase == PHASE_OVER else 0], 0, HIGHEST_TOTAL)
    for code in plain.numbers(data, "log", range(1 << 20), 0, 1 << 25):
        state.log.add(code)


def _waiting_lengths(state: "PartyBugsState") -> list[int]:
    if state.phase == PHASE_PICK:
        return list(range(1, state.seats + 1))
    return [1] if state.phase in (PHASE_HAUL, PHASE_MIRROR) else [0]


def _fill_cards(state: "PartyBugsState", data: Mapping[str, object]) -> None:
    seats, players = state.seats, state.players
    state.decks = plain.number_lists(data, "decks", [players], 1, KING)
    state.hidden = row_of(plain.numbers(data, "hidden", [players], 0, KING - 1))
    state.floor = row_of(plain.numbers(data, "floor", [players], 0, KING))
    state.played = row_of(plain.numbers(data, "played", [0, seats], 1, KING))
    state.hands = _sets(data, "hands", players)
    state.displays = _sets(data, "displays", players)
    state.unseen = _sets(data, "unseen", players)
    state.excluded = _sets(data, "excluded", seats if state.options.must else 0)


def _check_cards(state: "PartyBugsState") -> None:
    """Refuse cards that cannot lie like this."""
    for player, deck in enumerate(state.decks):
        if len(deck) != KING:
            raise ValueError(f"decks: expected {KING} cards in each, got {deck}")
        if not _is_unseen(state, player):
            raise ValueError(f"hands: expected values that are unseen, got {members(state.hands.of(player))}")
    sizes = [len(members(hand)) for hand in state.hands.bits(state.seats)]
    if sizes != [_hand_size(state)] * state.seats:
        raise ValueError(f"hands: expected {_hand_size(state)} cards in each at this time, got {sizes}")
    if state.hidden and (not state.options.hidden_card or state.phase == PHASE_HIDE):
        raise ValueError("hidden: expected no hidden card at this time, got one")


def _is_unseen(state: "PartyBugsState", player: int) -> bool:
    """Whether a player's hand and hidden card are among the unseen values."""
    hidden = numbers_of(state.hidden, state.players)[player]
    held = state.hands.of(player)
    if hidden and state.phase != PHASE_OVER:
        held |= 1 << hidden
    return not held & ~state.unseen.of(player)


def _hand_size(state: "PartyBugsState") -> int:
    """How many cards each seat holds; all hold equally many."""
    if state.phase == PHASE_HIDE:
        return state.options.dealt
    before = min(3, state.options.final_round - state.round)
    return before if state.phase == PHASE_PLAY else max(0, before - 1)


def _sets(data: Mapping[str, object], name: str, length: int) -> Sets:
    return sets_of([set_of(row) for row in plain.number_lists(data, name, [length], 1, KING)])


def _lists(sets: Sets, length: int) -> list[list[int]]:
    return [members(bits) for bits in sets.bits(length)]
