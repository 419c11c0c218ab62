"""Every game's picture fits 80 columns at every moment, and depends on what its seats may see alone."""

from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from arena import games
from arena.engine.rng import seeded

CASES = [
    (name, variant, seats)
    for name in games.names()
    for variant in games.load(name).variants()
    for seats in games.load(name).seat_counts()
]
NAMES = ["random", "a-bot-whose-name-is-forty-letters-long--", "party-bugs#2", "d", "e", "f", "g", "h"]


def _drawn(name: str, observations: list[Any]) -> str:
    written = StringIO()
    names = NAMES[: max(len(observations), 8)]
    Console(file=written, width=80, height=24).print(games.view(name).draw(observations, names[: _seats(observations)]))
    return written.getvalue()


def _seats(observations: list[Any]) -> int:
    seats: int = observations[0].seats
    return seats


def _states(name: str, variant: str, seats: int) -> list[Any]:
    game, luck = games.load(name), seeded(9).fork("players")
    state = game.setup(game.variants()[variant], seats, seeded(9).fork("game"))
    states = [state.clone()]
    while acting := state.to_act():
        state.apply({seat: luck.choice(state.legal_actions(seat)) for seat in acting})
        states.append(state.clone())
    return states


@pytest.mark.parametrize(("name", "variant", "seats"), CASES)
def test_pictures_fit_and_keep_secrets(name: str, variant: str, seats: int) -> None:
    game, luck = games.load(name), seeded(2)
    states = _states(name, variant, seats)
    for state in (states[0], *states[1:-1:7], states[-1]):
        whole = _drawn(name, [state.observe(seat) for seat in range(seats)])
        one = _drawn(name, [state.observe(1)])
        for picture in (whole, one):
            assert max(len(line) for line in picture.splitlines()) <= 80
            assert len(picture.splitlines()) <= 20
        imagined = game.determinize(state.observe(1), luck)
        assert _drawn(name, [imagined.observe(1)]) == one
    later = states[len(states) // 2]  # at the start nothing may be hidden yet
    assert _drawn(name, [later.observe(seat) for seat in range(seats)]) != _drawn(name, [later.observe(0)])


def test_party_bugs_shows_floor_displays_hands_piles_and_marks() -> None:
    states = _states("party-bugs", "hidden-card-mirror-series", 3)
    state = next(state for state in states if state.dump()["game"] == 1 and state.dump()["round"] == 3)
    plain = state.dump()
    picture = _drawn("party-bugs", [state.observe(seat) for seat in range(3)])
    assert "game 2 of 3 · round 3 of 12" in picture
    assert picture.count(" tied") == 1
    assert (picture.count(" mirror") == 1) == (plain["mirror"] >= 0)
    for player, row in enumerate(picture.splitlines()[-3:]):
        pile = len(plain["unseen"][player]) - len(plain["hands"][player]) - bool(plain["hidden"][player])
        assert f"+{pile} " in row
        shown = " ".join(map(str, plain["displays"][player]))
        hidden = plain["hidden"][player]
        assert f"{shown} ({hidden})".strip() in row if hidden else shown in row
        points = sum(plain["displays"][player]) + hidden
        assert row.split()[-2:] == [str(points), str(plain["totals"][player])]


def test_party_bugs_names_paul_with_two_seats() -> None:
    state = _states("party-bugs", "base", 2)[3]
    assert "  Paul" in _drawn("party-bugs", [state.observe(0)])
    assert "Paul" not in _drawn("party-bugs", [_states("party-bugs", "base", 3)[3].observe(0)])
