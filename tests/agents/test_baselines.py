"""The shipped bots in this process: legal everywhere, repeatable, and sensible where anybody can see what is right."""

from statistics import fmean
from typing import Any

import pytest

from arena import bots, games
from arena.engine.contract import State
from arena.engine.rng import seeded
from arena.games.party_bugs import codes
from arena.games.party_bugs.codes import Haul, Hide, KeepMirror, Play, Take, UseMirror
from arena.games.party_bugs.rules import GAME
from arena.games.party_bugs.rules_views import Observation, Options
from tests.agents import inprocess

NAMES = sorted(folder.name for folder in inprocess.BASELINES.iterdir() if (folder / "bot.toml").is_file())
THINKERS = ("greedy", "party-bugs")


def played_by(name: str) -> list[str]:
    return [game for game in games.names() if bots.read(inprocess.BASELINES / name).plays(game)]


CASES = [
    pytest.param(name, game, variant, seats, id=f"{name}-{game}-{variant}-{seats}")
    for name in NAMES
    for game in played_by(name)
    for variant in games.load(game).variants()
    for seats in games.load(game).seat_counts()
]


@pytest.mark.parametrize("name", NAMES)
def test_each_folder_is_a_bot_that_arena_knows_as_its_own(name: str) -> None:
    bot = bots.find(name)
    assert bot.shipped
    assert bot.name == name == bot.folder.name
    assert bot.run == ("python", "bot.py")
    assert bot.description


def test_which_games_they_play() -> None:
    assert {"greedy", "random"} <= {name for name in NAMES if bots.find(name).games == ("*",)}
    assert {game for name in NAMES for game in bots.find(name).games} - {"*"} == set(games.names())
    assert bots.find("random").matches_at_once == 256


@pytest.mark.parametrize(("name", "game", "variant", "seats"), CASES)
def test_a_whole_match_is_legal(name: str, game: str, variant: str, seats: int) -> None:
    options = games.load(game).variants()[variant]
    choose, other = inprocess.choose_of(name, worlds=2), inprocess.choose_of("random")
    outcome, _ = inprocess.play(game, options, [other] * (seats - 1) + [choose], seed=seats)
    assert outcome.places == [1 + sum(other < place for other in outcome.places) for place in outcome.places]


@pytest.mark.parametrize(("name", "game"), [(name, game) for name in NAMES for game in played_by(name)])
def test_the_same_match_is_played_in_the_same_way(name: str, game: str) -> None:
    options = games.load(game).variants()["base"]
    choose = [inprocess.choose_of(name, worlds=3), inprocess.choose_of("random"), inprocess.choose_of("random")]
    first, again = (inprocess.play(game, options, choose, seed=5) for _ in range(2))
    assert first[1] == again[1]


def test_other_luck_is_another_match() -> None:
    options, choose = GAME.variants()["base"], inprocess.choose_of("random")
    histories = [inprocess.play("party-bugs", options, [choose] * 3, seed)[1] for seed in (1, 2)]
    assert histories[0] != histories[1]


def test_random_plays_every_legal_action_sooner_or_later() -> None:
    state = first_round([2, 7, 12])
    seated = inprocess.matches("party-bugs", Options(), 3, seed=1)[0]
    choose = inprocess.choose_of("random")
    chosen = {choose(inprocess.turn(seated, state, decision)) for decision in range(100)}
    assert chosen == {codes.coded(Play(card)) for card in (2, 7, 12)}


# Positions with an obvious answer. Seat 1 is to act; lists go by seat.


def position(options: Options, **given: Any) -> State[Observation]:
    """A fresh match of three seats in which these fields of the dump are as given."""
    return GAME.load({**GAME.setup(options, 3, seeded(1).fork("game")).dump(), **given})


def first_round(hand: list[int]) -> State[Observation]:
    """Before the plays; seat 1 holds these cards."""
    floor, unseen = [4, 5, 6], [[value for value in range(1, 14) if value != laid] for laid in (4, 5, 6)]
    return position(Options(), floor=floor, unseen=unseen, hands=[hand, [1, 2, 3], [1, 2, 3]])


def last_choice(floor: list[int], hand: list[int], displays: list[list[int]]) -> State[Observation]:
    """Round 11, the last one with a choice of cards; the piles are empty, and the others hold low cards."""
    hands = [hand, [2, 3], [3, 4]]
    return position(Options(), round=11, floor=floor, hands=hands, unseen=hands, displays=displays)


def last_pick(
    floor: list[int], display: list[int], hidden: int = 0, others: list[list[int]] | None = None
) -> State[Observation]:
    """The last round: seat 1 takes first, since seat 2 holds the Tied card (P13)."""
    options = Options(hidden_card=bool(hidden))
    return position(
        options,
        round=options.final_round,
        phase="pick",
        tied=1,
        waiting=[0, 2, 1],
        floor=floor,
        displays=[display, *(others or [[], []])],
        hidden=[hidden, 0, 0],
        hands=[[], [], []],
        unseen=[[hidden] if hidden else [], [], []],
    )


def mirror(display: list[int], round_number: int) -> State[Observation]:
    """Seat 1 holds the mirror in the last game of a series; round 9 is the deadline (P30)."""
    hands = [[7, 12], [1, 2], [1, 2]]

    def pile(hand: list[int]) -> list[int]:
        return [value for value in range(1, 13) if value not in hand][: 10 - round_number]

    return position(
        Options(mirror_series=True),
        game=2,
        round=round_number,
        phase="mirror",
        mirror=0,
        waiting=[0],
        floor=[4, 5, 6],
        displays=[display, [], []],
        hands=hands,
        unseen=[sorted(hand + pile(hand)) for hand in hands],
    )


def answer(name: str, state: State[Observation]) -> codes.Action:
    seated = inprocess.matches("party-bugs", state.observe(0).options, 3, seed=3)[0]
    return GAME.action(inprocess.choose_of(name)(inprocess.turn(seated, state)))


TAKE = [
    pytest.param(last_pick([9, 3, 11], []), Take(3, pair_hidden=False), id="the lowest card if nothing pairs"),
    pytest.param(last_pick([1, 12, 5], [12, 4]), Take(12, pair_hidden=False), id="the pair, however high (P7)"),
    pytest.param(last_pick([2, 8, 10], [8, 10]), Take(10, pair_hidden=False), id="the higher of two possible pairs"),
    pytest.param(
        last_pick([1, 2, 6], [9], hidden=6), Take(6, pair_hidden=True), id="the match of the hidden card (P24)"
    ),
    pytest.param(
        last_pick([4, 5, 13], [], others=[[4], [4]]),
        Take(4, pair_hidden=False),
        id="the low card that the others want too",
    ),
]
PLAY = [
    pytest.param(
        last_choice([12, 11, 10], [5, 13], [[12, 11, 10], [], []]), 13, id="the King when everything pairs (P8)"
    ),
    pytest.param(last_choice([12, 11, 10], [5, 13], [[], [], []]), 5, id="no King on a floor of high cards"),
]


@pytest.mark.parametrize("name", THINKERS)
@pytest.mark.parametrize(("state", "wanted"), TAKE)
def test_takes(name: str, state: State[Observation], wanted: codes.Action) -> None:
    assert answer(name, state) == wanted


@pytest.mark.parametrize("name", THINKERS)
@pytest.mark.parametrize(("state", "wanted"), PLAY)
def test_plays(name: str, state: State[Observation], wanted: int) -> None:
    assert answer(name, state) == Play(wanted)


def test_party_bugs_plays_low_to_take_first() -> None:
    state = last_choice([12, 11, 10], [1, 9], [[12], [12], [12]])
    assert answer("party-bugs", state) == Play(1)


@pytest.mark.parametrize("name", THINKERS)
def test_the_mirror_takes_the_highest_card_at_its_deadline(name: str) -> None:
    assert answer(name, mirror([2, 11], round_number=9)) == UseMirror(11)


def test_greedy_uses_the_mirror_at_once_and_party_bugs_may_wait() -> None:
    early = mirror([1], round_number=2)
    assert answer("greedy", early) == UseMirror(1)
    assert answer("party-bugs", early) == KeepMirror()


@pytest.mark.parametrize("name", THINKERS)
def test_the_hidden_card_pairs_in_a_haul(name: str) -> None:
    state = position(
        Options(hidden_card=True),
        round=9,
        phase="haul",
        waiting=[0],
        floor=[6, 11, 9],
        played=[13, 4, 5],
        displays=[[9, 11], [], []],
        hidden=[6, 0, 0],
        hands=[[1, 2], [1, 2], [1, 2]],
        unseen=[[1, 2, 6], [1, 2], [1, 2]],
    )
    assert answer(name, state) == Haul(pair_hidden=True)


def test_what_is_hidden_is_no_king() -> None:
    state = GAME.setup(Options(hidden_card=True), 3, seeded(4).fork("game"))
    for name in THINKERS:
        action = answer(name, state)
        assert isinstance(action, Hide)
        assert action.card != codes.KING


# Strength is shown by `arena bench strength`; this only notices when a bot has lost its mind.


def average_places(game: str, names: tuple[str, ...], deals: int) -> dict[str, float]:
    choosers = {name: inprocess.choose_of(name, worlds=12) for name in names}
    places: dict[str, list[int]] = {name: [] for name in names}
    for deal in range(deals):
        for rotation in range(len(names)):
            seated = names[rotation:] + names[:rotation]
            options = games.load(game).variants()["base"]
            outcome, _ = inprocess.play(game, options, [choosers[name] for name in seated], deal)
            for name, place in zip(seated, outcome.places, strict=True):
                places[name].append(place)
    return {name: fmean(taken) for name, taken in places.items()}


def test_party_bugs_is_ahead_of_greedy_and_greedy_of_random() -> None:
    average = average_places("party-bugs", ("greedy", "party-bugs", "random"), deals=6)
    assert average["party-bugs"] < average["greedy"] < average["random"]


@pytest.mark.parametrize("name", [name for name in NAMES if bots.find(name).games != ("*",)])
def test_the_bot_of_one_game_is_ahead_of_random(name: str) -> None:
    (game,) = bots.find(name).games
    average = average_places(game, (name, "random", "random"), deals=6)
    assert average[name] < average["random"]
