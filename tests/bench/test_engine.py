"""`arena bench engine`: the report is complete; how fast a machine is, no test can know."""

import json
from dataclasses import replace

import pytest
from rich.console import Console

from arena import build, games
from arena.bench import engine
from arena.errors import UserError

SECONDS = 0.01


@pytest.mark.parametrize("game", games.names())
def test_every_game_is_measured_in_full(game: str) -> None:
    (speeds,) = engine.run([game], seconds=SECONDS)
    plain = speeds.plain()
    assert (plain.pop("game"), plain.pop("compiled")) == (game, build.compiled())
    assert plain.pop("seats") in games.load(game).seat_counts()
    assert plain.pop("variant") == "base"
    assert len(plain) == 9
    assert all(isinstance(value, float) and value > 0 for value in plain.values())
    assert speeds.decisions >= speeds.transitions > speeds.playouts  # a transition takes one decision or more


def test_the_table_shows_every_game_and_the_floor() -> None:
    speeds = engine.run(games.names(), None, SECONDS)
    console = Console(width=80)
    with console.capture() as captured:
        console.print(engine.table(speeds))
    shown = captured.get()
    assert "…" not in shown
    rows = [line.split() for line in shown.splitlines()]
    assert sum(row[:2] == ["per", "second"] and row.count("seats") == len(speeds) for row in rows) == 1
    fast = [replace(one, floor=987_654_321.0) for one in speeds]  # on a machine that is yet to be built
    with console.capture() as captured:
        console.print(engine.table(fast))
    assert captured.get().count("987,654,321") == len(fast)
    assert "determinized" in shown


def test_speeds_are_json() -> None:
    (speeds,) = engine.run(["party-bugs"], seconds=SECONDS)
    assert json.loads(json.dumps(speeds.plain()))["draws_per_decision"] == speeds.floor / speeds.decisions


def test_seats_are_four_unless_told() -> None:
    game = games.load("party-bugs")
    assert engine.seat_count(game) == 4
    assert engine.seat_count(game, 6) == 6


def test_a_table_that_the_game_has_not_is_refused_before_anything_is_measured() -> None:
    with pytest.raises(UserError, match="party-bugs: expected 2 to 6 seats, got 7"):
        engine.run(["party-bugs"], 7, 3600.0)


def test_another_variant_is_measured_and_named() -> None:
    (speeds,) = engine.run(["ladybugs"], seconds=SECONDS, variant="all-modules")
    assert speeds.variant == "all-modules"
    console = Console(width=80)
    with console.capture() as captured:
        console.print(engine.table([speeds]))
    assert "all-modules" in captured.get()


def test_a_variant_that_a_game_has_not_is_refused_before_anything_is_measured() -> None:
    with pytest.raises(UserError, match="expected a variant of lucky-numbers, got 'all-modules'"):
        engine.run(["ladybugs", "lucky-numbers"], 4, 3600.0, "all-modules")


def test_it_says_which_build_was_measured() -> None:
    assert ("compiled" if build.compiled() else "interpreted") in engine.built()
