"""Every game x variant x seat count that is here, found and not listed, and the ways to play through one.

A game brings three small files for these tests, in tests/games/<game>/: conservation.py, luck.py, secrecy.py.
"""

import importlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Protocol, cast

import pytest

from arena import games
from arena.engine.contract import Game, State
from arena.engine.rng import Rng, seeded

SEEDS = int(os.environ.get("ARENA_CONFORMANCE_SEEDS", "1"))  # how many matches stand for one case

Dump = dict[str, Any]
Choose = Callable[[State[Any], Rng], dict[int, int]]


class Conservation(Protocol):
    """tests/games/<game>/conservation.py: nothing is lost, nothing is there twice."""

    def check(self, dump: Dump) -> None:
        """Raises AssertionError if a card, tile or die is missing or doubled in this state."""


class Luck(Protocol):
    """tests/games/<game>/luck.py: what the players' choices must not change."""

    def drawn(self, dump: Dump) -> dict[str, list[Any]]:
        """All luck that has shown itself so far, in order, by what it was drawn for."""


class Secrecy(Protocol):
    """tests/games/<game>/secrecy.py: what a seat may see, told from the rulebook and not from the engine."""

    def visible(self, dump: Dump, seat: int) -> Any:
        """What lies open to this seat on the table; nothing of who is asked, which must follow from it."""

    def swap(self, dump: Dump, seat: int, rng: Rng) -> Dump | None:
        """Another state that this seat cannot tell from this one, as near as can be; None if there is none."""


@dataclass(frozen=True)
class Case:
    """One match of one game, variant and seat count; its text replays a failure."""

    name: str
    variant: str
    seats: int
    seed: int
    game: Game[Any, Any, Any] = field(repr=False)
    codec: Any = field(repr=False)

    def __str__(self) -> str:
        return f"{self.name}.{self.variant}.{self.seats}p.seed{self.seed}"

    @property
    def options(self) -> Any:
        return self.game.variants()[self.variant]

    @property
    def conservation(self) -> Conservation:
        return cast("Conservation", self._part("conservation"))

    @property
    def luck(self) -> Luck:
        return cast("Luck", self._part("luck"))

    @property
    def secrecy(self) -> Secrecy:
        return cast("Secrecy", self._part("secrecy"))

    def start(self, seed: int | None = None) -> State[Any]:
        """The match as a referee sets it up."""
        root = seeded(self.seed if seed is None else seed)
        return self.game.setup(self.options, self.seats, root.fork("game"))

    def rng(self, purpose: str) -> Rng:
        """Luck for a test's own choices."""
        return seeded(self.seed).fork(f"test {purpose}")

    def walk(self, purpose: str = "play", choose: "Choose | None" = None) -> Iterator["Moment"]:
        """A match from its first decision to its end; the state goes on, so clone it to keep it."""
        state, rng = self.start(), self.rng(purpose)
        for applied in count():
            yield Moment(self, applied, state)
            if not state.to_act():
                return
            state.apply((choose or at_random)(state, rng))

    def final(self, purpose: str = "play", choose: "Choose | None" = None) -> State[Any]:
        """The state at the end of a match."""
        return list(self.walk(purpose, choose))[-1].state

    def sampled(self, purpose: str, wanted: int) -> Iterator["Moment"]:
        """Some moments of a match, about `wanted` of them, spread evenly, the first and the last included."""
        length = sum(1 for _ in self.walk(purpose))
        step = max(1, length // wanted)
        for moment in self.walk(purpose):
            if moment.applied % step == 0 or moment.applied == length - 1:
                yield moment

    def generator(self) -> str:
        """The name under which a dump holds the generator's key."""
        root = seeded(self.seed).fork("game").key
        found = [name for name, value in self.start().dump().items() if value in (root, f"{root:032x}")]
        assert len(found) == 1, f"{self}: expected the generator's key once in the dump, got it as {found}"
        return found[0]

    def dealt(self, state: State[Any]) -> Dump:
        """What is dealt in a state: its dump without the generator."""
        generator = self.generator()
        return {name: value for name, value in state.dump().items() if name != generator}

    def message(self, state: State[Any], seat: int, since: int = 0) -> bytes:
        """What the wire would tell this seat now."""
        legal, events = state.legal_actions(seat), state.events(seat, since)
        return cast("bytes", self.codec.encode_observation(state.observe(seat), legal, events))

    def messages(self, state: State[Any]) -> list[bytes]:
        """What the wire would tell every seat, with all events from the beginning."""
        return [self.message(state, seat) for seat in range(self.seats)]

    def _part(self, part: str) -> Any:
        return importlib.import_module(f"tests.games.{games.package(self.name)}.{part}")


@dataclass(frozen=True)
class Moment:
    """A match at one of its decisions, or at its end; its text says where."""

    case: Case
    applied: int
    state: State[Any]

    def __str__(self) -> str:
        return f"{self.case} after {self.applied} applies"


def at_random(state: State[Any], rng: Rng) -> dict[int, int]:
    """Any legal action of each seat."""
    return {seat: rng.choice(state.legal_actions(seat)) for seat in state.to_act()}


def always_first(state: State[Any], rng: Rng) -> dict[int, int]:
    """The first legal action of each seat."""
    return {seat: state.legal_actions(seat)[0] for seat in state.to_act()}


def always_last(state: State[Any], rng: Rng) -> dict[int, int]:
    """The last legal action of each seat."""
    return {seat: state.legal_actions(seat)[-1] for seat in state.to_act()}


def cases(seeds: int = 1) -> list[Case]:
    """Every case that is here, with the seeds 1, 2, ..."""
    return [
        Case(name, variant, seats, seed, games.load(name), games.codec(name))
        for name in games.names()
        for variant in games.load(name).variants()
        for seats in games.load(name).seat_counts()
        for seed in range(1, 1 + seeds)
    ]


def each_case(seeds: int = 1) -> pytest.MarkDecorator:
    """Runs a test for every case, with so many seeds for each, times ARENA_CONFORMANCE_SEEDS."""
    return pytest.mark.parametrize("case", cases(seeds * SEEDS), ids=str)


def each_game() -> pytest.MarkDecorator:
    """Runs a test for every game."""
    return pytest.mark.parametrize("name", games.names())


def through_json(data: Any) -> Any:
    """The data as it comes back from a file."""
    return json.loads(json.dumps(data))


def refuses(expected: type[Exception], what: str, call: Callable[[], object]) -> None:
    """Fails unless the call raises the expected error, with words in it."""
    try:
        call()
    except expected as error:
        words = str(error).strip()
    else:
        raise AssertionError(f"{what}: expected {expected.__name__}, got none")
    assert words, f"{what}: refused without a word"
