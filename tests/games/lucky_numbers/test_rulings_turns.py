"""How turns go and how a game ends: N5 to N14, N16 to N19, N21, and the example of the rulebook."""

import json
from pathlib import Path

import pytest

from arena.engine.rng import Rng, seeded
from arena.games.lucky_numbers import facts
from arena.games.lucky_numbers.rules import GAME, LuckyNumbersState
from arena.games.lucky_numbers.rules_codes import Action, Place, Take
from arena.games.lucky_numbers.rules_garden import garden_of, is_ascending
from tests.games.lucky_numbers.positions import (
    BARE,
    BASE,
    DISCARD,
    DRAW,
    FULL,
    LOW,
    TOURNAMENT,
    Position,
    act,
    begun,
    choices,
    drawing,
    gardens,
    said,
    tiles_of,
)

# The picture of the rulebook's example is lost; this garden has all that its text tells of it.
BOTTOM = " / - - - - / - - - -"
EXAMPLE = "1 - 15 - / 13 17 18 - / 16 - 20 - / - - - 10"


def at_example() -> LuckyNumbersState:
    return begun(Position([EXAMPLE, BARE], drawn=13))


def test_the_rulebooks_example_thirteen_fits_one_space_or_for_10_or_15() -> None:
    spaces = [(action.row, action.column) for action in choices(at_example(), 0) if isinstance(action, Place)]
    tiles = tiles_of(EXAMPLE)
    assert sorted(tiles[4 * row + column] for row, column in spaces) == [0, 10, 13, 15]  # the 13 itself is N10
    assert choices(at_example(), 0)[-1] == DISCARD


@pytest.mark.parametrize(
    "space",
    [
        pytest.param((3, 1), id="larger than the 10"),
        pytest.param((1, 3), id="equal to the 13"),
        pytest.param((0, 3), id="smaller than the 15"),
        pytest.param((2, 1), id="smaller than the 16"),
    ],
)
def test_the_rulebooks_example_where_thirteen_does_not_fit(space: tuple[int, int]) -> None:
    assert Place(*space) not in choices(at_example(), 0)


def test_the_rulebooks_example_the_10_is_exchanged_and_lies_face_up() -> None:
    state = at_example()
    act(state, 0, Place(3, 3))
    assert gardens(state)[0][15] == 13
    assert state.observe(0).face_up == [10]
    assert said(state)[0] == "seat 1 placed 13 on D4 for 10"


def test_n5_n6_a_drawn_tile_is_placed_exchanged_or_left() -> None:
    state = begun(Position([BARE, LOW], pool=[7], face_up=[18]))
    act(state, 0, DRAW)
    assert state.observe(1).drawn == 7
    assert list(state.to_act()) == [0]
    offered = choices(state, 0)
    assert Place(1, 1) in offered  # exchange for the 6
    assert Place(0, 1) not in offered  # above the 6
    assert Place(1, 2) in offered
    assert offered[-1] == DISCARD


def test_n5_a_tile_that_fits_may_be_left_face_up() -> None:
    state = begun(Position([BARE, FULL.replace("16", "-")], drawn=7))
    act(state, 0, DISCARD)
    assert state.observe(0).face_up == [7]
    assert said(state)[0] == "seat 1 left 7 face up"
    assert state.observe(0).turn == 1


def test_n7_option_b_names_tile_and_space_and_takes_the_tile_away() -> None:
    state = begun(Position([BARE, LOW], face_up=[7, 9]))
    assert choices(state, 0)[0] == DRAW
    act(state, 0, Take(7, 1, 2))
    assert gardens(state)[0][6] == 7
    assert state.observe(0).face_up == [9]
    assert state.observe(0).turn == 1
    assert said(state)[0] == "seat 1 took 7 to B3"


def test_n7_without_a_face_up_tile_there_is_no_option_b_and_the_draw_goes_unasked() -> None:
    state = begun(Position([BARE, LOW], pool=[7, 8], drawn=9))
    act(state, 0, Place(1, 2))
    assert said(state) == ["seat 1 placed 9 on B3", "seat 2 drew 7"]
    assert list(state.to_act()) == [1]
    assert state.observe(0).drawn == 7


@pytest.mark.parametrize(
    ("tile", "space", "fits"),
    [
        (5, (0, 1), True),
        (4, (0, 1), False),  # equal to the left
        (3, (0, 1), False),  # smaller than the left, across no gap
        (12, (0, 1), False),  # equal to what is below, across a gap
        (8, (0, 1), True),
        (9, (0, 2), False),  # equal to the right
        (8, (0, 2), True),  # gaps do not matter
        (20, (3, 3), True),
        (9, (3, 3), False),  # equal above, across two gaps
        (10, (3, 3), True),
        (9, (0, 3), True),  # the tile itself is not counted
        (12, (2, 1), True),
        (13, (2, 1), True),
        (1, (2, 1), True),
    ],
)
def test_n8_a_tile_fits_strictly_between_all_others_of_row_and_column(
    tile: int, space: tuple[int, int], *, fits: bool
) -> None:
    garden = garden_of(tiles_of("4 - - 9 / - - - - / - 12 - - / - - - -"))
    assert bool(garden.fitting(tile) >> (4 * space[0] + space[1]) & 1) == fits


def naive_fit(tiles: list[int], tile: int, space: int) -> bool:
    """Whether row and column ascend with the tile there, read off the rulebook."""
    planted = [*tiles[:space], tile, *tiles[space + 1 :]]
    row, column = planted[space // 4 * 4 : space // 4 * 4 + 4], planted[space % 4 :: 4]
    return all(line == sorted(set(line)) for line in ([one for one in line if one] for line in (row, column)))


def test_n8_every_tile_on_every_space_of_many_gardens() -> None:
    rng = seeded(3)
    for _ in range(300):
        tiles = [0] * 16
        for _ in range(rng.below(24)):
            tile, space = 1 + rng.below(20), rng.below(16)
            if naive_fit(tiles, tile, space):
                tiles[space] = tile
        garden = garden_of(tiles)
        assert garden.tiles() == tiles
        assert garden.empty == tiles.count(0)
        assert is_ascending(garden)
        for tile in range(1, 21):
            wanted = [space for space in range(16) if naive_fit(tiles, tile, space)]
            assert [space for space in range(16) if garden.fitting(tile) >> space & 1] == wanted, (tiles, tile)
            assert wanted, f"expected a place for every tile in every garden, got none for {tile} in {tiles}"


def test_n9_the_exchanged_tile_lies_face_up_for_the_next_player() -> None:
    state = begun(Position([BARE, LOW], face_up=[7]))
    act(state, 0, Take(7, 1, 1))
    assert state.observe(0).face_up == [6]
    assert Take(6, 3, 3) in choices(state, 1)
    assert said(state)[0] == "seat 1 took 7 to B2 for 6"


def test_n10_an_exchange_for_an_equal_number_changes_nothing_but_the_turn() -> None:
    state = begun(Position([BARE, LOW], face_up=[6]))
    before = gardens(state), state.observe(0).face_up
    act(state, 0, Take(6, 1, 1))
    assert (gardens(state), state.observe(0).face_up) == before
    assert (state.observe(0).turn, state.observe(0).idle) == (1, 1)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_n11_twenty_idle_turns_for_each_seat_end_the_game(seats: int) -> None:
    ahead, middle, last = (
        "1 - - - / - 2 5 - / - - - - / - - - 20",
        "- - - - / - 2 - -" + BOTTOM,
        "- - - - / - 3 - -" + BOTTOM,
    )
    gardens_of = [ahead, *[middle] * (seats - 2), last]
    state = begun(Position(gardens_of, face_up=[2, 3]))
    for turn in range(20 * seats):
        assert state.observe(0).idle == turn
        seat = state.observe(0).turn
        act(state, seat, Take(3 if seat == seats - 1 else 2, 1, 1))
    assert not state.to_act()
    assert state.outcome().places == [1] + [2] * (seats - 1)
    assert state.outcome().scores == [2] + [-15] * (seats - 1)
    assert state.outcome().remarks == ["The game ended because nobody drew a tile or filled a space for too long."]
    assert "nobody drew or filled a space for too long" in said(state)


@pytest.mark.parametrize(
    ("action", "idle"),
    [
        pytest.param(Take(2, 0, 0), 8, id="an exchange"),
        pytest.param(Take(2, 0, 1), 0, id="a newly filled space"),
        pytest.param(DRAW, 0, id="a draw"),
    ],
)
def test_n11_what_resets_the_counter(action: Action, idle: int) -> None:
    state = begun(Position([LOW.replace("2", "-"), BARE], face_up=[2], pool=[9], idle=7))
    act(state, 0, action)
    assert state.observe(1).idle == idle


def test_n11_a_drawn_tile_that_is_exchanged_leaves_the_counter_at_zero() -> None:
    state = begun(Position([LOW, BARE], drawn=7, face_up=[5]))
    act(state, 0, Place(3, 3))
    assert state.observe(0).idle == 0


def test_n11_the_guard_is_a_fact_with_its_provenance() -> None:
    data = json.loads(Path(facts.__file__).with_name("facts.json").read_text(encoding="utf-8"))
    assert data["idle_turns_for_each_seat"]["value"] == facts.IDLE_TURNS == 20
    assert data["idle_turns_for_each_seat"]["sure"] == "INVENTED"
    assert "N11" in data["idle_turns_for_each_seat"]["provenance"]


@pytest.mark.parametrize("drawn", [True, False])
def test_n12_the_sixteenth_tile_wins_at_once(*, drawn: bool) -> None:
    nearly = FULL.replace("16", "-")
    state = begun(Position([nearly, LOW], drawn=20 if drawn else 0, face_up=[] if drawn else [20]))
    act(state, 0, Place(3, 3) if drawn else Take(20, 3, 3))
    assert not state.to_act()
    assert state.outcome().places == [1, 2]
    assert state.outcome().scores == [2, -12]
    assert state.outcome().remarks == []
    assert said(state)[-3:] == ["seat 1 has filled the garden", "seat 1 won 2 points", "seat 2 lost 12 points"]


def test_n12_the_last_tile_of_all_may_fill_a_garden() -> None:
    state = begun(Position([FULL.replace("16", "-"), LOW], pool=[20], rest="face up"))
    act(state, 0, DRAW)
    act(state, 0, Place(3, 3))
    assert state.outcome().scores == [2, -12]
    assert "the last face-down tile is played" not in said(state)


def test_n13_who_draws_the_last_tile_finishes_the_turn_and_nobody_takes_any_more() -> None:
    state = begun(Position([LOW, BARE], pool=[9], rest="face up"))
    act(state, 0, DRAW)
    assert list(state.to_act()) == [0]
    act(state, 0, Place(3, 3))
    assert not state.to_act()  # although many tiles lie face up
    assert state.outcome().places == [1, 1]
    assert state.outcome().scores == [2, 2]
    assert state.outcome().remarks == ["The last face-down tile was played before a garden was full."]


@pytest.mark.parametrize("action", [DISCARD, Place(3, 3)])
def test_n13_n16_equally_few_empty_spaces_share_the_win(action: Action) -> None:
    wide = "1 - - - / - 2 - - / - - - - / - - - 20"
    state = begun(Position([LOW, BARE, wide], drawn=9, pool=[], rest="face up"))
    act(state, 0, action)
    assert state.outcome().places == [1, 1, 3]
    assert state.outcome().scores == [2, 2, -13]


def test_n14_a_draw_is_always_possible_until_the_end() -> None:
    for seed in range(30):
        state, rng = GAME.setup(BASE, 2 + seed % 3, seeded(seed)), seeded(seed)
        while state.to_act():
            seat = state.to_act()[0]
            assert (choices(state, seat)[0] == DRAW) == (state.observe(0).drawn == 0)
            state.apply(drawing(state, rng) if seed % 2 else {seat: rng.choice(state.legal_actions(seat))})


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_n16_a_tournament_is_a_game_per_seat_and_the_start_moves_clockwise(seats: int) -> None:
    state, rng = GAME.setup(TOURNAMENT, seats, Rng(10)), Rng(11)
    while state.to_act():
        state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.to_act()})
    texts = said(state)
    assert [text for text in texts if text.startswith("game ")] == [f"game {one} begins" for one in range(1, seats + 1)]
    starts = [int(text.split()[1]) - 1 for text in texts if text.endswith("is the start player")]
    assert starts == [(starts[0] + game) % seats for game in range(seats)]
    for seat in range(seats):
        won = [int(text.split()[3]) for text in texts if text.startswith(f"seat {seat + 1} won")]
        lost = [int(text.split()[3]) for text in texts if text.startswith(f"seat {seat + 1} lost")]
        assert len(won) + len(lost) == seats
        assert state.outcome().scores[seat] == sum(won) - sum(lost)


def test_n16_points_of_a_game_are_added_and_the_next_begins_with_the_next_seat() -> None:
    position = Position([FULL.replace("16", "-"), LOW, BARE], drawn=20, options=TOURNAMENT, start=1)
    position.totals, position.game = [-3, 2, -5], 1
    state = begun(position)
    act(state, 0, Place(3, 3))
    view = state.observe(0)
    assert (view.totals, view.game, view.start, view.turn) == ([-1, -10, -17], 2, 2, 2)
    assert [garden.empty for garden in view.gardens] == [12, 12, 12]
    assert (view.idle, view.face_up) == (0, [])
    assert sum(1 for _ in view.unseen()) == view.face_down


def test_n17_n19_a_tournament_goes_by_summed_points_and_ties_share() -> None:
    position = Position([FULL.replace("16", "-"), LOW, BARE], drawn=20, options=TOURNAMENT)
    position.totals, position.game = [-4, 10, 10], 2
    state = begun(position)
    act(state, 0, Place(3, 3))
    assert state.outcome().scores == [-2, -2, -2]
    assert state.outcome().places == [1, 1, 1]


@pytest.mark.parametrize(
    ("others", "places", "scores"),
    [
        ([LOW, BARE, BARE], [1, 2, 2, 2], [2, -12, -12, -12]),
        (
            [LOW, "1 2 - - / - - - - / - - - - / - - - -", "1 - - - / - 5 - - / - - 6 - / - - - -"],
            [1, 2, 4, 3],
            [2, -12, -14, -13],
        ),
    ],
)
def test_n19_the_losers_rank_by_empty_spaces(others: list[str], places: list[int], scores: list[int]) -> None:
    state = begun(Position([FULL.replace("16", "-"), *others], drawn=20))
    act(state, 0, Place(3, 3))
    assert state.outcome().places == places
    assert state.outcome().scores == scores


def test_n21_equal_face_up_tiles_are_one_action() -> None:
    state = begun(Position([BARE, LOW], face_up=[7, 7, 9]))
    takes = [action for action in choices(state, 0) if isinstance(action, Take)]
    assert len(takes) == len(set(takes))
    assert {take.tile for take in takes} == {7, 9}
    act(state, 0, Take(7, 1, 2))
    assert state.observe(0).face_up == [7, 9]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_n21_the_bound_holds_28_resets_for_each_seat(seats: int) -> None:
    one = GAME.length_bound(BASE, seats)
    assert one >= 28 * seats * 20 * seats
    assert GAME.length_bound(TOURNAMENT, seats) == seats * one
