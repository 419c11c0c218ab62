"""What is shown of a ladder agrees with its results, one by one, and shows no deal that is still to be played."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from arena import record
from arena.match import Fault, FaultKind, MatchResult
from ladder.model import Block, Rating
from ladder.store import FaultRow, LadderSpec, MatchRow, Played, Store, Tally, Views, Wanted, match_id
from tests.ladder.synthetic import NOW, SPEC, Scene, block, fill, played, rated, scene

BLOCKS = 12


def mean(numbers: Iterable[float]) -> float:
    found = list(numbers)
    return sum(found) / len(found)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """Complete blocks of three, one of two, and one that lacks a rotation; every fourth block has a fault."""
    found = scene(tmp_path_factory.mktemp("home"))
    with Store.open(found.home) as store:
        for of in blocks(found):
            store.plan(found.ladder, [of], now=NOW)
            batch = all_of(found, of)
            store.keep(found.ladder, batch, rated=[change for one in batch for change in rated(one, of)])
        store.plan(found.ladder, [block(found, BLOCKS)], now=NOW)
        store.keep(found.ladder, all_of(found, block(found, BLOCKS))[:2])
    return found


@pytest.fixture
def views(here: Scene) -> Views:
    return Views.open(here.home)


def blocks(here: Scene) -> list[Block]:
    return [block(here, number, 2 if number == 5 else 3) for number in range(BLOCKS)]


def all_of(here: Scene, of: Block) -> list[Played]:
    return [played(here, of, rotation, faulty=[1] if of.number % 4 == 0 else []) for rotation in of.rotations]


def sittings(here: Scene, player: int) -> list[tuple[Played, Block, int]]:
    """Every published match of a player, and its seat there."""
    return [
        (one, of, of.seated(one.rotation).index(player))
        for of in blocks(here)
        for one in all_of(here, of)
        if player in of.lineup
    ]


def tally(sat: list[tuple[Played, Block, int]]) -> Tally:
    places = [one.result.places[seat] for one, _, seat in sat]
    faults = sum(fault.seat == seat for one, _, seat in sat for fault in one.result.faults)
    return Tally(len(sat), places.count(1), mean(places), faults)


def test_standings_count_published_matches(here: Scene, views: Views) -> None:
    found = {one.player: one for one in views.standings(here.ladder)}
    assert list(found) == here.players
    for player, standing in found.items():
        sat = sittings(here, player.id)
        assert standing.tally == tally(sat)
        last, of, _ = sat[-1]
        change = next(one for one in rated(last, of) if one.player == player.id)
        assert standing.rating == change.after
        assert standing.change == change.after.mu - change.before.mu


def test_a_player_without_ratings_stands_without(tmp_path: Path) -> None:
    other = scene(tmp_path)
    with Store.open(other.home) as store:
        store.plan(other.ladder, [block(other, 0)], now=NOW)
        store.keep(other.ladder, all_of(other, block(other, 0)))
    with Views.open(other.home) as views:
        assert {(one.rating, one.change) for one in views.standings(other.ladder)} == {(None, None)}


def test_a_rating_beyond_the_complete_blocks_is_not_shown(tmp_path: Path) -> None:
    other = scene(tmp_path, count=3)
    first, second = block(other, 0), block(other, 1)
    batch = [*all_of(other, first), *all_of(other, second)[:1]]
    told = [change for one in batch for change in rated(one, first if one.block == 0 else second)]
    with Store.open(other.home) as store:
        store.plan(other.ladder, [first, second], now=NOW)
        store.keep(other.ladder, batch, rated=told)
    with Views.open(other.home) as views:
        shown = {one.player.id: one.rating for one in views.standings(other.ladder)}
        assert shown == {one.player: one.after for one in told if (one.block, one.rotation) == (0, 2)}
        assert {len(views.history(other.ladder, player.id)) for player in other.players} == {3}


def test_results_by_opponent(here: Scene, views: Views) -> None:
    me = here.players[0]
    for one in views.versus(here.ladder, me.id):
        both = [sat for sat in sittings(here, me.id) if one.opponent.id in sat[1].lineup]
        gaps = [_place(result, of, me.id) - _place(result, of, one.opponent.id) for result, of, _ in both]
        assert (one.games, one.ahead, one.level) == (len(gaps), sum(gap < 0 for gap in gaps), gaps.count(0))
        assert one.place_difference == pytest.approx(mean(gaps))
        assert one.share == pytest.approx(mean(1 if gap < 0 else 0.5 if gap == 0 else 0 for gap in gaps))
    assert [one.opponent for one in views.versus(here.ladder, me.id)] == here.players[1:]


def _place(one: Played, of: Block, player: int) -> int:
    return one.result.places[of.seated(one.rotation).index(player)]


def test_results_by_seat_and_seat_count(here: Scene, views: Views) -> None:
    me = next(player for player in here.players if player.id in blocks(here)[5].lineup)
    sat = sittings(here, me.id)
    by_seat = {seat: tally([one for one in sat if one[2] == seat]) for seat in range(3)}
    by_count = {count: tally([one for one in sat if len(one[1].lineup) == count]) for count in (2, 3)}
    assert views.by_seat(here.ladder, me.id) == by_seat
    assert views.by_seat_count(here.ladder, me.id) == by_count


def test_faults_are_told_newest_first(here: Scene, views: Views) -> None:
    shown = 0
    for me in here.players:
        wanted = [
            FaultRow(one.result.spec.match_id, one.ended, fault)
            for one, _, seat in sittings(here, me.id)
            for fault in one.result.faults
            if fault.seat == seat
        ]
        assert views.faults(here.ladder, me.id) == wanted[::-1]
        shown += len(wanted)
    assert shown == 9


def test_thinking_times_are_all_there(here: Scene, views: Views) -> None:
    for me in here.players:
        wanted = [
            decided.micros
            for one, _, seat in sittings(here, me.id)
            for decided in one.result.decisions
            if decided.seat == seat and not decided.substitute
        ]
        assert sorted(views.micros(here.ladder, me.id)) == sorted(wanted)


def test_a_rating_over_time_and_what_moved_it(here: Scene, views: Views) -> None:
    me = here.players[1]
    changes = [change for one, of, _ in sittings(here, me.id) for change in rated(one, of) if change.player == me.id]
    history = views.history(here.ladder, me.id)
    assert [(one.block, one.rotation, one.before, one.after) for one in history] == [
        (one.block, one.rotation, one.before, one.after) for one in changes
    ]
    moved = sorted(history, key=lambda one: -abs(one.after.mu - one.before.mu))
    assert views.movers(here.ladder, me.id) == moved[:5]
    assert views.movers(here.ladder, me.id, 2) == moved[:2]
    assert isinstance(history[0].after, Rating)


# Matches


def test_a_match_is_told_as_it_was(here: Scene, views: Views) -> None:
    of = blocks(here)[4]
    one = all_of(here, of)[2]
    (row,) = [row for row in views.matches() if row.match_id == one.result.spec.match_id]
    by_id = {player.id: player for player in here.players}
    assert row == MatchRow(
        one.result.spec.match_id, here.ladder, 4, 2, one.ended, len(one.result.decisions), 1, "bubblewrap", row.seats
    )
    assert [seat.player for seat in row.seats] == [by_id[player] for player in of.seated(2)]
    assert tuple(seat.place for seat in row.seats) == one.result.places
    assert tuple(seat.score for seat in row.seats) == one.result.scores
    assert [seat.fault for seat in row.seats] == [None, Fault(FaultKind.ILLEGAL, 1, 2, "answered nonsense"), None]


FILTERS: list[tuple[Wanted, Callable[[Played, MatchResult], bool]]] = [
    (Wanted(), lambda one, result: True),
    (Wanted(game="party-bugs"), lambda one, result: True),
    (Wanted(game="chess"), lambda one, result: False),
    (Wanted(bot="bot-2"), lambda one, result: "bot-2" in [each.bot for each in result.spec.entrants]),
    (Wanted(bot="nobody"), lambda one, result: False),
    (Wanted(only_faults=True), lambda one, result: bool(result.faults)),
    (Wanted(bot="bot-2", only_faults=True), lambda one, result: _failed(result, "bot-2")),
    (Wanted(since=NOW + 3), lambda one, result: one.ended >= NOW + 3),
    (Wanted(until=NOW + 3), lambda one, result: one.ended < NOW + 3),
    (Wanted(since=NOW + 3, until=NOW + 4), lambda one, result: one.block == 3),
]


def _failed(result: MatchResult, bot: str) -> bool:
    return any(result.spec.entrants[fault.seat].bot == bot for fault in result.faults)


@pytest.mark.parametrize(("wanted", "fits"), FILTERS, ids=[str(number) for number in range(len(FILTERS))])
def test_matches_are_filtered(
    wanted: Wanted, fits: Callable[[Played, MatchResult], bool], here: Scene, views: Views
) -> None:
    published = [one for of in blocks(here) for one in all_of(here, of)]
    fitting = [one.result.spec.match_id for one in published if fits(one, one.result)][::-1]
    assert [row.match_id for row in views.matches(wanted)] == fitting


def test_matches_are_of_the_ladder_and_as_many_as_wanted(here: Scene, views: Views) -> None:
    newest = [one.result.spec.match_id for one in all_of(here, blocks(here)[-1])][::-1]
    assert [row.match_id for row in views.matches(Wanted(limit=3))] == newest
    assert views.matches(Wanted(ladder=here.ladder, limit=3)) == views.matches(Wanted(limit=3))
    elsewhere = type(here.ladder)(99, LadderSpec("party-bugs", {}), NOW)
    assert views.matches(Wanted(ladder=elsewhere)) == []


def test_only_complete_blocks_are_published(here: Scene, views: Views) -> None:
    whole, part = blocks(here)[-1], block(here, BLOCKS)
    assert [views.published(match_id(SPEC, whole.number, rotation)) for rotation in range(3)] == [True] * 3
    assert [views.published(match_id(SPEC, part.number, rotation)) for rotation in range(3)] == [False] * 3
    assert [views.published(match_id(SPEC, BLOCKS + 1, 0)), views.published("unheard-of")] == [None, None]
    assert len(list(record.stored(here.home))) == len(views.matches()) + 2


def test_ladders_and_players_are_listed(here: Scene, views: Views) -> None:
    assert views.ladders() == views.ladders("party-bugs") == [here.ladder]
    assert views.ladders("chess") == []
    assert [row.player for row in views.players()] == here.players
    assert [(row.player, row.author, row.first_seen) for row in views.players("bot-3")] == [(here.players[3], "", NOW)]


def test_readers_and_the_writer_do_not_wait_for_each_other(tmp_path: Path) -> None:
    other = scene(tmp_path)
    fill(other, range(3))
    with Store.open(other.home) as store, Views.open(other.home) as views:
        with store._base.writing() as connection:
            connection.exec_driver_sql("DELETE FROM checkpoints")
            assert len(views.matches()) == 9
        with views._base.reading() as connection:
            before = connection.exec_driver_sql("SELECT count(*) FROM blocks").scalar()
            store.plan(other.ladder, [block(other, 3)], now=NOW)
            assert connection.exec_driver_sql("SELECT count(*) FROM blocks").scalar() == before == 3


def test_ten_thousand_matches_are_read_back(tmp_path: Path) -> None:
    other = scene(tmp_path, count=6, spec=LadderSpec("party-bugs", {}, seats=4))
    fill(other, range(2500), seats=4, decisions=1)
    with Views.open(other.home) as views, Store.open(other.home) as store:
        standings = views.standings(other.ladder)
        assert sum(one.tally.games for one in standings) == 40_000
        assert len(store.finished(other.ladder)) == len(views.matches()) == 10_000
        assert store.unfinished(other.ladder) == []
        assert store.ratings(other.ladder) == {one.player.id: one.rating for one in standings}
