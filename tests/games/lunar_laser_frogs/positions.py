"""Positions made to measure: a turn with the dice and landing orders of a ruling, and short ways to play on."""

from collections.abc import Mapping

from arena.engine.rng import Rng
from arena.games.lunar_laser_frogs.codes import Action, Name, Roll, Throw, Wait
from arena.games.lunar_laser_frogs.rules import GAME, LunarLaserFrogsState
from arena.games.lunar_laser_frogs.rules_views import Options
from tests.games.lunar_laser_frogs import conservation

BASE = Options()
HIDDEN = Options(roller_sees_order=False)
ARRIVAL = Options(timing="arrival")

BLUE, PINK, YELLOW, BLANK, GREY = 1, 2, 3, 4, 5  # cards
# What a die shows, as a row of faces has it.
NONE, B, P, Y, PB, YP, BY = 1, 2, 3, 5, 4, 7, 6

PLAIN = [B, P, Y, NONE, NONE, NONE]  # no colour is missing: blue, pink and yellow are worth 1, blank 6
WAIT = Wait()


def begun(
    seats: int,
    faces: list[int] | None = None,
    order: list[int] | None = None,
    *,
    options: Options = BASE,
    roller: int = 0,
    turn: int = 0,
    points: list[int] | None = None,
) -> LunarLaserFrogsState:
    """A turn that begins, with these dice to be rolled and cards that land in this order in every turn and window."""
    data = GAME.setup(options, seats, Rng(1)).dump()
    first = roller - turn % seats
    rollers = [(first + number) % seats for number in range(seats)]
    lands = list(dict.fromkeys([*(order or []), *range(seats)]))
    data |= {"roller": roller, "turn": turn, "points": points or [0] * seats, "log": []}
    data |= {"rolls": [list(faces or PLAIN) for _ in rollers]}
    data |= {"orders": [[seat for seat in lands if seat != who] for who in rollers for _ in range(4)]}
    state = GAME.load(data)
    conservation.check(state.dump())
    return state


def act(state: LunarLaserFrogsState, actions: dict[int, Action]) -> None:
    """Each of these seats acts, and they are the ones to do so."""
    assert list(state.to_act()) == sorted(actions)
    state.apply({seat: GAME.code(action) for seat, action in actions.items()})


def throws(state: LunarLaserFrogsState, cards: Mapping[int, int | tuple[int, ...]]) -> None:
    """These seats throw these cards, all others that owe some wait."""
    given = {seat: one if isinstance(one, tuple) else (one,) for seat, one in cards.items()}
    act(state, {seat: Throw(given[seat]) if seat in given else WAIT for seat in state.to_act()})


def roll(state: LunarLaserFrogsState, *dice: int) -> None:
    """The roller rolls so many dice of each kind."""
    one, two, three = dice
    act(state, {state.roller: Roll((one, two, three))})


def name(state: LunarLaserFrogsState, seat: int) -> None:
    act(state, {state.roller: Name(seat)})


def to_the_naming(state: LunarLaserFrogsState) -> None:
    """The roller rolls two dice of a kind at a time; nobody throws before it must, and then grey or grey and blank."""
    while state.dump()["phase"] != "name":
        if state.dump()["phase"] == "roll":
            roll(state, *((2, 0, 0) if state.window == 0 else (0, 2, 0)))
        elif state.window < 3:
            throws(state, {})
        else:
            throws(state, {seat: last_throw(state, seat) for seat in state.to_act()})


def last_throw(state: LunarLaserFrogsState, seat: int) -> tuple[int, ...]:
    """Grey cards first, as many cards as are owed."""
    own = [card.card for card in state.observe(seat).pile.listed() if card.seat == seat]
    return tuple(card for card in (GREY, BLANK) if card not in own)[: state.observe(seat).owed[seat]]


def played(
    faces: list[int], pile: list[tuple[int, int]], seats: int = 4, named: int | None = None
) -> LunarLaserFrogsState:
    """A turn of seat 1 that is over: these seats threw these cards, in this order and before the first roll."""
    order = list(dict.fromkeys(seat for seat, _ in pile))
    state = begun(seats, faces, order)
    throws(state, {seat: tuple(card for who, card in pile if who == seat) for seat in order})
    to_the_naming(state)
    name(state, order[0] if named is None else named)
    return state


def brought(state: LunarLaserFrogsState) -> list[tuple[int, int, int]]:
    """What the cards of the last turn brought, in their order: seat, card, points."""
    view = state.observe(0)
    cards = zip(view.last_pile.listed(), view.last_points, strict=True)
    return [(card.seat, card.card, points) for card, points in cards]


def choices(state: LunarLaserFrogsState, seat: int) -> list[Action]:
    """What the seat may do, as typed actions."""
    return [GAME.action(code) for code in state.legal_actions(seat)]


def said(state: LunarLaserFrogsState, seat: int = 0) -> list[str]:
    """What the seat saw happen, in words."""
    return [GAME.event_text(code) for code in state.events(seat, 0)]


def pile(state: LunarLaserFrogsState, seat: int) -> list[tuple[int, int, int]]:
    """The pile as the seat sees it: seat, card, window."""
    return [(card.seat, card.card, card.window) for card in state.observe(seat).pile.listed()]
