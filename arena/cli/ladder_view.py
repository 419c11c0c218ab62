"""A ladder while it runs and when it has ended: a calm live table in a terminal, a log line now and then elsewhere."""

import asyncio
import time
from dataclasses import dataclass
from typing import Final

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from arena.cli import reading, screen
from ladder import report
from ladder.model import PlayerId
from ladder.runner import Progress
from ladder.store import Ladder, Standing, Views

REDRAW_SECONDS: Final = 0.5
TABLE_SECONDS: Final = 2.0  # between two looks at the standings
LOG_SECONDS: Final = 5.0
BAR: Final = 24  # columns


@dataclass(frozen=True)
class LadderView:
    """What is shown of one run."""

    ladder: Ladder
    active: frozenset[PlayerId]
    again: str  # the words after `ladder` that go on with it
    given_up: int = 0  # blocks of an earlier run that cannot be played any more

    # While it runs

    async def watch(self, progress: Progress, views: Views) -> None:
        """Show how it goes, until cancelled."""
        console = screen.err()
        if console.is_terminal:
            await self.draw(console, progress, views)
        else:
            await self._log(console, progress, views)

    async def draw(self, console: Console, progress: Progress, views: Views) -> None:
        """Keep a live table on a terminal, until cancelled."""
        standings: list[Standing] = []
        looked = 0.0
        with Live(console=console, auto_refresh=False, transient=True) as live:
            while True:
                if time.monotonic() - looked >= TABLE_SECONDS:
                    standings = await asyncio.to_thread(views.standings, self.ladder)
                    looked = time.monotonic()
                live.update(self._screen(progress, standings), refresh=True)
                await asyncio.sleep(REDRAW_SECONDS)

    def _screen(self, progress: Progress, standings: list[Standing]) -> Group:
        table = (
            report.leaderboard(standings, self.active) if standings else Text("no deal is complete yet", style="dim")
        )
        return Group(reading.title(self.ladder), _bar(progress), Text(), table)

    async def _log(self, console: Console, progress: Progress, views: Views) -> None:
        console.print(reading.title(self.ladder).plain)
        while True:
            await asyncio.sleep(LOG_SECONDS)
            standings = await asyncio.to_thread(views.standings, self.ladder)
            best = [
                f"{one.player.name} {one.rating.mu:.1f}"
                for one in report.ranked(standings)[:3]
                if one.rating is not None
            ]
            clock = time.strftime("%H:%M:%S")
            console.print(f"{clock}  {_counts(progress)}; {', '.join(best) or 'no rating yet'}", soft_wrap=True)

    # When it has ended

    def show_end(self, views: Views, progress: Progress | None, *, stopped: bool, as_json: bool) -> None:
        """The final table, and what to do next."""
        standings = views.standings(self.ladder)
        played = progress.stored if progress else 0
        if as_json:
            screen.print_json(self._plain(standings, progress, stopped=stopped))
            return
        out = screen.out()
        out.print(reading.title(self.ladder))
        out.print()
        out.print(report.leaderboard(standings, self.active))
        out.print()
        out.print(report.caption())
        out.print(_summary(progress, played, self.given_up), style="dim")
        if stopped and progress:
            screen.err().print(_stopped(progress))
        out.print(self._hints(), soft_wrap=True)
        show_others(out, views, self.ladder)

    def _hints(self) -> Text:
        words = reading.words(self.ladder)
        hint = Text("Go on: ", style="dim").append(screen.command(f"ladder {self.again}"), style="not dim")
        hint.append("\nOne bot: ").append(screen.command(f"leaderboard {words} --bot NAME"), style="not dim")
        return hint.append("\nMatches: ").append(
            screen.command(f"matches --game {self.ladder.spec.game}"), style="not dim"
        )

    def _plain(self, standings: list[Standing], progress: Progress | None, *, stopped: bool) -> dict[str, object]:
        spec = self.ladder.spec
        return {
            "game": spec.game,
            "options": dict(spec.options),
            "seats": spec.seats,
            "sandbox": spec.level,
            "practice": self.ladder.practice,
            "played": progress.stored if progress else 0,
            "dropped": progress.dropped if progress else 0,
            "repeated": progress.repeated if progress else 0,
            "faults": progress.faults if progress else 0,
            "stopped": stopped,
            "standings": report.plain(standings),
        }


def show_others(console: Console, views: Views, ladder: Ladder) -> None:
    """Where the results are that nobody finds in this table, since they came about on other terms."""
    others = reading.beside(views, ladder)
    if others:
        console.print("On other terms the same is rated apart:", style="dim")
    for one in others:
        line = Text(f"  {reading.terms(one, ladder)}: ", style="dim")
        console.print(line.append(screen.command(f"leaderboard --ladder {one.id}"), style="not dim"), soft_wrap=True)


def _bar(progress: Progress) -> Table:
    line = Table.grid(padding=(0, 1))
    line.add_row(ProgressBar(total=1.0, completed=_share(progress), width=BAR), _counts(progress))
    return line


def _share(progress: Progress) -> float:
    goal = progress.goal
    if goal.matches is not None:
        return min(1.0, progress.stored / goal.matches)
    return min(1.0, _elapsed(progress) / goal.seconds) if goal.seconds else 0.0


def _counts(progress: Progress) -> str:
    parts = [f"{progress.stored:,} played", f"{progress.in_flight} in flight", f"{_speed(progress):.1f}/s"]
    left = _seconds_left(progress)
    return ", ".join([*parts, *([f"{int(left) // 60}:{int(left) % 60:02d} left"] if left is not None else [])])


def _seconds_left(progress: Progress) -> float | None:
    goal = progress.goal
    if goal.seconds is not None:
        return max(0.0, goal.seconds - _elapsed(progress))
    speed = _speed(progress)
    return max(0, (goal.matches or 0) - progress.stored) / speed if speed else None


def _speed(progress: Progress) -> float:
    return progress.stored / max(_elapsed(progress), 0.001)


def _elapsed(progress: Progress) -> float:
    return time.monotonic() - progress.started


def _summary(progress: Progress | None, played: int, given_up: int) -> str:
    parts = [f"{played:,} matches played now"]
    if progress and played:
        parts.append(f"{_speed(progress):.1f} a second")
    if progress and progress.faults:
        parts.append(f"{progress.faults} faults ({screen.command('matches --faults')} tells why)")
    if progress and progress.repeated:
        parts.append(f"{progress.repeated} played again because a process was killed from outside")
    if given_up:
        parts.append(f"{given_up} old deals given up, because a bot of theirs is gone")
    return "; ".join(parts)


def _stopped(progress: Progress) -> str:
    return (
        f"Stopped: {progress.dropped} matches in flight were dropped and will be played next time; "
        f"all {progress.stored} that had ended are kept."
    )
