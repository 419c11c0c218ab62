"""How a game is set up: N1 to N4, N15, N18, N20, and what can be computed exactly about it."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from math import sqrt

import pytest

from arena.engine.contract import IllegalAction
from arena.engine.options import OptionError
from arena.engine.rng import Rng, seeded
from arena.games.lucky_numbers import rules_codes as codes
from arena.games.lucky_numbers.rules import GAME, LuckyNumbersState
from arena.games.lucky_numbers.rules_codes import DIAGONAL, Lay
from arena.games.lucky_numbers.rules_views import Options
from tests.games.lucky_numbers.positions import (
    ARRANGE,
    BASE,
    DISTINCT,
    MICHAEL,
    Position,
    act,
    begun,
    choices,
    gardens,
    said,
)

MICHAEL_DISTINCT = Options(setup="michael", distinct_diagonal=True)
ARRANGE_DISTINCT = Options(setup="arrange", distinct_diagonal=True)
BARE_GARDEN = "- - - - / - - - - / - - - - / - - - -"


def diagonals(state: LuckyNumbersState) -> list[list[int]]:
    return [[tiles[space] for space in DIAGONAL] for tiles in gardens(state)]


def starts(seats: int, seeds: int) -> Counter[int]:
    return Counter(int(GAME.setup(BASE, seats, seeded(seed)).observe(0).start) for seed in range(seeds))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_n1_the_start_player_is_drawn_evenly_and_has_the_first_turn(seats: int) -> None:
    tally = starts(seats, 1200)
    square = sum((tally[seat] - 1200 / seats) ** 2 / (1200 / seats) for seat in range(seats))
    assert square < 21  # chance exceeds it less than once in 9,000, with up to three degrees of freedom
    state = GAME.setup(BASE, seats, seeded(5))
    assert list(state.to_act()) == [state.observe(0).start]
    assert said(state)[1] == f"seat {state.observe(0).start + 1} is the start player"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_n2_the_four_tiles_lie_ascending_on_the_diagonal_and_nowhere_else(seats: int) -> None:
    for seed in range(50):
        state = GAME.setup(BASE, seats, seeded(seed))
        assert all(diagonal == sorted(diagonal) and 0 not in diagonal for diagonal in diagonals(state))
        assert [tiles.count(0) for tiles in gardens(state)] == [12] * seats


@pytest.mark.parametrize(("seats", "left"), [(2, 32), (3, 48), (4, 64)])
@pytest.mark.parametrize("options", [BASE, DISTINCT])
def test_the_pool_has_16_tiles_for_each_seat_after_setup(seats: int, left: int, options: Options) -> None:
    for seed in range(20):
        state = GAME.setup(options, seats, seeded(seed))
        assert state.observe(0).face_down == left - 1  # the first tile is drawn unasked, since none lies face up
        assert state.observe(0).drawn


def chance_of_equals(seats: int) -> Fraction:
    """The chance that four tiles of a full pool are not all different."""
    chance = Fraction(1)
    for held in range(4):
        chance *= Fraction(20 * seats - held * seats, 20 * seats - held)
    return 1 - chance


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_n3_equal_numbers_stay_as_often_as_they_must(seats: int) -> None:
    deals = 3000
    equals = sum(len(set(diagonals(GAME.setup(BASE, seats, seeded(seed)))[0])) < 4 for seed in range(deals))
    chance = float(chance_of_equals(seats))
    assert abs(equals - deals * chance) < 4 * sqrt(deals * chance * (1 - chance))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_n3_n20_under_distinct_diagonal_equals_are_set_aside_and_shuffled_back(seats: int) -> None:
    found = 0
    for seed in range(120):
        state = GAME.setup(DISTINCT, seats, seeded(seed))
        assert all(len(set(diagonal)) == 4 for diagonal in diagonals(state))
        view, texts = state.observe(0), said(state)
        aside = [text for text in texts if "set" in text and "aside for" in text]
        found += len(aside)
        assert view.set_aside == []
        assert ("the tiles set aside were shuffled back" in texts) == bool(aside)
        assert len(view.unseen()) == view.face_down == 16 * seats - 1
    assert found > 10


def test_n20_a_tile_set_aside_may_be_drawn_later() -> None:
    seen = set()
    for seed in range(60):
        state, rng = GAME.setup(DISTINCT, 2, seeded(seed)), seeded(seed)
        aside = [code & 31 for code in state.events(0, 0) if code >> 16 == codes.EVENT_SET_ASIDE]
        pool = state.dump()["pool"]
        assert isinstance(pool, list)
        seen |= {pool.index(tile) for tile in aside if tile in pool}
        while state.to_act():
            state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.to_act()})
    assert len(seen) > 3  # and not always at the same depth


def test_n4_michaels_setup_goes_round_four_times_from_the_start_player() -> None:
    state, asked = GAME.setup(MICHAEL, 3, seeded(4)), []
    start = state.observe(0).start
    while state.observe(0).phase == codes.PHASE_LAY:
        asked.append(state.to_act()[0])
        tile = state.observe(2).drawn
        row = [action for action in choices(state, asked[-1]) if isinstance(action, Lay)][-1].row
        act(state, asked[-1], Lay(row))
        assert gardens(state)[asked[-1]][5 * row] == tile
    assert asked == [(start + turn) % 3 for turn in range(9)]  # the last space of each is forced
    assert [tiles.count(0) for tiles in gardens(state)] == [12] * 3
    assert state.observe(0).turn == start


def test_n4_any_free_space_of_the_diagonal_whatever_the_order() -> None:
    other = "- - - - / - 5 - - / - - 3 - / - - - -"
    position = Position(["20 - - - / - - - - / - - 1 - / - - - -", other], options=MICHAEL)
    position.drawn, position.phase = 7, "lay"
    state = begun(position)
    assert choices(state, 0) == [Lay(1), Lay(3)]
    act(state, 0, Lay(1))
    assert diagonals(state)[0] == [20, 7, 1, 0]
    with pytest.raises(IllegalAction):
        state.apply({1: GAME.code(Lay(1))})  # taken: nothing is moved or exchanged


def test_n4_the_last_tile_of_each_goes_by_itself_and_the_first_turn_begins() -> None:
    three = "4 - - - / - 5 - - / - - 6 - / - - - -"
    position = Position([three, "- - - - / - 5 - - / - - 3 - / - - - -"], options=MICHAEL, turn=1, start=0)
    position.drawn, position.phase, position.pool = 7, "lay", [1, 2, 19, 18]
    state = begun(position)
    act(state, 1, Lay(0))
    assert diagonals(state) == [[4, 5, 6, 1], [7, 5, 3, 2]]
    assert said(state)[-1] == "seat 1 drew 19"


def test_n15_tiles_are_numbers_each_as_often_as_there_are_seats() -> None:
    for seats in GAME.seat_counts():
        view = GAME.setup(BASE, seats, seeded(1)).observe(0)
        shown = [tile for garden in view.gardens for tile in garden.tiles() if tile]
        assert Counter([*view.unseen(), *shown, view.drawn]) == Counter(dict.fromkeys(range(1, 21), seats))


def test_n18_all_seats_see_the_same_but_who_they_are() -> None:
    state, rng = GAME.setup(MICHAEL, 3, seeded(8)), seeded(9)
    while state.to_act():
        texts = [GAME.text(state.observe(seat)) for seat in range(3)]
        views = [state.observe(seat) for seat in range(3)]
        for view in views:
            view.seat = 0
        assert views[0] == views[1] == views[2]
        assert len(set(texts)) == 3
        assert state.events(0, 0) == state.events(1, 0) == state.events(2, 0)
        state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.to_act()})


def test_n18_the_order_of_the_pool_is_in_no_view() -> None:
    one = begun(Position([BARE_GARDEN, BARE_GARDEN], pool=[7, 9], face_up=[3]))
    other = begun(Position([BARE_GARDEN, BARE_GARDEN], pool=[9, 7], face_up=[3]))
    assert one.dump() != other.dump()
    assert [one.observe(seat) for seat in range(2)] == [other.observe(seat) for seat in range(2)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_n18_every_tile_is_first_as_often_as_every_other(seats: int) -> None:
    tally = Counter(int(GAME.setup(MICHAEL, seats, seeded(seed)).observe(0).drawn) for seed in range(2000))
    square = sum((tally[tile] - 100) ** 2 / 100 for tile in range(1, 21))
    assert square < 50  # chance exceeds it less than once in 7,000, with 19 degrees of freedom


@pytest.mark.parametrize("options", [ARRANGE, ARRANGE_DISTINCT])
def test_n20_arrange_asks_all_seats_at_once_for_their_lowest_tile(options: Options) -> None:
    state, rng = GAME.setup(options, 3, seeded(6)), seeded(7)
    dealt = [tiles[:] for tiles in state.observe(0).open]
    assert all(tiles == sorted(tiles) and len(tiles) == 4 for tiles in dealt)
    for question in range(3):
        assert list(state.to_act()) == [0, 1, 2]
        assert [len(choices(state, seat)) for seat in range(3)] == [4 - question] * 3
        assert state.observe(1).open == [tiles[question:] for tiles in dealt]
        chosen = {seat: rng.choice(state.legal_actions(seat)) for seat in range(3)}
        state.apply(chosen)
        for seat, code in chosen.items():
            assert gardens(state)[seat][code - codes.LAY] == dealt[seat][question]
    assert [sorted(diagonal) for diagonal in diagonals(state)] == dealt  # the fourth went by itself
    assert list(state.to_act()) == [state.observe(0).start]
    assert state.observe(0).open == []


def test_n20_arranged_tiles_may_descend() -> None:
    state = GAME.setup(ARRANGE, 2, seeded(3))
    dealt = state.observe(0).open
    for row in (3, 2, 1):
        state.apply({seat: GAME.code(Lay(row)) for seat in range(2)})
    assert diagonals(state) == [tiles[::-1] for tiles in dealt]


@pytest.mark.parametrize("options", [MICHAEL_DISTINCT, ARRANGE_DISTINCT, DISTINCT])
def test_n20_no_equals_on_a_diagonal_in_any_setup(options: Options) -> None:
    for seed in range(60):
        state, rng = GAME.setup(options, 4, seeded(seed)), seeded(seed)
        while state.observe(0).phase in (codes.PHASE_ARRANGE, codes.PHASE_LAY):
            state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.to_act()})
        assert all(len(set(diagonal)) == 4 for diagonal in diagonals(state))


def test_n20_in_michaels_setup_a_tile_set_aside_lies_open_until_setup_is_over() -> None:
    rows = ["- - - - / - 7 - - / - - 4 - / - - - -", "- - - - / - 5 - - / - - 3 - / - - - -"]
    position = Position(rows, options=MICHAEL_DISTINCT, turn=1, start=1)
    position.drawn, position.phase, position.pool = 9, "lay", [7, 12, 5, 13]
    state = begun(position)
    act(state, 1, Lay(0))
    assert state.observe(0).set_aside == [7]
    assert state.observe(0).drawn == 12
    assert said(state)[1:] == ["seat 1 set 7 aside for its equal on the diagonal", "seat 1 got 12 for the diagonal"]
    assert 7 not in state.observe(0).unseen()
    act(state, 0, Lay(0))
    assert state.observe(0).phase != codes.PHASE_OVER
    while state.observe(0).phase == codes.PHASE_LAY:
        act(state, state.to_act()[0], Lay(3))
    assert state.observe(0).set_aside == []
    assert "the tiles set aside were shuffled back" in said(state)


def test_arrange_and_michael_are_one_option_so_that_they_exclude_each_other() -> None:
    assert GAME.options({"setup": "michael"}) == MICHAEL
    with pytest.raises(OptionError, match="setup: expected one of sorted, arrange, michael; got 'both'"):
        GAME.options({"setup": "both"})


def test_luck_of_a_game_is_its_own() -> None:
    pools = []
    for key in (Rng(1), Rng(2)):
        state = GAME.setup(Options(tournament=True), 3, key)
        pools.append(state.dump()["pool"])
        rng = Rng(3)
        while state.observe(0).game == 0:
            state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.to_act()})
        pools.append(state.dump()["pool"])
    assert all(one != other for one, other in pairwise(pools))
