"""The conversation in the middle: frames of the referee to lines for the bot, its lines to one reply a frame.

The bot is read all the time, also while lines are written to it: neither side can block the other for ever, and a line
that nobody asked for is noticed when it comes.
"""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, NoReturn

import grpc

from arena.sdk.bridge import lines
from arena.sdk.bridge.command import Command
from arena.sdk.bridge.questions import Question, Questions
from arena.sdk.bridge.trouble import Trouble
from arena.sdk.client import Call, dialled
from arena.wire.v1 import referee_service_pb2 as wire

CLIENT = "arena-stdio-bridge"

GiveUp = Callable[[Trouble], NoReturn]


async def bridged(command: Sequence[str], socket: str, token: str, give_up: GiveUp) -> None:
    """Play all matches that the referee has, then return; it gives up on a bot that does wrong."""
    bot = await Command.start(command)
    try:
        async with dialled(socket, token, CLIENT) as call:
            try:
                talk = Talk(bot, call)
                await _first_of(talk.carry(), talk.listen(), talk.watch())
            except Trouble as trouble:
                await bot.end()
                # While the stream is open: the two end together then, and the referee need not guess what became of a
                # process whose stream has ended.
                give_up(trouble)
            await bot.leave()
    except grpc.aio.AioRpcError as error:
        await bot.end()
        raise Trouble(f"the referee ended the conversation: {error.details()}") from None


class Talk:
    """One bot, one stream."""

    def __init__(self, bot: Command, call: Call) -> None:
        self._bot = bot
        self._call = call
        self._questions = Questions()
        self._decisions: list[wire.Decision] = []  # of the frame under way
        self._settled = asyncio.Event()  # every question told so far has its answer
        self._trusted = True  # nothing that the bot has written is wrong

    async def carry(self) -> None:
        """Bring every frame to the bot and its answers to the referee, until the referee has no more."""
        while isinstance(data := await self._call.read(), bytes):
            for message in wire.PlayResponse.FromString(data).messages:
                await self._tell(message)
            if self._questions or self._decisions:
                await self._settled.wait()
                if not self._trusted:  # an answer too many came with the last one
                    return
                await self._reply()

    async def listen(self) -> None:
        """Take every line of the bot as an answer; it ends in Trouble alone."""
        try:
            while True:
                self._take(lines.answer(await self._bot.line()))
        except Trouble:
            self._trusted = False
            raise

    async def watch(self) -> None:
        """Wait for the end of the bot's process, which is Trouble."""
        raise await self._bot.exit()

    def _take(self, answer: lines.Answer) -> None:
        self._decisions.append(self._questions.settle(answer))
        if not self._questions:
            self._settled.set()

    async def _tell(self, message: wire.Message) -> None:
        data = lines.plain(message)
        if message.HasField("decision_requested"):
            request = message.decision_requested
            actions = data["decision_requested"]["observation"]["legal_actions"]
            self._questions.ask(Question(request.match_id, request.decision, len(actions)))
            self._settled.clear()
        await self._bot.tell(lines.line(data))

    async def _reply(self) -> None:
        reply = wire.PlayRequest()
        reply.decisions.decisions.extend(self._decisions)
        self._decisions.clear()
        await self._call.write(reply.SerializeToString())


async def _first_of(*work: Coroutine[Any, Any, None]) -> None:
    """Wait until one of them ends or fails, and stop the others."""
    tasks = [asyncio.create_task(each) for each in work]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()
