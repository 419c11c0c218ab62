"""The whole contract between a game and everything else: State and Game, their obligations in comments.

The referee, bots, records and tests know games only through this file. Engines know nothing of them.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, Self, TypeVar

from arena.engine.options import Option
from arena.engine.rng import Rng

Seat = int  # 0-based, clockwise

P = TypeVar("P")  # a game's options
A = TypeVar("A")  # a game's typed action
A_co = TypeVar("A_co", covariant=True)
O = TypeVar("O")  # a game's observation  # noqa: E741 - the letter of the design, beside P and A
O_co = TypeVar("O_co", covariant=True)


class IllegalAction(ValueError):
    """An action that the seat may not take now; the state is unchanged."""


class Outcome:
    """How a match ended: a place and a score for every seat."""

    def __init__(self, places: list[int], scores: list[int], remarks: list[str]) -> None:
        self.places = places  # 1 is best; shared places skip the next ones: 1, 2, 2, 4
        self.scores = scores  # as the rulebook counts them; which direction is good is the game's business
        self.remarks = remarks  # what the places cannot say, in one sentence each


def places(keys: Sequence[tuple[int, ...]]) -> list[int]:
    """Places by ascending key; equal keys share a place."""
    return [1 + sum(1 for other in keys if other < key) for key in keys]


class State(Protocol[O_co]):
    """One match under way: mutable, with one owner. Clone it before you explore."""

    def to_act(self) -> tuple[Seat, ...]:
        """Seats that must act now, ascending; several act at once, none means that the match is over.

        Who is asked follows from public knowledge alone: being asked gives no secret away. A choice that
        public knowledge shows to be forced is made inside `apply` and never asked; a seat that only its own
        secrets force is asked like any other, with one legal action.
        """

    def legal_actions(self, seat: Seat) -> list[int]:
        """Distinct codes in a fixed order; empty unless the seat is to act."""

    def apply(self, actions: dict[Seat, int]) -> None:
        """Carry out one action of each seat to act, then all luck and forced moves up to the next decision.

        The order of the mapping means nothing, unless the options have a live value (see Option): then it is the
        order in which the answers arrived. Raises IllegalAction, with nothing changed, for a missing, surplus or
        illegal action.
        """

    def observe(self, seat: Seat) -> O_co:
        """All that the seat may know, built up from nothing, never redacted; valid to the end of the match."""

    def events(self, seat: Seat, since: int) -> list[int]:
        """What this seat saw happen, from its own event number `since` on; `event_text` says each in words."""

    def standing(self) -> list[int]:
        """What each seat would have if the match were counted now; more is better. For search, not for views."""

    def outcome(self) -> Outcome:
        """The result; only when nobody is to act, else ValueError."""

    def clone(self) -> Self:
        """An independent copy that continues identically."""

    def dump(self) -> dict[str, object]:
        """The whole state as plain JSON data, generator included; `Game.load` is its inverse."""


class Game(Protocol[P, A_co, O]):
    """The rules of one game: stateless. One instance, `GAME`, stands in each game's rules module."""

    @property
    def name(self) -> str:
        """The name people use: party-bugs."""

    @property
    def title(self) -> str:
        """The name on the box: Party Bugs."""

    def seat_counts(self) -> range:
        """How many seats a match may have."""

    def option_list(self) -> Sequence[Option]:
        """Every option with its values, default and meaning."""

    def variants(self) -> Mapping[str, P]:
        """Named option sets: what ladders play and tests cover. `base` is the first."""

    def options(self, given: Mapping[str, object]) -> P:
        """Options from plain values; strict: OptionError names what is wrong."""

    def plain_options(self, options: P) -> dict[str, str | int | bool]:
        """The same options as plain values, all of them: the inverse of `options`."""

    def length_bound(self, options: P, seats: int) -> int:
        """No match applies more often than this."""

    def setup(self, options: P, seats: int, rng: Rng) -> State[O]:
        """A new match. Luck comes from `rng.fork(label)`, keyed by purpose, never from one running stream."""

    def determinize(self, observation: O, rng: Rng) -> State[O]:
        """A whole state that fits the observation, drawn from those possible; its event log is empty."""

    def action(self, code: int) -> A_co:
        """What an action's code means, as a typed value; ValueError for a code that means nothing."""

    def action_text(self, code: int) -> str:
        """An action in words."""

    def event_text(self, code: int) -> str:
        """An event in words."""

    def text(self, observation: O) -> str:
        """An observation in words, for terminals, logs and language models."""

    def load(self, data: Mapping[str, object]) -> State[O]:
        """The state that was dumped; ValueError for data of another shape."""
