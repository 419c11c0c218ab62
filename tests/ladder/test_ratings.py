"""Ratings against published numbers, and the fold's promises: one order, the same bits, anchors that stay."""

import json
import math
from collections.abc import Sequence
from itertools import permutations

import mpmath
import pytest
import trueskill
from hypothesis import given, settings
from hypothesis import strategies as st
from trueskill import backends

from arena.engine.rng import Rng
from ladder import ratings
from ladder.model import START, Finished, Player, Rating, in_order
from ladder.ratings import ANCHOR, Fold, Parameters, rated

# What the library's own test suite and the TrueSkill paper use.
PUBLISHED = Parameters(tau=25 / 300, tie_rate=0.1)


def close(found: Sequence[Rating], expected: Sequence[tuple[float, float]], within: float = 0.0011) -> bool:
    """Whether ratings are those that were published, with three digits or as many as `within` says."""
    numbers = [number for one in found for number in (one.mu, one.sigma)]
    return numbers == pytest.approx([number for one in expected for number in one], abs=within)


def bot(number: int, *, anchor: bool = False) -> Player:
    return Player(number, f"bot-{number}", 1, f"{number:064x}", anchor)


def fresh(seats: int, parameters: Parameters = PUBLISHED) -> Fold:
    fold = Fold(parameters)
    fold.add(bot(number) for number in range(seats))
    return fold


# Published numbers

WON = [(29.396, 7.171), (20.604, 7.171)]
FREE_FOR_ALL = [
    pytest.param((1, 2), WON, id="1 against 1"),
    pytest.param((2, 1), WON[::-1], id="1 against 1, the second wins"),
    pytest.param((1, 1), [(25.0, 6.458)] * 2, id="1 against 1, a draw"),
    pytest.param((1, 2, 3), [(31.675, 6.656), (25.0, 6.208), (18.325, 6.656)], id="3"),
    pytest.param((3, 2, 1), [(18.325, 6.656), (25.0, 6.208), (31.675, 6.656)], id="3, unsorted"),
    pytest.param((1, 1, 1), [(25.0, 5.698), (25.0, 5.695), (25.0, 5.698)], id="3, a draw"),
    pytest.param((1, 2, 3, 4), [(33.207, 6.348), (27.401, 5.787), (22.599, 5.787), (16.793, 6.348)], id="4"),
    pytest.param(
        (1, 2, 3, 4, 5),
        [(34.363, 6.136), (29.058, 5.536), (25.0, 5.420), (20.942, 5.536), (15.637, 6.136)],
        id="5",
    ),
    pytest.param(
        (1,) * 8,
        [
            *((25.0, 4.592), (25.0, 4.583), (25.0, 4.576), (25.0, 4.573)),
            *((25.0, 4.573), (25.0, 4.576), (25.0, 4.583), (25.0, 4.592)),
        ],
        id="8, a draw",
    ),
    pytest.param(
        (1, 2, 3, 4, 5, 6, 7, 8),
        [
            *((36.771, 5.749), (32.242, 5.133), (29.074, 4.943), (26.322, 4.874)),
            *((23.678, 4.874), (20.926, 4.943), (17.758, 5.133), (13.229, 5.749)),
        ],
        id="8, Microsoft's example",
    ),
]


@pytest.mark.parametrize(("places", "expected"), FREE_FOR_ALL)
def test_new_players_get_the_published_ratings(places: tuple[int, ...], expected: list[tuple[float, float]]) -> None:
    seats = len(places)
    assert close(fresh(seats).rate(Finished(0, 0, tuple(range(seats)), places)), expected)


UPSETS = [
    pytest.param([START, Rating(50, 12.5)], (1, 1), [(31.662, 7.137), (35.010, 7.910)], id="a draw with a master"),
    pytest.param(
        [Rating(10 + 5 * seat, 8 - seat) for seat in range(8)],
        (1, 2, 3, 4, 5, 6, 7, 8),
        [
            *((35.135, 4.506), (32.585, 4.037), (31.329, 3.756), (30.984, 3.453)),
            *((31.751, 3.064), (34.051, 2.541), (38.263, 1.849), (44.118, 0.983)),
        ],
        id="8 in the wrong order",
    ),
]


@pytest.mark.parametrize(("before", "places", "expected"), UPSETS)
def test_upsets_give_the_published_ratings(
    before: list[Rating], places: tuple[int, ...], expected: list[tuple[float, float]]
) -> None:
    assert close(rated(before, places, PUBLISHED), expected)


def test_half_of_all_matches_drawn_gives_the_published_ratings() -> None:
    drawn_often = Parameters(tau=25 / 300, tie_rate=0.5)
    assert close(rated([START, START], (1, 2), drawn_often), [(30.267, 7.077), (19.733, 7.077)])


def test_the_exposed_score_is_that_of_the_library() -> None:
    library = trueskill.TrueSkill()
    for one in [START, Rating(31.5, 2.25), Rating(-4.0, 7.0)]:
        assert one.exposed == pytest.approx(library.expose(trueskill.Rating(one.mu, one.sigma)))
    assert START.exposed == 0


@given(
    st.lists(st.tuples(st.floats(0, 50), st.floats(0.5, 9), st.integers(1, 4)), min_size=2, max_size=8),
    st.floats(0.01, 0.3),
)
@settings(max_examples=60, deadline=None)
def test_the_library_itself_says_the_same(seats: list[tuple[float, float, int]], tie_rate: float) -> None:
    """With its own, shorter approximation of the normal distribution, so to a few digits."""
    seats.sort(key=lambda seat: seat[2])
    library = trueskill.TrueSkill(tau=0.008, draw_probability=tie_rate)
    groups = [(trueskill.Rating(mu, sigma),) for mu, sigma, _ in seats]
    places = [place for _, _, place in seats]
    expected = [(one.mu, one.sigma) for (one,) in library.rate(groups, places)]
    found = rated([Rating(mu, sigma) for mu, sigma, _ in seats], places, Parameters(tie_rate=tie_rate))
    for rating, (mu, sigma) in zip(found, expected, strict=True):
        assert rating.mu == pytest.approx(mu, abs=0.02)
        assert rating.sigma == pytest.approx(sigma, abs=0.02)


# Where floats have no digits left

# The first, second and last are the library's own examples; expected None: any sound answer.
IMPOSSIBLE = [
    pytest.param([(-323.263, 2.965), (-48.441, 2.19)], (1, 2), [(-273.361, 2.683), (-75.683, 2.08)], id="upset"),
    pytest.param([(25, 25 / 3), (1000, 25 / 3)], (1, 2), [(415.298, 6.455), (609.702, 6.455)], id="25 beats 1000"),
    pytest.param([(25, 25 / 3), (1000, 25 / 3)], (1, 1), None, id="25 ties with 1000"),
    pytest.param([(1000, 25 / 3), (25, 25 / 3)], (1, 2), [(1000, 8.334), (25, 8.334)], id="1000 beats 25"),
    pytest.param([(25, 8), (300, 0.01), (25, 0.01)], (1, 2, 3), None, id="three, two of them well known"),
    pytest.param([(25, 25 / 3), (1e6, 25 / 3)], (1, 2), [(400016.9, 6.455), (600008.1, 6.455)], id="25 beats 10^6"),
]


@pytest.mark.parametrize(("before", "places", "expected"), IMPOSSIBLE)
def test_what_floats_cannot_rate_is_rated_exactly(
    before: list[tuple[float, float]], places: tuple[int, ...], expected: list[tuple[float, float]] | None
) -> None:
    digits = mpmath.mp.dps
    ratings_before = [Rating(*one) for one in before]
    with pytest.raises(FloatingPointError):
        ratings._rated(ratings_before, places, PUBLISHED, ratings._FLOATS)
    found = rated(ratings_before, places, PUBLISHED)
    assert all(math.isfinite(one.mu) and 0 < one.sigma < 9 for one in found)
    assert expected is None or close(found, expected, within=10 if before[1][0] == 1e6 else 0.5)
    assert mpmath.mp.dps == digits, "mpmath's own context was changed, which everybody shares"


@given(
    st.lists(st.tuples(st.floats(-20, 70), st.floats(0.05, 9), st.integers(1, 4)), min_size=2, max_size=5),
    st.sampled_from([0.001, 0.05, 0.3]),
)
@settings(max_examples=30, deadline=None)
def test_floats_and_exact_numbers_agree(seats: list[tuple[float, float, int]], tie_rate: float) -> None:
    parameters = Parameters(tie_rate=tie_rate)
    before = [Rating(mu, sigma) for mu, sigma, _ in seats]
    places = [place for _, _, place in seats]
    exact = ratings._rated(before, places, parameters, ratings._exact())
    for one, other in zip(rated(before, places, parameters), exact, strict=True):
        assert one.mu == pytest.approx(other.mu, abs=1e-5)
        assert one.sigma == pytest.approx(other.sigma, abs=1e-5)


def test_a_tie_never_makes_a_player_less_known() -> None:
    """The library by itself raises sigma without a word, when ties are rare; its answer is not taken."""
    library = trueskill.TrueSkill(tau=0.008, draw_probability=0.0)
    ((silently,), _) = library.rate([(trueskill.Rating(25, 8),), (trueskill.Rating(25, 8),)], [1, 1])
    assert silently.sigma > 9
    with pytest.raises(FloatingPointError, match="expected more certainty"):
        ratings._rated(
            [Rating(25, 8)] * 2, (1, 1), Parameters(tie_rate=0.0), (backends.cdf, backends.pdf, backends.ppf)
        )
    for rate in (0.0, ratings.LEAST_TIE_RATE, ratings.MOST_TIE_RATE):
        for other in (START, Rating(60, 1)):
            assert rated([START, other], (1, 1), Parameters(tie_rate=rate))[0].sigma < 6.6


# The fold


def simulated(blocks: int, *, players: int = 6, seats: int = 4, seed: int = 1) -> list[Finished]:
    """Matches with strengths, ties and now and then a fault; block numbers with gaps."""
    matches = []
    for block in range(blocks):
        luck = Rng(seed).fork(f"block {block}")
        lineup = list(range(players))
        luck.shuffle(lineup)
        for rotation in range(seats):
            seated = tuple(lineup[(seat + rotation) % seats] for seat in range(seats))
            scores = [player + int(luck.below(8)) for player in seated]
            faulty = (int(luck.below(seats)),) if luck.below(10) == 0 else ()
            scores = [-1 if seat in faulty else score for seat, score in enumerate(scores)]
            places = tuple(1 + sum(other > score for other in scores) for score in scores)
            matches.append(Finished(2 * block, rotation, seated, places, faulty))
    return matches


def history(fold: Fold, matches: Sequence[Finished]) -> list[tuple[Rating, ...]]:
    return [fold.rate(match) for match in matches]


def test_folding_again_from_any_checkpoint_gives_the_same_bits() -> None:
    matches = simulated(110, seats=3)
    whole, expected, dumps = fresh(6, Parameters()), [], []
    for match in matches:
        dumps.append(json.dumps(whole.dump()))
        expected.append(whole.rate(match))
    assert whole.tie_rate != Parameters().tie_rate, "expected a measure on the way"
    for at in [*range(0, len(matches), 37), len(matches) - 1]:
        again = Fold.load(json.loads(dumps[at]))
        again.add(bot(number) for number in range(6))
        assert history(again, matches[at:]) == expected[at:]
        assert again.dump() == whole.dump()


def test_every_checkpoint_is_the_state_that_was_dumped() -> None:
    fold = fresh(6)
    for match in simulated(20):
        fold.rate(match)
        again = Fold.load(json.loads(json.dumps(fold.dump())))
        assert again.dump() == fold.dump()
        assert again.ratings == fold.ratings
        assert (again.parameters, again.tie_rate, again.last) == (fold.parameters, fold.tie_rate, fold.last)


def test_the_order_in_which_matches_finish_does_not_matter() -> None:
    matches, finished = simulated(6), list(range(24))
    Rng(3).shuffle(finished)
    assert history(fresh(6), in_order([matches[number] for number in finished])) == history(fresh(6), matches)


@pytest.mark.parametrize("places", [(1, 1, 1, 1), (1, 2, 2, 2), (1, 1, 3, 3), (1, 1, 1, 4)])
def test_seats_inside_a_tie_do_not_matter(places: tuple[int, ...]) -> None:
    """The library's answer depends on the order of its list, which is that of the ids."""
    before = simulated(3)
    outcomes = set()
    for seating in permutations(range(4)):
        fold = fresh(6)
        history(fold, before)
        fold.rate(Finished(99, 0, tuple(seating), tuple(places[player] for player in seating)))
        outcomes.add(tuple(sorted(fold.ratings.items())))
    assert len(outcomes) == 1


def test_the_library_does_depend_on_the_order_inside_a_tie() -> None:
    """Else nothing would have to be sorted."""
    before = [Rating(20, 3), Rating(25, 6), Rating(30, 2)]
    one = rated(before, (1, 1, 1), PUBLISHED)
    other = rated([before[1], before[0], before[2]], (1, 1, 1), PUBLISHED)
    assert one != [other[1], other[0], other[2]]


@pytest.mark.parametrize("late", [(4, 1), (4, 0), (2, 3), (0, 0)])
def test_matches_out_of_order_or_twice_are_refused(late: tuple[int, int]) -> None:
    fold = fresh(2)
    fold.rate(Finished(4, 1, (0, 1), (1, 2)))
    before = fold.dump()
    with pytest.raises(ValueError, match="expected a match after block 4, rotation 1"):
        fold.rate(Finished(*late, (0, 1), (1, 2)))
    assert fold.dump() == before


@pytest.mark.parametrize(
    ("players", "places", "problem"),
    [
        ((0, 7), (1, 2), "expected players that were added, got 7"),
        ((0, 0), (1, 2), "different players"),
        ((0,), (1,), "different players"),
        ((0, 1), (1,), "a place for each"),
    ],
)
def test_matches_that_make_no_sense_are_refused(
    players: tuple[int, ...], places: tuple[int, ...], problem: str
) -> None:
    with pytest.raises(ValueError, match=problem):
        fresh(2).rate(Finished(0, 0, players, places))


def test_players_may_join_at_any_time_and_keep_what_they_have() -> None:
    fold = fresh(2)
    fold.rate(Finished(0, 0, (0, 1), (1, 2)))
    before = dict(fold.ratings)
    fold.add([bot(0), bot(2)])
    assert fold.ratings == {**before, 2: START}


# Anchors and faults


def test_anchors_never_move_but_count() -> None:
    fold = Fold()
    fold.add([bot(0), bot(1), bot(2, anchor=True), bot(3, anchor=True)])
    for block in range(50):
        found = fold.rate(Finished(block, 0, (2, 0, 3, 1), (1, 2, 2, 4)))
        assert (found[0], found[2]) == (ANCHOR, ANCHOR)
    assert fold.ratings[2] == fold.ratings[3] == ANCHOR
    assert fold.ratings[1].mu < fold.ratings[0].mu < ANCHOR.mu, "both lost to an anchor all the time"


def test_an_anchor_stays_one() -> None:
    fold = Fold()
    fold.add([bot(0, anchor=True), bot(1)])
    with pytest.raises(ValueError, match="player 1: expected an anchor to stay one"):
        fold.add([bot(1, anchor=True)])
    with pytest.raises(ValueError, match="player 0: expected an anchor to stay one"):
        Fold.load(fold.dump()).add([bot(0)])


def test_a_faulty_seat_loses_to_everybody() -> None:
    fold = fresh(4)
    found = fold.rate(Finished(0, 0, (0, 1, 2, 3), (1, 4, 1, 3), faulty=(1,)))
    assert found[1].mu == min(one.mu for one in found) < START.mu


# Tie rate


def test_frozen_seasons_end_up_surer_than_open_ones() -> None:
    matches = simulated(20)
    still, drifting = fresh(6, Parameters(tau=ratings.TAU_WHEN_FROZEN)), fresh(6, Parameters())
    history(still, matches)
    history(drifting, matches)
    assert all(still.ratings[player].sigma < drifting.ratings[player].sigma for player in range(6))


def tied(block: int, *, ties: bool) -> Finished:
    return Finished(block, 0, (0, 1, 2, 3), (1, 1, 3, 4) if ties else (1, 2, 3, 4))


def test_the_tie_rate_is_measured_at_100_200_400_blocks() -> None:
    """One pair of six ties in every second block; in the blocks from 200 on, none does."""
    fold, rates = fresh(4, Parameters()), {}
    for block in range(402):
        fold.rate(tied(block, ties=block < 200 and block % 2 == 0))
        rates[block + 1] = fold.tie_rate
    assert {rates[blocks] for blocks in range(1, 101)} == {0.05}
    assert {rates[blocks] for blocks in range(101, 401)} == {1 / 12}
    assert rates[401] == rates[402] == 1 / 24


def test_faulty_seats_do_not_count_as_ties() -> None:
    fold = fresh(4, Parameters())
    for block in range(101):
        fold.rate(Finished(block, 0, (0, 1, 2, 3), (1, 2, 3, 3), faulty=(2, 3)))
    assert fold.tie_rate == ratings.LEAST_TIE_RATE


def test_the_tie_rate_stays_within_bounds() -> None:
    fold = fresh(2, Parameters())
    for block in range(101):
        fold.rate(Finished(block, 0, (0, 1), (1, 1)))
    assert fold.tie_rate == ratings.MOST_TIE_RATE


def test_all_rotations_of_a_block_count_as_one_block() -> None:
    fold = fresh(2, Parameters())
    for block in range(99):
        for rotation in range(2):
            fold.rate(Finished(block, rotation, (0, 1), (1, 1)))
    assert (fold.blocks, fold.tie_rate) == (99, 0.05)
    for block in (99, 100):
        fold.rate(Finished(block, 0, (0, 1), (1, 1)))
    assert (fold.blocks, fold.tie_rate) == (101, ratings.MOST_TIE_RATE)
