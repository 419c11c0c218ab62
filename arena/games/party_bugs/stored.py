"""A match of Party Bugs as plain JSON data, sets as lists of values, and back again, read strictly."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from arena.engine import plain
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
        "rng": f"{state.key:032x}",
        "game": state.game,
        "round": state.round,
        "phase": PHASES[state.phase],
        "tied": state.tied,
        "mirror": state.mirror,
        "decks": [deck[:] for deck in state.decks],
        "hands": _lists(state.hands),
        "hidden": state.hidden[:],
        "floor": state.floor[:],
        "played": state.played[:],
        "waiting": state.waiting[:],
        "displays": _lists(state.displays),
        "unseen": _lists(state.unseen),
        "excluded": _lists(state.excluded),
        "totals": state.totals[:],
        "points": state.points[:],
        "log": state.log[:],
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
    state.waiting = plain.numbers(data, "waiting", _waiting_lengths(state), 0, seats - 1)
    state.totals = plain.numbers(data, "totals", [players], 0, HIGHEST_TOTAL)
    state.points = plain.numbers(
        data, "points", [players if state.phase == PHASE_OVER else 0], 0, HIGHEST_TOTAL
    )
    state.log = plain.numbers(data, "log", range(1 << 20), 0, 1 << 25)


def _waiting_lengths(state: "PartyBugsState") -> list[int]:
    if state.phase == PHASE_PICK:
        return list(range(1, state.seats + 1))
    return [1] if state.phase in (PHASE_HAUL, PHASE_MIRROR) else [0]


def _fill_cards(state: "PartyBugsState", data: Mapping[str, object]) -> None:
    seats, players = state.seats, state.players
    state.decks = plain.number_lists(data, "decks", [players], 1, KING)
    state.hidden = plain.numbers(data, "hidden", [players], 0, KING - 1)
    state.floor = plain.numbers(data, "floor", [players], 0, KING)
    state.played = plain.numbers(data, "played", [0, seats], 1, KING)
    state.hands = _sets(data, "hands", players)
    state.displays = _sets(data, "displays", players)
    state.unseen = _sets(data, "unseen", players)
    state.excluded = _sets(data, "excluded", seats if state.options.must else 0)


def _check_cards(state: "PartyBugsState") -> None:
    """Refuse cards that cannot lie like this; a state that passes can be played to its end."""
    for player, deck in enumerate(state.decks):
        if len(deck) != KING:
            raise ValueError(f"decks: expected {KING} cards in each, got {deck}")
        held = state.hands[player] | (1 << state.hidden[player] & ~1 if state.phase != PHASE_OVER else 0)
        if held & ~state.unseen[player]:
            raise ValueError(
                f"hands and hidden cards: expected unseen values only, got others of player {player}"
            )
    sizes = [bits.bit_count() for bits in state.hands[: state.seats]]
    if sizes != [_hand_size(state)] * state.seats:
        raise ValueError(f"hands: expected {_hand_size(state)} cards in each at this time, got {sizes}")
    if state.phase != PHASE_OVER and len([value for value in state.floor if value]) < len(state.waiting):
        raise ValueError(f"floor: expected a card for each seat that waits, got {state.floor}")
    if not state.options.hidden_card and (any(state.hidden) or state.phase == PHASE_HIDE):
        raise ValueError("hidden: expected no hidden card, because hidden_card is false")


def _hand_size(state: "PartyBugsState") -> int:
    """How many cards each seat holds; all hold equally many."""
    if state.phase == PHASE_HIDE:
        return state.options.dealt
    before = min(3, state.options.final_round - state.round)
    return before if state.phase == PHASE_PLAY else max(0, before - 1)


def _sets(data: Mapping[str, object], name: str, length: int) -> list[int]:
    rows = plain.number_lists(data, name, [length], 1, KING)
    return [sum(1 << value for value in row) for row in rows]


def _lists(sets: list[int]) -> list[list[int]]:
    return [[value for value in range(1, KING + 1) if bits >> value & 1] for bits in sets]
