"""Plays one match: asks the players whose turn it is, applies their answers, and comes to a result.

It knows no game by name, no transport and no time: answers and faults come in, questions go out.
"""

from collections.abc import Callable, Sequence
from typing import Any

from arena import games
from arena.engine.contract import State
from arena.engine.options import live_choices
from arena.engine.rng import Rng, seeded
from arena.match import (
    MICROS,
    ClockRule,
    Decided,
    Fault,
    FaultKind,
    MatchResult,
    MatchSpec,
    final_places,
    in_order,
    substitute_action,
)
from arena.referee.player import Player


class Chair:
    """One seat at a table: its player's way back, and what the table remembers of it."""

    def __init__(self, table: "Table", seat: int, player: Player) -> None:
        self.table = table
        self.spec = table.spec
        self.seat = seat
        self.player = player
        self.bank = table.spec.time.bank_ms * MICROS
        self.decisions = 0  # so far; the open one counts once it is answered
        self.seen = 0  # events told so far
        self.faulty = False
        self.legal: list[int] = []  # of the open decision; empty while there is none

    @property
    def bot_seed(self) -> int:
        """The key of a fork of its own, so that it tells nothing of the deal."""
        return self.table.root.fork(f"bot {self.seat}").key & 0xFFFF_FFFF_FFFF_FFFF

    def answer(self, index: int, micros: int) -> None:
        """Take the player's choice; one that is off the list or out of time is a fault."""
        bank = self.spec.time.bank_after(self.bank, micros)
        if bank < 0:
            self.fault(FaultKind.TIMEOUT, self._overdrawn(micros), micros)
        elif index >= len(self.legal):
            sentence = f"expected an action index below {len(self.legal)}, got {index}"
            self.fault(FaultKind.ILLEGAL, sentence, micros)
        else:
            self.bank = bank
            self._decide(self.legal[index], micros)

    def fault(self, kind: FaultKind, sentence: str, micros: int = 0) -> None:
        """Take the seat out of the match; the substitute makes its open decision and all that follow."""
        if self.faulty:
            return
        self.faulty = True
        decision = self.decisions if self.legal or self.decisions else None
        self.table.faults.append(Fault(kind, self.seat, decision, sentence, self.player.evidence()))
        if self.legal:
            self.substitute(micros)

    def substitute(self, micros: int = 0) -> None:
        """Let the substitute make the open decision."""
        action = substitute_action(self.table.root, self.seat, self.decisions, self.legal)
        self._decide(action, micros)

    def _decide(self, action: int, micros: int) -> None:
        self.legal = []
        self.decisions += 1
        self.table.decide(Decided(self.seat, action, micros, self.faulty))

    def _overdrawn(self, micros: int) -> str:
        time, of_cpu = self.spec.time, " of CPU time" if self.player.rule is ClockRule.CPU else ""
        return (
            f"decision {self.decisions} took {micros / 1e6:.3f} s{of_cpu}; expected at most the allowance of "
            f"{time.allowance_ms / 1e3:g} s and the {self.bank / 1e6:.3f} s left in the bank"
        )


class Table:
    """One match from its first question to its result."""

    def __init__(self, spec: MatchSpec, players: Sequence[Player], finished: Callable[[MatchResult], None]) -> None:
        self.spec = spec
        self.root: Rng = seeded(spec.seed)
        self.faults: list[Fault] = []
        game = games.load(spec.game)
        options = game.options(spec.options)
        self._state: State[Any] = game.setup(options, len(players), self.root.fork("game"))
        self._chairs = [Chair(self, seat, player) for seat, player in enumerate(players)]
        self._finished = finished
        self._decided: list[Decided] = []
        self._live = bool(live_choices(game.option_list(), game.plain_options(options)))
        self._pending: dict[int, Decided] = {}  # answers to the questions that are open now, as they arrived
        self._asked = 0

    def start(self) -> None:
        """Seat the players and ask the first questions."""
        for chair in self._chairs:
            chair.player.begin(chair)
        self._advance()

    def decide(self, decided: Decided) -> None:
        """Take one seat's decision, and go on once every seat that was asked has decided."""
        self._pending[decided.seat] = decided
        if len(self._pending) == self._asked:
            self._apply()
            self._advance()

    def _advance(self) -> None:
        while seats := self._state.to_act():
            self._asked = len(seats) + 1  # nothing is complete before every seat has been asked
            for seat in seats:
                self._ask(self._chairs[seat])
            self._asked -= 1
            if len(self._pending) < self._asked:
                return
            self._apply()
        self._finish()

    def _ask(self, chair: Chair) -> None:
        chair.legal = self._state.legal_actions(chair.seat)
        if chair.faulty:
            chair.substitute()
            return
        observation = self._state.observe(chair.seat)
        chair.player.ask(chair, chair.decisions, observation, chair.legal, self._news(chair))

    def _news(self, chair: Chair) -> list[int]:
        events = self._state.events(chair.seat, chair.seen)
        chair.seen += len(events)
        return events

    def _apply(self) -> None:
        decided = in_order(self._pending.values(), live=self._live)
        self._pending.clear()
        self._state.apply({one.seat: one.action for one in decided})
        self._decided += decided

    def _finish(self) -> None:
        outcome = self._state.outcome()
        result = MatchResult(
            spec=self.spec,
            decisions=tuple(self._decided),
            places=final_places(outcome.places, {fault.seat for fault in self.faults}),
            scores=tuple(outcome.scores),
            faults=tuple(self.faults),
            remarks=tuple(outcome.remarks),
            clocks=tuple(chair.player.rule for chair in self._chairs),
        )
        chairs, self._chairs = self._chairs, []  # they know the table: it must not know them for ever
        for chair in chairs:
            chair.player.end(chair, result, self._state.observe(chair.seat), self._news(chair))
        self._finished(result)
