"""Positions made to measure: a whole state from the few tiles that a ruling is about, and short ways to play on.

A tile is a number: 10 times the seat as people count, plus its dots; 25 is a five of seat 2. Stacks go from below.
"""

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from arena.engine.rng import Rng
from arena.games.ladybugs.actions import Action, MoveSpider, Place, space_name, space_named
from arena.games.ladybugs.rules import GAME, LadybugsState
from arena.games.ladybugs.rules_codes import ACTION_TILES, START
from arena.games.ladybugs.rules_views import Options
from tests.games.ladybugs import conservation

BASE = Options()
TILES = Options(action_tiles=True)
RESIGN = Options(action_tiles=True, may_resign=True)
CLOVER = Options(lucky_clover=True)
SPIDER = Options(spider=True)
ALL = Options(action_tiles=True, lucky_clover=True, spider=True)

STARTS = {2: ["a1", "o8"], 3: ["a1", "o1", "h15"], 4: ["a1", "o1", "o15", "a15"]}
ALL_TILES = [dots for dots in range(1, 7) for _ in range(4)]
ROWS = ["#..##c.##..#", "#.c##..##..#"]
NARROW: dict[str, Any] = {
    "format": "ladybugs board",
    "version": 1,
    "squares": {"A": [["."], ["."]]},
    "clovers": [0, 5, 2],
    "layouts": {
        "2": {"rows": ROWS, "inserts": [], "starts": [[0, 0], [1, 11]], "spider": [[0, 6], [1, 6]], "centre": None},
        "3": {
            "rows": ROWS,
            "inserts": [],
            "starts": [[0, 0], [0, 11], [1, 5]],
            "spider": [[0, 6]],
            "centre": [0, 3],
        },
        "4": {
            "rows": ROWS,
            "inserts": [],
            "starts": [[0, 0], [0, 11], [1, 11], [1, 0]],
            "spider": [[0, 6]],
            "centre": [0, 3],
        },
    },
}


@dataclass
class Position:
    """What a case is about, before a turn; what it leaves open is filled in."""

    tiles: dict[str, list[int]]
    hands: list[list[int]] = field(default_factory=list)  # two tiles are yet to be played from, one is the last
    options: Options = BASE
    seats: int = 4
    turn: int = 1  # as people count seats
    spider: str = ""
    unused: list[int] = field(default_factory=list)  # bits; else all of them
    laid: list[int] = field(default_factory=list)  # else the first faces, upright
    ending: bool = False  # whether all supplies are empty
    taken: list[int] = field(default_factory=list)  # by marked space: who took the clover, as people count; 0 nobody
    clovers: list[int] = field(default_factory=list)


def begun(position: Position) -> LadybugsState:
    """The state that this position describes, through a dump; its event log is empty."""
    seats, options = position.seats, position.options
    hands = position.hands or [[1, 2] for _ in range(seats)]
    draws = [drawn_tiles(position, seat, hands[seat]) for seat in range(seats)]
    data = played_setup(options, seats).dump()
    data |= {"phase": "play", "current": position.turn - 1, "first": 0, "out": [], "log": []}
    data |= {"laid": position.laid or [square << 3 for square in range(len(data["laid"]))]}  # type: ignore[arg-type]
    data |= {"starts": [space_named(name) for name in STARTS[seats]], "hands": [sorted(hand) for hand in hands]}
    data |= {"draws": [tiles for tiles, _ in draws], "drawn": [number for _, number in draws]}
    data |= {"tiles": table(position.tiles), "spider": space_named(position.spider) if position.spider else -1}
    data |= {"unused": position.unused or [START | ACTION_TILES if options.action_tiles else START] * seats}
    data |= {"taken": position.taken or data["taken"], "clovers": position.clovers or data["clovers"]}
    state = GAME.load(data)
    conservation.check(state.dump())
    return state


def played_setup(options: Options, seats: int) -> LadybugsState:
    """A match after all the choices that come before the first turn."""
    state = GAME.setup(options, seats, Rng(1))
    while state.dump()["phase"] != "play":
        state.apply({seat: state.legal_actions(seat)[0] for seat in state.to_act()})
    return state


def drawn_tiles(position: Position, seat: int, hand: list[int]) -> tuple[list[int], int]:
    """A seat's tiles in the order of drawing: those on the board, the hand, the rest; and how many are drawn."""
    shown = [tile % 10 for stack in position.tiles.values() for tile in stack if tile // 10 == seat + 1]
    rest = list((Counter(ALL_TILES) - Counter(shown) - Counter(hand)).elements())
    assert len(rest) == 24 - len(shown) - len(hand), f"seat {seat + 1}: more than four of some dots"
    if position.ending or len(hand) < 2:
        return shown + rest + hand, 24
    return shown + hand + rest, len(shown) + len(hand)


def table(tiles: dict[str, list[int]]) -> list[list[int]]:
    """Tiles as a dump has them."""
    stacks = {space_named(name): stack for name, stack in tiles.items()}
    return [[space, tile // 10 - 1, tile % 10] for space in sorted(stacks) for tile in stacks[space]]


def stacks(state: LadybugsState) -> dict[str, list[int]]:
    """The tiles that lie on the board, as a position has them."""
    found: dict[str, list[int]] = {}
    for space, seat, dots in state.observe(0).tiles:
        found.setdefault(space_name(space), []).append(10 * (seat + 1) + dots)
    return found


def choices(state: LadybugsState) -> list[Action]:
    """What the seat to act may do, as typed actions."""
    return [GAME.action(code) for code in state.legal_actions(state.to_act()[0])]


def placements(state: LadybugsState, **uses: bool) -> set[str]:
    """The spaces that the seat to act can place on with exactly these means."""
    wanted = {name: uses.get(name, False) for name in ("grasshopper", "rhinoceros", "stag", "start")}
    places = [action for action in choices(state) if isinstance(action, Place)]
    return {space_name(one.space) for one in places if all(getattr(one, name) == wanted[name] for name in wanted)}


def act(state: LadybugsState, action: Action) -> None:
    """The seat to act chooses."""
    (seat,) = state.to_act()
    state.apply({seat: GAME.code(action)})


def place(state: LadybugsState, dots: int, name: str, **uses: bool) -> None:
    act(state, Place(dots, space_named(name), **uses))


def move_spider(state: LadybugsState, dots: int, name: str) -> None:
    act(state, MoveSpider(dots, space_named(name)))


def said(state: LadybugsState, seat: int = 0) -> list[str]:
    """What the seat saw happen, in words."""
    return [GAME.event_text(code) for code in state.events(seat, 0)]


def played_out(state: LadybugsState, rng: Rng) -> LadybugsState:
    """The same match at its end, every choice left to luck."""
    while state.to_act():
        state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.to_act()})
    return state


def narrow(variant: str) -> Options:
    """The variant on a board of 24 spaces, where stacks grow and seats are walled in."""
    return GAME.options({**GAME.variants()[variant].plain(), "board": json.dumps(NARROW)})
