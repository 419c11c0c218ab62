"""The referee as others use it: bots in, results out, many matches at once, nothing left behind."""

import asyncio
from contextlib import AsyncExitStack
from functools import partial
from types import TracebackType
from typing import Self

from arena import runtime
from arena.bots import Bot
from arena.home import Home
from arena.match import Entrant, FaultKind, MatchResult, MatchSpec
from arena.referee.agents import AgentProcess
from arena.referee.clock import Clock, LoopClock
from arena.referee.table import Table
from arena.sandbox import Sandbox, check_allowed

STARTUP_SECONDS = 30.0


class Referee:
    """Plays matches between bots, each in a process of its own; a MatchRunner. Use it as an async context."""

    def __init__(
        self,
        home: Home,
        sandbox: Sandbox,
        *,
        unsafe: bool = False,
        startup_seconds: float = STARTUP_SECONDS,
        clock: Clock | None = None,
    ) -> None:
        self._home = home
        self._sandbox = sandbox
        self._unsafe = unsafe
        self._startup_seconds = startup_seconds
        self._clock = clock or LoopClock()
        self._bots: dict[str, Bot] = {}  # by entrant name
        self._agents: dict[str, asyncio.Task[AgentProcess]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        async with AsyncExitStack() as stack:
            for starting in self._agents.values():
                stack.push_async_callback(_stop, starting)

    def seat(self, bot: Bot, process: int = 0) -> Entrant:
        """An entrant for this process of a bot; the process starts with its first match."""
        check_allowed(bot, self._sandbox, unsafe=self._unsafe)
        name = bot.name if process == 0 else f"{bot.name}#{process + 1}"
        self._bots[name] = bot
        return Entrant(name, bot.sha256, process, self._sandbox.level)

    async def play(self, spec: MatchSpec) -> MatchResult:
        """The result of one match; it always comes, whatever the bots do."""
        names = [entrant.bot for entrant in spec.entrants]
        if len(set(names)) < len(names):
            raise ValueError(f"expected a process of its own for every seat, got {', '.join(names)}")
        agents = await asyncio.gather(*(self._agent(name) for name in names))
        async with AsyncExitStack() as stack:
            # In one order for all matches, so that two of them never wait for each other.
            for _, agent in sorted(zip(names, agents, strict=True), key=lambda pair: pair[0]):
                await stack.enter_async_context(agent.free)
            result: asyncio.Future[MatchResult] = asyncio.get_running_loop().create_future()
            Table(spec, [agent.session for agent in agents], partial(_settle, result)).start()
            return await result

    async def _agent(self, name: str) -> AgentProcess:
        starting = self._agents.get(name)
        if starting and starting.done() and _may_return(starting.result()):
            await starting.result().stop()
            starting = None
        if starting is None:
            starting = self._agents[name] = asyncio.create_task(self._start(name))
        return await asyncio.shield(starting)

    async def _start(self, name: str) -> AgentProcess:
        agent = AgentProcess(self._bots[name], self._sandbox, runtime.prepare(self._home), self._clock)
        try:
            await agent.start(self._startup_seconds)
        except BaseException:  # cancelled or refused while starting: nobody else could stop it
            await agent.stop()
            raise
        return agent


def _settle(waiting: "asyncio.Future[MatchResult]", result: MatchResult) -> None:
    if not waiting.done():  # whoever waited may have been cancelled
        waiting.set_result(result)


def _may_return(agent: AgentProcess) -> bool:
    """A bot whose process failed plays its next match in a new one, unless it never connected at all."""
    failure = agent.session.failure
    return failure is not None and failure[0] is not FaultKind.NEVER_CONNECTED


async def _stop(starting: "asyncio.Task[AgentProcess]") -> None:
    starting.cancel()
    results = await asyncio.gather(starting, return_exceptions=True)
    if isinstance(results[0], AgentProcess):
        await results[0].stop()
