"""Imagined worlds against all that fit, enumerated from what the seat saw: none missing, all as likely (F29)."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from math import sqrt
from typing import Any

import pytest

from arena.engine.rng import Rng, seeded
from arena.games.lunar_laser_frogs.rules import GAME, LunarLaserFrogsState
from arena.games.lunar_laser_frogs.rules_dice import THE_DICE
from arena.games.lunar_laser_frogs.rules_views import Observation
from tests.games.lunar_laser_frogs.positions import BLUE, HIDDEN, PINK, begun, roll, throws
from tests.games.lunar_laser_frogs.worlds import Seen, World

CASES = [(variant, seats) for variant in ("base", "hidden-order") for seats in GAME.seat_counts()]
MOST = 200  # worlds of a position
POSITIONS = 4  # of a case
SAMPLES = 40  # for each world

Imagine = Callable[[Observation, Rng], dict[str, Any]]


@dataclass
class Position:
    """A view, and the worlds that fit it."""

    name: str
    view: Observation
    worlds: list[World]


def positions(variant: str, seats: int, *, only: Callable[[Seen], bool] = lambda _: True) -> Iterator[Position]:
    """Positions of random matches, at most one of a match, with more than one world and not too many."""
    for seed in range(400):
        state, rng = GAME.setup(GAME.variants()[variant], seats, seeded(seed)), seeded(seed)
        wanted = rng.below(6)
        while acting := state.to_act():
            found = few_worlds(state, seed % seats, only)
            if found and wanted == 0:
                yield Position(f"{variant}.{seats}p.seed{seed}", state.observe(seed % seats), found)
                break
            wanted -= len(found) > 0
            legal = {seat: state.legal_actions(seat) for seat in acting}
            state.apply({seat: codes[0] if rng.below(2) else rng.choice(codes) for seat, codes in legal.items()})


def few_worlds(state: LunarLaserFrogsState, seat: int, only: Callable[[Seen], bool]) -> list[World]:
    """The worlds that fit what this seat saw, if there are several and not too many."""
    seen, sees_order = Seen(seat).watch(state.events(seat, 0)), state.options.roller_sees_order
    few = 1 < seen.count(sees_order=sees_order) <= MOST and only(seen)
    return seen.worlds(sees_order=sees_order) if few else []


def imagined(view: Observation, rng: Rng) -> dict[str, Any]:
    """The engine's own answer."""
    return GAME.determinize(view, rng).dump()


def world_of(dump: dict[str, Any]) -> World:
    return tuple(zip(dump["pile_seats"], dump["pile_cards"], strict=True))


def verdict(position: Position, imagine: Imagine) -> str:
    """What is wrong with the imagined worlds, or nothing."""
    rng = seeded(1)
    tally = Counter(world_of(imagine(position.view, rng)) for _ in range(SAMPLES * len(position.worlds)))
    if wrong := set(tally) - set(position.worlds):
        return f"{position.name}: {len(wrong)} of {len(tally)} imagined worlds cannot be"
    if missing := set(position.worlds) - set(tally):
        return f"{position.name}: {len(missing)} of {len(position.worlds)} worlds are never imagined"
    square = sum((tally[world] - SAMPLES) ** 2 / SAMPLES for world in position.worlds)
    limit = chi_square_limit(len(position.worlds) - 1)
    return "" if square < limit else f"{position.name}: chi-square {square:.1f}, expected below {limit:.1f}"


def chi_square_limit(freedom: int) -> float:
    """The value that chance exceeds once in 100,000 (Wilson and Hilferty's approximation)."""
    normal = 4.265
    return freedom * float((1 - 2 / (9 * freedom) + normal * sqrt(2 / (9 * freedom))) ** 3)


@pytest.mark.parametrize(("variant", "seats"), CASES)
def test_imagined_piles_are_all_that_fit_and_equally_likely(variant: str, seats: int) -> None:
    found = list(islice(positions(variant, seats), POSITIONS))
    assert [verdict(position, imagined) for position in found] == [""] * POSITIONS


def has_two_of_one(seen: Seen) -> bool:
    """Whether another seat threw both its cards, in two windows, so that only the earlier one excludes a card."""
    throws = [player for window in seen.windows for player, _ in window if player != seen.seat]
    return any(throws.count(player) == 2 for player in throws)


@pytest.mark.parametrize("variant", ["base", "hidden-order"])
def test_a_card_thrown_in_an_earlier_window_is_never_imagined_again(variant: str) -> None:
    found = list(islice(positions(variant, 3, only=has_two_of_one), POSITIONS))
    assert [verdict(position, imagined) for position in found] == [""] * POSITIONS


def test_an_engine_that_forgets_the_earlier_card_is_caught() -> None:
    position = next(positions("base", 3, only=has_two_of_one))
    assert "cannot be" in verdict(position, forgetful)


def forgetful(view: Observation, rng: Rng) -> dict[str, Any]:
    """A mutant: every unknown card is any of the five."""
    dump = imagined(view, rng)
    known = [card.card for card in view.pile.listed()]
    return dump | {"pile_cards": [card or 1 + rng.below(5) for card in known]}


def has_two_windows(seen: Seen) -> bool:
    """Whether this seat rolls, and saw throws in two windows, in one of which there were several."""
    sizes = [len(window) for window in seen.windows if window]
    return seen.seat == seen.roller and len(sizes) > 1 and max(sizes) > 1


def test_an_engine_that_forgets_the_windows_is_caught() -> None:
    position = next(positions("hidden-order", 3, only=has_two_windows))
    assert verdict(position, imagined) == ""
    assert "cannot be" in verdict(position, without_windows)


def without_windows(view: Observation, rng: Rng) -> dict[str, Any]:
    """A mutant: the whole pile in any order."""
    dump = imagined(view, rng)
    rng.shuffle(places := list(range(len(dump["pile_seats"]))))
    return dump | {name: [dump[name][place] for place in places] for name in ("pile_seats", "pile_cards")}


def test_an_engine_that_keeps_the_order_it_may_not_know_is_caught() -> None:
    position = next(positions("hidden-order", 4, only=has_two_at_once))
    assert "never imagined" in verdict(position, in_order_of_seats)


def has_two_at_once(seen: Seen) -> bool:
    """Whether this seat rolls, and two others threw in one window."""
    return seen.seat == seen.roller and max(len(window) for window in seen.windows) > 1


def in_order_of_seats(view: Observation, rng: Rng) -> dict[str, Any]:
    """A mutant: what the roller sees by seat is taken for the order."""
    dump = imagined(view, rng)
    return dump | {"pile_seats": [card.seat for card in view.pile.listed()]}


def test_f25_two_cards_thrown_at_once_stay_together_in_imagined_piles() -> None:
    state = begun(3, order=[2, 1], options=HIDDEN)
    throws(state, {1: (BLUE, PINK), 2: (PINK, BLUE)})
    rng = seeded(3)
    seats = {tuple(seat for seat, _ in world_of(imagined(state.observe(0), rng))) for _ in range(60)}
    assert seats == {(1, 1, 2, 2), (2, 2, 1, 1)}


def test_the_check_itself_sees_a_missing_world_and_an_uneven_one() -> None:
    position = next(position for position in positions("base", 6) if len(position.worlds) > 100)
    assert "never imagined" in verdict(position, lambda view, rng: imagined(view, Rng(7)))
    assert "chi-square" in verdict(position, uneven)


def uneven(view: Observation, rng: Rng) -> dict[str, Any]:
    """A mutant: of two worlds it takes the one that sorts first."""
    first, second = imagined(view, rng), imagined(view, rng)
    return min(first, second, key=world_of) if rng.below(2) else first


# Luck to come


def test_dice_that_lie_are_kept_and_others_fall_anyhow() -> None:
    state = begun(4, roller=2, turn=1)
    throws(state, {})
    roll(state, 1, 0, 2)
    rng, view = seeded(5), state.observe(1)
    rolls = [imagined(view, rng)["rolls"] for _ in range(3000)]
    for die, face in enumerate(view.faces):
        found = Counter(turns[1][die] for turns in rolls)
        sides = THE_DICE.sides[THE_DICE.kinds[die]]
        expected = {face: 3000.0} if face else {side + 1: 500.0 * sides.count(side) for side in sides}
        assert set(found) == set(expected)
        square = sum((found[side] - number) ** 2 / number for side, number in expected.items())
        assert square < chi_square_limit(4)


def test_landing_orders_to_come_are_imagined_evenly() -> None:
    state = begun(4, order=[3, 2, 1])
    rng, view = seeded(6), state.observe(1)
    orders = [imagined(view, rng)["orders"] for _ in range(1200)]
    for place in range(8):
        found = Counter(tuple(one[place]) for one in orders)
        assert len(found) == 6
        assert sum((number - 200) ** 2 / 200 for number in found.values()) < chi_square_limit(5)


def test_imagined_worlds_have_luck_of_their_own_later() -> None:
    rng, view = seeded(6), begun(4).observe(1)
    assert len({imagined(view, rng)["rng"] for _ in range(20)}) == 20
