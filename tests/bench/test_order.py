"""`arena bench order`: the report is complete and repeats; what it says is tested with the simulator."""

import json
from typing import Any

import pytest

from arena import cli

QUICK = ["bench", "order", "--seats", "2", "--repetitions", "2", "--seed", "3"]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert cli.run(list(arguments)) == 0
    return capsys.readouterr().out


def test_the_table_shows_both_kinds_and_how_to_repeat_it(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run(capsys, *QUICK)
    assert [line.split()[0] for line in shown.splitlines()[2:7]] == ["50", "100", "200", "400", "800"]
    assert "6 bots at tables of 2: mean and deviation of 2 ladders, seed 3" in " ".join(shown.split())


def test_json_has_all_of_it_and_repeats(capsys: pytest.CaptureFixture[str]) -> None:
    data: dict[str, Any] = json.loads(run(capsys, *QUICK, "--json"))
    assert (data["seats"], data["seed"], data["deal"], data["noise"]) == (2, 3, 8.0, 4.0)
    assert [point["games"] for point in data["points"]] == data["games"]
    for point in data["points"]:
        for kind in ("rotated", "independent"):
            assert -1 <= point[kind]["mean"] <= 1
            assert point[kind]["deviation"] >= 0
    assert json.loads(run(capsys, *QUICK, "--json")) == data
