"""What this game brings for the conformance tests must itself be able to fail; what is loaded or decoded is checked."""

from typing import Any

import pytest

from arena.engine.rng import seeded
from arena.games.lucky_numbers import rules_codes as codes
from arena.games.lucky_numbers.codec import CODEC
from arena.games.lucky_numbers.rules import GAME
from arena.games.lucky_numbers.v1 import lucky_numbers_pb2 as pb
from tests.games.lucky_numbers import conservation, luck, secrecy

PLACES = ("pool", "face_up")


@pytest.fixture
def dump() -> dict[str, Any]:
    """A match with tiles in all places, where a tile was just drawn."""
    state, rng = GAME.setup(GAME.variants()["distinct"], 3, seeded(5)), seeded(6)
    while len(state.observe(0).face_up) < 5 or not state.observe(0).drawn:
        state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.to_act()})
    return state.dump()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("doubled", [True, False])
def test_a_lost_or_doubled_tile_is_found(dump: dict[str, Any], place: str, *, doubled: bool) -> None:
    conservation.check(dump)
    dump[place] = [*dump[place], dump[place][0]] if doubled else dump[place][1:]
    with pytest.raises(AssertionError):
        conservation.check(dump)
    with pytest.raises(ValueError, match="expected each 3 times"):
        GAME.load(dump | {"face_up": sorted(dump["face_up"])})


def test_a_lost_tile_of_a_garden_or_a_hand_is_found(dump: dict[str, Any]) -> None:
    garden = dump["gardens"][0]
    garden[garden.index(max(garden))] = 0
    with pytest.raises(AssertionError):
        conservation.check(dump)
    with pytest.raises(AssertionError):
        conservation.check(dump | {"drawn": 0})


def test_luck_tells_what_was_revealed_in_order(dump: dict[str, Any]) -> None:
    drawn = luck.drawn(dump)
    revealed = drawn["game 1, revealed"]
    assert revealed[-len(dump["pool"]) :] == dump["pool"]
    assert revealed[-len(dump["pool"]) - 1] == dump["drawn"]
    assert len(revealed) == 48
    assert drawn["game 1, start"] == [dump["start"]]
    assert all(drawn[f"game 1, setup of seat {seat}"] for seat in range(3))


def test_a_swap_changes_the_pool_and_nothing_that_a_seat_sees(dump: dict[str, Any]) -> None:
    rng = seeded(7)
    for seat in range(3):
        for _ in range(50):
            other = secrecy.swap(dump, seat, rng)
            assert other is not None
            assert other["pool"] != dump["pool"]
            assert secrecy.visible(other, seat) == secrecy.visible(dump, seat)
            conservation.check(other)


@pytest.mark.parametrize("name", ["face_up", "gardens", "drawn", "idle", "turn", "totals", "phase"])
def test_what_lies_open_is_seen(dump: dict[str, Any], name: str) -> None:
    assert secrecy.visible(dump | {name: None}, 0) != secrecy.visible(dump, 0)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"phase": "turn"}, "drawn: expected a tile just where one must be placed"),
        ({"phase": "arrange"}, "open: expected a list"),
        ({"phase": "lay"}, "gardens: expected tiles on the diagonal"),
        ({"idle": 61}, "idle: expected a whole number from 0 to 60"),
        ({"game": 1}, "game: expected a whole number from 0 to 0"),
        ({"start": 3}, "start: expected"),
        ({"face_up": [3, 2]}, "face_up: expected ascending"),
        ({"gardens": [[0] * 15] * 3}, "gardens: expected a list of 16"),
        ({"totals": [0, 0]}, "totals: expected"),
    ],
)
def test_load_refuses_what_cannot_be(dump: dict[str, Any], change: dict[str, Any], words: str) -> None:
    GAME.load(dump)
    with pytest.raises(ValueError, match=words):
        GAME.load(dump | change)


def test_load_refuses_a_garden_that_does_not_ascend(dump: dict[str, Any]) -> None:
    garden = dump["gardens"][0]
    filled = [space for space in range(16) if garden[space]]
    for other in filled[1:]:
        garden[filled[0]], garden[other] = garden[other], garden[filled[0]]
    garden.sort(reverse=True)
    with pytest.raises(ValueError, match="gardens: expected ascending rows and columns"):
        GAME.load(dump)


def test_load_refuses_tiles_aside_after_setup(dump: dict[str, Any]) -> None:
    aside, dump["pool"] = dump["pool"][:1], dump["pool"][1:]
    with pytest.raises(ValueError, match="set_aside: expected none after setup"):
        GAME.load(dump | {"set_aside": aside})


@pytest.mark.parametrize(
    ("kind", "tile", "space"),
    [(0, 0, 0), (1, 1, 0), (1, 0, 3), (2, 1, 0), (2, 0, 16), (3, 0, 1), (4, 0, 5), (4, 21, 5), (5, 0, 1), (6, 0, 0)],
)
def test_an_action_that_is_none_is_refused(kind: int, tile: int, space: int) -> None:
    message = pb.Observation()
    message.legal_actions.add(tile=tile, space=space).kind = kind  # type: ignore[assignment] # some are unknown
    with pytest.raises(ValueError, match="an action: expected"):
        CODEC.decode_legal(message.SerializeToString())


CHANGES: list[tuple[str, Any, str]] = [
    ("seats", 5, "seats: expected 2 to 4"),
    ("seat", 3, "seat: expected 0 to 2"),
    ("phase", 6, "phase: expected 1 to 5"),
    ("drawn", 21, "drawn: expected 0 to 20"),
    ("idle", 61, "idle: expected 0 to 60"),
    ("idle_limit", 59, "idle_limit: expected 60 to 60"),
    ("face_down", 1, "face_down: expected"),
    ("game", 1, "game: expected 0 to 0"),
]


@pytest.mark.parametrize(("name", "value", "words"), CHANGES)
def test_an_observation_that_cannot_be_is_refused(dump: dict[str, Any], name: str, value: Any, words: str) -> None:
    state = GAME.load(dump)
    message = pb.Observation.FromString(CODEC.encode_observation(state.observe(0), [], []))
    setattr(message, name, value)
    with pytest.raises(ValueError, match=words):
        CODEC.decode_observation(message.SerializeToString())


def test_lists_of_an_observation_are_checked(dump: dict[str, Any]) -> None:
    sent = CODEC.encode_observation(GAME.load(dump).observe(0), [], dump["log"])
    problems = ("gardens: expected 3", "ascending tiles", "of equal length", "an event's kind", "number 7: expected")
    changed = [(words, pb.Observation.FromString(sent)) for words in problems]
    del changed[0][1].gardens[0]
    changed[1][1].face_up.reverse()
    changed[2][1].events.tiles.append(1)
    changed[3][1].events.kinds[0] = 99  # type: ignore[call-overload]
    changed[4][1].set_aside.extend([7] * 4)
    for words, message in changed:
        with pytest.raises(ValueError, match=words):
            CODEC.decode_observation(message.SerializeToString())


def test_codes_of_actions_and_their_values_are_inverse() -> None:
    known = [*range(336), *(codes.LAY + space for space in codes.DIAGONAL), codes.DRAW, codes.DISCARD]
    assert [GAME.code(GAME.action(code)) for code in known] == known
    for code in (-1, codes.LAY + 1, codes.DISCARD + 1):
        with pytest.raises(ValueError, match="expected the code of an action"):
            GAME.action(code)
