"""The three modules: special action tiles (L22-L27), lucky clover (L28-L30) and spider (L31-L38)."""

from itertools import product

import pytest

from arena.engine.rng import Rng, seeded
from arena.games.ladybugs.actions import MoveSpider, SetSpider, space_name, space_named
from arena.games.ladybugs.rules import GAME
from arena.games.ladybugs.rules_codes import PHASE_OVER
from tests.games.ladybugs.positions import (
    ALL,
    CLOVER,
    SPIDER,
    TILES,
    Position,
    begun,
    choices,
    move_spider,
    place,
    placements,
    played_out,
    played_setup,
    said,
    stacks,
)

FIRST_MARK = "c3"  # the first marked space of square A1


def test_every_combination_of_the_modules_is_a_variant() -> None:
    offered = {(one.action_tiles, one.lucky_clover, one.spider) for one in GAME.variants().values()}
    assert offered == set(product((False, True), repeat=3))


def test_l22_several_action_tiles_on_one_placement_are_all_flipped() -> None:
    state = begun(Position({"h8": [14], "j8": [22], "k8": [21, 31]}, options=TILES))
    place(state, 1, "k8", grasshopper=True, rhinoceros=True, stag=True)
    assert stacks(state)["k8"] == [21, 31, 11]
    assert state.observe(0).unused == [8, 15, 15, 15]


def test_l23_a_stag_beetle_makes_three_of_exactly_two() -> None:
    state = begun(Position({"h8": [13], "k8": [21, 31], "e8": [21], "h5": [22, 32, 42]}, options=TILES))
    assert "k8" in placements(state, stag=True)
    assert "e8" not in placements(state, stag=True)
    assert "h5" not in placements(state, stag=True)


@pytest.mark.parametrize(
    ("dots", "near"), [(1, {"j8"}), (2, {"i8", "k8"}), (3, {"j8", "l8"}), (5, {"l8", "n8"}), (6, {"m8", "o8"})]
)
def test_l24_a_rhinoceros_goes_one_nearer_or_further_up_to_seven_and_never_zero(dots: int, near: set[str]) -> None:
    state = begun(Position({"h8": [10 + dots]}, options=TILES))
    spaces = [space_named(name) for name in placements(state, rhinoceros=True)]
    assert {space_name(space) for space in spaces if space >> 4 == 7 and space & 15 > 7} == near


def test_l25_a_grasshopper_jumps_stacks_but_the_target_rules_stay() -> None:
    tiles = {"h8": [14], "i8": [21, 31], "j8": [22, 32, 42], "k8": [41], "g8": [24], "d8": [25, 35]}
    state = begun(Position(tiles, options=TILES, unused=[9, 15, 15, 15]))
    assert "l8" in placements(state, grasshopper=True)
    assert "d8" not in placements(state, grasshopper=True)


def test_l27_action_tiles_do_not_move_the_spider() -> None:
    state = begun(Position({"a1": [16]}, options=ALL, spider="h8", hands=[[3, 3], [1, 1], [1, 1], [1, 1]]))
    moves = [action for action in choices(state) if isinstance(action, MoveSpider)]
    assert [space_name(move.space) for move in moves] == ["h5", "e8", "k8", "h11"]


def test_module_1_unused_action_tiles_are_worth_a_point_each() -> None:
    state = begun(
        Position({"d8": [11]}, hands=[[1, 2], [1], [1], [1]], options=TILES, ending=True, unused=[7, 6, 0, 12])
    )
    place(state, 1, "e8")
    assert state.outcome().scores == [3, 2, 0, 1]


def test_l28_two_seats_use_six_clovers_and_the_rest_stay_hidden() -> None:
    state = played_setup(CLOVER, 2)
    assert len(state.board.clovers) == 6
    assert len(state.clovers) == 12
    kept = {tuple(sorted(GAME.setup(CLOVER, 2, Rng(key)).clovers[:6])) for key in range(30)}
    assert len(kept) > 5  # which six is luck


@pytest.mark.parametrize("seats", [3, 4])
def test_module_2_one_clover_on_each_marked_meadow(seats: int) -> None:
    for key in range(20):
        board = GAME.setup(CLOVER, seats, Rng(key)).board
        assert len(board.clovers) == 12
        assert all(board.beds[space] == 0 for space in board.clovers)


def clover_position() -> Position:
    values = [3, *[1] * 4, *[2] * 4, *[3] * 3]
    return Position({"d3": [11], "h8": [22]}, options=CLOVER, clovers=values)


def test_l29_the_taker_alone_learns_the_value_and_everybody_the_count() -> None:
    state = begun(clover_position())
    place(state, 2, FIRST_MARK)
    assert "seat 1 took the clover on c3, worth 3" in said(state, 0)
    assert "seat 1 took the clover on c3" in said(state, 1)
    assert state.observe(0).taken[0] == state.observe(1).taken[0] == 1
    assert state.observe(0).values[0] == 4
    assert [state.observe(seat).values[0] for seat in (1, 2, 3)] == [0, 0, 0]


def test_module_2_a_clover_is_taken_once() -> None:
    state = begun(clover_position())
    place(state, 2, FIRST_MARK)
    place(state, 1, "h6")
    taken = state.observe(0).taken
    data = state.dump() | {"current": 0}
    again = GAME.load(data)
    place(again, 1, FIRST_MARK)
    assert again.observe(0).taken == taken


def test_module_2_clovers_count_at_the_end_and_are_shown_then() -> None:
    position = clover_position()
    position.hands, position.ending, position.taken = [[1, 2], [1], [1], [1]], True, [0, 3, 3, *[0] * 9]
    state = begun(position)
    place(state, 2, FIRST_MARK)
    assert state.outcome().scores == [4 + 3, 9, 1 + 1, 0]  # d3 lies in a bed of four, h8 in the one of nine
    assert state.observe(3).values[:4] == [4, 2, 2, 0]


def test_l30_the_spider_stands_on_a_clover_that_stays_and_is_no_target() -> None:
    state = begun(Position({"d3": [11], "h8": [22]}, options=ALL, spider="c5", hands=[[2, 6], *[[1, 1]] * 3]))
    move_spider(state, 2, FIRST_MARK)
    assert state.observe(0).taken[0] == 0
    back = GAME.load(state.dump() | {"current": 0})
    assert FIRST_MARK not in placements(back)
    assert "e3" in placements(back)


def test_l31_the_spider_moves_straight_by_exactly_the_dots_onto_any_space() -> None:
    state = begun(Position({"a1": [16], "o1": [26]}, options=SPIDER, spider="i1", hands=[[6, 1], *[[1, 1]] * 3]))
    moves = [(action.dots, space_name(action.space)) for action in choices(state) if isinstance(action, MoveSpider)]
    assert moves == [(1, "h1"), (1, "j1"), (1, "i2"), (6, "c1"), (6, "o1"), (6, "i7")]


def test_module_3_the_spider_moves_over_tiles_and_stacks() -> None:
    tiles = {"a1": [16], "i8": [21], "j8": [22, 32]}
    state = begun(Position(tiles, options=SPIDER, spider="h8", hands=[[4, 4], *[[1, 1]] * 3]))
    move_spider(state, 4, "l8")
    assert state.observe(0).spider == space_named("l8")
    assert stacks(state) == tiles


@pytest.mark.parametrize(
    ("stack", "rest"), [([21], []), ([21, 31], [21]), ([21, 31, 11], [21, 31])], ids=["single", "two", "three"]
)
def test_l32_only_the_top_tile_is_eaten(stack: list[int], rest: list[int]) -> None:
    state = begun(Position({"a1": [16], "l8": stack}, options=SPIDER, spider="h8", hands=[[4, 4], *[[1, 1]] * 3]))
    move_spider(state, 4, "l8")
    assert stacks(state).get("l8", []) == rest
    top = stack[-1]
    assert f"the spider ate a {top % 10} of seat {top // 10} on l8" in said(state)


def test_l32_what_lay_below_counts_and_starts_moves_again() -> None:
    tiles = {"a1": [16], "o1": [26], "l8": [22, 31]}
    state = begun(Position(tiles, options=SPIDER, spider="h8", hands=[[4, 4], *[[1, 1]] * 3], unused=[8, 0, 8, 8]))
    before = begun(Position(tiles, options=SPIDER, spider="h8", turn=2, unused=[8, 0, 8, 8]))
    assert "j8" not in placements(before)
    move_spider(state, 4, "l8")
    assert {"j8", "n8", "l6", "l10"} <= placements(state)


def test_l33_a_lone_start_tile_may_be_eaten_and_the_space_stays_its_owners() -> None:
    tiles = {"a1": [16], "o1": [26], "n1": [31]}
    state = begun(Position(tiles, options=SPIDER, spider="o5", hands=[[4, 4], *[[1, 2]] * 3]))
    move_spider(state, 4, "o1")
    assert "o1" not in stacks(state)
    assert placements(state, start=True) == set()  # the spider stands there (L34)
    later = GAME.load(state.dump() | {"spider": space_named("h8"), "current": 1})
    assert placements(later, start=True) == {"o1"}
    other = GAME.load(state.dump() | {"spider": space_named("h8"), "current": 2})
    assert "o1" not in placements(other)
    place(later, 2, "o1", start=True)
    assert stacks(later)["o1"] == [22]


def test_l34_no_rule_7_under_the_spider() -> None:
    state = begun(Position({"a1": [16]}, options=SPIDER, spider="a1"))
    assert placements(state, start=True) == set()


def test_l35_a_tile_under_the_spider_is_counted_from_and_counts() -> None:
    state = begun(Position({"d8": [11]}, options=SPIDER, spider="d8", unused=[0, 8, 8, 8]))
    assert placements(state) == {"c8", "e8", "d7", "d9"}
    hands = [[1, 2], [1], [1], [1]]
    last = begun(Position({"d8": [11], "h8": [26]}, options=SPIDER, spider="h8", hands=hands, ending=True))
    place(last, 1, "e8")
    assert last.outcome().scores == [0, 9, 0, 0]
    assert last.observe(0).spider == -1


def test_note_the_spiders_space_is_no_target() -> None:
    state = begun(Position({"h8": [12]}, options=SPIDER, spider="j8"))
    assert "j8" not in placements(state)
    assert "f8" in placements(state)


def test_l7_the_spider_does_not_block() -> None:
    state = begun(Position({"h8": [13]}, options=SPIDER, spider="j8"))
    assert "k8" in placements(state)


def test_l36_a_discarded_tile_is_seen_and_a_new_one_drawn() -> None:
    state = begun(Position({"a1": [16]}, options=SPIDER, spider="h8", hands=[[4, 5], *[[1, 1]] * 3]))
    before = state.observe(1)
    move_spider(state, 4, "h4")
    after = state.observe(1)
    assert len(after.unseen[0]) == len(before.unseen[0]) - 1
    assert before.unseen[0].count(4) - after.unseen[0].count(4) == 1
    assert after.drawn[0] == before.drawn[0] + 1
    assert len(state.observe(0).hand) == 2


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_l37_with_the_spider_nobody_is_ever_eliminated_and_22_turns_are_played(seats: int) -> None:
    for seed in range(40):
        state = played_out(GAME.setup(SPIDER, seats, seeded(seed)), seeded(seed))
        assert state.out == 0
        assert state.phase == PHASE_OVER
        plays = [text for text in said(state) if " placed " in text or " discarded " in text]
        assert len(plays) == 22 * seats


def test_l37_a_walled_in_seat_still_moves_the_spider() -> None:
    wall = {"a1": [11, 12, 13], "b1": [21, 31, 41], "a2": [22, 32, 42]}
    state = begun(Position(wall, options=SPIDER, spider="h8", unused=[0, 8, 8, 8]))
    assert choices(state)
    assert all(isinstance(action, MoveSpider) for action in choices(state))


def test_l38_with_two_seats_the_other_one_places_the_spider_before_tiles_are_drawn() -> None:
    for key in range(10):
        state = GAME.setup(SPIDER, 2, Rng(key))
        assert state.to_act() == (1 - state.first,)
        assert choices(state) == [SetSpider(space_named("h4")), SetSpider(space_named("h5"))]
        assert state.observe(0).drawn == [0, 0]
        assert all(state.board.beds[space] == 0 for space in state.board.spiders)


@pytest.mark.parametrize("seats", [3, 4])
def test_module_3_else_it_starts_in_the_middle_of_the_centre_bed(seats: int) -> None:
    state = played_setup(SPIDER, seats)
    assert state.observe(0).spider == space_named("h8")
    assert state.board.sizes[state.board.beds[space_named("h8")]] == 9
