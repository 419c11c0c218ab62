"""Thousands of random turns against a second, simple Lunar Laser Frogs that was written from the rulebook alone."""

from collections.abc import Iterator

import pytest

from arena.engine.rng import Rng, seeded
from arena.games.lunar_laser_frogs.rules import GAME, LunarLaserFrogsState
from tests.games.lunar_laser_frogs.simple import Moment, SimpleMatch

CASES = [(variant, seats) for variant in GAME.variants() for seats in GAME.seat_counts()]
TURNS = 150  # of each case; 18 cases make more than two thousand


@pytest.mark.parametrize(("variant", "seats"), CASES)
def test_random_matches_agree_with_the_simple_game(variant: str, seats: int) -> None:
    options = GAME.variants()[variant]
    turns = seed = 0
    while turns < TURNS:
        state = GAME.setup(options, seats, seeded(seed))
        simple = SimpleMatch(options.plain(), seats, moments(state, seeded(seed).fork("choices")))
        try:
            points = simple.play()
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, decision {simple.asked}: {error}") from error
        assert not state.to_act(), f"seed {seed}: the engine asks on after the end"
        outcome = state.outcome()
        assert outcome.scores == points, f"seed {seed}"
        assert outcome.places == [1 + sum(other > one for other in points) for one in points], f"seed {seed}"
        turns += simple.turns
        seed += 1


def moments(state: LunarLaserFrogsState, rng: Rng) -> Iterator[Moment]:
    """The decisions of a random match, in which people wait more often than not; the last moment is its end."""
    while acting := state.to_act():
        legal = {seat: state.legal_actions(seat) for seat in acting}
        chosen = {seat: codes[0] if rng.below(2) else rng.choice(codes) for seat, codes in legal.items()}
        yield Moment(
            state.dump(),
            {seat: [GAME.action(code) for code in codes] for seat, codes in legal.items()},
            {seat: GAME.action(code) for seat, code in chosen.items()},
        )
        state.apply(chosen)
    yield Moment(state.dump(), {}, {})
