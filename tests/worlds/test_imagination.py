"""Imagined worlds: they look to their seat as the true one does, and follow the rules from there."""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as Packed

from arena import games
from arena.engine.contract import State
from arena.engine.rng import seeded
from arena.games.lunar_laser_frogs.codes import Throw, coded
from arena.games.lunar_laser_frogs.rules import GAME
from arena.sdk.worlds.imagination import MOST_WORLDS, Imagination, Misasked
from arena.wire.v1 import world_service_pb2 as wire
from tests.conformance.cases import Case, Moment, cases, each_case, each_game
from tests.games.lunar_laser_frogs.positions import ARRIVAL, GREY, begun, pile
from tests.worlds.questions import EVERYTHING, named, sampled, seen, view

MOMENTS = 3  # of each match, and its end


def moments(case: Case) -> Iterator[Moment]:
    """Some moments of a match with somebody to act."""
    return (moment for moment in case.sampled("worlds", MOMENTS) if moment.state.to_act())


def halfway(case: Case) -> Moment:
    """The moment in the middle of a match."""
    length = sum(1 for _ in case.walk("worlds"))
    return next(islice(case.walk("worlds"), length // 2, None))


def middle(name: str) -> Moment:
    """The middle of a match of four, or as near as can be."""
    return halfway(min((case for case in cases() if case.name == name), key=lambda case: abs(case.seats - 4)))


def loaded(case: Case, world: wire.World) -> State[Any]:
    return case.game.load(json.loads(world.dump))


# Sample


@each_case()
def test_worlds_look_to_their_seat_as_the_true_one(case: Case) -> None:
    imagination = Imagination()
    for moment in case.sampled("worlds", MOMENTS):
        for seat in range(case.seats):
            true, acting = view(case, moment.state, seat), list(moment.state.to_act())
            for world in sampled(imagination, seen(case, moment.state, seat), worlds=2):
                assert list(world.to_act) == acting
                assert view(case, loaded(case, world), seat) == true, moment
                if seat in acting:
                    shown = world.observations[acting.index(seat)]
                    assert (shown.type_url, shown.value) == (case.codec.observation_type, true)
                    assert world.legal_actions[acting.index(seat)] == len(moment.state.legal_actions(seat))


@each_case()
def test_a_world_that_is_over_tells_how_it_ended(case: Case) -> None:
    state = case.final("worlds")
    for seat in range(case.seats):
        (world,) = sampled(Imagination(), seen(case, state, seat))
        assert list(world.to_act) == list(world.legal_actions) == list(world.observations) == []
        assert (list(world.outcome.places), list(world.outcome.scores)) == (
            state.outcome().places,
            state.outcome().scores,
        )


@each_game()
def test_the_seed_decides_which_worlds(name: str) -> None:
    moment = middle(name)
    observation = seen(moment.case, moment.state, moment.state.to_act()[0])
    worlds, again = (sampled(Imagination(), observation, worlds=8, seed=5) for _ in range(2))
    assert worlds == again
    assert len({world.dump for world in worlds}) == 8
    others = sampled(Imagination(), observation, worlds=8, seed=6)
    assert {world.dump for world in others}.isdisjoint(world.dump for world in worlds)
    # The first ones do not depend on how many there are.
    assert sampled(Imagination(), observation, worlds=3, seed=5) == worlds[:3]


def test_only_what_is_asked_for_is_told() -> None:
    moment = middle("party-bugs")
    observation = seen(moment.case, moment.state, 0)
    (world,) = Imagination().sample(wire.SampleRequest(observation=observation, worlds=1)).worlds
    assert (world.dump, list(world.observations)) == ("", [])
    assert list(world.to_act) == list(moment.state.to_act())


def test_news_say_nothing_of_the_world() -> None:
    """A bot may hand in what it got, or the same without `events`."""
    moment = middle("bugs-on-rugs")
    observation = seen(moment.case, moment.state, 0)
    worlds = sampled(Imagination(), observation)
    observation.value = view(moment.case, moment.state, 0)
    assert sampled(Imagination(), observation) == worlds


# Step


@each_case()
def test_a_step_is_what_the_rules_make_of_it(case: Case) -> None:
    for moment in moments(case):
        imagination, luck = Imagination(), case.rng(f"steps {moment.applied}")
        (world,) = sampled(imagination, seen(case, moment.state, moment.state.to_act()[0]))
        true = loaded(case, world)
        for copy in (True, False):
            legal = {seat: true.legal_actions(seat) for seat in world.to_act}
            indexes = {seat: int(luck.below(len(codes))) for seat, codes in legal.items()}
            step = wire.Step(handle=world.handle, actions=named(indexes), copy=copy)
            (after,) = imagination.step(wire.StepRequest(steps=[step], details=EVERYTHING)).worlds
            expected = true.clone()
            expected.apply({seat: legal[seat][index] for seat, index in indexes.items()})
            assert json.loads(after.dump) == json.loads(json.dumps(expected.dump())), moment
            assert list(after.to_act) == list(expected.to_act())
            assert [one.value for one in after.observations] == [view(case, expected, seat) for seat in after.to_act]
            assert (after.handle == world.handle) is not copy


@each_game()
def test_seats_that_are_not_named_act_at_random(name: str) -> None:
    moment = middle(name)
    imagination = Imagination()
    (world,) = sampled(imagination, seen(moment.case, moment.state, moment.state.to_act()[0]))

    def stepped(seed: int, actions: list[wire.SeatAction]) -> str:
        step = wire.Step(handle=world.handle, actions=actions, copy=True, seed=seed)
        return imagination.step(wire.StepRequest(steps=[step], details=EVERYTHING)).worlds[0].dump

    true = loaded(moment.case, world)
    for seed in range(20):
        for first in ({}, {world.to_act[0]: 0}):
            luck, after = seeded(seed), true.clone()
            legal = {seat: true.legal_actions(seat) for seat in world.to_act}
            after.apply({seat: codes[0] if seat in first else luck.choice(codes) for seat, codes in legal.items()})
            assert json.loads(stepped(seed, named(first))) == json.loads(json.dumps(after.dump()))
    assert len({stepped(seed, []) for seed in range(20)}) > 1


@pytest.mark.parametrize("order", [(1, 2, 3), (2, 3, 1), (3, 2, 1)])
def test_actions_count_in_the_order_in_which_they_are_named(order: tuple[int, ...]) -> None:
    """Where a match says that the order of answers counts, a search can try each order."""
    codec = games.codec("lunar-laser-frogs")
    state = begun(4, options=ARRIVAL)
    value = codec.encode_observation(state.observe(1), state.legal_actions(1), [])
    imagination = Imagination()
    (world,) = sampled(imagination, Packed(type_url=codec.observation_type, value=value))
    grey = {seat: state.legal_actions(seat).index(coded(Throw((GREY,)))) for seat in order}
    request = wire.StepRequest(steps=[wire.Step(handle=world.handle, actions=named(grey))], details=EVERYTHING)
    after = GAME.load(json.loads(imagination.step(request).worlds[0].dump))
    assert [seat for seat, _, _ in pile(after, 0)] == list(order)


def test_a_world_can_be_stepped_twice_in_one_call() -> None:
    moment = middle("lucky-numbers")
    observation = seen(moment.case, moment.state, moment.state.to_act()[0])
    one, two = Imagination(), Imagination()
    (world,), _ = sampled(one, observation), sampled(two, observation)
    steps = [wire.Step(handle=world.handle, seed=seed) for seed in range(3)]
    at_once = one.step(wire.StepRequest(steps=steps, details=EVERYTHING)).worlds
    singly = [two.step(wire.StepRequest(steps=[step], details=EVERYTHING)).worlds[0] for step in steps]
    assert list(at_once) == singly


# Playout


@each_case()
def test_a_playout_is_the_average_of_steps_with_the_same_luck(case: Case) -> None:
    moment, imagination = halfway(case), Imagination()
    worlds = sampled(imagination, seen(case, moment.state, moment.state.to_act()[0]), worlds=2)
    handles, first = [world.handle for world in worlds], {worlds[0].to_act[0]: worlds[0].legal_actions[0] - 1}
    request = wire.PlayoutRequest(handles=handles, actions=named(first), playouts=2, seed=9)
    told = imagination.playout(request)
    ends = [
        by_hand(imagination, world, first, f"{number} {again}")
        for number, world in enumerate(worlds)
        for again in range(2)
    ]
    assert told.playouts == len(ends) == 4
    assert list(told.places) == [sum(column) / 4 for column in zip(*(end.places for end in ends), strict=True)]
    assert list(told.scores) == [sum(column) / 4 for column in zip(*(end.scores for end in ends), strict=True)]
    assert imagination.playout(request) == told  # the worlds are as they were


def by_hand(imagination: Imagination, world: wire.World, first: dict[int, int], label: str) -> wire.Outcome:
    """Play a copy to its end, step by step; a playout draws in the same order."""
    luck, chosen, copy = seeded(9).fork(label), first, True
    while world.to_act:
        counts = dict(zip(world.to_act, world.legal_actions, strict=True))
        indexes = {seat: chosen[seat] if seat in chosen else int(luck.below(count)) for seat, count in counts.items()}
        step = wire.Step(handle=world.handle, actions=named(indexes), copy=copy)
        (world,) = imagination.step(wire.StepRequest(steps=[step])).worlds
        chosen, copy = {}, False
    return world.outcome


@each_game()
def test_a_playout_of_a_world_that_is_over_is_its_outcome(name: str) -> None:
    case = next(case for case in cases() if case.name == name)
    imagination, state = Imagination(), case.final("worlds")
    (world,) = sampled(imagination, seen(case, state, 0))
    told = imagination.playout(wire.PlayoutRequest(handles=[world.handle], playouts=3))
    assert (list(told.places), list(told.scores)) == (state.outcome().places, state.outcome().scores)


# What is remembered


def test_the_oldest_worlds_are_forgotten() -> None:
    moment = middle("party-bugs")
    observation, imagination = seen(moment.case, moment.state, 0), Imagination()
    handles = [
        world.handle
        for seed in range(MOST_WORLDS // 1_000)
        for world in imagination.sample(wire.SampleRequest(observation=observation, worlds=1_000, seed=seed)).worlds
    ]
    assert len(set(handles)) == MOST_WORLDS
    assert imagination.playout(wire.PlayoutRequest(handles=handles)).playouts == MOST_WORLDS
    step = wire.Step(handle=handles[5], copy=True)
    imagination.step(wire.StepRequest(steps=[step]))
    with pytest.raises(Misasked, match=f"handle: expected one of a world that is remembered, got {handles[0]}$"):
        imagination.playout(wire.PlayoutRequest(handles=handles[:1]))
    assert imagination.playout(wire.PlayoutRequest(handles=handles[1:])).playouts == MOST_WORLDS - 1


def test_released_worlds_are_gone() -> None:
    moment = middle("party-bugs")
    imagination = Imagination()
    one, two, three = (world.handle for world in sampled(imagination, seen(moment.case, moment.state, 0), worlds=3))
    imagination.release(wire.ReleaseRequest(handles=[two, 77]))  # what is gone already does not matter
    imagination.playout(wire.PlayoutRequest(handles=[one, three]))
    with pytest.raises(Misasked, match=f"got {two}$"):
        imagination.playout(wire.PlayoutRequest(handles=[two]))
    imagination.release(wire.ReleaseRequest())
    for handle in (one, three):
        with pytest.raises(Misasked, match=f"got {handle}$"):
            imagination.step(wire.StepRequest(steps=[wire.Step(handle=handle)]))
    (later,) = sampled(imagination, seen(moment.case, moment.state, 0))
    assert later.handle not in {one, two, three}


@each_game()
def test_a_request_that_makes_no_sense_changes_nothing(name: str) -> None:
    moment = middle(name)
    observation = seen(moment.case, moment.state, moment.state.to_act()[0])
    touched, untouched = Imagination(), Imagination()
    (world,), _ = sampled(touched, observation), sampled(untouched, observation)
    good = wire.Step(handle=world.handle, seed=3)
    for bad in (wire.Step(handle=99), wire.Step(handle=world.handle, actions=named({world.to_act[0]: 999}), copy=True)):
        with pytest.raises(Misasked):
            touched.step(wire.StepRequest(steps=[good, wire.Step(handle=world.handle, copy=True), bad]))
    request = wire.StepRequest(steps=[wire.Step(handle=world.handle, copy=True)], details=EVERYTHING)
    assert touched.step(request) == untouched.step(request)
