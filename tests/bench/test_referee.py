"""`arena bench referee`: real processes, both marks, a complete report; nothing here depends on speed."""

import asyncio
import json
from itertools import pairwise
from pathlib import Path

import pytest
from rich.console import Console

from arena import build, sandbox
from arena.bench import referee, socket_mark
from arena.bench.referee import Rate, RefereeSpeeds
from arena.errors import UserError
from arena.home import Home
from arena.wire.v1 import referee_service_pb2 as wire


def made(decisions: float, bare_socket: float) -> RefereeSpeeds:
    rates = (Rate(1, 100.0, 1.0, 0), Rate(256, decisions, 20.0, 0))
    return RefereeSpeeds("party-bugs", 4, "none", True, rates, rates[0].decisions, bare_socket)


async def test_a_run_measures_every_load_and_both_marks(tmp_path: Path) -> None:
    said: list[str] = []
    speeds = await referee.run(
        Home(tmp_path), sandbox.choose("none"), seats=3, seconds=0.3, loads=(4, 2), say=said.append
    )
    assert [rate.in_flight for rate in speeds.rates] == [1, 2, 4]
    assert all(rate.decisions > rate.matches > 0 for rate in speeds.rates)
    assert speeds.faults == 0
    assert (speeds.seats, speeds.sandbox, speeds.compiled) == (3, "none", build.compiled())
    assert speeds.one_message == speeds.rates[0].decisions
    assert speeds.bare_socket > 0
    assert len(said) == 4


def test_a_bad_number_of_seats_starts_nothing(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="expected 2 to 6 seats, got 1"):
        asyncio.run(referee.run(Home(tmp_path), sandbox.choose("none"), seats=1))
    assert not list(tmp_path.iterdir())


async def test_recorded_frames_are_whole_matches() -> None:
    frames = [wire.PlayResponse.FromString(data) for data in await socket_mark.record_frames("party-bugs", 4, 5)]
    kinds = [message.WhichOneof("message") for frame in frames for message in frame.messages]
    assert kinds.count("match_started") == kinds.count("match_ended") == 5
    assert max(len(frame.messages) for frame in frames) >= 5  # all matches share a frame
    decisions = [
        (message.decision_requested.match_id, message.decision_requested.decision)
        for frame in frames
        for message in frame.messages
        if message.HasField("decision_requested")
    ]
    first = sorted(decision for match, decision in decisions if match == "mark-0")
    assert all(later == earlier + 1 for earlier, later in pairwise(first))
    assert len(first) > 10


async def test_the_bare_socket_answers_recorded_frames() -> None:
    assert socket_mark.rate(await socket_mark.record_frames("party-bugs", 2, 3), 0.01) > 0


def test_a_child_that_cannot_answer_is_a_clear_error(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ConnectionError, match="expected answers over the bare socket"):
        socket_mark.rate([b"\xff"], 0.01)
    assert "DecodeError" in capfd.readouterr().err  # the child's own words


@pytest.mark.parametrize(("decisions", "bare", "verdicts"), [(1500, 4500, "met met"), (1499, 4501, "missed missed")])
def test_ratios_are_compared_with_their_targets(decisions: float, bare: float, verdicts: str) -> None:
    sentences = referee.summary(made(decisions, bare))
    assert [sentence.rpartition(": ")[2] for sentence in sentences] == [f"{word})." for word in verdicts.split()]


def test_a_report_is_shown_and_is_json() -> None:
    speeds = made(1500, 3000)
    console = Console(width=80)
    with console.capture() as shown:
        console.print(referee.table(speeds))
    for part in ("1 in flight: one message per decision", "256 in flight", "1,500", "bare socket", "3,000"):
        assert part in shown.get()
    plain = json.loads(json.dumps(speeds.plain()))
    assert (plain["times_one_message"], plain["part_of_bare_socket"]) == (15.0, 0.5)
    assert [rate["in_flight"] for rate in plain["rates"]] == [1, 256]


def test_matches_count_by_their_part_inside_the_time() -> None:
    match = referee._Played(start=10.0, end=12.0, decisions=70, faults=0)
    assert [match.share(9, 13), match.share(11, 13), match.share(9, 10.5), match.share(12, 13)] == [1, 0.5, 0.25, 0]
