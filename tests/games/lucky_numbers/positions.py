"""Positions made to measure: a whole state from the few tiles that a ruling is about, and short ways to play on."""

from collections import Counter
from dataclasses import dataclass, field

from arena.engine.rng import Rng
from arena.games.lucky_numbers.rules import GAME, LuckyNumbersState
from arena.games.lucky_numbers.rules_codes import Action, Discard, Draw
from arena.games.lucky_numbers.rules_views import Options
from tests.games.lucky_numbers import conservation

BASE = Options()
ARRANGE = Options(setup="arrange")
MICHAEL = Options(setup="michael")
TOURNAMENT = Options(tournament=True)
DISTINCT = Options(distinct_diagonal=True)

DRAW = Draw()
DISCARD = Discard()

BARE = "1 - - - / - 6 - - / - - 15 - / - - - 20"
LOW = "1 - - - / - 2 - - / - - 3 - / - - - 4"
FULL = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 16"


@dataclass
class Position:
    """What a case is about, with a seat to move; the tiles that it does not name are the rest."""

    gardens: list[str]
    face_up: list[int] = field(default_factory=list)
    pool: list[int] = field(default_factory=list)  # how it begins, or all of it if the rest lies face up
    rest: str = "face down"  # or face up
    drawn: int = 0
    turn: int = 0
    start: int = 0
    idle: int = 0
    options: Options = BASE
    game: int = 0
    totals: list[int] = field(default_factory=list)
    set_aside: list[int] = field(default_factory=list)
    phase: str = ""


def tiles_of(garden: str) -> list[int]:
    """The sixteen tiles of a garden written in rows, with a dash for an empty space."""
    tiles = [0 if word == "-" else int(word) for word in garden.replace("/", " ").split()]
    assert len(tiles) == 16
    return tiles


def begun(position: Position) -> LuckyNumbersState:
    """The state that this position describes, through a dump; its event log is empty."""
    seats = len(position.gardens)
    gardens = [tiles_of(garden) for garden in position.gardens]
    named = [tile for garden in gardens for tile in garden if tile] + position.face_up + position.pool
    named += position.set_aside + ([position.drawn] if position.drawn else [])
    rest = sorted((Counter(dict.fromkeys(range(1, 21), seats)) - Counter(named)).elements())
    data = GAME.setup(position.options, seats, Rng(1)).dump()
    data |= {"phase": position.phase or ("place" if position.drawn else "turn"), "drawn": position.drawn}
    data |= {"turn": position.turn, "start": position.start, "idle": position.idle, "game": position.game}
    data |= {"gardens": gardens, "open": [], "set_aside": position.set_aside, "log": []}
    data |= {"pool": position.pool + (rest if position.rest == "face down" else [])}
    data |= {"face_up": sorted(position.face_up + (rest if position.rest == "face up" else []))}
    data |= {"totals": position.totals or [0] * seats}
    state = GAME.load(data)
    conservation.check(state.dump())
    return state


def act(state: LuckyNumbersState, seat: int, action: Action) -> None:
    """One seat chooses, and it is the one to do so."""
    assert list(state.to_act()) == [seat]
    state.apply({seat: GAME.code(action)})


def choices(state: LuckyNumbersState, seat: int) -> list[Action]:
    """What the seat may do, as typed actions."""
    return [GAME.action(code) for code in state.legal_actions(seat)]


def gardens(state: LuckyNumbersState) -> list[list[int]]:
    """By seat: the tiles of the sixteen spaces."""
    return [garden.tiles() for garden in state.observe(0).gardens]


def said(state: LuckyNumbersState, seat: int = 0) -> list[str]:
    """What the seat saw happen, in words."""
    return [GAME.event_text(code) for code in state.events(seat, 0)]


def played_out(state: LuckyNumbersState, rng: Rng) -> LuckyNumbersState:
    """The same match at its end, every choice left to luck."""
    while state.to_act():
        state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.to_act()})
    return state


def drawing(state: LuckyNumbersState, rng: Rng) -> dict[int, int]:
    """Actions that hurry towards the last tile: draw wherever possible, mostly leave what was drawn."""
    chosen = {}
    for seat in state.to_act():
        legal = state.legal_actions(seat)
        hurry = [code for code in legal if code in (GAME.code(DRAW), GAME.code(DISCARD))]
        chosen[seat] = hurry[0] if hurry and rng.below(4) else rng.choice(legal)
    return chosen
