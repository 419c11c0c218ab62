"""What this game brings for the conformance tests must itself be able to fail."""

from typing import Any

import pytest

from arena.engine.rng import seeded
from arena.games.party_bugs import codes
from arena.games.party_bugs.rules import GAME
from tests.games.party_bugs import conservation, luck, secrecy


@pytest.fixture
def dump() -> dict[str, Any]:
    """A hidden-card match in its third round, with something in every place."""
    state = GAME.setup(GAME.variants()["hidden-card"], 3, seeded(5))
    rng = seeded(6)
    while state.dump()["round"] != 3 or state.dump()["phase"] != "pick":
        state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.to_act()})
    return state.dump()


def without_first(cards: list[int]) -> list[int]:
    return cards[1:]


def twice_first(cards: list[int]) -> list[int]:
    return [*cards, cards[0]]


@pytest.mark.parametrize("change", [without_first, twice_first])
@pytest.mark.parametrize("place", ["hands", "displays", "unseen"])
def test_a_lost_or_doubled_card_of_a_player_is_found(dump: dict[str, Any], place: str, change: Any) -> None:
    player = next(index for index, cards in enumerate(dump[place]) if cards)
    dump[place][player] = change(dump[place][player])
    with pytest.raises(AssertionError):
        conservation.check(dump)


@pytest.mark.parametrize("place", ["hidden", "floor", "played"])
def test_a_lost_card_of_the_table_is_found(dump: dict[str, Any], place: str) -> None:
    player = next(index for index, card in enumerate(dump[place]) if card)
    dump[place][player] = 0
    with pytest.raises(AssertionError):
        conservation.check(dump)


def test_a_discard_that_nobody_saw_is_found(dump: dict[str, Any]) -> None:
    conservation.check(dump)
    dump["log"].append(codes.event_code(codes.EVENT_PAIRED, 0, 7, paul=False))
    with pytest.raises(AssertionError):
        conservation.check(dump)


def test_luck_tells_what_was_drawn(dump: dict[str, Any]) -> None:
    drawn = luck.drawn(dump)
    for seat in range(3):  # one card laid out, four dealt, one more after each of two rounds
        assert drawn[f"game 1, laid out, player {seat}"] == dump["decks"][seat][:1]
        assert drawn[f"game 1, drawn, player {seat}"] == dump["decks"][seat][1:7]


def test_a_seat_sees_its_own_cards_and_not_those_of_others(dump: dict[str, Any]) -> None:
    for player in range(3):
        for seat in range(3):
            other = secrecy.exchanged(dump, player, dump["hands"][player][0], dump["hidden"][player])
            is_same = secrecy.visible(other, seat) == secrecy.visible(dump, seat)
            assert is_same == (player != seat), f"player {player} as seen by seat {seat}"


def test_a_swap_changes_what_the_seat_cannot_see_and_nothing_else(dump: dict[str, Any]) -> None:
    rng = seeded(7)
    for seat in range(3):
        for _ in range(50):
            other = secrecy.swap(dump, seat, rng)
            assert other is not None
            assert other != dump
            assert secrecy.visible(other, seat) == secrecy.visible(dump, seat)
            assert codes.KING not in other["hidden"]
            conservation.check(other)
