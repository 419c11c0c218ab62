"""Recorded matches played again: exactly, and a tampered one is told from a true one."""

import itertools
import json
from dataclasses import replace
from typing import Any

import pytest

from arena import record
from arena.engine.contract import IllegalAction
from arena.match import Decided, Fault, FaultKind, MatchResult
from arena.record import ReplayError
from tests.cli.matches import CLOCK, Failure, Wanted, played

TIMEOUT = Failure(FaultKind.TIMEOUT, 5, micros=500_000)
ILLEGAL = Failure(FaultKind.ILLEGAL, 3, micros=400)
NEVER = Failure(FaultKind.NEVER_CONNECTED, None)
GONE = Failure(FaultKind.DISCONNECTED, 7)


# Replaying


def test_a_replay_shows_every_decision_as_it_was_made() -> None:
    result = played(Wanted("hidden-card-mirror-series", 3, failures={1: TIMEOUT}))
    moments = list(record.replay(result))
    assert [one for moment in moments for one in moment.decided.values()] == list(result.decisions)
    assert [moment.number for moment in moments] == list(range(len(moments)))
    assert moments[-1].acting == ()
    assert tuple(moments[-1].state.outcome().scores) == result.scores
    for before, after in itertools.pairwise(moments):
        assert set(before.acting) == set(before.decided) == set(before.legal) == set(before.state.to_act())
        for seat in range(3):
            assert after.decisions[seat] - before.decisions[seat] == (seat in before.acting)
            counts = seat in before.acting and not before.decided[seat].substitute
            micros = before.decided[seat].micros if counts else 0
            assert after.banks[seat] == before.banks[seat] - max(0, micros - CLOCK.allowance_ms * 1000)


def test_the_states_of_a_replay_are_snapshots() -> None:
    moments = list(record.replay(played()))
    assert len({json.dumps(moment.state.dump()) for moment in moments}) == len(moments)
    with pytest.raises(IllegalAction):
        moments[0].state.apply({})


# Verifying: each kind of tampering has a problem that names it


def _with(result: MatchResult, index: int, **changes: Any) -> MatchResult:
    decisions = list(result.decisions)
    decisions[index] = replace(decisions[index], **changes)
    return replace(result, decisions=tuple(decisions))


def _where(result: MatchResult, seat: int, number: int) -> int:
    return [index for index, one in enumerate(result.decisions) if one.seat == seat][number]


SOUND = played(Wanted(failures={1: TIMEOUT}))
LAST = [one for one in SOUND.decisions if one.seat == 1]
FAULT = SOUND.faults[0]


def _other_substitute() -> MatchResult:
    """The substitute's action changed for another legal one."""
    for moment in record.replay(SOUND):
        if 1 in moment.acting and moment.decisions[1] > 5 and len(moment.legal[1]) > 1:
            at = _where(SOUND, 1, moment.decisions[1])
            other = next(code for code in moment.legal[1] if code != moment.decided[1].action)
            return _with(SOUND, at, action=other)
    raise AssertionError


TAMPERED: list[tuple[str, MatchResult, str]] = [
    ("action", _with(SOUND, 0, action=999), "seat 1, decision 0: expected one of .*; got 999"),
    ("huge action", _with(SOUND, 0, action=1 << 80), "seat 1, decision 0: expected one of"),
    ("seat", _with(SOUND, 0, seat=1), "after 0 decisions: expected seats 1, 2, 3 to act, got seats 2, 2, 3"),
    ("substitute's action", _other_substitute(), r"seat 2, decision \d+: expected the substitute to choose"),
    ("micros", _with(SOUND, 0, micros=10**9), "seat 1, decision 0: expected a timeout, because the bank is at -"),
    (
        "micros of a timeout",
        _with(SOUND, _where(SOUND, 1, 5), micros=CLOCK.allowance_ms * 1000),
        "seat 2, decision 5: expected a timeout after more than its allowance, got 10000 us",
    ),
    (
        "micros of the substitute",
        _with(SOUND, _where(SOUND, 1, 6), micros=1),
        "seat 2, decision 6: expected no time for the substitute, got 1 us",
    ),
    ("places", replace(SOUND, places=(3, 2, 1)), r"places: expected \d, \d, \d, got 3, 2, 1"),
    ("scores", replace(SOUND, scores=(0, 0, 0)), "scores: expected .*, got 0, 0, 0"),
    ("remarks", replace(SOUND, remarks=("made up",)), "remarks: expected none, got made up"),
    ("no fault", replace(SOUND, faults=()), "seat 2, decision 5: expected the bot to decide, got the substitute"),
    (
        "fault's seat",
        replace(SOUND, faults=(replace(FAULT, seat=0),)),
        "seat 1, decision 5: expected the substitute to decide, got the bot",
    ),
    (
        "fault's kind",
        replace(SOUND, faults=(replace(FAULT, kind=FaultKind.ILLEGAL),)),
        "seat 2, decision 5: expected a timeout, because",
    ),
    (
        "fault's decision",
        replace(SOUND, faults=(replace(FAULT, decision=4),)),
        "seat 2, decision 4: expected the substitute to decide, got the bot",
    ),
    (
        "late fault",
        replace(SOUND, faults=(replace(FAULT, decision=99),)),
        rf"seat 2, decision 99: expected a fault within its {len(LAST)} decisions",
    ),
    ("second fault", replace(SOUND, faults=(FAULT, FAULT)), "seat 2: expected one fault at most, got 2"),
    (
        "made-up fault",
        replace(SOUND, faults=(FAULT, Fault(FaultKind.PROTOCOL, 0, 2, "?"))),
        "seat 1, decision 2: expected the substitute to decide, got the bot",
    ),
    ("missing end", replace(SOUND, decisions=SOUND.decisions[:-1]), r"expected more than \d+ decisions"),
    ("no decisions", replace(SOUND, decisions=()), "expected more than 0 decisions"),
    (
        "surplus",
        replace(SOUND, decisions=(*SOUND.decisions, Decided(0, 1, 0))),
        rf"expected the match to end after {len(SOUND.decisions)} decisions, got {len(SOUND.decisions) + 1}",
    ),
    ("seed", replace(SOUND, spec=replace(SOUND.spec, seed=2)), r"expected|places"),
    ("game", replace(SOUND, spec=replace(SOUND.spec, game="party-bug")), "did you mean 'party-bugs'"),
    ("options", replace(SOUND, spec=replace(SOUND.spec, options={"hiden_card": True})), "unknown option"),
    (
        "seats",
        replace(SOUND, spec=replace(SOUND.spec, entrants=SOUND.spec.entrants[:1])),
        "party-bugs: got 1 seats",
    ),
    (
        "clock",
        replace(SOUND, spec=replace(SOUND.spec, time=replace(CLOCK, bank_ms=0))),
        "expected a timeout, because the bank is at -",
    ),
]


def test_the_untampered_match_is_exact() -> None:
    assert record.verify(SOUND) == []


@pytest.mark.parametrize(("result", "words"), [case[1:] for case in TAMPERED], ids=[case[0] for case in TAMPERED])
def test_tampering_is_named(result: MatchResult, words: str) -> None:
    problems = record.verify(result)
    assert problems
    with pytest.raises(AssertionError, match=words):
        raise AssertionError("\n".join(problems))


def test_decisions_of_one_moment_may_stand_in_any_order() -> None:
    result = played()
    first = [one.seat for one in result.decisions[:3]]
    assert first == [0, 1, 2]
    assert record.verify(replace(result, decisions=result.decisions[2::-1] + result.decisions[3:])) == []


def test_a_replay_of_a_tampered_match_stops_with_a_sentence() -> None:
    with pytest.raises(ReplayError, match="got 999"):
        list(record.replay(_with(SOUND, 0, action=999)))
