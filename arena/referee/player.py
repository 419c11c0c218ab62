"""Who sits at a table, as the table sees it: the seam between playing a match and talking to a process."""

from typing import Any, Protocol

from arena.match import ClockRule, Evidence, FaultKind, MatchResult, MatchSpec


class Place(Protocol):
    """A player's way back to its table: one seat of one match."""

    @property
    def spec(self) -> MatchSpec:
        """The match."""

    @property
    def seat(self) -> int:
        """The seat at it."""

    @property
    def bot_seed(self) -> int:
        """For the bot's own luck; it tells nothing of the deal."""

    @property
    def bank(self) -> int:
        """Microseconds left beyond the allowances."""

    def answer(self, index: int, micros: int) -> None:
        """The player chose this legal action after so much thinking."""

    def fault(self, kind: FaultKind, sentence: str, micros: int = 0) -> None:
        """The player has failed, after so much thinking; it will not be asked again."""


class Player(Protocol):
    """Decides for seats. Answers come later, through the place, never from inside a call."""

    @property
    def rule(self) -> ClockRule:
        """How its thinking is charged."""

    def evidence(self) -> Evidence:
        """What is known of it now, for a fault."""

    def begin(self, place: Place) -> None:
        """A match begins for this place; a player that is gone already faults here."""

    def ask(self, place: Place, decision: int, observation: Any, legal: list[int], events: list[int]) -> None:
        """Wants one answer for this decision of the place's seat."""

    def end(self, place: Place, result: MatchResult, observation: Any, events: list[int]) -> None:
        """The match is over."""
