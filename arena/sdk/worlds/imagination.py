"""The worlds that a bot has asked for: sampled from its observation, stepped, and played to their end.

It knows the rules and what the bot hands in, never the true state: what it makes up cannot be cheating.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from google.protobuf.any_pb2 import Any as Packed

from arena import games
from arena.engine.contract import State
from arena.engine.playout import playout
from arena.engine.rng import Rng, seeded
from arena.wire.v1 import world_service_pb2 as wire

MOST_SAMPLES: Final = 1_000  # worlds in one call
MOST_PLAYOUTS: Final = 100_000  # ends in one call
MOST_WORLDS: Final = 10_000  # that are remembered

_PACKAGES: Final = {games.codec(name).observation_type: name for name in games.names()}


class Misasked(ValueError):
    """A request that makes no sense, with a sentence for the bot's author."""


@dataclass(frozen=True)
class _World:
    """A state that could be the true one, and how it is told."""

    game: str
    state: State[Any]


class Imagination:
    """All worlds of one bot, by their handles."""

    def __init__(self, most: int = MOST_WORLDS) -> None:
        self._worlds: dict[int, _World] = {}  # the oldest first
        self._most = most
        self._handles = 0  # given so far

    def sample(self, request: wire.SampleRequest) -> wire.SampleResponse:
        """New worlds that agree with an observation."""
        if not 1 <= request.worlds <= MOST_SAMPLES:
            raise Misasked(f"worlds: expected 1 to {MOST_SAMPLES}, got {request.worlds}")
        name = _game_of(request.observation)
        game, luck = games.load(name), seeded(request.seed)
        observation = _observation(name, request.observation)
        response = wire.SampleResponse()
        for number in range(request.worlds):
            world = _World(name, game.determinize(observation, luck.fork(f"world {number}")))
            response.worlds.append(_told(self._keep(world), world, request.details))
        return response

    def step(self, request: wire.StepRequest) -> wire.StepResponse:
        """Worlds after some seats have acted."""
        response = wire.StepResponse()
        for step in request.steps:
            world, handle = self._world(step.handle), step.handle
            actions = _actions(world.state, step.actions, seeded(step.seed))
            if step.copy:
                world = _World(world.game, world.state.clone())
                handle = self._keep(world)
            world.state.apply(actions)
            response.worlds.append(_told(handle, world, request.details))
        return response

    def playout(self, request: wire.PlayoutRequest) -> wire.PlayoutResponse:
        """The average end of worlds that are played on at random; they stay as they are."""
        times = request.playouts or 1
        worlds = len(request.handles)
        if not 1 <= worlds * times <= MOST_PLAYOUTS:
            raise Misasked(f"expected 1 to {MOST_PLAYOUTS} playouts at once, got {times} for each of {worlds} worlds")
        luck, total = seeded(request.seed), _Total()
        for number, handle in enumerate(request.handles):
            world = self._world(handle)
            for again in range(times):
                total.add(_played_out(world.state, request.actions, luck.fork(f"{number} {again}")))
        return total.average()

    def release(self, request: wire.ReleaseRequest) -> wire.ReleaseResponse:
        """Forget worlds; those that are gone already do not matter."""
        for handle in list(request.handles or self._worlds):
            self._worlds.pop(handle, None)
        return wire.ReleaseResponse()

    def _keep(self, world: _World) -> int:
        self._handles += 1
        self._worlds[self._handles] = world
        if len(self._worlds) > self._most:
            del self._worlds[next(iter(self._worlds))]
        return self._handles

    def _world(self, handle: int) -> _World:
        if handle not in self._worlds:
            raise Misasked(f"expected the handle of a world that is remembered, got {handle}")
        return self._worlds[handle]


class _Total:
    """Places and scores added up, by seat."""

    def __init__(self) -> None:
        self._places: list[int] = []
        self._scores: list[int] = []
        self._count = 0

    def add(self, outcome: wire.Outcome) -> None:
        self._places = _sum(self._places, outcome.places)
        self._scores = _sum(self._scores, outcome.scores)
        self._count += 1

    def average(self) -> wire.PlayoutResponse:
        return wire.PlayoutResponse(
            places=[number / self._count for number in self._places],
            scores=[number / self._count for number in self._scores],
            playouts=self._count,
        )


def _sum(total: list[int], numbers: Sequence[int]) -> list[int]:
    if total and len(total) != len(numbers):
        raise Misasked(f"expected worlds with {len(total)} seats, as the first one has, got one with {len(numbers)}")
    return [one + other for one, other in zip(total or [0] * len(numbers), numbers, strict=True)]


def _game_of(packed: Packed) -> str:
    if packed.type_url not in _PACKAGES:
        raise Misasked(f"observation: expected one of {', '.join(_PACKAGES)}, got {packed.type_url[:100]!r}")
    return _PACKAGES[packed.type_url]


def _observation(game: str, packed: Packed) -> Any:
    try:
        return games.codec(game).decode_observation(packed.value)[0]
    except ValueError as error:
        raise Misasked(f"observation: {error}") from None


def _actions(state: State[Any], given: Iterable[wire.SeatAction], luck: Rng) -> dict[int, int]:
    """An action for every seat to act: the one given, else any."""
    chosen = {one.seat: one.action_index for one in given}
    if surplus := sorted({*chosen} - {*state.to_act()}):
        raise Misasked(f"expected actions of seats that are to act ({_seats(state)}), got one of seat {surplus[0]}")
    actions: dict[int, int] = {}
    for seat in state.to_act():
        legal = state.legal_actions(seat)
        index = chosen.get(seat)
        if index is not None and index >= len(legal):
            raise Misasked(f"expected an index from 0 to {len(legal) - 1} for seat {seat}, got {index}")
        actions[seat] = luck.choice(legal) if index is None else legal[index]
    if not actions:
        raise Misasked("expected a world that is not over, got one in which nobody is to act")
    return actions


def _seats(state: State[Any]) -> str:
    return ", ".join(map(str, state.to_act())) or "none"


def _played_out(world: State[Any], given: Iterable[wire.SeatAction], luck: Rng) -> wire.Outcome:
    state = world.clone()
    if state.to_act() or given:
        state.apply(_actions(state, given, luck.fork("first")))
    playout(state, luck.fork("later"))
    return _outcome(state)


def _outcome(state: State[Any]) -> wire.Outcome:
    ended = state.outcome()
    return wire.Outcome(places=ended.places, scores=ended.scores)


def _told(handle: int, world: _World, details: wire.Details) -> wire.World:
    state, acting = world.state, world.state.to_act()
    legal = [state.legal_actions(seat) for seat in acting]
    told = wire.World(handle=handle, to_act=acting, legal_actions=map(len, legal))
    if details.observations:
        codec = games.codec(world.game)
        for seat, actions in zip(acting, legal, strict=True):
            value = codec.encode_observation(state.observe(seat), actions, [])
            told.observations.add(type_url=codec.observation_type, value=value)
    if details.dump:
        told.dump = json.dumps(state.dump())
    if not acting:
        told.outcome.CopyFrom(_outcome(state))
    return told
