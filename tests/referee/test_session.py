"""Frames and clocks of a session, on an injected clock and with real tables: no process, no waiting."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from arena import games
from arena.match import Entrant, FaultKind, MatchResult, MatchSpec, TimeControl
from arena.referee.session import Misuse, Session
from arena.referee.table import Table
from arena.wire.v1 import referee_service_pb2 as wire

GAME = "party-bugs"
OPTIONS = games.load(GAME).plain_options(games.load(GAME).options({}))
SECOND = 1_000_000


@dataclass
class FakeAlarm:
    when: int
    callback: Callable[[], None]
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


@dataclass
class FakeClock:
    """A clock that goes only when it is told to."""

    time: int = 0
    alarms: list[FakeAlarm] = field(default_factory=list)

    def now(self) -> int:
        return self.time

    def call_at(self, when: int, callback: Callable[[], None]) -> FakeAlarm:
        self.alarms.append(FakeAlarm(when, callback))
        return self.alarms[-1]

    def advance(self, micros: int) -> None:
        self.time += micros
        due = [alarm for alarm in self.alarms if not alarm.cancelled and alarm.when <= self.time]
        for alarm in due:
            alarm.cancel()
            alarm.callback()


class Bench:
    """Two sessions that play any number of matches against each other."""

    def __init__(self, matches: int, time: TimeControl) -> None:
        self.clock = FakeClock()
        self.sessions = [Session("secret", self.clock, "test") for _ in range(2)]
        self.results: list[MatchResult] = []
        for session in self.sessions:
            session.receive(wire.PlayRequest(hello=wire.Hello(token="secret")).SerializeToString())
        entrants = (Entrant("one", ""), Entrant("two", ""))
        for number in range(matches):
            spec = MatchSpec(f"m{number}", GAME, OPTIONS, entrants, number, time)
            Table(spec, self.sessions, self.results.append).start()

    async def frame(self, seat: int) -> list[wire.DecisionRequested]:
        """The questions of the next frame to this seat."""
        data = await self.sessions[seat].frame()
        assert data is not None
        messages = wire.PlayResponse.FromString(data).messages
        return [message.decision_requested for message in messages if message.HasField("decision_requested")]

    def answer(self, seat: int, requests: list[wire.DecisionRequested]) -> None:
        """First legal actions, all in one message."""
        reply = wire.PlayRequest()
        for request in requests:
            reply.decisions.decisions.add(match_id=request.match_id, decision=request.decision, action_index=0)
        self.sessions[seat].receive(reply.SerializeToString())


async def test_a_frame_carries_everything_that_is_due() -> None:
    bench = Bench(5, TimeControl())
    requests = await bench.frame(0)
    assert [(request.match_id, request.decision) for request in requests] == [(f"m{k}", 0) for k in range(5)]


async def test_whole_matches_end_and_share_the_time_of_their_frames() -> None:
    bench = Bench(4, TimeControl(allowance_ms=100, bank_ms=0))
    while len(bench.results) < 4:
        for seat in (0, 1):
            if bench.sessions[seat]._due.is_set():
                requests = await bench.frame(seat)
                bench.clock.advance(len(requests) * 60_000)
                bench.answer(seat, requests) if requests else None
    assert all(result.faults == () for result in bench.results)
    assert {one.micros for result in bench.results for one in result.decisions} >= {60_000}


async def test_answers_one_by_one_are_each_charged_from_the_one_before() -> None:
    bench = Bench(2, TimeControl(allowance_ms=100, bank_ms=1_000))
    first, second = await bench.frame(0)
    bench.clock.advance(90_000)
    bench.answer(0, [first])
    bench.clock.advance(300_000)
    bench.answer(0, [second])
    banks = [place.bank for place in bench.sessions[0]._places.values()]
    assert banks == [1_000_000, 800_000]


@pytest.mark.parametrize(("count", "limit"), [(1, 1_500_000), (3, 3_500_000)])
async def test_a_frame_has_its_allowances_and_one_bank(count: int, limit: int) -> None:
    bench = Bench(count, TimeControl(allowance_ms=1_000, bank_ms=500))
    await bench.frame(0)
    bench.clock.advance(limit - 1)
    before = bench.sessions[0].failure
    bench.clock.advance(1)
    after = bench.sessions[0].failure
    assert before is None
    assert after is not None
    assert after[0] is FaultKind.TIMEOUT


async def test_a_stall_in_the_middle_of_a_frame_times_out() -> None:
    bench = Bench(3, TimeControl(allowance_ms=1_000, bank_ms=500))
    requests = await bench.frame(0)
    bench.clock.advance(SECOND)
    bench.answer(0, requests[:1])
    bench.clock.advance(2_500_000 - 1)
    assert bench.sessions[0].failure is None
    bench.clock.advance(1)
    assert bench.sessions[0].failure == (
        FaultKind.TIMEOUT,
        "expected all 2 decisions of a frame within 2.500 s (allowance and bank), got no answer",
    )


async def test_time_before_a_frame_was_sent_is_not_charged() -> None:
    bench = Bench(1, TimeControl(allowance_ms=100, bank_ms=0))
    bench.clock.advance(60 * SECOND)
    requests = await bench.frame(0)
    bench.clock.advance(99_999)
    bench.answer(0, requests)
    assert bench.sessions[0].failure is None


async def test_an_answer_after_the_timeout_changes_nothing() -> None:
    bench = Bench(1, TimeControl(allowance_ms=100, bank_ms=0))
    requests = await bench.frame(0)
    bench.clock.advance(100_000)
    failure = bench.sessions[0].failure
    bench.answer(0, requests)
    assert failure is not None
    assert bench.sessions[0].failure == failure


async def test_the_bank_pays_what_the_allowance_does_not() -> None:
    bench = Bench(1, TimeControl(allowance_ms=100, bank_ms=1_000))
    bench.answer(1, await bench.frame(1))
    requests = await bench.frame(0)
    bench.clock.advance(350_000)
    bench.answer(0, requests)
    (request,) = await bench.frame(0)
    assert request.bank_ms == 750


async def test_a_frame_waits_for_the_answers_to_the_one_before() -> None:
    bench = Bench(1, TimeControl())
    requests = await bench.frame(0)
    assert not bench.sessions[0]._due.is_set()
    bench.answer(1, await bench.frame(1))
    assert not bench.sessions[0]._due.is_set()
    bench.answer(0, requests)
    assert bench.sessions[0]._due.is_set() or bench.sessions[1]._due.is_set()


async def test_misuse_has_a_sentence() -> None:
    session = Session("secret", FakeClock(), "test")
    with pytest.raises(Misuse, match="expected a hello first, got nothing"):
        session.receive(b"")
    with pytest.raises(Misuse, match="got another one"):
        session.receive(wire.PlayRequest(hello=wire.Hello(token="guess")).SerializeToString())
