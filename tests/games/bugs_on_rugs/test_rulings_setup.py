"""Setup, rounds and the End card, the deck's data, and what is told to whom: rulings B1-B9, B25-B29, B41-B44."""

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from arena.engine.contract import IllegalAction
from arena.engine.rng import Rng, seeded
from arena.games.bugs_on_rugs import deck
from arena.games.bugs_on_rugs import rules_codes as codes
from arena.games.bugs_on_rugs.actions import Lay, Pass, Take
from arena.games.bugs_on_rugs.rules import GAME, BugsOnRugsState
from tests.games.bugs_on_rugs import conservation
from tests.games.bugs_on_rugs.positions import BASE, Position, act, act_all, begun, bug, bugs, choices, hands, said

ABOVE_END = {2: 30, 3: 45, 4: 60, 5: 68}


def deals(seats: int) -> list[BugsOnRugsState]:
    return [GAME.setup(BASE, seats, Rng(key)) for key in range(200)]


def kinds(state: BugsOnRugsState) -> list[int]:
    return [code >> 16 for code in state.log]


def played_out(state: BugsOnRugsState, rng: Rng) -> BugsOnRugsState:
    while state.to_act():
        state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.to_act()})
    return state


# The deck


def test_components_90_cards_of_nine_types() -> None:
    numbers = Counter(codes.type_of(card) for card in deck.CARDS)
    assert list(numbers.values()) == [10, 10, 10, 10, 8, 12, 10, 10, 10]
    assert Counter(deck.CARDS) == conservation.deck()
    assert len(deck.BUGS) == 41  # B41


def test_sixteen_cards_to_a_rug() -> None:
    rugs = Counter(codes.rug_of(card) for card in deck.CARDS if card != codes.MOSQUITO)
    assert rugs == dict.fromkeys(range(1, 6), 16)


def test_every_guess_in_the_data_says_that_it_is_one() -> None:
    data: dict[str, Any] = json.loads(Path(deck.__file__).with_name("deck.json").read_text())
    assert "WEAK" in data["rugs"]["provenance"]
    assert "INVENTED" in data["rugs"]["provenance"]
    assert "INVENTED" in data["bugs_provenance"]["by_rug"]
    assert "B1" in data["below_end"]["provenance"]


@pytest.mark.parametrize("change", [{"cards": 11}, {"by_rug": [2, 2, 2, 2, 1]}, {"by_rug": [2, 2, 2, 2, 1, 1]}])
def test_data_that_contradict_themselves_are_refused(change: dict[str, Any]) -> None:
    data: dict[str, Any] = json.loads(Path(deck.__file__).with_name("deck.json").read_text())
    data["bugs"][3] |= change
    with pytest.raises(ValueError, match="expected"):
        deck.read_cards(data)


def test_a_deck_with_seven_rugs_could_be_read() -> None:
    data: dict[str, Any] = json.loads(Path(deck.__file__).with_name("deck.json").read_text())
    data["rugs"]["names"] = ["a", "b", "c", "d", "e", "f", "g"]
    data["bugs"][3]["by_rug"] = [2, 2, 2, 1, 1, 1, 1]
    assert len(deck.read_cards(data)) == 90


# Setup


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_setup_one_bug_each_one_on_the_wall_and_the_floor(seats: int) -> None:
    for state in deals(seats):
        view = state.observe(0)
        assert view.hand_sizes == [1] * seats
        assert len(view.wall) == 1
        assert len(view.floor) == 2 * seats + 1
        assert view.deck_size == 90 - seats - 1 - 2 * seats - 1
        assert view.last_round == 0  # B2


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_b1_the_end_card_lies_below_so_many(seats: int) -> None:
    for key in range(20):
        log = played_out(GAME.setup(BASE, seats, Rng(key)), seeded(key)).log
        end = next(place for place, code in enumerate(log) if code >> 16 == codes.EVENT_END)
        assert len(conservation.draws(log[:end])) == ABOVE_END[seats]


def test_b3_the_first_wall_card_has_no_power() -> None:
    first = {codes.type_of(state.wall[0]) for state in deals(3)}
    assert first == set(range(1, 10))
    for state in deals(3):
        assert state.phase == codes.PHASE_PICK
        assert kinds(state)[3:5] == [codes.EVENT_WALL, codes.EVENT_ROUND]


def test_b4_luck_chooses_the_start_player() -> None:
    assert {state.start for state in deals(5)} == {0, 1, 2, 3, 4}


# Rounds


@pytest.mark.parametrize("start", [0, 2])
def test_gameplay_picks_go_clockwise_and_back(start: int) -> None:
    state = begun(Position(["rFly", "oFly", "gFly"], "rAnt oAnt gAnt bAnt vAnt rBee oBee", "rLady", start=start))
    order = []
    for word in ("rAnt", "oAnt", "gAnt", "bAnt", "vAnt", "rBee"):
        (seat,) = state.to_act()
        order.append(seat)
        act(state, seat, Take(bug(word)))
    forth = [(start + turn) % 3 for turn in range(3)]
    assert order == forth + forth[::-1]
    assert bug("oBee") in state.wall


def test_b5_the_marker_moves_clockwise_after_the_power() -> None:
    state = begun(Position(["rFly", "oFly"], "rAnt oFire", "rLady", start=1, turn=3))
    act(state, 1, Take(bug("rAnt")))
    act(state, 1, Lay(bug("rAnt")))  # the Firefly asks the current start player first
    act(state, 0, Lay(bug("rFly")))
    assert state.start == 0
    assert list(state.to_act()) == [0]


def test_b6_left_is_next_and_right_is_before() -> None:
    for leftover, to in (("rBee", 1), ("rFly", -1)):
        state = begun(Position(["rAnt", "oAnt", "gAnt"], f"vAnt {leftover}", "rLady", turn=5))
        act(state, 0, Take(bug("vAnt")))
        act_all(state, Pass(bug("vAnt")), Pass(bug("oAnt")), Pass(bug("gAnt")))
        assert bug("vAnt") in state.hands[to]


def test_b7_the_leftover_goes_to_the_right_end() -> None:
    state = begun(Position(["rAnt", "oAnt"], "rFly oLar", "rLady gBee", turn=3))
    act(state, 0, Take(bug("rFly")))
    assert state.wall == bugs("rLady gBee oLar")


def test_b8_everybody_sees_what_is_picked() -> None:
    state = begun(Position(["rAnt", "oAnt"], "rFly oFly gFly bFly vFly", "rLady"))
    act(state, 0, Take(bug("oFly")))
    assert said(state, 1) == ["seat 1 took orange Fly"]


def test_b8_a_pick_must_lie_on_the_floor() -> None:
    state = begun(Position(["rAnt", "oAnt"], "rFly oFly gFly bFly vFly", "rLady"))
    assert choices(state, 0) == [Take(one) for one in bugs("rFly oFly gFly bFly vFly")]
    with pytest.raises(IllegalAction):
        act(state, 0, Take(bug("rBee")))


def test_a_pick_that_everybody_sees_to_be_forced_is_made() -> None:
    """One bug twice on the Floor, and a hand too small to hatch."""
    state = begun(Position(["", "oAnt rAnt"], "rFly oFly rFly", "rLady", turn=2))
    act(state, 1, Take(bug("oFly")))
    assert hands(state)[0] == "rFly"
    assert state.wall[-1] == bug("rFly")


# Rounds and hands, computed (section 4.3)


CALM = (codes.FLY, codes.BEETLE, codes.SPIDER)  # powers that leave deck and hand sizes alone


def calmly(state: BugsOnRugsState) -> dict[int, int]:
    """Choices after which a calm power is left over, as long as one lies on the Floor; the first ones otherwise."""
    actions = {}
    for seat in state.to_act():
        legal = state.legal_actions(seat)
        takes = [code for code in legal if code >> 16 == codes.TAKE]
        others = [code for code in takes if codes.type_of(code & 0xFFFF) not in CALM]
        actions[seat] = (others or takes or legal)[0]
    return actions


@pytest.mark.parametrize(("seats", "rounds", "held"), [(2, 6, 13), (3, 6, 13), (4, 7, 15), (5, 6, 13)])
def test_rounds_and_hands_if_no_power_draws(seats: int, rounds: int, held: int) -> None:
    """Computed from the counts alone: 1 + 2 for each round, as many as it takes to lay out the End card."""
    assert rounds == -(-(ABOVE_END[seats] + 1 - seats - 1) // (2 * seats + 1))
    assert held == 1 + 2 * rounds
    calm = 0
    for key in range(60):
        state = GAME.setup(BASE, seats, Rng(key))
        while state.phase < codes.PHASE_GROUP:
            state.apply(calmly(state))
        drew = {codes.EVENT_DREW, codes.EVENT_HATCHED, codes.EVENT_LARVA_LEFT, codes.EVENT_LAID} & set(kinds(state))
        if drew or kinds(state).count(codes.EVENT_WALL) > 1:
            assert state.round <= rounds or codes.EVENT_LAID in drew
            continue
        calm += 1
        assert state.round == rounds
        assert [len(hand) for hand in state.hands] == [held] * seats
        dealt = seats + 1 + rounds * (2 * seats + 1)
        assert len(state.deck) - state.drawn == 90 - dealt
    assert calm >= 10


# The End card


def end_position(**given: Any) -> Position:
    """Two seats before the last pick of round 3."""
    return Position(["rAnt bAnt", "oAnt"], wall="rLady", turn=3, round=3, **given)


def test_b25_the_end_while_laying_out_makes_this_round_the_last() -> None:
    state = begun(end_position(floor="rFly rLar", deck_size=62))
    act(state, 0, Take(bug("rFly")))
    assert state.round == state.last_round == 4
    assert said(state)[-4] == "the End card: round 4 is the last"  # two bugs lay above it, three come after
    assert len(state.floor) == 5  # another bug takes its place


def test_b26_the_end_by_a_wall_power_makes_the_next_round_the_last() -> None:
    """Two Ladybug draws pass the End card; the power is finished first."""
    state = begun(end_position(floor="rFly oLady", deck_size=61))
    act(state, 0, Take(bug("rFly")))
    told = said(state)
    end = told.index("the End card: round 4 is the last")
    assert told[end - 1].startswith("seat 1 drew")
    assert told[end + 1] == "seat 2 drew a bug"
    assert state.round == state.last_round == 4
    assert len(state.floor) == 5


def test_b44_the_end_is_reached_when_it_is_drawn() -> None:
    """It is the top card after these two draws, and this is not yet the end."""
    state = begun(end_position(floor="rFly oLady", deck_size=67))
    act(state, 0, Take(bug("rFly")))
    assert len(state.deck) - state.drawn == 60
    assert state.last_round == 0


def test_b27_the_power_of_the_final_round_is_performed() -> None:
    state = begun(end_position(floor="rFly oBee", last_round=3))
    act(state, 0, Take(bug("rFly")))
    act_all(state, Pass(bug("rFly")), Pass(bug("oAnt")))
    assert hands(state) == ["rAnt oAnt bAnt", "rFly"]
    assert state.phase == codes.PHASE_GROUP


# An empty deck (B28)


def test_b28_a_missing_ladybug_draw_is_skipped() -> None:
    state = begun(end_position(floor="rFly oLady", deck="gBee", deck_size=1, last_round=3))
    act(state, 0, Take(bug("rFly")))
    told = said(state)
    assert told[told.index("seat 1 drew green Beetle") + 1] == "the deck is empty"
    assert [len(hand) for hand in state.hands] == [4, 1]
    assert state.phase >= codes.PHASE_GROUP


@pytest.mark.parametrize(("leftover", "wall"), [("oAnt", "rLady"), ("oLar", "rLar rLady")])
def test_b28_a_missing_wall_card_ends_the_power(leftover: str, wall: str) -> None:
    state = begun(Position(["rAnt bAnt", "gAnt"], f"rFly {leftover}", wall, turn=3, round=3, last_round=3, deck_size=0))
    act(state, 0, Take(bug("rFly")))
    assert "the deck is empty" in said(state)
    assert len(state.wall) == (2 if leftover == "oAnt" else 1)
    assert state.phase >= codes.PHASE_GROUP


@pytest.mark.parametrize(("left", "turns"), [(0, []), (1, [1]), (3, [1, 0, 0]), (4, [1, 0, 0, 1])])
def test_b28_a_short_floor_is_picked_until_it_is_empty(left: int, turns: list[int]) -> None:
    """Then nothing is left over for the Wall, and the scores are counted."""
    state = begun(
        Position(
            ["gAnt bAnt", "oAnt gLady"],
            floor="rFly oLady",
            wall="rLady",
            deck="bBee bSpi rBut bFire gBee bLady"[: 5 * left + 10],
            deck_size=2 + left,
            turn=3,
            round=3,
            last_round=4,
        )
    )
    act(state, 0, Take(bug("rFly")))
    taken = []
    while state.phase == codes.PHASE_PICK:
        (seat,) = state.to_act()
        taken.append(seat)
        act(state, seat, choices(state, seat)[0])
    assert taken == turns
    assert len(state.wall) == 2
    assert state.phase >= codes.PHASE_GROUP


def test_b29_what_left_the_game_never_comes_back() -> None:
    for key in range(10):
        state, rng, before = GAME.setup(BASE, 5, Rng(key)), seeded(key), Counter[int]()
        while state.to_act():
            state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.to_act()})
            assert before <= Counter(state.discards)
            before = Counter(state.discards)


# What is told


def test_b41_equal_bugs_are_one_action() -> None:
    state = begun(Position(["rAnt", "oAnt"], "rFly rFly rFly oFly bFly", "rLady"))
    assert choices(state, 0) == [Take(one) for one in bugs("rFly oFly bFly")]


def test_b43_first_bugs_and_draws_are_private() -> None:
    state = GAME.setup(BASE, 3, Rng(4))
    for seat in range(3):
        dealt = [one for one in said(state, seat) if "was dealt" in one]
        unseen = [one for one in dealt if one.endswith("a bug")]
        assert (len(dealt), len(unseen)) == (3, 2)
    state = begun(end_position(floor="rFly oLady"))
    act(state, 0, Take(bug("rFly")))
    assert [one for one in said(state, 0) if "drew" in one][1] == "seat 2 drew a bug"
    assert next(one for one in said(state, 1) if "drew" in one) == "seat 1 drew a bug"


def test_b43_sizes_and_the_distance_to_the_end_are_public() -> None:
    text = GAME.text(GAME.setup(BASE, 4, Rng(1)).observe(2))
    assert "Deck: 76 bugs. The End card lies below 46 bugs." in text
    assert "Seat 1: 1 bugs." in text


def test_b43_memory_is_perfect_up_to_the_reveal() -> None:
    state, rng, seen = GAME.setup(BASE, 3, Rng(4)), seeded(1), list[int]()
    while state.phase < codes.PHASE_GROUP:
        view = state.observe(1)
        assert view.history[: len(seen)] == seen
        assert view.history == [code for code in state.events(1, 0) if code >> 16 <= codes.LAST_OF_HANDS]
        seen = view.history
        state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.to_act()})
    assert len(seen) > 40


def test_a_match_is_a_series_of_rounds() -> None:
    log = played_out(GAME.setup(BASE, 4, Rng(3)), seeded(3)).log
    rounds = [(code >> 12 & 15, code & 0xFFF) for code in log if code >> 16 == codes.EVENT_ROUND]
    assert [number for _, number in rounds] == list(range(1, len(rounds) + 1))
    assert all((one + 1) % 4 == other for (one, _), (other, _) in pairwise(rounds))
