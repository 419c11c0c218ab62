"""Imagined worlds against all that fit, enumerated from what the seat saw: none missing, all as likely (L47)."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice, permutations, product
from math import prod, sqrt
from typing import Any

import pytest

from arena.engine.rng import Rng, seeded
from arena.games.ladybugs import rules_codes as codes
from arena.games.ladybugs.boards import kit
from arena.games.ladybugs.codec import CODEC
from arena.games.ladybugs.rules import GAME, LadybugsState
from arena.games.ladybugs.rules_views import Observation, Options
from arena.games.ladybugs.v1 import ladybugs_pb2 as pb
from arena.games.ladybugs.words import event_parts
from tests.games.ladybugs.positions import NARROW

MOST = 200  # worlds of a position, equal tiles told apart
POSITIONS = 3  # of a case
SAMPLES = 40  # for each world
CASES = [(variant, seats) for variant in ("base", "spider", "action-tiles") for seats in (2, 3, 4)]

Place = tuple[tuple[int, ...], tuple[int, ...]]  # a seat's hand, ascending, and its supply, top first
World = tuple[tuple[Place, ...], tuple[int, ...]]  # by seat; and the clovers' values
Imagine = Callable[[Observation, Rng], dict[str, Any]]


@dataclass
class Position:
    """A view, and the worlds that fit it with how likely each is: in how many ways it comes about."""

    name: str
    view: Observation
    worlds: Counter[World]


@dataclass
class Seen:
    """What a seat learned of one seat's tiles: which were shown, how many were drawn, and its own draws."""

    shown: Counter[int]
    drawn: int
    hand: list[int] | None  # None for the hand of another


def watched(state: LadybugsState, seat: int) -> tuple[list[Seen], list[int | None]]:
    """Tiles and clovers as the seat's events alone tell them; None for a clover that it does not know."""
    table = [Seen(Counter(), 0, [] if player == seat else None) for player in range(state.seats)]
    spaces = state.board.clovers if state.options.lucky_clover else []
    clovers: list[int | None] = [None] * len(spaces)
    for code in state.events(seat, 0):
        kind, player, _, value, space = event_parts(code)
        seen = table[player]
        if kind == codes.EVENT_DREW:
            seen.drawn += 1
            if seen.hand is not None:
                seen.hand.append(value)
        elif kind in (codes.EVENT_BEGAN, codes.EVENT_PLACED, codes.EVENT_SPIDER_MOVED):
            seen.shown[value] += 1
            if seen.hand is not None:
                seen.hand.remove(value)
        elif kind == codes.EVENT_CLOVER and value:
            clovers[spaces.index(space)] = value - 1
    return table, clovers


def all_worlds(state: LadybugsState, seat: int) -> Counter[World] | None:
    """Every world that fits what the seat saw, with its weight; None if there are too many."""
    table, clovers = watched(state, seat)
    loose = [loose_tiles(seen) for seen in table]
    known = [value for value in clovers if value is not None]
    values = list((Counter(state.board.kit.clovers) - Counter(known)).elements()) if clovers else []
    total = 1
    for tiles in [*loose, values]:
        for factor in range(2, len(tiles) + 1):
            total *= factor
    if not 1 < total <= 20 * MOST:
        return None
    ways = [Counter(map(place_of(seen), permutations(tiles))) for seen, tiles in zip(table, loose, strict=True)]
    orders = Counter(filled(clovers, order) for order in permutations(values))
    found: Counter[World] = Counter()
    for choice in product(*(way.items() for way in ways)):
        places = tuple(place for place, _ in choice)
        for order, times in orders.items():
            found[places, order] += times * prod(number for _, number in choice)
    return found if 1 < len(found) <= MOST else None


def loose_tiles(seen: Seen) -> list[int]:
    """Tiles of a colour whose places the seat does not know."""
    known = seen.shown + Counter(seen.hand or [])
    return list((Counter(dict.fromkeys(range(1, 7), 4)) - known).elements())


def place_of(seen: Seen) -> Callable[[tuple[int, ...]], Place]:
    """How a seat's tiles lie if the unknown ones come in this order."""
    held = 0 if seen.hand is not None else seen.drawn - seen.shown.total()

    def lying(order: tuple[int, ...]) -> Place:
        hand = sorted(seen.hand or []) + sorted(order[:held])
        return tuple(hand), order[held:]

    return lying


def filled(clovers: list[int | None], order: tuple[int, ...]) -> tuple[int, ...]:
    rest = iter(order)
    return (*(next(rest) if value is None else value for value in clovers), *rest)


def world_of(dump: dict[str, Any]) -> World:
    """Where the unseen tiles and clovers are in a state."""
    places = [
        (tuple(hand), tuple(tiles[drawn:]))
        for hand, tiles, drawn in zip(dump["hands"], dump["draws"], dump["drawn"], strict=True)
    ]
    return tuple(places), tuple(dump["clovers"])


def positions(variant: str, seats: int, only: Callable[[LadybugsState], bool] = lambda _: True) -> Iterator[Position]:
    """Late positions of random matches, one of a match, with more than one world and not too many."""
    yield from late_positions(GAME.variants()[variant], f"{variant}.{seats}p", seats, only)


def late_positions(
    options: Options, name: str, seats: int, only: Callable[[LadybugsState], bool]
) -> Iterator[Position]:
    for seed in range(2000):
        state, rng = GAME.setup(options, seats, seeded(seed)), seeded(seed)
        while acting := state.to_act():
            late = state.drawn[-1] > 18 and only(state)
            fitting = all_worlds(state, 0) if late else None
            if fitting and rng.below(3) == 0:
                yield Position(f"{name}.seed{seed}", state.observe(0), fitting)
                break
            state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in acting})


def imagined(view: Observation, rng: Rng) -> dict[str, Any]:
    """The engine's own answer."""
    return GAME.determinize(view, rng).dump()


def verdict(position: Position, imagine: Imagine) -> str:
    """What is wrong with the imagined worlds, or nothing."""
    rng, drawn = seeded(1), SAMPLES * len(position.worlds)
    tally = Counter(world_of(imagine(position.view, rng)) for _ in range(drawn))
    if wrong := set(tally) - set(position.worlds):
        return f"{position.name}: {len(wrong)} of {len(tally)} imagined worlds cannot be"
    ways = position.worlds.total()
    expected = {world: drawn * times / ways for world, times in position.worlds.items()}
    if missing := [world for world in position.worlds if world not in tally and expected[world] > 12]:
        return f"{position.name}: {len(missing)} of {len(position.worlds)} worlds are never imagined"
    square = sum((tally[world] - wanted) ** 2 / wanted for world, wanted in expected.items())
    limit = chi_square_limit(len(position.worlds) - 1)
    return "" if square < limit else f"{position.name}: chi-square {square:.1f}, expected below {limit:.1f}"


def chi_square_limit(freedom: int) -> float:
    """The value that chance exceeds once in 100,000 (Wilson and Hilferty's approximation)."""
    normal = 4.265
    return freedom * float((1 - 2 / (9 * freedom) + normal * sqrt(2 / (9 * freedom))) ** 3)


@pytest.mark.parametrize(("variant", "seats"), CASES)
def test_l47_imagined_worlds_are_all_that_fit_and_as_likely(variant: str, seats: int) -> None:
    found = list(islice(positions(variant, seats), POSITIONS))
    assert len(found) == POSITIONS
    assert [verdict(position, imagined) for position in found] == [""] * POSITIONS


def few_clovers() -> Options:
    """A board where two of three clovers lie far from the starts, so that late in a match any may still lie there."""
    rows = ["#..##..##..#"] * 3 + ["#.c##..##..#"] + ["#..##..##..#"] * 2 + ["#..##..##c.#"] + ["#..##..##..#"] * 3
    two = {"rows": rows, "inserts": [], "starts": [[0, 0], [9, 11]], "spider": [[4, 6]], "centre": None}
    board = {**NARROW, "layouts": {**NARROW["layouts"], "2": two}}
    return GAME.options({"lucky_clover": True, "board": json.dumps(board)})


def took(own: int, others: int) -> Callable[[LadybugsState], bool]:
    """Whether seat 1 and seat 2 have just so many clovers."""
    return lambda state: (state.taken.count(1), state.taken.count(2)) == (own, others)


@pytest.mark.parametrize(("own", "others"), [(0, 1), (1, 0), (1, 1), (0, 2)])
def test_l47_clovers_and_tiles_together_on_a_board_with_few_clovers(own: int, others: int) -> None:
    """Three clovers of different values, so that all worlds can be listed: a taker alone knows what was taken."""
    found = list(islice(late_positions(few_clovers(), "few clovers", 2, took(own, others)), POSITIONS))
    assert len(found) == POSITIONS
    assert [verdict(position, imagined) for position in found] == [""] * POSITIONS


def test_an_engine_that_knows_the_clovers_of_others_is_caught() -> None:
    position = next(late_positions(few_clovers(), "few clovers", 2, took(0, 2)))
    clovers = next(iter(position.worlds))[1]
    assert "never imagined" in verdict(position, lambda view, rng: imagined(view, rng) | {"clovers": [*clovers]})


def with_clovers(own: int, others: int) -> LadybugsState:
    """A random match up to the moment when seat 1 and the others have taken so many clovers."""
    for seed in range(1000):
        state, rng = GAME.setup(GAME.variants()["lucky-clover"], 2, seeded(seed)), seeded(seed)
        while state.to_act():
            if state.taken.count(1) >= own and state.taken.count(2) >= others:
                return state
            state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.to_act()})
    raise AssertionError("expected such a match, got none")


def test_l47_unseen_clovers_lie_anywhere_and_own_ones_are_known() -> None:
    """Clover positions are too many to enumerate; each unknown place gets each value as often as it is left."""
    state, rng = with_clovers(own=2, others=1), seeded(4)
    _, known = watched(state, 0)
    values = [value for value in known if value is not None]
    left = Counter(kit("standard").clovers) - Counter(values)
    worlds = [world_of(imagined(state.observe(0), rng))[1] for _ in range(2000)]
    assert len(values) == state.taken.count(1)
    for place in range(12):
        tally = Counter(world[place] for world in worlds)
        if place < len(known) and known[place] is not None:
            assert set(tally) == {known[place]}
        else:
            wanted = {value: 2000 * times / left.total() for value, times in left.items()}
            square = sum((tally[value] - number) ** 2 / number for value, number in wanted.items())
            assert square < chi_square_limit(len(wanted) - 1), f"place {place}: {tally}, expected {wanted}"
    assert all(Counter(world) == Counter(kit("standard").clovers) for world in worlds)


def was_eaten(state: LadybugsState) -> bool:
    """Whether a tile of an opponent left the board: only history tells that it cannot be in hand or supply."""
    gone = [event_parts(code) for code in state.log]
    return any(kind in (codes.EVENT_EATEN, codes.EVENT_SPIDER_MOVED) and seat == 1 for kind, seat, *_ in gone)


def test_what_only_history_excludes_is_never_imagined() -> None:
    found = list(islice(positions("spider", 2, only=was_eaten), POSITIONS))
    assert [verdict(position, imagined) for position in found] == [""] * POSITIONS


def test_an_engine_that_forgets_eaten_and_discarded_tiles_is_caught() -> None:
    position = next(positions("spider", 2, only=was_eaten))
    assert "cannot be" in verdict(position, lambda view, rng: imagined(forgetful(view), rng))


def forgetful(view: Observation) -> Observation:
    """A mutant: it takes the tiles that lie on the board for all that were ever shown."""
    message = pb.Observation()
    message.ParseFromString(CODEC.encode_observation(view, [], []))
    for seat, row in enumerate(message.unseen):
        if seat == view.seat:
            continue
        lying = Counter(dots for _, owner, dots in view.tiles if owner == seat)
        gone = [dots for dots in range(1, 7) for _ in range(4 - lying[dots] - row.counts[dots - 1])]
        for dots in gone:  # another tile counts as shown instead, so that the numbers fit
            row.counts[dots - 1] += 1
            other = next(index for index in range(6) if row.counts[index] and index != dots - 1)
            row.counts[other] -= 1
    return CODEC.decode_observation(message.SerializeToString())[0]


def test_an_engine_that_forgets_its_own_clovers_is_caught() -> None:
    state, rng = with_clovers(own=2, others=0), seeded(4)
    view = state.observe(0)
    mark = view.taken.index(1)
    sound = {imagined(view, rng)["clovers"][mark] for _ in range(50)}
    view.values = [0] * len(view.values)
    mutant = {imagined(view, rng)["clovers"][mark] for _ in range(50)}
    assert len(sound) == 1
    assert len(mutant) > 1


def test_the_check_itself_sees_a_missing_world_and_an_uneven_one() -> None:
    position = next(one for one in positions("base", 3) if len(one.worlds) > 10)
    assert "never imagined" in verdict(position, lambda view, rng: imagined(view, Rng(7)))
    assert "chi-square" in verdict(position, uneven)


def uneven(view: Observation, rng: Rng) -> dict[str, Any]:
    """A mutant: of two worlds it takes the one that sorts first, half of the time."""
    first, second = imagined(view, rng), imagined(view, rng)
    return min(first, second, key=lambda dump: str(world_of(dump))) if rng.below(2) else first


def test_l39_an_eliminated_hand_and_supply_are_imagined_too() -> None:
    state = GAME.setup(GAME.variants()["base"], 3, seeded(2))
    rng = seeded(2)
    for _ in range(30):
        state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.to_act()})
    data = state.dump() | {"out": [1], "current": 0}
    view = GAME.load(data).observe(0)
    worlds = {world_of(imagined(view, rng))[0][1] for _ in range(30)}
    assert len(worlds) > 10
