"""Imagined worlds against all that fit, enumerated from what the seat saw: none missing, all as likely (P36)."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from math import sqrt
from typing import Any

import pytest

from arena.engine.rng import Rng, seeded
from arena.games.party_bugs.codec import CODEC
from arena.games.party_bugs.rules import GAME, PartyBugsState
from arena.games.party_bugs.rules_views import Observation
from arena.games.party_bugs.v1 import party_bugs_pb2 as pb
from tests.games.party_bugs.conservation import pile
from tests.games.party_bugs.worlds import Watcher, World, count, worlds

CASES = [(variant, seats) for variant in GAME.variants() for seats in (2, 3, 4)]
MOST = 200  # worlds of a position
EARLIEST = 8  # before this round there are always more
POSITIONS = 3  # of a case
SAMPLES = 40  # for each world

Imagine = Callable[[Observation, Rng], dict[str, Any]]


@dataclass
class Position:
    """A view, and the worlds that fit it."""

    name: str
    view: Observation
    worlds: list[World]


def positions(variant: str, seats: int, *, only: Callable[[Observation], bool] = lambda _: True) -> Iterator[Position]:
    """Positions of random matches, one of a match, with more than one world and not too many."""
    options = GAME.variants()[variant]
    for seed in range(1000):
        state, rng = GAME.setup(options, seats, seeded(seed)), seeded(seed)
        wanted = rng.below(4)
        while acting := state.to_act():
            fitting = few_worlds(state) if state.round >= EARLIEST and only(state.observe(0)) else []
            if fitting and wanted == 0:
                yield Position(f"{variant}.{seats}p.seed{seed}", state.observe(0), fitting)
                break
            wanted -= len(fitting) > 0
            state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in acting})


def few_worlds(state: PartyBugsState) -> list[World]:
    """The worlds that fit what seat 1 saw, if there are several and not too many."""
    watcher = Watcher(max(3, state.seats))
    watcher.watch(state.events(0, 0))
    few = 1 < count(watcher.table, must=state.options.must) <= MOST
    return worlds(watcher.table, must=state.options.must) if few else []


def imagined(view: Observation, rng: Rng) -> dict[str, Any]:
    """The engine's own answer."""
    return GAME.determinize(view, rng).dump()


def world_of(dump: dict[str, Any]) -> World:
    """Where the unseen cards lie in a state."""
    return tuple(
        (dump["hidden"][player], frozenset(dump["hands"][player]), tuple(pile(dump, player)))
        for player in range(len(dump["decks"]))
    )


def verdict(position: Position, imagine: Imagine) -> str:
    """What is wrong with the imagined worlds, or nothing."""
    rng = seeded(1)
    tally = Counter(world_of(imagine(position.view, rng)) for _ in range(SAMPLES * len(position.worlds)))
    if wrong := set(tally) - set(position.worlds):
        return f"{position.name}: {len(wrong)} of {len(tally)} imagined worlds cannot be"
    if missing := set(position.worlds) - set(tally):
        return f"{position.name}: {len(missing)} of {len(position.worlds)} worlds are never imagined"
    square = sum((tally[world] - SAMPLES) ** 2 / SAMPLES for world in position.worlds)
    limit = chi_square_limit(len(position.worlds) - 1)
    return "" if square < limit else f"{position.name}: chi-square {square:.1f}, expected below {limit:.1f}"


def chi_square_limit(freedom: int) -> float:
    """The value that chance exceeds once in 100,000 (Wilson and Hilferty's approximation)."""
    normal = 4.265
    return freedom * float((1 - 2 / (9 * freedom) + normal * sqrt(2 / (9 * freedom))) ** 3)


@pytest.mark.parametrize(("variant", "seats"), CASES)
def test_imagined_worlds_are_all_that_fit_and_equally_likely(variant: str, seats: int) -> None:
    found = islice(positions(variant, seats), POSITIONS)
    assert [verdict(position, imagined) for position in found] == [""] * POSITIONS


def excludes(view: Observation) -> bool:
    """Whether history alone rules out a value that an opponent's hidden card could have otherwise."""
    others = [player for player in range(1, view.seats) if view.displays[player].hidden]
    return any(set(view.excluded[player]) & set(view.unseen[player]) - {13} for player in others)


@pytest.mark.parametrize("variant", ["hidden-card-must", "hidden-card-must-mirror-series"])
def test_what_only_history_excludes_is_never_imagined(variant: str) -> None:
    found = islice(positions(variant, 3, only=excludes), POSITIONS)
    assert [verdict(position, imagined) for position in found] == [""] * POSITIONS


def test_an_engine_that_forgets_exclusions_is_caught() -> None:
    position = next(positions("hidden-card-must", 3, only=excludes))
    assert "cannot be" in verdict(position, lambda view, rng: imagined(without_exclusions(view), rng))


def without_exclusions(view: Observation) -> Observation:
    message = pb.Observation()
    message.ParseFromString(CODEC.encode_observation(view, [], []))
    for excluded in message.excluded:
        excluded.ClearField("values")
    return CODEC.decode_observation(message.SerializeToString())[0]


def hides_beside_king(view: Observation) -> bool:
    """Whether seat 2 has hidden a card, and its King may lie in the hand or in the pile."""
    return view.displays[1].hidden and 13 in view.unseen[1] and len(view.unseen[1]) > len(view.hand) + 1


def test_an_engine_that_deals_the_hand_first_is_caught() -> None:
    position = next(positions("hidden-card", 3, only=hides_beside_king))
    assert "chi-square" in verdict(position, hand_first)
    assert verdict(position, imagined) == ""


def hand_first(view: Observation, rng: Rng) -> dict[str, Any]:
    """A mutant: seat 2's hand is drawn before its hidden card, which then has fewer cards to be if the King is left."""
    dump, size, cards = imagined(view, rng), len(view.hand), view.unseen[1]
    rng.shuffle(cards)
    hidden = next(card for card in cards[size:] if card != 13)
    rest = [card for card in cards[size:] if card != hidden]
    dump["hands"][1], dump["hidden"][1] = sorted(cards[:size]), hidden
    dump["decks"][1] = [value for value in range(1, 14) if value not in rest] + rest
    return dump


def test_the_check_itself_sees_a_missing_world_and_an_uneven_one() -> None:
    position = next(positions("base", 3))
    assert "never imagined" in verdict(position, lambda view, rng: imagined(view, Rng(7)))
    assert "chi-square" in verdict(position, uneven)


def uneven(view: Observation, rng: Rng) -> dict[str, Any]:
    """A mutant: of two worlds it takes the one that sorts first."""
    first, second = imagined(view, rng), imagined(view, rng)
    return min(first, second, key=lambda dump: str(dump["hands"])) if rng.below(2) else first
