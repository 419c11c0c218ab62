"""The set-up (L1-L4, L41), the length of a match (L17), and what is hidden (L39)."""

from collections import Counter

import pytest

from arena.engine.contract import IllegalAction
from arena.engine.rng import Rng, seeded
from arena.games.ladybugs.actions import Begin, ChooseStart, space_name, space_named
from arena.games.ladybugs.rules import GAME, LadybugsState
from tests.games.ladybugs.positions import ALL, BASE, CLOVER, TILES, Position, begun, choices, place, played_out, said


def deals(seats: int) -> list[LadybugsState]:
    return [GAME.setup(BASE, seats, Rng(key)) for key in range(400)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_l1_luck_chooses_the_start_player(seats: int) -> None:
    tally = Counter(state.first for state in deals(seats))
    assert set(tally) == set(range(seats))
    assert min(tally.values()) > 400 / seats / 2


def test_l2_four_seats_have_the_corners_clockwise() -> None:
    for state in deals(4)[:20]:
        assert [space_name(space) for space in state.starts] == ["a1", "o1", "o15", "a15"]


def test_l2_two_seats_have_opposite_corners() -> None:
    for state in deals(2)[:20]:
        assert [space_name(space) for space in state.starts] == ["a1", "o8"]


def test_l2_three_seats_choose_in_turn_and_the_last_is_forced() -> None:
    for state in deals(3)[:20]:
        assert state.to_act() == (state.first,)
        assert choices(state) == [ChooseStart(space_named(name)) for name in ("a1", "o1", "h15")]
        state.apply({state.first: GAME.code(ChooseStart(space_named("o1")))})
        second = (state.first + 1) % 3
        assert state.to_act() == (second,)
        assert choices(state) == [ChooseStart(space_named(name)) for name in ("a1", "h15")]
        state.apply({second: GAME.code(ChooseStart(space_named("h15")))})
        assert state.starts[(state.first + 2) % 3] == space_named("a1")
        assert state.to_act() == (0, 1, 2)


def test_l3_start_tiles_are_chosen_sealed_shown_together_and_then_all_draw() -> None:
    state = GAME.setup(BASE, 4, Rng(3))
    assert state.to_act() == (0, 1, 2, 3)
    hands = [state.observe(seat).hand for seat in range(4)]
    assert all(len(hand) == 2 for hand in hands)
    assert [GAME.action(code) for code in state.legal_actions(1)] == [Begin(dots) for dots in sorted(set(hands[1]))]
    before = state.dump()
    with pytest.raises(IllegalAction):
        state.apply({seat: GAME.code(Begin(hands[seat][0])) for seat in range(3)})
    assert state.dump() == before
    state.apply({seat: GAME.code(Begin(hands[seat][1])) for seat in range(4)})
    began = [f"seat {seat + 1} began with {hands[seat][1]} on {space_name(state.starts[seat])}" for seat in range(4)]
    assert said(state)[-8:-4] == began
    assert all(" drew " in text for text in said(state)[-4:])
    assert [state.observe(seat).drawn for seat in range(4)] == [[3] * 4] * 4
    assert state.to_act() == (state.first,)


def test_l3_two_equal_tiles_are_asked_about_since_nobody_else_knows() -> None:
    equal = [state for state in deals(4) if len(set(state.observe(0).hand)) == 1]
    assert len(equal) > 20
    assert all(len(state.legal_actions(0)) == 1 and 0 in state.to_act() for state in equal)


def test_l4_two_seats_play_on_any_two_of_the_four_squares() -> None:
    used = Counter(tuple(code >> 3 for code in state.board.laid) for state in deals(2))
    assert len(used) == 12
    four = Counter(tuple(code >> 3 for code in state.board.laid) for state in deals(4))
    assert all(sorted(order) == [0, 1, 2, 3] for order in four)
    assert len(four) == 24


def test_setup_1_any_face_and_any_orientation() -> None:
    seen = {code for state in deals(4) for code in state.board.laid}
    assert seen == set(range(32))


def test_l41_the_order_of_the_setup() -> None:
    state = GAME.setup(ALL, 2, Rng(5))
    state.apply({state.to_act()[0]: state.legal_actions(state.to_act()[0])[0]})
    kinds = [text.split(" ")[0] + " " + text.split(" ")[2] for text in said(state)]
    firsts = [kinds.index(kind) for kind in dict.fromkeys(kinds)]
    assert firsts == sorted(firsts)
    words = " ".join(said(state))
    order = ["is the start player", "is laid", "starts on", "the spider was put on", "drew"]
    assert [words.index(part) for part in order] == sorted(words.index(part) for part in order)


@pytest.mark.parametrize("variant", ["base", "lucky-clover", "action-tiles"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_l17_23_tiles_are_placed_and_one_remains(variant: str, seats: int) -> None:
    """The number is exact: 24 tiles, one start tile, 22 turns, one left over, unless a seat is eliminated."""
    whole = 0
    for seed in range(60):
        state = played_out(GAME.setup(GAME.variants()[variant], seats, seeded(seed)), seeded(seed))
        placed = Counter(seat for _, seat, _ in state.observe(0).tiles)
        for seat in range(seats):
            turns = sum(text.startswith(f"seat {seat + 1} placed") for text in said(state))
            assert placed[seat] == turns + 1
            if not state.out >> seat & 1:
                whole += 1
                assert placed[seat] == 23
                assert turns == 22
                assert len(state.observe(seat).hand) == 1
                assert state.observe(seat).supply[seat] == 0
    assert whole > 55 * seats  # eliminations hardly ever happen


def test_l17_after_the_last_draw_everybody_plays_once_more() -> None:
    hands = [[1, 2], [1, 2], [1, 2], [1, 2]]
    state = begun(Position({"d8": [11], "l8": [21], "d3": [31], "l12": [41]}, hands=hands, ending=True))
    place(state, 1, "e8")
    place(state, 1, "m8")
    assert state.to_act() == (2,)
    place(state, 1, "c3")
    place(state, 1, "m12")
    assert state.to_act() == ()
    assert [state.observe(seat).hand for seat in range(4)] == [[2]] * 4


def test_a_move_that_everybody_can_foresee_is_made_unasked() -> None:
    """Both of the last two tiles are known by counting; if they are alike and go to one space only, nobody is asked."""
    wall = {"a1": [11], "b1": [21, 31, 41], "a2": [22, 32, 42], "o15": [36], "a15": [46], "l8": [25]}
    hands = [[3, 3], [1, 2], [1], [1]]
    state = begun(Position(wall, hands=hands, ending=True, turn=2))
    place(state, 1, "l3")
    assert "seat 1 placed 3 on a1 as the one extra tile on the own start space" in said(state)
    assert state.to_act() == ()


def test_moves_that_everybody_can_foresee_follow_each_other_to_the_end() -> None:
    """Three tiles alike: the first goes to the one space that is open, the second onto it, the third remains."""
    wall = {"a1": [11], "b1": [21, 31, 41], "d2": [22, 32, 42], "a5": [23, 33, 43], "l8": [25]}
    position = Position(wall, hands=[[3, 3], [1, 2], [1], [1]], ending=True, turn=2, unused=[0, 8, 8, 8])
    data = begun(position).dump()
    shown = [1, 1, 1, 1, 2, 2, 2, 2, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6]
    data["draws"][0], data["drawn"][0] = [*shown, 3, 3, 3], 23  # type: ignore[index]
    state = GAME.load(data)
    place(state, 1, "l3")
    assert [text for text in said(state) if text.startswith("seat 1 placed")] == ["seat 1 placed 3 on a2"] * 2
    assert state.to_act() == ()
    assert state.observe(0).hand == [3]


def test_a_move_that_only_the_own_hand_forces_is_asked() -> None:
    wall = {"a1": [11], "b1": [21, 31, 41], "a2": [22, 32, 42], "o15": [36], "a15": [46], "l8": [25]}
    state = begun(Position(wall, hands=[[3, 3], [1, 2], [1, 1], [1, 1]], turn=4))
    place(state, 1, "a9")
    assert state.to_act() == (0,)
    assert len(state.legal_actions(0)) == 1


def test_l39_others_hands_and_all_supplies_are_unknown() -> None:
    """Seat 1 cannot tell apart two positions that differ in another hand and in the order of supplies."""
    tiles = {"h8": [12], "d8": [21, 31]}
    one = begun(Position(tiles, hands=[[1, 2], [3, 4], [1, 1], [1, 1]]))
    other = begun(Position(tiles, hands=[[1, 2], [5, 6], [1, 1], [1, 1]]))
    assert one.observe(0) == other.observe(0)
    assert one.observe(1) != other.observe(1)
    turned = one.dump()
    turned["draws"] = [[*tiles[:3], *reversed(tiles[3:])] for tiles in turned["draws"]]  # type: ignore[attr-defined]
    assert GAME.load(turned).observe(0) == one.observe(0)


def test_l39_stacks_flips_and_counts_are_public() -> None:
    state = begun(Position({"h8": [12], "d8": [21, 31]}, options=TILES, unused=[9, 15, 15, 3]))
    view = state.observe(2)
    assert view.tiles == [(space_named("d8"), 1, 1), (space_named("d8"), 2, 1), (space_named("h8"), 0, 2)]
    assert view.unused == [9, 15, 15, 3]
    assert view.supply == [21, 21, 21, 22]


def test_l39_what_another_drew_is_not_told() -> None:
    state = begun(Position({"h8": [12]}))
    place(state, 1, "h6")
    assert said(state, 1)[-1] == "seat 1 drew a tile"
    assert said(state, 0)[-1] == f"seat 1 drew {state.draws[0][3]}"


def test_l29_a_clover_in_the_box_stays_unknown_to_the_end() -> None:
    state = played_out(GAME.setup(CLOVER, 2, seeded(3)), seeded(3))
    view = state.observe(0)
    assert len(view.values) == 6
    assert all((value > 0) == (taker > 0) for value, taker in zip(view.values, view.taken, strict=True))
