"""A bot's side of the wire: connects, says hello, and answers every frame with one message."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager

import grpc

from arena import __version__, games
from arena.sdk.turn import Match, Turn
from arena.wire.v1 import referee_service_pb2 as wire

Choose = Callable[[Turn], int]
Call = grpc.aio.StreamStreamCall[bytes, bytes]
PLAY = "/arena.wire.v1.RefereeService/Play"
MAX_FRAME_BYTES = 64 << 20


def play(choose: Choose) -> None:
    """Play all matches that the referee has for this process, then return."""
    socket, token = seat_of_this_process()
    _make_ready(os.environ.get("ARENA_GAME", ""))
    asyncio.run(_converse(Conversation(choose), socket, token))


def _make_ready(game: str) -> None:
    """Import before the hello what the first decision would wait for: until then no clock runs."""
    if game in games.names():
        games.load(game), games.codec(game)


def seat_of_this_process() -> tuple[str, str]:
    """The socket and the token that the referee gave this process; whoever started it otherwise is told how."""
    socket, token = os.environ.get("ARENA_SOCKET"), os.environ.get("ARENA_TOKEN")
    if not socket or not token:
        sys.exit("this is a bot: start it with `arena match --game GAME --bots FOLDER,random`")
    return socket, token


class Conversation:
    """What a bot remembers between frames: its matches."""

    def __init__(self, choose: Choose) -> None:
        self._choose = choose
        self._matches: dict[str, Match] = {}

    def answer(self, frame: wire.PlayResponse) -> wire.PlayRequest | None:
        """The answers to all questions of a frame, None if it asks none."""
        requests = list(self._requests(frame.messages))
        if not requests:
            return None
        reply = wire.PlayRequest()
        for request in requests:
            index = self._index(Turn(self._matches[request.match_id], request))
            reply.decisions.decisions.add(match_id=request.match_id, decision=request.decision, action_index=index)
        return reply

    def _requests(self, messages: Iterable[wire.Message]) -> Iterable[wire.DecisionRequested]:
        for message in messages:
            kind = message.WhichOneof("message")
            if kind == "decision_requested":
                yield message.decision_requested
            elif kind == "match_started":
                self._matches[message.match_started.match_id] = Match(message.match_started)
            elif kind == "match_ended":
                self._matches.pop(message.match_ended.match_id, None)

    def _index(self, turn: Turn) -> int:
        action = self._choose(turn)
        if action not in turn.legal:
            wanted = ", ".join(map(str, turn.legal))
            raise ValueError(f"choose: expected one of the legal actions {wanted}; got {action!r}")
        return turn.legal.index(action)


@asynccontextmanager
async def dialled(socket: str, token: str, client: str) -> AsyncIterator[Call]:
    """A Play stream on which the hello has been said."""
    options = [
        ("grpc.max_receive_message_length", MAX_FRAME_BYTES),
        ("grpc.default_authority", "localhost"),  # a socket path makes a bad :authority header
    ]
    async with grpc.aio.insecure_channel(f"unix:{socket}", options=options) as channel:
        call: Call = channel.stream_stream(PLAY)()
        hello = wire.Hello(token=token, client=f"{client}/{__version__}")
        await call.write(wire.PlayRequest(hello=hello).SerializeToString())
        yield call


async def _converse(conversation: Conversation, socket: str, token: str) -> None:
    async with dialled(socket, token, "arena-sdk-python") as call:
        while isinstance(data := await call.read(), bytes):  # anything else is the end of the stream
            reply = conversation.answer(wire.PlayResponse.FromString(data))
            if reply is not None:
                await call.write(reply.SerializeToString())
