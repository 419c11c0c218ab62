"""Live play: the order in which answers arrive is applied, recorded and replayed; without it order means nothing."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena import bots, games, record, sandbox
from arena.engine.rng import Rng, seeded
from arena.home import Home
from arena.match import ClockRule, Decided, Entrant, Evidence, FaultKind, MatchResult, MatchSpec, in_order
from arena.referee.player import Place
from arena.referee.runner import Referee
from arena.referee.table import Table

GAME = games.load("lunar-laser-frogs")
SEATS = 4
DECIDED = [Decided(2, 7, 0), Decided(0, 7, 0, substitute=True), Decided(3, 7, 0), Decided(1, 7, 0)]


class Patient:
    """A player whose answers come when the test says so."""

    rule = ClockRule.FRAME

    def __init__(self) -> None:
        self.place: Place | None = None
        self.legal: list[int] = []  # of the open question

    def evidence(self) -> Evidence:
        return Evidence()

    def begin(self, place: Place) -> None:
        self.place = place

    def ask(self, place: Place, decision: int, observation: Any, legal: list[int], events: list[int]) -> None:
        self.legal = legal

    def end(self, place: Place, result: MatchResult, observation: Any, events: list[int]) -> None:
        self.legal = []

    def answer(self, rng: Rng) -> None:
        """Any legal action; with several to choose from, not the first one, which is to wait."""
        index = 1 + rng.below(len(self.legal) - 1)
        self.legal = []
        assert self.place is not None
        self.place.answer(index, 100)


def spec(**options: object) -> MatchSpec:
    entrants = tuple(Entrant(f"bot-{seat}", f"{seat:064x}") for seat in range(SEATS))
    return MatchSpec("livematch1", GAME.name, GAME.plain_options(GAME.options(options)), entrants, 3)


def played(wanted: MatchSpec, arrivals: str, *, failing: int | None = None) -> MatchResult:
    """A match whose answers arrive in an order that this word decides; one seat may fail at its second question."""
    players, luck, choices = [Patient() for _ in range(SEATS)], seeded(1).fork(arrivals), seeded(2)
    results: list[MatchResult] = []
    table = Table(wanted, players, results.append)
    table.start()
    fresh = 0
    while not results:
        waiting = [seat for seat, player in enumerate(players) if player.legal]
        luck.shuffle(waiting)
        actions = {seat: choices.fork(f"{fresh} {seat}") for seat in waiting}
        for seat in waiting:
            place = players[seat].place
            assert place is not None
            if seat == failing and fresh > 0:
                players[seat].legal = []
                place.fault(FaultKind.DISCONNECTED, "the test pulled the plug")
            else:
                players[seat].answer(actions[seat])
        fresh += 1
    return results[0]


def seats_of_first(result: MatchResult) -> list[int]:
    """The seats of the first window's decisions, as they are on record."""
    return [one.seat for one in result.decisions[: SEATS - 1]]


def test_by_arrival_substitutes_come_last_and_else_all_go_by_seat() -> None:
    assert [one.seat for one in in_order(DECIDED, live=True)] == [2, 3, 1, 0]
    assert [one.seat for one in in_order(DECIDED, live=False)] == [0, 1, 2, 3]


@pytest.mark.parametrize("failing", [None, 2])
def test_f27_the_order_of_arrival_is_on_record_and_replays_exactly(tmp_path: Path, failing: int | None) -> None:
    wanted = spec(timing="arrival")
    results = [played(wanted, word, failing=failing) for word in ("one", "two", "three", "four")]
    assert len({tuple(seats_of_first(result)) for result in results}) > 1
    assert len({result.scores for result in results}) > 1, "expected the order of arrival to change who scores"
    for result in results:
        path = tmp_path / "match.arena"
        record.write_file(path, result)
        assert record.read(path) == result
        assert record.verify(record.read(path)) == []


def test_without_a_live_option_the_order_of_arrival_leaves_no_trace() -> None:
    results = [played(spec(), word) for word in ("one", "two", "three")]
    assert results[0] == results[1] == results[2]
    assert seats_of_first(results[0]) == sorted(seats_of_first(results[0]))


def with_a_moment_reversed(result: MatchResult) -> Iterator[MatchResult]:
    """The match with the decisions of one of its moments the other way round, for each that has several."""
    start = 0
    for moment in record.replay(result):
        end = start + len(moment.acting)
        if len(moment.acting) > 1:
            turned = result.decisions[start:end][::-1]
            yield replace(result, decisions=(*result.decisions[:start], *turned, *result.decisions[end:]))
        start = end


def test_f27_a_record_with_another_order_is_another_match() -> None:
    problems = [record.verify(one) for one in with_a_moment_reversed(played(spec(timing="arrival"), "one"))]
    assert any(one[0].startswith("scores: expected") or one[0].startswith("places") for one in problems if one)


def test_f27_a_substitute_before_a_bot_is_told() -> None:
    result = played(spec(timing="arrival"), "one", failing=2)
    problems = [problem for one in with_a_moment_reversed(result) for problem in record.verify(one)]
    assert any("expected the substitutes behind the bots, got seats 3, " in problem for problem in problems)


async def test_f27_real_processes_play_live_and_the_match_replays(tmp_path: Path) -> None:
    async with Referee(Home(tmp_path), sandbox.choose("none")) as referee:
        entrants = tuple(referee.seat(bots.shipped()["random"], process) for process in range(SEATS))
        result = await referee.play(replace(spec(timing="arrival"), entrants=entrants))
    assert result.faults == ()
    assert record.verify(result) == []
