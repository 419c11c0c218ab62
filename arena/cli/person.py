"""A person as the table sees one: a player whose answers come from a dialogue, and whose time is not counted."""

import asyncio
from dataclasses import dataclass
from typing import Any

from arena.match import ClockRule, Evidence, MatchResult
from arena.referee.player import Place


@dataclass(frozen=True)
class Question:
    """A decision that is due, with all that a bot in this seat would get."""

    place: Place
    decision: int
    observation: Any
    legal: list[int]
    events: list[int]

    def answer(self, index: int) -> None:
        """Take this action; thinking costs nothing, so that nobody loses to a doorbell."""
        self.place.answer(index, 0)


class Person:
    """One seat of one match; its questions wait here until somebody looks."""

    rule = ClockRule.FRAME

    def __init__(self) -> None:
        self.questions: asyncio.Queue[Question] = asyncio.Queue()

    def evidence(self) -> Evidence:
        """Nothing: people have no process."""
        return Evidence()

    def begin(self, place: Place) -> None:
        """The match begins; the first question tells all that there is to see."""

    def ask(self, place: Place, decision: int, observation: Any, legal: list[int], events: list[int]) -> None:
        """Put the question where the dialogue finds it."""
        self.questions.put_nowait(Question(place, decision, observation, legal, events))

    def end(self, place: Place, result: MatchResult, observation: Any, events: list[int]) -> None:
        """The match is over; whoever plays it has its result."""
