"""Lunar Laser Frogs in words, for terminals, logs and language models: observations, actions and events."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from arena.engine.packed import numbers_of
from arena.games.lunar_laser_frogs.codes import Name, Roll, Throw, Wait, decoded, event_parts
from arena.games.lunar_laser_frogs.rules_codes import (
    DICE,
    EVENT_LASERED,
    EVENT_REVEALED,
    EVENT_ROLLED,
    EVENT_THREW,
    LAST_WINDOW,
    PHASE_NAME,
    PHASE_OVER,
    PHASE_THROW,
)
from arena.games.lunar_laser_frogs.rules_dice import COLOUR_NAMES, MOST_EXTRA_TURNS, THE_DICE, missing_colours

if TYPE_CHECKING:  # the rules speak through this module, so it cannot wait for them
    from arena.games.lunar_laser_frogs.rules_views import Card, Observation

CARDS: Final = ("unseen", "blue", "pink", "yellow", "blank", "grey")
WINDOWS: Final = ("before roll 1", "after roll 1", "after roll 2", "after roll 3")

EVENTS: Final = (  # by kind
    "",
    "turn {value}: {who} rolls",
    "a tie for the lead, extra turn {value}: {who} rolls",
    "{who} threw {card}",
    "{who} rolled {faces}",
    "{card} is missing and lasered onto all dice",
    "{who}'s {card} card: {points}",
    "{who} named seat {named} and copied {points}",
)


def action_text(code: int) -> str:
    """An action in words."""
    match decoded(code):
        case Wait():
            return "wait"
        case Throw(cards):
            return f"throw {', then '.join(CARDS[card] for card in cards)}"
        case Roll(dice):
            kinds = [f"{count} {kind_text(kind)}" for kind, count in enumerate(dice) if count]
            return f"roll {' and '.join(kinds)}"
        case Name(seat):
            return f"name seat {seat + 1}"


def event_text(code: int) -> str:
    """An event in words."""
    kind, player, value = event_parts(code)
    card = value & 7 if kind in (EVENT_THREW, EVENT_LASERED, EVENT_REVEALED) else 0
    faces = [face for face in numbers_of(value, DICE) if face] if kind == EVENT_ROLLED else []
    return EVENTS[kind].format(
        who=f"seat {player + 1}",
        value=value,
        card="a card" if kind == EVENT_THREW and card == 0 else CARDS[card % len(CARDS)],
        faces=_faces(faces),
        named=1 + (value & 7),
        points=value >> 3,
    )


def colours_text(colours: int) -> str:
    """A face in words."""
    return "+".join(name for bit, name in enumerate(COLOUR_NAMES) if colours >> bit & 1) or "blank"


def kind_text(kind: int) -> str:
    """A kind of dice in words: by the face that has most colours, which is what tells the kinds apart."""
    return colours_text(max(THE_DICE.sides[kind], key=lambda colours: (colours.bit_count(), colours)))


def remarks(extra: int, leaders: int) -> list[str]:
    """What the places cannot say: how long it took to break a tie, or that it stayed (F22, F23)."""
    if extra <= 0:
        return []
    if leaders > 1:
        return [f"Still a tie for the lead after {MOST_EXTRA_TURNS} extra turns: the place is shared."]
    return [f"A tie for the lead took {extra} extra turn{'s' if extra > 1 else ''}."]


def observation_text(view: "Observation") -> str:
    """An observation in words, one fact a line."""
    lines = [_heading(view), f"You are seat {view.seat + 1}.", *_last(view)]
    if view.phase != PHASE_OVER:
        lines += [_dice(view), _pile(view)]
    return "\n".join([*lines, *_points(view)])


def _heading(view: "Observation") -> str:
    whole = view.options.turns_each(view.seats) * view.seats
    turn = f"turn {view.turn + 1} of {whole}" if view.turn < whole else f"extra turn {view.turn - whole + 1}"
    if view.phase == PHASE_OVER:
        return "Lunar Laser Frogs: the match is over."
    return f"Lunar Laser Frogs, {turn}, {_who(view, view.roller)} to roll: {_task(view)}."


def _task(view: "Observation") -> str:
    if view.phase == PHASE_THROW:
        owing = ", ".join(_who(view, seat) for seat, owed in enumerate(view.owed) if owed)
        return f"window {WINDOWS[view.window]}, cards are owed by {owing}"
    if view.phase == PHASE_NAME:
        return "time to name a seat"
    return f"time to choose dice for roll {view.window + 1} of {LAST_WINDOW}"


def _last(view: "Observation") -> list[str]:
    if view.last_roller < 0:
        return []
    brought = zip(view.last_pile.listed(), view.last_points, strict=True)
    cards = ", ".join(f"{_who(view, card.seat)} {CARDS[card.card]} {points}" for card, points in brought)
    named = f"{_who(view, view.last_roller)} named {_who(view, view.last_named)}"
    return [f"Last turn: {_faces(view.last_faces)}; {cards}; {named}."]


def _dice(view: "Observation") -> str:
    left = [kind_text(kind) for kind, face in zip(THE_DICE.kinds, view.faces, strict=True) if not face]
    line = f"Dice: {_faces(view.faces)}"
    if left:
        return f"{line}; not rolled: {', '.join(left)}."
    missing = missing_colours(view.face_row)
    return f"{line}; lasered: {colours_text(missing).replace('+', ', ') if missing else 'none'}."


def _faces(faces: Sequence[int]) -> str:
    return ", ".join(colours_text(face - 1) for face in faces if face) or "none"


def _pile(view: "Observation") -> str:
    """Cards in the order in which they landed, as far as the seat may know it."""
    cards = ", ".join(_card(view, card) for card in view.pile.listed())
    hidden = view.seat == view.roller and not view.options.roller_sees_order
    return f"Pile{' (order unknown)' if hidden else ''}: {cards or 'empty'}."


def _card(view: "Observation", card: "Card") -> str:
    return f"{_who(view, card.seat)} {CARDS[card.card]} {WINDOWS[card.window]}"


def _points(view: "Observation") -> list[str]:
    return [f"{_who(view, seat).capitalize()}: {points} points." for seat, points in enumerate(view.points)]


def _who(view: "Observation", seat: int) -> str:
    return "you" if seat == view.seat else f"seat {seat + 1}"
