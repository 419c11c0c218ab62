"""One hostile agent, started as any agent is, that makes the attacks it is told to make."""

import asyncio
import json
import secrets
import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

from arena.attack.bait import PACKAGE
from arena.attack.probes.evidence import Evidence
from arena.errors import UserError
from arena.limits import Limits
from arena.runtime import Runtime
from arena.sandbox import SOCKET, Agent, Launch, Sandbox

START_SECONDS: Final = 20.0
PROBE_SECONDS: Final = 12.0
HOLD_SECONDS: Final = 2.0  # for which too much must be held: what samples needs a moment
END_SECONDS: Final = 5.0


class CellError(UserError):
    """No attack could be made."""


class Cell:
    """A hostile agent that waits for orders."""

    def __init__(self, agent: Agent, mark: str, streams: tuple[asyncio.StreamReader, asyncio.StreamWriter]) -> None:
        self.agent = agent
        self.mark = mark
        self._answers, self._orders = streams

    async def ask(self, probe: str, *, apart: bool = True, **more: Any) -> Evidence | None:
        """What came of a probe; None if the agent did not live to tell."""
        order = {"probe": probe, "apart": apart, "seconds": PROBE_SECONDS, "bait": more}
        with suppress(ConnectionError):
            self._orders.write(json.dumps(order).encode() + b"\n")
            await self._orders.drain()
            async with asyncio.timeout(PROBE_SECONDS + START_SECONDS):
                answer = await self._answers.readline()
            return Evidence(**json.loads(answer)) if answer else None
        return None

    def hang_up(self) -> None:
        """Give no more orders: the agent exits."""
        self._orders.close()

    async def ended(self) -> int | None:
        """The exit code once the agent has ended; None if it does not."""
        try:
            return await asyncio.wait_for(self.agent.wait(), END_SECONDS)
        except TimeoutError:
            return None

    def left(self) -> list[int]:
        """Processes of this machine that came from the agent."""
        return marked(self.mark)


@asynccontextmanager
async def cell(
    sandbox: Sandbox, folder: Path, runtime: Runtime, limits: Limits, told: Mapping[str, Any], *, mark: str = ""
) -> AsyncIterator[Cell]:
    """A hostile agent with these limits; it is gone at the end, and so is its socket."""
    seat = sandbox.seat_folder()
    mark = mark or f"arena-attack-{secrets.token_hex(8)}"
    connected: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Queue()
    server = await asyncio.start_unix_server(lambda *streams: connected.put_nowait(streams), seat / SOCKET)
    agent: Agent | None = None
    try:
        sandbox.admit(seat)
        command = ("python", "-m", PACKAGE, mark)
        launch = Launch("attack", folder, command, seat, {"ARENA_TOKEN": "none"}, runtime, limits)
        agent = await sandbox.start(launch)
        streams = await _first(connected, agent)
        streams[1].write(json.dumps({**told, "hold_seconds": HOLD_SECONDS}).encode() + b"\n")
        yield Cell(agent, mark, streams)
        streams[1].close()
    finally:
        server.close()
        if agent is not None:
            agent.kill()
            await agent.wait()
        shutil.rmtree(seat, ignore_errors=True)


async def _first(
    connected: "asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]]", agent: Agent
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """The agent's connection; CellError if it does not come."""
    coming, ending = asyncio.create_task(connected.get()), asyncio.create_task(agent.wait())
    await asyncio.wait((coming, ending), timeout=START_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    ending.cancel()
    if coming.done():
        return coming.result()
    coming.cancel()
    said = " ".join(agent.log().split())[-300:] or "nothing"
    raise CellError(f"expected a probe in the sandbox {agent.level} to connect, got: {said}")


def marked(mark: str) -> list[int]:
    """Processes of this machine with this mark on their command line; zombies have none."""
    return [int(path.name) for path in Path("/proc").glob("[0-9]*") if mark in _command_line(path)]


def _command_line(process: Path) -> str:
    try:
        return (process / "cmdline").read_text(errors="replace")
    except OSError:
        return ""
