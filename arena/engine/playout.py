"""Matches played at random to their end, inside compiled code: for benchmarks and tests."""

from typing import TypeVar

from mypy_extensions import i64

from arena.engine.contract import State
from arena.engine.rng import Rng

O = TypeVar("O")  # noqa: E741 - the letter of the contract


class Playout:
    """What a playout came to."""

    def __init__(self) -> None:
        self.applies: i64 = 0
        self.decisions: i64 = 0
        self.observations: i64 = 0


def playout(state: State[O], rng: Rng, *, observe: bool = False) -> Playout:
    """Plays the state to its end, all legal actions equally likely; `observe` builds each decision's view."""
    counts = Playout()
    acting = state.to_act()
    while acting:
        actions: dict[int, int] = {}
        for seat in acting:
            if observe:
                state.observe(seat)
                counts.observations += 1
            actions[seat] = rng.choice(state.legal_actions(seat))
        counts.applies += 1
        counts.decisions += len(acting)
        state.apply(actions)
        acting = state.to_act()
    return counts
