"""The rulings B30-B40, B45, B46 and B48 on grouping and scoring, and the rulebook's example."""

import pytest

from arena.games.bugs_on_rugs.actions import Break, Copy, Keep, Take
from arena.games.bugs_on_rugs.rules_codes import ANT, BUTTERFLY, FLY, LARVA, SPIDER
from arena.games.bugs_on_rugs.rules_views import Options
from tests.games.bugs_on_rugs.positions import (
    BREAKING,
    Position,
    act,
    act_all,
    begun,
    bug,
    choices,
    group,
    said,
    scored,
    sheets,
)

NO_TYPE = Options(mosquito_is_type=False)
NOTHING = "vLar"  # a hand that scores nothing


def points(hand: str, pairs: int = 0, options: Options = Options()) -> dict[str, int]:  # noqa: B008 - never changed
    """What one hand scores beside one that does not matter."""
    _, (own, _) = scored([hand, NOTHING], [pairs, 0], options)
    return own


def test_the_rulebooks_example_of_a_collection() -> None:
    """Game End: 3 Fireflies, 4 Ants (the pair of Mosquitos is one), 1 Spider, 2 Flies, 3 Beetles."""
    hand = "rFire oFire gFire rAnt rAnt bAnt Mosq Mosq rSpi rFly oFly rBee oBee gBee"
    own = points(hand, group(Ant=1))
    assert own == {"Firefly": 3 * 4, "Ant": 4 * 5, "Spider": 7, "Fly": 2, "Beetle": 6}


BUTTERFLIES = [
    pytest.param("rBut", 0, 1, id="a single Butterfly is a type itself"),
    pytest.param("rBut oBut", 0, 0, id="two Butterflies are none"),
    pytest.param("rBut oBut rAnt rFly", 0, 4, id="each counts every single type"),
    pytest.param("rBut rAnt oAnt rFly", 0, 2, id="two Ants are no single"),
    pytest.param("rBut Mosq", 0, 2, id="B32 one Mosquito is a type"),
    pytest.param("rBut Mosq Mosq", 0, 1, id="B32 two Mosquitos are not"),
    pytest.param("rBut rAnt Mosq Mosq Mosq", group(Ant=1), 2, id="B32 one left beside a pair; B33 the pair is an Ant"),
    pytest.param("rBut Mosq Mosq", group(Butterfly=1), 0, id="B33 a pair counts as a Butterfly"),
    pytest.param("rBut rLar Mosq", 0, 3, id="B32 hatching comes later"),
    pytest.param("rBut rSpi rFly", 0, 3, id="B33 nothing has been eaten yet"),
]


@pytest.mark.parametrize(("hand", "pairs", "wanted"), BUTTERFLIES)
def test_butterflies(hand: str, pairs: int, wanted: int) -> None:
    assert points(hand, pairs).get("Butterfly", 0) == wanted


def test_b32_the_switch_leaves_mosquitos_out() -> None:
    assert points("rBut rAnt Mosq", options=NO_TYPE)["Butterfly"] == 2


FIREFLIES = [
    pytest.param("rFire rFire", 0, 2, id="one rug"),
    pytest.param("rFire oAnt gFly bBee vLady", 0, 5, id="all rugs, across all cards"),
    pytest.param("rFire Mosq", 0, 1, id="B34 Mosquitos have no rug"),
    pytest.param("rFire oAnt Mosq Mosq", group(Firefly=1), 4, id="a pair is a Firefly, without a rug"),
    pytest.param("rFire oLar Mosq gSpi bFly", 0, 4, id="B34 before anything is discarded"),
]


@pytest.mark.parametrize(("hand", "pairs", "wanted"), FIREFLIES)
def test_fireflies(hand: str, pairs: int, wanted: int) -> None:
    assert points(hand, pairs)["Firefly"] == wanted


LARVA_CASES = [
    pytest.param("rLar", 0, 0, id="unhatched"),
    pytest.param("rLar Mosq", 0, 3, id="one hatched"),
    pytest.param("rLar oLar Mosq", 0, 3, id="B35 as many as there are Mosquitos"),
    pytest.param("rLar Mosq Mosq", 0, 3, id="B35 as many as there are Larva"),
    pytest.param("rLar oLar Mosq Mosq Mosq", group(Larva=1), 3, id="B30 a pair may copy Larva; B31 the rest hatches"),
    pytest.param("rLar oLar rAnt Mosq Mosq", group(Ant=1), 0, id="B31 what is paired does not hatch"),
]


@pytest.mark.parametrize(("hand", "pairs", "wanted"), LARVA_CASES)
def test_larva(hand: str, pairs: int, wanted: int) -> None:
    assert points(hand, pairs).get("Larva", 0) == wanted


ANTS = [
    pytest.param([3, 2, 1, 1], [15, 6, 1, 1], id="5, 3 and 1 for each"),
    pytest.param([2, 2, 1, 0], [10, 10, 3, 0], id="B37 a tie for most leaves second place"),
    pytest.param([3, 2, 2, 1], [15, 6, 6, 1], id="B37 a tie for second"),
    pytest.param([2, 2, 2, 2], [10, 10, 10, 10], id="B37 all tie for most"),
    pytest.param([1, 0, 0, 0], [5, 0, 0, 0], id="the only one"),
]


@pytest.mark.parametrize(("ants", "wanted"), ANTS)
def test_ants(ants: list[int], wanted: list[int]) -> None:
    words = ["rAnt", "rAnt", "oAnt", "oAnt", "gAnt", "gAnt", "bAnt", "bAnt", "vAnt", "vAnt"]
    hands = ["rFire", "oFire", "gFire", "bFire"]
    for seat, number in enumerate(ants):
        hands[seat] = " ".join([hands[seat], *words[:number]])
        del words[:number]
    _, rows = scored(hands)
    assert [row.get("Ant", 0) for row in rows] == wanted


def test_ants_count_pairs() -> None:
    _, rows = scored(["rAnt oAnt", "gAnt Mosq Mosq Mosq Mosq"], [0, group(Ant=2)])
    assert [row["Ant"] for row in rows] == [6, 15]


HANDS = [
    pytest.param("rSpi", 0, {}, id="an unfed Spider"),
    pytest.param("rSpi rFly", 0, {"Spider": 7}, id="fed"),
    pytest.param("rSpi oSpi rFly", 0, {"Spider": 7}, id="B35 one Fly feeds one"),
    pytest.param("rSpi rFly oFly rFly", 0, {"Spider": 7, "Fly": 4}, id="leftover Flies are 2 each"),
    pytest.param("rSpi oSpi rFly Mosq Mosq", group(Fly=1), {"Spider": 14}, id="B36 a pair may be eaten as a Fly"),
    pytest.param("rSpi rFly oFly Mosq Mosq", group(Spider=1), {"Spider": 14}, id="B30 a pair may be a Spider"),
    pytest.param("rBee", 0, {"Beetle": 2}, id="one Beetle"),
    pytest.param("rBee oBee", 0, {"Beetle": 10}, id="an even number of Beetles"),
    pytest.param("rBee oBee gBee", 0, {"Beetle": 6}, id="an odd number of Beetles"),
    pytest.param("rBee oBee gBee Mosq Mosq", group(Beetle=1), {"Beetle": 20}, id="B39 a pair makes it even"),
    pytest.param("rLady oLady gLady", 0, {"Ladybug": 3}, id="three Ladybugs"),
    pytest.param("rLady oLady gLady bLady", 0, {"Ladybug": 25}, id="exactly four"),
    pytest.param("rLady oLady gLady bLady vLady", 0, {"Ladybug": 5}, id="B38 five are 1 each"),
    pytest.param("rLady oLady gLady Mosq Mosq", group(Ladybug=1), {"Ladybug": 25}, id="B38 pairs included"),
    pytest.param("Mosq Mosq Mosq", 0, {}, id="Mosquitos alone score nothing"),
]


@pytest.mark.parametrize(("hand", "pairs", "wanted"), HANDS)
def test_other_types(hand: str, pairs: int, wanted: dict[str, int]) -> None:
    assert points(hand, pairs) == wanted


# Places


def test_the_highest_score_wins() -> None:
    state, _ = scored(["rBee", "rBee oBee", "rAnt", "rFly"])
    assert state.outcome().scores == [2, 10, 5, 2]
    assert state.outcome().places == [3, 1, 2, 3]


def test_b40_the_best_type_breaks_a_tie() -> None:
    state, _ = scored(["rBee oBee", "rSpi rFly oLady gLady vLady", "rFly"])
    assert state.outcome().scores == [10, 10, 2]
    assert state.outcome().places == [1, 2, 3]
    assert state.outcome().remarks == ["With 10 points each, the best types decide: 10 of seat 1; 7 of seat 2."]


def test_b40_then_the_next_best_and_so_on() -> None:
    state, rows = scored(["rSpi rFly bBee rLady oLady", "gSpi gFly oFly bFly"])
    assert rows == [{"Spider": 7, "Beetle": 2, "Ladybug": 2}, {"Spider": 7, "Fly": 4}]
    assert state.outcome().places == [2, 1]
    assert state.outcome().remarks == ["With 11 points each, the best types decide: 7, 2 of seat 1; 7, 4 of seat 2."]


def test_b40_equal_in_all_is_shared_and_b46_orders_the_rest() -> None:
    state, rows = scored(["rFly oFly", "gFly bFly", "rBee oBee", "rLady oLady bBee"])
    assert state.outcome().scores == [4, 4, 10, 4]
    assert [sorted(row.values()) for row in rows] == [[4], [4], [10], [2, 2]]
    assert state.outcome().places == [2, 2, 1, 4]
    wanted = "With 4 points each, the best types decide: 4 of seat 1; 4 of seat 2; 2 of seat 4."
    assert state.outcome().remarks == [wanted]


def test_b40_a_tie_that_nothing_breaks_needs_no_remark() -> None:
    state, _ = scored(["rFly oFly", "gFly bFly"])
    assert state.outcome().places == [1, 1]
    assert state.outcome().remarks == []


def test_outcome_waits_for_the_end() -> None:
    with pytest.raises(ValueError, match="expected a finished match"):
        begun(Position(["rAnt", "oAnt"], floor="rFly oFly", wall="rBee")).outcome()


# Grouping


def grouping(*hands: str, steps: int = 5, options: Options = Options()) -> Position:  # noqa: B008 - never changed
    return Position(list(hands), phase="group", steps=steps, last_round=1, options=options)


def test_b30_a_pair_copies_what_is_held() -> None:
    state = begun(grouping("rAnt oAnt gLar Mosq Mosq", "rFly Mosq"))
    assert choices(state, 0) == [Copy(LARVA), Copy(ANT), Keep()]
    assert choices(state, 1) == [Keep()]


def test_b30_pairs_may_copy_the_same_type_and_rest_on_no_other_pair() -> None:
    state = begun(grouping("rSpi rFly Mosq Mosq Mosq Mosq Mosq", "rFly"))
    act_all(state, Copy(FLY), Keep())
    assert choices(state, 0) == [Copy(SPIDER), Copy(FLY), Keep()]
    act_all(state, Copy(FLY), Keep())
    assert choices(state, 0) == [Keep()]
    for _ in range(3):
        act_all(state, Keep(), Keep())
    assert sheets(state)[0] == {"Spider": 7, "Fly": 4}


def test_b30_a_hand_of_mosquitos_has_nothing_to_copy() -> None:
    assert choices(begun(grouping("Mosq Mosq Mosq", "rFly")), 0) == [Keep()]


def test_b48_all_are_asked_however_few_mosquitos_they_hold() -> None:
    state = begun(grouping("rAnt", "oAnt", "gAnt Mosq Mosq"))
    asked = 0
    while state.to_act():
        assert list(state.to_act()) == [0, 1, 2]
        act_all(state, Keep(), Keep(), Keep())
        asked += 1
    assert asked == 5


@pytest.mark.parametrize(("mosquitos", "asked"), [(0, 5), (1, 4), (2, 4), (3, 3), (9, 0), (10, 0)])
def test_b48_as_often_as_there_may_be_pairs(mosquitos: int, asked: int) -> None:
    """What everybody sees on the Wall cannot be in a pair."""
    wall = " ".join(["rLady"] + ["Mosq"] * mosquitos)
    state = begun(Position(["rAnt oAnt", "rAnt"], floor="rFly oLar", wall=wall, turn=3, last_round=1))
    act(state, 0, Take(bug("rFly")))
    rounds = 0
    while state.to_act():
        act_all(state, Keep(), Keep())
        rounds += 1
    assert rounds == asked


def test_b31_grouping_is_sealed_until_the_reveal() -> None:
    state = begun(grouping("rAnt Mosq Mosq", "rFly Mosq Mosq", steps=2))
    act_all(state, Copy(ANT), Copy(FLY))
    assert said(state) == []
    assert state.observe(0).groups == [group(Ant=1), 0]
    assert state.observe(1).groups == [0, group(Fly=1)]
    assert state.observe(0).hands == []
    act_all(state, Keep(), Keep())
    assert said(state)[:2] == [
        "seat 1 counts two Mosquitos as one Ant",
        "seat 2 counts two Mosquitos as one Fly",
    ]
    assert state.observe(0).hands == state.hands == state.observe(1).hands
    assert state.observe(0).groups == state.observe(1).groups == [group(Ant=1), group(Fly=1)]


# Breaking pairs


def breaking(*hands: str, groups: list[int]) -> Position:
    return Position(list(hands), phase="group", steps=1, last_round=1, options=BREAKING, groups=groups)


def test_b45_pairs_of_later_types_may_be_broken_to_hatch() -> None:
    hands = "rAnt rLar oLar Mosq Mosq", NOTHING
    state = begun(breaking(*hands, groups=[group(Ant=1), 0]))
    act_all(state, Keep(), Keep())
    assert choices(state, 0) == [Break(), Break(ants=1)]
    act(state, 0, Break(ants=1))
    assert said(state)[-3:] == ["seat 1 breaks a pair that counted as one Ant", "seat 1 scored 11", "seat 2 scored 0"]
    assert sheets(state) == [{"Larva": 6, "Ant": 5}, {}]


def test_b45_broken_pairs_still_counted_for_butterflies() -> None:
    state = begun(breaking("rBut rAnt rLar oLar Mosq Mosq", "rFire", groups=[group(Ant=1), 0]))
    act_all(state, Keep(), Keep())
    act(state, 0, Break(ants=1))
    assert sheets(state)[0] == {"Butterfly": 1, "Larva": 6, "Ant": 5}


def test_b45_all_who_may_choose_at_once_and_nobody_else() -> None:
    """Pairs of Butterflies, Fireflies and Larva stay; the groups lie open, so nobody else needs to be asked."""
    groups = [group(Ant=1), group(Larva=1), group(Butterfly=1), group(Spider=1, Fly=1)]
    hands = ["rAnt Mosq Mosq", "rLar Mosq Mosq", "rBut Mosq Mosq", "rSpi rFly Mosq Mosq Mosq Mosq"]
    state = begun(breaking(*hands, groups=groups))
    act_all(state, *[Keep()] * 4)
    assert list(state.to_act()) == [0, 3]
    assert choices(state, 3) == [Break(), Break(spiders=1), Break(flies=1), Break(spiders=1, flies=1)]


def test_b45_at_most_32_ways() -> None:
    groups = [group(Ant=1, Spider=1, Fly=1, Beetle=1, Ladybug=1), 0]
    state = begun(breaking("rAnt rSpi rFly rBee rLady" + " Mosq" * 10, "rFire", groups=groups))
    act_all(state, Keep(), Keep())
    assert len(choices(state, 0)) == 32


def test_b45_nothing_to_break_goes_straight_to_the_scores() -> None:
    state, rows = scored(["rAnt", NOTHING], options=BREAKING)
    assert rows == [{"Ant": 5}, {}]
    assert not state.to_act()


def test_b31_without_the_switch_nothing_is_broken() -> None:
    state, rows = scored(["rAnt rLar oLar Mosq Mosq", NOTHING], [group(Ant=1), 0])
    assert not state.to_act()
    assert rows[0] == {"Ant": 10}


def test_codes_of_types_follow_the_score_sheet() -> None:
    """Section 4.1: Butterfly, Firefly, Larva, Ant, Spider, Fly, Beetle, Ladybug."""
    assert (BUTTERFLY, LARVA, ANT, SPIDER, FLY) == (1, 3, 4, 5, 6)
