"""`arena bench ladder`: a whole ladder, with plans, ratings, storage and its live table, beside the bare referee.

Both play the same tables with the same processes, in turns, so that what the machine does meanwhile hits both.
"""

import asyncio
import io
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from arena import bots as registry
from arena import games
from arena import sandbox as sandboxes
from arena.bots import Bot
from arena.cli import laddering, screen
from arena.cli.ladder_view import LadderView
from arena.errors import UserError
from arena.home import Home
from arena.match import TimeControl
from arena.referee.runner import Referee
from ladder.book import Book, Due, Field
from ladder.model import Player
from ladder.runner import Goal, Runner
from ladder.store import LadderSpec, Store, Views

TARGET = 0.85
ROUNDS = 3  # of each, in turns
LIGHT_BOTS = 4  # that choose at random: the referee's and the ladder's own work is nearly all there is


@dataclass(frozen=True)
class LadderSpeed:
    """What one set of bots came to."""

    bots: str
    matches: int  # in each of the two measures
    ladder: float  # matches a second
    referee: float  # likewise

    @property
    def share(self) -> float:
        """The ladder beside the referee."""
        return self.ladder / self.referee

    def plain(self) -> dict[str, object]:
        """As JSON data."""
        return {**asdict(self), "share": self.share, "share_target": TARGET}


def run(home: Home, sandbox: str | None, game: str, matches: int, say: Callable[[str], None]) -> list[LadderSpeed]:
    """The speeds of shipped bots, and of bots that think nothing, in a home that lasts as long as this."""
    games.load(game)
    shipped = tuple(bot for bot in registry.shipped().values() if bot.plays(game))
    if len(shipped) < 2:
        raise UserError(f"expected at least two shipped bots that play {game}, got {len(shipped)}")
    sys.setswitchinterval(laddering.SWITCH_SECONDS)
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        light = tuple(_light(Path(folder), number) for number in range(LIGHT_BOTS))
        sets = (("shipped bots", shipped, matches), ("bots that think nothing", light, 10 * matches))
        found = []
        for number, (name, bots, count) in enumerate(sets):
            say(name)
            bench = _Bench(home, Home(Path(folder, f"home-{number}")), sandboxes.choose(sandbox), game, bots)
            found.append(asyncio.run(bench.measure(name, count)))
        return found


def table(speeds: Sequence[LadderSpeed]) -> Table:
    """The speeds for people."""
    shown = screen.table(
        "matches a second", "ladder", "referee alone", "share", numbers=("ladder", "referee alone", "share")
    )
    for one in speeds:
        shown.add_row(one.bots, f"{one.ladder:,.1f}", f"{one.referee:,.1f}", f"{one.share:.0%}")
    return shown


def summary(speeds: Sequence[LadderSpeed]) -> str:
    """The verdict on what a user plays: the shipped bots."""
    share = speeds[0].share
    verdict = "met" if share >= TARGET else "missed"
    return (
        f"A ladder of shipped bots reaches {share:.0%} of the bare referee (at least {TARGET:.0%} wanted: {verdict})."
    )


class _Bench:
    """One ladder, and the same tables without it."""

    def __init__(
        self, runtime_home: Home, home: Home, sandbox: sandboxes.Sandbox, game: str, bots: tuple[Bot, ...]
    ) -> None:
        self._runtime_home = runtime_home
        self._home = home
        self._sandbox = sandbox
        self._game = games.load(game)
        self._bots = bots
        self._jobs = laddering.JOBS_PER_CORE * (os.cpu_count() or 1)

    async def measure(self, name: str, matches: int) -> LadderSpeed:
        """Play in turns, after a first round that starts all processes."""
        options = self._game.plain_options(self._game.options({}))
        seats = min(len(self._bots), self._game.seat_counts()[-1])
        spec = LadderSpec(self._game.name, options, seats, TimeControl(), self._sandbox.level, 1)
        # The shipped bots' copies come out of a temporary folder, so nothing but trust can let them run unboxed.
        async with Referee(self._runtime_home, self._sandbox, unsafe=True) as referee:
            with Store.open(self._home) as store:
                ladder = store.ladder(spec, now=time.time())
                players = tuple(store.enter(bot.name, bot.sha256, now=time.time()) for bot in self._bots)
                field = Field(players, (), range(seats, seats + 1))
                self._book = Book(store, ladder, field, [player.id for player in players])
                seated = {one.id: bot for one, bot in zip(players, self._bots, strict=True)}
                self._house = laddering.House(referee, seated, {one.id: one.name for one in players})
                self._players = {player.id: player for player in players}
                await self._ladder(3 * seats)
                spent = [await self._round(matches // ROUNDS) for _ in range(ROUNDS)]
        played = sum(count for count, _, _ in spent)
        ladder_seconds, referee_seconds = (sum(one[index] for one in spent) for index in (1, 2))
        return LadderSpeed(name, played, played / ladder_seconds, played / referee_seconds)

    async def _round(self, matches: int) -> tuple[int, float, float]:
        first = self._book.planned
        count, ladder = await self._ladder(matches)
        blocks = self._store_blocks(first)
        start = time.perf_counter()
        await self._referee(blocks)
        return count, ladder, time.perf_counter() - start

    async def _ladder(self, matches: int) -> tuple[int, float]:
        runner = Runner(self._book, self._players, self._house, Goal(matches=matches), jobs=self._jobs)
        console = Console(file=io.StringIO(), force_terminal=True, width=80)
        start = time.perf_counter()
        with Views.open(self._home) as views:
            view = LadderView(self._book.ladder, frozenset(self._players), again="")
            watching = asyncio.create_task(view.draw(console, runner.progress, views))
            await runner.run()
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
        return runner.progress.stored, time.perf_counter() - start

    def _store_blocks(self, first: int) -> list[Due]:
        with Store.open(self._home) as store:
            blocks = store.blocks(self._book.ladder, from_block=first)
        return [Due(block, rotation) for block in blocks for rotation in block.rotations]

    async def _referee(self, dues: list[Due]) -> None:
        left = iter(dues)

        async def keep_playing() -> None:
            for due in left:  # shared: whoever is free takes the next match
                entrants = [self._house.seat(self._player(one), due.rotation) for one in due.block.seated(due.rotation)]
                await self._house.play(self._book.spec(due, entrants))

        await asyncio.gather(*(keep_playing() for _ in range(self._jobs)))

    def _player(self, number: int) -> Player:
        return self._players[number]


def _light(folder: Path, number: int) -> Bot:
    """A bot that plays at random, with a name and so a content of its own."""
    place = folder / f"light-{number}"
    shutil.copytree(registry.shipped()["random"].folder, place, ignore=shutil.ignore_patterns("__pycache__"))
    manifest = place / registry.MANIFEST
    manifest.write_text(manifest.read_text().replace('name = "random"', f'name = "light-{number}"'))
    for path in (place, *place.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    folder.chmod(0o755)
    return registry.read(place)
