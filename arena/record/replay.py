"""Plays a recorded match again: moment by moment for those who watch, compared in everything to verify it."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arena import games
from arena.engine.contract import Outcome, State
from arena.engine.options import OptionError, live_choices
from arena.engine.rng import Rng, seeded
from arena.errors import UserError
from arena.match import (
    MICROS,
    Decided,
    Fault,
    FaultKind,
    MatchResult,
    MatchSpec,
    TimeControl,
    final_places,
    in_order,
    substitute_action,
)
from arena.record.file import RecordError


@dataclass(frozen=True)
class Moment:
    """One point of a match where seats had to act, or its end; a snapshot that nobody else changes."""

    number: int  # from 0
    state: State[Any]  # before the actions
    acting: tuple[int, ...]  # seats to act; none at the end
    legal: dict[int, list[int]]  # by acting seat
    decided: dict[int, Decided]  # by acting seat
    decisions: tuple[int, ...]  # by seat: how many decisions it had made before
    banks: tuple[int, ...]  # by seat: microseconds left before


class ReplayError(RecordError):
    """A match that cannot have gone as its record says."""


def replay(result: MatchResult) -> Iterator[Moment]:
    """Plays a match again, moment by moment to its end; ReplayError where the record leaves the rules."""
    spec = result.spec
    state = _setup(spec)
    banks = [spec.time.bank_ms * MICROS] * len(spec.entrants)
    counts = [0] * len(spec.entrants)
    for number in itertools.count():
        acting = tuple(state.to_act())
        decided = _decisions_at(sum(counts), acting, result.decisions)
        legal = {seat: state.legal_actions(seat) for seat in acting}
        _check_legal(counts, legal, decided)
        yield Moment(number, state.clone(), acting, legal, decided, tuple(counts), tuple(banks))
        if not acting:
            return
        state.apply({seat: one.action for seat, one in decided.items()})
        for seat, one in decided.items():
            counts[seat] += 1
            if not one.substitute:  # the time of a failed decision is on record, but nobody's bank pays it
                banks[seat] = spec.time.bank_after(banks[seat], one.micros)


def _setup(spec: MatchSpec) -> State[Any]:
    game = games.load(spec.game)
    try:
        options = game.options(spec.options)
        if len(spec.entrants) not in game.seat_counts():
            raise ReplayError(f"{spec.game}: got {len(spec.entrants)} seats, which it cannot have")
        return game.setup(options, len(spec.entrants), seeded(spec.seed).fork("game"))
    except OptionError as error:
        raise ReplayError(str(error)) from None


def _decisions_at(start: int, acting: tuple[int, ...], decisions: Sequence[Decided]) -> dict[int, Decided]:
    """The decisions of one moment, which are the next ones from `start` on, in the order of the record."""
    batch = decisions[start : start + len(acting)]
    seats = sorted(one.seat for one in batch)
    if not acting and start < len(decisions):
        raise ReplayError(f"expected the match to end after {start} decisions, got {len(decisions)}")
    if len(batch) < len(acting):
        raise ReplayError(f"expected more than {len(decisions)} decisions, got the end of the match")
    if seats != list(acting):
        raise ReplayError(f"after {start} decisions: expected {_seats(acting)} to act, got {_seats(seats)}")
    return {one.seat: one for one in batch}


def _check_legal(counts: Sequence[int], legal: dict[int, list[int]], decided: dict[int, Decided]) -> None:
    for seat, one in decided.items():
        if one.action not in legal[seat]:
            wanted = ", ".join(map(str, legal[seat]))
            raise ReplayError(f"{_where(seat, counts[seat])}: expected one of {wanted}; got {one.action}")


# Verifying


def verify(result: MatchResult) -> list[str]:
    """Plays a match again and compares everything that its record says; empty if all of it is so."""
    problems = _fault_problems(result)
    root = seeded(result.spec.seed)
    last: Moment | None = None
    try:
        for last in replay(result):
            problems += _order_problems(result.spec, last)
            for one in last.decided.values():
                problems += _decision_problems(result, root, last, one)
    except UserError as error:
        return [*problems, str(error)]
    assert last is not None
    return problems + _outcome_problems(result, last.state.outcome())


def _fault_problems(result: MatchResult) -> list[str]:
    """Faults against the decisions: one for each seat at most, and at a decision that the seat had."""
    seats = [fault.seat for fault in result.faults]
    problems = [
        f"seat {seat + 1}: expected one fault at most, got {seats.count(seat)}"
        for seat in sorted({seat for seat in seats if seats.count(seat) > 1})
    ]
    for fault in result.faults:
        made = sum(one.seat == fault.seat for one in result.decisions)
        if (fault.decision or 0) > made:
            wrong = f"expected a fault within its {made} decisions, got one after them"
            problems.append(f"{_where(fault.seat, fault.decision or 0)}: {wrong}")
    return problems


def _order_problems(spec: MatchSpec, moment: Moment) -> list[str]:
    """In live play the order of decisions counts, and a substitute's card never lands before a bot's."""
    decided = list(moment.decided.values())
    if decided == in_order(decided, live=True) or not live_choices(games.load(spec.game).option_list(), spec.options):
        return []
    return [f"moment {moment.number}: expected the substitutes behind the bots, got {_seats([*moment.decided])}"]


def _decision_problems(result: MatchResult, root: Rng, moment: Moment, one: Decided) -> list[str]:
    fault = next((fault for fault in result.faults if fault.seat == one.seat), None)
    number = moment.decisions[one.seat]
    substitute = fault is not None and number >= (fault.decision or 0)
    if one.substitute != substitute:
        who = ("the bot", "the substitute")
        return [f"{_where(one.seat, number)}: expected {who[substitute]} to decide, got {who[one.substitute]}"]
    return _clock_problems(result.spec.time, moment, one, fault) + _substitute_problems(root, moment, one)


def _substitute_problems(root: Rng, moment: Moment, one: Decided) -> list[str]:
    number = moment.decisions[one.seat]
    wanted = substitute_action(root, one.seat, number, moment.legal[one.seat]) if one.substitute else one.action
    if one.action == wanted:
        return []
    return [f"{_where(one.seat, number)}: expected the substitute to choose {wanted}, got {one.action}"]


def _clock_problems(time: TimeControl, moment: Moment, one: Decided, fault: Fault | None) -> list[str]:
    """The bank is overdrawn by a timeout alone, and the substitute takes no time after the fault."""
    number = moment.decisions[one.seat]
    failed = fault.kind if fault and number == (fault.decision or 0) else None  # at this very decision
    bank = time.bank_after(moment.banks[one.seat], one.micros)
    if one.substitute and failed is None and one.micros:
        return [f"{_where(one.seat, number)}: expected no time for the substitute, got {one.micros} us"]
    late = failed in (FaultKind.TIMEOUT, FaultKind.STARVED)
    if late and 0 < one.micros <= time.allowance_ms * MICROS:  # 0: it failed in another match
        return [f"{_where(one.seat, number)}: expected a timeout after more than its allowance, got {one.micros} us"]
    if bank < 0 and not late:
        return [f"{_where(one.seat, number)}: expected a timeout, because the bank is at {bank} us, got none"]
    return []


def _outcome_problems(result: MatchResult, outcome: Outcome) -> list[str]:
    faulty = {fault.seat for fault in result.faults}
    pairs = (
        ("places", final_places(outcome.places, faulty), result.places),
        ("scores", tuple(outcome.scores), result.scores),
        ("remarks", tuple(outcome.remarks), result.remarks),
    )
    return [f"{name}: expected {_listed(wanted)}, got {_listed(got)}" for name, wanted, got in pairs if wanted != got]


def _where(seat: int, number: int) -> str:
    return f"seat {seat + 1}, decision {number}"


def _seats(seats: Sequence[int]) -> str:
    return f"seat{'s'[: len(seats) - 1]} {', '.join(str(seat + 1) for seat in seats)}"


def _listed(values: Sequence[object]) -> str:
    return ", ".join(map(str, values)) or "none"
