"""The gRPC server of an agent with a real client on a real socket: deadlines of writing."""

import asyncio
import tempfile
from pathlib import Path

import grpc
import grpc.aio

from arena.match import Entrant, FaultKind, MatchResult, MatchSpec, TimeControl
from arena.referee.clock import LoopClock
from arena.referee.server import Door
from arena.referee.session import Session
from arena.referee.table import Table
from arena.wire.v1 import referee_service_pb2 as wire
from tests.referee.test_faults import GAME, OPTIONS

PATIENT = TimeControl(allowance_ms=3_600_000)  # so that only the write's own deadline can end it
MATCHES = 40_000  # frames of many megabytes: more than the transport takes from a writer whom nobody reads


async def test_an_agent_that_stops_reading_fails_by_the_writes_own_deadline() -> None:
    reader, idler = (Session("secret", LoopClock(), "test") for _ in range(2))
    results: list[MatchResult] = []
    with tempfile.TemporaryDirectory() as folder:
        door = Door(idler, write_seconds=0.5)
        await door.open(Path(folder, "agent.sock"))
        async with grpc.aio.insecure_channel(
            f"unix:{folder}/agent.sock", options=[("grpc.default_authority", "localhost")]
        ) as channel:
            call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(
                "/arena.wire.v1.RefereeService/Play"
            )()
            await call.write(wire.PlayRequest(hello=wire.Hello(token="secret")).SerializeToString())
            await idler.greeted.wait()
            entrants = (Entrant("reader", ""), Entrant("idler", ""))
            spec = MatchSpec("m1", GAME, OPTIONS, entrants, 1, PATIENT)
            Table(spec, [reader, idler], results.append).start()
            idler._frame.messages.extend(  # a frame that no match could fill so quickly
                wire.Message(match_ended=wire.MatchEnded(match_id=f"m{number}" * 20)) for number in range(MATCHES)
            )
            async with asyncio.timeout(30):
                await idler.closed.wait()
        await door.shut()
    assert idler.failure == (
        FaultKind.PROTOCOL,
        "expected the agent to read a frame within 0.5 s, but it stopped reading",
    )
