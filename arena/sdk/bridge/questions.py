"""What a bot still owes an answer to, the oldest question first."""

from dataclasses import dataclass

from arena.sdk.bridge.lines import Answer
from arena.sdk.bridge.trouble import Trouble
from arena.wire.v1 import referee_service_pb2 as wire


@dataclass(frozen=True)
class Question:
    """An open decision."""

    match_id: str
    decision: int
    actions: int  # how many there are to choose from


class Questions:
    """The open decisions of one frame; a match has at most one."""

    def __init__(self) -> None:
        self._open: dict[str, Question] = {}

    def __bool__(self) -> bool:
        return bool(self._open)

    def ask(self, question: Question) -> None:
        """One more that is open."""
        self._open[question.match_id] = question

    def oldest(self) -> Question | None:
        """The one that a bare index answers."""
        return next(iter(self._open.values()), None)

    def settle(self, answer: Answer) -> wire.Decision:
        """Close the question that is answered; Trouble if there is none, or no such action."""
        question = self._meant(answer)
        if answer.decision not in (None, question.decision):
            raise Trouble(
                f"expected an answer to decision {question.decision} of match {question.match_id}, "
                f"got one to decision {answer.decision}"
            )
        if answer.action_index >= question.actions:
            raise Trouble(
                f"expected an index from 0 to {question.actions - 1} for decision {question.decision} "
                f"of match {question.match_id}, got {_short(answer.action_index)}"
            )
        del self._open[question.match_id]
        return wire.Decision(match_id=question.match_id, decision=question.decision, action_index=answer.action_index)

    def _meant(self, answer: Answer) -> Question:
        question = self.oldest() if answer.match_id is None else self._open.get(answer.match_id)
        if question is None:
            of_match = "" if answer.match_id is None else f" in match {answer.match_id[:40]!r}"
            raise Trouble(
                f"expected no answer, since nothing is asked{of_match} now, got {_short(answer.action_index)}"
            )
        return question


def _short(index: int) -> str:
    return str(index) if index < 1 << 32 else "a number beyond all bounds"
