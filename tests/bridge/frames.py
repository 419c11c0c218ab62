"""What a real session tells its agent in a whole match, without a process: messages that tests can rely on."""

import asyncio
from typing import Any

from arena import games
from arena.match import ClockRule, Entrant, Evidence, MatchResult, MatchSpec
from arena.referee.clock import LoopClock
from arena.referee.player import Place
from arena.referee.session import Session
from arena.referee.table import Table
from arena.wire.v1 import referee_service_pb2 as wire

TOKEN = "token"
MATCH = "0123456789abcdef0123456789abcdef"


class Others:
    """Players that take their first action, soon after they are asked."""

    rule = ClockRule.FRAME

    def evidence(self) -> Evidence:
        return Evidence()

    def begin(self, place: Place) -> None:
        pass

    def ask(self, place: Place, decision: int, observation: Any, legal: list[int], events: list[int]) -> None:
        asyncio.get_running_loop().call_soon(place.answer, 0, 0)

    def end(self, place: Place, result: MatchResult, observation: Any, events: list[int]) -> None:
        pass


def spec(game: str, *, variant: str = "base", match_id: str = MATCH, seed: int = 5) -> MatchSpec:
    """A match of three seats."""
    rules = games.load(game)
    entrants = tuple(Entrant(f"bot-{seat}", "0" * 64) for seat in range(3))
    return MatchSpec(match_id, game, rules.plain_options(rules.variants()[variant]), entrants, seed)


async def messages(game: str, variant: str = "base") -> list[wire.Message]:
    """All that the agent in seat 0 of three is told, if everybody takes the first action."""
    session, others = Session(TOKEN, LoopClock(), "arena/1"), Others()
    session.receive(wire.PlayRequest(hello=wire.Hello(token=TOKEN)).SerializeToString())
    Table(spec(game, variant=variant), [session, others, others], lambda _: session.close()).start()
    told: list[wire.Message] = []
    while (frame := await asyncio.wait_for(session.frame(), 10)) is not None:
        told += wire.PlayResponse.FromString(frame).messages
        if told[-1].HasField("decision_requested"):
            session.receive(_first_action(told[-1].decision_requested))
    return told


def _first_action(request: wire.DecisionRequested) -> bytes:
    reply = wire.PlayRequest()
    reply.decisions.decisions.add(match_id=request.match_id, decision=request.decision, action_index=0)
    return reply.SerializeToString()
