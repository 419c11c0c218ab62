"""The wire of imagined worlds: misuse is answered with one sentence, whatever it is, and the server goes on."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

import grpc
import pytest
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.message import Message

from arena import games
from arena.sdk.worlds.imagination import Imagination
from arena.sdk.worlds.server import serving
from arena.wire.v1 import world_service_pb2 as wire
from tests.conformance.cases import Case, cases, each_game
from tests.worlds.questions import METHODS, Client, named, seen

MUTATIONS = 400  # of each game's observations


@pytest.fixture
def client() -> Iterator[Client]:
    """The client of a server in this process."""
    yield from _client(Imagination())


def _client(imagination: Imagination) -> Iterator[Client]:
    with TemporaryDirectory() as folder, serving(Path(folder) / "s", imagination):
        client = Client(f"{folder}/s")
        yield client
        client.close()


def first_case(name: str, seats: int) -> Case:
    """The base game."""
    return next(case for case in cases() if (case.name, case.seats) == (name, seats))


def observation(name: str = "party-bugs", seats: int = 3) -> Packed:
    """Of the first decision of a match."""
    case = first_case(name, seats)
    state = case.start()
    return seen(case, state, state.to_act()[0])


def refused(client: Client, method: str, request: Message | bytes) -> tuple[grpc.StatusCode, str]:
    """How a call fails."""
    with pytest.raises(grpc.RpcError) as caught:
        client.call(method, request)
    error: Any = caught.value
    return error.code(), error.details()


@dataclass(frozen=True)
class Misuse:
    """A request that makes no sense, after a call that gave world 1 (party-bugs) and world 2 (ladybugs), both of three
    seats, world 3 of four seats, and world 4, which is over.
    """

    method: str
    request: Message | bytes
    sentence: str


OVER = "expected one of a world that is not over, got one in which nobody is to act"
FITS = "observation: expected one as the referee sent it, got one that no world fits"


def sample(**fields: Any) -> wire.SampleRequest:
    return wire.SampleRequest(**{"observation": observation(), "worlds": 1, **fields})


def step(*steps: wire.Step) -> wire.StepRequest:
    return wire.StepRequest(steps=steps)


def playout(*handles: int, **fields: Any) -> wire.PlayoutRequest:
    return wire.PlayoutRequest(handles=handles, **fields)


PARTY = "type.googleapis.com/arena.games.party_bugs.v1.Observation"
EACH = ["bugs_on_rugs", "ladybugs", "lucky_numbers", "lunar_laser_frogs", "party_bugs"]
KNOWN = ", ".join(f"type.googleapis.com/arena.games.{name}.v1.Observation" for name in EACH)
TWICE = [wire.SeatAction(seat=0, action_index=0), wire.SeatAction(seat=0, action_index=1)]
MISUSES = [
    *(
        Misuse(method, b"\xff\xff\xff", f"expected a message arena.wire.v1.{method}Request, got 3 bytes that are none")
        for method in METHODS
    ),
    Misuse("Sample", wire.SampleRequest(worlds=1), f"observation: expected a type among {KNOWN}, got ''"),
    Misuse(
        "Sample",
        sample(observation=Packed(type_url="x" * 200)),
        f"observation: expected a type among {KNOWN}, got '{'x' * 100}'",
    ),
    Misuse("Sample", sample(worlds=0), "worlds: expected 1 to 1000, got 0"),
    Misuse("Sample", sample(worlds=1001), "worlds: expected 1 to 1000, got 1001"),
    Misuse("Sample", sample(worlds=2**32 - 1), "worlds: expected 1 to 1000, got 4294967295"),
    Misuse(
        "Sample",
        sample(observation=Packed(type_url=PARTY, value=b"\xff")),
        "observation: expected a message arena.games.party_bugs.v1.Observation, got 1 bytes that are none",
    ),
    Misuse(
        "Sample",
        sample(observation=Packed(type_url=PARTY, value=b"")),
        "observation: hidden_pairing: expected may or must, got number 0",
    ),
    Misuse("Step", step(), "steps: expected 1 to 1000, got 0"),
    Misuse("Step", step(*[wire.Step(handle=1)] * 1001), "steps: expected 1 to 1000, got 1001"),
    Misuse("Step", step(wire.Step(handle=9)), "handle: expected one of a world that is remembered, got 9"),
    Misuse("Step", step(wire.Step()), "handle: expected one of a world that is remembered, got 0"),
    Misuse("Step", step(wire.Step(handle=4)), f"handle: {OVER}"),
    Misuse(
        "Step",
        step(wire.Step(handle=1, actions=named({0: 0, 3: 0}))),
        "seat: expected one that is to act (0, 1, 2), got 3",
    ),
    Misuse(
        "Step", step(wire.Step(handle=4, actions=named({0: 0}))), "seat: expected one that is to act (none is), got 0"
    ),
    Misuse("Step", step(wire.Step(handle=1, actions=TWICE)), "actions: expected one for each seat, got 2 for seat 0"),
    Misuse(
        "Step",
        step(wire.Step(handle=1, actions=named({1: 3}))),
        "action_index: expected 0 to 2 for seat 1, got 3",
    ),
    Misuse("Playout", playout(), "playouts: expected 1 to 100000 at once, got 1 for each of 0 worlds"),
    Misuse(
        "Playout",
        playout(1, 1, playouts=50_001),
        "playouts: expected 1 to 100000 at once, got 50001 for each of 2 worlds",
    ),
    Misuse("Playout", playout(1, 9), "handle: expected one of a world that is remembered, got 9"),
    Misuse(
        "Playout", playout(1, 2), "handles: expected worlds of one game, got some of ladybugs and some of party-bugs"
    ),
    Misuse("Playout", playout(1, 3), "handles: expected worlds with 3 seats, as the first one, got one with 4"),
    Misuse(
        "Playout",
        playout(1, actions=named({2: 99})),
        "action_index: expected 0 to 2 for seat 2, got 99",
    ),
    Misuse("Playout", playout(4, actions=named({0: 0})), "seat: expected one that is to act (none is), got 0"),
]


@pytest.mark.parametrize("misuse", MISUSES, ids=lambda misuse: f"{misuse.method}: {misuse.sentence[:60]}")
def test_misuse_is_answered_with_a_sentence(misuse: Misuse, client: Client) -> None:
    case = first_case("party-bugs", 3)
    over = seen(case, case.final(), 0)
    for one in (observation(), observation("ladybugs"), observation(seats=4), over):
        client.call("Sample", wire.SampleRequest(observation=one, worlds=1))
    before = client.call("Step", step(wire.Step(handle=1, copy=True)))
    assert refused(client, misuse.method, misuse.request) == (grpc.StatusCode.INVALID_ARGUMENT, misuse.sentence)
    after = client.call("Step", step(wire.Step(handle=1, copy=True)))
    assert (after.worlds[0].to_act, after.worlds[0].handle) == (before.worlds[0].to_act, before.worlds[0].handle + 1)


# Observations that never were


@each_game()
def test_an_observation_that_no_world_fits_is_refused(
    name: str, client: Client, capfd: pytest.CaptureFixture[str]
) -> None:
    """Mutated bytes: most are no observation, some are one that never was, a few could have been."""
    found = set[str]()
    for data in mutations(name):
        request = sample(observation=Packed(type_url=games.codec(name).observation_type, value=data))
        try:
            client.call("Sample", request)
        except grpc.RpcError as error:
            told: Any = error
            assert told.code() is grpc.StatusCode.INVALID_ARGUMENT
            assert told.details().startswith("observation: "), told.details()
            assert "expected" in told.details(), told.details()
            assert "\n" not in told.details()
            found.add(told.details())
    assert FITS in found
    assert len(found) > 10
    assert capfd.readouterr() == ("", "")


def mutations(name: str) -> Iterator[bytes]:
    """Observations of a match, each with a byte or two changed, left out or doubled."""
    case = first_case(name, 3)
    luck = case.rng("mutations")
    messages = [bytearray(seen(case, moment.state, 0).value) for moment in case.sampled("mutations", 8)]
    for _ in range(MUTATIONS):
        data = bytearray(luck.choice(messages))
        for _ in range(1 + luck.below(2)):
            place = int(luck.below(len(data)))
            there = data[place]
            others = (b"", bytes([there ^ 1]), bytes([there + 1 & 255]), bytes([there, int(luck.below(256))]))
            data[place : place + 1] = luck.choice(list(others))
        yield bytes(data)


# Rules that fail


class Broken(Imagination):
    """One with a bug."""

    def playout(self, request: wire.PlayoutRequest) -> wire.PlayoutResponse:
        raise RuntimeError("a bug\nin two lines")


def test_a_bug_in_the_rules_is_one_sentence_and_the_server_goes_on(capfd: pytest.CaptureFixture[str]) -> None:
    for client in _client(Broken()):
        client.call("Sample", sample())
        said = "expected the rules to carry this out, got RuntimeError: a bug in two lines"
        assert refused(client, "Playout", playout(1)) == (grpc.StatusCode.INTERNAL, said)
        assert len(client.call("Step", step(wire.Step(handle=1))).worlds) == 1
    assert capfd.readouterr() == ("", "")


class Failing:
    """A game whose imagination has a bug."""

    def determinize(self, seen: Any, luck: Any) -> Any:
        raise IndexError("list index out of range")


def test_a_determinize_that_raises_refuses_the_observation(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    request = sample()
    client.call("Sample", request)
    with monkeypatch.context() as patched:
        patched.setattr(games, "load", lambda name: Failing())
        assert refused(client, "Sample", request) == (grpc.StatusCode.INVALID_ARGUMENT, FITS)
    assert client.call("Sample", request).worlds[0].handle == 2


# Sizes and times


@each_game()
def test_a_thousand_worlds_with_everything_fit_into_an_answer(name: str, client: Client) -> None:
    most = max((case for case in cases() if case.name == name), key=lambda case: case.seats)
    state = most.start()
    request = wire.SampleRequest(
        observation=seen(most, state, state.to_act()[0]),
        worlds=1000,
        details=wire.Details(observations=True, dump=True),
    )
    assert len(client.call("Sample", request).worlds) == 1000


def test_a_request_that_is_too_long_is_refused(client: Client) -> None:
    code, _ = refused(client, "Sample", bytes(65 << 20))
    assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
    client.call("Sample", sample())


def test_an_unknown_method_is_refused(client: Client) -> None:
    METHODS["Guess"] = (wire.SampleRequest, wire.SampleResponse)
    try:
        assert refused(client, "Guess", b"")[0] is grpc.StatusCode.UNIMPLEMENTED
    finally:
        del METHODS["Guess"]


def test_calls_are_answered_one_after_the_other_and_none_is_lost(client: Client) -> None:
    client.call("Sample", sample(worlds=10))
    seconds = dict[int, float]()

    def play(number: int) -> None:
        before = time.monotonic()
        assert client.call("Playout", playout(*range(1, 11), playouts=500)).playouts == 5000
        seconds[number] = time.monotonic() - before

    threads = [Thread(target=play, args=(number,)) for number in range(4)]
    _all(thread.start for thread in threads)
    _all(thread.join for thread in threads)
    assert sorted(seconds) == [0, 1, 2, 3]


def _all(calls: Iterator[Callable[[], None]]) -> None:
    for call in calls:
        call()
