"""Positions made to measure: a whole state from the few cards that a ruling is about, and short ways to play on."""

from dataclasses import dataclass, field

from arena.engine.rng import Rng
from arena.games.party_bugs.codes import Action, Haul, Hide, KeepMirror, Play, Take, UseMirror
from arena.games.party_bugs.rules import GAME, PartyBugsState
from arena.games.party_bugs.rules_views import Options
from tests.games.party_bugs import conservation

BASE = Options()
HIDDEN = Options(hidden_card=True)
MUST = Options(hidden_card=True, hidden_pairing="must")
MIRROR = Options(mirror_series=True)
BOTH = Options(hidden_card=True, mirror_series=True)

Cards = list[list[int]]


@dataclass
class Position:
    """What a case is about, before the seats play; what it leaves open is filled in by the lowest fitting cards."""

    hands: Cards
    floor: list[int]
    options: Options = BASE
    round: int = 1
    phase: str = "play"
    tied: int = 0
    displays: Cards = field(default_factory=list)
    hidden: list[int] = field(default_factory=list)
    piles: Cards = field(default_factory=list)  # how each pile begins
    game: int = 0
    mirror: int = -1
    totals: list[int] = field(default_factory=list)


def begun(position: Position) -> PartyBugsState:
    """The state that this position describes, through a dump; its event log is empty."""
    seats, players = len(position.hands), len(position.floor)
    assert players == max(3, seats)
    data = GAME.setup(position.options, seats, Rng(1)).dump()
    hands = position.hands + [[] for _ in range(players - seats)]
    hidden = position.hidden or [0] * players
    piles = [pile(position, player, hands[player], hidden[player]) for player in range(players)]
    shown = [[hidden[player]] * (hidden[player] > 0) + hands[player] + piles[player] for player in range(players)]
    data |= {"round": position.round, "phase": position.phase, "tied": position.tied, "floor": position.floor}
    data |= {"game": position.game, "mirror": position.mirror, "totals": position.totals or [0] * players}
    data |= {"hands": hands, "hidden": hidden, "displays": position.displays or [[] for _ in range(players)]}
    data |= {"decks": [without(piles[player]) + piles[player] for player in range(players)]}
    data |= {"unseen": [sorted(cards) for cards in shown], "log": []}
    state = GAME.load(data)
    conservation.check(state.dump())
    return state


def pile(position: Position, player: int, hand: list[int], hidden: int) -> list[int]:
    """A player's pile, top first: as long as the round says, as the position begins it."""
    drawn = position.options.dealt if player < len(position.hands) else 0
    top = position.piles[player] if position.piles else []
    known = [*top, *hand, hidden, position.floor[player]]
    assert len(set(known)) == len(known), f"player {player}: expected each card once, got {known}"
    rest = without(known)
    size = max(0, 13 - drawn - position.round)
    assert len(top) <= size
    return (top + rest)[:size]


def without(cards: list[int]) -> list[int]:
    """All values but these."""
    return [value for value in range(1, 14) if value not in cards]


def act(state: PartyBugsState, seat: int, action: Action) -> None:
    """One seat chooses, and it is the one to do so."""
    assert list(state.to_act()) == [seat]
    state.apply({seat: GAME.code(action)})


def play(state: PartyBugsState, *cards: int) -> None:
    state.apply({seat: GAME.code(Play(card)) for seat, card in enumerate(cards)})


def hide(state: PartyBugsState, *cards: int) -> None:
    state.apply({seat: GAME.code(Hide(card)) for seat, card in enumerate(cards)})


def take(state: PartyBugsState, seat: int, card: int) -> None:
    act(state, seat, Take(card, pair_hidden=False))


def choices(state: PartyBugsState, seat: int) -> list[Action]:
    """What the seat may do, as typed actions."""
    return [GAME.action(code) for code in state.legal_actions(seat)]


def displays(state: PartyBugsState) -> Cards:
    """By player: the face-up values."""
    return [display.values for display in state.observe(0).displays]


def said(state: PartyBugsState, seat: int = 0) -> list[str]:
    """What the seat saw happen, in words."""
    return [GAME.event_text(code) for code in state.events(seat, 0)]


def played_out(state: PartyBugsState, rng: Rng) -> PartyBugsState:
    """The same match at its end, every choice left to luck."""
    while state.to_act():
        state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.to_act()})
    return state


PLAIN = Take(5, pair_hidden=False)
PAIRING = Take(5, pair_hidden=True)
HAUL = Haul(pair_hidden=False)
HAUL_PAIRING = Haul(pair_hidden=True)
KEEP = KeepMirror()
USE_HIDDEN = UseMirror(None)
