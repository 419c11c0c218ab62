"""The rulings P1-P22 and P36-P39 on the base game, for two seats with Paul and for more, one case each or a few."""

import pytest

from arena.engine.contract import IllegalAction
from arena.engine.rng import Rng
from arena.games.party_bugs.codes import Play, Take
from arena.games.party_bugs.rules import GAME, PartyBugsState
from tests.games.party_bugs.positions import (
    BASE,
    Cards,
    Position,
    begun,
    choices,
    displays,
    play,
    played_out,
    said,
    take,
)

HANDS = [[1, 9, 13], [2, 9, 13], [3, 9, 13]]


def deals(seats: int) -> list[PartyBugsState]:
    return [GAME.setup(BASE, seats, Rng(key)) for key in range(600)]


def ended(displays: Cards, tied: int) -> PartyBugsState:
    """A finished match: each player has taken a 5 and a 1 besides what lay there."""
    seats = len(displays)
    state = begun(Position([[1]] * seats, [5] * seats, round=12, tied=tied, displays=displays))
    play(state, *[1] * seats)
    return state


def ended_with_paul(displays: Cards) -> PartyBugsState:
    hands, piles = [[1], [1]], [[], [], [1]]
    state = begun(Position(hands, [5, 5, 5], round=12, tied=1, displays=displays, piles=piles))
    play(state, 1, 1)
    return state


def test_p1_a_king_laid_out_goes_back_anywhere_into_the_pile() -> None:
    """Before the hand is drawn, so the King may come to lie among its three cards."""
    places = []
    for state in deals(6):
        again = [
            seat for seat in range(6) if f"seat {seat + 1} drew the Party King and shuffled it back" in said(state)
        ]
        places += [state.decks[seat].index(13) for seat in again]
        assert 13 not in state.observe(0).floor
        assert all((13 in state.observe(seat).hand) == (state.decks[seat].index(13) <= 3) for seat in again)
    assert set(places) == set(range(1, 13))


def test_p15_paul_lays_out_no_king_either() -> None:
    states = deals(2)
    returned = [state for state in states if "Paul drew the Party King and shuffled it back" in said(state)]
    assert len({state.decks[2].index(13) for state in returned}) > 6
    assert all(13 not in state.observe(0).floor for state in states)


def test_p2_luck_gives_the_tied_card_among_the_lowest() -> None:
    holders: dict[tuple[int, ...], set[int]] = {}
    for state in deals(3):
        floor = state.observe(0).floor
        least = tuple(seat for seat in range(3) if floor[seat] == min(floor))
        assert state.tied in least
        holders.setdefault(least, set()).add(state.tied)
    assert all(holders[pair] == set(pair) for pair in ((0, 1), (0, 2), (1, 2)))


@pytest.mark.parametrize(("tied", "order"), [(0, [0, 1, 2, 3]), (1, [1, 2, 3, 0]), (3, [3, 0, 1, 2])])
def test_p3_equals_go_clockwise_from_the_tied_card(tied: int, order: list[int]) -> None:
    state = begun(Position([[1, 2, 9]] * 4, [4, 5, 6, 7], tied=tied))
    play(state, 9, 9, 9, 9)
    assert state.observe(0).waiting == order


def test_p4_cards_are_played_sealed_and_all_at_once() -> None:
    state = begun(Position(HANDS, [4, 5, 6]))
    before = state.dump()
    assert list(state.to_act()) == [0, 1, 2]
    with pytest.raises(IllegalAction):
        play(state, 1, 9)
    assert state.dump() == before
    play(state, 1, 9, 3)
    assert said(state) == ["seat 1 played 1", "seat 2 played 9", "seat 3 played 3"]
    assert state.observe(1).played == [1, 9, 3]


def test_p4_only_cards_in_hand_may_be_played() -> None:
    state = begun(Position(HANDS, [4, 5, 6]))
    assert choices(state, 1) == [Play(2), Play(9), Play(13)]
    with pytest.raises(IllegalAction):
        play(state, 1, 3, 9)


def test_p5_low_cards_first_and_equals_in_their_place() -> None:
    state = begun(Position([[1, 7, 8], [1, 7, 8], [1, 4, 8], [1, 7, 9]], [4, 5, 6, 8], tied=1))
    play(state, 7, 7, 4, 9)
    assert state.observe(0).waiting == [2, 1, 0, 3]


def test_p6_one_card_of_choice_must_be_taken() -> None:
    state = begun(Position(HANDS, [4, 5, 6]))
    play(state, 9, 2, 3)
    assert choices(state, 1) == [Take(value, pair_hidden=False) for value in (4, 5, 6)]
    assert choices(state, 0) == []
    take(state, 1, 5)
    assert state.observe(0).floor == [4, 0, 6]
    assert displays(state) == [[], [5], []]


def test_p7_a_pair_goes_before_the_next_seat_picks() -> None:
    state = begun(Position(HANDS, [4, 5, 6], displays=[[], [5, 8], [5]]))
    play(state, 9, 2, 3)
    take(state, 1, 5)
    assert displays(state) == [[], [8], [5]]
    assert said(state)[-2:] == ["seat 2 took 5", "seat 2 discarded a pair of 5"]
    assert list(state.to_act()) == [2]


@pytest.mark.parametrize(
    ("before", "after"),
    [([], [2, 5]), ([5], [2]), ([2], [5]), ([2, 5, 8], [8])],
)
def test_p8_a_haul_leaves_the_odd_ones(before: list[int], after: list[int]) -> None:
    hands = [[1, 9, 13], [1, 8, 9], [1, 8, 9], [1, 8, 9]]
    state = begun(Position(hands, [5, 2, 5, 5], displays=[before, [], [], []]))
    play(state, 13, 1, 1, 1)
    assert displays(state)[0] == after


@pytest.mark.parametrize(("tied", "hauler"), [(0, 1), (1, 1), (2, 2), (3, 1)])
def test_p9_of_several_kings_the_closest_takes_all(tied: int, hauler: int) -> None:
    hands = [[1, 9, 10], [2, 9, 13], [3, 9, 13], [1, 9, 10]]
    state = begun(Position(hands, [4, 5, 6, 7], tied=tied))
    play(state, 1, 13, 13, 10)
    assert displays(state) == [[4, 5, 6, 7] if seat == hauler else [] for seat in range(4)]
    assert state.observe(0).floor == [1, 13, 13, 10]


def test_p10_kings_on_the_floor_are_cards_of_value_13() -> None:
    state = begun(kings_on_the_floor())
    play(state, 1, 2, 13)
    assert displays(state) == [[13], [], [4]]


def kings_on_the_floor() -> Position:
    return Position([[1, 9, 10], [2, 9, 10], [3, 9, 13]], [13, 13, 4], displays=[[13], [], []])


def test_p10_two_kings_in_a_display_are_a_pair() -> None:
    state = begun(kings_on_the_floor())
    play(state, 1, 2, 3)
    take(state, 0, 13)
    take(state, 1, 13)
    assert displays(state) == [[], [13], [4]]


def test_p11_nobody_takes_a_card_beside_the_king() -> None:
    state = begun(Position(HANDS, [4, 5, 6]))
    play(state, 1, 2, 13)
    assert displays(state) == [[], [], [4, 5, 6]]
    assert state.observe(0).floor == [1, 2, 13]
    assert (state.observe(0).round, len(state.to_act())) == (2, 3)


def test_p12_a_played_card_pairs_only_when_it_is_taken() -> None:
    state = begun(Position(HANDS, [4, 4, 4], displays=[[1], [], []]))
    play(state, 1, 2, 3)
    assert displays(state)[0] == [1, 4]
    assert state.observe(0).floor == [1, 2, 3]
    play(state, 9, 9, 9)
    take(state, 0, 1)
    assert displays(state)[0] == [4]


@pytest.mark.parametrize(("tied", "order"), [(0, [3, 2, 1, 0]), (1, [0, 3, 2, 1]), (3, [2, 1, 0, 3])])
def test_p13_the_last_round_goes_anticlockwise_to_the_tied_card(tied: int, order: list[int]) -> None:
    state = begun(Position([[1], [2], [3], [4]], [5, 5, 5, 5], round=12, tied=tied))
    play(state, 1, 2, 3, 4)
    assert (state.observe(0).round, state.observe(0).waiting) == (13, order)


def test_p13_a_king_has_no_effect_in_the_last_round() -> None:
    state = begun(Position([[13], [2], [3]], [5, 6, 7], round=12, tied=0))
    play(state, 13, 2, 3)
    take(state, 2, 13)
    take(state, 1, 3)
    assert displays(state) == [[2, 5, 6, 7], [3], [13]]
    assert list(state.to_act()) == []


def test_draws_end_after_round_nine_and_hands_run_out() -> None:
    """13 cards: one on the floor, three in hand, nine draws."""
    state = begun(Position([[1, 2, 3]] * 3, [9, 9, 9], round=9))
    play(state, 1, 1, 1)
    assert len(state.observe(0).hand) == 3
    play(state, 2, 2, 2)
    assert (state.observe(0).round, len(state.observe(0).hand)) == (11, 2)


@pytest.mark.parametrize(("tied", "places"), [(0, [1, 2, 3]), (1, [2, 1, 3]), (2, [1, 2, 3])])
def test_p14_of_equal_totals_the_closest_to_the_tied_card_wins(tied: int, places: list[int]) -> None:
    outcome = ended([[2, 7], [9], [10]], tied).outcome()
    assert outcome.scores == [15, 15, 16]
    assert outcome.places == places
    order = "seat 2, then seat 1" if tied == 1 else "seat 1, then seat 2"
    assert outcome.remarks == [f"With 15 points each, the Tied card decides: {order}."]


def test_p14_different_totals_need_no_remark() -> None:
    assert ended([[2], [9], [10]], 0).outcome().remarks == []


@pytest.mark.parametrize(("tied", "places"), [(0, [2, 3, 1, 4]), (1, [4, 2, 1, 3]), (3, [3, 4, 1, 2])])
def test_p38_no_places_are_shared(tied: int, places: list[int]) -> None:
    assert ended([[9], [2, 7], [], [9]], tied).outcome().places == places


def test_p16_paul_never_gets_the_tied_card() -> None:
    states = deals(2)
    lower = [state for state in states if state.observe(0).floor[2] < min(state.observe(0).floor[:2])]
    assert len(lower) > 100
    for state in states:
        ours = state.observe(0).floor[:2]
        assert ours[state.tied] == min(ours)
    assert {state.tied for state in states if len(set(state.observe(0).floor[:2])) == 1} == {0, 1}


def test_p17_paul_gets_the_last_card_and_then_shows_his_next() -> None:
    state = begun(Position(HANDS[:2], [5, 6, 7], displays=[[], [], [7, 8]], piles=[[], [], [12]]))
    play(state, 9, 2)
    take(state, 1, 6)
    take(state, 0, 5)
    assert displays(state) == [[5], [6], [8]]
    assert said(state)[4:7] == ["Paul took 7", "Paul discarded a pair of 7", "Paul played 12"]
    assert state.observe(0).floor == [9, 2, 12]


def test_p17_pauls_own_king_hauls_nothing() -> None:
    state = begun(Position(HANDS[:2], [5, 5, 5], piles=[[], [], [13]]))
    play(state, 9, 2)
    assert displays(state) == [[5], [5], [5]]
    assert state.observe(0).floor == [9, 2, 13]


def test_p18_a_king_leaves_paul_nothing_but_his_next_card_is_shown() -> None:
    state = begun(Position(HANDS[:2], [5, 6, 7], piles=[[], [], [12]]))
    play(state, 9, 13)
    assert displays(state) == [[], [5, 6, 7], []]
    assert state.observe(0).floor == [9, 13, 12]


@pytest.mark.parametrize("tied", [0, 1])
def test_p19_of_two_kings_the_tied_holders_takes_all(tied: int) -> None:
    state = begun(Position(HANDS[:2], [5, 6, 7], tied=tied))
    play(state, 13, 13)
    assert displays(state)[tied] == [5, 6, 7]
    assert displays(state)[1 - tied] == displays(state)[2] == []


@pytest.mark.parametrize("tied", [0, 1])
def test_p20_paul_is_last_in_the_last_round_too(tied: int) -> None:
    state = begun(Position([[1], [2]], [5, 5, 5], round=12, tied=tied, piles=[[], [], [3]]))
    play(state, 1, 2)
    assert state.observe(0).waiting == [1 - tied, tied]
    take(state, 1 - tied, 3)
    take(state, tied, 2)
    assert displays(state)[2] == [1, 5]


def test_p21_pauls_pile_lasts_twelve_rounds() -> None:
    state = played_out(GAME.setup(BASE, 2, Rng(3)), Rng(4))
    assert sum(text.startswith("Paul played") for text in said(state)) == 12
    assert state.observe(0).unseen == [[], [], []]


@pytest.mark.parametrize(
    ("paul", "remark"),
    [
        ([2, 7], "Paul has 15 points, not the lowest total."),
        ([8], "Paul has 14 points, the lowest total: Paul won."),
    ],
)
def test_p22_p37_paul_loses_ties_and_takes_no_place(paul: list[int], remark: str) -> None:
    outcome = ended_with_paul([[9], [10], paul]).outcome()
    assert outcome.places == [1, 2]
    assert outcome.scores == [15, 16]
    assert outcome.remarks == [remark]


def test_p36_others_hands_and_all_piles_are_unknown() -> None:
    """Seat 1 cannot tell apart two positions that differ in others' hands and in the order of piles."""
    one = begun(Position(HANDS, [4, 5, 6], piles=[[8, 10], [3, 4], [7, 8]]))
    other = begun(Position([HANDS[0], [2, 3, 4], [7, 8, 13]], [4, 5, 6], piles=[[10, 8], [9, 13], [3, 9]]))
    assert one.observe(0) == other.observe(0)
    assert one.observe(1) != other.observe(1)


def test_p36_what_another_drew_is_not_told() -> None:
    state = begun(Position(HANDS, [5, 5, 5], piles=[[7], [8], [6]]))
    play(state, 1, 2, 3)
    assert said(state, 1)[-3:] == ["seat 1 drew a card", "seat 2 drew 8", "seat 3 drew a card"]


@pytest.mark.parametrize(("tied", "left"), [(0, [0, 5, 4, 5]), (1, [5, 0, 4, 5]), (2, [5, 5, 4, 0]), (3, [5, 5, 4, 0])])
def test_p39_of_equal_floor_cards_the_one_closest_to_the_tied_card_goes(tied: int, left: list[int]) -> None:
    hands = [[1, 9, 10], [2, 9, 10], [3, 9, 10], [6, 9, 10]]
    state = begun(Position(hands, [5, 5, 4, 5], tied=tied))
    play(state, 1, 2, 3, 6)
    assert choices(state, 0) == [Take(4, pair_hidden=False), Take(5, pair_hidden=False)]
    take(state, 0, 5)
    assert state.observe(0).floor == left


@pytest.mark.parametrize("tied", [0, 1])
def test_p39_pauls_card_goes_last(tied: int) -> None:
    state = begun(Position(HANDS[:2], [4, 5, 5], tied=tied))
    play(state, 1, 2)
    take(state, 0, 5)
    assert state.observe(0).floor == [4, 0, 5]
