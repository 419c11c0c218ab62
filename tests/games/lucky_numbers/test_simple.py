"""Many random matches against a second, simple Lucky Numbers that was written from the rulebook alone."""

from collections.abc import Callable
from itertools import product

import pytest

from arena.engine.rng import Rng, seeded
from arena.games.lucky_numbers.rules import GAME, LuckyNumbersState
from arena.games.lucky_numbers.rules_views import Options
from tests.games.lucky_numbers.positions import drawing
from tests.games.lucky_numbers.simple import Moment, SimpleMatch, reveals

Chooser = Callable[[LuckyNumbersState, Rng], dict[int, int]]

CASES = [  # every combination, also those that no variant names
    pytest.param(Options(setup=setup, distinct_diagonal=distinct, tournament=tournament), seats)
    for setup, distinct, tournament, seats in product(
        ("sorted", "arrange", "michael"), (False, True), (False, True), (2, 3, 4)
    )
]
MATCHES = 9


def at_random(state: LuckyNumbersState, rng: Rng) -> dict[int, int]:
    return {seat: rng.choice(state.legal_actions(seat)) for seat in state.to_act()}


def filling(state: LuckyNumbersState, rng: Rng) -> dict[int, int]:
    """Actions after which fewer spaces are empty, where there are such."""
    seat = state.to_act()[0]
    legal, filled = state.legal_actions(seat), state.gardens[seat].filled
    fresh = [code for code in legal if code < 336 and not filled >> (code & 15) & 1]
    return {seat: rng.choice(fresh)} if fresh and len(state.to_act()) == 1 else at_random(state, rng)


@pytest.mark.parametrize(("options", "seats"), CASES)
def test_random_matches_agree_with_the_simple_game(options: Options, seats: int) -> None:
    choosers: list[Chooser] = [at_random, drawing, filling]
    for seed in range(MATCHES // seats if options.tournament else MATCHES):
        state = GAME.setup(options, seats, seeded(seed))
        moments = played(state, seeded(seed).fork("choices"), choosers[seed % 3])
        simple = SimpleMatch(options.plain(), seats, reveals(state.log, options.setup), iter(moments))
        try:
            totals = simple.play()
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, decision {simple.asked}: {error}") from error
        assert simple.asked == len(moments) - 1, f"seed {seed}: the engine asks on after the end"
        outcome = state.outcome()
        assert outcome.scores == totals, f"seed {seed}"
        assert outcome.places == [1 + sum(other > total for other in totals) for total in totals], f"seed {seed}"


def played(state: LuckyNumbersState, rng: Rng, choose: Chooser) -> list[Moment]:
    """The decisions of a match; the last moment is its end."""
    moments: list[Moment] = []
    while acting := state.to_act():
        legal = {seat: [GAME.action(code) for code in state.legal_actions(seat)] for seat in acting}
        chosen = choose(state, rng)
        moments.append(Moment(state.dump(), legal, {seat: GAME.action(code) for seat, code in chosen.items()}))
        state.apply(chosen)
    return [*moments, Moment(state.dump(), {}, {})]


@pytest.mark.parametrize(
    ("choose", "ending"),
    [
        (drawing, "the last face-down tile is played"),
        (filling, "seat 1 has filled the garden"),
        (at_random, "nobody drew or filled a space for too long"),
    ],
)
def test_the_compared_matches_end_in_every_way(choose: Chooser, ending: str) -> None:
    told = set()
    for seed in range(MATCHES * 3):
        state = GAME.setup(Options(), 2, seeded(seed))
        played(state, seeded(seed).fork("choices"), choose)
        told |= {GAME.event_text(code) for code in state.log}
    assert ending in told
