"""The Wall powers and the Larva's special power: rulings B9-B24 and B42."""

import pytest

from arena.engine.contract import IllegalAction
from arena.games.bugs_on_rugs import rules_codes as codes
from arena.games.bugs_on_rugs.actions import (
    Done,
    Hang,
    Hatch,
    Lay,
    Offer,
    Pass,
    Show,
    ShowHand,
    Swap,
    Take,
)
from arena.games.bugs_on_rugs.rules import GAME, BugsOnRugsState
from arena.games.bugs_on_rugs.rules_views import Options
from tests.games.bugs_on_rugs.positions import Position, act, act_all, begun, bug, bugs, choices, hands, said


def last_pick(leftover: str, *held: str, wall: str = "", deck: str = "", **given: object) -> BugsOnRugsState:
    """Seat 1 is about to take a violet Ladybug, after which this bug is left over."""
    seats = len(held)
    position = Position(list(held), f"vLady {leftover}", wall, deck, turn=2 * seats - 1)
    for name, value in given.items():
        setattr(position, name, value)
    state = begun(position)
    act(state, position.start, Take(bug("vLady")))
    return state


# Hatching on one's turn


def test_larva_special_power_beside_every_pick() -> None:
    """B9 a: the same seat still owes the pick."""
    state = begun(Position(["rLar oLar gAnt", "rFly"], "rBee oBee gBee bBee vBee", "rLady gSpi"))
    hatches = [Hatch(bug("rLar"), bug("oLar"), place) for place in (0, 1)]
    assert choices(state, 0) == [*map(Take, bugs("rBee oBee gBee bBee vBee")), *hatches]
    act(state, 0, hatches[1])
    assert hands(state)[0] == "gAnt gSpider"
    assert state.wall == bugs("rLady")
    assert state.discards == bugs("rLar oLar")
    act(state, 0, Take(bug("rBee")))
    assert list(state.to_act()) == [1]


def test_b9_after_a_larva_is_picked_the_picker_is_asked_until_done() -> None:
    state = begun(Position(["rLar oLar gLar", "rFly"], "bLar oBee gBee bBee vBee", "rLady gSpi vAnt"))
    act(state, 0, Take(bug("bLar")))
    assert choices(state, 0)[0] == Done()
    assert len(choices(state, 0)) == 1 + 6 * 3
    act(state, 0, Hatch(bug("rLar"), bug("bLar"), 0))
    assert choices(state, 0) == [Done(), Hatch(bug("oLar"), bug("gLar"), 0), Hatch(bug("oLar"), bug("gLar"), 1)]
    act(state, 0, Done())
    assert list(state.to_act()) == [1]


def test_b9_a_seat_without_a_second_larva_is_asked_too() -> None:
    """The question follows from the pick, which all saw; it tells nothing of the hand."""
    state = begun(Position(["rAnt", "rFly"], "bLar oBee gBee bBee vBee", "rLady"))
    act(state, 0, Take(bug("bLar")))
    assert choices(state, 0) == [Done()]


def test_b9_not_asked_when_the_wall_is_empty() -> None:
    state = begun(Position(["rLar oLar", "rFly"], "bLar oBee gBee bBee vBee"))
    assert choices(state, 0) == [*map(Take, bugs("bLar oBee gBee bBee vBee"))]  # B10: impossible
    act(state, 0, Take(bug("bLar")))
    assert list(state.to_act()) == [1]


def test_b9_the_last_wall_bug_ends_the_hatching() -> None:
    state = begun(Position(["rLar oLar gLar", "rFly"], "bLar oBee gBee bBee vBee", "rLady"))
    act(state, 0, Take(bug("bLar")))
    act(state, 0, Hatch(bug("rLar"), bug("oLar"), 0))
    assert list(state.to_act()) == [1]


@pytest.mark.parametrize("leftover", ["rFire", "rSpi", "rFly", "rBee", "Mosq"])
def test_b9_no_hatching_during_wall_powers(leftover: str) -> None:
    state = last_pick(leftover, "rLar oLar", "gLar bLar", wall="rLady")
    for seat in state.to_act():
        assert not [action for action in choices(state, seat) if isinstance(action, Hatch)]


def test_b10_the_bug_taken_may_be_a_larva_and_triggers_nothing() -> None:
    state = begun(Position(["rLar oLar", "rFly"], "rBee oBee gBee bBee vBee", "vLar gFly"))
    act(state, 0, Hatch(bug("rLar"), bug("oLar"), 0))
    assert hands(state)[0] == "vLarva"
    assert state.wall == bugs("gFly")  # B7: the gap closes
    assert list(state.to_act()) == [0]


def test_b42_the_player_chooses_which_larva() -> None:
    state = begun(Position(["rLar rLar oLar", "rFly"], "rBee oBee gBee bBee vBee", "gFly"))
    wanted = [Hatch(bug("rLar"), bug("rLar"), 0), Hatch(bug("rLar"), bug("oLar"), 0)]
    assert choices(state, 0)[5:] == wanted
    act(state, 0, wanted[1])
    assert said(state, 1)[:3] == [
        "seat 1 hatched red Larva",
        "seat 1 hatched orange Larva",
        "seat 1 took green Fly from the Wall",
    ]


# Butterfly


def test_butterfly_the_start_player_shows_a_bug_and_keeps_it() -> None:
    state = last_pick("rBut", "rAnt oFly oFly gBut", "rSpi", wall="bBee")
    assert choices(state, 0) == [*map(Show, bugs("rAnt oFly vLady"))]
    act(state, 0, Show(bug("oFly")))
    assert said(state, 1)[-1] == "seat 1 showed orange Fly"
    assert bug("oFly") in state.hands[0]
    assert state.phase == codes.PHASE_PASS_RIGHT


def test_butterfly_asks_whoever_starts() -> None:
    state = last_pick("rBut", "rAnt", "rSpi", "gSpi", wall="bBee", start=2)
    assert list(state.to_act()) == [2]


def test_b11_nothing_but_butterflies_is_shown_and_nothing_happens() -> None:
    state = begun(Position(["gBut oBut", "rSpi"], "vBut rBut", "bBee", turn=3))
    act(state, 0, Take(bug("vBut")))
    assert choices(state, 0) == [ShowHand()]
    act(state, 0, ShowHand())
    shown = [one for one in said(state, 1) if "proved" in one]
    assert shown == [f"seat 1 proved the hand with {rug} Butterfly" for rug in ("orange", "green", "violet")]
    assert state.round == 2


def test_b11_a_butterfly_asks_again_in_the_same_chain() -> None:
    state = last_pick("rBut", "rAnt", "rSpi", wall="bBee", deck="oBut")
    act(state, 0, Show(bug("rAnt")))
    assert state.wall == bugs("bBee rBut oBut")
    assert choices(state, 0) == [*map(Show, bugs("rAnt vLady"))]


def test_b12_a_shown_larva_does_nothing() -> None:
    state = last_pick("rBut", "rLar", "rSpi", wall="oLar gLar")
    act(state, 0, Show(bug("rLar")))
    assert state.round == 2
    assert state.wall == bugs("oLar gLar rBut")


def test_b13_a_shown_ant_draws_and_activates() -> None:
    state = last_pick("rBut", "rAnt", "rSpi", wall="bBee", deck="oBee")
    act(state, 0, Show(bug("rAnt")))
    assert state.wall == bugs("bBee rBut oBee")
    assert state.phase == codes.PHASE_PASS_LEFT


# Firefly


def test_firefly_b14_the_bugs_begin_the_next_floor() -> None:
    state = last_pick("rFire", "rAnt", "rSpi", "oSpi", wall="bBee", start=0)
    act(state, 0, Lay(bug("rAnt")))
    act(state, 1, Lay(bug("rSpi")))
    assert said(state, 2)[-1] == "seat 2 placed red Spider on the Floor"
    act(state, 2, Lay(bug("oSpi")))
    assert state.floor[:3] == bugs("rAnt rSpi oSpi")
    assert len(state.floor) == 7
    assert [one for one in said(state) if "Floor gets" in one] == said(state)[-4:]


@pytest.mark.parametrize("final_firefly", [True, False])
def test_b15_the_firefly_of_the_final_round(final_firefly: bool) -> None:  # noqa: FBT001 - a case
    options = Options(final_firefly=final_firefly)
    state = last_pick("rFire", "rAnt", "rSpi", wall="bBee", last_round=1, options=options)
    if final_firefly:
        act(state, 0, Lay(bug("rAnt")))
        act(state, 1, Lay(bug("rSpi")))
        assert said(state)[-2:] == ["red Ant is lost with the Floor", "red Spider is lost with the Floor"]
        assert state.discards == bugs("rAnt rSpi")
    else:
        assert state.discards == []
        assert hands(state) == ["rAnt vLady", "rSpider"]
    assert state.floor == []
    assert state.phase == codes.PHASE_GROUP


def test_b15_the_switch_matters_in_the_final_round_only() -> None:
    state = last_pick("rFire", "rAnt", "rSpi", wall="bBee", options=Options(final_firefly=False))
    assert state.phase == codes.PHASE_LAY


# Larva and Ant on the Wall


def test_larva_one_on_the_wall_does_nothing() -> None:
    state = last_pick("rLar", "rAnt", "rSpi", wall="bBee")
    assert state.round == 2
    assert state.wall == bugs("bBee rLar")


def test_b16_two_or_more_larva_all_leave_for_a_new_bug() -> None:
    state = last_pick("rLar", "rAnt", "rSpi", wall="oLar bBee gLar", deck="oFly")
    assert state.wall == bugs("bBee oFly")
    assert state.discards == bugs("rLar oLar gLar")
    assert state.phase == codes.PHASE_PASS_RIGHT


@pytest.mark.parametrize("leftover", ["oAnt", "rLar"])
def test_b17_a_larva_that_arrives_otherwise_does_nothing(leftover: str) -> None:
    state = last_pick(leftover, "rAnt", "rSpi", wall="oLar bBee gLar" if leftover == "oAnt" else "oLar", deck="bLar")
    assert bug("bLar") in state.wall
    assert state.round == 2


def test_b18_ants_chain_until_another_bug() -> None:
    state = last_pick("oAnt", "rAnt", "rSpi", wall="bBee", deck="gAnt bAnt rFire")
    assert state.wall == bugs("bBee oAnt gAnt bAnt rFire")
    assert state.phase == codes.PHASE_LAY


# Spider


def test_spider_b19_place_at_the_end_then_take_the_first() -> None:
    state = last_pick("rSpi", "rAnt", "oAnt", wall="bBee gFly")
    assert choices(state, 0) == [*map(Hang, bugs("rAnt vLady"))]
    act(state, 0, Hang(bug("rAnt")))
    assert hands(state)[0] == "bBeetle vLady"
    assert state.wall == bugs("gFly rSpi rAnt")
    act(state, 1, Hang(bug("oAnt")))
    assert hands(state)[1] == "gFly"
    assert state.wall == bugs("rSpi rAnt oAnt")
    assert state.round == 2  # no power is activated


def test_b19_on_a_short_wall_later_players_get_earlier_bugs() -> None:
    state = last_pick("rSpi", "rAnt", "oAnt", "gAnt")
    for seat, word in enumerate(("rAnt", "oAnt", "gAnt")):
        act(state, seat, Hang(bug(word)))
    assert hands(state) == ["rSpider vLady", "rAnt", "oAnt"]
    assert state.wall == bugs("gAnt")


# Fly and Beetle


@pytest.mark.parametrize(
    ("leftover", "wanted"),
    [
        pytest.param("rFly", ["oAnt vLady", "gAnt", "rAnt"], id="Fly to the right"),
        pytest.param("rBee", ["gAnt vLady", "rAnt", "oAnt"], id="Beetle to the left"),
    ],
)
def test_b20_all_pass_at_the_same_time(leftover: str, wanted: list[str]) -> None:
    state = last_pick(leftover, "rAnt", "oAnt", "gAnt", wall="bBee")
    assert list(state.to_act()) == [0, 1, 2]
    act_all(state, *map(Pass, bugs("rAnt oAnt gAnt")))
    assert hands(state) == wanted


def test_b20_only_giver_and_receiver_see_the_bug() -> None:
    state = last_pick("rBee", "rAnt", "oAnt", "gAnt", wall="bBee")
    act_all(state, *map(Pass, bugs("rAnt oAnt gAnt")))
    heard = [[one for one in said(state, seat) if "passed" in one] for seat in range(3)]
    assert [lines[0] for lines in heard] == ["seat 1 passed red Ant to the left"] * 2 + [
        "seat 1 passed a bug to the left"
    ]
    assert heard[0][1] == "seat 2 passed a bug to the left"
    assert heard[0][2] == "seat 3 passed green Ant to the left"


def test_b20_a_bug_just_received_cannot_be_passed() -> None:
    state = last_pick("rBee", "rAnt", "oAnt", wall="bBee")
    with pytest.raises(IllegalAction):
        act_all(state, Pass(bug("rAnt")), Pass(bug("rAnt")))


# Ladybug


def test_b21_ladybug_everybody_draws_in_turn_order() -> None:
    state = last_pick("rLady", "rAnt", "oAnt", "gAnt", wall="bBee", deck="gFly bFly vFly", start=1)
    assert hands(state) == ["rAnt vFly", "oAnt gFly vLady", "gAnt bFly"]
    assert state.round == 2


# Mosquito


def test_b22_the_bug_takes_the_place_of_the_wall_bug() -> None:
    state = last_pick("Mosq", "rAnt", "rFly", wall="bBee gFly oBee")
    assert choices(state, 0) == [*map(Offer, bugs("rAnt vLady"))]
    act(state, 0, Offer(bug("rAnt")))
    assert choices(state, 0) == [Swap(0), Swap(1), Swap(2), Swap(3)]  # the Mosquito just placed may be taken
    act(state, 0, Swap(1))
    assert state.wall == bugs("bBee rAnt oBee Mosq")
    assert hands(state)[0] == "gFly vLady"
    assert list(state.to_act()) == [1]


def test_b22_types_must_differ() -> None:
    state = last_pick("Mosq", "rFly", "rAnt", wall="bFly gFly")
    act(state, 0, Offer(bug("rFly")))
    assert hands(state)[0] == "vLady Mosq"  # the only place where it may go, as all can see
    assert state.wall == bugs("bFly gFly rFly")


def test_b22_a_bug_without_another_type_on_the_wall_is_no_choice() -> None:
    state = begun(Position(["Mosq rAnt", "oAnt"], wall="Mosq Mosq", phase="offer"))
    assert choices(state, 0) == [Offer(bug("rAnt"))]


def test_b23_impossible_the_hand_is_shown_and_equal_types_swap() -> None:
    state = begun(Position(["rBee oBee", "oAnt"], wall="gBee bBee", phase="offer"))
    assert choices(state, 0) == [*map(Offer, bugs("rBee oBee"))]
    act(state, 0, Offer(bug("oBee")))
    assert said(state, 1) == [
        "seat 1 proved the hand with red Beetle",
        "seat 1 proved the hand with orange Beetle",
        "seat 1 chose orange Beetle to swap",
    ]
    act(state, 0, Swap(1))
    assert hands(state)[0] == "rBeetle bBeetle"
    assert state.wall == bugs("gBee oBee")


# Empty hands


@pytest.mark.parametrize("phase", ["lay", "hang", "offer"])
def test_b24_a_seat_without_a_bug_is_skipped(phase: str) -> None:
    state = begun(Position(["rAnt", "", "gAnt"], wall="gBee bBee", phase=phase))
    state.apply({0: state.legal_actions(0)[0]})
    if phase == "offer":
        act(state, 0, Swap(0))
    assert list(state.to_act()) == [2]


@pytest.mark.parametrize("leftover", ["rFire", "rSpi", "Mosq"])
def test_b24_also_the_last_seat_is_skipped(leftover: str) -> None:
    state = begun(Position(["", "rAnt", "gAnt"], f"vLady {leftover}", "bBee gBee", start=1, turn=5))
    act(state, 1, Take(bug("vLady")))
    for seat in (1, 2):
        assert list(state.to_act()) == [seat]
        while list(state.to_act()) == [seat] and state.round == 1:
            act(state, seat, choices(state, seat)[0])
    assert state.round == 2  # seat 1, without a bug, was not asked


def test_b24_a_seat_without_a_bug_passes_nothing() -> None:
    state = begun(Position(["rAnt", "", "gAnt"], wall="gBee bBee", phase="pass left"))
    assert list(state.to_act()) == [0, 2]
    state.apply({0: GAME.code(Pass(bug("rAnt"))), 2: GAME.code(Pass(bug("gAnt")))})
    assert hands(state) == ["gAnt", "rAnt", ""]
