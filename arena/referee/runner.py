"""The referee as others use it: bots in, results out, many matches at once, nothing left behind."""

import asyncio
import gc
import os
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import cached_property, partial
from operator import itemgetter
from types import TracebackType
from typing import Any, Self

from arena import runtime
from arena.bots import Bot
from arena.home import Home
from arena.limits import Limits
from arena.match import Entrant, FaultKind, MatchResult, MatchSpec, MatchVoid
from arena.referee.agents import AgentProcess
from arena.referee.clock import Clock, LoopClock
from arena.referee.player import Player
from arena.referee.table import Table
from arena.runtime import Runtime
from arena.sandbox import Hear, Janitor, Sandbox, check_allowed

STARTUP_SECONDS = 30.0
MOST_STARTS = 3  # of a bot for one match, if it fails each time before the match can begin
MOST_AGENTS = 64  # processes that are kept for later matches; those that play now may be more


class Referee:
    """Plays matches between bots, each in a process of its own; a MatchRunner. Use it as an async context."""

    def __init__(
        self,
        home: Home,
        sandbox: Sandbox,
        *,
        limits: Limits | None = None,
        unsafe: bool = False,
        startup_seconds: float = STARTUP_SECONDS,
        most_agents: int = MOST_AGENTS,
        clock: Clock | None = None,
        hear: Callable[[str], Hear] | None = None,
    ) -> None:
        self._home = home
        self._sandbox = sandbox
        self._limits = limits or Limits()
        self._cores = asyncio.Semaphore(_at_once(self._limits))
        self._unsafe = unsafe
        self._startup_seconds = startup_seconds
        self._most_agents = most_agents
        self._clock = clock or LoopClock()
        self._hear = hear  # who hears what the agent of this name prints
        self._bots: dict[Entrant, Bot] = {}
        self._guests: dict[Entrant, Player] = {}
        self._agents: dict[Entrant, asyncio.Task[AgentProcess]] = {}  # the one used last stands last
        self._matches: Counter[Entrant] = Counter()  # under way
        self._leaving: set[asyncio.Task[None]] = set()  # agents that are being stopped meanwhile

    async def __aenter__(self) -> Self:
        self._janitor = Janitor()
        # What is there now stays: looking through all of it again would stop every match for tens of milliseconds.
        gc.freeze()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        async with AsyncExitStack() as stack:
            stack.callback(self._janitor.dismiss)  # the last of all
            stack.callback(gc.unfreeze)
            for starting in self._agents.values():
                stack.push_async_callback(_stop, starting)
            for leaving in self._leaving:
                stack.push_async_callback(asyncio.shield, leaving)

    @property
    def level(self) -> str:
        """The level of the sandbox that all agents run in."""
        return self._sandbox.level

    def seat(self, bot: Bot, process: int = 0, name: str | None = None) -> Entrant:
        """An entrant for this process of a bot, which starts with its first match; `name` is what tables show."""
        check_allowed(bot, self._sandbox, unsafe=self._unsafe)
        entrant = Entrant(name or _numbered(bot, process), bot.sha256, process, self._sandbox.level)
        self._bots[entrant] = bot
        return entrant

    def seat_guest(self, player: Player, name: str) -> Entrant:
        """An entrant for a player that needs no process: a person."""
        entrant = Entrant(name, sha256="", level="person")
        self._guests[entrant] = player
        return entrant

    async def play(self, spec: MatchSpec) -> MatchResult:
        """The result of one match; it always comes, whatever the bots do."""
        names = [entrant.bot for entrant in spec.entrants]
        if len(set(names)) < len(names):
            raise ValueError(f"expected a process of its own for every seat, got {', '.join(names)}")
        self._matches.update(spec.entrants)
        try:
            result = await self._play(spec)
        finally:
            self._matches.subtract(spec.entrants)
        if result.spoilt:
            self._retire(spec.entrants)
        return result

    async def _play(self, spec: MatchSpec) -> MatchResult:
        bots = [entrant for entrant in spec.entrants if entrant not in self._guests]
        unused = 0  # agents that failed before any match could begin
        while True:
            agents = await asyncio.gather(*(self._agent(entrant, spec.game) for entrant in bots))
            async with AsyncExitStack() as stack:
                # In one order for all matches, so that two of them never wait for each other.
                for _, agent in sorted(zip(map(_order, bots), agents, strict=True), key=itemgetter(0)):
                    await stack.enter_async_context(agent.free)
                # A match that has waited for an agent which then failed in another one is not to blame for that.
                lost = [agent for agent in agents if _may_be_replaced(agent)]
                unused += any(agent.matches == 0 for agent in lost)
                retired = any(agent.retired for agent in agents)
                if not retired and (not lost or unused == MOST_STARTS):
                    return await _played(spec, dict(zip(bots, agents, strict=True)), self._guests)

    async def _agent(self, entrant: Entrant, game: str) -> AgentProcess:
        starting = self._agents.pop(entrant, None)
        if starting is None or _may_return(starting):
            self._make_room()
            starting = asyncio.create_task(self._start(entrant, game, starting))
        self._agents[entrant] = starting
        return await asyncio.shield(starting)

    def _make_room(self) -> None:
        """Stop agents that have not played for the longest time, if there would be too many of them."""
        idle = [entrant for entrant, starting in self._agents.items() if starting.done() and not self._matches[entrant]]
        for entrant in idle[: max(0, len(self._agents) + 1 - self._most_agents)]:
            self._leave(_stop(self._agents.pop(entrant)))

    def _retire(self, entrants: Iterable[Entrant]) -> None:
        """Give these agents no further match: the one that they have seen may be played again, on the same deal."""
        for entrant in entrants:
            if starting := self._agents.pop(entrant, None):
                self._leave(_stop_when_idle(starting))

    def _leave(self, stopping: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        leaving = asyncio.create_task(stopping)
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)
        return leaving

    async def _start(self, entrant: Entrant, game: str, before: "asyncio.Task[AgentProcess] | None") -> AgentProcess:
        """An agent for this entrant, told which game comes first; the one before, which has failed, is gone first."""
        if before is not None and not before.exception():
            await asyncio.shield(self._leave(before.result().stop()))  # to its end, also if this start is cancelled
        bot = self._bots[entrant]
        limits = self._limits.lowered(bot.limits)
        hear = self._hear(entrant.bot) if self._hear else None
        agent = AgentProcess(bot, game, self._sandbox, self._runtime, self._clock, limits, self._cores, hear)
        try:
            await agent.start(self._startup_seconds)
        except BaseException:  # cancelled or refused while starting: nobody else could stop it
            await agent.stop()
            raise
        return agent

    @cached_property
    def _runtime(self) -> Runtime:
        return runtime.prepare(self._home)


def _numbered(bot: Bot, process: int) -> str:
    return bot.name if process == 0 else f"{bot.name}#{process + 1}"


def _order(entrant: Entrant) -> tuple[str, int, str]:
    return entrant.bot, entrant.process, entrant.sha256


async def _played(
    spec: MatchSpec, agents: Mapping[Entrant, AgentProcess], guests: Mapping[Entrant, Player]
) -> MatchResult:
    waiting: asyncio.Future[MatchResult] = asyncio.get_running_loop().create_future()
    players = {**guests, **{entrant: agent.session for entrant, agent in agents.items()}}
    sittings = {entrant: agent.sit() for entrant, agent in agents.items()}
    try:
        Table(spec, [players[entrant] for entrant in spec.entrants], partial(_settle, waiting)).start()
        result = await waiting
    finally:
        printed = {entrant: agent.rise(sittings[entrant]) for entrant, agent in agents.items()}
    logs = tuple(printed.get(entrant) for entrant in spec.entrants)
    return replace(result, logs=logs) if any(logs) else result


def _settle(waiting: "asyncio.Future[MatchResult]", result: MatchResult) -> None:
    if not waiting.done():  # whoever waited may have been cancelled
        waiting.set_result(result)


def _at_once(limits: Limits) -> int:
    """How many thinking agents can run at once without waiting for each other."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, 100 * cores // limits.cpu_percent)


def _may_return(starting: "asyncio.Task[AgentProcess]") -> bool:
    """A bot whose process failed plays its next match in a new one, unless it never connected at all."""
    if not starting.done():
        return False
    if error := starting.exception():
        return isinstance(error, MatchVoid)  # the machine's trouble, which may be over
    return _may_be_replaced(starting.result())


def _may_be_replaced(agent: AgentProcess) -> bool:
    failure = agent.session.failure
    return failure is not None and failure[0] is not FaultKind.NEVER_CONNECTED


async def _stop_when_idle(starting: "asyncio.Task[AgentProcess]") -> None:
    for agent in await asyncio.gather(starting, return_exceptions=True):
        if isinstance(agent, AgentProcess):
            await agent.retire()
    await _stop(starting)


async def _stop(starting: "asyncio.Task[AgentProcess]") -> None:
    starting.cancel()
    results = await asyncio.gather(starting, return_exceptions=True)
    if isinstance(results[0], AgentProcess):
        await results[0].stop()
