"""Observations of all games, variants and seat counts, and what the Python template makes of each.

Beside those that happened stand changed ones: the actions of one observation with the rest of another. Whoever chooses
from what it sees chooses there what the Python template does; whoever does not look is found out.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from itertools import pairwise
from typing import Any

from google.protobuf import descriptor_pool, message_factory

from tests.conformance.cases import Case, cases
from tests.languages.ready import ROOT

MOMENTS = 5  # of each match


@dataclass(frozen=True)
class Position:
    """A question, as the referee would send it, and the answer of the Python template."""

    case: Case
    seat: int
    data: bytes  # of the observation
    index: int
    like: int | None = None  # the answer to the observation that this one was made of, if it is a changed one

    def __str__(self) -> str:
        return f"{self.case} seat {self.seat} {'changed ' if self.changed else ''}{self.data.hex()[:40]}"

    @property
    def changed(self) -> bool:
        """Whether it never happened."""
        return self.like is not None


@cache
def positions() -> tuple[Position, ...]:
    """All of them, the same in every process."""
    return tuple(position for case in cases() for position in _of(case))


def _of(case: Case) -> Iterator[Position]:
    met = [one for moment in case.sampled("languages", MOMENTS) for one in _met(case, moment.state)]
    yield from met
    for before, after in pairwise(met):
        if before.seat == after.seat or case.seats == 2:
            yield from _changed(before, after)


def _met(case: Case, state: Any) -> Iterator[Position]:
    for seat in list(state.to_act())[:2]:
        if len(state.legal_actions(seat)) > 1:
            data = case.message(state, seat, max(0, len(state.events(seat, 0)) - 4))
            yield Position(case, seat, data, choice(case, data))


def _changed(before: Position, after: Position) -> Iterator[Position]:
    """The actions before with the rest of what is seen after, where the Python template can make sense of it."""
    case = before.case
    mixed = observation(case, after.data)
    del mixed.legal_actions[:]
    mixed.legal_actions.extend(observation(case, before.data).legal_actions)
    data = mixed.SerializeToString(deterministic=True)
    try:
        index = choice(case, data)
    except (IndexError, ValueError):
        return
    yield Position(case, after.seat, data, index, before.index)


def observation(case: Case, data: bytes) -> Any:
    """The typed message."""
    kind = descriptor_pool.Default().FindMessageTypeByName(case.codec.observation_type.rpartition("/")[2])
    return message_factory.GetMessageClass(kind).FromString(data)


def choice(case: Case, data: bytes) -> int:
    """What the Python template answers."""
    index: int = _strategy().choose(case.name, observation(case, data))
    return index


@cache
def _strategy() -> Any:
    spec = spec_from_file_location("strategy_of_the_template", ROOT / "agents" / "templates" / "python" / "strategy.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
