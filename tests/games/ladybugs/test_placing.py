"""Where a tile may be placed: the rules 1 to 7 of the rulebook, and the rulings L5-L16 and L42-L45."""

import pytest

from arena.engine.contract import IllegalAction
from arena.games.ladybugs.actions import Place, Resign, space_named
from arena.games.ladybugs.rules import GAME
from tests.games.ladybugs.positions import (
    BASE,
    RESIGN,
    TILES,
    Position,
    act,
    begun,
    choices,
    place,
    placements,
    said,
    stacks,
)

# Seat 1 is walled in: its only tile is its start tile, a one, and both neighbours hold stacks of three.
WALL = {"a1": [11], "b1": [21, 31, 41], "a2": [22, 32, 42], "o1": [26], "o15": [36], "a15": [46]}


def test_rule_1_any_own_tile_may_be_counted_from() -> None:
    state = begun(Position({"a1": [13], "h8": [12], "c12": [11]}))
    assert placements(state) == {"d1", "a4", "f8", "j8", "h6", "h10", "b12", "d12", "c11", "c13"}


def test_rule_1_the_tile_to_place_is_chosen_from_the_hand() -> None:
    state = begun(Position({"h8": [12]}, hands=[[3, 6], [1, 1], [1, 1], [1, 1]], unused=[0, 8, 8, 8]))
    targets = ["h6", "f8", "j8", "h10"]
    assert choices(state) == [Place(dots, space_named(name)) for dots in (3, 6) for name in targets]


def test_l42_equal_tiles_in_hand_give_one_action() -> None:
    state = begun(Position({"h8": [12]}, hands=[[3, 3], [1, 1], [1, 1], [1, 1]], unused=[0, 8, 8, 8]))
    assert choices(state) == [Place(3, space_named(name)) for name in ("h6", "f8", "j8", "h10")]


def test_l42_a_space_that_two_tiles_reach_is_one_action() -> None:
    state = begun(Position({"f8": [12], "k8": [13]}, unused=[0, 8, 8, 8]))
    assert [action.space for action in choices(state) if isinstance(action, Place)].count(space_named("h8")) == 2
    assert len(set(choices(state))) == len(choices(state))


def test_rule_2_not_diagonally() -> None:
    state = begun(Position({"h8": [11]}, unused=[0, 8, 8, 8]))
    assert placements(state) == {"g8", "i8", "h7", "h9"}


@pytest.mark.parametrize("tile", [11, 21])
def test_rule_3_own_and_other_tiles_block_the_path(tile: int) -> None:
    state = begun(Position({"h8": [14], "j8": [tile, 33]}, unused=[0, 8, 8, 8]))
    assert "l8" not in placements(state)
    assert {"d8", "h4", "h12"} <= placements(state)


def test_l7_only_what_lies_strictly_between_blocks() -> None:
    state = begun(Position({"h8": [14], "l8": [21], "g8": [31]}, unused=[0, 8, 8, 8]))
    assert placements(state) == {"l8", "h4", "h12"}


def test_l7_empty_start_spaces_do_not_block() -> None:
    state = begun(Position({"f15": [14]}, seats=3, hands=[[1, 2]] * 3, unused=[0, 8, 8]))  # h15 is the start of seat 3
    assert "j15" in placements(state)


def test_l8_targets_are_on_the_board() -> None:
    state = begun(Position({"b2": [15]}, unused=[0, 8, 8, 8]))
    assert placements(state) == {"g2", "b7"}
    state = begun(Position({"m6": [16]}, seats=2, hands=[[1, 2]] * 2, unused=[0, 8]))
    assert placements(state) == {"g6"}


@pytest.mark.parametrize("tile", [13, 23])
def test_rule_4_l9_a_single_tile_may_be_covered_own_or_not(tile: int) -> None:
    state = begun(Position({"h8": [12], "j8": [tile]}))
    place(state, 1, "j8")
    assert stacks(state)["j8"] == [tile, 11]
    assert state.observe(0).stacks[space_named("j8")] & 31 == 1


def test_rule_4_l6_only_the_top_tile_counts() -> None:
    state = begun(Position({"h8": [12, 21], "c12": [22, 11]}, unused=[0, 8, 8, 8]))
    assert placements(state) == {"b12", "d12", "c11", "c13"}


def test_rule_5_no_third_tile_on_two() -> None:
    state = begun(Position({"h8": [12], "j8": [21, 31]}, unused=[0, 8, 8, 8]))
    assert placements(state) == {"f8", "h6", "h10"}


@pytest.mark.parametrize("tiles", [[], [26], [26, 25]])
def test_rule_6_l10_another_start_space_is_no_target_whatever_lies_there(tiles: list[int]) -> None:
    lying = {"o1": tiles} if tiles else {}
    state = begun(Position({"l1": [13], **lying}, options=TILES, unused=[7, 15, 15, 15]))
    assert not any(action.space == space_named("o1") for action in choices(state) if isinstance(action, Place))
    assert "i1" in placements(state)


def test_l10_the_start_space_of_an_eliminated_seat_stays_barred() -> None:
    data = begun(Position({"l1": [13]}, unused=[0, 8, 8, 8])).dump()
    assert "o1" not in placements(GAME.load(data | {"out": [1]}))


def test_l11_counting_to_the_own_start_tile_leaves_rule_7() -> None:
    state = begun(Position({"a1": [16], "c1": [12]}))
    assert "a1" in placements(state)
    assert "a1" not in placements(state, start=True)
    place(state, 1, "a1")
    assert stacks(state)["a1"] == [16, 11]
    assert state.observe(0).unused[0] == 8


@pytest.mark.parametrize(("tiles", "offered"), [([], True), ([16], True), ([16, 15], False), ([16, 15, 14], False)])
def test_rule_7_l12_voluntarily_onto_one_tile_at_most(tiles: list[int], offered: bool) -> None:  # noqa: FBT001 - a case
    lying = {"a1": tiles} if tiles else {}
    state = begun(Position({"h8": [12], **lying}))
    assert (placements(state, start=True) == {"a1"}) == offered


def test_rule_7_just_once() -> None:
    state = begun(Position({"h8": [12], "a1": [16]}))
    place(state, 2, "a1", start=True)
    assert stacks(state)["a1"] == [16, 12]
    assert state.observe(0).unused[0] == 0
    again = begun(Position({"h8": [12], "a1": [16]}, unused=[0, 8, 8, 8]))
    assert placements(again, start=True) == set()


def test_l13_without_a_placement_rule_7_is_all_there_is() -> None:
    state = begun(Position(WALL))
    assert choices(state) == [Place(dots, 0, start=True) for dots in (1, 2)]


def test_l12_then_even_onto_two_tiles_but_never_onto_three() -> None:
    two = begun(Position(WALL | {"a1": [12, 11]}))
    assert choices(two) == [Place(dots, 0, start=True) for dots in (1, 2)]
    place(two, 2, "a1", start=True)
    assert stacks(two)["a1"] == [12, 11, 12]
    three = Position(WALL | {"a1": [12, 12, 11], "c15": [31]}, turn=4)
    state = begun(three)
    place(state, 1, "a9")  # seat 4 counts on from its start; then seat 1 cannot play
    assert said(state)[-1] == "seat 1 cannot play and is eliminated"
    assert state.to_act() == (1,)


def test_l12_l13_not_onto_two_while_an_action_tile_helps() -> None:
    state = begun(Position(WALL | {"a1": [12, 11]}, options=TILES))
    assert placements(state, start=True) == set()
    assert placements(state, grasshopper=True, rhinoceros=True) == {"c1", "a3"}


def test_l14_nobody_may_pass() -> None:
    state = begun(Position({"h8": [12]}))
    assert all(isinstance(action, Place) for action in choices(state))
    with pytest.raises(IllegalAction):
        state.apply({0: 0})


def eliminated() -> Position:
    """Seat 4 is to play, and seat 1 after it is walled in without rule 7."""
    return Position(WALL | {"a1": [11]}, turn=4, unused=[0, 8, 8, 8])


def test_l15_who_cannot_play_is_out_for_good() -> None:
    state = begun(eliminated())
    place(state, 1, "a9")
    assert said(state)[-1] == "seat 1 cannot play and is eliminated"
    for name in ("o7", "o9", "a10"):
        place(state, 1, name)
    assert state.to_act() == (1,)  # seat 1 is passed over without a word
    assert said(state).count("seat 1 cannot play and is eliminated") == 1
    assert state.observe(1).out == 1


def test_l15_tiles_of_an_eliminated_seat_stay_block_may_be_covered_and_count() -> None:
    position = Position({"h8": [12], "f8": [22], "h4": [24], "d12": [31]}, hands=[[1, 2], [1, 2], [1], [1]], turn=2)
    position.ending, position.unused = True, [8, 0, 8, 8]
    state = GAME.load(begun(position).dump() | {"out": [0]})
    assert "h8" in placements(state)
    assert "h6" not in placements(state)
    assert state.observe(0).hand == [1, 2]
    place(state, 1, "d8")
    assert state.outcome().scores[0] == 9
    assert state.outcome().remarks == ["Seat 1 was eliminated before the end."]


def test_l15_points_of_modules_still_count_for_an_eliminated_seat() -> None:
    position = Position({"d8": [21]}, hands=[[1, 2], [1, 2], [1], [1]], turn=2, options=TILES, ending=True)
    state = GAME.load(begun(position).dump() | {"out": [0]})
    place(state, 1, "e8")
    assert state.outcome().scores == [3, 3, 3, 3]


def test_l44_elimination_is_tested_at_the_start_of_the_own_turn() -> None:
    """Seat 1 is walled in while others play, but its turn finds a way out: nothing happens to it."""
    blocked = {**WALL, "b1": [21, 31]}
    state = begun(Position(blocked, options=TILES, turn=4, unused=[4, 15, 15, 15]))
    place(state, 1, "a9")
    assert state.to_act() == (0,)
    assert placements(state, stag=True) == {"b1"}


def test_l44_one_seat_alone_plays_on() -> None:
    hands = [[1, 2], [3], [3], [3]]
    state = begun(Position({"h8": [12]}, hands=hands))
    place(state, 1, "h6")
    assert state.to_act() == (0,)


def test_l16_action_tiles_must_be_burnt_to_stay_in_the_game() -> None:
    state = begun(Position({**WALL, "b1": [21, 31]}, options=TILES, unused=[4, 15, 15, 15]))
    assert choices(state) == [Place(dots, space_named("b1"), stag=True) for dots in (1, 2)]


def test_l45_with_the_switch_on_one_may_resign_instead() -> None:
    position = Position({**WALL, "b1": [21, 31]}, options=RESIGN, unused=[4, 15, 15, 15])
    state = begun(position)
    assert choices(state) == [*(Place(dots, space_named("b1"), stag=True) for dots in (1, 2)), Resign()]
    act(state, Resign())
    assert said(state)[-1] == "seat 1 resigned"
    assert state.observe(0).out == 1
    assert state.to_act() == (1,)


@pytest.mark.parametrize("more", [{"h8": [11]}, {}])
def test_l45_no_resigning_while_a_plain_action_is_there(more: dict[str, list[int]]) -> None:
    unused = [4, 15, 15, 15] if more else [12, 15, 15, 15]
    state = begun(Position({**WALL, "b1": [21, 31], **more}, options=RESIGN, unused=unused))
    assert Resign() not in choices(state)


@pytest.mark.parametrize(
    ("tiles", "offers"),
    [
        pytest.param({"h8": [13]}, [set()], id="plain counting alone"),
        pytest.param({"h8": [13], "j8": [21]}, [{"grasshopper"}], id="over a tile"),
        pytest.param({"h8": [12]}, [{"rhinoceros"}], id="one further"),
        pytest.param({"h8": [14]}, [{"rhinoceros"}], id="one nearer"),
        pytest.param({"h8": [14], "j8": [21]}, [{"grasshopper", "rhinoceros"}], id="both"),
        pytest.param({"h8": [13], "k8": [21, 31]}, [{"stag"}], id="onto two"),
        pytest.param({"h8": [14], "j8": [22], "k8": [21, 31]}, [{"grasshopper", "rhinoceros", "stag"}], id="all (L22)"),
        pytest.param(
            {"h8": [13], "j8": [21], "k6": [13]}, [{"grasshopper"}, {"rhinoceros"}], id="several minimal sets (L43)"
        ),
        pytest.param({"h8": [13], "j8": [21], "k5": [13]}, [set()], id="another tile needs nothing (L43)"),
        pytest.param(
            {"h8": [14], "j8": [21], "k6": [13]}, [{"rhinoceros"}], id="a smaller set beats a larger one (L43)"
        ),
        pytest.param({"h8": [13], "k8": [21, 31, 41]}, [], id="never onto three (L23)"),
    ],
)
def test_l26_l43_exactly_the_needed_means_are_offered(tiles: dict[str, list[int]], offers: list[set[str]]) -> None:
    state = begun(Position(tiles, options=TILES, hands=[[6, 6], [1, 1], [1, 1], [1, 1]]))
    found = [action for action in choices(state) if isinstance(action, Place) and action.space == space_named("k8")]
    names = ("grasshopper", "rhinoceros", "stag", "start")
    used = [{name for name in names if getattr(action, name)} for action in found]
    assert sorted(used, key=sorted) == sorted(offers, key=sorted)
    base, taken = GAME.code(Place(6, space_named("k8"))), []
    for uses in range(16):
        try:
            state.clone().apply({0: base | uses})
        except IllegalAction:
            continue
        taken.append(base | uses)
    assert taken == sorted(GAME.code(action) for action in found)


def test_l43_rule_7_stands_beside_action_tiles_but_not_beside_plain_counting() -> None:
    jump = begun(Position({"a1": [16], "d1": [13], "b1": [21]}, options=TILES))
    assert "a1" in placements(jump, start=True)
    assert "a1" in placements(jump, grasshopper=True)
    plain = begun(Position({"a1": [16], "d1": [13]}, options=TILES))
    assert "a1" not in placements(plain, start=True)


def test_without_the_module_there_are_no_action_tiles() -> None:
    state = begun(Position({"h8": [13], "j8": [21]}, options=BASE))
    assert state.observe(0).unused == [8, 8, 8, 8]
    assert placements(state, grasshopper=True) == set()
