"""The game's own bot in positions where anybody can see what is right."""

import pytest

from arena.games.lunar_laser_frogs.codes import Action, Name, Roll, Throw
from arena.games.lunar_laser_frogs.rules import GAME, LunarLaserFrogsState
from tests.agents import inprocess
from tests.games.lunar_laser_frogs.positions import (
    BASE,
    BLANK,
    BLUE,
    GREY,
    NONE,
    PINK,
    PLAIN,
    WAIT,
    YELLOW,
    P,
    Y,
    begun,
    roll,
    throws,
    to_the_naming,
)

NAME = "lunar-laser-frogs"


def answer(state: LunarLaserFrogsState, seat: int) -> Action:
    seated = inprocess.matches(NAME, BASE, int(state.seats), seed=3)[seat]
    return GAME.action(inprocess.choose_of(NAME)(inprocess.turn(seated, state)))


@pytest.mark.parametrize("seats", [3, 4, 8])
def test_who_is_the_last_to_throw_waits_for_all_dice(seats: int) -> None:
    state = begun(seats)
    throws(state, dict.fromkeys(range(2, seats), (BLUE, PINK) if seats == 3 else BLUE))
    for _ in range(2):
        roll(state, 1, 0, 0)
        assert answer(state, 1) == WAIT
        throws(state, {})
    assert state.window == 3
    assert answer(state, 1) != WAIT


def test_with_three_seats_one_card_flies_early_and_the_other_waits_for_the_dice() -> None:
    """A colour may be the first of its kind; the second card knows what the dice show."""
    first = answer(begun(3), 1)
    assert isinstance(first, Throw)
    assert len(first.cards) == 1
    assert first.cards[0] in (BLUE, PINK, YELLOW)


def test_a_missing_colour_is_worth_most() -> None:
    state = begun(4, [P, P, P, Y, Y, NONE])
    throws(state, {2: GREY, 3: GREY})
    roll(state, 2, 0, 0)
    throws(state, {})
    roll(state, 0, 2, 0)
    throws(state, {})
    assert answer(state, 1) == Throw((BLUE,))


def test_blanks_are_worth_most_where_nothing_is_missing() -> None:
    state = begun(4, PLAIN)
    throws(state, {2: GREY, 3: GREY})
    roll(state, 2, 0, 0)
    throws(state, {})
    roll(state, 0, 2, 0)
    throws(state, {})
    assert answer(state, 1) == Throw((BLANK,))


def test_the_roller_shows_little_and_copies_who_came_first() -> None:
    state = begun(4, [NONE] * 6, order=[3, 1, 2])
    throws(state, {1: GREY, 2: GREY, 3: BLANK})
    rolled = answer(state, 0)
    assert isinstance(rolled, Roll)
    assert sum(rolled.dice) == 1
    to_the_naming(state)
    assert answer(state, 0) == Name(3)
