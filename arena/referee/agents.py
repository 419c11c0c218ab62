"""A bot's process from start to end: its socket, its session, and what is said of it when it dies."""

import asyncio
import secrets
import shutil
import signal

from arena import __version__
from arena.bots import Bot
from arena.match import FaultKind
from arena.referee.clock import Clock
from arena.referee.server import Door
from arena.referee.session import Session
from arena.runtime import Runtime
from arena.sandbox import Agent, Launch, LaunchKilled, Sandbox

DYING_SECONDS = 0.5  # between the end of a stream and the exit code that explains it
LEAVING_SECONDS = 0.5  # for an agent whose stream has ended to exit by itself
LAST_WORDS = 300  # characters of an agent's log that go into a fault


class AgentProcess:
    """One process of a bot."""

    def __init__(self, bot: Bot, sandbox: Sandbox, runtime: Runtime, clock: Clock) -> None:
        token = secrets.token_urlsafe(24)
        self.session = Session(token, clock, f"arena/{__version__}")
        self.free = asyncio.Semaphore(bot.matches_at_once)
        self._bot = bot
        self._sandbox = sandbox
        self._clock = clock
        self._folder = sandbox.seat_folder()
        self._launch = Launch(bot.name, bot.folder, bot.run, self._folder, {"ARENA_TOKEN": token}, runtime)
        self._door = Door(self.session)
        self._agent: Agent | None = None
        self._watch: asyncio.Task[None] | None = None

    async def start(self, seconds: float) -> None:
        """Start the process and wait for its hello; a bot that cannot greet fails its session."""
        await self._door.open(self._folder / "agent.sock")
        self._sandbox.admit(self._folder)
        try:
            self._agent = await self._sandbox.start(self._launch)
        except LaunchKilled as killed:
            self.session.fail(FaultKind.KILLED, str(killed))
            return
        self._watch = asyncio.create_task(self._attend(self._agent))
        limit = self._clock.now() + int(seconds * 1e6)
        alarm = self._clock.call_at(limit, lambda: self._never_greeted(f"no hello within {seconds:g} s"))
        await self.session.greeted.wait()
        alarm.cancel()

    async def stop(self) -> None:
        """End the stream, then the process, then everything it had."""
        self.session.close()
        if self._agent:
            if not self.session.failure:
                await _within(LEAVING_SECONDS, self._agent.wait())
            self._agent.kill()
            await self._agent.wait()
        await self._door.shut()
        if self._watch:
            await self._watch
        shutil.rmtree(self._folder, ignore_errors=True)

    async def _attend(self, agent: Agent) -> None:
        """Say why the agent is gone, as soon as its stream or its process has ended or it has failed."""
        session = self.session
        ends = [asyncio.create_task(each) for each in (session.gone.wait(), agent.wait(), session.closed.wait())]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        for end in ends:
            end.cancel()
        if not session.closed.is_set():
            code = await _within(DYING_SECONDS, agent.wait())
            if code == -signal.SIGKILL:
                session.fail(FaultKind.KILLED, _farewell(code, agent.log()))
            elif session.greeted.is_set():
                session.fail(FaultKind.DISCONNECTED, _farewell(code, agent.log()))
            else:
                self._never_greeted(f"{_ended(code)} before its hello{_last_words(agent.log())}")
        if session.failure:
            agent.kill()

    def _never_greeted(self, what: str) -> None:
        if not self.session.greeted.is_set():
            self.session.fail(FaultKind.NEVER_CONNECTED, f"expected a hello from {self._bot.name}, got {what}")


async def _within(seconds: float, waiting: "asyncio.Future[int] | object") -> int | None:
    try:
        return await asyncio.wait_for(waiting, seconds)  # type: ignore[arg-type]
    except TimeoutError:
        return None


def _ended(code: int | None) -> str:
    if code is None:
        return "a closed stream from a process that still runs"
    if code < 0:
        return f"a process killed by {signal.Signals(-code).name}, which the referee did not send"
    return f"a process that ended with exit code {code}"


def _farewell(code: int | None, log: str) -> str:
    return f"expected the agent to play on, got {_ended(code)}{_last_words(log)}"


def _last_words(log: str) -> str:
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    return f"; its last words: {lines[-1][-LAST_WORDS:]}" if lines else ""
