"""What every game must hold while it is played: turns, legality, copies, repeatability, an end."""

from functools import partial
from typing import Any

from arena.engine.contract import IllegalAction, State
from tests.conformance.cases import (
    Case,
    Moment,
    always_first,
    always_last,
    at_random,
    each_case,
    refuses,
    through_json,
)

STRANGE_CODES = (-1, 1 << 20, 1 << 40, 1 << 70, -(1 << 70))  # wider than any machine word as well


@each_case(seeds=2)
def test_outcome_answers_exactly_when_nobody_is_to_act(case: Case) -> None:
    for moment in case.walk():
        if moment.state.to_act():
            refuses(ValueError, f"{moment}: an outcome", moment.state.outcome)
        else:
            check_outcome(moment)


def check_outcome(moment: Moment) -> None:
    outcome, seats = moment.state.outcome(), moment.case.seats
    shared = [1 + sum(other < place for other in outcome.places) for place in outcome.places]
    assert len(outcome.places) == len(outcome.scores) == seats, f"{moment}: {outcome.places} {outcome.scores}"
    assert outcome.places == shared, f"{moment}: expected places like 1, 2, 2, 4, got {outcome.places}"
    assert all(remark.strip() for remark in outcome.remarks), f"{moment}: got an empty remark"


@each_case()
def test_standing_agrees_with_the_outcome(case: Case) -> None:
    for moment in case.walk():
        assert len(moment.state.standing()) == case.seats, f"{moment}"
    standing, places = moment.state.standing(), moment.state.outcome().places
    for one in range(case.seats):
        for other in range(case.seats):
            better = standing[one] > standing[other]
            assert not better or places[one] <= places[other], f"{moment}: {standing} but places {places}"


@each_case(seeds=2)
def test_seats_to_act_have_distinct_stable_actions(case: Case) -> None:
    for moment in case.walk():
        state, acting = moment.state, list(moment.state.to_act())
        assert acting == sorted(set(acting) & set(range(case.seats))), f"{moment}: to act {acting}"
        assert acting == list(state.to_act()), f"{moment}: a second look says {state.to_act()}, not {acting}"
        for seat in range(case.seats):
            check_legal(moment, seat, is_asked=seat in acting)


def check_legal(moment: Moment, seat: int, *, is_asked: bool) -> None:
    legal = moment.state.legal_actions(seat)
    kept = legal[:]
    assert bool(legal) == is_asked, f"{moment}: seat {seat + 1} to act: {is_asked}; actions {legal}"
    assert len(set(legal)) == len(legal), f"{moment}: seat {seat + 1} has an action twice: {legal}"
    legal.clear()  # the list is the caller's own
    assert moment.state.legal_actions(seat) == kept, f"{moment}: seat {seat + 1}'s actions changed by looking"


@each_case()
def test_a_refused_apply_changes_nothing(case: Case) -> None:
    codes = sorted({code for moment in case.walk() for code in all_legal(moment.state)})
    for moment in case.sampled("play", 12):
        before, seen = moment.state.dump(), case.messages(moment.state)
        for actions in refused(moment, codes):
            refuses(IllegalAction, f"{moment}: {actions}", partial(moment.state.apply, dict(actions)))
            assert moment.state.dump() == before, f"{moment}: refused {actions}, but the state changed"
        assert case.messages(moment.state) == seen, f"{moment}: refused all actions, but a view changed"


def refused(moment: Moment, codes: list[int]) -> list[dict[int, int]]:
    """Joint actions that a state must refuse: missing, surplus, and illegal ones."""
    state, seats = moment.state, moment.case.seats
    good = at_random(state, moment.case.rng(f"good {moment.applied}"))
    idle = [seat for seat in (-1, *range(seats), seats, 1 << 70) if seat not in good]
    surplus = [good | {seat: code} for seat in idle for code in (codes[0], -1)]
    missing = [{seat: code for seat, code in good.items() if seat != left_out} for left_out in good]
    return surplus + missing + [good | {seat: code} for seat in good for code in illegal(state, seat, codes)]


def illegal(state: State[Any], seat: int, codes: list[int]) -> list[int]:
    """Codes that the seat may not choose now: strange ones, near ones, and those of other moments."""
    legal = set(state.legal_actions(seat))
    near = {code + offset for code in legal for offset in (-16, -1, 1, 16)}
    elsewhere = set(codes[:: 1 + len(codes) // 8])
    return sorted((near | elsewhere | set(STRANGE_CODES)) - legal)


def all_legal(state: State[Any]) -> list[int]:
    return [code for seat in state.to_act() for code in state.legal_actions(seat)]


@each_case()
def test_a_clone_continues_identically(case: Case) -> None:
    for moment in case.sampled("play", 4):
        check_same_future(moment, moment.state.clone(), "a clone")


@each_case()
def test_a_loaded_dump_continues_identically(case: Case) -> None:
    for moment in case.sampled("play", 4):
        dump = moment.state.dump()
        assert through_json(dump) == dump, f"{moment}: expected plain JSON data, got {dump}"
        check_same_future(moment, case.game.load(through_json(dump)), "a loaded dump")


def check_same_future(moment: Moment, copy: State[Any], what: str) -> None:
    """Plays the match and its copy on with the same actions and compares all there is."""
    case, state, rng = moment.case, moment.state.clone(), moment.case.rng(f"future {moment.applied}")
    assert copy.dump() == moment.state.dump(), f"{moment}: {what} is another state"
    while state.to_act():
        assert copy.dump() == state.dump(), f"{moment}: {what} went another way"
        actions = at_random(state, rng)
        state.apply(dict(actions))
        copy.apply(dict(actions))
    assert copy.dump() == state.dump(), f"{moment}: {what} ended another way"
    assert case.messages(copy) == case.messages(state), f"{moment}: {what} is seen in another way"
    ends = [(one.outcome().places, one.outcome().scores, one.outcome().remarks) for one in (copy, state)]
    assert ends[0] == ends[1], f"{moment}: {what} has another outcome"


@each_case()
def test_a_clone_is_independent(case: Case) -> None:
    for moment in case.sampled("play", 4):
        before, rng = moment.state.dump(), case.rng("independent")
        first, second = moment.state.clone(), moment.state.clone()
        play_out(first, case)
        assert moment.state.dump() == before, f"{moment}: playing a clone changed its original"
        assert second.dump() == before, f"{moment}: playing a clone changed another clone"
        if moment.state.to_act():
            second = moment.state.clone()
            moment.state.apply(at_random(moment.state, rng))
            assert second.dump() == before, f"{moment}: playing the original changed its clone"


@each_case()
def test_dump_and_load_share_nothing_with_the_state(case: Case) -> None:
    for moment in case.sampled("play", 4):
        data, before = moment.state.dump(), through_json(moment.state.dump())
        play_out(case.game.load(data), case)
        assert data == before, f"{moment}: playing a loaded state changed the data that it came from"
        play_out(moment.state.clone(), case)
        assert data == before, f"{moment}: playing on changed an earlier dump"


def play_out(state: State[Any], case: Case) -> None:
    rng = case.rng("play out")
    while state.to_act():
        state.apply(at_random(state, rng))


@each_case()
def test_load_refuses_other_data(case: Case) -> None:
    good = case.start().dump()
    for name in good:
        without = {key: value for key, value in good.items() if key != name}
        for data in (without, good | {name: None}, good | {name: "?"}):
            refuses(ValueError, f"{case}: a dump with a wrong {name!r}", partial(case.game.load, data))


@each_case(seeds=2)
def test_the_same_seed_gives_the_same_match(case: Case) -> None:
    for one, other in zip(case.walk(), case.walk(), strict=True):
        assert one.state.dump() == other.state.dump(), f"{one}: two matches of one seed differ"
        if one.applied % 10 == 0 or not one.state.to_act():
            same = case.messages(one.state) == case.messages(other.state)
            assert same, f"{one}: two matches of one seed are seen differently"


@each_case()
def test_another_seed_gives_another_match(case: Case) -> None:
    others = [case.dealt(case.start(case.seed + offset)) for offset in range(1, 6)]
    assert any(other != case.dealt(case.start()) for other in others), f"{case}: five other seeds deal the same"


@each_case(seeds=3)
def test_a_match_ends_within_its_bound(case: Case) -> None:
    bound = case.game.length_bound(case.options, case.seats)
    for name, choose in (("random", at_random), ("first", always_first), ("last", always_last)):
        for moment in case.walk(name, choose):
            assert moment.applied <= bound, f"{moment}: {name} play passed the bound of {bound} applies"


@each_case(seeds=2)
def test_nothing_is_lost_or_doubled(case: Case) -> None:
    for moment in case.walk():
        try:
            case.conservation.check(moment.state.dump())
        except AssertionError as error:
            raise AssertionError(f"{moment}: {error}") from error


@each_case()
def test_a_wrong_number_of_seats_is_refused(case: Case) -> None:
    counts = case.game.seat_counts()
    for seats in (-1, 0, counts[0] - 1, counts[-1] + 1, 1 << 20):
        setup = partial(case.game.setup, case.options, seats, case.rng("seats"))
        refuses(ValueError, f"{case}: {seats} seats", setup)
