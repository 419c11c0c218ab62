"""The game's own bot in positions where anybody can see what is right."""

import pytest

from arena.games.bugs_on_rugs.actions import Action, Copy, Keep, Pass, Take
from arena.games.bugs_on_rugs.rules import GAME
from arena.games.bugs_on_rugs.rules_codes import BEETLE, LADYBUG
from tests.agents import inprocess
from tests.games.bugs_on_rugs.positions import BASE, Position, begun, bug

NAME = "bugs-on-rugs"


def answer(position: Position) -> Action:
    seated = inprocess.matches(NAME, BASE, len(position.hands), seed=3)[0]
    return GAME.action(inprocess.choose_of(NAME)(inprocess.turn(seated, begun(position))))


GROUPS = [
    pytest.param("rLady oLady gLady rAnt Mosq Mosq", Copy(LADYBUG), id="the fourth Ladybug"),
    pytest.param("rBee oBee gBee rFly Mosq Mosq", Copy(BEETLE), id="an even number of Beetles"),
    pytest.param("rLar oLar rFly Mosq Mosq", Keep(), id="two Larva to hatch are worth more than a Fly"),
]


@pytest.mark.parametrize(("hand", "wanted"), GROUPS)
def test_mosquitos_are_grouped_for_the_most_points(hand: str, wanted: Action) -> None:
    assert answer(Position([hand, "rFire"], phase="group", steps=1, last_round=1)) == wanted


def test_the_last_pick_takes_what_scores_most() -> None:
    hand = "rLady oLady gLady rFly"
    position = Position([hand, "oFly rAnt"], "bLady gFly", "rSpi", turn=3, last_round=1)
    assert answer(position) == Take(bug("bLady"))


def test_what_is_worth_nothing_is_passed_on() -> None:
    hand = "rLady oLady gLady bLady rLar"
    position = Position([hand, "oFly rAnt gBee"], wall="rBee", phase="pass left", last_round=1)
    assert answer(position) == Pass(bug("rLar"))
