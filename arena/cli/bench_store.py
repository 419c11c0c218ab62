"""`arena bench store`: the time that people wait for a ladder with many matches, from the interpreter's start on."""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from arena import games
from arena.cli import laddering
from arena.cli.laddering import Order
from arena.cli.playing import Place
from arena.home import Home
from arena.match import Decided, Entrant, MatchResult, TimeControl, final_places
from ladder.book import Book, Due, Field
from ladder.model import Player
from ladder.runner import Goal
from ladder.store import LadderSpec, Played, Store

GAME = "party-bugs"
SEATS = 4
MADE_UP = 20  # players
DECISIONS = 18  # of each seat, as in a real match
BATCH = 64
REPETITIONS = 3  # the best one counts: the machine's other work is not what is measured
LEADERBOARD_TARGET = 0.5  # seconds
RESUME_TARGET = 1.0
RESUME = "import sys; from arena.cli.bench_store import resume; resume(sys.argv[1])"


@dataclass(frozen=True)
class StoreSpeed:
    """How long people wait, in seconds."""

    matches: int
    leaderboard: float
    resume: float

    def plain(self) -> dict[str, object]:
        """As JSON data."""
        return {**asdict(self), "leaderboard_target": LEADERBOARD_TARGET, "resume_target": RESUME_TARGET}


def run(matches: int) -> StoreSpeed:
    """Make up so many matches, and time what a user would start."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        _fill(Home(Path(folder)), matches)
        leaderboard = ["-m", "arena", "leaderboard", "--game", GAME, "--seats", str(SEATS)]
        return StoreSpeed(matches, _timed(folder, leaderboard), _timed(folder, ["-c", RESUME, folder]))


def resume(folder: str) -> None:
    """All that a ladder does before its first match, but for starting bots."""
    place = Place(Home(Path(folder)), "none", unsafe=False, jobs=None)
    with laddering.opened(_order(place.home), place, Goal()) as run:
        run.ladder  # noqa: B018 - it is open now, and that was all


def sentences(found: StoreSpeed) -> list[str]:
    """Both times with their targets."""
    stored = f"{found.matches:,} stored matches"
    return [
        f"{stored}: the leaderboard comes after {_beside(found.leaderboard, LEADERBOARD_TARGET)}.",
        f"{stored}: a ladder is ready to go on after {_beside(found.resume, RESUME_TARGET)}.",
    ]


def _beside(seconds: float, target: float) -> str:
    return f"{seconds:.2f} s (under {target:g} wanted: {'met' if seconds < target else 'missed'})"


def _timed(folder: str, arguments: list[str]) -> float:
    environment = {**os.environ, "ARENA_HOME": folder}
    times = []
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], env=environment, check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return min(times)


def _order(home: Home) -> Order:
    return laddering.order(
        home,
        game_name=GAME,
        variant="base",
        option_texts=(),
        seats=SEATS,
        bot_names=None,
        seed=None,
        time=TimeControl(),
        own_deals=False,
    )


def _fill(home: Home, matches: int) -> None:
    spec = LadderSpec(GAME, games.load(GAME).plain_options(games.load(GAME).options({})), SEATS, TimeControl(), "none")
    with Store.open(home) as store:
        ladder = store.ladder(spec, now=0.0)
        players = tuple(store.enter(f"bot-{number}", f"{number:064x}", now=0.0) for number in range(MADE_UP))
        field = Field(players, (), range(SEATS, SEATS + 1))
        book = Book(store, ladder, field, [player.id for player in players])
        everybody = {player.id: player for player in players}
        for batch in _batches(matches):
            due = book.plan(batch, now=0.0)
            book.keep([_played(book, one, everybody) for one in due])


def _batches(matches: int) -> Iterator[int]:
    for start in range(0, matches, BATCH):
        yield min(BATCH, matches - start)


def _played(book: Book, due: Due, players: dict[int, Player]) -> Played:
    luck = random.Random(f"{due.block.number} {due.rotation}")  # noqa: S311 - results that nobody has to trust
    seated = [players[player] for player in due.block.seated(due.rotation)]
    spec = book.spec(due, [Entrant(one.name, one.sha256, due.rotation, "none") for one in seated])
    strengths = [one.id + luck.gauss(0, 10) for one in seated]
    places = final_places([1 + sum(other > own for other in strengths) for own in strengths], set())
    decided = tuple(
        Decided(seat, luck.randrange(48), luck.randrange(100, 9_000)) for _ in range(DECISIONS) for seat in range(SEATS)
    )
    result = MatchResult(spec, decided, places, tuple(-place for place in places), ())
    return Played(result, due.block.number, due.rotation, float(due.block.number))
