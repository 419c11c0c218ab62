"""Plays what `arena ladder` was asked for: the one place where ladder, referee and bots meet."""

import asyncio
import contextlib
import os
import shlex
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from arena import bots as registry
from arena import games
from arena import sandbox as sandboxes
from arena.bots import Bot
from arena.cli import attack, ladder_view, naming, orders, playing, reading, screen
from arena.cli.failures import Told
from arena.cli.playing import Place
from arena.engine.options import Value, live_choices
from arena.errors import UserError
from arena.home import Home
from arena.match import Entrant, MatchResult, MatchSpec, MatchVoid, TimeControl
from arena.referee.runner import Referee
from ladder.book import Book, Field, refold
from ladder.model import Player, PlayerId
from ladder.runner import Goal, Runner
from ladder.store import Ladder, LadderSpec, Lock, Store, Views

ANCHOR = "random"  # the bot that fills seats
JOBS_PER_CORE = 16
SWITCH_SECONDS = 0.0005  # how long the store's thread may keep the referee's waiting for the interpreter
FAILED = 1


@dataclass(frozen=True)
class Order:
    """Which ladder is to be played, and by whom."""

    game: str
    options: dict[str, Value]
    seats: int | None  # None: tables of any size
    bots: tuple[Bot, ...]
    seed: int | None
    time: TimeControl
    own_deals: bool = False
    bot_names: str | None = None  # as they were said; None: all that are here play


def order(
    home: Home,
    *,
    game_name: str,
    variant: str,
    option_texts: Sequence[str],
    seats: int | None,
    bot_names: str | None,
    seed: int | None,
    time: TimeControl,
    own_deals: bool,
) -> Order:
    """The order behind the words of a command line; UserError for whatever makes no sense."""
    game = games.load(game_name)
    options = orders.options_of(game, variant, option_texts)
    if live := live_choices(game.option_list(), options):
        raise UserError(
            f"{live[0]}: expected options under which a match can be repeated, got one that asks who is quicker"
        )
    counts = game.seat_counts()
    if seats is not None and seats not in counts:
        raise UserError(f"{game.name}: expected {counts[0]} to {counts[-1]} seats, got {seats}")
    found = naming.entries(home, game.name) if bot_names is None else naming.bots_of(home, bot_names)
    orders.check_players(game, naming.told_apart(home, found))
    different = tuple({bot.sha256: bot for bot in found}.values())
    if len(different) < 2:
        raise UserError(f"expected at least two different bots for a ladder, got {len(different)}")
    return Order(game.name, options, seats, different, seed, time, own_deals, bot_names)


def play(order: Order, place: Place, *, matches: int | None, seconds: float | None, as_json: bool) -> None:
    """Play a ladder and show it."""
    sys.setswitchinterval(SWITCH_SECONDS)
    with opened(order, place, Goal(matches, seconds)) as run:
        stopped = asyncio.run(playing.unless_stopped(run.play()))
        run.show(stopped, as_json=as_json)
    if isinstance(stopped, signal.Signals):
        raise Told(128 + stopped)


@contextlib.contextmanager
def opened(order: Order, place: Place, goal: Goal) -> Iterator["Run"]:
    """A ladder that is ready to go on; nobody else plays in this home meanwhile."""
    sandbox = sandboxes.choose(place.sandbox)
    _check_allowed(order, place, sandbox)
    if not all(bot.shipped for bot in order.bots):
        attack.check_holds(place.home, sandbox, unsafe=place.unsafe)
    with Lock.take(place.home, f"the ladder of {order.game}", now=time.time()), Store.open(place.home) as store:
        yield Run(order, place, sandbox, store, goal)


def recompute(home: Home, choice: reading.Choice, *, as_json: bool) -> int:
    """Fold all results again and compare; the exit code."""
    with Views.open(home) as views:  # first: where no ladder was played, nothing is made
        ladder = reading.chosen(views, choice)
    with Lock.take(home, f"a new fold of {ladder.spec.game}", now=time.time()), Store.open(home) as store:
        with screen.err().status("folding all results again"):
            stored, again = store.rated(ladder), refold(store, ladder)
        same = stored == again
        if not same:
            store.replace_ratings(ladder, again)
    matches = len({(one.block, one.rotation) for one in again})
    if as_json:
        screen.print_json({"matches": matches, "changes": len(again), "same": same})
    elif same:
        screen.out().print(f"{matches:,} matches folded again: the same ratings, to the last bit", style="green")
    else:
        screen.out().print(f"{matches:,} matches folded again: other ratings than those stored, which they replace")
    return 0 if same else FAILED


class Run:
    """One run of a ladder, from its store to what is shown of it."""

    def __init__(self, order: Order, place: Place, sandbox: sandboxes.Sandbox, store: Store, goal: Goal) -> None:
        self._order = order
        self._place = place
        self._sandbox = sandbox
        self._store = store
        self._goal = goal
        how = (order.time, sandbox.level, order.seed, place.limits, order.own_deals)
        spec = LadderSpec(order.game, order.options, order.seats, *how)
        self.ladder: Ladder = store.ladder(spec, now=time.time())
        self._bots: dict[PlayerId, Bot] = {}
        self._players = tuple(self._entered(bot) for bot in order.bots)
        self._anchors = self._entered_anchors()
        self._recall_others()
        field = Field(self._players, self._anchors, self._seats())
        self._book = Book(store, self.ladder, field, self._bots.keys())
        self._runner: Runner | None = None

    async def play(self) -> None:
        """Play until the goal is reached or somebody stops it."""
        place = self._place
        async with Referee(place.home, self._sandbox, limits=place.limits, unsafe=place.unsafe) as referee:
            jobs = self._place.jobs or JOBS_PER_CORE * (os.cpu_count() or 1)
            players = self._store.players()
            house = House(referee, self._bots, _labels(players[one] for one in self._bots))
            self._runner = Runner(self._book, players, house, self._goal, jobs=jobs)
            with Views.open(self._place.home) as views:
                if not self._book.planned:  # a new ladder: whoever expects to go on with another one is told
                    ladder_view.show_others(screen.err(), views, self.ladder)
                watching = asyncio.create_task(self._view().watch(self._runner.progress, views))
                try:
                    await self._runner.run()
                except MatchVoid as void:
                    raise UserError(
                        f"this machine failed, so the ladder stopped, and goes on when it is started again: {void}"
                    ) from None
                finally:
                    watching.cancel()
                    await asyncio.gather(watching, return_exceptions=True)

    def show(self, stopped: signal.Signals | None, *, as_json: bool) -> None:
        """What came of it: the table, and what to do next."""
        progress = self._runner.progress if self._runner else None
        with Views.open(self._place.home) as views:
            self._view().show_end(views, progress, stopped=stopped is not None, as_json=as_json)

    def _view(self) -> ladder_view.LadderView:
        active = frozenset(player.id for player in self._players)
        return ladder_view.LadderView(self.ladder, active, self._again(), given_up=len(self._book.given_up))

    def _again(self) -> str:
        """The words of a command line that go on with this ladder."""
        order, place = self._order, self._place
        parts = [reading.words(self.ladder), reading.settings(self.ladder)]
        parts += [f"--bots {shlex.quote(order.bot_names)}"] if order.bot_names is not None else []
        parts += [f"--sandbox {place.sandbox}"] if place.sandbox is not None else []
        parts += ["--unsafe"] if place.unsafe else []
        return " ".join(part for part in parts if part)

    def _entered(self, bot: Bot) -> Player:
        player = self._store.enter(
            bot.name, bot.sha256, now=time.time(), author=bot.author, description=bot.description
        )
        self._bots[player.id] = registry.kept(self._place.home, bot)
        return player

    def _entered_anchors(self) -> tuple[Player, ...]:
        """Fillers for tables that are larger than the number of bots; a space keeps their names apart from bots'."""
        bot = registry.shipped()[ANCHOR]
        missing = max(0, self._seats().start - len(self._players))
        anchors = [
            self._store.enter(f"anchor {number + 1}", bot.sha256, now=time.time(), anchor=True)
            for number in range(missing)
        ]
        self._bots |= {anchor.id: bot for anchor in anchors}
        return tuple(anchors)

    def _seats(self) -> range:
        counts = games.load(self._order.game).seat_counts()
        return counts if self._order.seats is None else range(self._order.seats, self._order.seats + 1)

    def _recall_others(self) -> None:
        """Bots of an earlier run whose blocks are not finished, as far as they can still be played."""
        everybody = self._store.players()
        wanted = {player for one in self._store.unfinished(self.ladder) for player in one.block.lineup}
        for player in wanted - self._bots.keys():
            bot = registry.recall(self._place.home, everybody[player].sha256)
            if bot is not None and sandboxes.is_allowed(bot, self._sandbox, unsafe=self._place.unsafe):
                self._bots[player] = bot


class House:
    """The referee with the ladder's players."""

    def __init__(self, referee: Referee, bots: dict[PlayerId, Bot], labels: dict[PlayerId, str]) -> None:
        self._referee = referee
        self._bots = bots
        self._labels = labels

    def seat(self, player: Player, process: int) -> Entrant:
        """An entrant for this process of a player's bot."""
        return self._referee.seat(self._bots[player.id], process, self._labels[player.id])

    async def play(self, spec: MatchSpec) -> MatchResult:
        """The result of one match."""
        return await self._referee.play(spec)


def _labels(players: Iterable[Player]) -> dict[PlayerId, str]:
    """What players are called in records: by their names, and by their versions too if several of one may meet."""
    everybody = list(players)
    counts = Counter(one.name for one in everybody)
    return {one.id: f"{one.name}{naming.MARK}{one.version}" if counts[one.name] > 1 else one.name for one in everybody}


def _check_allowed(order: Order, place: Place, sandbox: sandboxes.Sandbox) -> None:
    """Refuse bots that nothing here would hold; to leave them out of a ladder would change who is rated."""
    free = [bot.name for bot in order.bots if not sandboxes.is_allowed(bot, sandbox, unsafe=place.unsafe)]
    if free and order.bot_names is None:
        raise UserError(
            f"expected a sandbox for {', '.join(free)}, submitted here, got none: install bubblewrap, say --unsafe, or "
            "name with --bots who shall play"
        )
    for bot in order.bots:
        sandboxes.check_allowed(bot, sandbox, unsafe=place.unsafe)
