"""The strength bench: which matches it plays, what it concludes, and one small run with real processes."""

import io
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.console import Console

from arena import bots, games, sandbox
from arena.bench import strength
from arena.bench.strength import Plan
from arena.cli import bench
from arena.errors import UserError
from arena.home import Home
from arena.match import Entrant, Fault, FaultKind, MatchResult, MatchSpec
from arena.referee.runner import Referee

NAMES = ("random", "greedy", "party-bugs")


def plan_of(matches: int, names: Sequence[str] = NAMES, seed: int = 7) -> Plan:
    game = games.load("party-bugs")
    options = game.plain_options(game.variants()["base"])
    return Plan("party-bugs", options, tuple(bots.find(name) for name in names), matches, seed)


def specs(plan: Plan) -> list[MatchSpec]:
    rows = [[Entrant(bot.name, bot.sha256, row) for bot in plan.bots] for row in range(len(plan.bots))]
    return list(strength.specs_of(plan, rows))


def result(spec: MatchSpec, order: Sequence[str], faults: Sequence[Fault] = ()) -> MatchResult:
    """A match in which the bots came in this order."""
    places = tuple(1 + order.index(entrant.bot) for entrant in spec.entrants)
    return MatchResult(spec, (), places, (0,) * len(places), tuple(faults))


def printed(report: strength.Report) -> str:
    console = Console(file=io.StringIO(), width=80)
    console.print(strength.table(report))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_block_is_one_deal_with_every_bot_once_in_every_seat() -> None:
    played = specs(plan_of(12))
    assert len({spec.match_id for spec in played}) == 12
    for first in range(0, 12, 3):
        block = played[first : first + 3]
        assert len({spec.seed for spec in block}) == 1
        seats = Counter((entrant.bot, seat) for spec in block for seat, entrant in enumerate(spec.entrants))
        assert seats == Counter({(name, seat): 1 for name in NAMES for seat in range(3)})
    assert len({spec.seed for spec in played}) == 4


def test_no_process_meets_a_deal_twice() -> None:
    met = Counter((entrant.bot, entrant.process, spec.seed) for spec in specs(plan_of(30)) for entrant in spec.entrants)
    assert set(met.values()) == {1}


def test_the_same_seed_deals_the_same_and_another_does_not() -> None:
    deals = [[spec.seed for spec in specs(plan_of(6, seed=seed))] for seed in (1, 1, 2)]
    assert deals[0] == deals[1]
    assert not set(deals[0]) & set(deals[2])


@pytest.mark.parametrize(("matches", "blocks"), [(1, 2), (6, 2), (7, 3), (400, 134), (402, 134)])
def test_deals_are_always_completed(matches: int, blocks: int) -> None:
    plan = plan_of(matches)
    assert plan.blocks == blocks
    assert len(specs(plan)) == 3 * blocks


@pytest.mark.parametrize(("count", "quantile"), [(9, 3.355), (21, 2.845), (134, 2.613), (100_000, 2.576)])
def test_the_interval_is_students(count: int, quantile: float) -> None:
    values = [float(number % 2) for number in range(count)]
    ones = count // 2
    spread = (ones * (count - ones) / count / (count - 1)) ** 0.5
    assert strength.margin(values) == pytest.approx(quantile * spread / count**0.5, rel=0.002)


def test_a_bot_that_always_wins_beats_the_others_clearly() -> None:
    plan = plan_of(402)
    orders = (("party-bugs", "greedy", "random"), ("party-bugs", "random", "greedy"))
    played = [result(spec, orders[number // 3 % 2]) for number, spec in enumerate(specs(plan))]
    report = strength.report(plan, played)
    best, *others = report.lines
    assert (best.bot, best.place, best.wins) == ("party-bugs", 1.0, 402)
    assert sorted(report.beaten_by(best)) == ["greedy", "random"]
    assert [(line.place, line.wins, report.beaten_by(line)) for line in others] == [(2.5, 0, [])] * 2


def test_few_matches_prove_nothing() -> None:
    plan = plan_of(30)
    report = strength.report(plan, [result(spec, ("party-bugs", "greedy", "random")) for spec in specs(plan)])
    assert report.lines[0].ahead_of(report.lines[1])
    assert report.beaten_by(report.lines[0]) == []
    assert "30 matches are too few" in printed(report)


def test_luck_of_the_deal_alone_beats_nobody() -> None:
    plan = plan_of(402)
    names = list(NAMES)
    played = [result(spec, names[n % 3 :] + names[: n % 3]) for n, spec in enumerate(specs(plan))]
    report = strength.report(plan, played)
    assert [line.place for line in report.lines] == [2.0, 2.0, 2.0]
    assert [report.beaten_by(line) for line in report.lines] == [[], [], []]


def test_faults_are_charged_to_the_bot_that_sat_there() -> None:
    plan = plan_of(6)
    played = [result(spec, NAMES) for spec in specs(plan)]
    seat = [entrant.bot for entrant in played[4].spec.entrants].index("greedy")
    fault = Fault(FaultKind.TIMEOUT, seat, 2, "too slow")
    played[4] = result(played[4].spec, NAMES, [fault])
    report = strength.report(plan, played)
    assert {line.bot: line.faults for line in report.lines} == {
        "random": (),
        "greedy": ("too slow",),
        "party-bugs": (),
    }
    assert report.failed


def test_the_table_fits_80_columns_and_the_data_is_json() -> None:
    plan = plan_of(402)
    report = strength.report(plan, [result(spec, ("party-bugs", "greedy", "random")) for spec in specs(plan)])
    line = next(line for line in printed(report).splitlines() if line.startswith("party-bugs "))
    assert line.split() == ["party-bugs", "402", "1.000", "1.000-1.000", "402", "0", "greedy,", "random"]
    data = json.loads(json.dumps(strength.plain(report)))
    assert data["bots"][0]["clearly_beats"] == ["greedy", "random"]
    assert (data["matches"], data["blocks"], data["enough_matches"]) == (402, 134, True)


async def test_real_processes_play_the_plan(tmp_path: Path) -> None:
    plan, advanced = plan_of(4, ("random", "greedy")), []
    async with Referee(Home(tmp_path), sandbox.choose("none")) as referee:
        report = await strength.run(referee, plan, lambda: advanced.append(1))
        again = await strength.run(referee, plan)
    assert report.matches == len(advanced) == 4
    assert not report.failed
    assert sum(line.wins for line in report.lines) == 4
    assert again.lines == report.lines


def test_a_bot_named_twice_is_refused_before_anything_starts() -> None:
    with pytest.raises(UserError, match="expected different bots, got random 2 times"):
        bench.strength(game="party-bugs", bots="random,greedy,random")


@pytest.mark.parametrize("game", games.names())
def test_a_game_is_measured_with_its_own_bot_unless_others_are_named(game: str) -> None:
    usual = [bots.find(name) for name in bench.usual_bots(game).split(",")]
    assert [bot.name for bot in usual[:2]] == ["random", "greedy"]
    assert len(usual) in games.load(game).seat_counts()
    assert usual[2:]
    assert all(bot.games == (game,) for bot in usual[2:])


def test_a_bot_that_is_not_shipped_needs_a_sandbox(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "bot.py").write_text("")
    (foreign / "bot.toml").write_text('name = "foreign"\ngames = ["*"]\nrun = ["python", "bot.py"]\n')
    with pytest.raises(UserError, match="--unsafe"):
        bench.strength(game="party-bugs", bots=f"random,{foreign}", matches=4, sandbox="none", home=tmp_path / "home")
