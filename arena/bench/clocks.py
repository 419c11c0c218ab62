"""`arena bench clocks`: how often an honest bot that uses most of its time is called late on a machine that is full.

The bot burns four fifths of its allowance in CPU time at every decision; as many other processes as there are cores run
beside it without end. It plays by the CPU rule, and for comparison by the frame rule, which counts the wall's time.
Those processes burn the same and play nothing: how often they would have been late is the machine's own part, since a
virtual one may lose its cores for many milliseconds, and its kernel counts these as used by whoever ran.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from rich import box
from rich.table import Table

from arena import bots, games
from arena.bots import Bot
from arena.home import Home
from arena.match import MICROS, ClockRule, FaultKind, MatchResult, MatchSpec, TimeControl
from arena.referee.runner import Referee
from arena.sandbox import Sandbox

GAME = "party-bugs"
SEATS = 2
USED = 0.8  # of the allowance
TARGET = 5  # in 10,000 decisions, more than without any referee; fewer are wanted
NOBODY = "no referee"
TABLES_PER_CORE = 2  # more bots want to think than can
LATE = (FaultKind.TIMEOUT, FaultKind.STARVED)
LOAD = """
import os, sys, time
while True:
    start = time.process_time()
    while time.process_time() < start + float(sys.argv[1]):
        pass
    os.write(1, b"%d\\n" % ((time.process_time() - start) * 1e6))
"""
SOURCE = f"""
import time
from arena.sdk import play

def choose(turn):
    end = time.process_time() + turn.match.allowance_ms / 1000 * {USED}
    while time.process_time() < end:
        pass
    return turn.rng.choice(turn.legal)

play(choose)
"""


@dataclass(frozen=True)
class Lateness:
    """What one rule came to."""

    rule: str
    decisions: int  # that the bots made, late ones included
    late: int
    median_micros: int  # charged

    @property
    def in_ten_thousand(self) -> float:
        """Late decisions in 10,000."""
        return 10_000 * self.late / max(self.decisions, 1)

    def plain(self) -> dict[str, object]:
        """As JSON data."""
        return {**asdict(self), "late_in_10000": self.in_ten_thousand, "target": TARGET}


async def run(
    home: Home, sandbox: Sandbox, *, decisions: int, time: TimeControl, advance: Callable[[int], None] = lambda _: None
) -> list[Lateness]:
    """On a full machine so many decisions by the CPU rule, what went on beside, and a few by the frame rule."""
    found = []
    # By the frame rule nearly all are late, and each costs a process: a few tell enough.
    for matches_at_once, wanted in ((1, decisions), (2, max(1, decisions // 100))):
        with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
            bot = _bot(Path(folder) / "thinker", matches_at_once)
            with _full_machine(Path(folder), time):
                async with Referee(home, sandbox, unsafe=True) as referee:
                    found.append(await _measured(referee, bot, wanted, time, advance))
            if matches_at_once == 1:
                found.append(_beside(Path(folder), time, found[0]))
    return found


def _beside(folder: Path, time: TimeControl, played: Lateness) -> Lateness:
    """How often those that play nothing would have been late, if an answer had cost them what it cost a bot."""
    used = [int(line) for path in folder.glob("load-*") for line in path.read_text().splitlines()]
    micros = time.allowance_ms * MICROS
    answering = max(0, played.median_micros - int(USED * micros))
    charged = sorted(one + answering for one in used)
    median = charged[len(charged) // 2] if charged else 0
    return Lateness(NOBODY, len(charged), sum(one > micros for one in charged), median)


async def _measured(
    referee: Referee, bot: Bot, decisions: int, time: TimeControl, advance: Callable[[int], None]
) -> Lateness:
    results: list[MatchResult] = []

    async def keep_playing(table: int) -> None:
        entrants = tuple(referee.seat(bot, SEATS * table + seat) for seat in range(SEATS))
        while sum(map(_count, results)) < decisions:
            number = len(results)
            spec = MatchSpec(f"clock-{table}-{number}", GAME, _options(), entrants, number, time)
            results.append(await referee.play(spec))
            advance(_count(results[-1]))

    cores = os.cpu_count() or 1
    await asyncio.gather(*(keep_playing(table) for table in range(TABLES_PER_CORE * cores)))
    micros = sorted(one.micros for result in results for one in result.decisions if not one.substitute)
    late = sum(fault.kind in LATE for result in results for fault in result.faults)
    rules = {rule.value for result in results for rule in result.clocks}
    median = micros[len(micros) // 2] if micros else 0
    return Lateness("/".join(sorted(rules)), sum(map(_count, results)), late, median)


def _count(result: MatchResult) -> int:
    late = sum(fault.kind in LATE for fault in result.faults)
    return late + sum(not one.substitute for one in result.decisions)


def _options() -> dict[str, str | int | bool]:
    game = games.load(GAME)
    return game.plain_options(game.options({}))


def _bot(folder: Path, matches_at_once: int) -> Bot:
    folder.mkdir()
    folder.chmod(0o755)
    (folder / "bot.py").write_text(SOURCE)
    (folder / bots.MANIFEST).write_text(
        f'name = "{folder.name}"\ngames = ["*"]\nrun = ["python", "bot.py"]\nmatches_at_once = {matches_at_once}\n'
    )
    return bots.read(folder)


@contextmanager
def _full_machine(folder: Path, time: TimeControl) -> Iterator[None]:
    """As many processes as cores, each busy without end; what each piece of work took them is in a file."""
    words = [sys.executable, "-c", LOAD, str(USED * time.allowance_ms / 1000)]
    with ExitStack() as stack:
        for number in range(os.cpu_count() or 1):
            output = stack.enter_context((folder / f"load-{number}").open("wb"))
            process = stack.enter_context(subprocess.Popen(words, stdout=output))
            stack.callback(process.kill)
        yield


def table(found: list[Lateness]) -> Table:
    """For people."""
    shown = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for name in ("clock rule", "decisions", "late", "in 10,000", "charged, median"):
        shown.add_column(name, justify="left" if name == "clock rule" else "right")
    for one in found:
        numbers = (f"{one.decisions:,}", f"{one.late:,}", f"{one.in_ten_thousand:.1f}")
        shown.add_row(one.rule, *numbers, f"{one.median_micros / 1000:.1f} ms")
    return shown


def summary(found: list[Lateness]) -> str:
    """The verdict, in a sentence."""
    cpu = next((one for one in found if one.rule == ClockRule.CPU.value), None)
    if cpu is None:
        return "Nothing here counts the CPU time of an agent, so every bot pays by the wall."
    machine = next(one for one in found if one.rule == NOBODY)
    met = "met" if cpu.in_ten_thousand - machine.in_ten_thousand < TARGET else "missed"
    return (
        f"By CPU time {cpu.in_ten_thousand:.1f} of 10,000 decisions of a bot that uses {USED:.0%} of its time are late "
        f"on a full machine, {machine.in_ten_thousand:.1f} by the machine's own doing "
        f"(fewer than {TARGET} more wanted: {met})."
    )
