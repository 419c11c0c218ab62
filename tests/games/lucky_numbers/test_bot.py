"""The game's own bot in this process: legal everywhere, repeatable, and sensible where all can see what is right."""

from statistics import fmean

import pytest

from arena import bots
from arena.engine.rng import seeded
from arena.games.lucky_numbers.rules import GAME, LuckyNumbersState
from arena.games.lucky_numbers.rules_codes import Action, Lay, Place, Take
from arena.games.lucky_numbers.rules_views import Options
from tests.agents import inprocess
from tests.games.lucky_numbers.positions import BARE, DRAW, FULL, LOW, MICHAEL, Position, begun

NAME = "lucky-numbers"
CASES = [(variant, seats) for variant in GAME.variants() for seats in GAME.seat_counts()]
THINKERS = ("greedy", NAME)


def test_the_folder_is_a_bot_that_arena_knows_as_its_own() -> None:
    bot = bots.find(NAME)
    assert bot.shipped
    assert bot.name == NAME == bot.folder.name
    assert bot.games == (NAME,)
    assert bot.run == ("python", "bot.py")


@pytest.mark.parametrize(("variant", "seats"), CASES)
def test_a_whole_match_is_legal(variant: str, seats: int) -> None:
    choose, other = inprocess.choose_of(NAME), inprocess.choose_of("random")
    outcome, _ = inprocess.play(NAME, GAME.variants()[variant], [other] * (seats - 1) + [choose], seed=seats)
    assert min(outcome.places) == 1


def test_the_same_match_is_played_in_the_same_way() -> None:
    options = GAME.variants()["michael"]
    first, again = (inprocess.play(NAME, options, [inprocess.choose_of(NAME)] * 3, seed=5) for _ in range(2))
    assert first[1] == again[1]


def answer(name: str, state: LuckyNumbersState) -> Action:
    seats = len(state.observe(0).gardens)
    seated = inprocess.matches(NAME, state.observe(0).options, seats, seed=3)[0]
    return GAME.action(inprocess.choose_of(name)(inprocess.turn(seated, state)))


NEARLY = FULL.replace("16", "-")
OBVIOUS = [
    pytest.param(Position([NEARLY, LOW], drawn=20), Place(3, 3), id="the last space, drawn (N12)"),
    pytest.param(Position([NEARLY, LOW], face_up=[9, 18]), Take(18, 3, 3), id="the last space, face up (N12)"),
]


@pytest.mark.parametrize("name", THINKERS)
@pytest.mark.parametrize(("position", "wanted"), OBVIOUS)
def test_what_wins_at_once_is_done(name: str, position: Position, wanted: Action) -> None:
    assert answer(name, begun(position)) == wanted


def test_a_tile_goes_where_it_leaves_the_most_room() -> None:
    bare = "- - - - / - - - - / - - - - / - - - -"
    for tile, row in ((1, 0), (7, 1), (14, 2), (20, 3)):
        state = begun(Position([bare, bare], drawn=tile, phase="lay", options=MICHAEL))
        assert answer(NAME, state) == Lay(row)


def test_a_take_that_helps_nothing_is_worse_than_a_draw() -> None:
    good = "1 3 5 8 / 4 7 - 11 / 6 9 12 15 / 10 13 16 18"
    assert answer(NAME, begun(Position([good, BARE], face_up=[17]))) == DRAW


def test_a_blocked_space_is_opened_by_an_exchange() -> None:
    blocked = "1 3 5 6 / 4 7 - 8 / 9 10 12 15 / 11 13 16 18"  # between 7 and 8 nothing fits
    assert answer(NAME, begun(Position([blocked, BARE], drawn=14))) == Place(1, 3)


def test_arranged_tiles_ascend() -> None:
    state = GAME.setup(Options(setup="arrange"), 2, seeded(1))
    assert answer(NAME, state) == Lay(0)


# Strength is shown by `arena bench strength`; this only notices when a bot has lost its mind.


def test_the_bot_is_ahead_of_greedy_and_greedy_of_random() -> None:
    names = ["random", "greedy", NAME]
    choosers = {name: inprocess.choose_of(name, worlds=8) for name in names}
    places: dict[str, list[int]] = {name: [] for name in names}
    for deal in range(4):
        for rotation in range(3):
            seated = names[rotation:] + names[:rotation]
            outcome, _ = inprocess.play(NAME, Options(), [choosers[name] for name in seated], deal)
            for name, place in zip(seated, outcome.places, strict=True):
                places[name].append(place)
    assert fmean(places[NAME]) < fmean(places["greedy"]) < fmean(places["random"])
