"""Random matches against a second, simple Ladybugs that was written from the rulebook and the rulings alone."""

from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest

from arena.engine.contract import IllegalAction
from arena.engine.rng import Rng, seeded
from arena.games.ladybugs import rules_codes as codes
from arena.games.ladybugs.rules import GAME, LadybugsState
from arena.games.ladybugs.rules_board import stack_tiles
from tests.games.ladybugs.positions import narrow
from tests.games.ladybugs.simple import Moment, SimpleMatch
from tests.games.ladybugs.simple import count as simple_count

CASES = [(variant, seats) for variant in GAME.variants() for seats in GAME.seat_counts()]
MATCHES = 6  # of each case


@pytest.mark.parametrize(("variant", "seats"), CASES)
def test_random_matches_agree_with_the_simple_game(variant: str, seats: int) -> None:
    for seed in range(MATCHES):
        state = GAME.setup(GAME.variants()[variant], seats, seeded(seed))
        follow(state, seeded(seed).fork("choices"), f"{variant}, {seats} seats, seed {seed}")


@pytest.mark.parametrize(("variant", "seats"), CASES)
def test_crowded_matches_agree_with_the_simple_game(variant: str, seats: int) -> None:
    for seed in range(MATCHES):
        state = GAME.setup(narrow(variant), seats, seeded(seed))
        follow(state, seeded(seed).fork("choices"), f"{variant} on a narrow board, {seats} seats, seed {seed}")
        assert simple_count(state.dump()) == (state.outcome().scores, state.outcome().places)


def test_crowded_matches_have_all_that_is_rare() -> None:
    """Eliminations, resignations, rule 7 on two tiles (L12), stacks of three."""
    said: Counter[str] = Counter()
    for seed in range(60):
        state = GAME.setup(narrow("action-tiles-may-resign"), 3, seeded(seed))
        list(moments(state, seeded(seed).fork("choices")))
        texts = [GAME.event_text(code) for code in state.events(0, 0)]
        said["eliminated"] += sum("eliminated" in text for text in texts)
        said["resigned"] += sum("resigned" in text for text in texts)
        said["three"] += sum(stack >= 1024 for stack in state.table.stacks)
        said["start of three"] += sum(height_of_start(state, text) == 3 for text in texts if "extra tile" in text)
    assert min(said[word] for word in ("eliminated", "resigned", "three", "start of three")) > 0, said


def height_of_start(state: LadybugsState, text: str) -> int:
    return len(stack_tiles(state.table.stacks[state.starts[int(text[5]) - 1]]))


def follow(state: LadybugsState, rng: Rng, case: str) -> None:
    simple = SimpleMatch(moments(state, rng))
    try:
        simple.play()
    except AssertionError as error:
        raise AssertionError(f"{case}, decision {simple.asked}: {error}") from error
    assert not state.to_act(), f"{case}: the engine asks on after the end"


def moments(state: LadybugsState, rng: Rng) -> Iterator[Moment]:
    """The decisions of a match; the last moment is its end."""
    while acting := state.to_act():
        legal = {seat: state.legal_actions(seat) for seat in acting}
        chosen = {seat: rng.choice(legal[seat]) for seat in acting}
        yield Moment(
            state.dump(),
            {seat: [GAME.action(code) for code in legal[seat]] for seat in acting},
            {seat: GAME.action(code) for seat, code in chosen.items()},
        )
        state.apply(chosen)
    yield Moment(state.dump(), {}, {})


@pytest.mark.parametrize("variant", ["action-tiles-may-resign", "all-modules"])
def test_exactly_what_is_offered_is_accepted(variant: str) -> None:
    """Every way to write a placement or a spider's move, in crowded positions where much is almost legal."""
    for seed in range(5):
        state, rng = GAME.setup(narrow(variant), 3, seeded(seed)), seeded(seed).fork("choices")
        while acting := state.to_act():
            if state.phase == codes.PHASE_PLAY and rng.below(8) == 0:
                assert accepted(state, acting[0]) == sorted(state.legal_actions(acting[0])), f"seed {seed}"
            state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in acting})


def accepted(state: LadybugsState, seat: int) -> list[int]:
    """The codes that `apply` takes, tried one by one; those of dots that the seat does not hold as well."""
    spaces = [row << 4 | column for row in range(3) for column in range(13)]  # and those beside the board
    dots = {*state.observe(seat).hand, state.observe(seat).hand[0] % 6 + 1}
    kinds = (codes.PLACE, codes.MOVE_SPIDER)
    tried = [
        kind << 16 | one << 12 | space << 4 | uses
        for kind, one, space, uses in product(kinds, sorted(dots), spaces, range(16))
    ]
    return [code for code in [*tried, codes.RESIGN << 16] if is_accepted(state, seat, code)]


def is_accepted(state: LadybugsState, seat: int, code: int) -> bool:
    try:
        state.clone().apply({seat: code})
    except IllegalAction:
        return False
    return True
