"""A ladder's runs with a house that makes results up at once: any order of finishing, stops, faults of the host."""

import asyncio
import itertools
import random
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from arena.home import Home
from arena.match import Decided, Entrant, Fault, FaultKind, MatchResult, MatchSpec, MatchVoid, TimeControl, final_places
from ladder.book import Book, Field, refold
from ladder.model import Block, Player
from ladder.runner import Goal, Runner
from ladder.store import Ladder, LadderSpec, Rated, Store, StoreError

SPEC = LadderSpec("party-bugs", {"hidden_card": False}, seats=3, time=TimeControl(), level="none", seed=4)


@dataclass
class House:
    """Results that follow from the match alone, in an order of its own."""

    shuffle: int = 0  # how matches overtake each other
    killed: set[int] = field(default_factory=set)  # which attempts, counted over all matches, lose a process
    hung: set[int] = field(default_factory=set)  # likewise, that do not end
    void: set[int] = field(default_factory=set)  # likewise, for the host's own trouble
    attempts: int = 0
    most_at_once: int = 0
    playing: int = 0
    processes: dict[tuple[str, int], list[int]] = field(default_factory=dict)  # by process: the deals that it saw
    played: Counter[str] = field(default_factory=Counter)

    def seat(self, player: Player, process: int) -> Entrant:
        return Entrant(player.name, player.sha256, process, "none")

    async def play(self, spec: MatchSpec) -> MatchResult:
        number, self.attempts = self.attempts, self.attempts + 1
        self.playing += 1
        self.most_at_once = max(self.most_at_once, self.playing)
        for _ in range(random.Random(f"{self.shuffle} {spec.match_id}").randrange(40)):
            await asyncio.sleep(0)
        if number in self.hung:
            await asyncio.Event().wait()
        self.playing -= 1
        if number in self.void:
            raise MatchVoid("out of memory")
        return self._result(spec, killed=number in self.killed)

    def _result(self, spec: MatchSpec, *, killed: bool) -> MatchResult:
        for entrant in spec.entrants:
            self.processes.setdefault((entrant.bot, entrant.process), []).append(spec.seed)
        self.played[spec.match_id] += 1
        luck = random.Random(spec.match_id)
        faults = (Fault(FaultKind.KILLED, 0, 1, "killed"),) if killed else ()
        scores = [luck.randrange(5) + len(entrant.bot) for entrant in spec.entrants]
        places = final_places(
            [1 + sum(other > score for other in scores) for score in scores], {f.seat for f in faults}
        )
        decided = tuple(Decided(seat, 1, 10) for seat in range(len(spec.entrants)))
        return MatchResult(spec, decided, places, tuple(scores), faults)


@dataclass
class Scene:
    """One home; opened anew for each run, as a process would."""

    home: Home
    names: tuple[str, ...] = ("a", "bb", "ccc", "dddd", "eeeee")
    spec: LadderSpec = SPEC
    runner: Runner | None = None

    def run(self, house: House, goal: Goal, *, jobs: int = 6, stop_after: int | None = None) -> None:
        with Store.open(self.home) as store:
            asyncio.run(self._run(store, house, goal, jobs, stop_after))

    async def _run(self, store: Store, house: House, goal: Goal, jobs: int, stop_after: int | None) -> None:
        ladder = store.ladder(self.spec, now=1.0)
        players = [store.enter(name, name * 8, now=1.0) for name in self.names]
        anchors = [store.enter(f"anchor {number}", "f" * 8, now=1.0, anchor=True) for number in range(3 - len(players))]
        seats = range(2, 5) if self.spec.seats is None else range(self.spec.seats, self.spec.seats + 1)
        everybody = [player.id for player in (*players, *anchors)]
        book = Book(store, ladder, Field(tuple(players), tuple(anchors), seats), everybody)
        self.given_up = book.given_up
        self.runner = Runner(book, store.players(), house, goal, jobs=jobs, now=lambda: 2.0)
        playing = asyncio.create_task(self.runner.run())
        while (  # noqa: ASYNC110 - a run tells nobody how far it is
            stop_after is not None and not playing.done() and self.runner.progress.stored < stop_after
        ):
            await asyncio.sleep(0)
        if stop_after is not None:
            playing.cancel()
        try:
            await playing
        except asyncio.CancelledError:
            if stop_after is None:
                raise

    def blocks(self) -> list[Block]:
        with Store.open(self.home) as store:
            return store.blocks(self._ladder(store))

    def rated(self) -> list[Rated]:
        with Store.open(self.home) as store:
            stored = store.rated(self._ladder(store))
            assert stored == refold(store, self._ladder(store))
            return stored

    def finished(self) -> int:
        with Store.open(self.home) as store:
            return len(store.finished(self._ladder(store)))

    def _ladder(self, store: Store) -> Ladder:
        return store.ladder(self.spec, now=1.0)


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(Home(tmp_path / "home"))


def test_the_order_of_finishing_and_the_number_of_jobs_change_nothing(tmp_path: Path) -> None:
    seen = []
    for number, jobs in enumerate((1, 5, 40)):
        scene = Scene(Home(tmp_path / str(number)))
        scene.run(House(shuffle=number), Goal(matches=240), jobs=jobs)
        seen.append((scene.blocks(), scene.rated()))
    assert len(seen[0][0]) == 80
    assert seen[0] == seen[1] == seen[2]


def test_a_ladder_cut_into_many_runs_is_the_same_ladder(tmp_path: Path) -> None:
    whole, pieces = Scene(Home(tmp_path / "whole")), Scene(Home(tmp_path / "pieces"))
    whole.run(House(), Goal(matches=240))
    left = 240
    while left:
        pieces.run(House(shuffle=left), Goal(matches=left), jobs=4, stop_after=31)
        left = 240 - pieces.finished()
    assert pieces.blocks() == whole.blocks()
    assert pieces.rated() == whole.rated()


def test_no_process_meets_a_deal_twice(scene: Scene) -> None:
    house = House()
    scene.run(house, Goal(matches=120))
    assert len(house.processes) == 15
    assert all(len(set(deals)) == len(deals) for deals in house.processes.values())
    assert len({deal for deals in house.processes.values() for deal in deals}) == 40


def test_with_own_deals_nobody_at_all_meets_a_deal_twice(tmp_path: Path) -> None:
    """Not even two processes of one bot, which may have ways to speak with each other."""
    scene, house = Scene(Home(tmp_path), spec=replace(SPEC, own_deals=True)), House()
    scene.run(house, Goal(matches=120))
    met = Counter((bot, deal) for (bot, _), deals in house.processes.items() for deal in deals)
    assert {*met.values()} == {1}
    assert len({deal for _, deal in met}) == 120


def test_what_is_stopped_is_dropped_and_played_later(scene: Scene) -> None:
    first, second = House(hung={3, 9, 14}), House()
    scene.run(first, Goal(matches=90), jobs=8, stop_after=20)
    assert scene.runner is not None
    progress = scene.runner.progress
    assert progress.dropped >= 3
    assert progress.stored == scene.finished() < 90
    scene.run(second, Goal(matches=90 - scene.finished()), jobs=8)
    assert scene.finished() == 90
    assert max((first.played & second.played).values(), default=0) <= 1


def test_never_more_matches_at_once_than_jobs(scene: Scene) -> None:
    house = House()
    scene.run(house, Goal(matches=60), jobs=7)
    assert house.most_at_once == 7


def test_a_goal_in_matches_is_rounded_up_to_whole_blocks(scene: Scene) -> None:
    scene.run(House(), Goal(matches=31))
    assert scene.finished() == 33
    scene.run(House(), Goal(matches=1))
    assert scene.finished() == 36


def test_a_goal_in_seconds_ends_with_complete_blocks(scene: Scene) -> None:
    scene.run(House(), Goal(seconds=0.2))
    assert scene.finished() == 3 * len(scene.blocks()) > 0


def test_a_process_that_was_killed_costs_a_repetition_and_nothing_else(tmp_path: Path) -> None:
    calm, disturbed = Scene(Home(tmp_path / "calm")), Scene(Home(tmp_path / "disturbed"))
    calm.run(House(), Goal(matches=30))
    house = House(killed={3, 4, 11})
    disturbed.run(house, Goal(matches=30))
    assert house.attempts == 33
    assert disturbed.rated() == calm.rated()
    assert disturbed.runner is not None
    assert (disturbed.runner.progress.repeated, disturbed.runner.progress.faults) == (3, 0)


def test_a_bot_that_is_killed_every_time_takes_the_fault_in_the_end(scene: Scene) -> None:
    scene.run(House(killed=set(range(1000))), Goal(matches=3))
    assert scene.runner is not None
    assert scene.runner.progress.faults == 3
    with Store.open(scene.home) as store:
        (ladder,) = [store.ladder(scene.spec, now=1.0)]
        assert [match.faulty for match in store.finished(ladder)] == [(0,), (0,), (0,)]


def test_a_host_that_fails_again_and_again_stops_the_ladder_and_loses_nothing(scene: Scene) -> None:
    house = House(void=set(range(20, 1000)))
    with pytest.raises(MatchVoid):
        scene.run(house, Goal(matches=90), jobs=30)  # several end at the same moment as the one that fails
    before = scene.finished()
    assert before == len(house.played) > 0
    scene.run(House(void={0, 1}), Goal(matches=90 - before))
    assert scene.finished() == 90


@pytest.mark.parametrize(("write", "call"), [("keep", 12), ("plan", 4)])
def test_a_disk_that_refuses_one_write_stops_the_ladder_and_the_next_run_is_the_same_ladder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: str, call: int
) -> None:
    calm, disturbed = Scene(Home(tmp_path / "calm")), Scene(Home(tmp_path / "disturbed"))
    calm.run(House(), Goal(matches=90))
    original, calls = getattr(Store, write), itertools.count(1)

    def refusing(store: Store, *arguments: Any, **rest: Any) -> Any:
        if next(calls) == call:  # by then blocks are rated
            raise StoreError("the disk is full")
        return original(store, *arguments, **rest)

    monkeypatch.setattr(Store, write, refusing)
    with pytest.raises(StoreError, match="the disk is full"):
        disturbed.run(House(), Goal(matches=90))
    disturbed.run(House(), Goal(matches=90 - disturbed.finished()))
    assert disturbed.rated() == calm.rated()


def test_fewer_bots_than_seats_are_filled_up_with_anchors_that_do_not_move(tmp_path: Path) -> None:
    scene = Scene(Home(tmp_path), names=("a", "bb"))
    scene.run(House(), Goal(matches=60))
    with Store.open(scene.home) as store:
        anchors = {player.id for player in store.players().values() if player.anchor}
    assert len(anchors) == 1
    assert all(anchors < set(block.lineup) for block in scene.blocks())
    assert not anchors & {one.player for one in scene.rated()}


def test_tables_of_any_size_have_all_sizes(tmp_path: Path) -> None:
    scene = Scene(Home(tmp_path), spec=LadderSpec("party-bugs", {}, seats=None, level="none", seed=1))
    scene.run(House(), Goal(matches=200))
    assert {len(block.lineup) for block in scene.blocks()} == {2, 3, 4}


def test_blocks_of_a_bot_that_is_gone_are_given_up_and_the_rest_goes_on(scene: Scene) -> None:
    scene.run(House(), Goal(matches=300), jobs=20, stop_after=100)
    scene.names = scene.names[:4]
    scene.run(House(), Goal(matches=150))
    assert scene.given_up
    with Store.open(scene.home) as store:
        assert store.unfinished(store.ladder(scene.spec, now=1.0)) == []
    late = scene.blocks()[-10:]
    gone = 5  # the id of the last one entered
    assert all(gone not in block.lineup for block in late)
    scene.rated()
