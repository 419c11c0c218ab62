"""`arena bench sandbox`: what each way to start an agent costs, beside a plain process measured in the same run.

Start-up is the time until the agent's own first instruction. A decision is one gRPC message each way, one match in
flight. The ways take turns, round after round, and the best round counts: what else the machine does is not measured.
"""

import os
import shutil
import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from rich import box
from rich.table import Table

from arena import bots, games, runtime
from arena.errors import UserError
from arena.home import Home
from arena.match import MatchSpec
from arena.referee.runner import Referee
from arena.sandbox import Launch, Sandbox, choose, levels

GAME = "party-bugs"
BOT = "random"
SEATS = 2
ROUNDS = 5
STARTS = 8  # in each round
MATCHES = 6  # in each round
MOST_MORE_MS = 40.0  # of start-up, for bubblewrap
MOST_MORE_SHARE = 0.05  # of a decision's time, for bubblewrap


@dataclass(frozen=True)
class Cost:
    """What one way costs."""

    level: str
    start_ms: float
    decision_micros: float

    def plain(self) -> dict[str, object]:
        """As JSON data."""
        return asdict(self)


def available() -> list[Sandbox]:
    """Every way that works here, the plain process first."""
    found = []
    for level in reversed(levels()):
        with suppress(UserError):  # what does not work here has its line in `arena doctor`
            found.append(choose(level))
    return found


async def run(home: Home, sandboxes: Sequence[Sandbox], say: Callable[[str], None] = lambda _: None) -> list[Cost]:
    """The cost of each way, in the order given."""
    starts: dict[str, list[float]] = {one.level: [] for one in sandboxes}
    decisions: dict[str, list[float]] = {one.level: [] for one in sandboxes}
    for number in range(ROUNDS):
        for one in sandboxes:
            say(f"round {number + 1} of {ROUNDS}: {one.level}")
            starts[one.level].append(await _start_ms(home, one))
            decisions[one.level].append(await _decision_micros(home, one))
    return [Cost(level, min(starts[level]), min(decisions[level])) for level in starts]


async def _start_ms(home: Home, sandbox: Sandbox) -> float:
    made = runtime.prepare(home)
    with TemporaryDirectory(prefix="arena-bench-") as name:
        os.chmod(name, 0o755)  # noqa: PTH101, S103 - agents have uids of their own; a path's method would be no better
        taken = [await _started(sandbox, Path(name), made) for _ in range(STARTS)]
    return 1000 * statistics.median(taken)


async def _started(sandbox: Sandbox, folder: Path, made: runtime.Runtime) -> float:
    seat = sandbox.seat_folder()
    try:
        before = time.perf_counter()
        agent = await sandbox.start(Launch("bench", folder, ("true",), seat, {}, made))
        taken = time.perf_counter() - before
        agent.kill()
        await agent.wait()
        return taken
    finally:
        shutil.rmtree(seat, ignore_errors=True)


async def _decision_micros(home: Home, sandbox: Sandbox) -> float:
    game, bot = games.load(GAME), bots.shipped()[BOT]
    options = game.plain_options(game.options({}))
    async with Referee(home, sandbox) as referee:
        entrants = tuple(referee.seat(bot, process) for process in range(SEATS))
        await referee.play(MatchSpec("bench", GAME, options, entrants, 0))  # starts the processes
        before, count = time.perf_counter(), 0
        for seed in range(MATCHES):
            result = await referee.play(MatchSpec(f"bench-{seed}", GAME, options, entrants, seed))
            count += len(result.decisions)
        return 1e6 * (time.perf_counter() - before) / count


def table(costs: Sequence[Cost]) -> Table:
    """For people; the first one is what the others are compared with."""
    shown = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for name in ("sandbox", "start-up", "more", "a decision", "ratio"):
        shown.add_column(name, justify="left" if name == "sandbox" else "right")
    floor = costs[0]
    for one in costs:
        more, ratio = one.start_ms - floor.start_ms, one.decision_micros / floor.decision_micros
        times = (f"{one.start_ms:.1f} ms", f"{more:+.1f} ms", f"{one.decision_micros:.0f} us", f"{ratio:.2f}")
        shown.add_row(one.level, *times)
    return shown


def summary(costs: Sequence[Cost]) -> list[str]:
    """How each way to use bubblewrap stands to its targets."""
    jails = [one for one in costs if one.level.startswith("bubblewrap")]
    return [_verdict(costs[0], jail) for jail in jails] or ["Bubblewrap does not work here: `arena doctor` tells why."]


def _verdict(floor: Cost, jail: Cost) -> str:
    more, share = jail.start_ms - floor.start_ms, jail.decision_micros / floor.decision_micros - 1
    start = f"{more:.1f} ms more start-up (at most {MOST_MORE_MS:g} wanted: {_met(more, MOST_MORE_MS)})"
    decision = f"{share:+.1%} a decision (at most {MOST_MORE_SHARE:.0%} wanted: {_met(share, MOST_MORE_SHARE)})"
    return f"{jail.level}: {start}, {decision}."


def _met(value: float, most: float) -> str:
    return "met" if value <= most else "missed"
