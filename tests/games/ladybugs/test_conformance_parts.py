"""What this game brings for the conformance tests must itself be able to fail."""

from typing import Any

import pytest

from arena.engine.rng import seeded
from arena.games.ladybugs import rules_codes as codes
from arena.games.ladybugs.rules import GAME
from tests.games.ladybugs import conservation, luck, secrecy


@pytest.fixture
def dump() -> dict[str, Any]:
    """A match with all modules, in which clovers were taken and tiles eaten."""
    state, rng = GAME.setup(GAME.variants()["all-modules"], 3, seeded(5)), seeded(6)
    eaten = False
    while not eaten or state.taken.count(1) + state.taken.count(2) < 2:
        state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.to_act()})
        eaten = any(code >> 24 == codes.EVENT_EATEN for code in state.log)
    return state.dump()


def test_a_lost_tile_of_the_board_is_found(dump: dict[str, Any]) -> None:
    conservation.check(dump)
    with pytest.raises(AssertionError):
        conservation.check(dump | {"tiles": dump["tiles"][1:]})


def test_a_doubled_tile_of_the_board_is_found(dump: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        conservation.check(dump | {"tiles": [*dump["tiles"], dump["tiles"][0]]})


def test_a_tile_that_changed_in_hand_is_found(dump: dict[str, Any]) -> None:
    other = next(dots for dots in range(1, 7) if dots not in dump["hands"][0])
    with pytest.raises(AssertionError):
        conservation.check(dump | {"hands": [[other, dump["hands"][0][1]], *dump["hands"][1:]]})


def test_a_tile_that_changed_in_the_supply_is_found(dump: dict[str, Any]) -> None:
    tiles = dump["draws"][0]
    with pytest.raises(AssertionError):
        conservation.check(dump | {"draws": [[*tiles[:-1], tiles[-1] % 6 + 1], *dump["draws"][1:]]})


def test_a_clover_that_changed_or_that_nobody_took_is_found(dump: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        conservation.check(dump | {"clovers": [3] * 12})
    mark = dump["taken"].index(0)
    with pytest.raises(AssertionError):
        conservation.check(dump | {"taken": [1 if at == mark else taker for at, taker in enumerate(dump["taken"])]})


def test_luck_tells_what_was_drawn(dump: dict[str, Any]) -> None:
    drawn = luck.drawn(dump)
    for seat in range(3):
        assert drawn[f"drawn by seat {seat}"] == dump["draws"][seat][: dump["drawn"][seat]]
    assert drawn["board"] == dump["laid"]


def test_a_seat_sees_its_own_hand_and_not_those_of_others(dump: dict[str, Any]) -> None:
    for player in range(3):
        one = secrecy.hand_draws(dump, player)[0]
        tiles = dump["draws"][player]
        other = next(index for index in range(dump["drawn"][player], 24) if tiles[index] != tiles[one])
        swapped = secrecy.with_tiles(dump, player, one, other)
        conservation.check(swapped)
        for seat in range(3):
            is_same = secrecy.visible(swapped, seat) == secrecy.visible(dump, seat)
            assert is_same == (player != seat), f"player {player} as seen by seat {seat}"


def test_a_seat_sees_its_own_clovers_and_not_those_of_others(dump: dict[str, Any]) -> None:
    for mark, taker in enumerate(dump["taken"]):
        other = next(at for at in range(12) if dump["clovers"][at] != dump["clovers"][mark] and not dump["taken"][at])
        swapped = secrecy.with_clovers(dump, mark, other)
        conservation.check(swapped)
        for seat in range(3):
            is_same = secrecy.visible(swapped, seat) == secrecy.visible(dump, seat)
            assert is_same == (taker != seat + 1), f"clover {mark} of {taker} as seen by seat {seat}"


def test_a_swap_changes_what_the_seat_cannot_see_and_nothing_else(dump: dict[str, Any]) -> None:
    rng, changed = seeded(7), set()
    for seat in range(3):
        for _ in range(60):
            other = secrecy.swap(dump, seat, rng)
            assert other is not None
            assert other != dump
            assert secrecy.visible(other, seat) == secrecy.visible(dump, seat)
            conservation.check(other)
            changed |= {name for name in dump if other[name] != dump[name]}
    assert changed == {"draws", "hands", "clovers", "log"}
