"""What this game brings for the conformance tests must itself be able to fail."""

from typing import Any

import pytest

from arena.engine.rng import seeded
from arena.games.bugs_on_rugs import rules_codes as codes
from arena.games.bugs_on_rugs.rules import GAME
from tests.games.bugs_on_rugs import conservation, luck, secrecy, table


@pytest.fixture
def dump() -> dict[str, Any]:
    """A match of four seats with hidden passes, discards, and bugs in every place."""
    for seed in range(100):
        state, rng = GAME.setup(GAME.options({}), 4, seeded(seed)), seeded(seed)
        while state.round < 5:
            state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.to_act()})
        passed = any(code >> 16 in table.PASSED for code in state.history)
        if passed and state.discards and state.floor:
            return state.dump()
    raise AssertionError("expected such a match, got none")


def without_first(bugs: list[int]) -> list[int]:
    return bugs[1:]


def twice_first(bugs: list[int]) -> list[int]:
    return sorted([*bugs, bugs[0]])


@pytest.mark.parametrize("change", [without_first, twice_first])
@pytest.mark.parametrize("place", ["deck", "floor", "wall", "discards"])
def test_a_lost_or_doubled_bug_is_found(dump: dict[str, Any], place: str, change: Any) -> None:
    conservation.check(dump)
    dump[place] = change(dump[place])
    with pytest.raises(AssertionError):
        conservation.check(dump)


def test_a_bug_in_the_wrong_hand_is_found(dump: dict[str, Any]) -> None:
    dump["hands"][1] = sorted([*dump["hands"][1], dump["hands"][0].pop()])
    with pytest.raises(AssertionError, match="the history makes"):
        conservation.check(dump)


def test_a_draw_that_nobody_was_told_of_is_found(dump: dict[str, Any]) -> None:
    place = next(at for at, code in enumerate(dump["log"]) if code >> 16 == codes.EVENT_FLOOR)
    del dump["log"][place]
    with pytest.raises(AssertionError, match="drawn"):
        conservation.check(dump)


def test_luck_tells_the_whole_deck(dump: dict[str, Any]) -> None:
    drawn = luck.drawn(dump)
    assert len(drawn["deck"]) == 90
    assert len(drawn["start"]) == 1
    assert drawn["deck"][-len(dump["deck"]) :] == dump["deck"]


def test_a_seat_sees_its_own_hand_and_what_it_was_passed(dump: dict[str, Any]) -> None:
    for seat in range(4):
        for place in (at for at, code in enumerate(dump["history"]) if code >> 16 in table.PASSED):
            kind, giver, passed = table.parts(dump["history"][place])
            other = dump | {"history": list(dump["history"])}
            other["history"][place] += 1 if passed < codes.MOSQUITO else -1
            knows = seat in (giver, table.receiver(kind, giver, 4))
            assert (secrecy.visible(other, seat) != secrecy.visible(dump, seat)) == knows


def test_a_swap_changes_what_the_seat_cannot_see_and_nothing_else(dump: dict[str, Any]) -> None:
    rng, changed = seeded(7), set[str]()
    for seat in range(4):
        for _ in range(50):
            other = secrecy.swap(dump, seat, rng)
            assert other is not None
            assert other != dump
            assert secrecy.visible(other, seat) == secrecy.visible(dump, seat)
            conservation.check(other)
            changed |= {name for name in dump if other[name] != dump[name]}
    assert changed == {"deck", "hands", "history", "log"}
