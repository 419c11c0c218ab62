"""Finished matches without processes: random play inside this one, with faults and clocks as a test wants them."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from arena import games
from arena.engine.rng import seeded
from arena.match import (
    Decided,
    Entrant,
    Fault,
    FaultKind,
    MatchResult,
    MatchSpec,
    TimeControl,
    final_places,
    substitute_action,
)
from arena.record import new_match_id

CLOCK = TimeControl(allowance_ms=10, bank_ms=100)


@dataclass(frozen=True)
class Failure:
    """How a seat fails, and at which of its decisions."""

    kind: FaultKind
    decision: int | None
    micros: int = 0


@dataclass(frozen=True)
class Wanted:
    """What is to be played."""

    variant: str = "base"
    seats: int = 3
    seed: int = 1
    failures: Mapping[int, Failure] = field(default_factory=dict)
    game: str = "party-bugs"


def played(wanted: Wanted = Wanted()) -> MatchResult:
    """A match of random bots that ended as a referee would have ended it."""
    game = games.load(wanted.game)
    options = game.variants()[wanted.variant]
    root = seeded(wanted.seed)
    state = game.setup(options, wanted.seats, root.fork("game"))
    entrants = tuple(Entrant(f"bot-{seat}", f"{seat:064x}") for seat in range(wanted.seats))
    spec = MatchSpec(new_match_id(), game.name, game.plain_options(options), entrants, wanted.seed, CLOCK)
    decisions: list[Decided] = []
    luck = random.Random(wanted.seed)
    while acting := state.to_act():
        moment = [_decided(wanted, state, seat, decisions, luck) for seat in acting]
        state.apply({one.seat: one.action for one in moment})
        decisions += moment
    outcome = state.outcome()
    faults = tuple(
        Fault(failure.kind, seat, failure.decision, f"seat {seat + 1} was told to fail")
        for seat, failure in wanted.failures.items()
    )
    places = final_places(outcome.places, set(wanted.failures))
    return MatchResult(spec, tuple(decisions), places, tuple(outcome.scores), faults, tuple(outcome.remarks))


def _decided(wanted: Wanted, state: Any, seat: int, so_far: list[Decided], luck: random.Random) -> Decided:
    number = sum(one.seat == seat for one in so_far)
    legal, failure = state.legal_actions(seat), wanted.failures.get(seat)
    if failure is None or number < (failure.decision or 0):
        return Decided(seat, luck.choice(legal), luck.randrange(200, 12_000))
    micros = failure.micros if number == (failure.decision or 0) else 0
    return Decided(seat, substitute_action(seeded(wanted.seed), seat, number, legal), micros, substitute=True)
