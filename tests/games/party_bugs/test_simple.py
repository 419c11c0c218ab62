"""Thousands of random games against a second, simple Party Bugs that was written from the rulebook alone."""

from collections.abc import Iterator

import pytest

from arena.engine.contract import Outcome
from arena.engine.rng import Rng, seeded
from arena.games.party_bugs.rules import GAME, PartyBugsState
from arena.games.party_bugs.stored import dumped
from tests.games.party_bugs.simple import Moment, SimpleMatch

CASES = [(variant, seats) for variant in GAME.variants() for seats in GAME.seat_counts()]
GAMES = 72  # of each case; 30 cases make more than two thousand


@pytest.mark.parametrize(("variant", "seats"), CASES)
def test_random_matches_agree_with_the_simple_game(variant: str, seats: int) -> None:
    options = GAME.variants()[variant]
    for seed in range(GAMES // seats if options.mirror_series else GAMES):
        state = GAME.setup(options, seats, seeded(seed))
        simple = SimpleMatch(options.plain(), seats, moments(state, seeded(seed).fork("choices")))
        try:
            result = simple.play()
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, decision {simple.asked}: {error}") from error
        assert not state.to_act(), f"seed {seed}: the engine asks on after the end"
        check_outcome(state.outcome(), result.totals, result.places, f"seed {seed}")


def moments(state: PartyBugsState, rng: Rng) -> Iterator[Moment]:
    """The decisions of a random match; the last moment is its end."""
    while acting := state.to_act():
        legal = {seat: state.legal_actions(seat) for seat in acting}
        chosen = {seat: rng.choice(legal[seat]) for seat in acting}
        yield Moment(
            dumped(state),
            {seat: [GAME.action(code) for code in legal[seat]] for seat in acting},
            {seat: GAME.action(code) for seat, code in chosen.items()},
        )
        state.apply(chosen)
    yield Moment(dumped(state), {}, {})


def check_outcome(outcome: Outcome, totals: list[int], places: list[int], case: str) -> None:
    """Scores, places, and what is said of ties and of Paul (P14, P37, P38)."""
    seats = len(outcome.places)
    assert outcome.scores == totals[:seats], case
    assert outcome.places == places, case
    if seats == 2:
        won = totals[2] < min(totals[:2])
        verdict = "the lowest total: Paul won." if won else "not the lowest total."
        assert outcome.remarks[-1] == f"Paul has {totals[2]} points, {verdict}", case
    equal = sorted({total for total in totals[:seats] if totals[:seats].count(total) > 1})
    told = [int(remark.split()[1]) for remark in outcome.remarks if "the Tied card decides" in remark]
    assert told == equal, case
