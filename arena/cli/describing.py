"""Bots described: a line for each submission, and all about one bot for people and for scripts."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich.table import Table
from rich.text import Text

from arena.bots import Bot
from arena.cli import screen
from arena.home import Home
from arena.submission.archive import SUFFIX
from ladder import report
from ladder.store import Submission, newest

PHASES = ("fetch", "build")  # that leave a log
LAST_LINES = 12  # of each log


def table(known: Sequence[Submission]) -> Table:
    """Submissions, a line each."""
    listed = screen.table("submitted", "v", "author", "games", "when", "state", numbers=("v",))
    states = _states(known)
    for one in known:
        state = states[one.player.id]
        listed.add_row(
            one.player.name,
            str(one.player.version),
            screen.clean(one.author),
            _games(one.games),
            Text(report.when(one.submitted)),
            state,
            style="" if state == "plays" else "dim",
        )
    return listed


def plain(bot: Bot) -> dict[str, object]:
    """A shipped bot as data."""
    return {
        "name": bot.name,
        "version": bot.version,
        "games": list(bot.games),
        "description": bot.description,
        "author": bot.author,
        "sha256": bot.sha256,
        "shipped": bot.shipped,
        "state": "plays",
        "submitted": None,
        "needs_sandbox": not bot.shipped,
        "matches_at_once": bot.matches_at_once,
        "run": list(bot.run),
        "folder": str(bot.folder),
    }


def plain_submissions(known: Sequence[Submission]) -> list[dict[str, object]]:
    """Submissions as data, as far as the database knows them."""
    states = _states(known)
    return [
        {
            "name": one.player.name,
            "version": one.player.version,
            "games": list(one.games),
            "description": one.description,
            "author": one.author,
            "sha256": one.player.sha256,
            "shipped": False,
            "state": states[one.player.id],
            "submitted": one.submitted,
            "retired": one.retired,
            "needs_sandbox": True,
        }
        for one in known
    ]


@dataclass(frozen=True)
class Description:
    """One bot and where its things lie."""

    home: Home
    bot: Bot | None  # None: its content is gone
    submission: Submission | None = None  # None: it came with arena
    versions: tuple[Submission, ...] = ()  # all of its name

    def show(self) -> None:
        """For people."""
        out = screen.out()
        out.print(self._title())
        out.print()
        for name, words in self._facts():
            out.print(Text(f"  {name:<11}", style="dim").append(screen.clean(words), style="not dim"), soft_wrap=True)
        for phase, log in self._logs().items():
            out.print(Text(f"\n  the end of its {phase} log:", style="dim"))
            for line in log.read_text(encoding="utf-8", errors="replace").rstrip().split("\n")[-LAST_LINES:]:
                shown = Text("  | ", style="cyan").append(screen.clean(line.expandtabs(4)), style="default")
                out.print(shown, soft_wrap=True)

    def plain(self) -> dict[str, object]:
        """For scripts."""
        facts: dict[str, object] = plain(self.bot) if self.bot else {}
        if self.submission:
            number = self.versions.index(self.submission)
            facts |= plain_submissions(self.versions)[number]
        if self.bot:
            facts |= {
                "fetch": self.bot.fetch,
                "build": list(self.bot.build),
                "protocol": self.bot.protocol,
                "worlds": self.bot.worlds,
                "limits": dict(self.bot.limits),
            }
        archive = self._archive()
        facts["archive"] = str(archive) if archive else None
        facts["logs"] = {phase: str(log) for phase, log in self._logs().items()}
        return facts

    def _title(self) -> Text:
        if self.submission is None:
            assert self.bot is not None
            return Text(self.bot.name, style="bold").append(" · came with arena", style="not bold")
        player, state = self.submission.player, _states(self.versions)[self.submission.player.id]
        return Text(player.name, style="bold").append(f" · version {player.version} · {state}", style="not bold")

    def _facts(self) -> Iterator[tuple[str, str]]:
        one, bot = self.submission, self.bot
        if one is not None:
            yield "author", one.author
            yield "about", one.description or "-"
            yield "games", _games(one.games)
            yield "submitted", _date(one.submitted)
            if one.retired is not None:
                yield "retired", _date(one.retired)
        elif bot is not None:
            yield "about", bot.description or "-"
            yield "games", _games(bot.games)
        if bot is not None:
            yield from _manifest(bot)
        if one is not None:
            yield "content", one.player.sha256
            place = self.home.path / "bots" / one.player.sha256
            yield "folder", str(place) if bot else f"{place} is gone: submit it again"
            archive = self._archive()
            yield "archive", f"{archive} ({archive.stat().st_size / 1e3:,.0f} KB)" if archive else "none"
        yield from ((f"{phase} log", str(log)) for phase, log in self._logs().items())

    def _archive(self) -> Path | None:
        return self._submitted_file(SUFFIX)

    def _logs(self) -> dict[str, Path]:
        found = {phase: self._submitted_file(f".{phase}.log") for phase in PHASES}
        return {phase: log for phase, log in found.items() if log}

    def _submitted_file(self, suffix: str) -> Path | None:
        if self.submission is None:
            return None
        path = self.home.path / "submissions" / f"{self.submission.player.sha256}{suffix}"
        return path if path.is_file() else None


def _manifest(bot: Bot) -> Iterator[tuple[str, str]]:
    if bot.fetch:
        yield "fetch", bot.fetch
    if bot.build:
        yield "build", shlex.join(bot.build)
    yield "run", shlex.join(bot.run)
    yield "speaks", "lines of JSON" if bot.protocol == "stdio" else "gRPC"
    if bot.worlds:
        yield "worlds", "served beside it"
    yield "plays", f"{bot.matches_at_once} match{'es' * (bot.matches_at_once != 1)} at once"
    if bot.limits:
        yield "limits", ", ".join(f"{name}={value}" for name, value in bot.limits.items())


def _states(known: Sequence[Submission]) -> dict[int, str]:
    """By player: whether it plays, and why not."""
    playing = newest(known)
    return {one.player.id: _state(one, playing.get(one.player.name)) for one in known}


def _state(one: Submission, playing: Submission | None) -> str:
    if one.retired is not None:
        return "retired"
    return "plays" if playing is None or playing == one else f"replaced by {playing.player.version}"


def _games(games: Sequence[str]) -> str:
    return "all" if "*" in games else ", ".join(games)


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
