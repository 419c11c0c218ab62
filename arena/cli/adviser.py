"""A bot that is asked for advice: a real agent that gets the person's question, and nothing else.

It plays no seat: its session is told of the match as if it held the person's, and its answers go to the person.
"""

import asyncio

from arena import bots, runtime
from arena.bots import Bot
from arena.cli.person import Question
from arena.home import Home
from arena.limits import Limits
from arena.match import FaultKind, MatchSpec
from arena.referee.agents import AgentProcess
from arena.referee.clock import LoopClock
from arena.referee.player import Place
from arena.referee.runner import STARTUP_SECONDS
from arena.sandbox import Sandbox

ANY_GAME = "greedy"


def adviser_for(game: str) -> Bot:
    """The shipped bot that is called like the game, which knows it best; else the one that plays them all."""
    known = bots.shipped()
    return known.get(game, known[ANY_GAME])


class Advice(Exception):
    """Why there is no advice, in a sentence."""


class Adviser:
    """One bot, started when it is asked for the first time."""

    def __init__(self, bot: Bot, home: Home, sandbox: Sandbox) -> None:
        self.bot = bot
        self._home = home
        self._sandbox = sandbox
        self._agent: AgentProcess | None = None
        self._aside: _Aside | None = None

    async def advise(self, question: Question) -> int:
        """The index of the action that it would take; Advice if it cannot tell."""
        if self._agent is None or self._aside is None:
            self._agent, self._aside = await self._start(question.place.spec.game), _Aside(question.place)
            self._agent.session.begin(self._aside)
        return await self._aside.ask(self._agent, question)

    async def stop(self) -> None:
        """End its process, if there is one."""
        if self._agent:
            await self._agent.stop()

    async def _start(self, game: str) -> AgentProcess:
        limits = Limits().lowered(self.bot.limits)
        prepared = await asyncio.to_thread(runtime.prepare, self._home)
        agent = AgentProcess(self.bot, game, self._sandbox, prepared, LoopClock(), limits, asyncio.Semaphore())
        try:
            await agent.start(STARTUP_SECONDS)
        except BaseException:  # cancelled while it starts: nobody else could stop it
            await agent.stop()
            raise
        return agent


class _Aside:
    """A place beside the table, with the person's view and luck; what is answered here moves nothing."""

    def __init__(self, place: Place) -> None:
        self.spec: MatchSpec = place.spec
        self.seat = place.seat
        self.bot_seed = place.bot_seed
        self.bank = place.bank
        self._answer: asyncio.Future[int] | None = None
        self._failure = ""

    async def ask(self, agent: AgentProcess, question: Question) -> int:
        if self._failure:
            raise Advice(self._failure)
        self._answer = asyncio.get_running_loop().create_future()
        agent.session.ask(self, question.decision, question.observation, question.legal, question.events)
        index = await self._answer
        if index >= len(question.legal):
            raise Advice(f"the bot chose action {index} of {len(question.legal)}, which there is not")
        return index

    def answer(self, index: int, micros: int) -> None:
        """Its advice; the time that it took is nobody's."""
        del micros
        if self._answer and not self._answer.done():
            self._answer.set_result(index)

    def fault(self, kind: FaultKind, sentence: str, micros: int = 0) -> None:
        """It cannot advise any more."""
        del micros
        self._failure = f"the bot failed ({kind.value}): {sentence}"
        if self._answer and not self._answer.done():
            self._answer.set_exception(Advice(self._failure))
