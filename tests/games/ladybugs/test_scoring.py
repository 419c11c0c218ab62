"""How beds are scored (L18, L19, L21), ties (L20, L46), modules (L40), and every example of the rulebook."""

import pytest

from arena.engine.rng import seeded
from arena.games.ladybugs.actions import space_name
from arena.games.ladybugs.rules import GAME, LadybugsState
from tests.games.ladybugs import simple
from tests.games.ladybugs.positions import BASE, TILES, Position, begun, place, played_out, said

HANDS = [[1, 2], [1], [1], [1]]
TIMO, MAX, PIA, SARAH = 10, 20, 30, 40  # seats 1 to 4


def ended(tiles: dict[str, list[int]], **more: object) -> LadybugsState:
    """A match whose last turn changed nothing: seat 1 counted on from one meadow space to another."""
    seats = len(HANDS)
    position = Position({"d8": [11], **tiles}, hands=HANDS, ending=True, seats=seats)
    for name, value in more.items():
        setattr(position, name, value)
    state = begun(position)
    place(state, 1, "e8")
    assert state.to_act() == ()
    return state


def bed(size: int, number: int = 0) -> list[str]:
    """The spaces of a bed of this size on the board that positions have."""
    board = begun(Position({})).board
    beds = [bed for bed in range(1, len(board.sizes)) if board.sizes[bed] == size]
    return [space_name(space) for space in range(240) if board.beds[space] == beds[number]]


def laid(spaces: list[str], dots: dict[int, list[int]]) -> dict[str, list[int]]:
    """Tiles of each player, one on each space."""
    tiles = [player + each for player, numbers in dots.items() for each in numbers]
    assert len(tiles) <= len(spaces)
    return {space: [tile] for space, tile in zip(spaces, tiles, strict=False)}


EXAMPLES = [
    pytest.param(9, {TIMO: [4, 6], MAX: [4, 5], PIA: [4]}, [9, 4, 0, 0], id="left bed of nine"),
    pytest.param(6, {SARAH: [6, 6], MAX: [5], TIMO: [4]}, [0, 3, 0, 6], id="right bed of six"),
    pytest.param(7, {PIA: [4, 6], SARAH: [5, 5], MAX: [6]}, [0, 3, 7, 7], id="tie for first place"),
    pytest.param(6, {TIMO: [4, 5], SARAH: [4], MAX: [1, 3]}, [6, 3, 0, 3], id="tie for second place"),
]


@pytest.mark.parametrize(("size", "dots", "points"), EXAMPLES)
def test_rulebook_examples_of_beds(size: int, dots: dict[int, list[int]], points: list[int]) -> None:
    assert ended(laid(bed(size), dots)).outcome().scores == points


def test_rulebook_example_of_the_end() -> None:
    """Max and Sarah have 42 points each, Timo 39, Pia 32; Max has ten dots in the largest bed, Sarah none."""
    state = ended(laid(bed(9), {MAX: [4, 6]}))
    example = GAME.load(state.dump() | {"points": [39, 42, 32, 42]}).outcome()
    assert example.places == [3, 1, 4, 2]
    assert example.remarks == ["With 42 points each, the dots in the centre bed decide: 10 of seat 2, 0 of seat 4."]


@pytest.mark.parametrize(
    ("dots", "points"),
    [
        pytest.param({}, [0, 0, 0, 0], id="an empty bed pays nobody"),
        pytest.param({MAX: [1]}, [0, 7, 0, 0], id="one alone"),
        pytest.param({TIMO: [5], MAX: [5], PIA: [5], SARAH: [5]}, [7, 7, 7, 7], id="all first"),
        pytest.param({TIMO: [5], MAX: [5], PIA: [4], SARAH: [4]}, [7, 7, 3, 3], id="both ties"),
        pytest.param({TIMO: [6], MAX: [5], PIA: [4], SARAH: [3]}, [7, 3, 0, 0], id="no third and fourth"),
        pytest.param({SARAH: [6], PIA: [5], MAX: [4], TIMO: [3]}, [0, 0, 3, 7], id="the other way round"),
        pytest.param({TIMO: [3], MAX: [6], PIA: [3], SARAH: [5]}, [0, 7, 0, 3], id="mixed"),
    ],
)
def test_l18_first_and_second_place(dots: dict[int, list[int]], points: list[int]) -> None:
    assert ended(laid(bed(7), dots)).outcome().scores == points


def test_l18_only_tiles_in_view_count() -> None:
    first, second, *_ = bed(9)
    state = ended({first: [26, 31], second: [22]})
    assert state.outcome().scores == [0, 9, 4, 0]


def test_meadows_pay_nothing() -> None:
    assert ended({"d8": [16, 11], "l8": [26]}).outcome().scores == [0, 0, 0, 0]


@pytest.mark.parametrize(("dots", "points"), [((5, 4), [6, 0]), ((4, 5), [0, 6]), ((5, 5), [6, 6])])
def test_l19_two_seats_have_no_second_place(dots: tuple[int, int], points: list[int]) -> None:
    tiles = {"g1": [10 + dots[0]], "h1": [20 + dots[1]], "d8": [11]}
    state = begun(Position(tiles, hands=HANDS[:2], seats=2, ending=True))
    place(state, 1, "e8")
    assert state.outcome().scores == points


def test_l20_without_a_centre_bed_two_seats_share_the_victory() -> None:
    state = begun(Position({"d8": [11]}, hands=HANDS[:2], seats=2, ending=True))
    place(state, 1, "e8")
    assert state.board.centre == 0
    assert state.outcome().places == [1, 1]


@pytest.mark.parametrize(
    ("centre", "places"),
    [
        ({TIMO: [5], MAX: [6]}, [2, 1, 3, 3]),
        ({TIMO: [4], MAX: [3], PIA: [2]}, [1, 2, 3, 4]),
        ({}, [1, 1, 1, 1]),
        ({PIA: [3], SARAH: [3]}, [3, 3, 1, 1]),
    ],
)
def test_l20_l46_dots_in_the_centre_order_all_places(centre: dict[int, list[int]], places: list[int]) -> None:
    """With equal points everywhere, as if other beds had made up for the centre."""
    state = ended(laid(bed(9), centre))
    outcome = GAME.load(state.dump() | {"points": [30] * 4}).outcome()
    assert outcome.places == places


def test_l20_the_centre_decides_only_among_equals() -> None:
    state = ended(laid(bed(9), {PIA: [6, 6]}))
    assert GAME.load(state.dump() | {"points": [30, 31, 29, 29]}).outcome().places == [2, 1, 3, 4]


def test_l21_the_start_tile_counts_in_its_bed() -> None:
    assert ended({"o1": [21]}).outcome().scores == [0, 4, 0, 0]


def test_l40_module_points_come_on_top_and_break_no_tie() -> None:
    state = ended(laid(bed(9), {MAX: [1]}), options=TILES, unused=[7, 0, 3, 3])
    assert state.outcome().scores == [3, 9, 2, 2]
    assert state.outcome().places == [2, 1, 3, 3]


def test_points_are_told_bed_by_bed() -> None:
    state = ended(laid(bed(9), {TIMO: [4], MAX: [5]}))
    assert "seat 2 scored 9 for the flower bed at g7" in said(state)
    assert "seat 1 scored 4 for the flower bed at g7" in said(state)
    assert said(state)[-1] == "seat 4 scored 0 in all"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_scores_agree_with_a_second_count(seats: int) -> None:
    for variant, options in GAME.variants().items():
        for seed in range(25):
            state = played_out(GAME.setup(options, seats, seeded(seed)), seeded(seed))
            scores, places = simple.count(state.dump())
            assert state.outcome().scores == scores, f"{variant}, seed {seed}"
            assert state.outcome().places == places, f"{variant}, seed {seed}"
            assert [one >> 16 for one in state.standing()] == scores, f"{variant}, seed {seed}"


def test_the_second_count_agrees_with_the_examples() -> None:
    for parameters in EXAMPLES:
        size, dots, points = parameters.values
        assert simple.count(ended(laid(bed(size), dots)).dump())[0] == points  # type: ignore[arg-type]
    assert GAME.options({}) == BASE
