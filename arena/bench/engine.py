"""`arena bench engine`: how fast a game's rules run by themselves, beside the bare luck that they draw.

Seconds are those of this process's own processor time, so that whatever else the machine does counts little.
"""

import textwrap
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from itertools import count, cycle, islice
from typing import Any

from rich import box
from rich.table import Table

from arena import build, games
from arena.engine.contract import Game, State
from arena.engine.playout import playout
from arena.engine.rng import Rng, seeded
from arena.errors import UserError, unknown

USUAL_SEATS = 4
DRAWS = 10_000  # bare draws between two looks at the clock
BATCH = 100  # clones or determinizations likewise
COLUMN = 11  # letters: the columns of all games fit a terminal of 80
MATCHES = 10  # playouts likewise: a look at the clock costs a microsecond


@dataclass(frozen=True)
class EngineSpeeds:
    """What one game reached, all per second."""

    game: str
    variant: str
    seats: int
    compiled: bool
    playouts: float  # whole matches, set-up included, all actions random
    transitions: float  # applies in these playouts
    decisions: float  # seats' choices in these playouts
    observed_transitions: float  # the same with an observation built for each decision
    observed_decisions: float
    clones: float
    determinizations: float
    floor: float  # bare draws with a pick from a list: what the same random choices cost without a game

    @property
    def draws_per_decision(self) -> float:
        """How many bare draws one decision of a playout costs."""
        return self.floor / self.decisions

    def plain(self) -> dict[str, object]:
        """As JSON data."""
        return {**asdict(self), "draws_per_decision": self.draws_per_decision}


@dataclass(frozen=True)
class _Task:
    """What is measured: one game, as it is played."""

    game: Game[Any, Any, Any]
    variant: str
    seats: int

    def start(self, rng: Rng) -> State[Any]:
        return self.game.setup(self.game.variants()[self.variant], self.seats, rng)


def run(
    names: Iterable[str], seats: int | None = None, seconds: float = 1.0, variant: str = "base"
) -> list[EngineSpeeds]:
    """The speeds of these games in this variant; each of five measures takes so many seconds."""
    return [_speeds(task, seconds) for task in [_task(games.load(name), variant, seats) for name in names]]


def _task(game: Game[Any, Any, Any], variant: str, seats: int | None) -> _Task:
    if variant not in game.variants():
        raise unknown(f"variant of {game.name}", variant, game.variants())
    return _Task(game, variant, seat_count(game, seats))


def seat_count(game: Game[Any, Any, Any], wanted: int | None = None) -> int:
    """The wanted number of seats, else four or what comes nearest; UserError if the game has no such table."""
    counts = game.seat_counts()
    if wanted is None:
        return min(counts, key=lambda seats: abs(seats - USUAL_SEATS))
    if wanted not in counts:
        raise UserError(f"{game.name}: expected {counts[0]} to {counts[-1]} seats, got {wanted}")
    return wanted


def table(speeds: Iterable[EngineSpeeds]) -> Table:
    """The speeds for people: one column for each game."""
    listed = list(speeds)
    shown = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    shown.add_column("per second")
    for one in listed:
        variant = textwrap.wrap(one.variant, COLUMN) if one.variant != "base" else []
        head = [*textwrap.wrap(one.game, COLUMN), *variant, f"{one.seats} seats"]
        shown.add_column("\n".join(head), justify="right")
    for title, value in _ROWS:
        shown.add_row(title, *(value(one) for one in listed))
    return shown


def built() -> str:
    """Whether what was measured is compiled, and if not, why."""
    how = "compiled" if build.compiled() else f"interpreted ({build.why_interpreted()})"
    return (
        f"Engine and rules run {how}. Playouts are random matches; a transition takes the decisions of all who act at "
        "once; observed means that an observation is built for each decision; the floor draws luck and plays no game."
    )


_ROWS: tuple[tuple[str, Callable[[EngineSpeeds], str]], ...] = (
    ("playouts", lambda one: f"{one.playouts:,.0f}"),
    ("transitions", lambda one: f"{one.transitions:,.0f}"),
    ("  observed", lambda one: f"{one.observed_transitions:,.0f}"),
    ("decisions", lambda one: f"{one.decisions:,.0f}"),
    ("  observed", lambda one: f"{one.observed_decisions:,.0f}"),
    ("clones", lambda one: f"{one.clones:,.0f}"),
    ("determinized", lambda one: f"{one.determinizations:,.0f}"),
    ("floor: draws", lambda one: f"{one.floor:,.0f}"),
    ("draws/decision", lambda one: f"{one.draws_per_decision:.1f}"),
)


def _speeds(task: _Task, seconds: float) -> EngineSpeeds:
    playouts, transitions, decisions = _playouts(task, seconds, observe=False)
    _, observed_transitions, observed_decisions = _playouts(task, seconds, observe=True)
    return EngineSpeeds(
        game=task.game.name,
        variant=task.variant,
        seats=task.seats,
        compiled=build.compiled(),
        playouts=playouts,
        transitions=transitions,
        decisions=decisions,
        observed_transitions=observed_transitions,
        observed_decisions=observed_decisions,
        clones=_clones(task, seconds),
        determinizations=_determinizations(task, seconds),
        floor=_floor(seconds),
    )


def _playouts(task: _Task, seconds: float, *, observe: bool) -> tuple[float, float, float]:
    seeds = count()
    applies = decisions = 0

    def work() -> int:
        nonlocal applies, decisions
        for seed in islice(seeds, MATCHES):
            rng = seeded(seed)
            counts = playout(task.start(rng.fork("game")), rng, observe=observe)
            applies += counts.applies
            decisions += counts.decisions
        return MATCHES

    matches, spent = _repeated(work, seconds)
    return matches / spent, applies / spent, decisions / spent


def _clones(task: _Task, seconds: float) -> float:
    states = cycle(_positions(task))

    def work() -> int:
        clone = next(states).clone
        for _ in range(BATCH):
            clone()
        return BATCH

    return _rate(work, seconds)


def _determinizations(task: _Task, seconds: float) -> float:
    views = cycle([state.observe(seat) for state in _positions(task) for seat in state.to_act()])
    determinize, rng = task.game.determinize, seeded(0)

    def work() -> int:
        view = next(views)
        for _ in range(BATCH):
            determinize(view, rng)
        return BATCH

    return _rate(work, seconds)


def _floor(seconds: float) -> float:
    """A shuffle is a loop, inside the engine, of draws that each pick from a list: random choices and no game."""
    rng, items = seeded(0), list(range(DRAWS + 1))

    def work() -> int:
        rng.shuffle(items)
        return DRAWS

    return _rate(work, seconds)


def _positions(task: _Task) -> list[State[Any]]:
    """Every position of one random match, from the first decision to the last."""
    rng, positions = seeded(0), []
    state = task.start(rng.fork("game"))
    while acting := state.to_act():
        positions.append(state.clone())
        state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in acting})
    return positions


def _rate(work: Callable[[], int], seconds: float) -> float:
    amount, spent = _repeated(work, seconds)
    return amount / spent


def _repeated(work: Callable[[], int], seconds: float) -> tuple[int, float]:
    """How much work was done, and in how many seconds; at least one piece, however short the time."""
    start = now = time.process_time()
    amount = 0
    while now - start < seconds or now == start:
        amount += work()
        now = time.process_time()
    return amount, now - start
