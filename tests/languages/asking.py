"""A referee that asks whatever a test wants: the real wire, in the sandbox, with questions of no match."""

import asyncio
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arena import runtime
from arena.bots import Bot
from arena.home import Home
from arena.referee.server import Door
from arena.sandbox import SOCKET, Launch, Sandbox
from arena.wire.v1 import referee_service_pb2 as wire
from tests.languages.positions import Position

TOKEN = "a token"
SECONDS = 60.0  # for all questions; a bot in any language needs less than two


@dataclass(frozen=True)
class Asked:
    """What came of it."""

    indexes: list[int]  # by position
    messages: int  # with answers
    frames: int  # with questions
    code: int  # that the process ended with
    log: str


class Questions:
    """The session of one agent, as its door sees it: frames of as many questions as it plays matches."""

    failure: tuple[object, str] | None = None

    def __init__(self, positions: Sequence[Position], at_once: int) -> None:
        self.over = asyncio.Event()
        self.answers: dict[str, int] = {}
        self.messages = 0
        self.frames = 0
        self._positions = dict(zip(map("m{}".format, range(len(positions))), positions, strict=True))
        self._waiting = list(self._positions)
        self._at_once = at_once
        self._open: list[str] = []
        self._due = asyncio.Event()

    async def frame(self) -> bytes | None:
        """The next questions once those before are answered; a last frame that asks nothing; then the end."""
        await self._due.wait()
        if not self._waiting and not self._open:
            return None
        self._due.clear()
        frame = wire.PlayResponse()
        if not self.frames:
            frame.messages.add().welcome.referee = "tests"
        for match_id in self._open:
            frame.messages.add().match_ended.match_id = match_id
        self._open, self._waiting = self._waiting[: self._at_once], self._waiting[self._at_once :]
        for match_id in self._open:
            self._ask(frame, match_id)
        self.frames += bool(self._open)
        if not self._open:
            self._due.set()
        return frame.SerializeToString()

    def _ask(self, frame: wire.PlayResponse, match_id: str) -> None:
        position = self._positions[match_id]
        case = position.case
        started = frame.messages.add().match_started
        started.match_id, started.game, started.seat, started.seats = match_id, case.name, position.seat, case.seats
        started.options.type_url = case.codec.options_type
        started.options.value = case.codec.encode_options(case.options)
        started.seed, started.allowance_ms, started.bank_ms = 1, 1_000, 10_000
        asked = frame.messages.add().decision_requested
        asked.match_id, asked.decision, asked.bank_ms = match_id, 3, 10_000
        asked.observation.type_url = case.codec.observation_type
        asked.observation.value = position.data

    def receive(self, data: bytes) -> None:
        """A hello, or answers to some of what is open."""
        request = wire.PlayRequest.FromString(data)
        if request.HasField("hello"):
            assert request.hello.token == TOKEN
        else:
            self.messages += 1
        for one in request.decisions.decisions:
            assert one.match_id in self._open, f"{one.match_id} is not asked"
            assert one.match_id not in self.answers, f"{one.match_id} is answered twice"
            assert one.decision == 3, f"there is no decision {one.decision}"
            self.answers[one.match_id] = one.action_index
        if self.answers.keys() >= {*self._open}:
            self._due.set()

    def hung_up(self) -> None:
        """The stream has ended."""
        self.over.set()

    def fail(self, kind: object, sentence: str) -> None:
        """Something else than a Play stream was asked for."""
        self.failure = (kind, sentence)


async def ask(bot: Bot, positions: Sequence[Position], home: Home, sandbox: Sandbox) -> Asked:
    """Start a bot, let it answer all questions, and see how it ends by itself."""
    questions = Questions(positions, bot.matches_at_once)
    seat = sandbox.seat_folder()
    session: Any = questions
    door = Door(session)
    try:
        await door.open(seat / SOCKET)
        sandbox.admit(seat)
        made, told = runtime.prepare(home), {"ARENA_TOKEN": TOKEN, "ARENA_GAME": positions[0].case.name}
        agent = await sandbox.start(Launch(bot.name, bot.folder, bot.command, seat, told, made))
        try:
            async with asyncio.timeout(SECONDS):
                await asyncio.wait(
                    [asyncio.create_task(questions.over.wait()), asyncio.create_task(agent.wait())],
                    return_when=asyncio.FIRST_COMPLETED,
                )
                code = await agent.wait()
        finally:
            agent.kill()
            await agent.wait()
        indexes = [questions.answers.get(f"m{number}", -1) for number in range(len(positions))]
        return Asked(indexes, questions.messages, questions.frames, code, agent.log())
    finally:
        await door.shut()
        shutil.rmtree(seat, ignore_errors=True)
