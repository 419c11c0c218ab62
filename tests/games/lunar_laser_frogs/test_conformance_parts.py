"""What this game brings for the conformance tests must itself be able to fail."""

from typing import Any

import pytest

from arena.engine.rng import seeded
from arena.games.lunar_laser_frogs import codes
from arena.games.lunar_laser_frogs.rules import GAME
from arena.games.lunar_laser_frogs.rules_codes import EVENT_COPIED
from tests.games.lunar_laser_frogs import conservation, luck, secrecy
from tests.games.lunar_laser_frogs.positions import BLUE, PINK, WAIT, YELLOW, act, choices, throws

Dump = dict[str, Any]


@pytest.fixture(params=["base", "hidden-order"])
def dump(request: pytest.FixtureRequest) -> Dump:
    """The third turn of a match with four seats: the dice are rolled once, two cards are thrown."""
    state, rng = GAME.setup(GAME.variants()[request.param], 4, seeded(5)), seeded(6)
    while state.turn < 2:
        state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.to_act()})
    throwers = [seat for seat in range(4) if seat != state.roller]
    throws(state, {throwers[0]: BLUE, throwers[2]: PINK})
    act(state, {state.roller: choices(state, state.roller)[5]})
    act(state, {throwers[1]: WAIT})
    return state.dump()


def test_the_fixture_is_sound(dump: Dump) -> None:
    conservation.check(dump)


@pytest.mark.parametrize(
    "change",
    [
        {"faces": [0] * 6},
        {"faces": [1, 1, 1, 1, 1, 1]},
        {"faces": [8, 0, 0, 0, 0, 0]},
        {"faces": [1] * 7},
        {"pile_windows": [1, 0]},
        {"pile_windows": [0, 3]},
        {"pile_cards": [BLUE]},
        {"last_cards": [BLUE]},
        {"points": [0, 0, 0, 0]},
        {"turn": 3},
        {"orders": [[1, 1, 2]] * 16},
    ],
    ids=str,
)
def test_what_cannot_be_is_found(dump: Dump, change: Dump) -> None:
    with pytest.raises((AssertionError, ValueError)):
        conservation.check(dump | change)


def test_a_card_twice_and_a_card_of_the_roller_are_found(dump: Dump) -> None:
    for seats in ([dump["pile_seats"][0]] * 2, [dump["pile_seats"][0], dump["roller"]]):
        with pytest.raises(AssertionError):
            conservation.check(dump | {"pile_seats": seats})


def test_points_that_nobody_saw_are_found(dump: Dump) -> None:
    dump["log"].append(codes.event_code(EVENT_COPIED, 0, 8))
    with pytest.raises(AssertionError, match="counted"):
        conservation.check(dump)


def test_luck_tells_every_die_whatever_the_order_of_rolling(dump: Dump) -> None:
    drawn = luck.drawn(dump)
    assert [drawn[f"turn {turn}, die {die}"] for turn in (0, 1) for die in range(6)] == [
        [dump["rolls"][turn][die]] for turn in (0, 1) for die in range(6)
    ]
    assert drawn["rollers"] == [(dump["roller"] + turn) % 4 for turn in (2, 3, 0)]
    assert drawn["round 0, orders"] == dump["orders"]


def test_a_seat_sees_its_own_card_and_not_those_of_others(dump: Dump) -> None:
    for place, thrower in enumerate(dump["pile_seats"]):
        cards = list(dump["pile_cards"])
        cards[place] = YELLOW
        other = secrecy.with_pile(dump, dump["pile_seats"], cards)
        for seat in range(4):
            is_same = secrecy.visible(other, seat) == secrecy.visible(dump, seat)
            assert is_same == (seat != thrower)


def test_only_the_roller_of_the_switch_sees_no_order(dump: Dump) -> None:
    other = secrecy.with_pile(dump, dump["pile_seats"][::-1], dump["pile_cards"][::-1])
    for seat in range(4):
        blind = seat == dump["roller"] and not dump["options"]["roller_sees_order"]
        assert (secrecy.visible(other, seat) == secrecy.visible(dump, seat)) == blind


def test_a_swap_changes_what_the_seat_cannot_see_and_nothing_else(dump: Dump) -> None:
    rng = seeded(7)
    for seat in range(4):
        changed = set()
        for _ in range(60):
            other = secrecy.swap(dump, seat, rng)
            assert other is not None
            changed |= {name for name in dump if other[name] != dump[name]}
            assert secrecy.visible(other, seat) == secrecy.visible(dump, seat)
            conservation.check(other)
            assert GAME.load(other).events(seat, 0) == GAME.load(dump).events(seat, 0)
        blind = seat == dump["roller"] and not dump["options"]["roller_sees_order"]
        assert changed == {"rolls", "orders", "pile_cards", "log"} | ({"pile_seats"} if blind else set())
