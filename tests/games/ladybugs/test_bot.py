"""The game's own bot in positions where anybody can see what is right: the last turn of a match."""

import pytest

from arena.games.ladybugs.actions import Place, space_name
from arena.games.ladybugs.rules import GAME
from tests.agents import inprocess
from tests.games.ladybugs.positions import BASE, Position, begun

NAME = "ladybugs"
LAST = [[1, 2], [1], [1], [1]]

OBVIOUS = [
    pytest.param({"e8": [12]}, "g8", id="the centre bed rather than meadows"),
    pytest.param({"e8": [12], "i7": [21]}, "g8", id="to outbid one dot"),
]


def answer(position: Position) -> Place:
    state = begun(position)
    seated = inprocess.matches(NAME, BASE, int(state.seats), seed=3)[0]
    action = GAME.action(inprocess.choose_of(NAME)(inprocess.turn(seated, state)))
    assert isinstance(action, Place)
    return action


@pytest.mark.parametrize(("tiles", "space"), OBVIOUS)
def test_the_last_tile_goes_where_it_scores(tiles: dict[str, list[int]], space: str) -> None:
    action = answer(Position(tiles, hands=LAST, ending=True, unused=[0, 0, 0, 0]))
    assert (space_name(action.space), action.dots) == (space, 2)
