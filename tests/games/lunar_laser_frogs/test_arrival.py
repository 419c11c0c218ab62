"""Arrival timing, which no variant has (F27): the order of answers is the order of cards; all else holds as well."""

from collections.abc import Callable
from itertools import permutations

import pytest

from arena import games
from arena.engine.options import live_choices
from arena.games.lunar_laser_frogs.codes import Throw, Wait, coded
from arena.games.lunar_laser_frogs.rules import GAME
from tests.conformance import faults, test_play, test_secrecy, test_views
from tests.conformance.cases import Case
from tests.games.lunar_laser_frogs.positions import ARRIVAL, BASE, BLUE, GREY, PINK, begun, pile

MODULES = (test_play, test_views, test_secrecy)
TESTS = [getattr(module, name) for module in MODULES for name in dir(module) if name.startswith("test_")]
NAME = "lunar-laser-frogs"


@pytest.mark.parametrize("order", list(permutations([1, 2, 3])))
def test_f27_cards_land_in_the_order_of_the_answers(order: tuple[int, ...]) -> None:
    state = begun(4, order=[3, 1, 2], options=ARRIVAL)
    state.apply({seat: coded(Throw((GREY,))) for seat in order})
    assert [seat for seat, _, _ in pile(state, 0)] == list(order)


def test_f27_who_waits_has_no_place_in_the_order() -> None:
    state = begun(4, options=ARRIVAL)
    state.apply({3: coded(Throw((BLUE,))), 2: coded(Wait()), 1: coded(Throw((BLUE,)))})
    assert pile(state, 1) == [(3, 0, 0), (1, BLUE, 0)]


def test_f27_two_cards_of_one_answer_lie_together() -> None:
    state = begun(3, options=ARRIVAL)
    state.apply({2: coded(Throw((BLUE, PINK))), 1: coded(Throw((PINK, GREY)))})
    assert [seat for seat, _, _ in pile(state, 0)] == [2, 2, 1, 1]


@pytest.mark.parametrize("order", list(permutations([1, 2, 3])))
def test_under_windows_the_order_of_answers_means_nothing(order: tuple[int, ...]) -> None:
    state = begun(4, order=[3, 1, 2], options=BASE)
    state.apply({seat: coded(Throw((GREY,))) for seat in order})
    assert [seat for seat, _, _ in pile(state, 0)] == [3, 1, 2]


def test_f27_the_option_is_live_and_in_no_variant() -> None:
    assert live_choices(GAME.option_list(), GAME.plain_options(ARRIVAL)) == ["timing=arrival"]
    assert all(options.timing == "windows" for options in GAME.variants().values())


@pytest.mark.parametrize("seats", [3, 4, 7])
@pytest.mark.parametrize("test", TESTS, ids=lambda test: str(test.__name__))
def test_what_every_game_must_hold_holds_by_arrival_too(test: Callable[[Case], None], seats: int) -> None:
    case = Case(NAME, "arrival", seats, 1, games.load(NAME), games.codec(NAME))
    test(faults.with_game(case, variants=lambda game: {"arrival": ARRIVAL}))
