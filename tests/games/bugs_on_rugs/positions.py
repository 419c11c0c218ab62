"""Positions made to measure: a whole state from the few bugs that a ruling is about, and short ways to play on.

Bugs are written as the initial of their rug and the beginning of their type: rAnt, gFly, vLady; Mosq has no rug.
"""

from collections import Counter
from dataclasses import dataclass, field

from arena.engine.rng import Rng
from arena.games.bugs_on_rugs import rules_codes as codes
from arena.games.bugs_on_rugs.actions import Action, Keep
from arena.games.bugs_on_rugs.rules import GAME, BugsOnRugsState
from arena.games.bugs_on_rugs.rules_views import Options
from tests.games.bugs_on_rugs import conservation

BASE = Options()
BREAKING = Options(breaking_pairs=True)
NAMES = ("Butterfly", "Firefly", "Larva", "Ant", "Spider", "Fly", "Beetle", "Ladybug", "Mosquito")
RUGS = "rogbv"


@dataclass
class Position:
    """What a case is about; bugs that it does not name lie in the deck, or out of the game if that has a size."""

    hands: list[str]
    floor: str = ""
    wall: str = ""
    deck: str = ""  # its top
    deck_size: int | None = None
    options: Options = BASE
    phase: str = "pick"
    turn: int = 0
    start: int = 0
    round: int = 1
    last_round: int = 0
    steps: int = 0
    groups: list[int] = field(default_factory=list)


def bug(word: str) -> int:
    """The bug that is written like this."""
    if word == "Mosq":
        return codes.MOSQUITO
    (type_,) = (number for number, name in enumerate(NAMES) if name.startswith(word[1:]))
    return 7 * type_ + RUGS.index(word[0]) + 1


def bugs(words: str) -> list[int]:
    """Bugs with blanks between them."""
    return [bug(word) for word in words.split()]


def begun(position: Position) -> BugsOnRugsState:
    """The state that this position describes, through a dump; every bug in a hand was dealt there."""
    seats = len(position.hands)
    data = GAME.setup(position.options, seats, Rng(1)).dump()
    hands = [sorted(bugs(hand)) for hand in position.hands]
    floor, wall, top = bugs(position.floor), bugs(position.wall), bugs(position.deck)
    rest = conservation.deck()
    rest.subtract(Counter(floor + wall + top + [one for hand in hands for one in hand]))
    assert min(rest.values()) >= 0, f"more bugs than there are: {-rest}"
    below = list(rest.elements())
    Rng(1).shuffle(below)
    size = len(top) + len(below) if position.deck_size is None else position.deck_size
    deck, discards = (top + below)[:size], sorted((top + below)[size:])
    history = [codes.EVENT_DEALT << 16 | seat << 12 | one for seat, hand in enumerate(hands) for one in hand]
    data |= {"hands": hands, "floor": floor, "wall": wall, "deck": deck, "discards": discards}
    data |= {"phase": position.phase, "turn": position.turn, "start": position.start, "steps": position.steps}
    data |= {"round": position.round, "last_round": position.last_round, "history": history, "log": []}
    data |= {"groups": position.groups or ([0] * seats if position.phase == "group" else [])}
    state = GAME.load(data)
    conservation.check(state.dump())
    return state


def act(state: BugsOnRugsState, seat: int, action: Action) -> None:
    """One seat chooses, and it is the one to do so."""
    assert list(state.to_act()) == [seat], f"expected seat {seat} to act, got {state.to_act()}"
    state.apply({seat: GAME.code(action)})
    conservation.check(state.dump())


def act_all(state: BugsOnRugsState, *actions: Action) -> None:
    """All seats choose at once."""
    state.apply({seat: GAME.code(action) for seat, action in enumerate(actions)})
    conservation.check(state.dump())


def choices(state: BugsOnRugsState, seat: int) -> list[Action]:
    """What the seat may do, as typed actions."""
    return [GAME.action(code) for code in state.legal_actions(seat)]


def hands(state: BugsOnRugsState) -> list[str]:
    """By seat: the hand as it is written here."""
    return [written(hand) for hand in state.hands]


def written(numbers: list[int]) -> str:
    """Bugs as they are written here."""
    return " ".join(word_of(number) for number in numbers)


def word_of(number: int) -> str:
    if number == codes.MOSQUITO:
        return "Mosq"
    type_, rug = divmod(number - 1, 7)
    return RUGS[rug] + {"Ladybug": "Lady", "Butterfly": "But", "Firefly": "Fire"}.get(NAMES[type_], NAMES[type_])


def said(state: BugsOnRugsState, seat: int = 0) -> list[str]:
    """What the seat saw happen, in words."""
    return [GAME.event_text(code) for code in state.events(seat, 0)]


def group(**pairs: int) -> int:
    """A group of pairs by the name of what they copy."""
    return sum(number << 4 * NAMES.index(name) for name, number in pairs.items())


def scored(
    hands: list[str], groups: list[int] | None = None, options: Options = BASE
) -> tuple[BugsOnRugsState, list[dict[str, int]]]:
    """The end of a match with these hands and pairs, and the points by seat: those for each type that are not 0."""
    position = Position(hands, options=options, phase="group", steps=1, last_round=1, groups=groups or [])
    state = begun(position)
    act_all(state, *[Keep()] * len(hands))
    return state, sheets(state)


def sheets(state: BugsOnRugsState) -> list[dict[str, int]]:
    """By seat: the points for each type that are not 0."""
    return [{NAMES[at]: value for at, value in enumerate(row) if value} for row in state.observe(0).points]
