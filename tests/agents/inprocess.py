"""Bots as functions in this process: loaded from their folders, asked through the same messages as over the wire."""

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from arena import games
from arena.engine.contract import Outcome, State
from arena.engine.rng import seeded
from arena.sdk import Choose, Turn
from arena.sdk.turn import Match
from arena.wire.v1 import referee_service_pb2 as wire

BASELINES = Path(__file__).parent.parent.parent / "agents" / "baselines"


def load(name: str) -> ModuleType:
    """A fresh module of a baseline's bot.py."""
    spec = importlib.util.spec_from_file_location(f"baseline_{name.replace('-', '_')}", BASELINES / name / "bot.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def choose_of(name: str, worlds: int | None = None) -> Choose:
    """A baseline's function, perhaps with fewer worlds than it usually imagines."""
    module = load(name)
    if worlds is not None and hasattr(module, "WORLDS"):
        vars(module)["WORLDS"] = worlds
    choose: Choose = module.choose
    return choose


def matches(game: str, options: Any, seats: int, seed: int) -> list[Match]:
    """What each seat's bot learns when a match starts."""
    value = games.codec(game).encode_options(options)
    started = [
        wire.MatchStarted(match_id="m", game=game, seat=seat, seats=seats, seed=seed * 100 + seat)
        for seat in range(seats)
    ]
    for each in started:
        each.options.value = value
    return [Match(each) for each in started]


def turn(match: Match, state: State[Any], decision: int = 0) -> Turn:
    """The question that the referee would send now."""
    request = wire.DecisionRequested(match_id="m", decision=decision)
    view, legal = state.observe(match.seat), state.legal_actions(match.seat)
    request.observation.value = match.codec.encode_observation(view, legal, [])
    return Turn(match, request)


def play(game: str, options: Any, bots: Sequence[Choose], seed: int) -> tuple[Outcome, list[dict[int, int]]]:
    """A whole match: its outcome and all actions. An illegal action is an error of `apply`."""
    seated = matches(game, options, len(bots), seed)
    state = games.load(game).setup(options, len(bots), seeded(seed).fork("game"))
    counts, history = [0] * len(bots), []
    while acting := state.to_act():
        actions = {seat: bots[seat](turn(seated[seat], state, counts[seat])) for seat in acting}
        for seat in acting:
            counts[seat] += 1
        state.apply(actions)
        history.append(actions)
    return state.outcome(), history
