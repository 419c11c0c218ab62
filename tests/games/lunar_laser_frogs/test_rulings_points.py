"""What dice and cards are worth: rulings F9-F15, F18-F20 and F28, and the examples of the rulebook."""

import pytest

from arena.engine.packed import numbers_of, row_of
from arena.games.lunar_laser_frogs.rules import GAME
from arena.games.lunar_laser_frogs.rules_dice import missing_colours, values
from arena.games.lunar_laser_frogs.rules_views import cards_that_score
from tests.games.lunar_laser_frogs.positions import (
    BLANK,
    BLUE,
    BY,
    GREY,
    NONE,
    PB,
    PINK,
    PLAIN,
    YELLOW,
    YP,
    B,
    P,
    Y,
    begun,
    brought,
    name,
    played,
    roll,
    said,
    throws,
    to_the_naming,
)

# Dice, and what the first blue, pink, yellow and blank card is worth.
WORTH = [
    pytest.param([P, P, YP, Y, NONE, NONE], [6, 3, 2, 0], id="example A: blue is missing, blanks are lasered"),
    pytest.param([B, P, Y, NONE, NONE, PB], [2, 2, 1, 4], id="example B: nothing is missing, a blank is worth two"),
    pytest.param([B, P, Y, B, YP, BY], [3, 2, 3, 0], id="example C, F13: no blank, nothing is lasered for it"),
    pytest.param([B, B, B, B, B, B], [6, 6, 6, 0], id="F9: two colours are missing, each on all six dice"),
    pytest.param([B, P, P, NONE, NONE, NONE], [1, 2, 6, 0], id="F10: one missing colour takes all blanks"),
    pytest.param([NONE] * 6, [6, 6, 6, 0], id="F11: all blank, all three colours count six"),
    pytest.param([PB, PB, YP, YP, BY, BY], [4, 4, 4, 0], id="F12: a two-coloured die counts for both"),
    pytest.param([PB, YP, NONE, NONE, NONE, NONE], [1, 2, 1, 8], id="F12: two dice show all three colours"),
    pytest.param([BY, BY, B, Y, NONE, NONE], [3, 6, 3, 0], id="F9: pink is missing"),
]


@pytest.mark.parametrize(("faces", "worth"), WORTH)
def test_f9_to_f13_what_the_first_card_of_a_kind_is_worth(faces: list[int], worth: list[int]) -> None:
    assert numbers_of(values(row_of(faces)), 5)[1:] == worth


@pytest.mark.parametrize(("faces", "worth"), WORTH)
def test_f14_the_cards_of_a_turn_bring_just_that(faces: list[int], worth: list[int]) -> None:
    state = played(faces, [(1, BLUE), (2, PINK), (3, YELLOW), (4, BLANK)], seats=5)
    assert [points for _, _, points in brought(state)] == worth
    assert state.standing() == [worth[0], *worth]  # seat 1 copied seat 2


def test_example_a_the_grey_card_counts_the_cards_before_it() -> None:
    state = played([P, P, YP, Y, NONE, NONE], [(1, BLUE), (2, BLANK), (3, GREY), (4, PINK)], seats=5)
    assert brought(state) == [(1, BLUE, 6), (2, BLANK, 0), (3, GREY, 2), (4, PINK, 3)]
    assert "blue is missing and lasered onto all dice" in said(state)


def test_example_c_blank_is_never_lasered() -> None:
    state = played([B, P, Y, B, YP, BY], [(1, BLANK), (2, BLUE), (3, GREY)])
    assert not [words for words in said(state) if "lasered" in words]


@pytest.mark.parametrize(
    ("faces", "missing"), [(PLAIN, 0), ([NONE] * 6, 7), ([B] * 6, 6), ([PB] * 6, 4), ([BY, NONE, NONE, Y, Y, Y], 2)]
)
def test_f9_a_colour_on_no_die_is_missing(faces: list[int], missing: int) -> None:
    assert missing_colours(row_of(faces)) == missing


def test_f14_only_the_first_of_a_kind_scores_up_to_five_seats() -> None:
    state = played(PLAIN, [(1, BLANK), (2, BLUE), (3, BLANK), (4, BLUE)], seats=5)
    assert brought(state) == [(1, BLANK, 6), (2, BLUE, 1), (3, BLANK, 0), (4, BLUE, 0)]


def test_f14_a_later_card_is_worth_nothing_even_if_the_first_was() -> None:
    state = played([P, P, YP, Y, NONE, NONE], [(1, BLANK), (2, BLANK), (3, GREY)])
    assert brought(state) == [(1, BLANK, 0), (2, BLANK, 0), (3, GREY, 2)]


@pytest.mark.parametrize(("place", "points"), [(0, 0), (1, 1), (2, 2), (3, 3)])
def test_f15_grey_counts_all_cards_before_it(place: int, points: int) -> None:
    cards = [BLUE, BLUE, BLANK]
    cards.insert(place, GREY)
    state = played(PLAIN, [(seat + 1, card) for seat, card in enumerate(cards)], seats=5)
    assert brought(state)[place] == (place + 1, GREY, points)


def test_f15_a_second_grey_card_is_worth_nothing_up_to_five_seats() -> None:
    state = played(PLAIN, [(1, GREY), (2, BLUE), (3, GREY)])
    assert brought(state) == [(1, GREY, 0), (2, BLUE, 1), (3, GREY, 0)]


def test_f15_with_three_seats_grey_counts_ones_own_card_too() -> None:
    state = played(PLAIN, [(1, BLUE), (1, GREY), (2, GREY), (2, BLANK)], seats=3)
    assert brought(state) == [(1, BLUE, 1), (1, GREY, 1), (2, GREY, 0), (2, BLANK, 6)]


@pytest.mark.parametrize(("named", "copied"), [(1, 7), (2, 2)])
def test_f18_with_three_seats_the_roller_copies_both_cards(named: int, copied: int) -> None:
    state = played(PLAIN, [(1, BLUE), (1, BLANK), (2, PINK), (2, YELLOW)], seats=3, named=named)
    assert state.standing() == [copied, 7, 2]
    assert f"seat 1 named seat {named + 1} and copied {copied}" in said(state)


@pytest.mark.parametrize(("seats", "scoring"), [(3, 1), (4, 1), (5, 1), (6, 2), (7, 2), (8, 2)])
def test_f19_how_many_cards_of_a_kind_score(seats: int, scoring: int) -> None:
    assert cards_that_score(seats) == scoring


def test_f19_with_six_seats_the_first_two_of_a_kind_score_in_full() -> None:
    state = played(PLAIN, [(1, BLANK), (2, BLUE), (3, BLANK), (4, BLANK), (5, BLUE)], seats=6)
    assert [points for _, _, points in brought(state)] == [6, 1, 6, 0, 1]


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        pytest.param(
            [GREY, BLUE, PINK, GREY, BLUE, GREY, PINK], [0, 1, 1, 2, 1, 0, 1], id="the third is worth nothing"
        ),
        pytest.param([BLUE, GREY, GREY, BLUE, BLUE, PINK, PINK], [1, 1, 0, 1, 0, 1, 1], id="directly after the first"),
        pytest.param([BLUE, PINK, YELLOW, GREY, BLANK, BLANK, GREY], [1, 1, 1, 3, 6, 6, 2], id="only those between"),
    ],
)
def test_f19_the_second_grey_card_counts_the_cards_between(cards: list[int], points: list[int]) -> None:
    state = played(PLAIN, [(seat + 1, card) for seat, card in enumerate(cards)], seats=8)
    assert [one for _, _, one in brought(state)] == points


def test_f20_points_are_public_and_have_no_limit() -> None:
    state = begun(4, [NONE] * 6, points=[500, 400, 300, 200])
    throws(state, {1: BLUE, 2: PINK, 3: YELLOW})
    to_the_naming(state)
    name(state, 3)
    assert [state.observe(seat).points for seat in range(4)] == [[506, 406, 306, 206]] * 4


def test_f7_copying_takes_nothing_away() -> None:
    state = played(PLAIN, [(1, BLANK), (2, BLUE), (3, PINK)], named=1)
    assert state.standing() == [6, 6, 1, 1]


@pytest.mark.parametrize(
    ("points", "places"), [([9, 8, 8, 8], [1, 2, 2, 2]), ([1, 30, 20, 20], [4, 1, 2, 2]), ([4, 3, 2, 1], [1, 2, 3, 4])]
)
def test_f28_ties_below_the_first_place_share(points: list[int], places: list[int]) -> None:
    state = begun(4, PLAIN, turn=7, points=points)
    throws(state, {1: GREY, 2: GREY, 3: GREY})  # nobody gets a point: the only grey that counts is the first card
    roll(state, 1, 1, 1)
    roll(state, 1, 0, 0)
    name(state, 1)
    outcome = state.outcome()
    assert (outcome.places, outcome.scores, outcome.remarks) == (places, points, [])
    assert GAME.text(state.observe(0)).startswith("Lunar Laser Frogs: the match is over.")
