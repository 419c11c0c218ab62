"""`arena bench attack`: real hostile bots beside honest ones, a complete report; nothing here depends on speed."""

import json
from pathlib import Path

from rich.console import Console

from arena import sandbox
from arena.attack import intruders
from arena.attack.hostile import __main__ as hostile
from arena.bench import attack
from arena.bench.attack import Felt
from arena.home import Home


def felt(name: str, slowest: int) -> Felt:
    return Felt(name, f"does {name}", 100, 500, slowest, 3, "protocol: expected one, got two", 0)


async def test_a_run_measures_the_quiet_and_every_attack(tmp_path: Path) -> None:
    said: list[str] = []
    found = await attack.run(
        Home(tmp_path), sandbox.choose("none"), seconds=0.2, ways=("noise", "visits"), say=said.append
    )
    assert [one.attack for one in found] == ["nobody", "noise", "visits"] == said
    assert all(one.decisions > 0 and 0 < one.median <= one.slowest for one in found)
    assert [one.attempts > 0 for one in found] == [False, True, True]
    assert found[1].fault.startswith("protocol: expected a PlayRequest, got 5000 bytes")
    assert [one.fault for one in found if one.attack != "noise"] == ["", ""]
    assert sum(one.honest_faults for one in found) == 0


def test_a_report_is_shown_and_is_json() -> None:
    rows = [felt("nobody", 4_000), felt("one", 49_900), felt("two", 12_000)]
    console = Console(width=80)
    with console.capture() as shown:
        console.print(attack.table(rows))
    for part in ("does one", "protocol", "49.9", "slowest ms"):
        assert part in shown.get()
    assert attack.summary(rows) == (
        "An honest decision took at most 49.9 ms (one), 4.0 ms without attack (under 50 ms wanted: met)."
    )
    assert attack.summary([*rows, felt("three", 50_000)]).endswith("(under 50 ms wanted: missed).")
    assert [json.loads(json.dumps(one.plain()))["met"] for one in rows] == [True, True, True]


def test_every_attack_is_known_to_the_bot_that_makes_it() -> None:
    known = {*hostile.ONCE, *hostile.BESIDE, *hostile.INSTEAD, *hostile.TOKENS}
    known |= {*hostile.FLOODS, *hostile.CONNECTIONS}
    assert {*intruders.ATTACKS} == known
