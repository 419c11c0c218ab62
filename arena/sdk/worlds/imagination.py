"""The worlds that a bot has asked for: sampled from its observation, stepped, and played to their end.

It knows the rules and what the bot hands in, never the true state: what it makes up cannot be cheating. A request
that makes no sense changes nothing.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import add
from typing import Any, Final

from google.protobuf.any_pb2 import Any as Packed

from arena import games
from arena.engine.contract import Outcome, State
from arena.engine.playout import playout
from arena.engine.rng import Rng, seeded
from arena.wire.v1 import world_service_pb2 as wire

MOST_AT_ONCE: Final = 1_000  # worlds in one answer
MOST_PLAYOUTS: Final = 100_000  # ends in one call
MOST_WORLDS: Final = 10_000  # that are remembered

# By the type of its observations. Spelled out, since importing five codecs would double a bot's start-up time.
_GAMES: Final = {
    f"type.googleapis.com/arena.games.{games.package(name)}.v1.Observation": name for name in games.names()
}


class Misasked(ValueError):
    """A request that makes no sense, with a sentence for the bot's author."""


@dataclass(frozen=True)
class _World:
    """A state that could be the true one, and whose rules it follows."""

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
        _check_count("worlds", request.worlds, MOST_AT_ONCE)
        name, luck = _game_of(request.observation), seeded(request.seed)
        forks = (luck.fork(f"world {number}") for number in range(request.worlds))
        drawn = [_World(name, state) for state in _imagined(name, request.observation.value, forks)]
        told = [_told(self._handles + number, world, request.details) for number, world in enumerate(drawn, 1)]
        for world in drawn:
            self._keep(world)
        return wire.SampleResponse(worlds=told)

    def step(self, request: wire.StepRequest) -> wire.StepResponse:
        """Worlds after some seats have acted."""
        _check_count("steps", len(request.steps), MOST_AT_ONCE)
        after = dict[int, _World]()  # kept once all is well
        copies, told = list[_World](), list[wire.World]()
        for step in request.steps:
            before = after.get(step.handle) or self._world(step.handle)
            world, handle = _World(before.game, before.state.clone()), step.handle
            world.state.apply(_actions(world.state, step.actions, seeded(step.seed)))
            if step.copy:
                copies.append(world)
                handle = self._handles + len(copies)
            else:
                after[handle] = world
            told.append(_told(handle, world, request.details))
        self._worlds.update(after)
        for world in copies:
            self._keep(world)
        return wire.StepResponse(worlds=told)

    def playout(self, request: wire.PlayoutRequest) -> wire.PlayoutResponse:
        """The average end of worlds that are played on at random; they stay as they are."""
        worlds, times = [self._world(handle) for handle in request.handles], request.playouts or 1
        if not 1 <= len(worlds) * times <= MOST_PLAYOUTS:
            raise Misasked(
                f"playouts: expected 1 to {MOST_PLAYOUTS} at once, got {times} for each of {len(worlds)} worlds"
            )
        if len(names := sorted({world.game for world in worlds})) > 1:
            raise Misasked(f"handles: expected worlds of one game, got some of {' and some of '.join(names)}")
        luck, total = seeded(request.seed), _Total()
        for number, world in enumerate(worlds):
            named = _named(world.state, request.actions)
            for again in range(times):
                total.add(_played_out(world.state, named, luck.fork(f"{number} {again}")))
        return total.average()

    def release(self, request: wire.ReleaseRequest) -> wire.ReleaseResponse:
        """Forget worlds; those that are gone already do not matter."""
        for handle in list(request.handles or self._worlds):
            self._worlds.pop(handle, None)
        return wire.ReleaseResponse()

    def _keep(self, world: _World) -> None:
        self._handles += 1
        self._worlds[self._handles] = world
        if len(self._worlds) > self._most:
            del self._worlds[next(iter(self._worlds))]

    def _world(self, handle: int) -> _World:
        if handle not in self._worlds:
            raise Misasked(f"handle: expected one of a world that is remembered, got {handle}")
        return self._worlds[handle]


class _Total:
    """Places and scores added up, by seat."""

    def __init__(self) -> None:
        self._places: list[int] = []
        self._scores: list[int] = []
        self._count = 0

    def add(self, outcome: Outcome) -> None:
        if self._count and len(outcome.places) != len(self._places):
            seats = f"{len(self._places)} seats, as the first one, got one with {len(outcome.places)}"
            raise Misasked(f"handles: expected worlds with {seats}")
        self._places = list(map(add, self._places, outcome.places)) if self._count else outcome.places
        self._scores = list(map(add, self._scores, outcome.scores)) if self._count else outcome.scores
        self._count += 1

    def average(self) -> wire.PlayoutResponse:
        return wire.PlayoutResponse(
            places=[number / self._count for number in self._places],
            scores=[number / self._count for number in self._scores],
            playouts=self._count,
        )


def _check_count(what: str, count: int, most: int) -> None:
    if not 1 <= count <= most:
        raise Misasked(f"{what}: expected 1 to {most}, got {count}")


# Observations to worlds


def _game_of(packed: Packed) -> str:
    if packed.type_url not in _GAMES:
        raise Misasked(f"observation: expected a type among {', '.join(_GAMES)}, got {packed.type_url[:100]!r}")
    return _GAMES[packed.type_url]


def _imagined(name: str, data: bytes, forks: Iterable[Rng]) -> list[State[Any]]:
    """A world for each fork; the first shows whether there are any."""
    game, codec = games.load(name), games.codec(name)
    try:
        seen, legal, _ = codec.decode_observation(data)
    except ValueError as error:
        raise Misasked(f"observation: {error}") from None
    try:
        states = [game.determinize(seen, luck) for luck in forks]
        first, seat = states[0], seen.seat
        again = codec.encode_observation(first.observe(seat), first.legal_actions(seat), [])
        fits = again == codec.encode_observation(seen, legal, [])
    except Exception:  # noqa: BLE001 - whatever the rules make of something that never was
        fits, states = False, []
    if not fits:
        raise Misasked("observation: expected one as the referee sent it, got one that no world fits")
    return states


# Actions


def _named(state: State[Any], given: Iterable[wire.SeatAction]) -> dict[int, int]:
    """The actions that were asked for, by seat, in the order in which they were named."""
    acting, named = state.to_act(), dict[int, int]()
    seats = Counter(one.seat for one in given)
    for one in given:
        if one.seat not in acting:
            raise Misasked(f"seat: expected one that is to act ({_listed(acting)}), got {one.seat}")
        if seats[one.seat] > 1:
            raise Misasked(f"actions: expected one for each seat, got {seats[one.seat]} for seat {one.seat}")
        legal = state.legal_actions(one.seat)
        if one.action_index >= len(legal):
            raise Misasked(f"action_index: expected 0 to {len(legal) - 1} for seat {one.seat}, got {one.action_index}")
        named[one.seat] = legal[one.action_index]
    return named


def _actions(state: State[Any], given: Iterable[wire.SeatAction], luck: Rng) -> dict[int, int]:
    """An action for every seat to act: the one given, else any."""
    named = _named(state, given)
    if not state.to_act():
        raise Misasked("handle: expected one of a world that is not over, got one in which nobody is to act")
    return _completed(state, named, luck)


def _completed(state: State[Any], named: Mapping[int, int], luck: Rng) -> dict[int, int]:
    # Those that are named come first, as they were named: where the order of arrival counts, that is their order.
    actions = dict(named)
    for seat in state.to_act():
        if seat not in actions:
            actions[seat] = luck.choice(state.legal_actions(seat))
    return actions


def _listed(seats: Sequence[int]) -> str:
    return ", ".join(map(str, seats)) or "none is"


# Worlds to answers


def _played_out(world: State[Any], named: Mapping[int, int], luck: Rng) -> Outcome:
    state = world.clone()
    if named:
        state.apply(_completed(state, named, luck))
    playout(state, luck)
    return state.outcome()


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
        ended = state.outcome()
        told.outcome.places.extend(ended.places)
        told.outcome.scores.extend(ended.scores)
    return told
