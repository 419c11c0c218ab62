"""Lunar Laser Frogs: counts what every card would bring in imagined turns, among players who can count a little.

What a card is worth follows exactly from the dice that lie and the faces of the others. In an imagined turn the
others throw what is worth something, mostly early; this bot throws now, or late with all dice in sight. It counts
worlds, never time, so a match can be repeated.
"""

from functools import cache

from arena.engine.contract import Seat
from arena.engine.packed import numbers_of
from arena.engine.rng import Rng
from arena.games.lunar_laser_frogs.rules import GAME
from arena.games.lunar_laser_frogs.rules_codes import (
    CODE_BITS,
    DICE,
    GREY,
    LAST_WINDOW,
    PHASE_NAME,
    PHASE_ROLL,
    PHASE_THROW,
    THROW,
    VALUE_MASK,
    WAIT,
)
from arena.games.lunar_laser_frogs.rules_dice import COLOUR_NAMES, THE_DICE, points
from arena.games.lunar_laser_frogs.rules_views import Observation, cards_that_score
from arena.sdk import Turn, play

WORLDS = 200
PATIENCE = 6  # others wait in a window once in so many times
SUBSETS = range(1 << len(COLOUR_NAMES))  # sets of colours

Cards = tuple[int, ...]
Chances = tuple[float, ...]  # by card
Throw = tuple[int, int, Seat, Cards]  # window, luck among those of a window, who, what


def choose(turn: Turn) -> int:
    """The action that is best on average over the worlds."""
    view: Observation = turn.observation
    if view.phase == PHASE_ROLL:
        return fewest_dice(turn.legal)
    if view.phase == PHASE_THROW and view.window < LAST_WINDOW and is_last(view):
        return WAIT << CODE_BITS
    worlds = [World(view, turn.rng) for _ in range(WORLDS)]
    chances = chances_to_score(worlds)
    gains = [0.0] * len(turn.legal)
    for world in worlds:
        for index, action in enumerate(turn.legal):
            gains[index] += world.copied(action) if view.phase == PHASE_NAME else world.lead(action, chances)
    return turn.legal[gains.index(max(gains))]


def is_last(view: Observation) -> bool:
    """Whether nobody else owes a card: then to be early gains nothing, and the dice tell more later."""
    return not any(owed for seat, owed in enumerate(view.owed) if seat != view.seat)


def fewest_dice(legal: list[int]) -> int:
    """The roll that shows the others least."""
    return min(legal, key=lambda code: sum(code >> shift & 7 for shift in (0, 3, 6)))


class World:
    """A turn as it may come out: what all dice show, what lies in the pile, what the others will throw."""

    def __init__(self, view: Observation, luck: Rng) -> None:
        state = GAME.determinize(view, luck)
        self.view = view
        self.faces: int = state.rolls[view.turn % view.seats]
        self.pile = believed(view, numbers_of(state.pile, state.size), numbers_of(state.cards, state.size), luck)
        self.later = [throw for seat in range(view.seats) for throw in self._plan(seat, luck)]
        self.luck = (luck.below(1 << 20), luck.below(1 << 20))  # among those of this window, and of the last

    def copied(self, action: int) -> int:
        """What the roller gets by naming a seat."""
        return self._points([])[action & VALUE_MASK]

    def lead(self, action: int, chances: Chances) -> float:
        """How far this seat is ahead of the others after the turn, if the roller names anybody."""
        got = self._points(self._own(action, chances))
        own = got[self.view.seat]
        roller = sum(got) / (len(got) - 1)
        return own - (sum(got) - own + roller) / (len(got) - 1)

    def _plan(self, seat: Seat, luck: Rng) -> list[Throw]:
        """What another seat that owes cards will do: all at once, in a window that it may let pass."""
        owed, window = self.view.owed[seat], self.view.window
        if not owed or seat == self.view.seat:
            return []
        while window < LAST_WINDOW and luck.below(PATIENCE) == 0:
            window += 1
        thrown = [card for who, card in self.pile if who == seat]
        cards: list[int] = []
        for place in range(owed):
            cards.append(some_card(self.view.face_row, len(self.pile) + place, thrown + cards, luck))
        return [(window, luck.below(1 << 20), seat, tuple(cards))]

    def early(self, card: int) -> int:
        """How many of these cards others throw before the last window."""
        thrown = [one for seat, one in self.pile if seat != self.view.seat]
        thrown += [one for window, _, _, cards in self.later if window < LAST_WINDOW for one in cards]
        return thrown.count(card)

    def _own(self, action: int, chances: Chances) -> list[Throw]:
        """The throws of this seat: those of the action, and for the rest the best cards when all dice lie."""
        view, cards = self.view, thrown_by(action)
        rest = view.owed[view.seat] - len(cards)
        throws = [(view.window, self.luck[0], view.seat, cards)] if cards else []
        if rest:
            own = [card for who, card in self.pile if who == view.seat]
            others = sum(len(more) for window, _, _, more in self.later if window < LAST_WINDOW)
            before = len(self.pile) + len(cards) + others
            late = best_cards(self.faces, before, (*own, *cards), rest, chances)
            throws.append((LAST_WINDOW, self.luck[1], view.seat, late))
        return throws

    def _points(self, own: list[Throw]) -> list[int]:
        """By seat: what its cards bring."""
        pile = list(self.pile)
        for _, _, seat, cards in sorted(self.later + own):
            pile += [(seat, card) for card in cards]
        row = sum(card << 4 * place for place, (_, card) in enumerate(pile))
        brought = points(self.faces, row, len(pile), cards_that_score(self.view.seats))
        got = [0] * self.view.seats
        for seat, _ in pile:
            got[seat] += brought & 15
            brought >>= 4
        return got


# What cards are worth


@cache
def worth(faces: int) -> tuple[float, ...]:
    """By card: what the first of its kind brings on average, if the dice that are not rolled yet fall anyhow."""
    dice = [sides(die, face) for die, face in enumerate(numbers_of(faces, DICE))]
    colours = [colour_worth(1 << bit, dice) for bit in range(len(COLOUR_NAMES))]
    return (0.0, *colours, blank_worth(dice))


def sides(die: int, face: int) -> list[int]:
    """What a die may show: what it shows already, or any of its sides."""
    return [face - 1] if face else THE_DICE.sides[THE_DICE.kinds[die]]


def without(colours: int, one: list[int]) -> float:
    """The chance that a die shows none of these colours."""
    return sum(not side & colours for side in one) / len(one)


def colour_worth(colour: int, dice: list[list[int]]) -> float:
    """One for each die of the colour, six if there is none."""
    missing, shown = 1.0, 0.0
    for one in dice:
        missing *= without(colour, one)
        shown += 1 - without(colour, one)
    return shown + DICE * missing


def blank_worth(dice: list[list[int]]) -> float:
    """Two for each blank die, if no colour is missing: over all sets of colours, by inclusion and exclusion."""
    total = 0.0
    for colours in SUBSETS:
        for blank, one in enumerate(dice):
            chance = one.count(0) / len(one)
            for other, rest in enumerate(dice):
                chance *= without(colours, rest) if other != blank else 1
            total += -2 * chance if colours.bit_count() & 1 else 2 * chance
    return total


# Cards


def thrown_by(action: int) -> Cards:
    """The cards of an action, none if it is to wait."""
    kind, value = action >> CODE_BITS, action & VALUE_MASK
    if kind == WAIT:
        return ()
    return (value,) if kind == THROW else (value >> 3, value & 7)


def chances_to_score(worlds: "list[World]") -> Chances:
    """By card: how likely it still scores in the last window, because others have thrown fewer than count."""
    scoring = cards_that_score(worlds[0].view.seats)
    open_worlds = [sum(world.early(card) < scoring for world in worlds) for card in range(GREY + 1)]
    return tuple(number / len(worlds) for number in open_worlds)


def best_cards(faces: int, before: int, thrown: Cards, count: int, chances: Chances) -> Cards:
    """The cards that bring most when all dice lie; grey counts the cards before it, so it goes last."""
    values = worth(faces)
    left = [card for card in range(1, GREY) if card not in thrown]
    colours = sorted(left, key=lambda card: -values[card] * chances[card])[:count]
    grey = (before + count - 1) * chances[GREY]
    if GREY in thrown or values[colours[-1]] * chances[colours[-1]] >= grey:
        return tuple(colours)
    return (*colours[:-1], GREY)


def some_card(faces: int, before: int, thrown: list[int], luck: Rng) -> int:
    """A card that another seat may throw; one that is worth twice as much is four times as likely."""
    values = worth(faces)
    cards = [card for card in range(1, GREY + 1) if card not in thrown]
    weights = [1 + int(1000 * (before if card == GREY else values[card]) ** 2) for card in cards]
    drawn = luck.below(sum(weights))
    for card, weight in zip(cards, weights, strict=True):
        drawn -= weight
        if drawn < 0:
            return card
    return cards[-1]


def believed(view: Observation, seats: list[int], cards: list[int], luck: Rng) -> list[tuple[Seat, int]]:
    """The pile, with better cards of those who threw when they had seen some of the dice."""
    pile: list[tuple[Seat, int]] = []
    windows = [card.window for card in view.pile.listed()]
    for place, (owner, card) in enumerate(zip(seats, cards, strict=True)):
        if owner - 1 != view.seat and 0 < windows[place] >= view.window - 1:
            thrown = [other for who, other in pile if who == owner - 1]
            pile.append((owner - 1, some_card(view.face_row, place, thrown, luck)))
        else:
            pile.append((owner - 1, card))
    return pile


if __name__ == "__main__":
    play(choose)
