"""`arena bench referee`: decisions a second of real bot processes, beside two marks taken in the same run.

With one match in flight every frame carries one decision: the first mark, one gRPC message per decision. The second
is one agent that gets the frames of 256 matches over a bare socket. Frames close the gap between the two.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import count

from rich import box
from rich.table import Table

from arena import bots, build, games
from arena.bench import socket_mark
from arena.bench.engine import seat_count
from arena.home import Home
from arena.match import MatchSpec
from arena.referee.runner import Referee
from arena.sandbox import Sandbox

GAME = "party-bugs"
BOT = "random"  # thinks next to nothing, so that what is measured is the referee
IN_FLIGHT = (1, 8, 64, 256)
WARM_UP = 0.2  # of a measure's seconds, before it counts
ONE_MESSAGE_TARGET = 15.0
BARE_SOCKET_TARGET = 1 / 3


@dataclass(frozen=True)
class Rate:
    """What so many matches at once came to, per second."""

    in_flight: int
    decisions: float
    matches: float
    faults: int  # in all of its matches; more than none spoils the measure


@dataclass(frozen=True)
class RefereeSpeeds:
    """Everything that one run found."""

    game: str
    seats: int
    sandbox: str
    compiled: bool
    rates: tuple[Rate, ...]  # by matches in flight, ascending
    one_message: float  # decisions a second at one gRPC message per decision
    bare_socket: float  # decisions a second of one agent over a bare socket

    @property
    def times_one_message(self) -> float:
        """The highest load beside one message per decision."""
        return self.rates[-1].decisions / self.one_message

    @property
    def part_of_bare_socket(self) -> float:
        """The highest load beside the bare socket."""
        return self.rates[-1].decisions / self.bare_socket

    @property
    def faults(self) -> int:
        """Faults in all matches of the run."""
        return sum(rate.faults for rate in self.rates)

    def plain(self) -> dict[str, object]:
        """As JSON data."""
        ratios = {
            "times_one_message": self.times_one_message,
            "times_one_message_target": ONE_MESSAGE_TARGET,
            "part_of_bare_socket": self.part_of_bare_socket,
            "part_of_bare_socket_target": BARE_SOCKET_TARGET,
        }
        return {**asdict(self), **ratios}


@dataclass(frozen=True)
class _Played:
    """One match, when it was played, and what it counts."""

    start: float
    end: float
    decisions: int
    faults: int

    def share(self, start: float, end: float) -> float:
        """How much of its time lies between these moments, from 0 to 1."""
        return max(0.0, min(self.end, end) - max(self.start, start)) / (self.end - self.start)


async def run(
    home: Home,
    sandbox: Sandbox,
    *,
    game: str = GAME,
    seats: int | None = None,
    seconds: float = 3.0,
    loads: Sequence[int] = IN_FLIGHT,
    say: Callable[[str], None] = lambda _: None,
) -> RefereeSpeeds:
    """The speeds of a game's base variant with real bot processes; each measure takes so many seconds."""
    chairs = seat_count(games.load(game), seats)
    ascending = sorted({1, *loads})
    rates = []
    async with Referee(home, sandbox) as referee:
        house = _House(referee, game, chairs)
        for load in ascending:
            say(f"{load} in flight")
            rates.append(await house.rate(load, seconds))
    say("the same frames over a bare socket")
    frames = await socket_mark.record_frames(game, chairs, ascending[-1])
    bare = socket_mark.rate(frames, seconds)
    return RefereeSpeeds(game, chairs, sandbox.level, build.compiled(), tuple(rates), rates[0].decisions, bare)


class _House:
    """Bots that are there for any number of matches, one process for each seat."""

    def __init__(self, referee: Referee, game: str, seats: int) -> None:
        rules, bot = games.load(game), bots.shipped()[BOT]
        self._referee = referee
        self._game = game
        self._options = rules.plain_options(rules.options({}))
        self._entrants = tuple(referee.seat(bot, process) for process in range(seats))
        self._seeds = count()

    async def rate(self, in_flight: int, seconds: float) -> Rate:
        """The rates of so many matches at once, once they are under way."""
        await self._play()  # the first match of all starts the processes
        start = time.perf_counter() + WARM_UP * seconds
        end = start + seconds
        lines = await asyncio.gather(*(self._play_until(end) for _ in range(in_flight)))
        # A match that is cut by an edge of the time counts by its part inside, or whole waves would come and go.
        shares = [(match, match.share(start, end)) for line in lines for match in line]
        return Rate(
            in_flight,
            sum(match.decisions * share for match, share in shares) / seconds,
            sum(share for _, share in shares) / seconds,
            sum(match.faults for match, _ in shares),
        )

    async def _play_until(self, end: float) -> list[_Played]:
        line = []
        while time.perf_counter() < end:
            line.append(await self._play())
        return line

    async def _play(self) -> _Played:
        seed, start = next(self._seeds), time.perf_counter()
        result = await self._referee.play(MatchSpec(f"bench-{seed}", self._game, self._options, self._entrants, seed))
        return _Played(start, time.perf_counter(), len(result.decisions), len(result.faults))


def table(speeds: RefereeSpeeds) -> Table:
    """The rates and marks for people."""
    shown = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    shown.add_column(f"{speeds.game}, {speeds.seats} bots, sandbox {speeds.sandbox}")
    shown.add_column("decisions/s", justify="right")
    shown.add_column("matches/s", justify="right")
    for rate in speeds.rates:
        note = ": one message per decision" if rate.in_flight == 1 else ""
        title = f"{rate.in_flight} in flight{note}"
        shown.add_row(title, f"{rate.decisions:,.0f}", f"{rate.matches:,.1f}")
    shown.add_row("the same frames over a bare socket, one bot", f"{speeds.bare_socket:,.0f}", "")
    return shown


def summary(speeds: RefereeSpeeds) -> list[str]:
    """The two ratios with their targets, a sentence each."""
    most = speeds.rates[-1].in_flight
    times, part = speeds.times_one_message, speeds.part_of_bare_socket
    beside_message = f"{most} in flight are {times:.1f} times one message per decision"
    beside_socket = f"{most} in flight are {part:.2f} of the bare socket"
    return [
        f"{beside_message} (at least {ONE_MESSAGE_TARGET:g} wanted: {_verdict(met=times >= ONE_MESSAGE_TARGET)}).",
        f"{beside_socket} (at least {BARE_SOCKET_TARGET:.2f} wanted: {_verdict(met=part >= BARE_SOCKET_TARGET)}).",
    ]


def _verdict(*, met: bool) -> str:
    return "met" if met else "missed"
