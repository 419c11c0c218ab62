"""Frames and clocks of a session, on an injected clock and with real tables: no process, no waiting."""

import asyncio

import pytest

from arena import games
from arena.limits import Limits, Usage
from arena.match import ClockRule, Entrant, Evidence, FaultKind, MatchResult, MatchSpec, TimeControl
from arena.referee.session import Misuse, Session
from arena.referee.table import Table
from arena.wire.v1 import referee_service_pb2 as wire
from tests.referee.clocks import FakeClock, FakeMeter

GAME = "party-bugs"
OPTIONS = games.load(GAME).plain_options(games.load(GAME).options({}))
SECOND = 1_000_000
EVIDENCE = Evidence(("Segmentation fault",), "killed by SIGSEGV", Limits(), Usage(1, 2, 3))


class Bench:
    """Two sessions that play any number of matches against each other."""

    def __init__(self, matches: int, time: TimeControl, *, cpu: bool = False, cores: int = 1) -> None:
        self.clock = FakeClock()
        self.meter = FakeMeter(self.clock)
        self.cores = asyncio.Semaphore(cores)
        self.sessions = [Session("secret", self.clock, "test", self.cores) for _ in range(2)]
        self.results: list[MatchResult] = []
        for session in self.sessions:
            session.receive(wire.PlayRequest(hello=wire.Hello(token="secret")).SerializeToString())
            session.attach(self.meter if cpu else None, lambda: EVIDENCE, alone=cpu)
        entrants = (Entrant("one", ""), Entrant("two", ""))
        for number in range(matches):
            spec = MatchSpec(f"m{number}", GAME, OPTIONS, entrants, number, time)
            Table(spec, self.sessions, self.results.append).start()

    def failure(self) -> tuple[FaultKind, str] | None:
        """Of the first seat's session."""
        return self.sessions[0].failure

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


# The CPU rule


async def test_a_bot_alone_pays_its_own_cpu_time_and_the_record_says_so() -> None:
    bench = Bench(1, TimeControl(allowance_ms=100, bank_ms=1_000), cpu=True)
    bench.meter.runs = 0.5  # on a machine where somebody else has the other half
    requests = await bench.frame(0)
    bench.clock.advance(160_000)
    bench.answer(0, requests)
    assert next(iter(bench.sessions[0]._places.values())).bank == SECOND  # 80 ms of its 100
    bench.sessions[0].fail(FaultKind.DISCONNECTED, "gone")
    bench.sessions[1].fail(FaultKind.DISCONNECTED, "gone")
    (result,) = bench.results
    assert result.clocks == (ClockRule.CPU, ClockRule.CPU)
    assert result.decisions[0].micros == 80_000


async def test_a_bot_alone_without_a_meter_pays_by_the_wall() -> None:
    bench = Bench(1, TimeControl())
    assert bench.sessions[0].rule is ClockRule.FRAME


async def test_a_meter_that_something_may_escape_charges_nobody() -> None:
    bench = Bench(1, TimeControl(), cpu=True)
    bench.meter.exact = False
    bench.sessions[0].attach(bench.meter, Evidence, alone=True)
    assert bench.sessions[0].rule is ClockRule.FRAME


async def test_a_bot_that_sleeps_has_four_times_its_time_by_the_wall() -> None:
    bench = Bench(1, TimeControl(allowance_ms=1_000, bank_ms=500), cpu=True)
    await bench.frame(0)
    bench.clock.advance(6 * SECOND - 1)
    assert bench.failure() is None
    bench.clock.advance(3_000)
    kind, sentence = bench.failure() or (None, "")
    assert kind is FaultKind.TIMEOUT
    assert sentence.startswith(
        "expected the decision within 1.500 s of CPU time (allowance and bank) or 6.000 s by the wall, got no answer in"
    )


async def test_a_bot_that_thinks_is_stopped_by_its_cpu_time_long_before() -> None:
    bench = Bench(1, TimeControl(allowance_ms=1_000, bank_ms=500), cpu=True)
    bench.meter.runs = 0.9
    await bench.frame(0)
    bench.clock.advance(1_660_000)  # 1.494 s of CPU time
    assert bench.failure() is None
    bench.clock.advance(10_000)
    assert bench.failure() is not None


@pytest.mark.parametrize(
    ("runs", "waits", "kind"),
    [
        (0.05, 0.9, FaultKind.STARVED),  # ready to run, and no core for it
        (0.05, 0.1, FaultKind.TIMEOUT),  # asleep
        (0.4, 0.6, FaultKind.TIMEOUT),  # it had all of its CPU time, if slowly
        (0.9, 3.0, FaultKind.TIMEOUT),  # threads of its own in each other's way
    ],
)
async def test_a_late_bot_that_got_no_core_is_told_apart(runs: float, waits: float, kind: FaultKind) -> None:
    bench = Bench(1, TimeControl(allowance_ms=1_000, bank_ms=0), cpu=True)
    bench.meter.runs, bench.meter.waits = runs, waits
    await bench.frame(0)
    bench.clock.advance(5 * SECOND)
    got, sentence = bench.failure() or (None, "")
    assert got is kind
    assert ("the machine had no core for it" in sentence) == (kind is FaultKind.STARVED)


async def test_no_more_bots_think_at_once_than_there_are_cores_and_waiting_is_free() -> None:
    one, other = (Bench(1, TimeControl(allowance_ms=100, bank_ms=0), cpu=True) for _ in range(2))
    other.sessions[0]._cores = one.cores
    requests = await one.frame(0)
    waiting = asyncio.create_task(other.frame(0))
    await asyncio.sleep(0.01)
    assert not waiting.done()
    other.clock.advance(SECOND)
    one.answer(0, requests)
    asked = await asyncio.wait_for(waiting, 5)
    assert other.sessions[0].failure is None
    other.answer(0, asked)
    assert other.sessions[0].failure is None
    assert not one.cores.locked()


async def test_a_bot_that_fails_or_leaves_gives_its_core_back() -> None:
    for end in (lambda session: session.fail(FaultKind.DISCONNECTED, "gone"), Session.close):
        bench = Bench(1, TimeControl(), cpu=True)
        await bench.frame(0)
        assert bench.cores.locked()
        end(bench.sessions[0])
        assert not bench.cores.locked()


async def test_a_session_that_ends_while_it_waits_for_a_core_takes_none() -> None:
    bench = Bench(1, TimeControl(), cpu=True)
    await bench.cores.acquire()
    waiting = asyncio.create_task(bench.sessions[0].frame())
    await asyncio.sleep(0.01)
    bench.sessions[0].fail(FaultKind.DISCONNECTED, "gone")
    bench.cores.release()
    assert await asyncio.wait_for(waiting, 5) is None
    assert not bench.cores.locked()


async def test_every_fault_has_the_evidence_of_its_process() -> None:
    bench = Bench(1, TimeControl())
    (request,) = await bench.frame(0)
    wrong = wire.PlayRequest()
    wrong.decisions.decisions.add(match_id=request.match_id, decision=0, action_index=99)
    bench.sessions[0].receive(wrong.SerializeToString())
    bench.sessions[1].fail(FaultKind.LIMIT, "killed")
    (result,) = bench.results
    assert [(fault.kind, fault.evidence) for fault in result.faults] == [
        (FaultKind.ILLEGAL, EVIDENCE),
        (FaultKind.LIMIT, EVIDENCE),
    ]
