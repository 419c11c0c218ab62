"""`arena bench sandbox` and `arena bench clocks`: real processes and a whole report; nothing here depends on speed."""

from pathlib import Path

import pytest
from rich.console import Console

from arena import sandbox
from arena.bench import clocks, sandboxes
from arena.bench.clocks import Lateness
from arena.bench.sandboxes import Cost
from arena.home import Home
from arena.match import TimeControl


def shown(table: object) -> str:
    console = Console(width=80, record=True, file=None, quiet=False)
    with console.capture() as capture:
        console.print(table)
    return capture.get()


async def test_every_way_that_works_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ROUNDS", "STARTS", "MATCHES"):
        monkeypatch.setattr(sandboxes, name, 1)
    ways = sandboxes.available()
    assert ways[0].level == "none"
    costs = await sandboxes.run(Home(tmp_path), ways)
    assert [cost.level for cost in costs] == [way.level for way in ways]
    assert all(cost.start_ms > 0 and cost.decision_micros > 0 for cost in costs)
    assert costs[0].level in shown(sandboxes.table(costs))


@pytest.mark.parametrize(
    ("jail", "words"),
    [
        (Cost("bubblewrap", 45.0, 104.0), "40.0 ms more start-up (at most 40 wanted: met), +4.0% a decision"),
        (Cost("bubblewrap", 46.0, 106.0), "41.0 ms more start-up (at most 40 wanted: missed), +6.0% a decision"),
    ],
)
def test_bubblewrap_stands_beside_its_targets(jail: Cost, words: str) -> None:
    (sentence,) = sandboxes.summary([Cost("none", 5.0, 100.0), jail])
    assert words in sentence
    assert ("(at most 5% wanted: met)" in sentence) == ("+4.0%" in sentence)


def test_every_level_of_bubblewrap_has_its_verdict() -> None:
    costs = [Cost("none", 5.0, 100.0), Cost("bubblewrap-lite", 9.0, 101.0), Cost("bubblewrap", 11.0, 107.0)]
    lite, full = sandboxes.summary(costs)
    assert lite.startswith("bubblewrap-lite: 4.0 ms")
    assert full.startswith("bubblewrap: 6.0 ms")
    assert full.endswith("+7.0% a decision (at most 5% wanted: missed).")


async def test_both_rules_are_measured_on_a_full_machine(tmp_path: Path) -> None:
    found = await clocks.run(Home(tmp_path), sandbox.choose(), decisions=40, time=TimeControl(50, 50))
    assert found[0].decisions >= 40
    assert [one.rule for one in found[1:]] == [clocks.NOBODY, "frame"]
    assert all(one.decisions > 0 and one.median_micros > 0 for one in found[:2])
    assert all(one.late <= one.decisions for one in found)
    assert str(found[0].decisions) in shown(clocks.table(found))


def test_the_verdict_is_of_the_cpu_rule() -> None:
    frame, quiet = Lateness("frame", 100, 90, 20_000), Lateness(clocks.NOBODY, 20_000, 0, 16_000)
    assert "4.0 of 10,000" in clocks.summary([Lateness("cpu", 10_000, 4, 16_000), quiet, frame])
    assert "wanted: met" in clocks.summary([Lateness("cpu", 10_000, 4, 16_000), quiet, frame])
    assert "wanted: missed" in clocks.summary([Lateness("cpu", 10_000, 5, 16_000), quiet, frame])
    assert "every bot pays by the wall" in clocks.summary([frame])


def test_what_the_machine_does_by_itself_is_no_part_of_the_verdict() -> None:
    busy = Lateness(clocks.NOBODY, 20_000, 20, 16_000)
    told = clocks.summary([Lateness("cpu", 10_000, 14, 16_000), busy])
    assert "14.0 of 10,000" in told
    assert "10.0 by the machine's own doing (fewer than 5 more wanted: met)" in told
