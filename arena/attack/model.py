"""What an attack is, where it is promised to fail, and what came of it: plain values."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """What came of an attack."""

    HELD = "held"
    OPEN = "open"
    UNTESTED = "untested"  # nobody can tell: a promise that was not shown to hold


class Way(StrEnum):
    """How an attack is made."""

    QUIET = "quiet"  # one probe after another in one agent
    GREEDY = "greedy"  # an agent of its own, under small limits
    CHANNEL = "channel"  # two agents
    STUBBORN = "stubborn"  # an agent that is then ended


@dataclass(frozen=True)
class Attack:
    """One attack on the sandbox."""

    name: str
    title: str  # what the bot tries
    way: Way
    held_by: Mapping[str, str]  # level -> what holds it there; a level that is missing promises nothing


@dataclass(frozen=True)
class Finding:
    """What came of an attack on this machine."""

    attack: str
    title: str
    verdict: Verdict
    promised: bool  # at this level
    by: str  # what is to hold it
    evidence: str

    @property
    def broken(self) -> bool:
        """Whether a promise was not kept."""
        return self.promised and self.verdict is not Verdict.HELD
