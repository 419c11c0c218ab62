"""Imagined worlds against all that fit, enumerated from what the seat saw: none missing, all as likely (N18)."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from math import sqrt

import pytest

from arena.engine.rng import Rng, seeded
from arena.games.lucky_numbers import rules_codes as codes
from arena.games.lucky_numbers.rules import GAME, LuckyNumbersState
from arena.games.lucky_numbers.rules_views import Observation, Options
from tests.games.lucky_numbers.positions import BARE, LOW, Position, begun, drawing
from tests.games.lucky_numbers.worlds import World, count, face_down, worlds

CASES = [(variant, seats) for variant in GAME.variants() for seats in (2, 3, 4)]
MOST = 200  # worlds of a position
POSITIONS = 3  # of a case
SAMPLES = 40  # for each world

Imagine = Callable[[Observation, Rng], World]


@dataclass
class Known:
    """A view, and the worlds that fit it."""

    name: str
    view: Observation
    worlds: list[World]
    returned: frozenset[int] = frozenset()  # tiles that lie face down again, as only history tells


def positions(options: Options, seats: int, *, aside: bool = False) -> Iterator[Known]:
    """Positions of hurried matches, one of a match, with more than one world and not too many."""
    for seed in range(1000):
        state, rng = GAME.setup(options, seats, seeded(seed)), seeded(seed)
        wanted = rng.below(3)
        while state.to_act():
            fitting = few_worlds(state) if not aside or returned(state) else []
            if fitting and wanted == 0:
                name = f"{options.plain()}, {seats} seats, seed {seed}"
                yield Known(name, state.observe(0), fitting, returned(state))
                break
            wanted -= len(fitting) > 0
            state.apply(drawing(state, rng))


def few_worlds(state: LuckyNumbersState) -> list[World]:
    """The worlds that fit what seat 1 saw, if there are several and not too many."""
    tiles = face_down(state.events(0, 0), state.seats, state.options.setup)
    return worlds(tiles) if tiles.total() < 8 and 1 < count(tiles) <= MOST else []


def returned(state: LuckyNumbersState) -> frozenset[int]:
    """Tiles that were set aside at setup, went back, and still lie face down."""
    aside = frozenset(code & 31 for code in state.events(0, 0) if code >> 16 == codes.EVENT_SET_ASIDE)
    return aside & set(state.observe(0).unseen())


def imagined(view: Observation, rng: Rng) -> World:
    """The engine's own answer."""
    pool = GAME.determinize(view, rng).dump()["pool"]
    assert isinstance(pool, list)
    return tuple(pool)


def verdict(known: Known, imagine: Imagine) -> str:
    """What is wrong with the imagined worlds, or nothing."""
    rng = seeded(1)
    tally = Counter(imagine(known.view, rng) for _ in range(SAMPLES * len(known.worlds)))
    if wrong := set(tally) - set(known.worlds):
        return f"{known.name}: {len(wrong)} of {len(tally)} imagined worlds cannot be"
    if missing := set(known.worlds) - set(tally):
        return f"{known.name}: {len(missing)} of {len(known.worlds)} worlds are never imagined"
    square = sum((tally[world] - SAMPLES) ** 2 / SAMPLES for world in known.worlds)
    limit = chi_square_limit(len(known.worlds) - 1)
    return "" if square < limit else f"{known.name}: chi-square {square:.1f}, expected below {limit:.1f}"


def chi_square_limit(freedom: int) -> float:
    """The value that chance exceeds once in 100,000 (Wilson and Hilferty's approximation)."""
    normal = 4.265
    return freedom * float((1 - 2 / (9 * freedom) + normal * sqrt(2 / (9 * freedom))) ** 3)


@pytest.mark.parametrize(("variant", "seats"), CASES)
def test_n18_imagined_worlds_are_all_that_fit_and_equally_likely(variant: str, seats: int) -> None:
    found = list(islice(positions(GAME.variants()[variant], seats), POSITIONS))
    assert [verdict(known, imagined) for known in found] == [""] * POSITIONS


def test_n20_tiles_that_were_set_aside_are_imagined_face_down_again() -> None:
    found = list(islice(positions(Options(distinct_diagonal=True), 2, aside=True), POSITIONS))
    assert [verdict(known, imagined) for known in found] == [""] * POSITIONS


def test_an_engine_that_loses_what_was_set_aside_is_caught() -> None:
    known = next(positions(Options(distinct_diagonal=True), 2, aside=True))
    assert "cannot be" in verdict(known, lambda view, rng: without(imagined(view, rng), known.returned))


def without(world: World, lost: frozenset[int]) -> World:
    return tuple(tile for tile in world if tile not in lost)


def during_setup() -> Known:
    """Michael's setup with tiles set aside; all others lie face up, so that few are left to imagine."""
    rows = ["- - - - / - 7 - - / - - 4 - / - - - -", "- - - - / - 5 - - / - - 3 - / - - - -"]
    position = Position(rows, pool=[7, 12, 8, 12], rest="face up", set_aside=[5, 3], drawn=9, phase="lay", turn=1)
    position.options = Options(setup="michael", distinct_diagonal=True)
    return Known("setup", begun(position).observe(0), worlds(Counter([7, 12, 8, 12])))


def test_n20_tiles_set_aside_are_not_imagined_face_down_during_setup() -> None:
    assert verdict(during_setup(), imagined) == ""


def test_an_engine_that_forgets_what_lies_aside_is_caught() -> None:
    known = during_setup()
    known.view.set_aside = []
    assert "cannot be" in verdict(known, imagined)


def test_an_engine_that_forgets_the_drawn_tile_is_caught() -> None:
    position = Position([LOW, BARE], pool=[7, 12, 5], rest="face up", drawn=9)
    known = Known("drawn", begun(position).observe(0), worlds(Counter([7, 12, 5])))
    assert verdict(known, imagined) == ""
    known.view.drawn = 0
    assert "cannot be" in verdict(known, imagined)


def test_the_check_itself_sees_a_missing_world_and_an_uneven_one() -> None:
    known = next(positions(Options(), 3))
    assert "never imagined" in verdict(known, lambda view, rng: imagined(view, Rng(7)))
    assert "chi-square" in verdict(known, uneven)


def uneven(view: Observation, rng: Rng) -> World:
    """A mutant: of two worlds it takes the one that sorts first, every other time."""
    first, second = imagined(view, rng), imagined(view, rng)
    return min(first, second) if rng.below(2) else first
