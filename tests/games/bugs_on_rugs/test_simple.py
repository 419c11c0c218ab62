"""Hundreds of random matches against a second, simple Bugs on Rugs that was written from the rulebook alone."""

from collections.abc import Iterator
from typing import Any

import pytest

from arena.engine.rng import Rng, seeded
from arena.games.bugs_on_rugs import actions
from arena.games.bugs_on_rugs.rules import GAME, BugsOnRugsState
from tests.games.bugs_on_rugs import luck
from tests.games.bugs_on_rugs.simple import SHEET, Bug, Moment, Move, SimpleMatch

CASES = [(variant, seats) for variant in GAME.variants() for seats in GAME.seat_counts()]
MATCHES = 60  # of each case; 20 cases make more than a thousand
WORDS: dict[type, str] = {
    actions.Take: "take",
    actions.Show: "show",
    actions.Lay: "lay",
    actions.Hang: "hang",
    actions.Pass: "pass",
    actions.Offer: "offer",
    actions.Done: "done",
    actions.ShowHand: "show hand",
    actions.Keep: "keep",
}


@pytest.mark.parametrize(("variant", "seats"), CASES)
def test_random_matches_agree_with_the_simple_game(variant: str, seats: int) -> None:
    options = GAME.variants()[variant]
    for seed in range(MATCHES):
        state = GAME.setup(options, seats, seeded(seed))
        drawn = luck.drawn(state.dump())
        deck = [plain_bug(bug) for bug in drawn["deck"]]
        moments = moments_of(state, seeded(seed).fork("choices"))
        simple = SimpleMatch(dict(options.plain()), seats, deck, drawn["start"][0], moments)
        try:
            result = simple.play()
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, decision {simple.asked}: {error}") from error
        assert next(moments, None) is None, f"seed {seed}: the engine asks on after the end"
        sheets = [dict(zip(SHEET, row, strict=True)) for row in state.observe(0).points]
        assert sheets == [{name: sheet[name] for name in SHEET} for sheet in result.points], f"seed {seed}"
        assert state.outcome().places == result.places, f"seed {seed}"
        assert state.outcome().scores == [sum(sheet.values()) for sheet in result.points], f"seed {seed}"


def moments_of(state: BugsOnRugsState, rng: Rng) -> Iterator[Moment]:
    """The decisions of a random match."""
    while acting := state.to_act():
        legal = {seat: state.legal_actions(seat) for seat in acting}
        chosen = {seat: rng.choice(legal[seat]) for seat in acting}
        moves = {seat: [plain_move(code) for code in legal[seat]] for seat in acting}
        yield Moment(plain_table(state), moves, {seat: plain_move(code) for seat, code in chosen.items()})
        state.apply(chosen)


def plain_bug(bug: int) -> Bug:
    type_, rug = divmod(bug - 1, 7)
    return (SHEET[type_], rug + 1) if type_ < len(SHEET) else ("Mosquito", 0)


def plain_move(code: int) -> Move:
    action = GAME.action(code)
    match action:
        case actions.Hatch(first, second, wall):
            return "hatch", plain_bug(first), plain_bug(second), wall
        case actions.Swap(wall):
            return "swap", wall
        case actions.Copy(type_):
            return "copy", SHEET[type_ - 1]
        case actions.Break(ants, spiders, flies, beetles, ladybugs):
            return "break", ants, spiders, flies, beetles, ladybugs
        case actions.Done() | actions.ShowHand() | actions.Keep():
            return (WORDS[type(action)],)
        case _:
            return WORDS[type(action)], plain_bug(action.bug)


def plain_table(state: BugsOnRugsState) -> dict[str, Any]:
    dump: dict[str, Any] = state.dump()
    return {
        "hands": [sorted(map(plain_bug, hand)) for hand in dump["hands"]],
        "floor": sorted(map(plain_bug, dump["floor"])),
        "wall": [plain_bug(bug) for bug in dump["wall"]],
        "deck": [plain_bug(bug) for bug in dump["deck"]],
        "gone": sorted(map(plain_bug, dump["discards"])),
        "round": dump["round"],
        "final": dump["last_round"],
        "start": dump["start"],
    }
