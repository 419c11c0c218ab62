"""How long a match is: rulings F4 and F21-F23."""

import pytest

from arena.engine.options import OptionError
from arena.engine.rng import seeded
from arena.games.lunar_laser_frogs.codes import Name, Roll, Throw, Wait, decoded
from arena.games.lunar_laser_frogs.rules import GAME, LunarLaserFrogsState
from arena.games.lunar_laser_frogs.rules_dice import MOST_EXTRA_TURNS
from arena.games.lunar_laser_frogs.rules_views import Options
from tests.games.lunar_laser_frogs.positions import BLUE, GREY, PLAIN, begun, name, roll, said, throws, to_the_naming


def pass_turn(state: LunarLaserFrogsState, winner: int | None = None) -> None:
    """A turn in which all throw grey at once, which brings nothing, but for the winner, who throws blue later."""
    others = [seat for seat in state.to_act() if seat != winner]
    throws(state, dict.fromkeys(others, GREY))
    if winner is not None:
        roll(state, 2, 0, 0)
        throws(state, {winner: BLUE})
    to_the_naming(state)
    name(state, others[0])


@pytest.mark.parametrize(("seats", "turns"), [(3, 9), (4, 8), (5, 10), (6, 6), (7, 7), (8, 8)])
def test_f21_the_recommended_number_of_turns(seats: int, turns: int) -> None:
    assert GAME.options({}).turns_each(seats) * seats == turns
    assert played_turns(GAME.options({}), seats) >= turns


@pytest.mark.parametrize("turns", [1, 2, 3, 4, 5, 6])
def test_f21_another_equal_number_of_turns_is_an_option(turns: int) -> None:
    options = GAME.options({"turns": turns})
    counts = [played_turns(options, seats) - turns * seats for seats in (3, 5, 8)]
    assert min(counts) >= 0


def played_turns(options: Options, seats: int) -> int:
    """The length of a random match; it ends after the agreed turns, or later only by a tie for the lead."""
    state, rng = GAME.setup(options, seats, seeded(3)), seeded(4)
    while acting := state.to_act():
        state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in acting})
    extra = state.turn - options.turns_each(seats) * seats
    assert (extra > 0) == bool(state.outcome().remarks)
    return int(state.turn)


@pytest.mark.parametrize("turns", [-1, 7, 1.5, "many"])
def test_f21_strange_numbers_of_turns_are_refused(turns: object) -> None:
    with pytest.raises(OptionError, match="option turns: expected one of 0, 1, 2"):
        GAME.options({"turns": turns})


def test_f22_a_sole_leader_ends_the_match() -> None:
    state = begun(4, PLAIN, turn=7, points=[9, 8, 8, 8])
    pass_turn(state)
    assert list(state.to_act()) == []
    assert state.outcome().places == [1, 2, 2, 2]


def test_f22_a_tie_for_the_lead_is_played_on_turn_by_turn() -> None:
    state = begun(4, PLAIN, turn=7, roller=2, points=[9, 9, 8, 0])
    pass_turn(state)
    assert (state.roller, list(state.to_act())) == (3, [0, 1, 2])
    assert "a tie for the lead, extra turn 1: seat 4 rolls" in said(state)
    pass_turn(state)
    assert state.roller == 0
    pass_turn(state, winner=1)
    outcome = state.outcome()
    assert outcome.places == [2, 1, 3, 4]
    assert outcome.scores[0] == 9
    assert outcome.scores[2:] == [8, 0]
    assert outcome.remarks == ["A tie for the lead took 2 extra turns."]


def test_f22_anybody_may_win_an_extra_turn() -> None:
    state = begun(4, PLAIN, turn=8, points=[9, 9, 9, 0])
    pass_turn(state, winner=2)
    assert state.outcome().places == [2, 2, 1, 4]
    assert state.outcome().remarks == ["A tie for the lead took 1 extra turn."]


def test_f22_a_tie_below_the_lead_is_not_played_on() -> None:
    state = begun(4, PLAIN, turn=7, points=[9, 9, 9, 20])
    pass_turn(state)
    assert state.outcome().places == [2, 2, 2, 1]


def test_f22_extra_turns_have_luck_of_their_own() -> None:
    state = begun(4, PLAIN, turn=7, points=[9, 9, 9, 9])
    before = state.dump()["rolls"]
    pass_turn(state)
    assert state.dump()["rolls"] != before


@pytest.mark.parametrize("seats", [4, 7])
def test_f23_after_fifty_extra_turns_the_lead_is_shared(seats: int) -> None:
    assert MOST_EXTRA_TURNS == 50
    whole = GAME.options({}).turns_each(seats) * seats
    points = [9, 9] + [0] * (seats - 2)
    state = begun(seats, PLAIN, turn=whole + 48, points=points)
    pass_turn(state)
    assert state.to_act(), "49 extra turns are not enough"
    pass_turn(state)
    outcome = state.outcome()
    assert outcome.places == [1, 1] + [3] * (seats - 2)
    assert outcome.remarks == ["Still a tie for the lead after 50 extra turns: the place is shared."]


def test_f4_there_is_no_penalty_and_no_knocking_over_of_dice() -> None:
    state, rng, kinds = GAME.setup(GAME.options({}), 4, seeded(1)), seeded(2), set()
    while acting := state.to_act():
        kinds |= {type(decoded(code)) for seat in acting for code in state.legal_actions(seat)}
        before = state.standing()
        state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in acting})
        assert all(now >= then for now, then in zip(state.standing(), before, strict=True))
    assert kinds == {Wait, Throw, Roll, Name}
