"""How a turn goes: rulings F1-F8, F16, F17 and F24-F26."""

from collections import Counter
from itertools import permutations, product

import pytest

from arena.engine.contract import IllegalAction
from arena.engine.rng import Rng, seeded
from arena.games.lunar_laser_frogs.codes import Name, Roll, Throw, Wait, coded, decoded
from arena.games.lunar_laser_frogs.rules import GAME, LunarLaserFrogsState
from tests.games.lunar_laser_frogs.positions import (
    BASE,
    BLANK,
    BLUE,
    GREY,
    HIDDEN,
    PINK,
    PLAIN,
    WAIT,
    YELLOW,
    act,
    begun,
    brought,
    choices,
    name,
    pile,
    roll,
    said,
    throws,
    to_the_naming,
)

SINGLES = [Throw((card,)) for card in (BLUE, PINK, YELLOW, BLANK, GREY)]
PAIRS = [Throw(pair) for pair in permutations(range(1, 6), 2)]


@pytest.mark.parametrize("seats", GAME.seat_counts())
def test_f1_luck_says_who_begins_and_turns_go_clockwise(seats: int) -> None:
    assert {GAME.setup(BASE, seats, Rng(key)).roller for key in range(100)} == set(range(seats))
    state, rng = GAME.setup(BASE, seats, Rng(5)), seeded(1)
    rollers: list[int] = []
    while state.turn < seats:
        rollers += [state.roller] if not rollers or rollers[-1] != state.roller else []
        state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.to_act()})
    assert rollers == [(rollers[0] + number) % seats for number in range(seats)]


def test_f3_the_first_roll_takes_one_to_four_dice_of_any_kinds() -> None:
    state = begun(4)
    throws(state, {})
    wanted = [dice for dice in product(range(3), range(3), range(3)) if 1 <= sum(dice) <= 4]
    assert len(wanted) == 22
    assert choices(state, 0) == [Roll(dice) for dice in wanted]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((1, 0, 0), [dice for dice in product(range(2), range(3), range(3)) if 1 <= sum(dice) <= 4]),
        ((2, 1, 0), [(0, 0, 1), (0, 0, 2), (0, 1, 0), (0, 1, 1)]),
        ((2, 1, 1), [(0, 0, 1), (0, 1, 0)]),
    ],
)
def test_f2_f3_the_second_roll_leaves_a_die_for_the_third(
    first: tuple[int, int, int], second: list[tuple[int, int, int]]
) -> None:
    state = begun(4)
    throws(state, {})
    roll(state, *first)
    throws(state, {})
    assert choices(state, 0) == [Roll(dice) for dice in second]


def test_f3_two_dice_of_one_kind_leave_no_choice_so_nobody_is_asked() -> None:
    state = begun(4)
    throws(state, {})
    roll(state, 2, 0, 2)
    throws(state, {1: BLUE})
    assert (state.window, list(state.to_act())) == (2, [2, 3])
    assert [face > 0 for face in state.observe(0).faces] == [True, True, True, False, True, True]


def test_f2_every_die_is_rolled_once_in_three_rolls_and_the_last_one_is_not_asked() -> None:
    state = begun(4, PLAIN)
    throws(state, {})
    roll(state, 1, 0, 1)
    assert state.observe(1).faces == [PLAIN[0], 0, 0, 0, PLAIN[4], 0]
    throws(state, {})
    roll(state, 0, 2, 0)
    assert state.observe(2).faces == [PLAIN[0], 0, PLAIN[2], PLAIN[3], PLAIN[4], 0]
    throws(state, {})
    assert state.observe(3).faces == PLAIN
    assert [words for words in said(state) if "rolled" in words] == [
        "seat 1 rolled blue, blank",
        "seat 1 rolled yellow, blank",
        "seat 1 rolled pink, blank",
    ]


@pytest.mark.parametrize("dice", [(3, 0, 0), (0, 0, 0), (2, 2, 1), (2, 2, 2), (1, 0, 8), (0, 0, 9)])
def test_f2_no_die_twice_and_at_least_one_for_each_roll(dice: tuple[int, int, int]) -> None:
    state = begun(4)
    throws(state, {})
    before = state.dump()
    with pytest.raises(IllegalAction, match="seat 1: expected one of"):
        state.apply({0: 4 << 10 | dice[0] | dice[1] << 3 | dice[2] << 6})
    assert state.dump() == before


def test_f3_faces_depend_on_turn_and_die_and_not_on_the_choice_of_dice() -> None:
    seen = []
    for dice in ((1, 0, 0), (2, 2, 0), (0, 1, 2), (1, 1, 1)):
        state = GAME.setup(BASE, 4, seeded(11))
        for _ in range(3):
            throws(state, {})
            roll(state, *dice)
            to_the_naming_anyhow(state)
            seen.append((state.turn, tuple(state.observe(0).faces)))
            name(state, (state.roller + 1) % 4)
    assert len(set(seen)) == 3


def to_the_naming_anyhow(state: LunarLaserFrogsState) -> None:
    """The first choice of everybody up to the naming: wait, and in the last window throw blue."""
    while state.dump()["phase"] != "name":
        state.apply({seat: state.legal_actions(seat)[0] for seat in state.to_act()})


def test_f5_cards_may_fly_before_the_first_roll() -> None:
    state = begun(4)
    assert (state.window, list(state.to_act())) == (0, [1, 2, 3])
    assert choices(state, 1) == [WAIT, *SINGLES]
    assert choices(state, 0) == []


def test_f5_who_waits_is_asked_in_each_window_and_must_throw_in_the_last() -> None:
    state = begun(4)
    asked = []
    throws(state, {1: BLUE})
    roll(state, 1, 0, 0)
    asked.append((state.window, list(state.to_act()), choices(state, 2)))
    throws(state, {})
    roll(state, 1, 0, 0)
    asked.append((state.window, list(state.to_act()), choices(state, 2)))
    throws(state, {3: BLUE})
    asked.append((state.window, list(state.to_act()), choices(state, 2)))
    assert asked == [(1, [2, 3], [WAIT, *SINGLES]), (2, [2, 3], [WAIT, *SINGLES]), (3, [2], SINGLES)]


def test_f6_thrown_is_thrown() -> None:
    state = begun(4)
    throws(state, {1: BLUE})
    roll(state, 1, 0, 0)
    assert choices(state, 1) == []
    with pytest.raises(IllegalAction, match="expected one action of each of the seats"):
        state.apply({1: coded(Throw((PINK,))), 2: coded(WAIT), 3: coded(WAIT)})


def test_f7_the_roller_names_another_seat_after_all_dice_and_cards() -> None:
    state = begun(4, roller=2)
    to_the_naming(state)
    assert all(state.observe(0).faces)
    assert len(pile(state, 0)) == 3
    assert choices(state, 2) == [Name(0), Name(1), Name(3)]
    with pytest.raises(IllegalAction, match="seat 3"):
        state.apply({2: coded(Name(2))})


def test_f8_the_roller_sees_the_order_but_not_the_cards() -> None:
    state = begun(5, order=[3, 1, 4, 2])
    throws(state, {1: BLUE, 3: PINK, 4: GREY})
    assert pile(state, 0) == [(3, 0, 0), (1, 0, 0), (4, 0, 0)]
    assert said(state)[-3:] == ["seat 4 threw a card", "seat 2 threw a card", "seat 5 threw a card"]
    assert pile(state, 1) == [(3, 0, 0), (1, BLUE, 0), (4, 0, 0)]
    assert said(state, 1)[-3:] == ["seat 4 threw a card", "seat 2 threw blue", "seat 5 threw a card"]


def test_f8_f26_switched_the_roller_sees_only_who_threw_in_which_window() -> None:
    state = begun(5, order=[3, 1, 4, 2], options=HIDDEN)
    throws(state, {1: BLUE, 3: PINK})
    roll(state, 1, 0, 0)
    throws(state, {4: GREY, 2: GREY})
    assert pile(state, 0) == [(1, 0, 0), (3, 0, 0), (2, 0, 1), (4, 0, 1)]
    assert pile(state, 2) == [(3, 0, 0), (1, 0, 0), (4, 0, 1), (2, GREY, 1)]
    threw = [[words[5] for words in said(state, seat) if "threw" in words] for seat in (0, 2)]
    assert threw == [["2", "4", "3", "5"], ["4", "2", "5", "3"]]
    assert "Pile (order unknown)" in GAME.text(state.observe(0))


def test_f8_switched_the_reveal_shows_the_order_to_the_roller_too() -> None:
    state = begun(5, order=[3, 1, 4, 2], options=HIDDEN)
    throws(state, {1: BLUE, 2: BLUE, 3: PINK, 4: GREY})
    to_the_naming(state)
    name(state, 1)
    assert [card.seat for card in state.observe(0).last_pile.listed()] == [3, 1, 4, 2]
    assert brought(state) == [(3, PINK, 1), (1, BLUE, 1), (4, GREY, 2), (2, BLUE, 0)]


def test_f8_switched_events_can_be_read_in_pieces() -> None:
    state = begun(5, order=[4, 3, 2, 1], options=HIDDEN)
    told = state.events(0, 0)
    throws(state, {1: BLUE, 3: PINK, 4: BLUE})
    told += state.events(0, len(told))
    roll(state, 1, 0, 0)
    told += state.events(0, len(told))
    throws(state, {2: BLUE})
    told += state.events(0, len(told))
    assert told == state.events(0, 0)
    assert [state.events(0, since) for since in range(len(told))] == [told[since:] for since in range(len(told))]


def test_f16_f25_with_three_seats_two_different_cards_in_any_windows() -> None:
    state = begun(3)
    assert choices(state, 1) == [WAIT, *SINGLES, *PAIRS]
    assert len(PAIRS) == 20
    throws(state, {1: PINK, 2: (GREY, BLUE)})
    roll(state, 1, 0, 0)
    assert list(state.to_act()) == [1]
    assert choices(state, 1) == [WAIT, *(throw for throw in SINGLES if throw != Throw((PINK,)))]


def test_f17_f25_with_three_seats_the_last_window_forces_all_that_is_owed() -> None:
    state = begun(3)
    throws(state, {1: PINK})
    roll(state, 1, 0, 0)
    throws(state, {})
    roll(state, 1, 0, 0)
    throws(state, {})
    assert state.window == 3
    assert choices(state, 1) == [throw for throw in SINGLES if throw != Throw((PINK,))]
    assert choices(state, 2) == PAIRS
    for action in (WAIT, SINGLES[0]):
        with pytest.raises(IllegalAction, match="seat 3"):
            state.apply({1: coded(SINGLES[0]), 2: coded(action)})


@pytest.mark.parametrize("order", [[1, 2], [2, 1]])
def test_f25_two_cards_thrown_at_once_land_together_in_the_chosen_order(order: list[int]) -> None:
    state = begun(3, order=order)
    throws(state, {1: (GREY, BLUE), 2: (BLUE, PINK)})
    own = {1: [(1, GREY), (1, BLUE)], 2: [(2, BLUE), (2, PINK)]}
    listed = [[(seat, card) for seat, card, _ in pile(state, seat)] for seat in order]
    assert listed[0][:2] == own[order[0]]
    assert listed[1][2:] == own[order[1]]


@pytest.mark.parametrize("seats", [4, 5, 8])
def test_f16_two_cards_at_once_are_for_three_seats_only(seats: int) -> None:
    state = begun(seats)
    with pytest.raises(IllegalAction, match="seat 2: expected one of"):
        state.apply({seat: coded(PAIRS[0]) for seat in state.to_act()})


def test_f24_every_turn_everybody_has_all_five_cards_again() -> None:
    state = begun(4)
    throws(state, {1: BLUE, 2: BLUE, 3: BLUE})
    to_the_naming(state)
    name(state, 1)
    assert [choices(state, seat) for seat in state.to_act()] == [[WAIT, *SINGLES]] * 3
    assert pile(state, 0) == []


@pytest.mark.parametrize("throwers", [(1, 2, 3, 4), (2, 4), (3, 1), (4,)])
def test_f26_those_who_throw_land_in_an_order_drawn_for_all_others(throwers: tuple[int, ...]) -> None:
    order = [4, 2, 3, 1]
    state = begun(5, order=order)
    throws(state, dict.fromkeys(throwers, BLUE))
    assert [seat for seat, _, _ in pile(state, 0)] == [seat for seat in order if seat in throwers]


def test_f26_every_order_is_as_likely_and_windows_differ() -> None:
    orders = []
    for seed in range(600):
        dump = GAME.setup(BASE, 4, seeded(seed)).dump()
        assert isinstance(dump["orders"], list)
        orders += [tuple(sorted(order).index(seat) for seat in order) for order in dump["orders"]]
    counts = [orders.count(order) for order in permutations(range(3))]
    expected = len(orders) / 6
    assert sum((count - expected) ** 2 / expected for count in counts) < 20.5  # one in a thousand by chance


@pytest.mark.parametrize("turn", range(3))
def test_f26_every_window_of_a_turn_has_an_order_of_its_own(turn: int) -> None:
    """Three seats: each window has one of two orders, so four windows make 16 patterns, all as likely."""
    found: Counter[tuple[bool, ...]] = Counter()
    for seed in range(1600):
        dump = GAME.setup(BASE, 3, seeded(seed)).dump()
        assert isinstance(dump["orders"], list)
        found[tuple(order == sorted(order) for order in dump["orders"][4 * turn : 4 * turn + 4])] += 1
    assert len(found) == 16
    assert sum((number - 100) ** 2 / 100 for number in found.values()) < 37.7  # one in a thousand by chance


def test_f26_the_order_of_a_turn() -> None:
    state = begun(4)
    seen = []
    for _ in range(7):
        seen.append((state.dump()["phase"], state.window))
        if state.dump()["phase"] == "roll":
            roll(state, *((2, 0, 0) if state.window == 0 else (0, 2, 0)))
        elif state.dump()["phase"] == "throw":
            act(state, dict.fromkeys(state.to_act(), WAIT if state.window < 3 else SINGLES[0]))
        else:
            name(state, 1)
    assert seen == [("throw", 0), ("roll", 0), ("throw", 1), ("roll", 1), ("throw", 2), ("throw", 3), ("name", 3)]
    assert (state.roller, state.dump()["phase"], state.window) == (1, "throw", 0)


def test_f26_nobody_is_asked_in_a_window_when_nobody_owes_a_card() -> None:
    state = begun(4)
    throws(state, {1: BLUE, 2: BLUE, 3: BLUE})
    assert list(state.to_act()) == [0]
    roll(state, 2, 0, 0)
    assert (list(state.to_act()), state.dump()["phase"]) == ([0], "roll")
    roll(state, 0, 2, 0)
    assert (list(state.to_act()), state.dump()["phase"]) == ([0], "name")


@pytest.mark.parametrize("code", [0, 1 << 10 | 1, 2 << 10, 2 << 10 | 6, 3 << 10 | 9, 3 << 10 | 7, 4 << 10, 5 << 10 | 8])
def test_codes_that_mean_nothing_are_refused(code: int) -> None:
    with pytest.raises(ValueError, match="expected the code of an action"):
        decoded(code)


@pytest.mark.parametrize("action", [Wait(), *SINGLES, *PAIRS, Roll((1, 0, 2)), Name(0), Name(7)])
def test_codes_and_actions_are_inverse(action: Wait | Throw | Roll | Name) -> None:
    assert decoded(coded(action)) == action
