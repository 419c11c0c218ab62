"""What ladder, referee and records share of a match: who plays what, how it went, and the rules for both.

Plain immutable values; nothing here knows a game, a transport or a process.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from arena.engine.options import Value
from arena.engine.rng import Rng
from arena.limits import Limits, Usage

MICROS = 1_000  # microseconds in a millisecond; clocks are exact integers


class FaultKind(StrEnum):
    """How a bot can fail in a match."""

    ILLEGAL = "illegal"  # an action that is not on the list
    TIMEOUT = "timeout"  # allowance and bank used up
    DISCONNECTED = "disconnected"  # crashed, or hung up
    PROTOCOL = "protocol"  # misused the wire
    LIMIT = "limit"  # ended for using more memory than it may
    KILLED = "killed"  # ended by SIGKILL, which the referee did not send: perhaps the host's doing
    STARVED = "starved"  # too late, but the host had no core for it
    NEVER_CONNECTED = "never connected"  # no hello within the start-up time


# What the host may have done. A ladder plays such a match again, on the same deal, before it blames a bot.
PERHAPS_THE_HOST = frozenset({FaultKind.KILLED, FaultKind.STARVED})


class ClockRule(StrEnum):
    """How a bot's thinking is charged."""

    FRAME = "frame"  # wall time, shared by the decisions of a frame
    CPU = "cpu"  # its own CPU time, or a quarter of the wall time where that is more


@dataclass(frozen=True)
class Evidence:
    """What is known of an agent when it fails, for its author."""

    log: tuple[str, ...] = ()  # the last lines that it printed
    ended: str = ""  # how its process ended, in words; empty while it runs
    limits: Limits | None = None  # None where nothing was enforced
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True)
class Fault:
    """A bot's failure: the seat ranks last, and the substitute plays it on."""

    kind: FaultKind
    seat: int
    decision: int | None  # the seat's decision at which it happened; None before the first
    sentence: str  # what happened, for the bot's author
    evidence: Evidence = field(default_factory=Evidence)


class MatchVoid(Exception):
    """The host failed, not a bot: the match has no result and counts nothing."""


@dataclass(frozen=True)
class TimeControl:
    """How long a bot may think."""

    allowance_ms: int = 1_000  # for each decision
    bank_ms: int = 10_000  # for the match, on top of the allowances

    def bank_after(self, bank: int, spent: int) -> int:
        """What is left of a bank when a decision took `spent`, all in microseconds; negative is a timeout."""
        return bank - max(0, spent - self.allowance_ms * MICROS)


@dataclass(frozen=True)
class Entrant:
    """Who sits in a seat."""

    bot: str  # name in tables; unique within a match
    sha256: str  # of the bot's content
    process: int = 0  # which of the bot's processes plays; a process holds one seat of a match at most
    level: str = "none"  # the sandbox level it runs under


@dataclass(frozen=True)
class MatchSpec:
    """Everything that is decided before a match."""

    match_id: str
    game: str
    options: Mapping[str, Value]  # all of the game's options
    entrants: tuple[Entrant, ...]  # by seat
    seed: int  # of the deal
    time: TimeControl = field(default_factory=TimeControl)


@dataclass(frozen=True)
class Decided:
    """One decision as it was carried out."""

    seat: int
    action: int
    micros: int  # thinking time charged
    substitute: bool = False  # chosen for a faulty seat


@dataclass(frozen=True)
class Printed:
    """What an agent printed while it played a match, for its author."""

    text: str  # the last few kilobytes, without anything that could move a terminal's cursor
    left_out: int = 0  # bytes before that
    others: int = 0  # matches that the same process played meanwhile: what it printed for them is in the text too


@dataclass(frozen=True)
class MatchResult:
    """A finished match, complete enough to be replayed."""

    spec: MatchSpec
    decisions: tuple[Decided, ...]  # in the order of application; those of one moment by seat, in live play by arrival
    places: tuple[int, ...]  # final: faulty seats last
    scores: tuple[int, ...]  # as the game counted them
    faults: tuple[Fault, ...]
    remarks: tuple[str, ...] = ()
    clocks: tuple[ClockRule, ...] = ()  # by seat; none where nobody measured
    logs: tuple[Printed | None, ...] = ()  # by seat; none where nobody printed anything

    @property
    def spoilt(self) -> bool:
        """Whether the host, and no bot, may be to blame for a fault."""
        return any(fault.kind in PERHAPS_THE_HOST for fault in self.faults)


class MatchRunner(Protocol):
    """Plays matches: the seam between whoever wants results and whoever has processes."""

    async def play(self, spec: MatchSpec) -> MatchResult:
        """The result of one match; MatchVoid if the host failed."""


def final_places(places: Sequence[int], faulty: set[int]) -> tuple[int, ...]:
    """Places with the faulty seats last, sharing that place; the others keep their order."""
    sound = [place for seat, place in enumerate(places) if seat not in faulty]
    return tuple(
        1 + len(sound) if seat in faulty else 1 + sum(other < place for other in sound)
        for seat, place in enumerate(places)
    )


def in_order(arrived: Iterable[Decided], *, live: bool) -> list[Decided]:
    """The decisions of one moment as they are applied: by seat, or in live play as they arrived, substitutes last."""
    return sorted(arrived, key=lambda one: one.substitute if live else one.seat)


def substitute_action(root: Rng, seat: int, decision: int, legal: Sequence[int]) -> int:
    """What the substitute plays: any legal action, the same whenever the match is replayed."""
    return legal[root.fork(f"substitute {seat} {decision}").below(len(legal))]
