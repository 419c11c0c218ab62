"""The rulings P21-P41 on the variants: the hidden card, the mirror series, and both together."""

import pytest

from arena.engine.contract import IllegalAction
from arena.engine.rng import Rng
from arena.games.party_bugs.codes import Action, Hide, Take, UseMirror
from arena.games.party_bugs.rules import GAME, PartyBugsState
from arena.games.party_bugs.rules_views import Options
from tests.games.party_bugs.positions import (
    BOTH,
    HAUL,
    HAUL_PAIRING,
    HIDDEN,
    KEEP,
    MIRROR,
    MUST,
    PAIRING,
    PLAIN,
    USE_HIDDEN,
    Cards,
    Position,
    act,
    begun,
    choices,
    displays,
    hide,
    play,
    played_out,
    said,
    take,
)

HANDS = [[1, 9, 13], [2, 9, 13], [3, 9, 13]]


def at_pick(floor: list[int], hidden: list[int], display: list[int], options: Options = HIDDEN) -> PartyBugsState:
    """Seat 1 picks first, with this display."""
    state = begun(Position(HANDS, floor, options, hidden=hidden, displays=[display, [], []]))
    play(state, 1, 2, 3)
    return state


def at_mirror(display: list[int], *, deadline: bool, hidden: int = 0) -> PartyBugsState:
    """The end of a round in which everybody took a 4; seat 2 holds the mirror and has this display besides."""
    options = BOTH if hidden else MIRROR
    cards = [7, hidden, 7] if hidden else []
    position = Position([[1, 9, 10]] * 3, [4, 4, 4], options, hidden=cards, displays=[[], display, []], mirror=1)
    position.round = options.draws if deadline else 1
    state = begun(position)
    play(state, 1, 1, 1)
    while state.observe(0).floor != [1, 1, 1]:  # hidden cards make a 4 that is all there is worth a question
        take(state, state.to_act()[0], 4)
    return state


def ended_game(displays: Cards, tied: int, game: int, totals: list[int]) -> PartyBugsState:
    """A game of a series just over: each of three seats took a 5 and a 1 besides what lay there."""
    position = Position([[1]] * 3, [5] * 3, MIRROR, 12, tied=tied, displays=displays, game=game)
    position.totals = totals
    state = begun(position)
    play(state, 1, 1, 1)
    return state


def test_p21_p27_paul_hides_nothing_and_keeps_one_card_unseen() -> None:
    state = GAME.setup(HIDDEN, 2, Rng(5))
    hide(state, *[min(state.observe(seat).hand) for seat in (0, 1)])
    assert [display.hidden for display in state.observe(0).displays] == [True, True, False]
    played_out(state, Rng(6))
    assert sum(text.startswith("Paul played") for text in said(state)) == 11
    assert [len(cards) for cards in state.observe(0).unseen] == [0, 0, 1]


def test_p23_each_seat_hides_any_card_but_the_king() -> None:
    hands = [[1, 2, 9, 13], [2, 3, 4, 5], [3, 7, 9, 13]]
    state = begun(Position(hands, [6, 6, 6], HIDDEN, phase="hide"))
    assert list(state.to_act()) == [0, 1, 2]
    assert choices(state, 0) == [Hide(1), Hide(2), Hide(9)]
    with pytest.raises(IllegalAction):
        hide(state, 13, 2, 3)
    hide(state, 9, 2, 3)
    assert [state.observe(seat).hidden_value for seat in range(3)] == [9, 2, 3]
    assert state.observe(0).hand == [1, 2, 13]


def test_p23_hiding_is_sealed_and_comes_after_the_tied_card() -> None:
    state = GAME.setup(HIDDEN, 3, Rng(7))
    assert any(text.endswith("got the Tied card") for text in said(state))
    hide(state, *[min(state.observe(seat).hand) for seat in range(3)])
    assert said(state, 2)[-3:-1] == ["seat 1 hid a card", "seat 2 hid a card"]


def test_v1_has_eleven_rounds_of_play_and_a_last_one() -> None:
    state = played_out(GAME.setup(HIDDEN, 3, Rng(8)), Rng(9))
    assert sum(text.startswith("seat 1 played") for text in said(state)) == 11
    assert state.observe(0).round == 12


def test_p24_a_match_offers_the_pair_and_shows_it() -> None:
    state = at_pick([4, 5, 7], [5, 8, 8], [])
    assert choices(state, 0) == [Take(4, pair_hidden=False), PLAIN, PAIRING, Take(7, pair_hidden=False)]
    act(state, 0, PAIRING)
    assert displays(state)[0] == []
    assert state.observe(1).displays[0].hidden is False
    assert said(state, 1)[-1] == "seat 1 discarded 5 with the hidden card"
    assert 5 not in state.observe(1).unseen[0]


def test_p24_declined_there_is_no_second_offer() -> None:
    state = at_pick([7, 5, 5], [5, 8, 8], [])
    act(state, 0, PLAIN)
    assert displays(state)[0] == [5]
    take(state, 1, 7)
    take(state, 2, 5)
    play(state, 9, 9, 9)
    assert PAIRING not in choices(state, 0)
    assert state.observe(0).hidden_value == 5


def test_p24_the_last_card_is_asked_about_whether_or_not_it_matches() -> None:
    for hidden, offers in ((7, [Take(7, pair_hidden=False), Take(7, pair_hidden=True)]), (8, [PLAIN])):
        state = at_pick([4, 7, 5], [6, 6, hidden], [])
        take(state, 0, 4)
        take(state, 1, 5 if hidden == 7 else 7)
        assert list(state.to_act()) == [2]
        assert choices(state, 2) == offers


def test_p24_a_last_card_that_lies_face_up_already_is_not_asked_about() -> None:
    state = begun(Position(HANDS, [4, 5, 7], HIDDEN, hidden=[6, 6, 8], displays=[[], [], [7]]))
    play(state, 1, 2, 3)
    take(state, 0, 4)
    take(state, 1, 5)
    assert displays(state)[2] == []
    assert len(state.to_act()) == 3


def test_p24_under_must_the_match_is_made_unasked() -> None:
    state = at_pick([4, 5, 7], [5, 8, 8], [], MUST)
    assert PAIRING not in choices(state, 0)
    take(state, 0, 5)
    assert displays(state)[0] == []
    assert state.observe(1).displays[0].hidden is False


def test_p25_a_face_up_pair_comes_before_the_hidden_card() -> None:
    state = at_pick([4, 5, 7], [5, 8, 8], [5])
    assert PAIRING not in choices(state, 0)
    act(state, 0, PLAIN)
    assert displays(state)[0] == []
    assert state.observe(0).hidden_value == 5


@pytest.mark.parametrize(
    ("floor", "display", "offers"),
    [
        ([4, 5, 7, 8], [], [HAUL, HAUL_PAIRING]),
        ([4, 5, 5, 8], [5], [HAUL, HAUL_PAIRING]),  # three of them: one is left
        ([4, 5, 5, 8], [], [HAUL]),  # a face-up pair
        ([4, 5, 7, 8], [5], [HAUL]),  # likewise
        ([4, 8, 7, 8], [5], [HAUL]),  # none arrived
        ([4, 8, 7, 8], [], [HAUL]),  # asked all the same
    ],
)
def test_p25_a_haul_may_pair_what_is_left_of_it(floor: list[int], display: list[int], offers: list[Action]) -> None:
    hidden, shown = [5, 12, 12, 12], [display, [], [], []]
    state = begun(Position([*HANDS, HANDS[2]], floor, HIDDEN, hidden=hidden, displays=shown))
    play(state, 13, 2, 3, 3)
    assert list(state.to_act()) == [0]
    assert choices(state, 0) == offers


def test_p25_the_pair_of_a_haul_goes_with_the_hidden_card() -> None:
    state = begun(Position(HANDS, [4, 5, 7], HIDDEN, hidden=[5, 12, 12]))
    play(state, 13, 2, 3)
    act(state, 0, HAUL_PAIRING)
    assert displays(state)[0] == [4, 7]
    assert state.observe(0).hidden_value == 0


def test_p25_a_haul_that_leaves_nothing_single_is_not_asked_about() -> None:
    state = begun(Position(HANDS, [4, 4, 7], HIDDEN, hidden=[5, 12, 12], displays=[[7, 8], [], []]))
    play(state, 13, 2, 3)
    assert displays(state)[0] == [8]
    assert len(state.to_act()) == 3


@pytest.mark.parametrize(("floor", "left"), [([4, 5, 7], [4, 7]), ([7, 5, 5], [7])])
def test_p25_under_must_a_haul_pairs_what_is_left(floor: list[int], left: list[int]) -> None:
    state = begun(Position(HANDS, floor, MUST, hidden=[5, 12, 12]))
    play(state, 13, 2, 3)
    assert displays(state)[0] == left
    assert state.observe(0).hidden_value == (0 if 4 in left else 5)


def test_p26_a_revealed_card_is_added_and_never_paired() -> None:
    shown = [[1, 4, 5], [1, 5], [1, 5]]
    position = Position([[1]] * 3, [5] * 3, HIDDEN, 11, displays=shown, hidden=[4, 6, 7])
    state = begun(position)
    play(state, 1, 1, 1)
    assert state.outcome().scores == [8, 6, 7]
    assert "seat 1 revealed the hidden card, 4" in said(state, 1)
    assert "seat 1 discarded 4 with the hidden card" not in said(state, 1)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_p28_p34_a_game_per_seat_each_with_its_own_tied_card(seats: int) -> None:
    state = played_out(GAME.setup(MIRROR, seats, Rng(10)), Rng(11))
    games = [text for text in said(state) if text.startswith("game ")]
    assert games == [f"game {number} begins" for number in range(1, seats + 1)]
    assert sum(text.endswith("got the Tied card") for text in said(state)) == seats
    scored = [int(text.split()[-1]) for text in said(state) if text.startswith("seat 1 scored")]
    assert state.outcome().scores[0] == sum(scored)


@pytest.mark.parametrize(
    ("shown", "tied", "totals", "holder"),
    [
        ([[2], [3], [4]], 0, [0, 0, 0], 2),
        ([[2], [3], [4]], 0, [9, 0, 0], 0),  # totals count, not the last game
        ([[9], [3], [9]], 1, [0, 0, 0], 2),  # equal: the closest to the Tied card
        ([[9], [3], [9]], 0, [0, 0, 0], 0),
    ],
)
def test_p29_the_mirror_goes_to_the_highest_total(shown: Cards, tied: int, totals: list[int], holder: int) -> None:
    state = ended_game(shown, tied, 0, totals)
    assert (state.observe(0).game, state.observe(0).mirror) == (1, holder)
    assert f"seat {holder + 1} got the mirror card" in said(state)


def test_p29_nobody_has_the_mirror_in_the_first_game() -> None:
    assert GAME.setup(MIRROR, 3, Rng(12)).observe(0).mirror == -1


def test_p30_before_the_deadline_the_mirror_may_be_kept_or_used() -> None:
    state = at_mirror([7, 8], deadline=False)
    assert choices(state, 1) == [KEEP, UseMirror(4), UseMirror(7), UseMirror(8)]
    act(state, 1, KEEP)
    assert state.observe(0).mirror == 1
    assert displays(state)[1] == [4, 7, 8]


def test_p30_p32_at_the_deadline_it_must_be_used_on_one_card() -> None:
    state = at_mirror([7, 8], deadline=True)
    assert choices(state, 1) == [UseMirror(4), UseMirror(7), UseMirror(8)]
    act(state, 1, UseMirror(8))
    assert displays(state)[1] == [4, 7]
    assert state.observe(0).mirror == -1
    assert "seat 2 discarded 8 with the mirror card" in said(state)


def test_p30_a_single_card_at_the_deadline_goes_unasked() -> None:
    state = at_mirror([], deadline=True)
    assert displays(state)[1] == []
    assert (state.observe(0).mirror, len(state.to_act())) == (-1, 3)


def test_p31_with_no_card_at_the_deadline_the_mirror_is_lost() -> None:
    state = at_mirror([4], deadline=True)
    assert state.observe(0).mirror == -1
    assert "seat 2 discarded the mirror card unused" in said(state)


def test_p31_with_no_card_before_the_deadline_it_is_kept() -> None:
    state = at_mirror([4], deadline=False)
    assert (state.observe(0).mirror, len(state.to_act())) == (1, 3)


def test_p33_the_mirror_never_goes_to_paul_but_his_totals_count() -> None:
    position = Position([[1]] * 2, [5] * 3, MIRROR, 12, displays=[[2], [3], [12]], piles=[[], [], [1]])
    position.totals = [1, 0, 60]
    state = begun(position)
    play(state, 1, 1)
    assert state.observe(0).totals == [9, 9, 78]
    assert state.observe(0).mirror == 0


def test_p33_p37_paul_may_win_a_series() -> None:
    position = Position([[1]] * 2, [5] * 3, MIRROR, 12, displays=[[2], [3], [12]], piles=[[], [], [1]], game=1)
    position.totals = [30, 20, 10]
    state = begun(position)
    play(state, 1, 1)
    assert state.outcome().places == [2, 1]
    assert state.outcome().remarks == ["Paul has 28 points, the lowest total: Paul won."]


@pytest.mark.parametrize(("tied", "places"), [(0, [1, 2, 3]), (1, [3, 1, 2]), (2, [2, 3, 1])])
def test_p35_p38_equal_series_go_by_the_tied_card_of_the_last_game(tied: int, places: list[int]) -> None:
    outcome = ended_game([[2], [3], [4]], tied, 2, [12, 11, 10]).outcome()
    assert outcome.scores == [20, 20, 20]
    assert outcome.places == places


def test_p36_a_hidden_card_is_known_to_its_owner_only() -> None:
    one = begun(Position(HANDS, [4, 4, 4], HIDDEN, hidden=[6, 6, 6]))
    other = begun(Position([HANDS[0], [2, 6, 13], HANDS[2]], [4, 4, 4], HIDDEN, hidden=[6, 9, 6]))
    assert one.observe(0) == other.observe(0)
    assert (one.observe(1).hidden_value, other.observe(1).hidden_value) == (6, 9)


def test_p36_the_hidden_card_is_imagined_first_and_never_as_the_king() -> None:
    hands = [[1, 2], [9, 13], [3, 7]]
    view = begun(Position(hands, [4, 4, 4], HIDDEN, 10, hidden=[6, 5, 6])).observe(0)
    worlds = [GAME.determinize(view, Rng(key)) for key in range(60)]
    assert {world.observe(1).hidden_value for world in worlds} == {5, 9}
    assert all(13 in world.observe(1).hand for world in worlds)
    assert {world.observe(0).hidden_value for world in worlds} == {6}


def test_p36_a_declined_pairing_excludes_nothing() -> None:
    state = at_pick([4, 5, 7], [5, 8, 8], [])
    act(state, 0, PLAIN)
    worlds = [GAME.determinize(state.observe(1), Rng(key)) for key in range(120)]
    assert 5 in {world.observe(0).hidden_value for world in worlds}


def test_p36_under_must_what_arrived_and_stayed_is_excluded() -> None:
    state = at_pick([4, 5, 7], [6, 8, 8], [], MUST)
    take(state, 0, 5)
    assert state.observe(1).excluded == [[5], [], []]
    worlds = [GAME.determinize(state.observe(1), Rng(key)) for key in range(120)]
    assert 5 not in {world.observe(0).hidden_value for world in worlds}


def test_p40_the_mirror_may_take_the_hidden_card_and_shows_it() -> None:
    state = at_mirror([7], deadline=False, hidden=11)
    assert choices(state, 1) == [KEEP, UseMirror(4), UseMirror(7), USE_HIDDEN]
    act(state, 1, USE_HIDDEN)
    assert displays(state)[1] == [4, 7]
    assert state.observe(0).displays[1].hidden is False
    assert "seat 2 discarded the hidden card, 11, with the mirror card" in said(state)
    assert 11 not in state.observe(0).unseen[1]


def test_p40_a_hidden_card_alone_at_the_deadline_must_be_used() -> None:
    state = at_mirror([4], deadline=True, hidden=11)
    assert (state.observe(0).mirror, state.observe(1).hidden_value) == (-1, 0)
    assert "seat 2 discarded the hidden card, 11, with the mirror card" in said(state)


def test_p41_the_mirror_comes_after_the_floor_is_laid_and_before_the_draw() -> None:
    state = at_mirror([7, 8], deadline=False)
    assert list(state.to_act()) == [1]
    assert state.observe(0).floor == [1, 1, 1]
    assert state.observe(0).hand == [9, 10]
    act(state, 1, UseMirror(4))
    assert (state.observe(0).round, len(state.observe(0).hand)) == (2, 3)


def test_p41_paul_shows_his_card_before_the_mirror_is_used() -> None:
    position = Position(HANDS[:2], [5, 5, 5], MIRROR, displays=[[7, 8], [], []], piles=[[], [], [12]])
    position.mirror = 0
    state = begun(position)
    play(state, 9, 2)
    assert list(state.to_act()) == [0]
    assert state.observe(0).floor == [9, 2, 12]
